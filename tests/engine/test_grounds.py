"""What every decision rests on: the clauses that are lost with it, and no others."""

import json
from collections.abc import Iterable
from pathlib import Path

import pytest

from rules_engine import GAMES, RULEBOOKS, Ruling, encode, generate, ruling_from, topics
from rules_engine.topics import cases

EARLIER = Path(__file__).parent.parent / "documents" / "format_1" / "pt-chemin-de-fer.json"


@pytest.mark.parametrize("book", RULEBOOKS)
def test_every_decision_rests_on_clauses_that_were_told_or_are_those_of_its_words(book: str) -> None:
    law, formulas = RULEBOOKS[book].law, {formula.cite for formula in RULEBOOKS[book].formulas.values()}
    for topic in topics(book):
        for number in range(2 * len(cases(book, topic))):
            ruling = generate(book, topic, f"grounds-{number}", 1 + number % 5).solve()
            for decision in ruling.decisions:
                assert decision.rests, (topic, number, decision.key)
                assert all(cite in law for cite in decision.rests)
                told = set(ruling.cites) | (formulas if decision.kind == "words" else set())
                assert set(decision.rests) <= told, (topic, number, decision)


def test_sentences_that_speak_of_a_question_exist_and_so_does_the_question() -> None:
    for game in GAMES.values():
        sentences = {id.removeprefix("step.") for id in game.words.catalogue("en") if id.startswith("step.")}
        asked = {item.key.split(".")[0] for rows in game.asked.values() for row in rows.values() for item in row}
        for text, keys in game.speaks.items():
            stem = text.partition("*")[0]
            assert (
                text in sentences
                or ("*" in text and any(one.startswith(stem) for one in sentences))
                or (text.startswith("*") and any(one.endswith(text[1:]) for one in sentences))
            ), (game.id, text)
            assert set(keys) <= asked, (game.id, text, set(keys) - asked)


def found(book: str, *sentences: str, decided: Iterable[str] = ()) -> Ruling:
    """A ruling whose reasoning has these sentences or clauses, and that decides this."""
    for number in range(4000):
        ruling = generate(book, None, f"blame-{number}", 3).solve()
        if set(sentences) <= {*ruling.cites, *(step.text for step in ruling.steps)} and set(decided) <= set(
            ruling.results
        ):
            return ruling
    raise AssertionError(f"no case says {sentences}")


