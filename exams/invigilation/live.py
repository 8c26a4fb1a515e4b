"""What an invigilator sees of a session in progress: where everybody is and who needs help, never their answers."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from uuid import UUID

from django.db.models import Count, F, Q, QuerySet
from django.utils.translation import gettext as _

from exams.invigilation.alerts import Alert, Log, alerts, logs
from exams.records import names
from exams.records.models import Candidate, Event, NameCorrection, Response, Session, Sitting
from exams.sittings import timing
from exams.sittings.sitting import CODE_TRIES
from training.platform.folded_text import alphabetical

NOTHING: dict[str, dict[str, str]] = {"parts": {}}  # stored for an item that was viewed and left empty
UNDO_SHOWN = timedelta(seconds=30)
MOST_EVENTS = 200  # the newest, on a sitting's page


@dataclass(frozen=True)
class Row:
    """One candidate. `state` is waiting, locked (too many wrong codes), working, closed or annulled."""

    candidate: Candidate
    changes: list[NameCorrection]  # of the name since entry, including a pending one
    sitting: Sitting | None
    state: str
    answered: int
    items: int
    table: str  # of a practical exam: the coup on screen, or how many examiners have handed in
    left: str
    log: Log
    alerts: list[Alert]
    printed: str = ""  # the name to compare with an identity document
    undo: bool = False  # the identity was checked a moment ago


def rows(session: Session, now: datetime) -> list[Row]:
    """A row per candidate, with a constant number of queries."""
    candidates = list(
        _with_tables(Candidate.objects.filter(session=session), session)
        .select_related("person", "sitting")
        .order_by(alphabetical("person__name"), "pk")
    )
    changes = names.changes_of(candidates)
    answered = _count(Response.objects.filter(sitting__candidate__session=session).exclude(answer=NOTHING))
    happened = logs(Event.objects.filter(sitting__candidate__session=session))
    printed = names.printed_of(candidates)
    found = [
        _row(candidate, session, changes[candidate.pk], answered[_key(candidate)], happened[_key(candidate)], now)
        for candidate in candidates
    ]
    return [replace(row, printed=printed[row.candidate.pk], undo=_just_checked(row.log, now)) for row in found]


def _just_checked(log: Log, now: datetime) -> bool:
    return log.identity_at is not None and now - log.identity_at <= UNDO_SHOWN


def pressing(rows: Sequence[Row]) -> list[Row]:
    """The rows with alerts, most urgent first."""
    return sorted((row for row in rows if row.alerts), key=lambda row: row.alerts[0].rank)


def row(sitting: Sitting, now: datetime) -> Row:
    session = sitting.candidate.session
    candidate = _with_tables(Candidate.objects.filter(pk=sitting.candidate_id), session).select_related(
        "person", "sitting", "session__programme_version"
    )[0]
    answered = sitting.responses.exclude(answer=NOTHING).count()
    log, changes = logs(sitting.events.all())[sitting.pk], names.changes_of([candidate])[candidate.pk]
    return _row(candidate, session, changes, answered, log, now)


def _with_tables(candidates: QuerySet[Candidate], session: Session) -> QuerySet[Candidate]:
    """Candidates of a practical exam with what the invigilator sees of their tables."""
    if not session.is_practical:
        return candidates
    handed_in = Count("exam_table__markings", filter=Q(exam_table__markings__handed_in_at__isnull=False))
    return candidates.annotate(shown=F("exam_table__shown"), in_room=F("exam_table__in_room"), handed_in=handed_in)


def _table(candidate: Candidate, session: Session) -> str:
    part = session.programme_version.rules.practical
    if part is None or not session.is_practical:
        return ""
    if getattr(candidate, "in_room", False):
        return _("%(count)d of 2 examiners have handed in") % {"count": getattr(candidate, "handed_in", 0)}
    shown = getattr(candidate, "shown", None) or []
    coup = next((event["amount"] for event in shown if event["what"] == "coup"), 0)
    return _("Coup %(number)d of %(coups)d") % {"number": coup, "coups": part.coups}


def events_of(sitting: Sitting) -> QuerySet[Event]:
    return sitting.events.select_related("by").order_by("-at", "-pk")[:MOST_EVENTS]


def _count(of: QuerySet[Response]) -> Counter[UUID]:
    found: Iterable[tuple[UUID, int]] = of.values("sitting").annotate(many=Count("pk")).values_list("sitting", "many")
    return Counter(dict(found))


def _key(candidate: Candidate) -> UUID:
    """The key of a candidate's answers and events; candidates who have not begun have none."""
    sitting: Sitting | None = getattr(candidate, "sitting", None)
    return sitting.pk if sitting else candidate.pk


def _row(
    candidate: Candidate, session: Session, changes: list[NameCorrection], answered: int, log: Log, now: datetime
) -> Row:
    sitting: Sitting | None = getattr(candidate, "sitting", None)
    return Row(
        candidate=candidate,
        changes=changes,
        sitting=sitting,
        state=_state(candidate, sitting, now),
        answered=answered,
        items=session.programme_version.rules.items,
        table=_table(candidate, session),
        left=timing.clock_face(timing.seconds_left(sitting, now)) if sitting else "",
        log=log,
        alerts=alerts(candidate, sitting, log, now, renamed=bool(changes)),
    )


def _state(candidate: Candidate, sitting: Sitting | None, now: datetime) -> str:
    if sitting is None:
        return "locked" if candidate.wrong_codes >= CODE_TRIES else "waiting"
    if sitting.annulled_at:
        return "annulled"
    return "working" if timing.is_open(sitting, now) else "closed"
