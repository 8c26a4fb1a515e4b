"""Staff lists, checked and then applied by a worker.

A list is uploaded, checked as a whole without changing anything, and applied once its importer confirms it. Rows are
applied in small batches, each in its own transaction together with the number of rows done: other writers wait at most
for one batch, and after a crash the next worker goes on with the next batch. Every batch is checked again, because
people may have changed meanwhile; rows that no longer fit are left out and listed.
"""

import secrets
import time
from collections.abc import Iterator
from datetime import timedelta

import msgspec
import structlog
from django.db import IntegrityError, transaction
from django.db.models import F, Q, QuerySet
from django.utils import translation
from django.utils.translation import gettext as _

from exams import clock
from exams.audit.services import record, record_several
from exams.hr import staff, staff_files, staff_names, staff_writing
from exams.hr.models import StaffImport, StaffImportPart
from exams.hr.staff import Plan, Preview
from exams.hr.staff_files import StaffRow
from training.mail.password import invite_to_house
from training.operations import heartbeats
from training.people.models import Role, RoleGrant, User
from training.platform import pending
from training.platform.broker import send_on_commit
from training.platform.errors import Refused, RowError, UnfitList

log = structlog.get_logger(__name__)

State = StaffImport.State
UNDER_WAY = (State.WAITING, State.CONFIRMED)
FILE = 0  # the number of the part with the file as it was sent
PART = 500  # rows
BATCH = 10  # rows; divides PART. A batch holds the end of the audit log, and on SQLite all writing
SLICE = 20.0  # seconds after which a worker lets other work go first
SILENT = timedelta(seconds=60)  # without progress for this long, its worker is considered dead
OVERDUE = timedelta(seconds=15)
MAX_FAILURES = 3  # one after the other
TRIES = 3
MOST_ERRORS = 200  # listed on the page
UNCONFIRMED, FINISHED = timedelta(days=1), timedelta(days=30)  # documented in docs/privacy.md


class Stopped(Exception):
    """The list was stopped, or another worker took it over."""


# ---- for people


def of(importer: User) -> StaffImport | None:
    return StaffImport.objects.filter(importer=importer).first()


@transaction.atomic
def upload(importer: User, name: str, content: bytes) -> StaffImport:
    """Keep a file and wake a worker to check it. It replaces the importer's former list, if that is not under way."""
    User.objects.select_for_update(no_key=True).get(pk=importer.pk)  # of two sent at once, the later one wins
    former = _locked(importer)
    if former and former.state == State.CONFIRMED:
        raise Refused(_("Your last list is still being applied. Wait until it has finished, or stop it."))
    if former:
        former.delete()
    now = clock.now()
    made = StaffImport.objects.create(
        importer=importer, name=name[:200], language=importer.language, checked_at=now, beat_at=now
    )
    StaffImportPart.objects.create(staff_import=made, number=FILE, content=content)
    _wake(made)
    return made


@transaction.atomic
def confirm(importer: User) -> StaffImport:
    """Have the checked list applied."""
    current = _locked(importer)
    if current is None or current.state != State.CHECKED or not preview_of(current).anything:
        raise Refused(_("No list is waiting to be confirmed."))
    current.state, current.done, current.failures = State.CONFIRMED, 0, 0
    current.confirmed_at = current.beat_at = clock.now()
    current.save()
    _wake(current)
    record(importer, "staff.confirmed", "staff", list_rows=current.total)
    return current


@transaction.atomic
def stop(importer: User) -> bool:
    """Stop applying the list; what is done stays done. A list not confirmed yet is deleted. Returns whether there was
    anything to stop."""
    current = _locked(importer)
    if current is None:
        return False
    if current.state == State.CONFIRMED:
        _end(current, State.STOPPED)
    elif current.state in (State.WAITING, State.CHECKED, State.UNFIT):
        current.delete()
    else:
        return False
    return True


def _locked(importer: User) -> StaffImport | None:
    return StaffImport.objects.select_for_update(no_key=True).filter(importer=importer).first()


def preview_of(job: StaffImport) -> Preview:
    return msgspec.convert(job.preview, Preview)


