"""The indexes in the file: they find the same as those in memory, and a change of the rulebooks makes them useless."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command

from training.library import incident_search
from training.rulebooks import law_search
from training.search import stored
from training.search.ranking import Index, Ranking


@pytest.fixture
def written(settings: Any, tmp_path: Path) -> Iterator[Path]:
    settings.SEARCH_DIR = tmp_path
    stored._opened.cache_clear()
    call_command("index_search", verbosity=0)
    stored._opened.cache_clear()
    yield tmp_path
    stored._opened.cache_clear()


def test_the_file_finds_the_same_as_the_memory(written: Path) -> None:
    made = law_search.new_clause_index()
    kept: Ranking[law_search.Clause] = stored.ranking("clauses", lambda: pytest.fail("made again"))
    for asked in ("bancô", "terza carta", "dado fuera de la mesa", "seven loses"):
        expected, found = made.search(asked, "pt"), kept.search(asked, "pt")
        assert expected
        assert [one.key for one in found] == [one.key for one in expected]
        assert [one.score for one in found] == pytest.approx([one.score for one in expected], rel=1e-4)
    assert kept.search("xyzzy", "pt") == []
    kinds: dict[str, Any] = stored.value("kinds", dict)
    assert kinds["pt-craps"][0][1] == incident_search.kinds_of("pt-craps")[0][1]


def test_other_rulebooks_have_no_use_for_the_file(written: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stored, "_digest", lambda: "of other rulebooks")
    stored._opened.cache_clear()
    assert isinstance(stored.ranking("clauses", lambda: Index({})), Index)
    assert stored.value("kinds", lambda: "made") == "made"


def test_writing_again_leaves_one_file(written: Path) -> None:
    (written / "older.sqlite3").touch()
    call_command("index_search", verbosity=0)
    assert [path.suffix for path in written.iterdir()] == [".sqlite3"]


def test_a_word_is_looked_for_in_the_language_that_knows_it() -> None:
    index = law_search._clause_index()
    assert index.spoken(["banco"], "pt") == "pt"
    assert index.spoken(["banco"], "it") == "it"
    assert index.spoken(["shoe", "burn"], "pt") == "en"
