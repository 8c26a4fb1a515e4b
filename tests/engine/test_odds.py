"""Exact odds: known figures of the game, and the same count made the slow way, card by card."""

import json
from collections import Counter
from fractions import Fraction
from itertools import permutations

import pytest

from rules_engine import rulebook
from rules_engine.__main__ import main
from rules_engine.errors import EngineError
from rules_engine.games.baccarat.cards import VALUES
from rules_engine.games.ponto_banca.books import ALL, MACAU, PB
from rules_engine.games.ponto_banca.odds import count, odds
from rules_engine.games.ponto_banca.outcome import play_out

CARD_WORTH = {value: card for card, value in VALUES.items()}


@pytest.mark.parametrize(
    ("decks", "banker", "ponto", "tie"),
    [(6, 0.458653, 0.446279, 0.095069), (8, 0.458597, 0.446247, 0.095156)],
)
@pytest.mark.parametrize("book", ALL)
def test_known_chances(book: str, decks: int, banker: float, ponto: float, tie: float) -> None:
    found = odds(rulebook(book), decks=decks).probability
    assert (found["banker"], found["ponto"], found["tie"]) == (banker, ponto, tie)


@pytest.mark.parametrize(
    ("decks", "edges"),
    [
        (
            6,
            {
                ("ponto", 1): 0.012374,
                ("banker", 1): 0.010558,
                ("tie", 8): 0.144382,
                ("tie", 9): 0.049313,
                ("ponto_pair", 11): 0.11254,
                ("banker_pair", 11): 0.11254,
            },
        ),
        (
            8,
            {
                ("ponto", 1): 0.012351,
                ("banker", 1): 0.010579,
                ("tie", 8): 0.143596,
                ("tie", 9): 0.04844,
                ("ponto_pair", 11): 0.103614,
                ("banker_pair", 11): 0.103614,
            },
        ),
    ],
)
def test_known_edges(decks: int, edges: dict[tuple[str, int], float]) -> None:
    found = odds(rulebook(MACAU), decks=decks)
    assert {(edge.chance, int(edge.pays)): edge.edge for edge in found.edges} == edges


def test_the_chances_are_exact_and_sum_to_one() -> None:
    found = odds(rulebook(PB), decks=8)
    assert Fraction(found.exact["tie"]) == Fraction(619306544887, 6508331087895)
    assert sum(Fraction(found.exact[name]) for name in ("banker", "ponto", "tie")) == 1
    assert Fraction(found.exact["ponto_pair"]) == Fraction(31, 415)


@pytest.mark.parametrize(
    "shoe", [(2, 1, 1, 1, 1, 1, 0, 0, 0, 1), (1, 0, 1, 0, 1, 1, 2, 1, 1, 0), (0, 3, 0, 2, 0, 0, 2, 1, 0, 0)]
)
def test_the_count_agrees_with_coups_dealt_one_by_one(shoe: tuple[int, ...]) -> None:
    """Every order of six cards from a shoe of eight, given out by the rule that deals at the table."""
    book = rulebook(PB)
    cards = [CARD_WORTH[points] for points, copies in enumerate(shoe) for _ in range(copies)]
    dealt = Counter(play_out(book, row).winner for row in permutations(cards, 6))
    assert count(book, shoe) == dealt


def test_a_shoe_of_no_packs_is_refused() -> None:
    with pytest.raises(EngineError, match="decks: 0 is not from 1 to 100"):
        odds(rulebook(PB), decks=0)


def test_chemin_de_fer_has_no_such_odds(capsys: pytest.CaptureFixture[str]) -> None:
    assert rulebook("es-chemin-de-fer").game.odds is None
    assert main(["odds", "--rulebook", "es-chemin-de-fer"]) == 2
    assert "es-chemin-de-fer has no chances to work out" in capsys.readouterr().err


def test_the_command_prints_the_same(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["odds", "--decks", "8", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["probability"]["banker"] == 0.458597
    assert main(["odds", "--decks", "6"]) == 0
    assert "banker        0.458653" in capsys.readouterr().out
    assert main(["odds", "--decks", "101"]) == 2
    assert "decks: 101 is not from 1 to 100" in capsys.readouterr().err


def test_long_names_do_not_run_into_the_next_column(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["odds", "--rulebook", "pt-craps"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert "dont-come-odds.10  0.666667" in lines
