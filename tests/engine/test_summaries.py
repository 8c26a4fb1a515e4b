"""Every clause can be read in all languages of its game, in our words."""

import csv
import re
from importlib.resources import files
from pathlib import Path

import msgspec
import pytest

from rules_engine import RULEBOOKS, Rulebook
from rules_engine.__main__ import main
from rules_engine.law import Law
from rules_engine.narration import languages_of
from rules_engine.words import FALLBACK, LANGUAGES

LONGEST = 280
BOOKS = pytest.mark.parametrize("book", RULEBOOKS.values(), ids=RULEBOOKS)
WRITTEN = [
    (book, language)
    for book in RULEBOOKS.values()
    for language in LANGUAGES
    if language != FALLBACK and book.law.summaries(language)
]


@BOOKS
def test_no_clause_lacks_its_summary_in_a_language_of_the_game(book: Rulebook) -> None:
    for language in languages_of(book):
        said = book.law.clauses if language == FALLBACK else book.law.summaries(language)
        assert sorted(book.law.clauses.keys() - said.keys()) == [], language


@pytest.mark.parametrize(("book", "language"), WRITTEN, ids=lambda value: getattr(value, "id", value))
def test_a_summary_is_a_short_sentence_of_its_own_about_a_clause_that_exists(book: Rulebook, language: str) -> None:
    for cite, text in book.law.summaries(language).items():
        where = (cite, text)
        assert text != book.law.row(cite).text, where
        assert 0 < len(text) <= LONGEST, where
        # What a dealer pronounces is quoted as the regulation prints it.
        assert text[0] == "«" or text[0].isupper(), where
        assert text.endswith(".") and text == text.strip() and not re.search(r"\s\s|[\n\t]", text), where
        assert text.count("«") == text.count("»") and text.count("(") == text.count(")"), where


def test_every_file_of_summaries_is_of_a_known_language() -> None:
    found = {source.stem for source in Path(str(files("rules_engine"))).glob("games/*/books/*/summaries/*")}
    assert found
    assert found <= set(LANGUAGES) - {FALLBACK}


def _law(folder: Path, clauses: list[tuple[str, str]], summaries: str, like: Law | None = None) -> Law:
    names = ("article", "clause", "topic", "kind", "text", "depends_on", "hold", "reading", "notes")
    (folder / "summaries").mkdir(parents=True)
    (folder / "summaries" / "pt.toml").write_text(summaries, "utf-8")
    with (folder / "clauses.csv").open("w", encoding="utf-8", newline="") as lines:
        rows = csv.DictWriter(lines, names, restval="")
        rows.writeheader()
        rows.writerows({"article": article, "kind": "decision", "text": text} for article, text in clauses)
    return Law(folder.name, folder, like)


def test_a_clause_speaks_english_where_nobody_wrote_it(tmp_path: Path) -> None:
    law = _law(tmp_path / "one", [("1", "Aces count 1."), ("2", "Kings count 0.")], '"1" = "O ás vale 1."')
    assert law.summary("1", "pt") == "O ás vale 1."
    assert law.summary("1", "en") == law.summary("1", "it") == "Aces count 1."
    assert law.summary("2", "pt") == "Kings count 0."


def test_a_rulebook_inherits_the_words_of_the_clauses_that_it_repeats_and_no_others(tmp_path: Path) -> None:
    written = '"1" = "O ás vale 1."\n"2" = "O rei vale 0."'
    one = _law(tmp_path / "one", [("1", "Aces count 1."), ("2", "Kings count 0.")], written)
    like = _law(tmp_path / "like", [("2", "Kings count 10."), ("3", "Twos count 2.")], '"3" = "O duque vale 2."', one)
    assert like.summary("1", "pt") == "O ás vale 1."
    assert like.summary("2", "pt") == "Kings count 10."
    assert like.summary("3", "pt") == "O duque vale 2."


def test_coverage_tells_the_clauses_in_the_language_asked_for(capsys: pytest.CaptureFixture[str]) -> None:
    told = {}
    for language in ("en", "es", "pt"):
        main(["coverage", "--rulebook", "es-chemin-de-fer", "--scenarios", "1", "--json", "--language", language])
        rows = msgspec.json.decode(capsys.readouterr().out)["es-chemin-de-fer"]
        told[language] = next(row["text"] for row in rows if row["cite"] == "1 p1-2")
    law = RULEBOOKS["es-chemin-de-fer"].law
    assert told["en"] == law.row("1 p1-2").text
    assert told["es"] == law.summaries("es")["1 p1-2"]
    assert told["pt"] == law.summary("1 p1-2", "pt")
