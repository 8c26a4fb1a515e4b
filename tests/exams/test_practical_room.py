"""A practical exam at a real table: the sheet, two examiners who mark alone, what differs, and the certificate."""

from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from exams.audit.models import Entry
from exams.certificates import issuance
from exams.invigilation import live
from exams.practical import cues, marking, script
from exams.practical.models import ExamTable, Settlement, Tick
from exams.practical.preparing import fit_setup
from exams.practical.scoring import scenes
from exams.records.models import Session, Sitting
from exams.results import grading
from exams.sittings import sitting
from exams.sittings.sitting import Stale
from rules_engine import play
from tests.exams import certifying, practising
from tests.exams.setting_up import examiner
from tests.factories import PersonFactory
from training.classes.models import Taught
from training.people.models import User
from training.platform.errors import Refused, Unfit

pytestmark = pytest.mark.django_db


@pytest.fixture
def session() -> Session:
    return practising.make_session(practising.make_version(held="table", conduct=10))


@pytest.fixture
def table(session: Session) -> ExamTable:
    return ExamTable.objects.get(candidate__session=session)


def mark(table: ExamTable, who: User, **changes: int) -> None:
    """Tick everything, apart from these."""
    marking.begin(table.pk, by=who, now=timezone.now())
    for number, box in enumerate(marking.listed(table)):
        value = changes.get(box.key.replace(".", "_"), 0 if box.key == "alarms" else 1)
        marking.tick(table.pk, box.key, value, 1, by=who, now=timezone.now())
        assert number < 1000


def in_(table: ExamTable, who: User) -> None:
    marking.hand_in(table.pk, by=who, now=timezone.now())


def test_nobody_begins_the_exam_of_somebody_who_is_sitting_another(table: ExamTable) -> None:
    other = practising.make_session(practising.make_version(), table.candidate.person)
    open_one = practising.begin(other)
    with pytest.raises(Refused, match="está a fazer outro exame"):
        marking.begin(table.pk, by=examiner(), now=timezone.now())
    assert not Sitting.objects.filter(candidate=table.candidate_id).exists()
    Sitting.objects.filter(pk=open_one.pk).update(closed_at=timezone.now())
    marking.begin(table.pk, by=examiner(), now=timezone.now())


def test_the_invigilator_sees_who_has_handed_in_or_how_far_the_table_is(session: Session, table: ExamTable) -> None:
    first = examiner()
    mark(table, first)
    assert [row.table for row in live.rows(session, timezone.now())] == ["entregaram 0 de 2 examinadores"]
    in_(table, first)
    assert live.row(Sitting.objects.get(), timezone.now()).table == "entregaram 1 de 2 examinadores"
    on_screen = practising.make_session(practising.make_version())
    begun = practising.begin(on_screen)
    practising.deal(begun, until=6)
    coups = practising.make_part().coups
    assert live.rows(on_screen, timezone.now())[0].table == f"Golpe 1 de {coups}"


def test_two_who_mark_the_same_settle_it_and_the_exam_is_graded(table: ExamTable) -> None:
    first, second = examiner(), examiner()
    for who in (first, second):
        mark(table, who)
    in_(table, first)
    assert not Settlement.objects.exists()
    in_(table, second)
    assert Settlement.objects.get().how == Settlement.How.SAME
    sat = Sitting.objects.get()
    assert sat.closed_at
    result = grading.grade_sitting(sat.pk)
    assert result is not None and (result.passed, float(result.score)) == (True, 100.0)
    assert Entry.objects.filter(act="practical.settled").count() == 1


def test_it_is_not_graded_before_the_examiners_have_settled(table: ExamTable) -> None:
    first = examiner()
    mark(table, first)
    sat = Sitting.objects.get()
    sitting.close(sat.pk, Sitting.ClosedBy.TIME, actor=None, now=timezone.now())
    assert grading.grade_sitting(sat.pk) is None
    assert not grading.ungraded().exists()


