"""Exports made in the background. The row holds the progress; the worker writes to a temporary file and renames it only
when it is complete."""

import secrets
from contextlib import suppress
from datetime import datetime, timedelta
from itertools import chain
from pathlib import Path
from typing import Any
from uuid import UUID

import msgspec
import structlog
from django.conf import settings
from django.db import transaction
from django.db.models import F, Q, QuerySet
from django.template.loader import render_to_string
from django.utils import translation
from django.utils.translation import gettext as _

from exams import clock
from exams.audit.services import record
from exams.hr import export_files, selectors
from exams.hr.columns import table
from exams.hr.models import Export, Schedule
from exams.hr.selectors import Filters
from training.mail.outbox import Envelope, link_to, post
from training.operations import heartbeats
from training.people.models import Role, User
from training.platform import pending
from training.platform.broker import send_on_commit
from training.platform.errors import Refused

log = structlog.get_logger(__name__)

State = Export.State
UNDER_WAY = (State.WAITING, State.RUNNING)
MOST_AT_ONCE = 3
KEPT_FOR = timedelta(hours=24)
SCHEDULED_KEPT_FOR = timedelta(days=7)  # the owner may not be at work today
# A job without progress for this long is considered dead.
SILENT = timedelta(seconds=60)
OVERDUE = timedelta(seconds=15)
MAX_FAILURES = 3
PATIENCE = timedelta(minutes=30)  # a job may queue behind long ones


class Stopped(Exception):
    """The job was cancelled, or another worker took it over."""


def directory() -> Path:
    path = Path(settings.VAR_DIR) / "exports"
    path.mkdir(mode=0o700, parents=True, exist_ok=True)
    return path


# ---- for people


def may_export(person: User) -> bool:
    return Role.HR in person.roles


def verify_kind(owner: User, what: str, format: str) -> None:
    if not may_export(owner):
        raise Refused(_("Only human resources can export."))
    if format == Export.Format.ZIP and what != Export.What.CERTIFICATES:
        raise Refused(_("Only certificates are available as PDFs."))


def verify_ask(owner: User, what: str, format: str) -> None:
    verify_kind(owner, what, format)
    if Export.objects.filter(owner=owner, state__in=UNDER_WAY).count() >= MOST_AT_ONCE:
        raise Refused(
            _("%(limit)d exports of yours are already in progress; wait for one to finish or cancel it.")
            % {"limit": MOST_AT_ONCE}
        )


@transaction.atomic
def ask(owner: User, *, what: str, format: str, filters: Filters, on: str = "") -> Export:
    """Store the request and wake a worker."""
    wanted = msgspec.to_builtins(filters) | ({"on": on} if on else {})
    export = store(owner, what=what, format=format, filters=wanted)
    record(owner, "export.asked", f"export:{export.pk}", what=what, format=format)
    return export


def store(owner: User, *, what: str, format: str, filters: dict[str, Any], schedule: Schedule | None = None) -> Export:
    """Store an export in the caller's transaction; the caller records it."""
    User.objects.select_for_update(no_key=True).get(pk=owner.pk)  # concurrent requests must not exceed the limit
    verify_ask(owner, what, format)
    export = Export.objects.create(
        owner=owner,
        what=what,
        format=format,
        filters=filters,
        schedule=schedule,
        language=owner.language,
        asked_at=clock.now(),
    )
    _wake(export)
    return export


def cancel(export: Export) -> bool:
    """Cancel it; the worker notices within a batch. Returns False if it had already finished."""
    return bool(
        Export.objects.filter(pk=export.pk, state__in=UNDER_WAY).update(state=State.CANCELLED, finished_at=clock.now())
    )


def of(owner: User) -> QuerySet[Export]:
    return Export.objects.filter(owner=owner).order_by("-asked_at")


def file_of(export: Export) -> Path | None:
    """The file, if it can be downloaded now."""
    if export.state != State.DONE or export.expires_at is None or export.expires_at <= clock.now():
        return None
    if export.has_nothing:
        return None
    path = directory() / export.file
    return path if path.is_file() else None


# ---- for workers


def make(export_id: UUID) -> bool:
    """Make the file, unless another worker is making it. Safe to repeat; returns whether it was made."""
    export = _taken_up(export_id)
    if export is None:
        return False
    part = directory() / f"{export.file}.part"
    try:
        with translation.override(export.language):
            _write(export, part)
            _finish(export, part)
    except Stopped:
        return False
    except Exception:
        log.exception("export_failed", export=str(export.pk))
        _held(export).update(state=State.FAILED, trouble="an error, see the log", finished_at=clock.now())
        return False
    finally:
        part.unlink(missing_ok=True)
    return True


