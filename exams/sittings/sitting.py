"""A sitting from access code to closing: begin, save, change browser, hand in, close on time.

The server's clock decides, always through `timing`. A sitting is over at its deadline even before anything has noticed;
whatever notices first (a page or the queue) closes it, with the deadline as its end.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from uuid import UUID

import structlog
from django.db import transaction
from django.utils.crypto import constant_time_compare
from django.utils.translation import gettext as _

import rules_engine
from exams.audit.services import record
from exams.programmes import law
from exams.records.entry import why_refused
from exams.records.models import Candidate, Event, FormItem, Response, Session, Sitting
from exams.sittings import hooks, timing
from exams.sittings.events import BrowserEvent, note_asked, note_browser_events, note_event, note_late
from exams.sittings.timing import Entry
from training.people.models import User
from training.platform.errors import Refused

log = structlog.get_logger(__name__)

CODE_TRIES = 10
BREAK = timedelta(minutes=1)  # returning after an absence longer than this is logged
CLOSE_AT_ONCE = 500


class Over(Refused):
    """The sitting is closed, or its time has run out."""

    status = 410
    code = "over"


class Elsewhere(Refused):
    """Another browser holds the sitting."""

    code = "elsewhere"


class WrongCode(Refused):
    """The access code is wrong, or too many wrong ones were entered."""

    status = 422
    code = "code"


class Stale(Refused):
    """A newer change to the same item is already stored; `sequence` is its number."""

    code = "stale"

    def __init__(self, sequence: int) -> None:
        super().__init__(str(sequence))
        self.sequence = sequence


@dataclass(frozen=True)
class Change:
    """A change to one item, as sent by a browser. Without `sequence` it counts as the newest."""

    parts: Mapping[str, str] = field(default_factory=dict)
    marked: bool = False
    sequence: int | None = None
    seconds: int = 0


@dataclass(frozen=True)
class Saved:
    """The acknowledgement of a change."""

    sequence: int
    saved_at: datetime


# ---------- beginning ----------


def begin(candidate: Candidate, code: str, *, device: str, now: datetime) -> Sitting:
    """Start the sitting, or return the existing one. Raises Refused if the candidate may not begin."""
    with transaction.atomic():
        # Lock the person, so that codes are tried one at a time and two sittings cannot begin at once.
        person = User.objects.select_for_update(no_key=True).get(pk=candidate.person_id)
        if not person.is_active:  # closed by a concurrent request
            raise Refused(_("The account is closed."))
        candidate = Candidate.objects.select_related("session__programme_version", "sitting").get(pk=candidate.pk)
        sitting: Sitting | None = getattr(candidate, "sitting", None)
        refusal = None if sitting else _refusal(candidate, code, now)
        if not sitting and not refusal:
            sitting = _start(candidate, device, now)
    if refusal or not sitting:
        raise Refused(refusal or "")
    return sitting


def why_not_now(session: Session, now: datetime) -> str:
    """Why nobody may begin this session now, or ""."""
    if session.state == Session.State.CANCELLED:
        return _("This exam was cancelled.")
    if session.state != Session.State.READY:
        return _("This exam is not ready yet.")
    return {
        Entry.EARLY: _("This exam is not open yet."),
        Entry.OPEN: law.why_not_begun(session.programme_version.rules, now),
        Entry.OVER: _("It is too late to begin this exam."),
    }[timing.entry(session, now)]


def _refusal(candidate: Candidate, code: str, now: datetime) -> str:
    if reason := why_not_now(candidate.session, now):
        return reason
    if candidate.session.is_practical and candidate.session.programme_version.rules.in_room:
        return _("Your examiners begin this exam with you at the table.")
    if reason := why_kept_out(candidate):
        return reason
    if reason := _wrong_code(candidate, code):
        return reason
    if sits_another(candidate, now):
        return _("You are sitting another exam. Hand that one in first.")
    return ""


def why_kept_out(candidate: Candidate) -> str:
    """Why the candidate was refused entry, or ""."""
    reason = why_refused(candidate.session_id, candidate.person_id)
    return _("The invigilator has refused you entry: %(reason)s") % {"reason": reason} if reason else ""


def sits_another(candidate: Candidate, now: datetime) -> bool:
    """Whether the person has an exam open. Needs the lock of the person."""
    return Sitting.objects.filter(candidate__person=candidate.person_id, closed_at=None, deadline_at__gt=now).exists()


def _wrong_code(candidate: Candidate, code: str) -> str:
    """Why this code is refused, or "". Counts wrong codes."""
    if candidate.wrong_codes >= CODE_TRIES:
        return _("Too many wrong codes were entered. Ask the invigilator.")
    if constant_time_compare(_plain(code), _plain(candidate.session.access_code)):
        return ""
    candidate.wrong_codes += 1
    candidate.save(update_fields=["wrong_codes"])
    return _("This is not the access code of this exam.")


def _plain(code: str) -> str:
    """Normalises a code: spaces, punctuation and case do not matter."""
    return "".join(sign for sign in code.upper() if sign.isalnum())


def start_in_room(candidate: Candidate, *, by: User, now: datetime) -> Sitting:
    """Start a practical exam at a real table, for its examiner. Needs the lock of the person."""
    return _start(candidate, "", now, by=by)


def _start(candidate: Candidate, device: str, now: datetime, *, by: User | None = None) -> Sitting:
    rules = candidate.session.programme_version.rules
    sitting = Sitting.objects.create(
        candidate=candidate,
        name=candidate.name or candidate.person.name,
        started_at=now,
        deadline_at=timing.deadline(now, rules.minutes_of(candidate.session.part), extra=candidate.extra_minutes),
        device=device,
        last_seen_at=now,
    )
    note_event(sitting, Event.Kind.STARTED, at=now, by=by)
    record(by or candidate.person, "sitting.begun", f"sitting:{sitting.pk}", session=candidate.session_id)
    return sitting


# ---------- at work ----------


def arrive(sitting: Sitting, position: int, *, device: str, now: datetime) -> None:
    """Record that a page was opened and make its browser the sitting's. Raises Elsewhere if another browser has it
    (until `take_over`), or Over."""
    with transaction.atomic():
        held, at = _held(sitting, now)
        mine = held.device in ("", device)
        if mine:
            _go_on(held, position, device=device, at=at)
        else:
            note_asked(held, now=at)
    if not mine:
        raise Elsewhere


def is_here(sitting: Sitting, device: str, now: datetime) -> bool:
    """Whether the sitting is open in this browser."""
    return timing.is_open(sitting, now) and sitting.device == device


def ask(sitting: Sitting, *, now: datetime) -> None:
    """Log that another browser wants to continue, so the invigilator sees it."""
    with transaction.atomic():
        held, at = _held(sitting, now)
        note_asked(held, now=at)


def take_over(sitting: Sitting, code: str, *, device: str, now: datetime) -> None:
    """Continue in this browser, with the access code or after the invigilator's release.

    Raises WrongCode. The other browser finds out when it next saves or asks for the time.
    """
    with transaction.atomic():
        # As in `begin`, codes are tried one at a time.
        User.objects.select_for_update(no_key=True).get(candidacies=sitting.candidate_id)
        candidate = Candidate.objects.select_related("session").get(pk=sitting.candidate_id)
        held, at = _held(sitting, now)
        refusal = "" if held.device in ("", device) else _wrong_code(candidate, code)
        if not refusal:
            _go_on(held, held.position, device=device, at=at)
    if refusal:
        raise WrongCode(refusal)


def _held(sitting: Sitting, now: datetime) -> tuple[Sitting, datetime]:
    """Locks the sitting's row until the transaction ends; returns it with its current time. Raises Over."""
    held = Sitting.objects.select_for_update(no_key=True).get(pk=sitting.pk)
    if not timing.is_open(held, now):
        raise Over
    return held, timing.moment(held, now)


