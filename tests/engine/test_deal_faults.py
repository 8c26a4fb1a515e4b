"""Faults while dealing: what readable cases cannot say. The cases themselves are in tests/cases/*/deal_faults*.toml."""

from collections import Counter
from typing import Any

import pytest

from rules_engine import rulebook
from rules_engine.cases import Case
from rules_engine.errors import NotRegulated
from rules_engine.games.baccarat.cards import score, value
from rules_engine.games.baccarat.draw import Draw
from rules_engine.games.baccarat.hands import lying
from rules_engine.games.chemin_de_fer import GAME
from rules_engine.games.chemin_de_fer.books import SANREMO, SPAIN
from rules_engine.games.chemin_de_fer.deal_faults.exposed_draws import BankerAfterExposing
from rules_engine.games.chemin_de_fer.deal_faults.extra_cards import PontoHasExtraCards, best_of
from rules_engine.narration import languages_of
from rules_engine.ruling import DOES_NOT_ARISE, Ruling
from rules_engine.scenario import decode, encode, scenario_of

PT_CDF = "pt-chemin-de-fer"
MINE = [
    pytest.param(case, book, id=f"{case.name}-{book}")
    for case in GAME.cases
    if case.topic == "deal_faults"
    for book in case.turns_on
]
DIFFICULTIES = range(1, 6)
TABLE: dict[str, Any] = {"seats": [1, 2, 3, 4], "banker": "1", "bank": 1000, "minimum": 100, "unit": 10}


def made(case: Case, book_id: str, seeds: int) -> list[Any]:
    book = rulebook(book_id)
    return [
        case.make(Draw("test", book_id, case.name, seed, difficulty), book, difficulty)
        for difficulty in DIFFICULTIES
        for seed in range(seeds)
    ]


def ruled(book: str, incident: dict[str, Any], **facts: Any) -> Ruling:
    return rulebook(book).rule(GAME.read(TABLE | facts | {"incident": incident}))


def said(word: str) -> list[dict[str, str]]:
    return [{"by": "ponto", "says": word}]


@pytest.mark.parametrize(("case", "book_id"), MINE)
def test_every_card_ends_in_one_place(case: Case, book_id: str) -> None:
    for situation in made(case, book_id, 12):
        after = rulebook(book_id).rule(situation).after or lying()
        before = Counter(situation.ponto + situation.banker_cards + situation.loose + situation.next)
        ended = [card for heap in after.heaps.values() for card in heap]
        assert Counter(ended) == before, situation


@pytest.mark.parametrize(("case", "book_id"), MINE)
def test_a_scenario_survives_being_stored(case: Case, book_id: str) -> None:
    book = rulebook(book_id)
    for situation in made(case, book_id, 3):
        scenario = scenario_of(situation, book, topic="deal_faults")
        again = decode(encode(scenario))
        assert again == scenario
        assert again.solve() == scenario.solve()


@pytest.mark.parametrize(("case", "book_id"), MINE)
def test_everything_is_told_in_the_languages_of_the_table(case: Case, book_id: str) -> None:
    book = rulebook(book_id)
    for situation in made(case, book_id, 6):
        told = {id for id, _ in situation.incident.narration()}
        told |= {f"step.{step.text}" for step in book.rule(situation).steps if step.text.startswith("deal.")}
        for language in languages_of(book):
            assert not [id for id in sorted(told) if not GAME.words.has(id, language)], language


@pytest.mark.parametrize(("case", "book_id"), [item for item in MINE if item.values[1] == SANREMO])
def test_sanremo_113_the_doubtful_cell_is_never_put_to_a_trainee(case: Case, book_id: str) -> None:
    for situation in made(case, book_id, 20):
        if isinstance(situation.incident, BankerAfterExposing) and len(situation.ponto) == 3:
            assert (score(situation.banker_cards), value(situation.ponto[2])) != (3, 8)


