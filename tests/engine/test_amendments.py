"""Versions of regulations, and amendments read from a folder: what they change, and what is refused with one line."""

import re
from collections.abc import Callable, Iterator
from datetime import date
from pathlib import Path

import msgspec
import pytest

from rules_engine import RULEBOOKS, Rulebook, generate, in_force, rulebook, scenario_from, scenario_of, topics, versions
from rules_engine.amendments import BadAmendment, load, load_all, remove
from rules_engine.changes import Change, changes, practised, shown
from rules_engine.narration import reason
from rules_engine.scenario import encode
from rules_engine.topics import cases
from rules_engine.versions import earlier, former, later
from tests.amending import FOLDER, NEW, OLD, amended, copied

CDF, CDF_1995 = "pt-chemin-de-fer", "pt-chemin-de-fer-1995"


@pytest.fixture
def new() -> Iterator[Rulebook]:
    with amended() as book:
        yield book


def ids(*books: Rulebook) -> list[str]:
    return [book.id for book in books]


@pytest.mark.parametrize("book", RULEBOOKS.values(), ids=RULEBOOKS)
def test_every_text_says_which_regulation_it_is_and_since_when_if_it_states_a_date(book: Rulebook) -> None:
    enacted = book.law.enacted
    assert enacted.regulation
    assert book in versions(enacted.regulation)
    assert enacted.in_force == (date(1995, 12, 1) if "1441/95" in enacted.title else None)
    if enacted.replaces:
        assert former(book) is rulebook(enacted.replaces)


def test_the_text_without_a_date_follows_the_one_it_replaces() -> None:
    assert ids(*versions(CDF)) == [CDF_1995, CDF]
    assert in_force(CDF, date(1995, 11, 30)) is None
    assert in_force(CDF, date(2026, 11, 18)) is rulebook(CDF)
    assert (ids(*earlier(rulebook(CDF))), ids(*later(rulebook(CDF_1995)))) == ([CDF_1995], [CDF])


def test_a_version_is_in_force_from_its_day(new: Rulebook) -> None:
    days = {date(1995, 11, 30): None, date(1995, 12, 1): OLD, date(2026, 9, 30): OLD, date(2026, 10, 1): NEW}
    for day, expected in days.items():
        assert getattr(in_force(OLD, day), "id", None) == expected


def test_an_amendment_rules_by_its_numbers_and_announces_in_its_words(new: Rulebook) -> None:
    incident = {"kind": "bet_placed", "player": "2", "seat": 2, "amount": 31_000}
    facts = {**new.game.ordinary, "bets": [], "incident": incident}
    assert rulebook(OLD).rule(rulebook(OLD).read(facts))["allowed"] == "refused"
    ruling = new.rule(new.read(facts))
    assert (ruling["allowed"], ruling.rulebook) == ("allowed", NEW)
    asked = (generate(NEW, "insurance", seed, article="33 s1").solve() for seed in range(20))
    assert "Seguros, por favor" in {new.say(one["announcement"]) for one in asked if one.get("announcement")}
    assert new.name("pt") == "Portugal 2026 · black jack/21 (alterado)"
    burned = {**new.game.ordinary, "incident": {"kind": "cards_burned", "count": 2, "to": "discard"}}
    [step] = new.rule(new.read(burned)).steps
    assert reason(step, new, "pt").startswith("Queimaram-se duas cartas")
    [step] = rulebook(OLD).rule(new.read(burned)).steps
    assert reason(step, rulebook(OLD), "pt").startswith("Antes de dar tira-se do sabot uma carta")
    assert new.law.summary("37", "pt") == "A aposta máxima é de 50 vezes a mínima."


def test_its_cases_questions_and_documents_follow(new: Rulebook) -> None:
    assert topics(NEW) == topics(OLD)
    made = generate(NEW, None, 1, article="37")
    assert made.rulebook == NEW
    assert "37" in made.solve().pivots
    assert scenario_from({"rulebook": NEW, "situation": encode_plain(made)}).solve() == made.solve()


def encode_plain(made: object) -> object:
    return msgspec.json.decode(encode(made))["situation"]


def test_the_text_it_amends_stays_as_it_was(new: Rulebook) -> None:
    before = [encode(generate(OLD, topic, 5)) for topic in topics(OLD)]
    remove(new)
    assert [encode(generate(OLD, topic, 5)) for topic in topics(OLD)] == before
    assert NEW not in RULEBOOKS
    assert not any(NEW in case.turns_on for case in rulebook(OLD).game.cases)
    load(FOLDER)  # for the fixture to take out


