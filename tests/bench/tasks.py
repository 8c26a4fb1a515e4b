"""The least that a task of the queue can do: one UPDATE."""

from celery import shared_task

from training.practice.models import Attempt


@shared_task(name="tests.bench.touch")
def touch(attempt: int) -> None:
    Attempt.objects.filter(pk=attempt).update(failures=1)
