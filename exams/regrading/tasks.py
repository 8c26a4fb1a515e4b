"""Background tasks for regrading. Each loads by id and calls one service."""

from uuid import UUID

from celery import shared_task

from exams.regrading import dispatch, publication, runs


@shared_task
def spread_out(regrade_id: str) -> None:
    dispatch.spread_out(UUID(regrade_id))


@shared_task
def run_chunk(regrade_id: str, sitting_ids: list[str]) -> None:
    runs.run_chunk(UUID(regrade_id), [UUID(sitting_id) for sitting_id in sitting_ids])


@shared_task
def publish_chunk(regrade_id: str, sitting_ids: list[str]) -> None:
    publication.publish_chunk(UUID(regrade_id), [UUID(sitting_id) for sitting_id in sitting_ids])


@shared_task
def sweep() -> None:
    dispatch.wake_stuck()
