"""The platform really started, as people start it, for tests that drive it from outside."""

import hashlib
import json
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
import uuid
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, TypeVar

from training.operations.management.commands.serve import programs

ROOT = Path(__file__).resolve().parent.parent
MANAGE = [sys.executable, str(ROOT / "manage.py")]
# What the test settings put into this process's environment must not reach the started one.
OURS = (
    "DJANGO_",
    "SABOT_",
    "CELERY_",
    "DATABASE_",
    "SECRET_KEY",
    "CACHE_",
    "EMAIL_",
    "PYTEST_",
    "PORT",
    "HOST",
    "ALLOWED_",
    "DEFAULT_FROM",
    "PYTHONDONTWRITEBYTECODE",  # a started process would compile every module anew
)
# What production asks for, with addresses where nobody is; a test that starts something gives its own.
PRODUCTION = {
    "SABOT_MODE": "production",
    "SECRET_KEY": hashlib.sha256(b"a key of the tests").hexdigest(),
    "ALLOWED_HOSTS": "sabot.example",
    "DATABASE_URL": "postgres://user:pw@db.example/sabot",
    "CELERY_BROKER_URL": "amqp://broker.example//",
    "EMAIL_URL": "smtp://mail.example",
    "DEFAULT_FROM_EMAIL": "sabot@sabot.example",
}
Answer = TypeVar("Answer")


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def until(what: str, ask: Callable[[], Answer], *, within: float = 60.0) -> Answer:
    """Ask until the answer is true, and return it; fail by naming what never came."""
    deadline = time.monotonic() + within
    while not (answer := ask()):
        if time.monotonic() > deadline:
            raise AssertionError(f"{what}: not within {within:g} s")
        time.sleep(0.05)
    return answer


class Installation:
    """One installation of the platform with a `var` directory, a port and processes of its own."""

    patience = 300.0  # seconds that a command may take
    other_ports: Sequence[int] = ()  # of the sockets for exams and for `/healthz`, where it has them

    def __init__(self, var: Path, **environment: str) -> None:
        self.var = var
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.mark = f"SABOT_TEST_MARK={uuid.uuid4().hex}"
        name, _, value = self.mark.partition("=")
        kept = {key: given for key, given in os.environ.items() if not key.startswith(OURS)}
        own = {"SABOT_MODE": "demo", "SABOT_VAR": str(var), "PORT": str(self.port), name: value}
        self.environment = kept | own | environment
        self.started: dict[str, subprocess.Popen[bytes]] = {}

    def manage(self, *args: str, **changes: str) -> subprocess.CompletedProcess[str]:
        """Run a management command to its end; its status and output are for the test to judge."""
        return subprocess.run(
            [*MANAGE, *args],
            cwd=ROOT,
            env=self.environment | changes,
            capture_output=True,
            text=True,
            timeout=self.patience,
            check=False,
        )

    def run(self, code: str) -> str:
        """Run Python inside the installation, which must end well; what it prints."""
        done = self.manage("shell", "-v0", "--no-imports", "-c", code)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    def start(self, name: str, command: Sequence[str] = (), *, keep: Sequence[int] = ()) -> subprocess.Popen[bytes]:
        """Start "serve", one of "web", "exams", "worker", "beat" alone, or any command under a name.

        `keep` are file descriptors to hand down.
        """
        prefix = self.environment.get("CELERY_QUEUE_PREFIX", "")
        command = command or {"serve": [*MANAGE, "serve"], **programs(prefix)}[name]
        with self.log(name).open("ab") as log:
            self.started[name] = subprocess.Popen(
                command,
                cwd=ROOT,
                env=self.environment,
                stdout=log,
                stderr=log,
                start_new_session=True,
                pass_fds=keep,
            )
        return self.started[name]

    def log(self, name: str) -> Path:
        return self.var / f"{name}.log"

    def output(self, name: str) -> str:
        return self.log(name).read_text(errors="replace")

    def get(self, path: str) -> tuple[int, Any]:
        """Status and JSON of an address; status 0 while nobody answers."""
        try:
            with urllib.request.urlopen(self.url + path, timeout=5) as response:
                return response.status, json.load(response)
        except urllib.error.HTTPError as error:
            with error:  # left to the collector, its socket would be reported in whatever test runs then
                return error.code, json.load(error)
        except OSError:
            return 0, None

    def wait_until_ready(self, *, within: float = 60.0) -> None:
        try:
            until("the platform is ready", lambda: self.get("/readyz")[0] == 200, within=within)
        except AssertionError as error:
            logs = "".join(self.output(name)[-4000:] for name in self.started)
            raise AssertionError(f"{error}: {self.get('/readyz')}\n{logs}") from None

    def pids(self) -> list[int]:
        """Every living process of this installation, children and grandchildren too, wherever they moved."""
        mark = self.mark.encode()
        found = []
        for entry in Path("/proc").iterdir():
            if not entry.name.isdecimal():
                continue
            try:
                if mark in (entry / "environ").read_bytes().split(b"\0"):
                    found.append(int(entry.name))
            except OSError:
                continue
        return found

    def end(self) -> None:
        """Leave nothing behind, however the test ended."""
        for pid in self.pids():
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                continue
        for process in self.started.values():
            process.wait()
