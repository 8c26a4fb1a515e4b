"""The brokers, and the embedded one in particular."""

import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from threading import Thread

import pytest
from celery import Celery, current_app
from celery.contrib.testing.worker import start_worker
from django.db import transaction
from kombu.exceptions import OperationalError

from tests.running import ROOT, until
from training.celery import QueueConfig
from training.celery import app as platform_queue
from training.platform import broker


@pytest.fixture
def embedded(tmp_path: Path) -> Iterator[Celery]:
    """A Celery application of its own on a real embedded broker file."""
    url = broker.embedded_url(tmp_path)
    queue = Celery("embedded", set_as_current=False)
    queue.config_from_object(QueueConfig)
    queue.conf.update(broker_url=url, broker_transport_options=broker.transport_options(url))
    queue.conf.beat_schedule = {}
    yield queue
    queue.close()


def rows(queue: Celery) -> int:
    path = queue.conf.broker_url.removeprefix("embedded+sqlite:///")
    with closing(sqlite3.connect(path)) as connection:
        return int(connection.execute("SELECT count(*) FROM message").fetchone()[0])


def test_the_embedded_broker_carries_every_message_and_keeps_none(embedded: Celery) -> None:
    done: list[int] = []

    @embedded.task(name="note", shared=False)
    def note(number: int) -> None:
        done.append(number)

    for number in range(20):
        note.delay(number)
    assert rows(embedded) == 20
    with start_worker(embedded, pool="solo", perform_ping_check=False, shutdown_timeout=60, loglevel="WARNING"):
        until("all are done", lambda: len(done) == 20, within=20)
    assert sorted(done) == list(range(20))
    assert rows(embedded) == 0


def test_a_queue_of_a_test_is_not_that_of_the_next() -> None:
    """The one above had a worker; a thread of the platform, which has no queue of its own, uses the default."""
    found: list[str | None] = []
    thread = Thread(target=lambda: found.append(current_app.main))
    thread.start()
    thread.join()
    assert found == [platform_queue.main]


# Each process waits for the starting shot and then opens its queue on every new file, all at the same moment.
OPENING = """
import sys
from kombu import Connection
import training.platform.broker, training.platform.embedded_broker
print("ready", flush=True)
for url in sys.stdin.read().split():
    with Connection(url) as connection:
        for queue in ("exams", "practice", "background"):
            connection.SimpleQueue(queue).put({"from": sys.argv[1]})
"""


def test_processes_that_start_at_once_share_a_new_embedded_broker(tmp_path: Path) -> None:
    files = [tmp_path / str(number) for number in range(8)]
    for path in files:
        path.mkdir()
    command = [sys.executable, "-c", OPENING]
    started = [
        subprocess.Popen([*command, str(number)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=ROOT)
        for number in range(4)
    ]
    for process in started:
        assert process.stdout
        assert process.stdout.readline() == "ready\n"
    for process in started:
        assert process.stdin
        process.stdin.write(" ".join(map(broker.embedded_url, files)))
        process.stdin.close()
    assert [process.wait(timeout=60) for process in started] == [0, 0, 0, 0]
    for process in started:
        assert process.stdout
        process.stdout.close()
    for path in files:
        with closing(sqlite3.connect(path / "broker.sqlite3")) as connection:
            assert connection.execute("SELECT count(*) FROM message").fetchone() == (12,)
            assert connection.execute("SELECT count(DISTINCT queue) FROM message").fetchone() == (3,)


def test_the_embedded_broker_lets_readers_and_a_writer_work_at_once(embedded: Celery) -> None:
    embedded.send_task("anything")
    with closing(sqlite3.connect(embedded.conf.broker_url.removeprefix("embedded+sqlite:///"))) as connection:
        assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)


@pytest.mark.parametrize("url", ["redis://localhost/0", "rediss://localhost/0"])
def test_redis_gives_back_what_a_killed_worker_held_but_not_while_a_task_may_run(url: str) -> None:
    options = broker.transport_options(url)
    assert options["visibility_timeout"] > QueueConfig.task_time_limit
    assert options["unacked_restore_interval"] * options["unacked_restore_throttle"] <= 10


def test_tasks_are_never_run_in_the_caller_and_never_pickled() -> None:
    assert platform_queue.conf.task_always_eager is False
    assert platform_queue.conf.accept_content == ["json"]
    assert platform_queue.conf.task_acks_late
    assert platform_queue.conf.task_reject_on_worker_lost


class SentTask:
    """Stands where a task stands when it is sent."""

    name = "training.some.task"
    app = platform_queue

    def __init__(self, failure: Exception | None = None) -> None:
        self.failure = failure
        self.sent: list[tuple[object, ...]] = []

    def apply_async(self, args: tuple[object, ...], kwargs: dict[str, object], producer: object) -> None:
        if self.failure:
            raise self.failure
        self.sent.append(args)


@pytest.mark.django_db(transaction=True)
def test_a_worker_is_woken_only_once_the_work_is_stored() -> None:
    task = SentTask()
    with transaction.atomic():
        broker.send_on_commit(task, 7)  # type: ignore[arg-type]
        assert task.sent == []
    assert task.sent == [(7,)]
    with pytest.raises(RuntimeError, match="undo"), transaction.atomic():
        broker.send_on_commit(task, 8)  # type: ignore[arg-type]
        raise RuntimeError("undo")
    assert task.sent == [(7,)]


@pytest.mark.django_db(transaction=True)
def test_a_dead_broker_does_not_fail_the_request(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(broker, "_tried_again_at", 0.0)  # and put back after
    with transaction.atomic():
        broker.send_on_commit(SentTask(OperationalError("nobody listens")), 7)  # type: ignore[arg-type]
    (record,) = [record for record in caplog.records if record.name == "training.platform.broker"]
    assert record.msg["event"] == "task_not_sent"  # type: ignore[index]


@pytest.mark.parametrize("url", ["amqp://127.0.0.1:1//", "redis://127.0.0.1:1/0"])
def test_a_broker_that_is_away_is_given_up_soon(url: str) -> None:
    queue = Celery("away", set_as_current=False)
    queue.config_from_object(QueueConfig)
    queue.conf.update(broker_url=url, broker_transport_options=broker.transport_options(url))
    with pytest.raises(OperationalError):
        queue.send_task("anything")
    queue.close()
