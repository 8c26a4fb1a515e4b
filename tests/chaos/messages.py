"""Messages that come twice and in another order. Runs inside the installation, by its own broker settings."""

import json
from random import Random
from typing import Any

from kombu import Queue

from exams.records.models import Sitting
from exams.results.models import Result
from training.celery import QUEUES, app, queue_name
from training.practice.models import Attempt

MOST = 100


def muddle(seed: int) -> None:
    """Take what waits, put each back twice in any order, and send much again that was done long ago."""
    draw = Random(seed)
    with app.connection_for_write() as connection, connection.Producer(serializer="json") as producer:
        channel = connection.default_channel
        taken = [(name, message) for name in map(queue_name, QUEUES) for message in _taken(Queue(name)(channel))]
        again = taken * 2
        draw.shuffle(again)
        for name, message in again:
            same = {key: message.properties.get(key) for key in ("correlation_id", "reply_to")}
            producer.publish(message.decode(), routing_key=name, headers=message.headers, **same)
        for _name, message in taken:
            message.ack()
    sent = _old_work(draw)
    draw.shuffle(sent)
    for task, args in sent:
        app.send_task(task, args)
    print(json.dumps({"waited": len(taken), "again": len(sent)}))  # noqa: T201 (this is how it answers)


def _taken(queue: Any) -> list[Any]:
    found: list[Any] = []
    while len(found) < MOST and (message := queue.get()) is not None:
        found.append(message)
    return found


def _old_work(draw: Random) -> list[tuple[str, tuple[Any, ...]]]:
    attempts = list(Attempt.objects.order_by("-pk").values_list("pk", flat=True)[:MOST])
    sittings = list(Sitting.objects.exclude(closed_at=None).values_list("pk", flat=True)[:20])
    results = list(Result.objects.values_list("pk", flat=True)[:20])
    work: list[tuple[str, tuple[Any, ...]]] = [
        *(("training.practice.tasks.grade_attempt", (key,)) for key in draw.sample(attempts, min(20, len(attempts)))),
        *(("exams.results.tasks.grade", (str(key),)) for key in sittings),
        *(("exams.results.tasks.send_letter", (str(key),)) for key in results),
        *(("exams.certificates.tasks.follow_result", (str(key),)) for key in results),
        ("training.mail.tasks.deliver", ()),
        ("training.practice.tasks.sweep", ()),
        ("exams.results.tasks.sweep", ()),
    ]
    return work * 2
