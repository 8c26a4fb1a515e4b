"""Background tasks for HR. Each loads by id and calls one service."""

from uuid import UUID

from celery import shared_task

from exams.hr import exports, retention, schedules, staff, staff_import

LONGEST_EXPORT = 60 * 60  # seconds; a ZIP of thousands of PDFs takes long
LONGEST_CHECK = 10 * 60


@shared_task(time_limit=LONGEST_EXPORT)
def make_export(export_id: str) -> None:
    exports.make(UUID(export_id))


@shared_task
def sweep_exports() -> None:
    schedules.sweep()
    exports.sweep()
    staff_import.sweep()


@shared_task(time_limit=LONGEST_CHECK)
def go_on_with_staff_list(import_id: int) -> None:
    staff_import.go_on(import_id)


@shared_task
def close_leavers() -> None:
    staff.close_leavers()


@shared_task
def forget_practice() -> None:
    retention.forget_due()


@shared_task
def forget_unconfirmed() -> None:
    staff_import.forget_old()