PT, PT95, SANREMO = "pt-chemin-de-fer", "pt-chemin-de-fer-1995", "it-sanremo-chemin-de-fer"
GOLDEN: list[tuple[str, tuple[str, ...], dict[str, set[str]]]] = [
    # Words are lost by the clause of the words: neither the table nor the value of the cards is broken.
    (PT95, ("table_must_draw", "higher_wins"), {"winner": {"2 s2"}, "announcement": {"96 b-3"}}),
    (PT, ("banker_shows", "higher_wins"), {"winner": {"2 s2"}, "announcement": {"96 b-3"}}),
    (PT, ("values.excess", "higher_wins"), {"winner": {"2 s2"}, "announcement": {"96 b-3"}}),
    # Who pays whom is one thing, in which order and what a chip on the line plays for are others.
    (
        PT,
        ("settlement.from_bankers_right", "stakes.lines_play_half", "settlement.bank_reached"),
        {"settled_order": {"95"}, "settled_total": {"43 s1", "45 s2", "95 open"}},
    ),
    # Priority, and then what the bank's amount leaves.
    (PT95, ("claims.after_deal", "claims.largest_seated"), {"banco_answer": {"51 s1"}, "cards_to": {"60"}}),
    (PT, ("bank.level", "bank.announced_as"), {"level": {"80 s1"}, "announcement": {"96 c-2"}}),
    # A fault rebuilds the coup; the table says what the banker does then.
    (
        PT,
        ("draw_faults.stuck_rebuilt", "table_must_draw", "67 c"),
        {"coup": {"104 c"}, "banker_draw": {"67 c"}, "ponto_score": {"104 c"}},
    ),
    (PT, ("deal.not_before_closing", "deal.face_up_burned"), {"stakes_may": {"106 a"}}),
    # Cards with the wrong ponto: seen or not decides, and for a bancô whether its sum lies there.
    (SANREMO, ("claims.lower_stake_seen",), {"cards_to": {"136 s2"}, "ponto_bound": {"136 s2"}}),
    (SANREMO, ("claims.withheld_come_back",), {"cards_to": {"42 s2", "136 s3"}}),
    # A standing bancô before the stakes of the seated; the line, where it decides; the bank as the limit.
    (PT, ("claims.banco_before_stakes", "claims.say_banco"), {"cards_to": {"49", "50"}}),
    (PT, ("turns.repeat", "settlement.repeat_word"), {"announcement": {"66", "96 b-1"}}),
    (PT, ("settlement.not_levelled",), {"announcement": {"40 s1", "96 a-7"}}),
    (PT, ("draw_faults.false_draw_rebuilt",), {"watched_by": {"71"}}),
    # No advice: what binds him is what bound him before.
    (PT, ("advice.players_may_not", "banco_frees_banker"), {"allowed": {"98 s1"}, "must_play": {"70 s2"}}),
    (SANREMO, ("stakes.banker_may_reopen",), {"allowed": {"55 s1"}, "must_add": {"55 s2"}}),
    ("pt-ponto-banca-1995", ("ponto_draws", "ponto_card_first"), {"ponto_draw": {"13 P-draw"}}),
    ("pt-roleta-francesa", ("number_thirds",), {"dozen": {"X 18 a"}, "half": {"X 18 b"}}),
    ("pt-black-jack", ("bank_ace_low", "bank_draws"), {"bank_draws": {"19 s3"}, "bank_total": {"6 s2"}}),
    ("pt-craps", ("announce_point_on", "marker_on"), {"marker": {"VI 10.1 s2"}}),
    ("pt-cussec", ("wins_small", "pays_times"), {"zone_wins": {"VII 7 a"}, "multiple": {"VII 8 a"}}),
]


@pytest.mark.parametrize(("book", "sentences", "expected"), GOLDEN)
def test_the_blame_is_right(book: str, sentences: tuple[str, ...], expected: dict[str, set[str]]) -> None:
    ruling = found(book, *sentences, decided=expected)
    assert {key: set(ruling.rests_on(key)) for key in expected} == expected


def test_each_bet_rests_on_its_own_clause() -> None:
    ruling = found("pt-black-jack", "pays_black_jack", "bank_over")
    for step in ruling.steps:
        if step.text in ("pays_black_jack", "bank_over") and not step.values["nth"]:
            assert ruling.rests_on(f"result.seat{step.values['seat']}") == (step.cite,)


def test_words_for_foreigners_rest_on_the_clause_that_wants_them() -> None:
    ruling = found(PT, "bank.announced_as", decided=["announcement.fr"])
    assert ruling.rests_on("announcement")[0].startswith("96 c-")
    assert ruling.rests_on("announcement.fr") == ("96 s0",)


def test_what_does_not_arise_rests_on_the_case() -> None:
    ruling = found(PT, "draw_faults.stuck_annulled")
    assert ruling.get("announcement") is None
    assert ruling.rests_on("announcement") == ruling.pivots == ("104 c",)


def test_a_ruling_without_grounds_blames_the_case() -> None:
    """As earlier releases stored it; what is stored now comes back as it was."""
    for record in json.loads(EARLIER.read_text("utf-8")):
        old = ruling_from(record["ruling"])
        assert all(not decision.rests and old.rests_on(decision.key) for decision in old.decisions)
    ruling = found(PT, "banker_shows")
    assert ruling_from(json.loads(encode(ruling))) == ruling
