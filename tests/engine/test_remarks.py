"""Facts that can be and are odd are ruled on with a remark; ordinary ones, and incidents about the oddity, without."""

from typing import Any

import pytest

from rules_engine.game import GAMES, rulebook
from rules_engine.narration import languages_of
from rules_engine.remarks import Remark, remarks, told
from rules_engine.topics import cases

COUP = {
    "seats": [1, 3, 4, 7, 9],
    "standing": ["4a", "7a"],
    "banker": "1",
    "bank": 800,
    "calls": [{"by": "croupier", "says": "bank_of", "amount": 800}],
    "incident": {"kind": "claims_open"},
}
DECIDING = COUP | {
    "holder": "3",
    "claim": "stake",
    "stakes": [{"player": "3", "amount": 200}, {"player": "4", "amount": 100}],
    "calls": [*COUP["calls"], {"by": "ponto", "says": "card"}],  # type: ignore[misc]
    "ponto": ["9s", "Kh", "2d"],
    "banker_cards": ["2s", "2h"],
    "next": ["4s"],
    "incident": {"kind": "banker_to_decide", "wish": "draw"},
}


REMARKED = ["chemin_de_fer", "ponto_banca", "roulette", "craps", "banca_francesa", "cussec", "black_jack", "machines"]


def call(by: str, says: str, **more: Any) -> dict[str, Any]:
    return {"by": by, "says": says, **more}


def found(facts: dict[str, Any], book_id: str = "pt-chemin-de-fer") -> list[Remark]:
    book = rulebook(book_id)
    return remarks(book.situation(**facts), book)


STATED = call("croupier", "bank_of", amount=800)
ODD = {
    "bank_said": COUP | {"bank": 900, "calls": [STATED]},
    "chips_without_call": COUP
    | {
        "calls": [STATED, call("3", "banco"), call("7", "banco")],
        "stakes": [{"player": "4a", "amount": 800}, {"player": "7a", "amount": 800}],
    },
    "bank_nothing": COUP | {"bank": 0, "calls": [call("3", "banco")]},
    "banco_stake": COUP | {"calls": [STATED, call("3", "banco")], "stakes": [{"player": "3", "amount": 37}]},
    "ponto_drew": DECIDING,
    "ponto_stood": DECIDING | {"calls": [STATED, call("ponto", "no")], "ponto": ["2s", "Kh"]},
    "calls_order": DECIDING
    | {"calls": [STATED, call("ponto", "card"), call("croupier", "closed")], "ponto": ["2s", "Kh", "2d"]},
    "bank_small": COUP | {"minimum": 1000},
    "beside_croupier": COUP | {"standing": ["4a", "9a"]},
    "bank_uneven": COUP | {"bank": 1203, "unit": 10, "calls": []},
    "bank_unchanged": COUP
    | {"wins": 3, "calls": [], "incident": {"kind": "changes_bank", "to": 800, "coups": ["won", "won", "won"]}},
    "few_seated": COUP | {"seats": [1, 3, 4], "standing": []},
    "cards_up_early": COUP | {"ponto": ["9s", "Kh"], "banker_cards": ["2s", "2h"]},
}
# The nearest facts that are ordinary.
ORDINARY = {
    "bank_small": COUP | {"minimum": 800},
    "beside_croupier": COUP | {"standing": ["4a", "7a"]},
    "bank_uneven": COUP | {"bank": 1200, "unit": 10, "calls": []},
    "bank_unchanged": COUP
    | {"wins": 3, "calls": [], "incident": {"kind": "changes_bank", "to": 400, "coups": ["won", "won", "won"]}},
    "few_seated": COUP | {"seats": [1, 3, 4, 7], "standing": []},
    "cards_up_early": COUP
    | {
        "ponto": ["9s", "Kh"],
        "banker_cards": ["2s", "2h"],
        "hidden": ["ponto.1", "ponto.2", "banker.1", "banker.2"],
    },
}


