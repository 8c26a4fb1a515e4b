"""While an exam of theirs is open nobody reads anywhere how its cases are ruled on: everything else is closed."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone, translation

from exams import clock
from exams.records.models import ExamItem, FormItem, Sitting
from tests.exams import making
from tests.factories import PersonFactory
from tests.library.versions import TITLED, instructor
from training.api import tokens
from training.api.scopes import SCOPES
from training.library import drafts
from training.library import services as library
from training.library.models import Version
from training.people.models import Role, User
from training.platform.engine_json import as_stored
from training.practice.models import Drill

pytestmark = pytest.mark.django_db
HTMX = {"HX-Request": "true", "HX-Current-URL": "http://testserver/practice/"}


@pytest.fixture
def candidate() -> User:
    """Somebody with every role that has anything to read, about to sit."""
    return PersonFactory(roles=[role for role in Role if role != Role.AUDITOR])


@pytest.fixture
def sitting(candidate: User) -> Sitting:
    """Their exam is open, and its first case is also a published scenario."""
    sitting = making.start(making.enter(making.make_session(), candidate))
    draft = drafts.create_draft(instructor(), item_of(sitting).scenario, source=Version.Source.AUTHORED, words=TITLED)
    library.publish(library.submit_for_review(draft, draft.author), instructor())
    return sitting


@pytest.fixture
def other_browser(candidate: User) -> Client:
    client = Client()
    client.force_login(candidate)
    return client


@pytest.fixture
def program(candidate: User) -> Callable[..., Any]:
    _token, text = tokens.issue(candidate, name="Outro ecrã", scopes=SCOPES, days=1)

    def ask(address: str, body: Any = None) -> Any:
        send: dict[str, Any] = {"headers": {"Authorization": f"Bearer {text}"}}
        if body is None:
            return Client().get(f"/api/v1/{address}", **send)
        return Client().post(f"/api/v1/{address}", body, content_type="application/json", **send)

    return ask


def item_of(sitting: Sitting) -> ExamItem:
    return FormItem.objects.filter(form__candidate=sitting.candidate_id).select_related("item")[0].item


def test_nobody_learns_an_item_in_practice_during_the_exam(sitting: Sitting, other_browser: Client) -> None:
    item = item_of(sitting)
    asked = {"topic": f"{item.rulebook}/{item.topic}", "difficulty": item.difficulty, "mode": "free"}
    response = other_browser.post("/practice/start/", asked)
    assert response.status_code == 403
    assert not Drill.objects.exists()


def test_nobody_learns_an_item_by_a_program_during_the_exam(sitting: Sitting, program: Callable[..., Any]) -> None:
    item = item_of(sitting)
    asked = {"mode": "free", "rulebook": item.rulebook, "topic": item.topic, "difficulty": item.difficulty}
    response = program("drills/", asked)
    assert (response.status_code, response.json()["error"]["code"]) == (403, "in_exam")
    assert not Drill.objects.exists()


def test_nobody_has_the_item_solved_during_the_exam(
    sitting: Sitting, program: Callable[..., Any], other_browser: Client
) -> None:
    item = item_of(sitting)
    facts = {"rulebook": item.rulebook, "situation": as_stored(item.scenario)["situation"]}
    by_session = other_browser.post("/api/v1/solve/", facts, content_type="application/json")
    for response in (program("solve/", facts), by_session):
        assert (response.status_code, response.json()["error"]["code"]) == (403, "in_exam")
        assert "decisions" not in response.content.decode()


@pytest.mark.parametrize(
    "address",
    [
        *("/", "/practice/", "/practice/history/", "/practice/rules/", "/assigned/"),
        *(
            "/rulebooks/",
            "/rulebooks/pt-chemin-de-fer/",
            "/rulebooks/compare/",
            "/scenarios/",
            "/scenarios/export.json",
        ),
        *(
            "/figures/",
            "/classes/",
            "/results/",
            "/appeals/own/",
            "/exams/sessions/",
            "/certificates/",
            "/hr/",
            "/audit/",
        ),
        *("/api/docs/", "/account/tokens/"),
    ],
)
def test_whatever_the_roles_every_room_is_closed_and_says_why(
    sitting: Sitting, other_browser: Client, address: str
) -> None:
    response = other_browser.get(address)
    assert response.status_code == 403
    page = response.content.decode()
    assert "Tem um exame a decorrer." in page
    assert f'href="/exams/sittings/{sitting.pk}/"' in page
    assert 'class="places"' not in page, "there is nowhere else to go"


@pytest.mark.parametrize(
    "address", ["rulebooks/", "drills/", "mastery/", "scenarios/", "items/", "results/", "roster/"]
)
def test_no_program_reads_anything_for_them(sitting: Sitting, program: Callable[..., Any], address: str) -> None:
    response = program(address)
    assert (response.status_code, response.json()["error"]["code"]) == (403, "in_exam")
    assert "exame" in response.json()["error"]["message"]


def test_a_part_of_a_page_sends_the_whole_page_to_where_it_is_told(sitting: Sitting, other_browser: Client) -> None:
    response = other_browser.get("/practice/", headers=HTMX)
    assert (response["HX-Redirect"], response.content) == ("/practice/", b"")


def test_it_is_told_in_the_language_of_the_person(sitting: Sitting, other_browser: Client) -> None:
    sitting.candidate.person.language = "en"
    sitting.candidate.person.save()
    with translation.override(None):
        assert "You have an exam open." in other_browser.get("/practice/").content.decode()


@pytest.mark.parametrize("address", ["/exams/", "/c/", "/healthz", "/account/logout/"])
def test_what_an_exam_needs_and_what_is_public_stay_open(sitting: Sitting, other_browser: Client, address: str) -> None:
    assert other_browser.get(address).status_code == 200


def test_the_exam_itself_goes_on(sitting: Sitting, other_browser: Client) -> None:
    assert other_browser.get(f"/exams/sittings/{sitting.pk}/1/").status_code == 200
    assert other_browser.post("/language/", {"language": "en"}).status_code == 302


def test_before_it_begins_and_once_it_is_handed_in_everything_is_open(candidate: User, other_browser: Client) -> None:
    entered = making.enter(making.make_session(), candidate)
    assert other_browser.get("/practice/").status_code == 200
    sitting = making.start(entered)
    assert other_browser.get("/practice/").status_code == 403
    making.close(sitting)
    assert other_browser.get("/practice/").status_code == 200


@pytest.mark.parametrize(("seconds", "status"), [(-1, 403), (0, 200), (1, 200)])
def test_the_servers_clock_decides_at_the_deadline(
    candidate: User, other_browser: Client, monkeypatch: pytest.MonkeyPatch, seconds: int, status: int
) -> None:
    """Nobody has written down that its time is up, and still it is."""
    sitting = making.start(making.enter(making.make_session(), candidate), at=timezone.now() - timedelta(minutes=10))
    monkeypatch.setattr(clock, "now", lambda: sitting.deadline_at + timedelta(seconds=seconds))
    assert other_browser.get("/practice/").status_code == status


def test_the_exam_of_somebody_else_closes_nothing(sitting: Sitting) -> None:
    client = Client()
    client.force_login(PersonFactory())
    assert client.get("/practice/").status_code == 200


def test_one_small_query_asks(other_browser: Client) -> None:
    with CaptureQueriesContext(connection) as asked:
        other_browser.get("/practice/study/")
    assert sum("records_sitting" in query["sql"] for query in asked.captured_queries) == 1
