"""Two examiners mark a candidate at a real table, independently of each other, and settle what differs.

Neither may have taught the candidate, and neither sees the other's ticks before both have handed in. What differs is
settled when both propose the same, or by a third person. Each act is one audited transaction under the table's lock.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.db import transaction
from django.utils.translation import gettext as _

from exams.audit.services import record
from exams.impartiality import Partial, verify_examiner, verify_impartial
from exams.practical import ticking
from exams.practical.models import ExamTable, Marking, Proposal, Settlement, Tick
from exams.practical.scoring import scenes
from exams.programmes.practical_part import Practical
from exams.records.models import Candidate, Sitting
from exams.sittings import hooks, timing
from exams.sittings import sitting as sittings
from exams.sittings.sitting import Stale
from training.people import second_signature
from training.people.models import User
from training.people.second_signature import Asked
from training.platform.errors import Refused, Unfit

Values = dict[str, int]
LONGEST_REASON = 2000


def part_of(table: ExamTable) -> Practical:
    part = table.candidate.session.programme_version.rules.practical
    if part is None:
        raise RuntimeError("a table of a programme without a practical part")
    return part


def listed(table: ExamTable) -> list[ticking.Box]:
    return ticking.boxes(scenes(table), part_of(table), table.book)


def verify_may_mark(examiner: User, table: ExamTable) -> None:
    """Raises Refused unless this person may examine in the programme, is impartial towards the candidate and does not
    sit in the same session."""
    version = table.candidate.session.programme_version
    verify_examiner(examiner, version)
    verify_impartial(examiner, table.candidate.person, version)
    if Candidate.objects.filter(session=table.candidate.session_id, person=examiner).exists():
        raise Partial(_("You are a candidate in this session yourself: somebody else must decide."))


def _verify_another_person(by: User, table: ExamTable) -> None:
    """Raises Refused if one person alone could be behind this account and that of another examiner of the table."""
    others = table.markings.exclude(examiner=by).values_list("examiner_id", "begun_at")
    if second_signature.refused_until_confirmed(by, [Asked(*row) for row in others]):
        raise Refused(
            _(
                "One person alone could be behind your account and that of another examiner. Somebody else must "
                "examine, or another administrator must first confirm one of the two accounts on its page under "
                "“People”."
            )
        )


def held(table_id: UUID) -> ExamTable:
    """The table, locked until the transaction ends."""
    found = ExamTable.objects.select_for_update(no_key=True, of=("self",)).select_related(
        "candidate__session__programme_version__programme", "candidate__person"
    )
    return found.get(pk=table_id)


@transaction.atomic
def begin(table_id: UUID, *, by: User, now: datetime) -> Marking:
    """Take one of the two places at the table. The first to do so begins the exam. Safe to repeat."""
    User.objects.select_for_update(no_key=True).get(candidacies__exam_table=table_id)
    table = held(table_id)
    if own := table.markings.filter(examiner=by).first():
        return own
    verify_may_mark(by, table)
    taken = table.markings.count()
    if taken >= len(Marking.Place):
        raise Refused(_("Two examiners already mark this candidate."))
    _verify_another_person(by, table)
    _verify_begun(table, by=by, now=now)
    marking = Marking.objects.create(table=table, examiner=by, place=taken + 1, begun_at=now)
    record(by, "practical.marking_begun", f"candidate:{table.candidate_id}")
    return marking


def _verify_begun(table: ExamTable, *, by: User, now: datetime) -> None:
    """The sitting of the candidate, begun now if it was not. Raises Refused if it cannot begin, is over or annulled:
    who was not there cannot mark it."""
    candidate = Candidate.objects.select_related("session__programme_version", "person").get(pk=table.candidate_id)
    sitting: Sitting | None = Sitting.objects.filter(candidate=candidate).first()
    if sitting and sitting.annulled_at:
        raise Refused(_("This sitting was annulled."))
    if sitting and not timing.is_open(sitting, now):
        raise Refused(_("This exam is over: only those who began to mark during it can mark it."))
    if sitting is None:
        if reason := sittings.why_not_now(candidate.session, now) or sittings.why_kept_out(candidate):
            raise Refused(reason)
        if sittings.sits_another(candidate, now):
            raise Refused(_("This candidate is sitting another exam, which must be handed in first."))
        sittings.start_in_room(candidate, by=by, now=now)


@dataclass(frozen=True)
class Ticked:
    sequence: int
    saved_at: datetime


@transaction.atomic
def tick(table_id: UUID, key: str, value: int, sequence: int, *, by: User, now: datetime) -> Ticked:
    """Store a tick durably; it counts unless a newer one follows. Raises Stale, Unfit or Refused."""
    marking = Marking.objects.select_for_update(no_key=True, of=("self",)).select_related(
        "table__candidate__session__programme_version"
    )
    found = marking.filter(table=table_id, examiner=by).first()
    if found is None:
        raise Refused(_("You do not mark this candidate."))
    box = next((one for one in listed(found.table) if one.key == key), None)
    if box is None or not 0 <= value <= box.most:
        raise Unfit(_("There is nothing like this to tick."))
    stored = found.ticks.filter(key=key).first()
    if stored and (stored.sequence, stored.value) == (sequence, value):
        return Ticked(stored.sequence, stored.saved_at)  # a retry after the acknowledgement got lost
    if found.handed_in_at:
        raise Refused(_("You have handed in: nothing can be changed any more."))
    if stored and sequence <= stored.sequence:
        raise Stale(stored.sequence)
    Tick.objects.update_or_create(
        marking=found, key=key, defaults={"value": value, "sequence": sequence, "saved_at": now}
    )
    return Ticked(sequence, now)


@transaction.atomic
def hand_in(table_id: UUID, *, by: User, now: datetime) -> Marking:
    """Hand in for good. If both have and nothing differs, that is settled."""
    table = held(table_id)
    marking = table.markings.filter(examiner=by).first()
    if marking is None:
        raise Refused(_("You do not mark this candidate."))
    if marking.handed_in_at is None:
        _verify_another_person(by, table)
        marking.handed_in_at = now
        marking.save(update_fields=["handed_in_at"])
        record(by, "practical.handed_in", f"candidate:{table.candidate_id}")
        if both_in(table) and not differences(table):
            _settle(table, Settlement.How.SAME, {}, by=by, reason="", now=now)
    return marking


def both_in(table: ExamTable) -> bool:
    return table.markings.filter(handed_in_at__isnull=False).count() == len(Marking.Place)


def values_of(table: ExamTable) -> list[Values]:
    """What each of the two examiners ticked."""
    found: dict[int, Values] = {marking.pk: {} for marking in table.markings.order_by("place")}
    for marking, key, value in Tick.objects.filter(marking__table=table).values_list("marking_id", "key", "value"):
        found[marking][key] = value
    return list(found.values())


def differences(table: ExamTable) -> dict[str, tuple[int, int]]:
    """What the two marked differently. Only for tables that both have handed in."""
    first, second = values_of(table)
    pairs = {box.key: (first.get(box.key, 0), second.get(box.key, 0)) for box in listed(table)}
    return {key: pair for key, pair in pairs.items() if pair[0] != pair[1]}


@transaction.atomic
def settle(table_id: UUID, chosen: Mapping[str, int], *, by: User, reason: str, now: datetime) -> Settlement | None:
    """Propose how to settle what differs, as an examiner, or decide it, as a third person. None while the two do not
    agree."""
    table = held(table_id)
    _verify_to_settle(table)
    _verify_another_person(by, table)
    differing = differences(table)
    values = {key: int(chosen[key]) for key in differing if chosen.get(key) in differing[key]}
    if values.keys() != differing.keys():
        raise Unfit(_("Choose one of the two for everything that differs."))
    if not table.markings.filter(examiner=by).exists():
        verify_may_mark(by, table)
        if not reason.strip():
            raise Unfit(_("Say how you decided."))
        return _settle(table, Settlement.How.THIRD, values, by=by, reason=reason.strip()[:LONGEST_REASON], now=now)
    Proposal.objects.create(table=table, by=by, marked=values, at=now)
    record(by, "practical.proposed", f"candidate:{table.candidate_id}", differing=len(differing))
    other = table.proposals.exclude(by=by).order_by("-at", "-pk").first()
    if other is None or other.marked != values:
        return None
    return _settle(table, Settlement.How.AGREED, values, by=by, reason=reason.strip()[:LONGEST_REASON], now=now)


def _verify_to_settle(table: ExamTable) -> None:
    if Settlement.objects.filter(table=table).exists():
        raise Refused(_("This has already been settled."))
    if not both_in(table):
        raise Refused(_("Both examiners must hand in first."))


def _settle(
    table: ExamTable, how: Settlement.How, chosen: Values, *, by: User, reason: str, now: datetime
) -> Settlement:
    """Store what counts, close the sitting and have it graded."""
    first, _second = values_of(table)
    made = Settlement.objects.create(table=table, how=how, marked=first | chosen, by=by, reason=reason, at=now)
    record(
        by,
        "practical.settled",
        f"candidate:{table.candidate_id}",
        how=how.value,
        examiners=list(table.markings.order_by("place").values_list("examiner_id", flat=True)),
        differing=len(chosen),
        **({"reason": reason} if reason else {}),
    )
    sitting = Sitting.objects.get(candidate=table.candidate_id)
    if sitting.closed_at is None:
        sittings.close(sitting.pk, Sitting.ClosedBy.INVIGILATOR, actor=by, now=now)
    else:
        hooks.sitting_closed(sitting.pk)
    return made


def is_running(table: ExamTable, now: datetime) -> bool:
    sitting = Sitting.objects.filter(candidate=table.candidate_id).first()
    return sitting is not None and timing.is_open(sitting, now)