@pytest.mark.parametrize("id", ORDINARY)
def test_what_is_just_ordinary_is_not_remarked_upon(id: str) -> None:
    assert found(ORDINARY[id]) == []


def test_players_leaving_until_too_few_are_seated_is_not_odd() -> None:
    left = {"kind": "players_leave", "leaving": ["3"]}
    assert found(COUP | {"seats": [1, 3, 4], "standing": [], "calls": [], "incident": left}) == []


@pytest.mark.parametrize("id", ODD)
def test_what_is_odd_is_said(id: str) -> None:
    assert id in [remark.id for remark in found(ODD[id])]
    assert rulebook("pt-chemin-de-fer").situation(**ODD[id])  # it can be, all the same


def test_a_remark_names_its_fact_and_its_article() -> None:
    (remark,) = found(ODD["ponto_drew"])
    assert (remark.fact, remark.cite, remark.values) == ("ponto", "64 a", {"points": 9})
    assert {one.fact for one in found(ODD["chips_without_call"])} == {"stakes[0].player", "stakes[1].player"}


def test_another_amount_is_another_remark() -> None:
    keys = {found(ODD["bank_said"] | {"bank": bank, "stakes": []})[0].key for bank in (900, 1000)}
    assert len(keys) == 2


@pytest.mark.parametrize(
    ("ponto", "banker", "expected"),
    [
        (["9s", "Kh", "2d"], ["2s", "2h"], ["ponto_drew"]),
        (["2s", "2h"], ["7s", "Kh"], ["ponto_stood"]),
        (["6s", "Kh"], ["2s", "2h"], ["banker_stood"]),
        (["6s", "Kh"], ["7s", "Kh", "2d"], ["banker_drew"]),
        (["6s", "Kh"], ["7s", "Kh"], []),
    ],
)
def test_hands_against_the_drawing_table_of_ponto_e_banca(
    ponto: list[str], banker: list[str], expected: list[str]
) -> None:
    book = rulebook("pt-ponto-banca-1995")
    facts = book.situation(
        seats=[1, 2],
        minimum=20,
        bets=[{"player": "1", "on": "ponto", "amount": 20}],
        ponto=ponto,
        banker_cards=banker,
        incident={"kind": "coup_over"},
    )
    odd = remarks(facts, book)
    assert [remark.id for remark in odd] == expected
    assert all(remark.cite in book.law for remark in odd)


PLAIN = {"seats": [1, 2], "minimum": 1_000, "bank_cards": ["9d", "8c"], "incident": {"kind": "coup_over"}}
MACHINE = {"model": "caravela", "stake": 100}
ODD_ELSEWHERE: dict[str, tuple[str, dict[str, Any]]] = {
    "bet_off": (
        "pt-black-jack",
        {"hands": [{"seat": 1, "cards": ["9s", "9h"]}], "bets": [{"player": "1", "seat": 1, "amount": 1_500}], **PLAIN},
    ),
    "seat_over": (
        "pt-black-jack",
        {
            "hands": [{"seat": 1, "cards": ["9s", "9h"]}],
            "bets": [{"player": "1", "seat": 1, "amount": 31_000}],
            **PLAIN,
        },
    ),
    "hand_over": (
        "pt-black-jack",
        {
            "hands": [{"seat": 1, "cards": ["9s", "9h", "4d"]}],
            "bets": [{"player": "1", "seat": 1, "amount": 1_000}],
            **PLAIN,
        },
    ),
    "black_jack_unpaid": (
        "pt-black-jack",
        {"hands": [{"seat": 1, "cards": ["As", "Kh"]}], "bets": [{"player": "1", "seat": 1, "amount": 1_000}], **PLAIN},
    ),
    "group_of_one": (
        "pt-maquinas",
        {
            "seats": [],
            "machines": [MACHINE | {"number": 1, "linked": True}],
            "superjackpot": 1_000,
            "incident": {"kind": "jackpot_stranded", "cause": "fire"},
        },
    ),
    "pays_nothing": (
        "pt-maquinas",
        {
            "seats": [1],
            "machines": [MACHINE | {"number": 1, "player": "1", "prize": 3, "pays_up_to": 0}],
            "incident": {"kind": "prizes_shown"},
        },
    ),
    "bet_small": (
        "pt-ponto-banca-macau",
        {
            "seats": [1],
            "minimum": 20,
            "bets": [{"player": "1", "on": "ponto", "amount": 19}],
            "ponto": ["6s", "Kh"],
            "banker_cards": ["7s", "Kh"],
            "incident": {"kind": "coup_over"},
        },
    ),
    "bet_large": (
        "pt-ponto-banca-1995",
        {
            "seats": [1],
            "minimum": 20,
            "bets": [{"player": "1", "on": "tie", "amount": 300}],
            "ponto": ["6s", "Kh"],
            "banker_cards": ["7s", "Kh"],
            "incident": {"kind": "coup_over"},
        },
    ),
}