def _go_on(held: Sitting, position: int, *, device: str, at: datetime) -> None:
    released = not held.device and held.events.filter(kind=Event.Kind.RELEASED).exists()
    if released or held.device not in ("", device):
        note_event(held, Event.Kind.DEVICE, at=at)
    elif at - (held.last_seen_at or held.started_at) > BREAK:
        note_event(held, Event.Kind.RESUMED, at=at)
    Sitting.objects.filter(pk=held.pk).update(device=device, position=position, last_seen_at=at)


def release(sitting: Sitting, *, by: User, now: datetime) -> None:
    """Let the next browser that opens the sitting continue without the code."""
    with transaction.atomic():
        held, at = _held(sitting, now)
        Sitting.objects.filter(pk=held.pk).update(device="")
        event = note_event(held, Event.Kind.RELEASED, at=at, by=by)
        record(by, "sitting.released", f"sitting:{held.pk}", event=event.pk)


def save_answer(sitting: Sitting, position: int, change: Change, *, device: str, now: datetime) -> Saved:
    """Store an answer durably; it counts unless a newer one follows. Raises Over, Elsewhere or Stale.

    Called every few keystrokes by everybody: one small transaction, without the audit log's lock.
    """
    at = timing.moment(sitting, now)
    try:
        with transaction.atomic():
            hold(sitting, device, at, position=position)
            return _store(sitting, position, change, at)
    except Over:
        settle(sitting, now)
        note_late(sitting, now=at)
        raise


def hold(sitting: Sitting, device: str, at: datetime, **seen: int) -> None:
    """Update `last_seen_at`, which locks the row. Raises Over, or Elsewhere if another browser has the sitting."""
    mine = Sitting.objects.filter(pk=sitting.pk, closed_at=None, deadline_at__gt=at, device=device)
    if not mine.update(last_seen_at=at, **seen):
        held = Sitting.objects.get(pk=sitting.pk)
        raise Elsewhere if timing.is_open(held, at) else Over


