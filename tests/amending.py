"""The amendment written for the tests, loaded for one test and taken out again."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from exams.programmes import forms, refresher, validation
from rules_engine import Rulebook, scenario
from rules_engine.amendments import load, remove
from training.lessons import law_changes

FOLDER = Path(__file__).parent / "amendments" / "pt-black-jack-2026"
OLD, NEW = "pt-black-jack", "pt-black-jack-2026"


@contextmanager
def amended() -> Iterator[Rulebook]:
    """The new version in service. What is kept by rulebook is forgotten before and after."""
    _forget()
    book = load(FOLDER)
    try:
        yield book
    finally:
        remove(book)
        _forget()


def _forget() -> None:
    for kept in (
        forms.topics_of,
        forms.drawn_topics,
        validation._supply,
        refresher._lines,
        scenario.by_rank,
        law_changes.differing,
        law_changes.rules_to_learn_anew,
        law_changes._shown,
    ):
        kept.cache_clear()


def copied(to: Path, name: str = NEW) -> Path:
    """A copy of the folder, to break."""
    return Path(shutil.copytree(FOLDER, to / name))