@pytest.mark.parametrize("id", ODD_ELSEWHERE)
def test_what_is_odd_at_black_jack_machines_and_ponto_e_banca(id: str) -> None:
    book_id, facts = ODD_ELSEWHERE[id]
    (remark,) = found(facts, book_id)
    assert remark.id == id
    assert not remark.cite or remark.cite in rulebook(book_id).law
    assert all(told(remark, rulebook(book_id), language) for language in ("pt", "en"))


@pytest.mark.parametrize("game", REMARKED)
def test_nothing_that_is_generated_is_odd(game: str) -> None:
    for book in GAMES[game].books:
        for case in cases(book.id):
            for level in (1, 5):
                situation = case.make(GAMES[game].draw("odd", book.id, case.name, level), book, level)
                assert remarks(situation, book) == [], f"{book.id} {case.name}"


@pytest.mark.parametrize("game", REMARKED)
def test_every_remark_is_said_in_the_languages_of_the_game(game: str) -> None:
    words = GAMES[game].words
    ids = {id for id in words.catalogue("en") if id.startswith("remark.")}
    assert ids
    for language in {language for book in GAMES[game].books for language in languages_of(book)}:
        assert ids <= set(words.catalogue(language)), language
    odd = {"pt-chemin-de-fer": list(ODD.values())}.get(GAMES[game].books[0].id, [])
    for facts in odd:
        for remark in found(facts):
            for language in ("pt", "en", "it", "es"):
                assert told(remark, rulebook("pt-chemin-de-fer"), language)


PLACED = {"kind": "late_bet", "player": "2", "wish": "place", "spot": "small", "count": 1, "value": 500}
CHIPS = [{"player": "3", "chance": "big", "count": 1, "value": 500}]


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        (["covers"], ["chips_before_light"]),
        (["covers", "presses"], ["chips_before_light"]),
        (["covers", "presses", "lights"], []),
        (["lifts", "void", "covers", "presses"], []),
    ],
)
def test_pt_vii_4_chips_on_the_board_before_the_light_are_odd(said: list[str], expected: list[str]) -> None:
    calls = [call("panel" if one == "lights" else "croupier", one) for one in said]
    facts = {"seats": [2, 3], "calls": calls, "bets": CHIPS, "incident": PLACED}
    assert [remark.id for remark in found(facts, "pt-cussec")] == expected
    assert found(facts | {"bets": []}, "pt-cussec") == []


@pytest.mark.parametrize(("value", "expected"), [(400, ["bet_below_minimum"]), (500, []), (600, [])])
def test_a_bet_below_the_minimum_is_odd(value: int, expected: list[str]) -> None:
    bets = [{"player": "2", "chance": "straight", "numbers": [17], "count": 1, "value": value}]
    facts = {"seats": [2], "minimum": 500, "number": 17, "bets": bets, "incident": {"kind": "number_out"}}
    odd = found(facts, "pt-roleta-francesa")
    assert [remark.id for remark in odd] == expected
    assert all(told(remark, rulebook("pt-roleta-francesa"), "pt") for remark in odd)