def errors_of(job: StaffImport) -> list[RowError]:
    return [RowError(*error) for error in job.errors]


def changes(job: StaffImport) -> Iterator[Plan]:
    """Everything that a checked list would change today, part by part."""
    met = staff.Met()
    for number in range(1, -(-job.total // PART) + 1):
        yield staff.examine(_rows(job, number), job.importer, met)[0]


# ---- for workers


def go_on(import_id: int) -> bool:
    """Check a list, or apply more of it. Safe to repeat; returns whether this worker had it."""
    job = _taken_up(import_id)
    if job is None:
        return False
    heartbeats.leave_at_work("background")
    try:
        with translation.override(job.language):
            if job.state == State.WAITING:
                _check(job)
            else:
                _apply(job)
    except Stopped:
        return False
    except Exception:
        log.exception("staff_import_failed", staff_import=job.pk)
        if _held(job).update(holder=""):  # the next worker goes on, or gives up
            _wake(job)
    return True


def _taken_up(import_id: int) -> StaffImport | None:
    """Takes the list: our name in `holder` proves later that we still have it. None if another worker has it."""
    now, name = clock.now(), secrets.token_hex(16)
    free = StaffImport.objects.filter(_free(), pk=import_id, state__in=UNDER_WAY)
    for given_up in free.filter(failures__gte=MAX_FAILURES):
        _give_up(given_up)
    if not free.update(holder=name, beat_at=now, failures=F("failures") + 1):
        return None
    return StaffImport.objects.select_related("importer").get(pk=import_id)


def _free() -> Q:
    return Q(holder="") | pending.free("beat_at", now=clock.now(), lease=SILENT)


def _held(job: StaffImport) -> QuerySet[StaffImport]:
    return StaffImport.objects.filter(pk=job.pk, state=job.state, holder=job.holder)


def _check(job: StaffImport) -> None:
    content = bytes(job.parts.get(number=FILE).content)
    job.parts.exclude(number=FILE).delete()  # of a worker that died

    def went_on(done: int) -> None:
        if not _held(job).update(done=done, beat_at=clock.now()):
            raise Stopped

    try:
        listed = staff_files.read(content)
        _held(job).update(total=len(listed.rows))
        found = staff.check(listed, job.importer, went_on)
    except UnfitList as unfit:
        _keep(job, state=State.UNFIT, errors=_told(unfit.errors), left_out=len(unfit.errors))
        return
    for number, start in enumerate(range(0, len(listed.rows), PART), FILE + 1):
        rows = msgspec.json.encode(listed.rows[start : start + PART])
        StaffImportPart.objects.create(staff_import=job, number=number, content=rows)
        went_on(len(listed.rows))
    _keep(job, state=State.CHECKED, preview=msgspec.to_builtins(found), total=len(listed.rows))


@transaction.atomic
def _keep(job: StaffImport, **found: object) -> None:
    """Store what the check found, and delete the file."""
    if not _held(job).update(holder="", failures=0, checked_at=clock.now(), **found):
        raise Stopped
    job.parts.filter(number=FILE).delete()


def _told(errors: list[RowError]) -> list[tuple[int, str, str]]:
    return [(error.row, error.field, error.reason) for error in errors[:MOST_ERRORS]]


def _apply(job: StaffImport) -> None:
    """Apply batches for a while. After each one it pauses for as long as the batch took, so that others can write:
    SQLite does not grant its lock in the order of requests."""
    until, rows = time.monotonic() + SLICE, list[StaffRow]()
    while job.done < job.total:
        if not rows or not job.done % PART:
            rows = _rows(job, job.done // PART + FILE + 1)
        start = job.done % PART
        began = time.monotonic()
        _apply_batch(job, rows[start : start + BATCH])
        if time.monotonic() > until:
            if _held(job).update(holder=""):
                _wake(job)
            return
        time.sleep(time.monotonic() - began)
    with transaction.atomic():
        if current := _held(job).select_for_update(no_key=True).first():
            _end(current, State.DONE)


def _rows(job: StaffImport, number: int) -> list[StaffRow]:
    return msgspec.json.decode(bytes(job.parts.get(number=number).content), type=list[StaffRow])


def _apply_batch(job: StaffImport, rows: list[StaffRow]) -> None:
    """Retries if somebody gave a number or an address to another person at this moment."""
    for _try in range(TRIES - 1):
        try:
            _write(job, rows)
        except (IntegrityError, Refused):
            continue
        return
    _write(job, rows)


@transaction.atomic
def _write(job: StaffImport, rows: list[StaffRow]) -> None:
    current = _held(job).select_for_update(no_key=True).first()
    if current is None:
        raise Stopped
    importer = job.importer
    if not RoleGrant.objects.filter(user=importer, user__is_active=True, role=Role.HR).exists():
        _end(current, State.STOPPED)
        job.done = job.total
        return
    planned, errors = staff.examine(rows, importer, staff.Met())
    _change(planned, importer)
    refused = [staff_names.ask_for(new, importer) for new in planned.names]
    errors += [RowError(0, "name", f"{new.person.name} → {new.name}: {new.why_not}") for new in refused if new.why_not]
    current.done += len(rows)
    current.entered += len(planned.enter)
    current.changed += len(planned.change)
    current.left_out += len(errors)
    current.errors = [*current.errors, *_told(staff.named(errors, {}))][:MOST_ERRORS]
    current.failures, current.beat_at = 0, clock.now()
    current.save()
    job.done = current.done


def _change(planned: Plan, importer: User) -> None:
    entered = staff_writing.enter(planned.enter, importer)
    staff_writing.keep_records((change.person, change.new_values) for change in planned.change)
    leaving = [change.person for change in planned.change if "left_on" in change.fields]
    if leaving := [*leaving, *(person for person, row in zip(entered, planned.enter, strict=True) if row.left_on)]:
        staff_writing.follow_leaving(leaving, staff.gone(clock.today()), importer)
    invite_to_house(User.objects.filter(pk__in=[person.pk for person in entered], is_active=True), importer)
    record_several(importer, [staff_writing.changed(change.person, change.fields) for change in planned.change])


def _end(current: StaffImport, state: State) -> None:
    """Finish the list in the caller's transaction, and delete its rows."""
    current.state, current.holder, current.preview, current.finished_at = state, "", {}, clock.now()
    current.save()
    current.parts.all().delete()
    if current.confirmed_at is None:
        return
    done = {"entered": current.entered, "changed": current.changed, "left_out": current.left_out}
    stopped = {"rows_left": current.total - current.done} if state != State.DONE else {}
    record(current.importer, "staff.imported", "staff", **done, **stopped)


@transaction.atomic
def _give_up(job: StaffImport) -> None:
    if current := StaffImport.objects.select_for_update(no_key=True).filter(pk=job.pk, state__in=UNDER_WAY).first():
        log.error("staff_import_given_up", staff_import=job.pk)
        _end(current, State.FAILED)


# ---- for the scheduler


def sweep() -> None:
    """Wake a worker for lists that none works on."""
    waiting = StaffImport.objects.filter(state__in=UNDER_WAY)
    late = Q(holder="", beat_at__lt=clock.now() - OVERDUE)
    for job in waiting.filter(late | pending.free("beat_at", now=clock.now(), lease=SILENT)):
        _wake(job)


def forget_old() -> int:
    """Delete lists that were checked but never confirmed, because they contain personal data, and old outcomes."""
    now = clock.now()
    unconfirmed = Q(state__in=(State.WAITING, State.CHECKED, State.UNFIT), checked_at__lt=now - UNCONFIRMED)
    return StaffImport.objects.filter(unconfirmed | Q(finished_at__lt=now - FINISHED)).delete()[0]


def _wake(job: StaffImport) -> None:
    from exams.hr import tasks

    send_on_commit(tasks.go_on_with_staff_list, job.pk)


def owed_work() -> list[pending.Owed]:
    waiting = StaffImport.objects.filter(state__in=UNDER_WAY)
    return [pending.Owed("staff lists to be checked or applied", "background", waiting, since="beat_at")]
