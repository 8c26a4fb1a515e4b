"""`serve` as people run it: everything up, everything gone, and clear words when it cannot."""

import signal
import socket
from collections.abc import Callable
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from tests import furnished
from tests.running import PRODUCTION, Installation, until
from training.platform import broker

Install = Callable[..., Installation]


# Without the exams of the demo, which take long.
PREPARED = """
from unittest.mock import patch
from django.core.management import call_command
from training.operations.management.commands import prepare
def call_all_but_exams(name, **options):
    if name != "demo_exams":
        call_command(name, **options)
with patch.object(prepare, "call_command", call_all_but_exams):
    call_command("prepare")
"""


def readable_by_others(folder: Path) -> list[str]:
    kept = [folder, *folder.glob("*"), *folder.glob("mail/*")]
    return [str(path) for path in kept if path.lstat().st_mode & 0o077 and not path.is_symlink()]


def open_to_everybody(installation: Installation) -> None:
    """Leave files as an earlier version did, which everybody could read."""
    mail = installation.var / "mail" / "20260101-000000-1.log"
    mail.parent.mkdir()
    mail.touch()
    for path in (installation.var, mail.parent):
        path.chmod(0o755)
    for path in (mail, installation.var / "sabot.sqlite3"):
        path.chmod(0o644)
    assert len(readable_by_others(installation.var)) == 4


def test_it_starts_everything_keeps_its_files_private_and_leaves_nothing(install: Install) -> None:
    installation = install()
    furnished.with_people(installation)
    open_to_everybody(installation)
    installation.run(PREPARED)
    assert readable_by_others(installation.var) == []
    process = installation.start("serve")
    installation.wait_until_ready()
    until("the address is told", lambda: "Ready: " in installation.output("serve"))
    assert installation.get("/healthz") == (200, {"status": "up"})
    assert f"{installation.url}/" in installation.output("serve")
    assert "ines@sabot.example" in installation.output("serve")
    assert len(installation.pids()) >= 7  # supervisor, web + 2, worker + 2, beat
    assert (installation.var / "broker.sqlite3").exists()
    assert readable_by_others(installation.var) == []
    process.send_signal(signal.SIGINT)
    assert process.wait(timeout=30) == 0
    assert installation.pids() == []


def test_a_taken_port_is_one_clear_line(install: Install) -> None:
    installation = install()
    with socket.socket() as other:
        other.bind(("127.0.0.1", installation.port))
        other.listen()
        done = installation.manage("serve")
    assert done.returncode == 1
    (line,) = done.stderr.splitlines()
    assert f"Port {installation.port} on 127.0.0.1 cannot be used" in line
    assert f"PORT={installation.port + 1} make run" in line
    assert installation.pids() == []


@pytest.mark.parametrize("port", ["eighty", "0", "65536", "-1", "８０"])
def test_a_port_that_is_none_is_refused(monkeypatch: pytest.MonkeyPatch, port: str) -> None:
    monkeypatch.setenv("PORT", port)
    with pytest.raises(CommandError, match=f"PORT is “{port}”; it must be a number from 1 to 65535"):
        call_command("serve")


def test_production_does_not_start_on_a_demo_database(install: Install) -> None:
    installation = install()
    furnished.with_people(installation)
    production = PRODUCTION | {
        "DATABASE_URL": f"sqlite:///{installation.var}/sabot.sqlite3",
        "CELERY_BROKER_URL": broker.embedded_url(installation.var),
    }
    refusal = installation.manage("serve", **production)
    assert refusal.returncode == 1
    assert "demo people can still sign in" in refusal.stderr
    # Each program refuses on its own too, since production starts them one by one.
    installation.environment.update(production)
    started = {name: installation.start(name) for name in ("web", "exams", "worker", "beat")}
    for name, process in started.items():
        assert process.wait(timeout=60) != 0, name
        assert "demo people can still sign in" in installation.output(name), name
    until("no process is left", lambda: not installation.pids(), within=10)
