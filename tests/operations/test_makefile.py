"""The one command, where it cannot work: clear words."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.running import ROOT

PYTHONS = ("python3", "python3.11", "python3.12", "python3.13", "python3.14")


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A fresh checkout's Makefile on a machine whose Pythons are all too old."""
    shutil.copy(ROOT / "Makefile", tmp_path)
    (tmp_path / "requirements.lock").touch()
    (tmp_path / "bin").mkdir()
    for name in PYTHONS:
        python = tmp_path / "bin" / name
        python.write_text('#!/bin/sh\n[ "$1" = --version ] && echo Python 3.9.2 && exit 0\nexit 1\n')
        python.chmod(0o755)
    return tmp_path


def make(checkout: Path, target: str) -> subprocess.CompletedProcess[str]:
    environment = {"PATH": f"{checkout / 'bin'}:{os.environ['PATH']}", "HOME": str(checkout)}
    return subprocess.run(
        ["make", target], cwd=checkout, env=environment, capture_output=True, text=True, timeout=60, check=False
    )


def test_a_python_that_is_too_old_is_named(checkout: Path) -> None:
    done = make(checkout, "run")
    assert done.returncode != 0
    assert "Sabot: Python 3.11 or newer is needed; found Python 3.9.2." in done.stderr
    assert not (checkout / ".venv").exists()


def test_help_names_every_target_and_needs_nothing(checkout: Path) -> None:
    done = make(checkout, "help")
    assert done.returncode == 0
    named = {line.split()[1] for line in done.stdout.splitlines()}
    assert named == {
        "help",
        "setup",
        "run",
        "test",
        "check",
        "bench",
        "bench-against",
        "scaling",
        "room",
        "release-fixture",
        "chaos",
        "soak",
        "look",
        "mutants",
        "audit",
        "sbom",
        "lock",
        "fmt",
        "clean",
    }