def _store(sitting: Sitting, position: int, change: Change, at: datetime) -> Saved:
    placed = FormItem.objects.filter(form__candidate=sitting.candidate_id, position=position).values_list(
        "pk",
        "item__scenario_document",
        "response__answer",
        "response__marked",
        "response__sequence",
        "response__seconds",
        "response__saved_at",
    )
    form_item, document, answer, marked, stored, seconds, saved_at = placed.get()
    given = {"parts": {key: value for key, value in change.parts.items() if value}}
    rules_engine.check_answer(rules_engine.scenario_from(document), rules_engine.answer_from(given))
    number = (stored or 0) + 1 if change.sequence is None else change.sequence
    if stored is not None and number <= stored:
        if (number, given, change.marked) == (stored, answer, marked):
            return Saved(stored, saved_at)  # a retry after the acknowledgement got lost
        raise Stale(stored)
    response = Response(
        sitting=sitting,
        form_item_id=form_item,
        answer=given,
        marked=change.marked,
        sequence=number,
        saved_at=at,
        # Time on the page as the browser reports it, capped at what is possible.
        seconds=min(int((at - sitting.started_at).total_seconds()), max(change.seconds, seconds or 0)),
    )
    Response.objects.bulk_create(
        [response],
        update_conflicts=True,
        unique_fields=["form_item"],
        update_fields=["answer", "marked", "sequence", "saved_at", "seconds"],
    )
    return Saved(number, at)


def pulse(sitting: Sitting, events: Sequence[BrowserEvent], *, device: str, now: datetime) -> None:
    """Record that a page is open, and the events it reports. Raises Over or Elsewhere."""
    at = timing.moment(sitting, now)
    with transaction.atomic():
        hold(sitting, device, at)
        note_browser_events(sitting, events, now=at)


# ---------- the end ----------


class TooEarly(Refused):
    """Nobody may hand in yet, because others may still begin with the same cases."""


def verify_hand_in(session: Session, now: datetime) -> None:
    """Raises TooEarly where everybody begins at once and somebody may still come: whoever leaves could tell them."""
    if session.common_start and now < session.entry_closes_at:
        raise TooEarly(_("You can hand in once entry has closed. Your answers are saved."))


def hand_in(sitting: Sitting, *, device: str, now: datetime) -> Sitting:
    """Close the sitting for the candidate. If time has run out meanwhile, it counts as closed by time."""
    if timing.is_open(sitting, now) and sitting.device != device:
        raise Elsewhere
    if timing.is_open(sitting, now):
        verify_hand_in(sitting.candidate.session, now)
    return close(sitting.pk, Sitting.ClosedBy.CANDIDATE, actor=None, now=now)


def settle(sitting: Sitting, now: datetime) -> Sitting:
    """Returns the sitting, closed first if its time has run out."""
    if sitting.closed_at is None and timing.is_due(sitting, now):
        return close(sitting.pk, Sitting.ClosedBy.TIME, actor=None, now=now)
    return sitting


def close(sitting_id: UUID, by: Sitting.ClosedBy, *, actor: User | None, now: datetime, reason: str = "") -> Sitting:
    """Close a sitting, once. If its time has run out, it closes at its deadline, no matter who asks."""
    with transaction.atomic():
        sitting = Sitting.objects.select_for_update(no_key=True, of=("self",)).select_related("candidate__person")
        found = sitting.get(pk=sitting_id)
        if found.closed_at is not None:
            return found
        if timing.is_due(found, now):
            found.closed_at, found.closed_by, actor, reason = found.deadline_at, Sitting.ClosedBy.TIME, None, ""
        else:
            found.closed_at, found.closed_by = timing.moment(found, now), by
        found.save(update_fields=["closed_at", "closed_by"])
        note_event(found, Event.Kind.CLOSED, at=found.closed_at, by=actor, text=reason)
        hooks.sitting_closed(found.pk)
        handed_in = found.closed_by == Sitting.ClosedBy.CANDIDATE
        record(
            found.candidate.person if handed_in else actor,
            "sitting.closed",
            f"sitting:{found.pk}",
            session=found.candidate.session_id,
            by=found.closed_by,
            **({"reason": reason} if reason else {}),
        )
    return found


def close_due(now: datetime) -> int:
    """Close all sittings whose time has run out; a failure leaves the others unaffected. Returns how many it tried."""
    due = Sitting.objects.filter(closed_at=None, deadline_at__lte=now).order_by("deadline_at")
    ids = list(due.values_list("pk", flat=True)[:CLOSE_AT_ONCE])
    for sitting_id in ids:
        try:
            close(sitting_id, Sitting.ClosedBy.TIME, actor=None, now=now)
        except Exception:
            log.exception("sitting_not_closed", sitting=str(sitting_id))
    return len(ids)
