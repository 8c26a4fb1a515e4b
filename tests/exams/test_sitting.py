"""A sitting by its services: the code, one at a time, saving, other browsers, the end."""

from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.utils import timezone, translation

from exams.audit.models import Entry
from exams.audit.services import verify
from exams.records.models import Candidate, Event, FormItem, Response, Session, Sitting
from exams.sittings import hooks, sitting
from exams.sittings.events import AT_ONCE, MOST, BrowserEvent
from exams.sittings.sitting import Change, Elsewhere, Over, Saved, Stale
from rules_engine.errors import EngineError
from tests.exams import making
from training.platform.errors import Refused

pytestmark = pytest.mark.django_db
CODE = "SABOT-7"
SECOND = timedelta(seconds=1)


@pytest.fixture(autouse=True)
def _english() -> Iterator[None]:
    with translation.override("en"):
        yield


@pytest.fixture
def session() -> Session:
    return making.make_session()


@pytest.fixture
def candidate(session: Session) -> Candidate:
    return making.enter(session)


@pytest.fixture
def now() -> datetime:
    return timezone.now()


def begin(candidate: Candidate, now: datetime, code: str = CODE, device: str = "one") -> Sitting:
    return sitting.begin(candidate, code, device=device, now=now)


def words(**parts: str) -> dict[str, str]:
    return {"announcement": "Igualdade a 6"} | parts


def save(found: Sitting, now: datetime, *, position: int = 1, device: str = "one", **change: Any) -> Saved:
    change = {"parts": words()} | change
    return sitting.save_answer(found, position, Change(**change), device=device, now=now)


def kinds(found: Sitting) -> list[str]:
    return list(found.events.values_list("kind", flat=True))


# ---------- beginning ----------


def test_the_right_code_starts_the_clock_once(candidate: Candidate, now: datetime) -> None:
    found = begin(candidate, now)
    assert (found.started_at, found.deadline_at) == (now, now + timedelta(minutes=30))
    again = begin(candidate, now + timedelta(minutes=5), device="two")
    assert (again.pk, again.started_at) == (found.pk, now)
    assert kinds(found) == ["started"]
    entry = Entry.objects.get(act="sitting.begun")
    assert (entry.actor_id, entry.subject) == (candidate.person_id, f"sitting:{found.pk}")


def test_granted_time_is_added_to_the_programme_s(session: Session, now: datetime) -> None:
    candidate = making.enter(session, extra_minutes=10)
    assert begin(candidate, now).deadline_at == now + timedelta(minutes=40)


@pytest.mark.parametrize("code", [CODE, "sabot-7", " sabot 7 ", "SABOT7"])
def test_a_code_is_taken_as_it_was_meant(candidate: Candidate, now: datetime, code: str) -> None:
    assert begin(candidate, now, code)


def test_wrong_codes_are_counted_and_after_ten_only_the_invigilator_helps(candidate: Candidate, now: datetime) -> None:
    for number in range(1, sitting.CODE_TRIES + 1):
        with pytest.raises(Refused, match="not the access code"):
            begin(candidate, now, "SABOT-8")
        candidate.refresh_from_db()
        assert candidate.wrong_codes == number
    with pytest.raises(Refused, match="invigilator"):
        begin(candidate, now)
    assert not Sitting.objects.exists()


def test_nine_wrong_codes_leave_one_try(candidate: Candidate, now: datetime) -> None:
    Candidate.objects.update(wrong_codes=sitting.CODE_TRIES - 1)
    assert begin(candidate, now)


@pytest.mark.parametrize(
    ("moment", "told"),
    [
        (-SECOND, "not open yet"),
        (timedelta(), ""),
        (timedelta(hours=1) - SECOND, ""),
        (timedelta(hours=1), "too late"),
    ],
)
def test_one_begins_only_while_entry_is_open(now: datetime, moment: timedelta, told: str) -> None:
    session = making.make_session(opens_at=now, entry_closes_at=now + timedelta(hours=1))
    candidate = making.enter(session)
    if not told:
        assert begin(candidate, now + moment)
        return
    with pytest.raises(Refused, match=told):
        begin(candidate, now + moment)
    assert not Sitting.objects.exists()


