"""Sends a regrade to the queue in chunks, so that several workers share it.

The database rows say what is done and what is left; a message only wakes a worker, and the sweep wakes one again when
nothing progresses.
"""

from datetime import timedelta
from uuid import UUID

from exams import clock
from exams.regrading import publication, runs
from exams.regrading.models import Regrade
from training.platform.broker import send_on_commit

CHUNK = 50  # sittings; a few seconds of work
# A regrade without progress for this long has lost its messages or workers.
STUCK = timedelta(seconds=60)


def wake(regrade: Regrade) -> None:
    from exams.regrading import tasks

    send_on_commit(tasks.spread_out, str(regrade.pk))


def spread_out(regrade_id: UUID) -> int:
    """Queue what is left of a regrade. Returns the number of chunks."""
    from exams.regrading import tasks

    regrade = Regrade.objects.get(pk=regrade_id)
    if regrade.state == Regrade.State.RUNNING:
        task, left = tasks.run_chunk, runs.left_to_run(regrade)
        if not left:
            runs.finish(regrade.pk)
    elif regrade.state == Regrade.State.PUBLISHING:
        task, left = tasks.publish_chunk, publication.left_to_publish(regrade)
        if not left:
            publication.settle(regrade.pk)
    else:
        return 0
    chunks = [left[start : start + CHUNK] for start in range(0, len(left), CHUNK)]
    for chunk in chunks:
        send_on_commit(task, str(regrade.pk), [str(sitting_id) for sitting_id in chunk])
    return len(chunks)


def wake_stuck() -> int:
    """Queue again what is left of every regrade without progress. Returns how many."""
    under_way = [Regrade.State.RUNNING, Regrade.State.PUBLISHING]
    stuck = Regrade.objects.filter(state__in=under_way, moved_at__lt=clock.now() - STUCK)
    ids = list(stuck.values_list("pk", flat=True))
    for regrade_id in ids:
        Regrade.objects.filter(pk=regrade_id).update(moved_at=clock.now())
        spread_out(regrade_id)
    return len(ids)
