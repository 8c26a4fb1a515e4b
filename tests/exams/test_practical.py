"""A practical exam on screen: equal tables, sat like any exam, graded from the stored acts, and the certificate."""

from datetime import timedelta
from typing import Any

import pytest
from django.db import DatabaseError, transaction
from django.test import Client
from django.utils import timezone, translation

from exams.appeals import objections
from exams.certificates import both_parts, issuance
from exams.certificates.models import Certificate
from exams.practical import dealing, scoring
from exams.practical.models import ExamTable
from exams.practical.preparing import fit_setup
from exams.practical.script import faultless
from exams.records.models import Session, Sitting
from exams.regrading import services as regrading
from exams.results import grading
from exams.results.models import Result
from exams.sittings import sitting
from exams.sittings.sitting import Elsewhere, Over
from rules_engine import encode, play
from rules_engine.live.dealers import dutiful
from tests.exams import certifying, making, practising
from tests.exams.practising import DEVICE
from tests.factories import PersonFactory
from training.people.models import Role, User
from training.platform.errors import Refused

pytestmark = pytest.mark.django_db


def graded(begun: Sitting) -> Result:
    sitting.hand_in(Sitting.objects.get(pk=begun.pk), device=DEVICE, now=timezone.now())
    result = grading.grade_sitting(begun.pk)
    assert result is not None
    return result


@pytest.mark.parametrize("book", ["pt-chemin-de-fer", "pt-roleta-francesa", "pt-black-jack"])
def test_every_candidate_meets_as_many_faults_of_the_same_kinds(book: str) -> None:
    part = practising.make_part(rulebook=book, table=practising.rulebook(book).table, coups=8, faults=lines(book))
    for setup_ in (fit_setup(part), fit_setup(part)):
        for dealer in (faultless, dutiful):
            state, _events = play.begin(setup_)
            while not state.over:
                state, _events = play.act(state, dealer(state))
            met = [trial.kind for trial in state.trials if trial.kind]
            assert len(met) == part.count
            assert sum(kind in part.faults[0].kinds for kind in met) == part.faults[0].count


def lines(book: str) -> tuple[Any, ...]:
    topic, kinds = sorted(practising.kinds_of(book).items())[0]
    return (practising.FaultLine(topic=topic, kinds=kinds, count=2),)


def test_a_candidate_who_does_everything_right_passes_with_all_points() -> None:
    begun = practising.begin(practising.make_session(practising.make_version()))
    table = practising.deal(begun)
    assert table.ended_at
    result = graded(begun)
    assert (result.passed, float(result.score)) == (True, 100.0)
    assert [one["key"] for one in result.outcome["sections"]] == [
        "practice:noticed",
        "practice:ruled",
        "practice:calls",
        "practice:payments",
    ]


def test_a_missed_critical_fault_fails_the_exam() -> None:
    begun = practising.begin(practising.make_session(practising.make_version()))
    practising.deal(begun, stops=False)
    result = graded(begun)
    assert not result.passed
    assert [(one["kind"], one["value"]) for one in result.outcome["reasons"]][-1] == ("critical", "1")


def test_what_was_not_reached_counts_as_missed() -> None:
    begun = practising.begin(practising.make_session(practising.make_version()))
    practising.deal(begun, until=3)
    result = graded(begun)
    assert (result.passed, result.score) == (False, 0)


def test_the_result_comes_from_the_stored_acts() -> None:
    begun = practising.begin(practising.make_session(practising.make_version()))
    table = practising.deal(begun)
    last = [
        after for _before, after in scoring.steps(table.engine_setup, table.acts.values_list("document", flat=True))
    ]
    assert encode(last[-1]).decode() == table.state
    ExamTable.objects.filter(pk=table.pk).update(state=encode(last[0]).decode())
    sitting.hand_in(Sitting.objects.get(pk=begun.pk), device=DEVICE, now=timezone.now())
    assert grading.grade_sitting(begun.pk) is None  # somebody changed the state: it is not graded


def test_another_browser_and_a_late_act_are_refused() -> None:
    begun = practising.begin(practising.make_session(practising.make_version()))
    carry_on = {"type": "carry_on"}
    with pytest.raises(Elsewhere):
        dealing.act(begun, 1, carry_on, device="another", now=timezone.now())
    with pytest.raises(Over):
        dealing.act(begun, 1, carry_on, device=DEVICE, now=timezone.now() + timedelta(hours=1))
    assert not ExamTable.objects.get().acts.exists()


def test_the_time_is_that_of_the_practical_part() -> None:
    begun = practising.begin(practising.make_session(practising.make_version(minutes=25)))
    assert begun.deadline_at - begun.started_at == timedelta(minutes=25)


def test_the_page_shows_the_table_and_no_debrief(client: Client) -> None:
    session = practising.make_session(practising.make_version())
    person = session.candidates.get().person
    client.force_login(person)
    entered = client.post(f"/exams/enter/{session.candidates.get().pk}/", {"code": session.access_code}, follow=True)
    begun = Sitting.objects.get()
    assert entered.redirect_chain[-1][0] == f"/exams/practical/sittings/{begun.pk}/"
    shown = entered.content.decode()
    assert "data-live" in shown and "data-clock" in shown
    table = ExamTable.objects.get()
    assert (
        table.engine_setup.seed not in shown
        and table.engine_setup.plan[0].kinds[0] not in shown.split("data-claim-form")[0]
    )
    sent = {"number": 1, "act": {"type": "carry_on"}}
    address = f"/exams/practical/sittings/{begun.pk}/act/"
    answered = client.post(address, sent, content_type="application/json")
    assert answered.status_code == 200 and answered.json()["number"] == 2
    assert client.get(f"/live-table/{table.pk}/debrief/").status_code in (302, 404)
    other = Client()
    other.force_login(PersonFactory())
    assert other.post(address, sent, content_type="application/json").status_code == 404