def test_pt_cdf_104_g_2_equal_scores_with_seven_or_eight_are_never_made() -> None:
    case = next(item for item in GAME.cases if item.name == "ponto_dealt_three_banker_turns")
    seen = set()
    for situation in made(case, PT_CDF, 60):
        banker = score(situation.banker_cards)
        seen.add(banker)
        assert banker not in (7, 8) or banker != score(best_of(situation.ponto, (2, 3)))
    assert seen == {2, 3, 5, 6, 7, 8, 9}


def test_pt_cdf_104_g_1_is_fit_for_exams_until_the_banker_turns_his_cards() -> None:
    facts: dict[str, Any] = {
        "ponto": ["2s", "3d", "3c"],
        "banker_cards": ["Ks", "5d"],
        "next": ["2c", "3c"],
    }
    covered = ruled(PT_CDF, {"kind": "ponto_has_extra_cards"}, **facts, hidden=["banker.1", "banker.2"])
    turned = ruled(PT_CDF, {"kind": "ponto_has_extra_cards"}, **facts)
    assert covered.exam_safe
    assert not turned.exam_safe
    assert [step.reading for step in turned.steps if step.cite == "104 g-2"] == ["Q12"]


def test_pt_cdf_104_i_is_kept_out_of_exams() -> None:
    ruling = ruled(
        PT_CDF, {"kind": "ponto_cards_binned", "cards": ["ponto.1"]}, ponto=["2s", "3d"], banker_cards=["Ks", "5d"]
    )
    assert not ruling.exam_safe
    assert ruling.after is not None
    assert (ruling.after.heap("ponto"), ruling.after.heap("burned")) == (("3d",), ("2s",))


def test_pt_cdf_104_g_1_the_card_left_over_is_burned() -> None:
    ruling = ruled(
        PT_CDF,
        {"kind": "ponto_has_extra_cards"},
        ponto=["5s", "7c", "4d"],
        banker_cards=["Ks", "5d"],
        next=["2c", "3c"],
        hidden=["banker.1", "banker.2"],
    )
    assert ruling.after == lying(ponto=("5s", "4d"), banker=("Ks", "5d"), burned=("7c",), shoe=("2c", "3c"))


def test_pt_cdf_104_a_cards_drawn_early_are_dealt_in_turn() -> None:
    hidden = ["loose.1", "loose.2", "loose.3"]
    ruling = ruled(PT_CDF, {"kind": "drawn_before_closing", "wish": "pass"}, loose=["7h", "2c", "Ks"], hidden=hidden)
    assert ruling.after == lying(ponto=("7h", "Ks"), banker=("2c",))


@pytest.mark.parametrize("book", [PT_CDF, SANREMO, SPAIN])
def test_a_card_face_up_before_the_closing_is_burned_and_the_others_are_dealt_in_turn(book: str) -> None:
    """Portugal 106 a, Sanremo 31, Spain 1 p2."""
    incident = {"kind": "drawn_before_closing", "wish": "go_on"}
    ruling = ruled(book, incident, loose=["7h", "2c", "Ks"], hidden=["loose.1", "loose.3"])
    assert ruling.after == lying(ponto=("7h",), banker=("Ks",), burned=("2c",))


def test_sanremo_31_a_card_face_up_does_not_serve_the_next_coup() -> None:
    incident = {"kind": "drawn_before_closing", "wish": "pass", "let_off": True}
    ruling = ruled(SANREMO, incident, loose=["7h", "2c"], hidden=["loose.1"])
    assert ruling.after == lying(next_coup=("7h",), burned=("2c",))


def test_sanremo_54_s3_and_spain_1_p1_3_part_ways_on_the_cards_of_a_banker_let_off() -> None:
    incident = {"kind": "drawn_before_closing", "wish": "pass", "let_off": True}
    assert ruled(SANREMO, incident, loose=["7h"], hidden=["loose.1"]).after == lying(next_coup=("7h",))
    assert ruled(SPAIN, incident, loose=["7h"], hidden=["loose.1"]).after == lying(burned=("7h",))


