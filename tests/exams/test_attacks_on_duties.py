"""Attempts to get around rules that need a second person, or somebody who was not involved."""

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from exams.accounts import roles
from exams.appeals import objections
from exams.appeals.models import Objection
from exams.certificates import issuance, services
from exams.certificates.models import Act, Certificate
from exams.exam_sessions import setup
from exams.programmes import duties
from exams.regrading.models import Regrade, RegradedSitting
from exams.results import annulment
from tests.exams import making
from tests.exams.annulling import asked
from tests.exams.certifying import add_result, make_certificate, make_result
from tests.exams.naming import browser_of
from tests.factories import PersonFactory
from training.people.models import Role, User
from training.platform.errors import Refused

pytestmark = pytest.mark.django_db
TEXT = "A suspensão assenta num dia em que estive de baixa."
REPLY = "Não há razão para a levantar: fica como está."


def administrator() -> User:
    return PersonFactory(roles=[Role.ADMINISTRATOR])


def contested(certificate: Certificate) -> Objection:
    act = Act.objects.filter(certificate=certificate, kind="suspend").latest("number")
    return objections.lodge(certificate.holder, "suspension", str(act.pk), TEXT)


def test_whoever_is_behind_the_account_that_suspended_does_not_decide_the_appeal() -> None:
    reviewer = administrator()
    clerk = roles.invite(email="x@casino.example", name="Outra Pessoa", language="pt", roles=[Role.HR], by=reviewer)
    certificate = services.suspend(certificate=make_certificate(), actor=clerk, reason="Faltou.")
    found = contested(certificate)
    assert reviewer not in objections.who_may(found)
    with pytest.raises(Refused):
        objections.decide(found, reviewer, upheld=False, reply=REPLY)


def test_whoever_annulled_the_exam_does_not_decide_the_appeal_against_the_suspension_that_followed() -> None:
    certificate, one, two = make_certificate(), administrator(), administrator()
    assert certificate.result
    annulment.confirm(asked(certificate.result.sitting, by=one), by=two)
    issuance.follow(certificate.result.pk)
    found = contested(certificate)
    for person in (one, two):
        with pytest.raises(Refused):
            objections.decide(found, person, upheld=False, reply=REPLY)
    assert objections.decide(found, administrator(), upheld=False, reply=REPLY).state == "rejected"


def test_whoever_started_or_published_a_regrade_does_not_decide_the_appeal_against_its_result() -> None:
    candidate, one, two = PersonFactory(), administrator(), administrator()
    result = make_result(making.make_version(), candidate, passed=False, score="40.0000")
    regrade = Regrade.objects.create(
        programme=result.programme_version.programme,
        reason=TEXT,
        engine="x",
        state=Regrade.State.PUBLISHED,
        started_by=one,
        started_at=result.computed_at,
        moved_at=result.computed_at,
        settled_by=two,
        settled_at=result.computed_at,
    )
    RegradedSitting.objects.create(regrade=regrade, sitting=result.sitting, before=result, changed=True)
    found = objections.lodge(candidate, "decision", str(result.pk), TEXT)
    assert {one.pk, two.pk} <= set(found.doers)
    for person in (one, two):
        with pytest.raises(Refused):
            objections.decide(found, person, upheld=False, reply=REPLY)


def test_a_line_is_not_lifted_for_somebody_who_is_no_administrator_any_more() -> None:
    one, other = administrator(), administrator()
    why = "Só há dois examinadores na casa."
    wanted = duties.ask(duties.WITHDRAW, by=one, reason=why)
    roles.take(one, Role.ADMINISTRATOR, by=other)
    with pytest.raises(Refused):
        duties.sign(wanted, by=other)
    assert duties.applies(duties.WITHDRAW)


@pytest.mark.parametrize(("late", "fits"), [(10, True), (11, False)])
def test_where_everybody_begins_at_once_nobody_is_done_before_entry_closes(late: int, fits: bool) -> None:
    version = making.make_version(making.make_rules(minutes=10))
    opens = timezone.now() + timedelta(days=1)
    facts: dict[str, Any] = {"version": version, "title": "Exame", "place": "", "opens_at": opens}
    facts |= {"entry_closes_at": opens + timedelta(minutes=late), "common_start": True}
    if fits:
        assert setup.create_session(version.author, **facts).common_start
    else:
        with pytest.raises(Refused):
            setup.create_session(version.author, **facts)


def test_the_trail_of_ones_own_certificate_tells_no_result_before_its_release() -> None:
    holder = PersonFactory(roles=[Role.TRAINEE, Role.ADMINISTRATOR])
    certificate = make_certificate(person=holder)
    assert certificate.result
    again = add_result(certificate.result.sitting, passed=False, score="40.0000", released_at=None)
    for reader, told in ((holder, False), (administrator(), True)):
        shown = browser_of(reader).get(f"/hr/certificates/{certificate.pk}/trail/").context["exams"]
        assert (again.pk in [result.pk for result, _identity in shown]) is told