def test_what_differs_counts_once_both_agree(table: ExamTable) -> None:
    first, second = examiner(), examiner()
    mark(table, first)
    mark(table, second, conduct_0=0, alarms=2)
    for who in (first, second):
        in_(table, who)
    assert marking.differences(table) == {"alarms": (0, 2), "conduct.0": (1, 0)}
    now = timezone.now()
    with pytest.raises(Unfit):
        marking.settle(table.pk, {"alarms": 1, "conduct.0": 0}, by=first, reason="", now=now)
    assert marking.settle(table.pk, {"alarms": 2, "conduct.0": 0}, by=first, reason="", now=now) is None
    assert marking.settle(table.pk, {"alarms": 2, "conduct.0": 1}, by=second, reason="", now=now) is None
    made = marking.settle(table.pk, {"alarms": 2, "conduct.0": 0}, by=second, reason="", now=now)
    assert made and (made.how, made.marked["alarms"], made.marked["conduct.0"]) == (Settlement.How.AGREED, 2, 0)
    result = grading.grade_sitting(Sitting.objects.get().pk)
    assert result and 85 < result.score < 95  # 4 points for the alarms and half of 10 for conduct, of 110


def test_a_third_person_decides_with_a_reason(table: ExamTable) -> None:
    first, second, third = examiner(), examiner(), examiner()
    mark(table, first)
    mark(table, second, alarms=1)
    now = timezone.now()
    in_(table, first)
    with pytest.raises(Refused):
        marking.settle(table.pk, {"alarms": 1}, by=third, reason="Vi o vídeo.", now=now)
    in_(table, second)
    with pytest.raises(Unfit):
        marking.settle(table.pk, {"alarms": 1}, by=third, reason=" ", now=now)
    made = marking.settle(table.pk, {"alarms": 1}, by=third, reason="Vi o vídeo.", now=now)
    assert made and (made.how, made.by) == (Settlement.How.THIRD, third)
    with pytest.raises(Refused):
        marking.settle(table.pk, {"alarms": 1}, by=first, reason="", now=now)


def test_whoever_taught_the_candidate_may_not_mark_nor_read(table: ExamTable, client: Client) -> None:
    teacher = examiner()
    Taught.objects.create(trainee=table.candidate.person, teacher=teacher)
    with pytest.raises(Refused):
        marking.begin(table.pk, by=teacher, now=timezone.now())
    client.force_login(teacher)
    for page in ("", "sheet/", "settle/"):
        assert client.get(f"/exams/practical/tables/{table.pk}/{page}").status_code == 404
    assert not Sitting.objects.exists()


def test_there_are_two_examiners_and_no_third(table: ExamTable) -> None:
    for _one in range(2):
        marking.begin(table.pk, by=examiner(), now=timezone.now())
    with pytest.raises(Refused):
        marking.begin(table.pk, by=examiner(), now=timezone.now())


def test_nobody_sees_the_other_marks_before_both_are_in(table: ExamTable, client: Client) -> None:
    first, second = examiner(), examiner()
    mark(table, first)
    marking.begin(table.pk, by=second, now=timezone.now())
    client.force_login(second)
    page = client.get(f"/exams/practical/tables/{table.pk}/").content.decode()
    assert "checked" not in page
    in_(table, first)
    assert client.get(f"/exams/practical/tables/{table.pk}/settle/").status_code == 302


def test_a_tick_is_stored_once_and_a_late_one_is_refused(table: ExamTable) -> None:
    who, now = examiner(), timezone.now()
    marking.begin(table.pk, by=who, now=now)
    for _again in range(2):
        marking.tick(table.pk, "alarms", 3, 5, by=who, now=now)
    with pytest.raises(Stale):
        marking.tick(table.pk, "alarms", 1, 5, by=who, now=now)
    assert list(Tick.objects.values_list("key", "value", "sequence")) == [("alarms", 3, 5)]
    for key, value in (("alarms", 100), ("nothing", 1), ("conduct.0", 2)):
        with pytest.raises(Unfit):
            marking.tick(table.pk, key, value, 9, by=who, now=now)
    in_(table, who)
    with pytest.raises(Refused):
        marking.tick(table.pk, "alarms", 4, 6, by=who, now=now)


