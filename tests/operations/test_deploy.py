"""Updates under load: no request is cut, none is refused, and a task that has begun is finished."""

import signal
import socket
import sys
import threading
import time
import urllib.request
import uuid
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from pathlib import Path

from tests.running import Installation, until
from training.operations import supervisor, web_server
from training.operations.management.commands.serve import PYTHON_MODULE

Install = Callable[..., Installation]
# The program and not the module: only that can start its own successor.
WEB = [
    str(Path(sys.executable).with_name("gunicorn")),
    "-c",
    "python:training.operations.web_server",
    "tests.slow_site",
]
# As a service manager hands over a socket that it keeps itself.
GIVEN_SOCKET = """
import os, sys
os.dup2(int(sys.argv[1]), 3)
os.execve(sys.argv[2], sys.argv[2:], os.environ | {"LISTEN_FDS": "1", "LISTEN_PID": str(os.getpid())})
"""
LONG = 7  # seconds


def get(installation: Installation, path: str) -> str:
    with urllib.request.urlopen(installation.url + path, timeout=30) as response:
        return str(response.read().decode())


@contextmanager
def load(installation: Installation) -> Iterator[list[str]]:
    """Visitors who come one after the other, three at a time; the list is of what went wrong."""
    wrong: list[str] = []
    over = threading.Event()

    def visit() -> None:
        while not over.is_set():
            try:
                get(installation, "/healthz")
            except OSError as error:
                wrong.append(repr(error))
            time.sleep(0.05)

    visitors = [threading.Thread(target=visit) for _ in range(3)]
    for visitor in visitors:
        visitor.start()
    try:
        yield wrong
    finally:
        over.set()
        for visitor in visitors:
            visitor.join()


def test_a_restart_behind_a_kept_socket_cuts_and_refuses_nobody(install: Install) -> None:
    """As `systemctl restart` does it where `sabot-web.socket` keeps the address: the new one starts when the old has
    ended, and who comes in between waits."""
    installation = install()
    with socket.create_server(("127.0.0.1", installation.port)) as kept, ThreadPoolExecutor() as threads:
        command = [sys.executable, "-c", GIVEN_SOCKET, str(kept.fileno()), *WEB]
        old = installation.start("old", command, keep=kept.fileno())
        assert get(installation, "/slow?0") == str(old.pid)
        slow = threads.submit(get, installation, f"/slow?{LONG}")
        with load(installation) as wrong:
            time.sleep(0.5)  # the slow one is under way by then, or it will be the new one's
            old.terminate()
            assert old.wait(timeout=30) == 0
            between = threads.submit(get, installation, "/slow?0")
            new = installation.start("new", command, keep=kept.fileno())
            assert between.result() == str(new.pid)
            assert slow.result() in (str(old.pid), str(new.pid))
        assert wrong == []


def test_an_update_in_place_cuts_and_refuses_nobody(install: Install) -> None:
    name = f"sabot-{uuid.uuid4().hex}"
    installation = install(NOTIFY_SOCKET=f"@{name}")
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
        manager.bind(f"\0{name}")
        old = installation.start("web", WEB)
        until("it answers", lambda: installation.get("/healthz")[0] == 200)
        with ThreadPoolExecutor() as threads, load(installation) as wrong:
            slow = threads.submit(get, installation, f"/slow?{LONG}")
            time.sleep(0.5)
            old.send_signal(signal.SIGUSR2)
            until("its successor answers", lambda: get(installation, "/slow?0") != str(old.pid))
            assert slow.result() == str(old.pid)
            assert old.wait(timeout=60) == 0
            successor = get(installation, "/slow?0")
            assert successor != str(old.pid)
        assert wrong == []
        # What the unit's NotifyAccess=all lets through: it is a web process of the successor that says it.
        assert f"MAINPID={successor}" in told(manager)


def told(manager: socket.socket) -> list[str]:
    """Every message that the service manager was sent so far."""
    manager.setblocking(False)
    messages = []
    with suppress(BlockingIOError):
        while True:
            messages.append(manager.recv(4096).decode())
    return messages


def test_whoever_stops_the_web_server_waits_for_its_longest_request() -> None:
    assert web_server.timeout < web_server.graceful_timeout < supervisor.GRACE_SECONDS


def test_a_worker_that_is_asked_to_stop_finishes_its_task(install: Install) -> None:
    installation = install()
    notes = installation.var / "notes"
    worker = [
        *PYTHON_MODULE,
        "celery",
        "-A",
        "training",
        "worker",
        "-I",
        "tests.slow_task",
        "-Q",
        "practice",
        "-c",
        "1",
    ]
    process = installation.start("worker", worker)
    send = f"from training.celery import app; app.send_task('tests.slow', ({str(notes)!r}, 3))"
    assert installation.manage("shell", "-v0", "--no-imports", "-c", send).returncode == 0
    until("the task is begun", notes.exists)
    process.terminate()
    assert process.wait(timeout=30) == 0
    assert notes.read_text() == "begun\ndone\n"
    assert installation.pids() == []
