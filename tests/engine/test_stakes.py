"""Stakes and the bank's capital: what the golden cases cannot say. Tests are named by instrument and article."""

from typing import Any

import pytest

from rules_engine import generate, rulebook
from rules_engine.errors import EngineError, ImpossibleFacts, NotRegulated
from rules_engine.games.chemin_de_fer import GAME
from rules_engine.games.chemin_de_fer.books import PT, SANREMO
from rules_engine.games.chemin_de_fer.outcome import worth
from rules_engine.ruling import Ruling

ORDINARY = {"seats": [1, 2, 3, 4, 5, 6], "banker": "1", "bank": 1000, "minimum": 100, "unit": 10}
STAKES = [{"player": "2", "amount": 300}, {"player": "4", "amount": 200}]
CLOSED = [{"by": "croupier", "says": "closed"}]
BANCO = {"holder": "4", "claim": "banco"}


def rule(book: str, kind: str, facts: dict[str, Any] | None = None, **incident: Any) -> Ruling:
    data = ORDINARY | (facts or {}) | {"incident": {"kind": kind, **incident}}
    return rulebook(book).rule(GAME.read(data))


@pytest.mark.parametrize(
    ("book", "kind", "facts", "incident", "reason"),
    [
        (PT[0], "stake_put", {}, {"player": "3", "amount": 50, "spot": "behind_line"}, "short of the line"),
        (SANREMO, "stake_put", {}, {"player": "3", "amount": 50, "money": "withdrawn_notes"}, "out of circulation"),
        (
            PT[0],
            "stake_changed",
            {"stakes": STAKES, "calls": CLOSED},
            {"player": "2", "to": 0},
            "not of chips taken back",
        ),
        (PT[0], "changes_bank", {"wins": 1}, {"to": 1200, "coups": ["won"]}, "raised by its banker"),
        (PT[0], "changes_bank", {"wins": 3}, {"to": 500, "coups": ["won"] * 3 + ["tie"]}, "end of a won coup"),
        (SANREMO, "changes_bank", {}, {"to": 500, "coups": ["tie"], "new_shoe": True}, "56 leaves it open"),
        (PT[0], "uncovered_win", {"wins": 1, "stakes": [{"player": "2", "amount": 1000}]}, {"to": 2000}, "covered"),
        (PT[0], "uncovered_win", {"wins": 3, "stakes": STAKES}, {"to": 750}, "half aside"),
        (PT[0], "sum_short", {}, {"player": "4", "said": 200, "down": 100}, "stand for the bank"),
        (
            SANREMO,
            "completes",
            {"stakes": [{"player": "2", "amount": 1000}]},
            {"player": "3"},
            "already cover the bank",
        ),
        (SANREMO, "false_note", {}, {"player": "3", "amount": 100, "asked": False}, "had asked for"),
        (SANREMO, "bank_won", {"stakes": [{"player": "2", "amount": 30}]}, {}, "fraction"),
        (
            SANREMO,
            "banco_in_company",
            BANCO | {"stakes": [{"player": "4", "amount": 1000}]},
            {"shares": [{"player": "2", "amount": 510}], "held": 6, "drew": True},
            "pass half the bank",
        ),
    ],
)
def test_what_the_text_leaves_open_is_not_ruled_on(
    book: str, kind: str, facts: dict[str, Any], incident: dict[str, Any], reason: str
) -> None:
    with pytest.raises(NotRegulated, match=reason):
        rule(book, kind, facts, **incident)