def test_the_candidate_cannot_begin_or_end_it(session: Session, table: ExamTable, client: Client) -> None:
    candidate = session.candidates.get()
    with pytest.raises(Refused):
        sitting.begin(candidate, session.access_code, device="x", now=timezone.now())
    marking.begin(table.pk, by=examiner(), now=timezone.now())
    sat = Sitting.objects.get()
    client.force_login(candidate.person)
    for page in ("", "hand-in/"):
        client.get(f"/exams/sittings/{sat.pk}/{page}")
    client.post(f"/exams/sittings/{sat.pk}/here/", {"code": session.access_code})
    client.post(f"/exams/sittings/{sat.pk}/hand-in/")
    sat.refresh_from_db()
    assert (sat.closed_at, sat.device) == (None, "")


@pytest.mark.parametrize("book", ["pt-chemin-de-fer", "pt-roleta-francesa", "pt-black-jack"])
def test_the_script_is_what_the_engine_deals(book: str) -> None:
    """The stacked shoe gives, card by card, what a dealer who does everything right draws; each fault is named."""
    topic, kinds = sorted(practising.kinds_of(book).items())[0]
    fault = practising.FaultLine(topic=topic, kinds=kinds, count=1)
    part = practising.make_part(rulebook=book, table=practising.rulebook(book).table, coups=4, faults=(fault,))
    setup = fit_setup(part)
    written = script.written(setup)
    assert sum(bool(scene.kind) for scene in written) == 1
    state, _events = play.begin(setup)
    drawn = list(state.moment.draws)
    while not state.over:
        before = (state.coup, state.at)
        state, _events = play.act(state, script.faultless(state))
        if not state.over and (state.coup, state.at) != before:
            drawn += state.moment.draws
    assert sum(len(shoe) for shoe in cues.stack(written)) == len(drawn)
    words = cues.coups(written, play.book_of(setup), "pt")
    assert len(words) == 4 and sum(bool(coup.fault) for coup in words) == 1


def test_the_sheet_is_a_pdf(table: ExamTable, client: Client) -> None:
    client.force_login(examiner())
    response = client.get(f"/exams/practical/tables/{table.pk}/sheet/")
    assert (response.status_code, response.content[:5]) == (200, b"%PDF-")


def test_pages_from_the_session_to_the_certificate(client: Client) -> None:
    """Begin, tick, hand in, disagree, settle, and the certificate follows from theory and practice."""
    version = practising.make_version(held="table", conduct=10)
    person = PersonFactory()
    theory = certifying.make_result(version, person)
    session = practising.make_session(version, person)
    table = ExamTable.objects.get(candidate__session=session)
    first, second = examiner(), examiner()
    address = f"/exams/practical/tables/{table.pk}/"
    for who in (first, second):
        client.force_login(who)
        assert client.get(f"/exams/practical/sessions/{session.pk}/").status_code == 200
        client.post(f"{address}begin/")
        for box in marking.listed(table):
            value = {"alarms": int(who == second)}.get(box.key, 1)
            told = client.post(f"{address}tick/", {"key": box.key, "value": value, "sequence": 1})
            assert told.status_code == 200
        if who == first:
            practising.identify(Sitting.objects.get(candidate=table.candidate_id))
        client.post(f"{address}hand-in/")
    for who in (second, first):
        client.force_login(who)
        assert "alarms" in client.get(f"{address}settle/").content.decode()
        client.post(f"{address}settle/", {"c.alarms": "1"})
    sat = Sitting.objects.get(candidate=table.candidate_id)
    practice = grading.grade_sitting(sat.pk)
    assert practice and practice.passed
    made: Any = issuance.follow(practice.pk)
    assert (made.result, made.practice) == (theory, practice)
    assert scenes(table)
