"""The platform of one run, with a database, a broker, a mail server and a disk of its own."""

import json
import os
import signal
import subprocess
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from tests import furnished
from tests.chaos.servers import OwnPostgres, Post
from tests.disk import mounted
from tests.exams.killing import OwnBroker
from tests.running import Installation

SET_UPS = ("embedded", "redis", "rabbitmq")
STEPPED = Path(__file__).parent / "stepped"
# A word of its command line by which each program is known.
PROGRAMS = {"web": "gunicorn", "worker": "--hostname=worker@%h", "exams": "--hostname=exams@%h", "beat": "beat"}


class Logged(Installation):
    """Its logs lie beside the disk that gets full."""

    logs: Path
    patience = 400.0  # commands run beside load and harm

    def log(self, name: str) -> Path:
        return self.logs / f"{name}.log"


class Ground:
    def __init__(self, set_up: str, home: Path, disk: Path | None, small: Path) -> None:
        self.set_up, self.disk = set_up, disk
        self.post = Post()
        self.database = None if set_up == "embedded" else OwnPostgres(small)
        self.broker = None if set_up == "embedded" else OwnBroker(set_up, home / "broker")
        servers = {"EMAIL_URL": self.post.url, "EMAIL_TIMEOUT": "4"}
        if self.database:
            servers["DATABASE_URL"] = self.database.url
        if self.broker:
            self.broker.start()
            servers["CELERY_BROKER_URL"] = self.broker.url
        self.var = small if set_up == "embedded" else home
        self.clock = home / "clock"
        servers |= {"SABOT_CHAOS_CLOCK": str(self.clock), "PYTHONPATH": str(STEPPED)}
        self.platform = Logged(self.var, **servers)
        self.platform.logs = home
        self.ended: Counter[str] = Counter()  # what ended though nobody killed it
        self.killed: set[int] = set()
        self.watching, self.over = threading.Lock(), threading.Event()

    def prepare(self, **people: int) -> list[dict[str, Any]]:
        furnished.with_people(self.platform)
        furnished.with_static(self.platform)
        given = ", ".join(f"{name}={count}" for name, count in people.items())
        return self.inside(f"from tests.chaos.people import arrive; arrive({given})")

    def inside(self, order: str) -> list[dict[str, Any]]:
        """Run Python inside the installation; the JSON lines that it prints."""
        done = self.platform.manage("shell", "-v0", "--no-imports", "-c", order)
        if done.returncode:
            raise RuntimeError(f"{order}:\n{done.stderr[-3000:]}")
        return [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]

    def step_clock(self, seconds: int) -> None:
        """By so much the platform's clock is to be wrong from now on."""
        new = self.clock.with_suffix(".new")
        new.write_text(str(seconds))
        new.rename(self.clock)

    def start(self) -> None:
        for name in ["serve"] if self.set_up == "embedded" else PROGRAMS:
            self.platform.start(name)

    def watch(self) -> None:
        """Start again what ended, as a service manager does, until it is over."""
        while not self.over.wait(0.5):
            with self.watching:
                for name, process in list(self.platform.started.items()):
                    if process.poll() is not None:
                        self.ended[name] += process.pid not in self.killed
                        self._sweep_up(process.pid)
                        self.platform.start(name)

    def processes(self, name: str) -> list[int]:
        """The living processes of one of `PROGRAMS`, parent and children."""
        found = []
        for pid in self.platform.pids():
            try:
                if PROGRAMS[name] in Path(f"/proc/{pid}/cmdline").read_text().split("\0"):
                    found.append(pid)
            except OSError:
                continue
        return found

    def send(self, pids: list[int], number: signal.Signals) -> None:
        for pid in pids:
            if number == signal.SIGKILL:
                self.killed.add(pid)
            try:
                os.kill(pid, number)
            except ProcessLookupError:
                continue

    def stop(self) -> None:
        """Everything of the platform at once; nobody watches any more."""
        self.over.set()
        with self.watching:
            self.platform.end()
            self.platform.started.clear()

    @staticmethod
    def _sweep_up(group: int) -> None:
        """What a dead parent left behind holds its port; a service manager ends it too."""
        try:
            os.killpg(group, signal.SIGKILL)
        except ProcessLookupError:
            return

    def end(self) -> None:
        self.stop()
        self.post.end()
        if self.broker:
            self.broker.end()
        if self.database:
            self.database.kill()


@contextmanager
def ground(set_up: str) -> Iterator[Ground]:
    with ExitStack() as stack:
        home = Path(stack.enter_context(TemporaryDirectory(prefix="sabot-chaos-", ignore_cleanup_errors=True)))
        home.chmod(0o755)  # PostgreSQL runs as somebody else
        disk = stack.enter_context(mounted(home / "disk", megabytes=96 if set_up == "embedded" else 400))
        made = Ground(set_up, home, disk, home / "disk")
        stack.callback(made.end)
        yield made


def can_run(set_up: str) -> bool:
    """Whether this machine has what a set-up needs."""
    if set_up == "embedded":
        return True
    return (
        OwnBroker.can_run(set_up) and not subprocess.run(["which", "psql"], capture_output=True, check=False).returncode
    )
