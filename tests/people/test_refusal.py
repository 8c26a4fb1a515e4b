"""What a service refuses is told in its own words, on a page and to a program, by one translation each."""

import pytest
from django.http import HttpResponse
from django.test import RequestFactory

from tests.factories import PersonFactory
from training.api.problems import handle
from training.library.services import UnfitComment
from training.platform.errors import RefusalMiddleware, Refused, Unfit
from training.practice.services import AlreadyAnswered

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(("refused", "status"), [(Refused("Agora não."), 409), (Unfit("Demasiado curto."), 422)])
def test_a_refusal_that_no_page_shows_gets_a_page(rf: RequestFactory, refused: Refused, status: int) -> None:
    request = rf.get("/")
    request.user = PersonFactory()
    page = RefusalMiddleware(lambda _request: HttpResponse()).process_exception(request, refused)
    assert page is not None and page.status_code == status
    assert str(refused) in page.content.decode()


def test_faults_of_ours_are_no_refusals(rf: RequestFactory) -> None:
    assert RefusalMiddleware(lambda _request: HttpResponse()).process_exception(rf.get("/"), ValueError("x")) is None


@pytest.mark.parametrize(
    ("refused", "status", "told"),
    [
        (Refused("Agora não."), 409, {"code": "refused", "message": "Agora não.", "fields": {}}),
        (AlreadyAnswered("Já está."), 409, {"code": "already_answered", "message": "Já está.", "fields": {}}),
        (UnfitComment("Falta."), 422, {"code": "invalid", "fields": {"comment": ["Falta."]}}),
    ],
)
def test_a_program_is_told_code_words_and_field(refused: Refused, status: int, told: dict[str, object]) -> None:
    response = handle(refused, {})
    assert response is not None and response.status_code == status
    assert told.items() <= response.data["error"].items()