def test_changes_are_told_by_article(new: Rulebook) -> None:
    found = changes(rulebook(OLD), new)
    assert found == (
        Change("10", before=("10",), after=("10",), numbers=("opening_burn",)),
        Change("33", before=("33 s1",), after=("33 s1",), formulas=("insurance",)),
        Change("37", before=("37",), after=("37",), numbers=("maximum_times_minimum",)),
        Change("38", after=("38",)),
    )
    examples = [next(shown(change, rulebook(OLD), new), None) for change in found]
    assert [one.keys if one else None for one in examples] == [("allowed",), ("announcement",), ("largest_bet",), None]
    assert [practised(change, rulebook(OLD), new) for change in found] == [("10",), ("33 s1",), ("37",), ()]


def test_the_shipped_pair_differs_only_where_the_texts_do() -> None:
    """Seed 000 against part I of 1995: notes, the printed drawing table, a comma, and escudos."""
    old, new = rulebook(CDF_1995), rulebook(CDF)
    found = {change.article: change for change in changes(old, new)}
    assert list(found) == ["42", "56", "67", "96"]
    seen = {article: next(shown(change, old, new), None) for article, change in found.items()}
    assert {article for article, example in seen.items() if example} == {"56", "96"}
    example = seen["96"]
    assert example is not None
    words = [book.say(book.rule(example.situation)["announcement"]) for book in (old, new)]
    assert "$" in words[0]
    assert "$" not in words[1]


def test_one_amendment_follows_another(new: Rulebook, tmp_path: Path) -> None:
    second = copied(tmp_path, "pt-black-jack-2027")
    law = (second / "law.toml").read_text("utf-8")
    law = law.replace('like = "pt-black-jack"', f'like = "{NEW}"').replace("2026-10-01", "2027-01-01")
    (second / "law.toml").write_text(law, "utf-8")
    numbers = (second / "numbers.toml").read_text("utf-8").replace("value = 50", "value = 40")
    (second / "numbers.toml").write_text(numbers, "utf-8")
    (second / "cases.toml").unlink()
    [book] = load_all([second])
    try:
        assert (book.number("maximum_times_minimum"), book.coded_as) == (40, OLD)
        assert ids(*versions(OLD)) == [OLD, NEW, "pt-black-jack-2027"]
        assert {case.name for case in cases(book.id)} == {case.name for case in cases(OLD)}
    finally:
        remove(book)


LATEST = [book.id for book in RULEBOOKS.values() if not later(book)]


@pytest.mark.parametrize("like", LATEST)
def test_an_amendment_of_any_text_is_made_ruled_and_asked_by_the_same_code(like: str, tmp_path: Path) -> None:
    """One that changes nothing: the same facts, rulings and questions, under another id."""
    old, folder = rulebook(like), tmp_path / f"{like}-2099"
    folder.mkdir()
    names = f'[name]\nen = "E"\n{old.language} = "L"\n'
    enacted = f'title = "T"\nregulation = "{old.law.enacted.regulation}"\nlike = "{like}"\nin_force = 2099-01-01\n'
    (folder / "law.toml").write_text(enacted + names, "utf-8")
    new = load(folder)
    try:
        assert changes(old, new) == ()
        assert new.kinds().keys() == old.kinds().keys()
        for case in cases(new.id):
            level = new.game.level(case.topic, 3)
            facts = [case.make(new.game.draw("same", case.name), book, level) for book in (old, new)]
            assert facts[0] == facts[1], case.name
            one, other = (scenario_of(facts[0], book) for book in (old, new))
            assert one.solve().decisions == other.solve().decisions, case.name
            assert one.questions == other.questions, case.name
    finally:
        remove(new)


def test_no_game_tells_texts_apart_by_their_id() -> None:
    """An amendment has an id of its own; the code knows it as `coded_as`."""
    games = Path(__file__).parents[2] / "rules_engine" / "games"
    apart = re.compile(r"\bbook\.id(\]| ==| !=| in | not in )|\.get\(\w*\.?book\.id")
    assert [path.name for path in games.rglob("*.py") if apart.search(path.read_text("utf-8"))] == []


def rewrite(file: str, old: str, new: str) -> Callable[[Path], None]:
    def change(folder: Path) -> None:
        text = (folder / file).read_text("utf-8")
        assert old in text
        (folder / file).write_text(text.replace(old, new), "utf-8")

    return change


def add(file: str, text: str) -> Callable[[Path], None]:
    def change(folder: Path) -> None:
        path = folder / file
        path.write_text((path.read_text("utf-8") if path.exists() else "") + text, "utf-8")

    return change