@pytest.mark.parametrize("state", [Session.State.DRAFT, Session.State.PREPARING, Session.State.CANCELLED])
def test_nobody_begins_what_is_not_ready(candidate: Candidate, now: datetime, state: str) -> None:
    Session.objects.update(state=state)
    with pytest.raises(Refused, match=r"This exam is not ready|This exam was cancelled\."):
        begin(candidate, now)


def test_one_sitting_at_a_time_also_before_anybody_closed_the_other(candidate: Candidate, now: datetime) -> None:
    first = begin(candidate, now)
    other = making.enter(making.make_session(), candidate.person)
    with pytest.raises(Refused, match="another exam"):
        begin(other, first.deadline_at - SECOND)
    assert begin(other, first.deadline_at)


def test_starting_makes_nothing(candidate: Candidate, now: datetime, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("generate", "scenario_of"):
        monkeypatch.setattr(f"rules_engine.{name}", None)
    before = FormItem.objects.count()
    begin(candidate, now)
    assert FormItem.objects.count() == before


# ---------- saving ----------


def test_a_change_is_stored_and_replaces_the_one_before(candidate: Candidate, now: datetime) -> None:
    found = begin(candidate, now)
    save(found, now, sequence=1)
    stored = save(found, now + SECOND, sequence=2, parts={"announcement": "Sete", "winner": ""}, marked=True)
    response = Response.objects.get()
    assert response.answer == {"parts": {"announcement": "Sete"}}
    assert (response.sequence, response.marked, response.saved_at) == (2, True, now + SECOND)
    assert stored.sequence == 2
    found.refresh_from_db()
    assert (found.last_seen_at, found.position) == (now + SECOND, 1)


def test_an_older_change_is_ignored_and_told_the_newer_number(candidate: Candidate, now: datetime) -> None:
    found = begin(candidate, now)
    save(found, now, sequence=5)
    for late in (4, 5):
        with pytest.raises(Stale) as told:
            save(found, now, sequence=late, parts=words(announcement="antigo"))
        assert told.value.sequence == 5
    assert Response.objects.get().answer == {"parts": words()}


def test_the_same_change_sent_again_is_acknowledged_again(candidate: Candidate, now: datetime) -> None:
    found = begin(candidate, now)
    first = save(found, now, sequence=3)
    again = save(found, now + SECOND, sequence=3)
    assert (again.sequence, again.saved_at) == (first.sequence, first.saved_at)


def test_a_plain_form_is_always_the_newest(candidate: Candidate, now: datetime) -> None:
    found = begin(candidate, now)
    save(found, now, sequence=7)
    assert save(found, now, parts=words(announcement="Oito")).sequence == 8


def test_what_is_no_answer_is_refused_and_nothing_changes(candidate: Candidate, now: datetime) -> None:
    found = begin(candidate, now)
    save(found, now, sequence=1)
    asked = FormItem.objects.get(form__candidate=candidate, position=1).item.scenario.questions
    choice = next(question.key for question in asked if question.kind == "choice")
    unfit: list[tuple[dict[str, str], str]] = [
        ({"no_such_question": "1"}, "there is no such question"),
        ({"ponto_score": "1"}, "there is no such question"),
        ({choice: "dealer"}, "'dealer' is not one of"),
        ({"announcement": "x" * 301}, "longer than 300 characters"),
    ]
    for parts, reason in unfit:
        (key,) = parts
        with pytest.raises(EngineError, match=rf"answer\.{key}: {reason}"):
            save(found, now, sequence=2, parts=parts)
    assert Response.objects.get().sequence == 1


def test_only_items_of_the_own_form_can_be_answered(candidate: Candidate, now: datetime) -> None:
    found = begin(candidate, now)
    for position in (0, 6):
        with pytest.raises(FormItem.DoesNotExist, match=r"FormItem matching query does not exist\."):
            save(found, now, position=position)


def test_time_on_a_page_is_believed_as_far_as_it_can_be_true(candidate: Candidate, now: datetime) -> None:
    found = begin(candidate, now)
    kept = []
    for sequence, (passed, told) in enumerate([(40, 30), (41, 9), (50, 9999)], 1):
        save(found, now + timedelta(seconds=passed), sequence=sequence, seconds=told)
        kept.append(Response.objects.get().seconds)
    assert kept == [30, 30, 50]


def test_a_save_takes_few_queries_and_never_the_lock_of_the_log(
    candidate: Candidate, now: datetime, django_assert_max_num_queries: Any
) -> None:
    found = begin(candidate, now)
    entries = Entry.objects.count()
    for sequence in (1, 2):
        with django_assert_max_num_queries(5) as queries:  # two of them begin and end the transaction
            save(found, now, sequence=sequence)
    assert not [query["sql"] for query in queries.captured_queries if "audit_" in query["sql"]]
    assert Entry.objects.count() == entries


# ---------- the deadline ----------


def test_the_last_second_counts_and_the_deadline_does_not(candidate: Candidate, now: datetime) -> None:
    found = begin(candidate, now)
    save(found, found.deadline_at - SECOND, sequence=1)
    save(found, found.deadline_at - timedelta(microseconds=1), sequence=2)
    with pytest.raises(Over):
        save(found, found.deadline_at, sequence=3, parts=words(announcement="tarde"))
    assert Response.objects.get().sequence == 2
    found.refresh_from_db()
    assert (found.closed_at, found.closed_by) == (found.deadline_at, "time")
    assert kinds(found) == ["started", "closed", "late"]
    with pytest.raises(Over):
        save(found, found.deadline_at + SECOND, sequence=4)
    assert kinds(found).count("late") == 1


def test_a_clock_set_back_does_not_open_what_was_seen_later(candidate: Candidate, now: datetime) -> None:
    found = begin(candidate, now)
    save(found, found.deadline_at - SECOND, sequence=1)
    found.refresh_from_db()
    assert save(found, now, sequence=2).saved_at == found.deadline_at - SECOND


def test_the_queue_closes_what_is_due_at_its_deadline_and_nothing_else(
    session: Session, now: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    heard: list[object] = []
    monkeypatch.setattr(hooks.sitting_closed, "subscribers", [heard.append])
    first = begin(making.enter(session), now)
    second = begin(making.enter(session), now + SECOND)
    assert sitting.close_due(first.deadline_at - SECOND) == 0
    assert sitting.close_due(first.deadline_at) == 1
    assert sitting.close_due(first.deadline_at) == 0
    first.refresh_from_db()
    second.refresh_from_db()
    assert (first.closed_at, first.closed_by, second.closed_at) == (first.deadline_at, "time", None)
    assert sitting.close_due(now + timedelta(days=1)) == 1  # however late, the deadline is what counts
    second.refresh_from_db()
    assert second.closed_at == second.deadline_at
    assert heard == [first.pk, second.pk]
    assert Entry.objects.filter(act="sitting.closed", actor=None).count() == 2
    assert list(verify()) == []


def test_one_that_cannot_be_closed_keeps_no_other_open(
    session: Session, now: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    stuck, other = (begin(making.enter(session), now) for _ in range(2))

    def fail(sitting_id: object) -> None:
        if sitting_id == stuck.pk:
            raise RuntimeError("a subscriber fails")

    monkeypatch.setattr(hooks.sitting_closed, "subscribers", [fail])
    sitting.close_due(stuck.deadline_at)
    stuck.refresh_from_db()
    other.refresh_from_db()
    assert (stuck.closed_at, other.closed_at) == (None, other.deadline_at)


# ---------- browsers ----------


def test_another_browser_asks_and_goes_on_with_the_code_and_the_first_is_told(
    candidate: Candidate, now: datetime
) -> None:
    found = begin(candidate, now)
    save(found, now, sequence=1)
    for _visit in range(2):
        with pytest.raises(Elsewhere):
            sitting.arrive(found, 2, device="two", now=now + SECOND)
    save(found, now + SECOND, sequence=2)  # so far the first one holds it
    sitting.take_over(found, "sabot 7", device="two", now=now + SECOND)
    with pytest.raises(Elsewhere):
        save(found, now + SECOND, sequence=3)
    with pytest.raises(Elsewhere):
        sitting.pulse(found, [], device="one", now=now + SECOND)
    save(found, now + SECOND, position=2, device="two", parts={}, sequence=1)
    assert kinds(found) == ["started", "asked", "device"]
    assert Response.objects.get(form_item__position=1).answer == {"parts": words()}


def test_another_browser_does_not_go_on_with_a_wrong_code_nor_try_them_all(candidate: Candidate, now: datetime) -> None:
    found = begin(candidate, now)
    for _try in range(sitting.CODE_TRIES):
        with pytest.raises(sitting.WrongCode, match="not the access code"):
            sitting.take_over(found, "SABOT-8", device="two", now=now)
    with pytest.raises(sitting.WrongCode, match="Too many wrong codes"):
        sitting.take_over(found, "SABOT-7", device="two", now=now)
    save(found, now, sequence=1)  # the first one goes on undisturbed
    assert kinds(found) == ["started"]


def test_the_same_browser_after_a_break_is_a_break_and_no_other_device(candidate: Candidate, now: datetime) -> None:
    found = begin(candidate, now)
    sitting.arrive(found, 2, device="one", now=now + sitting.BREAK)
    assert kinds(found) == ["started"]
    sitting.arrive(found, 3, device="one", now=now + 2 * sitting.BREAK + SECOND)
    assert kinds(found) == ["started", "resumed"]
    found.refresh_from_db()
    assert found.position == 3


def test_nothing_is_taken_over_after_the_end(candidate: Candidate, now: datetime) -> None:
    found = begin(candidate, now)
    with pytest.raises(Over):
        sitting.arrive(found, 1, device="two", now=found.deadline_at)
    with pytest.raises(Over):
        sitting.take_over(found, "SABOT-7", device="two", now=found.deadline_at)


def test_what_a_browser_tells_is_kept_by_the_server_s_clock(candidate: Candidate, now: datetime) -> None:
    found = begin(candidate, now)
    at = now + timedelta(seconds=60)
    told = [
        BrowserEvent("offline", 20),
        BrowserEvent("blurred", 9999),
        BrowserEvent("online", -5),
        BrowserEvent("closed", 0),
        BrowserEvent("note", 0),
    ]
    sitting.pulse(found, told, device="one", now=at)
    noted = dict(found.events.exclude(kind=Event.Kind.STARTED).values_list("kind", "at"))
    assert noted == {"offline": at - timedelta(seconds=20), "blurred": now, "online": at}


def test_nobody_fills_the_log(candidate: Candidate, now: datetime) -> None:
    found = begin(candidate, now)
    sitting.pulse(found, [BrowserEvent("blurred", 0)] * (AT_ONCE + 10), device="one", now=now)
    assert found.events.count() == 1 + AT_ONCE
    Event.objects.bulk_create(Event(sitting=found, kind="focused", at=now) for _ in range(MOST))
    sitting.pulse(found, [BrowserEvent("blurred", 0)], device="one", now=now)
    assert found.events.count() == 1 + AT_ONCE + MOST


# ---------- handing in ----------


def test_handing_in_closes_for_good(candidate: Candidate, now: datetime) -> None:
    found = begin(candidate, now)
    save(found, now, sequence=1)
    closed = sitting.hand_in(found, device="one", now=now + timedelta(minutes=3))
    assert (closed.closed_at, closed.closed_by) == (now + timedelta(minutes=3), "candidate")
    with pytest.raises(Over):
        save(closed, now + timedelta(minutes=4), sequence=2)
    assert sitting.hand_in(closed, device="one", now=now + timedelta(minutes=5)).closed_at == closed.closed_at
    entry = Entry.objects.get(act="sitting.closed")
    assert (entry.actor_id, entry.details["by"]) == (candidate.person_id, "candidate")


def test_only_the_browser_that_holds_it_hands_in(candidate: Candidate, now: datetime) -> None:
    found = begin(candidate, now)
    with pytest.raises(Elsewhere):
        sitting.hand_in(found, device="two", now=now)


def test_handing_in_too_late_was_closed_by_the_time(candidate: Candidate, now: datetime) -> None:
    found = begin(candidate, now)
    closed = sitting.hand_in(found, device="one", now=found.deadline_at + SECOND)
    assert (closed.closed_at, closed.closed_by) == (found.deadline_at, "time")


def test_no_answer_and_no_code_in_the_audit_log(candidate: Candidate, now: datetime) -> None:
    found = begin(candidate, now)
    save(found, now, sequence=1)
    sitting.hand_in(found, device="one", now=now + SECOND)
    told = str(list(Entry.objects.values_list("details", flat=True)))
    assert CODE not in told
    assert "Igualdade" not in told
    assert candidate.person.name not in told