def _taken_up(export_id: UUID) -> Export | None:
    """Claims the job: the new file name proves later that we still hold it. None if it is taken."""
    now, name = clock.now(), secrets.token_urlsafe(24)
    free = Q(state=State.WAITING) | Q(state=State.RUNNING) & pending.free("beat_at", now=now, lease=SILENT)
    taken = Export.objects.filter(free, pk=export_id).update(
        state=State.RUNNING, file=name, beat_at=now, done=0, failures=F("failures") + 1
    )
    return Export.objects.select_related("owner").get(pk=export_id) if taken else None


def _held(export: Export) -> QuerySet[Export]:
    return Export.objects.filter(pk=export.pk, state=State.RUNNING, file=export.file)


def _write(export: Export, part: Path) -> None:
    wanted = dict(export.filters)
    on = wanted.pop("on", "")
    filters = msgspec.convert(wanted, Filters)

    def progress(done: int) -> None:
        heartbeats.leave_at_work("background")
        if not _held(export).update(done=done, beat_at=clock.now()):
            raise Stopped

    part.touch(mode=0o600)
    if export.format == Export.Format.ZIP:
        found = selectors.certificates(filters)
        _held(export).update(total=found.count())
        each = chain.from_iterable(selectors.in_batches(found, export_files.PDF_BATCH))
        export_files.write_zip(each, part, progress)
        return
    listed = table(export.what, filters, datetime.fromisoformat(on).date() if on else None)
    _held(export).update(total=listed.total)
    writers: dict[str, Any] = {
        Export.Format.CSV: export_files.write_csv,
        Export.Format.JSON: export_files.write_json,
        Export.Format.XLSX: export_files.write_xlsx,
    }
    writers[export.format](listed, part, progress)


def _finish(export: Export, part: Path) -> None:
    now, whole = clock.now(), directory() / export.file
    kept = SCHEDULED_KEPT_FOR if export.schedule_id else KEPT_FOR
    part.rename(whole)
    with transaction.atomic():
        done = _held(export).update(
            state=State.DONE,
            size=whole.stat().st_size,
            total=F("done"),
            finished_at=now,
            beat_at=now,
            expires_at=now + kept,
        )
        if done and export.schedule_id:
            export.refresh_from_db()
            _tell_ready(export, now + kept)
    if not done:
        whole.unlink()
        raise Stopped


def _tell_ready(export: Export, until: datetime) -> None:
    """Mail a link to the page; the owner must sign in to download the file."""
    if export.has_nothing:
        return
    owner = export.owner
    facts = {"user": owner, "what": export.get_what_display(), "until": until, "address": link_to("hr_exports")}
    post([Envelope(owner, _("A file is ready: %(what)s") % facts, render_to_string("hr/letters/ready.txt", facts))])


# ---- for the scheduler


def sweep() -> None:
    """Restart jobs that no worker picked up or that a dead one left, and delete expired files."""
    now = clock.now()
    dead = Export.objects.filter(pending.free("beat_at", now=now, lease=SILENT), state=State.RUNNING)
    dead.filter(failures__gte=MAX_FAILURES).update(
        state=State.FAILED, trouble="started several times and never finished", finished_at=now
    )
    waiting = Export.objects.filter(Q(state=State.WAITING, asked_at__lt=now - OVERDUE) | Q(pk__in=dead.values("pk")))
    for export in waiting:
        _wake(export)
    for export in Export.objects.filter(state=State.DONE, expires_at__lte=now):
        (directory() / export.file).unlink(missing_ok=True)
        Export.objects.filter(pk=export.pk).update(state=State.EXPIRED, file="")
    _clear_away(now)


def _clear_away(now: datetime) -> None:
    """Delete files without a row, left half written by killed workers."""
    known = set(
        Export.objects.exclude(file="").filter(state__in=(State.RUNNING, State.DONE)).values_list("file", flat=True)
    )
    for path in directory().iterdir():
        with suppress(OSError):
            old = path.stat().st_mtime < (now - KEPT_FOR).timestamp()
            if old and path.name.removesuffix(".part") not in known:
                path.unlink()


def _wake(export: Export) -> None:
    from exams.hr import tasks

    send_on_commit(tasks.make_export, str(export.pk))


# ---- for monitoring


def owed_work() -> list[pending.Owed]:
    waiting = Export.objects.filter(state=State.WAITING)
    return [
        pending.Owed(
            "exports to be made", "background", waiting, since="asked_at", given_up=given_up, patience=PATIENCE
        )
    ]


def given_up() -> int:
    """Failures of the last day; by then their owners have seen them."""
    return Export.objects.filter(state=State.FAILED, finished_at__gte=clock.now() - KEPT_FOR).count()