def test_sanremo_65_s1_puts_the_cards_back_in_their_order() -> None:
    incident = {"kind": "deal_inverted", "order": ["banker", "ponto", "banker", "ponto"]}
    ruling = ruled(SANREMO, incident, ponto=["2c", "9d"], banker_cards=["7h", "Ah"])
    assert ruling.after == lying(ponto=("7h", "Ah"), banker=("2c", "9d"))
    part = incident | {"order": ["ponto", "banker", "banker", "ponto"]}
    ruling = ruled(SANREMO, part, ponto=["2c", "9d"], banker_cards=["7h", "Ah"])
    assert ruling.after == lying(ponto=("2c", "Ah"), banker=("7h", "9d"))


def test_sanremo_34_a_certain_order_lets_the_deal_go_on() -> None:
    ruling = ruled(
        SANREMO,
        {"kind": "stuck_in_deal", "order_certain": True},
        ponto=["7h"],
        banker_cards=["2c"],
        loose=["Ah", "9d", "4s"],
    )
    assert ruling.after == lying(ponto=("7h", "Ah"), banker=("2c", "9d"), next_coup=("4s",))


def test_sanremo_68_a_known_extra_card_goes_out() -> None:
    ruling = ruled(
        SANREMO,
        {"kind": "banker_has_extra_cards", "extra": 2},
        calls=said("no"),
        by_table=["banker"],
        ponto=["3s", "3d"],
        banker_cards=["4s", "2h", "3c"],
        next=["7d"],
    )
    assert ruling.after == lying(ponto=("3s", "3d"), banker=("4s", "3c"), burned=("2h",), shoe=("7d",))


def test_pt_cdf_104_d_pays_the_stakes_on_the_awarded_score() -> None:
    ruling = ruled(
        PT_CDF,
        {"kind": "banker_has_extra_cards", "wish": "stand"},
        calls=said("eight"),
        stakes=[{"player": "3", "amount": 200}],
        holder="3",
        claim="stake",
        ponto=["4s", "4d"],
        banker_cards=["4s", "2h", "3c"],
        next=["7d"],
    )
    assert ruling.after is not None
    assert [(paid.payer, paid.payee, paid.amount) for paid in ruling.after.payments] == [("bank", "3", 200)]


@pytest.mark.parametrize(("claim", "cite"), [("stake", "67 c"), ("banco_table", "67 c"), ("banco", "70 s2")])
def test_pt_cdf_104_d_the_draw_on_baccara_comes_from_the_table_or_from_banco(claim: str, cite: str) -> None:
    facts: dict[str, Any] = {"ponto": ["2s", "4d"], "banker_cards": ["4s", "4d", "2h"], "next": ["2c"]}
    ruling = ruled(PT_CDF, {"kind": "banker_has_extra_cards"}, calls=said("no"), holder="3", claim=claim, **facts)
    assert [step.cite for step in ruling.steps if step.text == "deal.baccara_draws"] == [cite]


