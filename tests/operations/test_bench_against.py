"""`make bench-against`: the engine beside an earlier release, and clear words where that release is not there."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.running import ROOT

QUICK = ("--turns", "1", "--times", "1")
OWN = {"GIT_AUTHOR_NAME": "Sabot", "GIT_AUTHOR_EMAIL": "sabot@sabot.example", "GIT_CONFIG_GLOBAL": os.devnull}
ENVIRONMENT = {**os.environ, **OWN, "GIT_COMMITTER_NAME": "Sabot", "GIT_COMMITTER_EMAIL": "sabot@sabot.example"}


def git(folder: Path, *command: str) -> str:
    done = subprocess.run(["git", *command], cwd=folder, env=ENVIRONMENT, capture_output=True, text=True, check=True)
    return done.stdout.strip()


@pytest.fixture(scope="module")
def repository(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A repository with two commits of the engine as it stands here."""
    folder = tmp_path_factory.mktemp("releases") / "sabot"
    no_caches = shutil.ignore_patterns("__pycache__")
    shutil.copytree(ROOT / "rules_engine", folder / "rules_engine", ignore=no_caches)
    (folder / "tests" / "bench").mkdir(parents=True)
    for name in ("tests/__init__.py", "tests/bench/__init__.py", "tests/bench/against.py"):
        shutil.copy(ROOT / name, folder / name)
    git(folder, "init", "--quiet")
    git(folder, "add", ".")
    git(folder, "commit", "--quiet", "--message", "An earlier release")
    git(folder, "commit", "--quiet", "--allow-empty", "--message", "This release")
    return folder


def against(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "tests.bench.against", *arguments]
    return subprocess.run(
        command, cwd=folder, env=ENVIRONMENT, capture_output=True, text=True, timeout=240, check=False
    )


def test_every_topic_stands_beside_the_earlier_release(repository: Path) -> None:
    done = against(repository, "HEAD~1", *QUICK, "--allowed", "0")
    assert done.returncode == 0, done.stderr
    *lines, verdict = done.stdout.splitlines()
    assert verdict == "0 slower than 0.0 of HEAD~1"
    assert len(lines) > 100 and all(line.endswith("×") for line in lines)
    assert any(line.startswith("pt-chemin-de-fer third_card ") for line in lines)


def test_what_got_slower_is_counted_and_fails(repository: Path) -> None:
    done = against(repository, "HEAD~1", *QUICK, "--allowed", "1000000")
    *lines, verdict = done.stdout.splitlines()
    assert (done.returncode, verdict) == (1, f"{len(lines)} slower than 1000000.0 of HEAD~1")


@pytest.mark.parametrize("ref", ["0123456789", "--output=stolen", "no-such-branch"])
def test_an_unknown_commit_is_named_and_nothing_is_measured(repository: Path, ref: str) -> None:
    done = against(repository, *QUICK, "--", ref)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == f"Sabot: {ref} is no commit of this clone; git fetch may bring it\n"


def test_a_shallow_clone_says_how_to_get_the_rest(repository: Path, tmp_path: Path) -> None:
    earlier = git(repository, "rev-parse", "HEAD~1")
    git(tmp_path, "clone", "--quiet", "--depth", "1", repository.as_uri(), "shallow")
    done = against(tmp_path / "shallow", earlier)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == f"Sabot: {earlier} is not in this clone, which is shallow: git fetch --unshallow\n"


def test_without_a_commit_it_says_how_to_name_one(repository: Path) -> None:
    done = against(repository)
    assert (done.returncode, done.stdout) == (2, "")
    assert "make bench-against REF=<commit>" in done.stderr


def test_make_hands_the_commit_on() -> None:
    done = subprocess.run(
        ["make", "-n", "--no-print-directory", "bench-against", "REF=HEAD~1"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    assert done.stdout.splitlines()[-1].endswith("-m tests.bench.against HEAD~1")
