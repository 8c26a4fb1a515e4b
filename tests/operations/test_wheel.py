"""The engine as a distribution: installed from its wheel it makes, asks and rules what the checkout does."""

import hashlib
import json
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from rules_engine import GAMES
from tests import digests
from tests.running import ROOT

GAME = "chemin_de_fer"
BOOK = f"{GAME}/books/pt-chemin-de-fer"
# Run once in the checkout and once where only the wheel can be imported; the digests are those of tests/digests.py.
MADE = """
import json, runpy, sys
sys.path.insert(0, sys.argv[1])
import rules_engine
from rules_engine.narration import ask, narrate, reason
from rules_engine.topics import topics
assert rules_engine.__file__.startswith(sys.argv[1]), rules_engine.__file__
digest = runpy.run_path(sys.argv[2])["digest"]
made = {name: {game.version: digest(name)} for name, game in rules_engine.GAMES.items()}
words = [book.law.title for book in rules_engine.RULEBOOKS.values()]
for book in rules_engine.RULEBOOKS.values():
    for topic in topics(book.id):
        scenario = rules_engine.generate(book.id, topic, 1, 2)
        words += narrate(scenario.situation, book, "pt")
        words += [ask(question.key, scenario.situation, book, "pt") for question in scenario.questions]
        words += [reason(step, book, "pt") for step in scenario.solve().steps]
print(json.dumps([made, words]))
"""


def data_files(folder: Path) -> dict[str, str]:
    """Everything of the engine that is not code, with a digest of each file."""
    return {
        path.relative_to(folder).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in (folder / "rules_engine").rglob("*")
        if path.is_file() and path.suffix not in (".py", ".pyc")
    }


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, built without a network from a copy of the sources and unpacked."""
    source, target = tmp_path_factory.mktemp("source"), tmp_path_factory.mktemp("installed")
    for name in ("pyproject.toml", "LICENSE"):
        shutil.copy(ROOT / name, source)
    shutil.copytree(ROOT / "rules_engine", source / "rules_engine", ignore=shutil.ignore_patterns("__pycache__"))
    build = "import sys; from setuptools.build_meta import build_wheel; print(build_wheel(sys.argv[1]))"
    done = subprocess.run(
        [sys.executable, "-c", build, str(target)], cwd=source, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    (wheel,) = target.glob("*.whl")
    with zipfile.ZipFile(wheel) as packed:
        packed.extractall(target)
    wheel.unlink()
    return target


def run(folder: Path, away: Path) -> "subprocess.CompletedProcess[str]":
    """Let the engine in a folder make scenarios of every topic, in a process that can import no other."""
    command = [sys.executable, "-I", "-c", MADE, str(folder), digests.__file__]
    return subprocess.run(command, cwd=away, capture_output=True, text=True, check=False)


def made(folder: Path, away: Path) -> tuple[dict[str, dict[str, str]], list[str]]:
    """The digest of each game and version, and some of its words."""
    done = run(folder, away)
    assert done.returncode == 0, done.stderr
    found, words = json.loads(done.stdout)
    return found, words


def test_the_wheel_has_every_data_file_of_the_checkout(installed: Path) -> None:
    assert data_files(installed) == data_files(ROOT)


def test_the_wheel_is_the_engine_alone(installed: Path) -> None:
    assert {path.name.partition("-")[0] for path in installed.iterdir()} == {"rules_engine", "sabot"}


def test_installed_it_makes_asks_and_rules_what_the_checkout_does(installed: Path, tmp_path: Path) -> None:
    (there, words), (here, own_words) = made(installed, tmp_path), made(ROOT, tmp_path)
    assert there == here
    assert {game: digests.stored()[game].items() >= found.items() for game, found in there.items()} == dict.fromkeys(
        GAMES, True
    )
    assert len(words) > 900
    assert words == own_words


@pytest.mark.parametrize(
    "lost",
    [
        *(f"{GAME}/{name}" for name in ("quality.toml", "questions.toml")),
        *(f"{BOOK}/{name}" for name in ("law.toml", "numbers.toml", "clauses.csv", "formulas.toml")),
    ],
)
def test_a_data_file_that_is_missing_is_an_error(installed: Path, tmp_path: Path, lost: str) -> None:
    folder = tmp_path / "maimed"
    shutil.copytree(installed, folder)
    (folder / "rules_engine" / "games" / lost).unlink()
    done = run(folder, tmp_path)
    assert done.returncode == 1
    assert "FileNotFoundError" in done.stderr and lost in done.stderr
