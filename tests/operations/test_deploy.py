"""Updates under load: no request is cut, none is refused, and a task that has begun is finished."""

import json
import socket
import subprocess
import sys
import threading
import time
import urllib.request
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager

from tests.operations.deployed import GIVEN_SOCKETS
from tests.operations.deploying import command_of_unit
from tests.running import Installation, until
from training.operations import supervisor, web_server
from training.operations.management.commands.serve import PYTHON_MODULE

Install = Callable[..., Installation]
# As the units start it, with a page that takes as long as one likes.
WEB, STAND_IN = (
    [*command_of_unit(unit)[:-1], "tests.slow_site"] for unit in ("sabot-web.service", "sabot-web-standin.service")
)
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


@contextmanager
def kept(installation: Installation) -> Iterator[Callable[[str, list[str]], "subprocess.Popen[bytes]"]]:
    """Sockets that stay open while web restarts, as `sabot-web.socket` keeps them; starts a program with them."""
    with ExitStack() as stack:
        sockets = [stack.enter_context(socket.create_server(("127.0.0.1", installation.port)))]
        sockets += [stack.enter_context(socket.create_server(("127.0.0.1", 0))) for _ in range(2)]
        installation.other_ports = [one.getsockname()[1] for one in sockets[1:]]
        numbers = [one.fileno() for one in sockets]
        passing = [sys.executable, "-c", GIVEN_SOCKETS, ",".join(map(str, numbers))]
        yield lambda name, command: installation.start(name, [*passing, *command], keep=numbers)


def test_a_restart_behind_kept_sockets_cuts_and_refuses_nobody(install: Install) -> None:
    """As `systemctl restart` does it: the new one starts when the old has ended, and who comes in between waits."""
    installation = install()
    with kept(installation) as start, ThreadPoolExecutor() as threads:
        old = start("old", WEB)
        assert get(installation, "/slow?0") == str(old.pid)
        slow = threads.submit(get, installation, f"/slow?{LONG}")
        with load(installation) as wrong:
            time.sleep(0.5)  # the slow one is under way by then, or it will be the new one's
            old.terminate()
            assert old.wait(timeout=30) == 0
            between = threads.submit(get, installation, "/slow?0")
            new = start("new", WEB)
            assert between.result() == str(new.pid)
            assert slow.result() in (str(old.pid), str(new.pid))
        assert wrong == []


def test_an_update_with_the_stand_in_keeps_nobody_waiting_forward_and_back(install: Install) -> None:
    """The three commands of the manual, twice: start the stand-in, restart web, stop the stand-in."""
    installation = install()
    with kept(installation) as start, ThreadPoolExecutor() as threads:
        web = start("web 0", WEB)
        until("web answers", lambda: get(installation, "/slow?0") == str(web.pid))
        with load(installation) as wrong:
            for number in (1, 2):
                stand_in = start(f"stand-in {number}", STAND_IN)
                until("the stand-in answers", lambda one=stand_in: get(installation, "/slow?0") == str(one.pid))  # type: ignore[misc]
                slow = threads.submit(get, installation, "/slow?3")
                time.sleep(0.5)
                web.terminate()
                assert web.wait(timeout=30) == 0
                started = time.monotonic()
                assert get(installation, "/slow?0") == str(stand_in.pid)
                assert time.monotonic() - started < 3  # nobody waits for the start of web
                web = start(f"web {number}", WEB)
                until("web answers again", lambda one=web: get(installation, "/slow?0") == str(one.pid))  # type: ignore[misc]
                stand_in.terminate()
                assert stand_in.wait(timeout=30) == 0
                assert slow.result()
            assert get(installation, "/slow?0") == str(web.pid)
        assert wrong == []


def test_exams_wait_for_one_request_of_others_at_most_and_liveness_for_none(install: Install) -> None:
    """One web process, ten slow requests at the first socket: one at the second is next but one, the third at once."""
    installation = install(WEB_CONCURRENCY="1")
    with kept(installation) as start, ThreadPoolExecutor(12) as threads:
        process = start("web", WEB)
        until("web answers", lambda: get(installation, "/slow?0") == str(process.pid))
        exams, liveness = installation.other_ports
        slow = [threads.submit(get, installation, "/slow?0.5") for _ in range(10)]
        time.sleep(0.3)
        started = time.monotonic()
        assert json.loads(asked(liveness, "/healthz")) == {"status": "up"}
        assert time.monotonic() - started < 0.4
        assert asked(exams, "/slow?0") == str(process.pid)
        assert sum(one.done() for one in slow) < 5
        assert {one.result() for one in slow} == {str(process.pid)}


def asked(port: int, path: str) -> str:
    with urllib.request.urlopen(f"http://127.0.0.1:{port}{path}", timeout=30) as response:
        return str(response.read().decode())


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