@pytest.mark.parametrize(
    ("kind", "facts", "incident", "fact"),
    [
        ("stake_put", {}, {"player": "1", "amount": 50}, "incident.player"),
        ("stake_put", {}, {"player": "9", "amount": 50}, "incident.player"),
        ("stake_put", {}, {"player": "3", "amount": 0}, "incident.amount"),
        ("stake_put", {"unit": 0}, {"player": "3", "amount": 50}, "unit"),
        ("stake_put", {}, {"player": "3", "amount": 50, "declared": 20}, "incident.declared"),
        ("stake_put", {}, {"player": "3", "amount": 50, "spot": "line", "declared": 0}, "incident.declared"),
        ("stake_after_words", {}, {"player": "3", "amount": 50}, "calls"),
        ("stake_changed", {"stakes": STAKES}, {"player": "3", "to": 50}, "incident.player"),
        ("stake_changed", {"stakes": STAKES}, {"player": "2", "to": 300}, "incident.to"),
        ("late_stakes", {}, {"offers": []}, "incident.offers"),
        ("late_stakes", {}, {"offers": [{"player": "2", "amount": 50, "line": True}]}, "incident.offers"),
        ("banker_objects", {}, {"player": "3", "amount": 0}, "incident.amount"),
        ("table_banco_adds", {}, {"extra": 50}, "claim"),
        ("table_banco_adds", {"claim": "banco_table"}, {"extra": 50}, "claim"),
        ("sum_short", {}, {"player": "1", "said": 100, "down": 100}, "incident.down"),
        ("sum_short", {}, {"player": "9", "said": 100, "down": 50}, "incident.player"),
        ("sum_short", {}, {"player": "3", "said": 100, "down": 50, "dealt": True}, "incident.dealt"),
        ("notes_staked", {"stakes": STAKES}, {"players": ["5"], "winner": "ponto"}, "incident.players"),
        ("notes_staked", {"stakes": STAKES}, {"players": [], "winner": "ponto"}, "incident.players"),
        ("stake_mixed_up", {}, {"player": "2", "other": "2", "missing": 50}, "incident.other"),
        ("changes_bank", {"wins": 2}, {"to": 500, "coups": ["won"]}, "wins"),
        ("changes_bank", {}, {"to": 500, "coups": []}, "incident.coups"),
        ("changes_bank", {"wins": 1}, {"to": 500, "coups": ["won"], "before": 2}, "incident.before"),
        ("uncovered_win", {"stakes": STAKES}, {"to": 500}, "wins"),
        ("uncovered_win", {"wins": 1}, {"to": 500}, "stakes"),
        ("wrong_bank_announced", {}, {"announced": 500, "laid_out": 500}, "incident.announced"),
        ("banco_in_company", {}, {"held": 6, "drew": True, "respects": True}, "claim"),
        ("banco_in_company", BANCO, {"held": 6, "drew": True}, "incident.shares"),
        (
            "banco_in_company",
            BANCO | {"stakes": [{"player": "4", "amount": 1000}]},
            {"held": 6, "drew": True, "respects": True},
            "stakes",
        ),
        ("banco_in_company", {"claim": "banco"}, {"held": 6, "drew": True, "respects": True}, "claim"),
        ("share_offered", BANCO, {"player": "4", "amount": 100}, "incident.player"),
        ("tout_va_closed", {"calls": [{"by": "1", "says": "tout_va"}]}, {}, "calls"),
        ("tout_va_again", {}, {"declared": [False]}, "incident.declared"),
        ("tout_va_won", {"calls": [{"by": "1", "says": "tout_va"}]}, {}, "stakes"),
    ],
)
def test_facts_that_cannot_be_are_refused(
    kind: str, facts: dict[str, Any], incident: dict[str, Any], fact: str
) -> None:
    with pytest.raises(ImpossibleFacts) as refused:
        GAME.read(ORDINARY | facts | {"incident": {"kind": kind, **incident}})
    assert refused.value.fact == fact


WON = {"to": 500, "coups": ["won"] * 3}


