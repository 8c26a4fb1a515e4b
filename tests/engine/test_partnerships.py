"""Sanremo 82: no partnership with fewer than six seated. Golden rulings: `tests/cases/it-sanremo-chemin-de-fer`."""

from typing import Any

import pytest

from rules_engine import exam_fit, generate, rulebook, scenario_of
from rules_engine.games.chemin_de_fer.game import GAME
from rules_engine.games.chemin_de_fer.table import Situation
from rules_engine.narration import languages_of, reason
from rules_engine.remarks import remarks, told
from rules_engine.topics import cases

SANREMO = rulebook("it-sanremo-chemin-de-fer")
PORTUGAL = rulebook("pt-chemin-de-fer")
LEAST = 6
EXISTING: dict[str, dict[str, Any]] = {
    "partner": {"kind": "partner_acts", "partner": "2", "act": "advise", "result": "won", "amount": 600},
    "already": {"kind": "partner_joins", "player": "3", "adds": 1000, "already": "5"},
    "player": {"kind": "joins_buyer", "acquired": "level", "player": "4", "who": "passers_partner", "adds": 1000},
}


def made(seeds: range) -> list[Any]:
    """What every generator of Sanremo makes, at every level."""
    return [
        case.make(GAME.draw("partners", case.name, level, seed), SANREMO, level)
        for case in cases(SANREMO.id)
        for level in range(1, 6)
        for seed in seeds
    ]


def facts(seated: int, incident: dict[str, Any]) -> Situation:
    situation: Situation = GAME.read({**GAME.ordinary, "seats": list(range(1, seated + 1)), "incident": incident})
    return situation


def test_no_table_is_made_with_a_partner_and_too_few_seated() -> None:
    small = [s for s in made(range(12)) if len(s.seats) < LEAST]
    assert small
    assert [s for s in small if s.incident.partner_fact() or "banco_partners" in {call.says for call in s.calls}] == []


def test_no_partnership_is_allowed_below_six_and_cases_just_below_are_made() -> None:
    joining = [s for s in made(range(12)) if s.incident.act_asked() in ("joins_buyer", "partner_joins")]
    below = {s.incident.act_asked() for s in joining if len(s.seats) == LEAST - 1}
    assert below == {"joins_buyer", "partner_joins"}
    for situation in joining:
        ruling = SANREMO.rule(situation)
        if len(situation.seats) < LEAST:
            assert (ruling["allowed"], "82 s1" in ruling.pivots, ruling.exam_safe) == ("refused", True, True)
        else:
            assert "82 s1" not in ruling.cites


@pytest.mark.parametrize("level", range(1, 6))
def test_the_number_is_asked_about_at_every_level_and_in_exams(level: int) -> None:
    scenarios = [generate(SANREMO.id, "partners", seed, level, article="82 s1") for seed in range(20)]
    assert {scenario.solve()["allowed"] for scenario in scenarios} == {"refused"}
    assert all(exam_fit(scenario) for scenario in scenarios)


@pytest.mark.parametrize("fact", EXISTING)
def test_a_partner_at_a_small_table_is_remarked_upon(fact: str) -> None:
    assert remarks(facts(LEAST, EXISTING[fact]), SANREMO) == []
    (remark,) = remarks(facts(LEAST - 1, EXISTING[fact]), SANREMO)
    assert (remark.id, remark.fact, remark.cite) == ("partner_too_few", f"incident.{fact}", "82 s1")
    assert all("5" in told(remark, SANREMO, language) for language in languages_of(SANREMO))
    # Portugal sets no number.
    assert remarks(facts(LEAST - 1, EXISTING[fact]), PORTUGAL) == []


def test_what_becomes_of_an_existing_partnership_is_a_reading_and_not_for_exams() -> None:
    scenario = scenario_of(facts(LEAST - 1, EXISTING["partner"]), SANREMO)
    (step,) = [step for step in scenario.solve().steps if step.cite == "82 s4"]
    assert step.reading == "SR78" and SANREMO.game.readings("pt")["SR78"].question
    assert all(reason(step, SANREMO, language) for language in languages_of(SANREMO))
    assert not exam_fit(scenario)
    assert exam_fit(scenario_of(facts(LEAST, EXISTING["partner"]), SANREMO))


@pytest.mark.parametrize("seated", [4, 5, 6])
def test_portugal_31_and_87_set_no_number(seated: int) -> None:
    joins = {"kind": "joins_buyer", "acquired": "auction", "player": "2", "adds": 1000, "agreed_before": True}
    assert PORTUGAL.rule(facts(seated, joins))["allowed"] == "allowed"
    assert PORTUGAL.rule(facts(seated, {"kind": "partner_joins", "player": "2", "adds": 1000}))["allowed"] == "allowed"
