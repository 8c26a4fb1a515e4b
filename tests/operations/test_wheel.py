"""The engine as a distribution: installed from its wheel it makes, asks and rules what the checkout does."""

import hashlib
import json
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from tests.running import ROOT

SEEDS = 6
# Run once in the checkout and once where only the wheel can be imported.
MADE = """
import hashlib, json, sys
sys.path.insert(0, sys.argv[1])
import rules_engine
from rules_engine.narration import ask, narrate, reason
from rules_engine.topics import topics
assert rules_engine.__file__.startswith(sys.argv[1]), rules_engine.__file__
made = {}
for book in rules_engine.RULEBOOKS.values():
    for topic in topics(book.id):
        for seed in range(int(sys.argv[2])):
            scenario = rules_engine.generate(book.id, topic, seed, 1 + seed % 5)
            told = [rules_engine.encode(scenario).decode(), *narrate(scenario.situation, book, "pt")]
            told += [ask(question.key, scenario.situation, book, "pt") for question in scenario.questions]
            told += [reason(step, book, "pt") for step in scenario.solve().steps]
            made[f"{book.id} {topic} {seed}"] = hashlib.sha256("\\n".join(told).encode()).hexdigest()
print(json.dumps(made))
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


def made(folder: Path, away: Path) -> dict[str, str]:
    """What the engine in a folder makes of some seeds of every topic, in a process that can import no other."""
    command = [sys.executable, "-I", "-c", MADE, str(folder), str(SEEDS)]
    done = subprocess.run(command, cwd=away, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    found: dict[str, str] = json.loads(done.stdout)
    return found


def test_the_wheel_has_every_data_file_of_the_checkout(installed: Path) -> None:
    assert data_files(installed) == data_files(ROOT)


def test_the_wheel_is_the_engine_alone(installed: Path) -> None:
    assert {path.name.partition("-")[0] for path in installed.iterdir()} == {"rules_engine", "sabot"}


def test_installed_it_makes_asks_and_rules_what_the_checkout_does(installed: Path, tmp_path: Path) -> None:
    here, there = made(ROOT, tmp_path), made(installed, tmp_path)
    assert len(here) > 900
    assert [name for name, digest in here.items() if there.get(name) != digest] == []


@pytest.mark.parametrize("lost", ["quality.toml", "questions.toml"])
def test_a_data_file_that_is_missing_is_an_error(installed: Path, tmp_path: Path, lost: str) -> None:
    folder = tmp_path / "maimed"
    shutil.copytree(installed, folder)
    (folder / "rules_engine" / "games" / "chemin_de_fer" / lost).unlink()
    done = subprocess.run(
        [sys.executable, "-I", "-c", MADE, str(folder), "1"], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.returncode == 1
    assert "FileNotFoundError" in done.stderr and lost in done.stderr