FIFTH: dict[str, Any] = {"loose": ["5c"], "next": ["2c"]}
DEALT: dict[str, Any] = {"ponto": ["7h", "Ah"], "banker_cards": ["2c", "9d"]}
LEFT_OPEN = [
    (
        "104 f",
        PT_CDF,
        {"kind": "fifth_card_drawn"},
        FIFTH | {"calls": said("card"), "ponto": ["2s", "2d"], "banker_cards": ["4s", "4d"]},
    ),
    (
        "3 §1",
        SPAIN,
        {"kind": "fifth_card_drawn"},
        FIFTH | {"calls": said("eight"), "ponto": ["4s", "4d"], "banker_cards": ["4s", "2d"]},
    ),
    (
        "104 g",
        PT_CDF,
        {"kind": "ponto_has_extra_cards", "extra": 1},
        {"ponto": ["2s", "2d", "3h"], "banker_cards": ["4s", "4d"], "next": ["2c", "3c"]},
    ),
    (
        "104 g",
        PT_CDF,
        {"kind": "ponto_has_extra_cards"},
        {"ponto": ["2s", "2d", "3h", "4h"], "banker_cards": ["4s", "4d"], "next": ["2c", "3c"]},
    ),
    (
        "3 §2",
        SPAIN,
        {"kind": "banker_has_extra_cards"},
        {"calls": said("eight"), "ponto": ["4s", "4d"], "banker_cards": ["4s", "4d", "2h"], "next": ["2c"]},
    ),
    (
        "3 §4",
        SPAIN,
        {"kind": "ponto_cards_binned", "cards": ["ponto.1"]},
        {"ponto": ["4s", "4d"], "banker_cards": ["4s", "5d"]},
    ),
    (
        "both cards",
        SANREMO,
        {"kind": "banker_after_exposing", "wish": "draw", "exposed": ["ponto.1"]},
        {"calls": said("no"), "ponto": ["4s", "2d"], "banker_cards": ["4s", "2d"], "next": ["2c"]},
    ),
    (
        "65",
        SANREMO,
        {"kind": "deal_inverted", "order": ["banker", "ponto", "banker", "ponto"], "noticed": False},
        DEALT,
    ),
    (
        "65",
        SANREMO,
        {"kind": "claim_after_error", "by": "3", "error": "extra_card", "settled": "all", "discarded": True},
        {},
    ),
    ("does not describe the deal", SPAIN, {"kind": "deal_under_way"}, {"next": ["7h", "2c", "Ah", "9d"]}),
]


@pytest.mark.parametrize(("why", "book", "incident", "facts"), LEFT_OPEN)
def test_what_the_text_leaves_open_is_not_ruled_on(
    why: str, book: str, incident: dict[str, Any], facts: dict[str, Any]
) -> None:
    with pytest.raises(NotRegulated, match=why):
        ruled(book, incident, **facts)


def test_the_best_cards_are_the_highest_score_of_the_allowed_sizes() -> None:
    assert best_of(("5s", "4d", "7c"), (2, 3)) == ("5s", "4d")
    assert best_of(("2s", "3d", "3c"), (2, 3)) == ("2s", "3d", "3c")
    assert best_of(("2s", "3d", "3c"), (2,)) == ("3d", "3c")


def test_sanremo_66_harder_tables_deal_the_ponto_a_fourth_card() -> None:
    case = next(item for item in GAME.cases if item.name == "ponto_dealt_too_many")
    sizes = {len(situation.ponto) for situation in made(case, SANREMO, 10)}
    assert sizes == {3, 4}
    assert all(isinstance(situation.incident, PontoHasExtraCards) for situation in made(case, SANREMO, 2))


def test_sanremo_57_s3_the_formula_is_offered_among_the_croupiers_own_words() -> None:
    facts = TABLE | DEALT | {"incident": {"kind": "hand_moment", "event": "banker_looked"}}
    scenario = scenario_of(GAME.read(facts), rulebook(SANREMO))
    options = next(question.options for question in scenario.questions if question.key == "announcement")
    assert {"Chi punta accetta", "Rien ne va plus"} <= set(options)
    assert "Carta" not in options
    assert len(options) == len(set(options))


def test_sanremo_61_b_the_difference_tempts_with_the_bank_and_the_stakes() -> None:
    facts = TABLE | DEALT | {"stakes": [{"player": "3", "amount": 300}]}
    incident = {"kind": "ponto_cards_binned", "cards": ["ponto.1", "ponto.2"], "asking": ["4", "2"]}
    scenario = scenario_of(GAME.read(facts | {"incident": incident}), rulebook(SANREMO))
    options = {question.key: question.options for question in scenario.questions}
    assert set(options["difference"]) == {300, 500, 700, 1000, 1400, DOES_NOT_ARISE}
