"""When an examiner may not decide yet: the paper is closed, an item contested, an annulment asked for."""

from collections.abc import Iterator

import pytest
from django.test import Client
from django.urls import reverse
from django.utils.translation import override

from exams.appeals import remedy
from exams.appeals import services as appeals
from exams.results import annulment, services
from exams.results.models import Result
from exams.results.undecided import to_decide
from tests.exams import making
from tests.exams.contesting import REPLY, Exam, held, lodged, stranger
from tests.factories import PersonFactory
from training.people.models import Role, User
from training.platform.errors import Refused

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _in_english() -> Iterator[None]:
    with override("en"):
        yield


@pytest.fixture
def examiner() -> User:
    person = stranger()
    person.language = "en"
    person.save()
    return person


def sat_by(count: int) -> Exam:
    rules = making.make_rules(decision="by_examiner", release="when_graded")
    return held(*[{} for _each in range(count)], version=making.make_version(rules))


def decide(result: Result, examiner: User) -> Result:
    return services.decide_result(result.pk, examiner, passed=False, reason="")


def refused(result: Result, examiner: User, why: str) -> None:
    """By the service, on the page, and not among what waits for them."""
    with pytest.raises(services.NotYet, match=why):
        decide(result, examiner)
    client, address = Client(), reverse("decide_result", args=[result.pk])
    client.force_login(examiner)
    page = client.get(address).content.decode()
    assert why in page
    assert 'name="decision"' not in page
    sent = client.post(address, {"decision": "failed", "reason": ""})
    assert (sent.status_code, why in sent.content.decode()) == (422, True)
    assert result not in to_decide(examiner)
    result.refresh_from_db()
    assert result.decided_at is None


def test_while_others_may_be_put_before_its_items(examiner: User) -> None:
    exam = sat_by(1)
    late = making.start(making.enter(exam.session))
    refused(exam.result(), examiner, "The paper cannot be read yet")
    making.close(late)
    assert exam.result() in to_decide(examiner)
    assert decide(exam.result(), examiner).decided_by == examiner


def test_while_an_annulment_waits_for_its_second_person(examiner: User) -> None:
    exam = sat_by(1)
    asked = annulment.ask(exam.sittings[0], by=stranger(), remedy="annulled", reason="Alarme de incêndio.")
    refused(exam.result(), examiner, "asked for this exam to be annulled")
    client = Client()
    client.force_login(examiner)
    page = client.get(reverse("decide_result", args=[exam.result().pk])).content.decode()
    assert f'href="{reverse("annulments")}"' in page
    assert reverse("annul_sitting", args=[exam.sittings[0].pk]) not in page
    annulment.refuse(asked, by=stranger())
    assert decide(exam.result(), examiner).decided_at


def test_while_another_item_of_it_is_contested(examiner: User) -> None:
    exam = sat_by(1)
    decide(exam.result(), examiner)
    first, second = lodged(exam, position=1), lodged(exam, position=2)
    appeals.void(first, stranger(), REPLY)
    remedy.carry_out(first.pk)
    again = exam.result()
    assert again.number == 2
    with pytest.raises(Refused, match="already decided"):
        decide(again, examiner)
    other = PersonFactory(roles=[Role.INSTRUCTOR], language="en")
    refused(again, other, "A question of this exam has been contested")
    appeals.reject(second, stranger(), REPLY)
    assert again not in to_decide(examiner)
    assert decide(again, other).decided_at


def test_while_what_follows_from_somebody_else_s_appeal_is_not_carried_out(examiner: User) -> None:
    exam = sat_by(2)
    decide(exam.result(0), examiner)
    appeal = lodged(exam, 0)
    assert decide_nothing(exam.result(1), examiner), "what another contests may still be rejected: nobody waits for it"
    appeals.void(appeal, stranger(), REPLY)
    refused(exam.result(1), examiner, "A question of this exam has been contested")
    remedy.carry_out(appeal.pk)
    assert decide(exam.result(1), examiner).decided_at


def decide_nothing(result: Result, examiner: User) -> bool:
    """Whether it could be decided, without doing so."""
    services.verify_decide(examiner, result)
    return result in to_decide(examiner)
