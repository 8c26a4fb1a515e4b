"""HR issues or suspends many certificates at once: each an act of its own, what cannot be is said and left out."""

import pytest
from django.contrib.messages import get_messages
from django.test import Client

from exams.audit.models import Entry
from exams.certificates.models import Certificate
from tests.exams import making
from tests.exams.certifying import make_result
from tests.exams.staffing import certify, staff
from tests.factories import PersonFactory
from training.mail.models import Mail
from training.people.models import Role, User

pytestmark = pytest.mark.django_db


@pytest.fixture
def clerk() -> User:
    return PersonFactory(roles=[Role.HR, Role.TRAINEE], language="en", name="Rita")


@pytest.fixture
def desk(clerk: User) -> Client:
    client = Client()
    client.force_login(clerk)
    return client


def test_many_are_issued_but_not_ones_own(desk: Client, clerk: User) -> None:
    version = making.make_version(making.make_rules(certificate="by_hr"))
    passed = [make_result(version, PersonFactory(name=name)) for name in ("Ana", "Rui")]
    own = make_result(version, clerk)
    chosen = [str(result.pk) for result in [*passed, own]]
    assert all(key in desk.get("/hr/waiting/").content.decode() for key in chosen)
    asked = desk.get("/hr/waiting/issue/", {"chosen": chosen}).content.decode()
    assert "Ana" in asked and "Rui" in asked and "Left out:" in asked
    assert desk.post("/hr/waiting/issue/", {"chosen": chosen, "reason": " "}).status_code == 422
    assert not Certificate.objects.exists()
    assert desk.post("/hr/waiting/issue/", {"chosen": chosen, "reason": "Júri de 3 de novembro."}).status_code == 302
    assert set(Certificate.objects.values_list("holder__name", flat=True)) == {"Ana", "Rui"}
    assert Entry.objects.filter(act="certificate.grant", actor=clerk).count() == 2
    assert Mail.objects.filter(subject__contains="certificado").count() == 2
    again = desk.post("/hr/waiting/issue/", {"chosen": chosen, "reason": "Outra vez."})
    assert again.status_code == 422 and Certificate.objects.count() == 2


def test_many_are_suspended_and_what_is_not_valid_is_left_out(desk: Client, clerk: User) -> None:
    valid = [certify(staff(name)) for name in ("Ana", "Rui")]
    withdrawn, own = certify(staff("Eva"), state="withdrawn"), certify(clerk)
    page = desk.get("/hr/").content.decode()
    assert f'value="{valid[0].pk}"' in page and f'value="{withdrawn.pk}"' not in page
    chosen = [str(each.pk) for each in [*valid, withdrawn, own]]
    done = desk.post("/hr/certificates/suspend/", {"chosen": [*chosen, "nonsense"], "reason": "Mesa 4 em inquérito."})
    assert [str(message) for message in get_messages(done.wsgi_request)] == ["2 done and recorded."]
    states = dict(Certificate.objects.values_list("holder__name", "state"))
    assert states == {"Ana": "suspended", "Rui": "suspended", "Eva": "withdrawn", "Rita": "granted"}
    assert valid[0].acts.order_by("number").last().reason == "Mesa 4 em inquérito."


def test_nothing_chosen_says_so(desk: Client) -> None:
    for address in ("/hr/waiting/issue/", "/hr/certificates/suspend/"):
        assert desk.get(address).status_code == 302
        assert desk.get(address, {"chosen": "x" * 40}).status_code == 302
