"""Brokers that accept and say nothing, or refuse: nobody waits for long, nothing fails, and workers go on trying."""

import shutil
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from celery import Celery, Task
from structlog.testing import capture_logs

from tests.running import Installation, free_port, until
from tests.services import BROKERS, missing
from tests.silence import Hush
from training.celery import QueueConfig
from training.operations.management.commands.serve import programs
from training.platform import broker

pytestmark = pytest.mark.services
Install = Callable[..., Installation]
LONGEST = 5.0  # seconds that somebody whose answer is stored may wait


@pytest.fixture(autouse=True)
def _no_rest(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every sending tries; what the rest after a failure spares is a test of its own."""
    monkeypatch.setattr(broker, "REST", 0.0)
    monkeypatch.setattr(broker, "_tried_again_at", 0.0)


@pytest.fixture
def rabbitmq() -> Iterator[Hush]:
    at = urlsplit(BROKERS["rabbitmq"])
    with Hush(at.hostname or "", at.port or 5672) as between:
        yield between


@pytest.fixture
def redis(tmp_path: Path) -> Iterator[tuple[int, "subprocess.Popen[bytes]"]]:
    """A server of the test's own, to be stopped in its tracks; it wants a password."""
    if not shutil.which("redis-server"):
        missing("redis-server", FileNotFoundError())
    port = free_port()
    command = ["redis-server", "--port", str(port), "--save", "", "--requirepass", "right", "--dir", str(tmp_path)]
    server = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    yield port, server
    server.kill()
    server.wait()


def task_on(url: str) -> "Task[..., object]":
    queue = Celery("silent", set_as_current=False)
    queue.config_from_object(QueueConfig)
    name = f"test-{time.monotonic_ns()}"
    queue.conf.update(broker_url=url, broker_transport_options=broker.transport_options(url), task_default_queue=name)

    def note() -> None: ...

    return queue.task(name="note", shared=False)(note)


def sent(task: "Task[..., object]") -> tuple[bool, float]:
    """Whether a message went out, and how long its sender waited."""
    started = time.monotonic()
    with capture_logs() as lines:
        broker._send(task, (), {})
    return "task_not_sent" not in [line["event"] for line in lines], time.monotonic() - started


def forget(task: "Task[..., object]") -> None:
    with task.app.connection_for_write() as connection:
        connection.default_channel.queue_delete(task.app.conf.task_default_queue)  # type: ignore[attr-defined]
    task.app.close()


@pytest.mark.parametrize("warm", [True, False])
def test_a_silent_rabbitmq_is_given_up_soon_and_used_again_after(rabbitmq: Hush, warm: bool) -> None:
    at = urlsplit(BROKERS["rabbitmq"])
    task = task_on(f"amqp://{at.username}:{at.password}@127.0.0.1:{rabbitmq.port}/{at.path[1:]}")
    if warm:
        assert sent(task)[0]
    rabbitmq.silent = True
    for _ in range(2):
        done, waited = sent(task)
        assert not done
        assert waited < LONGEST
    rabbitmq.silent = False
    assert sent(task)[0]
    forget(task)


@pytest.mark.parametrize("warm", [True, False])
def test_a_stopped_redis_is_given_up_soon_and_used_again_after(
    redis: tuple[int, "subprocess.Popen[bytes]"], warm: bool
) -> None:
    port, server = redis
    task = task_on(f"redis://:right@127.0.0.1:{port}/0")
    until("redis answers", lambda: sent(task)[0])
    if not warm:
        task.app.close()
        task = task_on(f"redis://:right@127.0.0.1:{port}/0")
    with ExitStack() as at_last:
        server.send_signal(signal.SIGSTOP)
        at_last.callback(server.send_signal, signal.SIGCONT)
        for _ in range(2):
            done, waited = sent(task)
            assert not done
            assert waited < LONGEST
    until("redis is used again", lambda: sent(task)[0])
    task.app.close()


def test_after_a_failure_nobody_else_waits_for_a_while(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(broker, "REST", 60.0)
    task = task_on("amqp://127.0.0.1:1//")
    assert not sent(task)[0]
    with capture_logs() as lines:
        started = time.monotonic()
        for _ in range(100):
            broker._send(task, (), {})
        assert time.monotonic() - started < 0.1
    assert lines == []
    monkeypatch.setattr(broker, "_tried_again_at", time.monotonic())
    assert not sent(task)[0]
    task.app.close()


def test_refused_credentials_fail_nobody_whose_work_is_stored(redis: tuple[int, "subprocess.Popen[bytes]"]) -> None:
    at = urlsplit(BROKERS["rabbitmq"])
    urls = [f"amqp://{at.username}:wrong@{at.hostname}:{at.port}//", f"redis://:wrong@127.0.0.1:{redis[0]}/0"]
    for url in urls:
        task = task_on(url)
        done, waited = sent(task)
        assert not done
        assert waited < LONGEST
        task.app.close()


def test_a_worker_whose_credentials_are_refused_says_so_and_goes_on_trying(install: Install) -> None:
    at = urlsplit(BROKERS["rabbitmq"])
    installation = install(CELERY_BROKER_URL=f"amqp://{at.username}:wrong@{at.hostname}:{at.port}//")
    worker = installation.start("exams")
    until("it says so and tries again", lambda: installation.output("exams").count("ACCESS_REFUSED") >= 2)
    assert worker.poll() is None
    assert "wrong" not in installation.output("exams")
    worker.terminate()
    assert worker.wait(timeout=30) == 0


def test_two_workers_of_a_kind_work_on_one_machine(install: Install, broker_env: dict[str, str]) -> None:
    installation = install(**broker_env)
    kinds = programs(broker_env["CELERY_QUEUE_PREFIX"])
    names = ["one", "two"]
    started = [installation.start(name, kinds["worker"]) for name in names]
    for name in names:
        until(f"{name} is ready", lambda name=name: "ready." in installation.output(name))  # type: ignore[misc]
    for process in started:
        assert process.poll() is None
    ready = [next(line for line in installation.output(name).splitlines() if "ready." in line) for name in names]
    assert len({line.split("@")[0].split()[-1] for line in ready}) == len(names)
    assert not any("RESOURCE_LOCKED" in installation.output(name) for name in names)