BROKEN = {
    "no law": (lambda folder: (folder / "law.toml").unlink(), "law.toml"),
    "not toml": (rewrite("law.toml", "regulation =", "regulation"), "law.toml"),
    "unknown field": (add("law.toml", '\n[other]\nx = "y"\n'), "law.toml: Object contains unknown field `other`"),
    "like nothing": (rewrite("law.toml", 'like = "pt-black-jack"', 'like = "pt-bridge"'), "`like` names no rulebook"),
    "other regulation": (
        rewrite("law.toml", 'regulation = "pt-black-jack"', 'regulation = "pt-craps"'),
        "`regulation`",
    ),
    "no day": (rewrite("law.toml", "in_force = 2026-10-01", ""), "`in_force` is missing"),
    "before the old one": (rewrite("law.toml", "2026-10-01", "1995-12-01"), "`in_force` must be after 1995-12-01"),
    "no name": (rewrite("law.toml", "pt = ", "it = "), "`name.pt` is missing"),
    "bad head": (rewrite("clauses.csv", "article,clause", "article,letter"), "clauses.csv: the first line must be"),
    "bad kind": (rewrite("clauses.csv", "limits,context", "limits,perhaps"), "'perhaps' is not one of"),
    "nothing to take away": (add("clauses.csv", "99,,limits,absent,,,,,\n"), "no such clause to take away"),
    "unknown number": (
        add("numbers.toml", '\n[jokers]\ncite = "37"\nvalue = 2\n'),
        "jokers: pt-black-jack has no such",
    ),
    "other shape": (rewrite("numbers.toml", "value = 50", "value = [50]"), "must have the form"),
    "no clause": (rewrite("numbers.toml", 'cite = "37"', 'cite = "99"'), "`cite` names no clause"),
    "clause not given": (rewrite("numbers.toml", 'cite = "37"', 'cite = "36 s1"'), "36 s1 must be given too"),
    "unknown words": (add("formulas.toml", '\n[hello]\ncite = "37"\ntext = { pt = "Olá" }\n'), "hello: pt-black-jack"),
    "other gaps": (rewrite("formulas.toml", "Seguros", "{amount:amount} seguros"), "gaps"),
    "no summary": (rewrite("summaries/pt.toml", '"38" =', '"37 s9" ='), "summaries"),
    "golden case": (rewrite("cases.toml", "largest_bet = 50000", "largest_bet = 60000"), "cases.toml: the new largest"),
    "sentence with the old number": (
        rewrite("words/en.toml", "two cards go", "one card goes"),
        "opening_burn: the sentence step.burn_one says the old number",
    ),
    "unknown sentence": (add("words/pt.toml", 'hello = "Olá"\n'), "words: pt.toml: step.hello: the game has no such"),
    "sentence in one language": (rewrite("words/pt.toml", "burned_right", "burn_last"), "words: "),
    "value that the sentence does not get": (
        rewrite("words/en.toml", "Two cards", "{count} cards"),
        "no value for 'count'",
    ),
    "table without chips": (add("tables.toml", '[[table]]\nname = "Mesa"\n'), "tables.toml: "),
    "stray file": (add("notes.md", "hello"), "notes.md is not a file of an amendment"),
    "clause that the code cites": (add("clauses.csv", "36,s1,limits,absent,,,,,\n"), "cannot be ruled"),
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_amendment_is_refused_with_one_line(name: str, tmp_path: Path) -> None:
    harm, why = BROKEN[name]
    folder = copied(tmp_path)
    harm(folder)
    with pytest.raises(BadAmendment, match=re.escape(why)) as refused:
        load(folder)
    assert str(refused.value).startswith(f"{folder}: ")
    assert "\n" not in str(refused.value)
    assert NEW not in RULEBOOKS
    assert all(NEW not in case.turns_on for case in rulebook(OLD).game.cases)


def test_a_number_on_which_the_game_is_built_needs_a_release(tmp_path: Path) -> None:
    folder = tmp_path / "pt-chemin-de-fer-2027"
    (folder / "summaries").mkdir(parents=True)
    (folder / "law.toml").write_text(
        f'title = "T"\nregulation = "{CDF}"\nlike = "{CDF}"\nin_force = 2027-01-01\n[name]\nen = "E"\npt = "P"\n',
        "utf-8",
    )
    head = "article,clause,topic,kind,text,depends_on,hold,reading,notes\n"
    (folder / "clauses.csv").write_text(f"{head}3,s1,seating,context,Ten seats.,,,,\n", "utf-8")
    (folder / "summaries" / "pt.toml").write_text('"3 s1" = "Dez lugares."\n', "utf-8")
    (folder / "numbers.toml").write_text('[seats]\ncite = "3"\nvalue = 10\n', "utf-8")
    with pytest.raises(BadAmendment, match="seats: the game is built on this number"):
        load(folder)