def test_a_programme_without_a_practical_part_has_no_practical_session() -> None:
    with pytest.raises(Refused, match="não tem exame prático"):
        practising.make_session(making.make_version())


# ---- both parts


@pytest.fixture
def both() -> tuple[Result, Any]:
    """A passed theory result of a programme with a practical part, and its person."""
    version = practising.make_version(order="theory_first", within_days=30)
    person = PersonFactory()
    return certifying.make_result(version, person), person


def practised(theory: Result, person: User) -> Result:
    begun = practising.begin(practising.make_session(theory.programme_version, person))
    practising.deal(begun)
    return graded(begun)


def test_no_certificate_without_the_practical_exam(both: tuple[Result, User]) -> None:
    theory, _person = both
    hr = PersonFactory(roles=[Role.HR])
    assert issuance.follow(theory.pk) is None
    assert not issuance.waiting().exists()
    with pytest.raises(both_parts.PracticeMissing):
        issuance.issue(result=theory, actor=hr, reason="x")
    with pytest.raises(both_parts.PracticeMissing):
        issuance.grant(theory, hr, "x")
    with pytest.raises(DatabaseError), transaction.atomic():
        certificate_row(theory)
    assert not Certificate.objects.exists()


def test_the_practical_exam_of_another_programme_gives_no_certificate(both: tuple[Result, User]) -> None:
    theory, person = both
    other = certifying.make_result(practising.make_version(), person)
    as_practice(other)
    assert both_parts.practice_for(theory) is None
    with pytest.raises(DatabaseError, match="requires the practical exam"), transaction.atomic():
        certificate_row(theory, practice=other)


def certificate_row(theory: Result, **more: Any) -> Certificate:
    return issuance.create(
        None,
        "",
        programme_version=theory.programme_version,
        language="pt",
        holder=theory.sitting.candidate.person,
        holder_name=theory.sitting.candidate.name,
        result=theory,
        scope=["pt-chemin-de-fer"],
        valid_from=timezone.localdate(),
        valid_until=timezone.localdate(),
        **more,
    )


def test_both_parts_give_a_certificate_that_shows_both(both: tuple[Result, User], client: Client) -> None:
    theory, person = both
    practice = practised(theory, person)
    made = issuance.follow(practice.pk)
    assert made is not None
    assert (made.result, made.practice) == (theory, practice)
    shown = client.get(f"/c/{made.code}", follow=True).content.decode()
    assert "Exame prático" in shown or "Practical exam" in shown
    assert issuance.follow(practice.pk) is None


def test_a_practical_exam_alone_gives_nothing() -> None:
    begun = practising.begin(practising.make_session(practising.make_version()))
    practising.deal(begun)
    practice = graded(begun)
    assert issuance.follow(practice.pk) is None
    with pytest.raises(Refused):
        issuance.issue(result=practice, actor=PersonFactory(roles=[Role.HR]), reason="x")


@pytest.mark.parametrize(("days", "given"), [(30, True), (31, False)])
def test_both_must_be_sat_within_the_days_of_the_programme(days: int, given: bool) -> None:
    version, person = practising.make_version(order="theory_first", within_days=30), PersonFactory()
    noon = (timezone.now() - timedelta(days=1)).replace(hour=12)  # days are counted by the house's clock
    theory = certifying.make_result(version, person, decided_at=noon - timedelta(days=days))
    as_practice(certifying.make_result(version, person, decided_at=noon))
    assert (both_parts.practice_for(theory) is not None) is given


def as_practice(result: Result) -> None:
    Session.objects.filter(pk=result.sitting.candidate.session_id).update(part=Session.Part.PRACTICE)


def test_the_order_of_the_programme_counts() -> None:
    version, person = practising.make_version(order="practice_first"), PersonFactory()
    theory = certifying.make_result(version, person, decided_at=timezone.now() - timedelta(days=3))
    as_practice(certifying.make_result(version, person))
    assert both_parts.practice_for(theory) is None


def test_failing_the_practical_exam_afterwards_suspends_the_certificate(both: tuple[Result, User]) -> None:
    theory, person = both
    practice = practised(theory, person)
    made = issuance.follow(practice.pk)
    assert made is not None
    worse = certifying.add_result(practice.sitting, passed=False, decided_at=timezone.now(), released_at=timezone.now())
    issuance.follow(worse.pk)
    made.refresh_from_db()
    assert made.state == Certificate.State.SUSPENDED


def test_a_practical_result_is_contested_as_a_whole_and_a_regrade_says_so(client: Client) -> None:
    begun = practising.begin(practising.make_session(practising.make_version(), PersonFactory()))
    practising.deal(begun, stops=False)
    result = graded(begun)
    Result.objects.filter(pk=result.pk).update(passed=False, decided_at=timezone.now(), released_at=timezone.now())
    holder = begun.candidate.person
    client.force_login(holder)
    page = client.get(f"/results/{begun.pk}/").content.decode()
    assert "/appeals/objections/own/" in page and 'id="items-title"' not in page
    [one] = objections.contestable(holder, timezone.now())
    assert (one.kind, one.key) == ("decision", str(result.pk))
    found = objections.lodge(holder, one.kind, one.key, "A bola ainda rolava quando parei o jogo.")
    examiner = begun.candidate.session.created_by
    assert objections.why_not(examiner, found)
    chief = PersonFactory(roles=[Role.ADMINISTRATOR], language="en")
    with translation.override("en"), pytest.raises(Refused, match="appeals against its result"):
        regrading.start(chief, result.programme_version.programme, "O artigo foi corrigido.")