@pytest.mark.parametrize(
    ("book", "kind", "facts", "incident", "steps"),
    [
        (PT[0], "stake_put", {}, {"player": "3", "amount": 50}, [("36", "multiple")]),
        (
            PT[0],
            "stake_put",
            {},
            {"player": "3", "amount": 50, "money": "notes"},
            [("42 s1", "notes_good"), ("36", "multiple")],
        ),
        (
            PT[0],
            "stake_put",
            {"calls": CLOSED},
            {"player": "3", "amount": 50, "money": "notes", "moment": "closed"},
            [("40 s2", "removed_after_close")],
        ),
        (PT[0], "stake_put", {}, {"player": "3", "amount": 40, "spot": "line"}, [("43 s1", "line_plays_half")]),
        (
            SANREMO,
            "stake_put",
            {"calls": CLOSED},
            {"player": "3", "amount": 50, "moment": "closed"},
            [("15 s2", "before_close"), ("10 s4", "nothing_after_close")],
        ),
        (
            PT[0],
            "stake_after_words",
            {"calls": CLOSED},
            {"player": "3", "amount": 50},
            [("40 s3", "croupier_closed"), ("40 s2", "removed_after_close")],
        ),
        (
            PT[0],
            "stake_after_words",
            {"calls": [{"by": "1", "says": "closed"}]},
            {"player": "3", "amount": 50},
            [("40 s3", "only_croupier_closes")],
        ),
        (
            SANREMO,
            "stake_after_words",
            {"calls": [{"by": "1", "says": "closed"}]},
            {"player": "3", "amount": 50},
            [("10 s2", "only_croupier_closes")],
        ),
        (PT[0], "changes_bank", {"wins": 2}, WON | {"coups": ["won"] * 2}, [("34 s1", "no_garage_yet")]),
        (PT[0], "changes_bank", {"wins": 3}, WON | {"to": 600}, [("34 s1", "garage_is_half")]),
        (PT[0], "changes_bank", {"wins": 3}, WON, [("34 s1", "garage_due"), ("34 s3", "half_out_of_play")]),
        (PT[0], "uncovered_win", {"wins": 1, "stakes": STAKES}, {"to": 1500}, [("46", "all_stays_in_play")]),
        (PT[0], "uncovered_win", {"wins": 1, "stakes": STAKES}, {"to": 1000}, [("46", "cut_to_double")]),
        (PT[0], "uncovered_win", {"wins": 1, "stakes": STAKES}, {"to": 700}, [("46", "all_or_double")]),
        (SANREMO, "changes_bank", {"wins": 3}, WON | {"to": 1000}, [("56 s1", "bank_may_grow")]),
    ],
)
def test_the_reasoning_names_only_what_decides(
    book: str, kind: str, facts: dict[str, Any], incident: dict[str, Any], steps: list[tuple[str, str]]
) -> None:
    ruling = rule(book, kind, facts, **incident)
    assert [(step.cite, step.text.removeprefix("stakes.")) for step in ruling.steps] == steps


def test_an_unknown_kind_of_money_is_refused() -> None:
    with pytest.raises(EngineError, match=r"\$\.money|money"):
        GAME.read(ORDINARY | {"incident": {"kind": "stake_put", "player": "3", "amount": 50, "money": "gold"}})


def test_pt_cdf_46_everything_won_ends_in_the_bank_or_in_the_garage() -> None:
    book = rulebook(PT[0])
    for seed in range(200):
        scenario = generate(book.id, None, seed, 1 + seed % 5, article="46")
        s, ruling = scenario.situation, scenario.solve()
        stakes = [worth(stake, book) for stake in s.stakes]
        won = sum(stakes)
        assert ruling["next_bank"] + ruling["garage"] == s.bank + won + s.garage  # type: ignore[operator]


def test_pt_cdf_34_s3_bank_and_garage_together_stay_the_same() -> None:
    for seed in range(200):
        scenario = generate(PT[0], None, seed, 1 + seed % 5, article="34 s1")
        s, ruling = scenario.situation, scenario.solve()
        assert ruling["next_bank"] + ruling["garage"] == s.bank + s.garage  # type: ignore[operator]


def test_pt_cdf_34_s1_the_odd_wins_from_the_third_on() -> None:
    may = [
        wins
        for wins in range(1, 12)
        if rule(PT[0], "changes_bank", {"wins": wins}, to=500, coups=["won"] * wins)["allowed"] == "allowed"
    ]
    assert may == [3, 5, 7, 9, 11]


def test_pt_cdf_45_s2_stakes_never_pass_the_bank() -> None:
    book = rulebook(PT[0])
    for seed in range(200):
        scenario = generate(book.id, None, seed, 1 + seed % 5, article="45 s2")
        s, plays = scenario.situation, scenario.solve()["stake_plays"]
        lying = [worth(stake, book) for stake in s.stakes]
        assert sum(lying) + plays <= s.bank  # type: ignore[operator]


def test_it_sanremo_53_stakes_never_pass_the_bank() -> None:
    for seed in range(200):
        scenario = generate(SANREMO, None, seed, 1 + seed % 5, article="53")
        ruling = scenario.solve()
        assert ruling["banco_sum"] + ruling["extra_plays"] <= scenario.situation.bank  # type: ignore[operator]


def test_late_stakes_part_portugal_from_sanremo() -> None:
    facts = {"stakes": STAKES, "calls": CLOSED}
    offers = [{"player": "5", "amount": 600}]
    portugal = rule(PT[0], "late_stakes", facts, offers=offers)
    sanremo = rule(SANREMO, "late_stakes", facts, offers=offers)
    assert (portugal["allowed"], portugal["must_add"]) == ("refused", 0)
    assert (sanremo["allowed"], sanremo["must_add"]) == ("allowed", 100)
