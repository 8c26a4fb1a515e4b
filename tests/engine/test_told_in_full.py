"""The story tells what the ruling rests on, and nothing is asked about an act with no object."""

from itertools import permutations
from typing import Any

from rules_engine import generate
from rules_engine.authoring import throws
from rules_engine.games.cussec.result import results
from rules_engine.narration import narrate
from rules_engine.scenario import Scenario
from rules_engine.situation import kind_of

DARK = "The panel has not lit up yet."


def told(scenario: Scenario) -> str:
    return " ".join(narrate(scenario.situation, scenario.book, "en"))


def drawn(book: str, topic: str, kind: str, count: int = 60) -> list[Scenario]:
    made = [generate(book, topic, f"full-{seed}", 1 + seed % 5) for seed in range(count)]
    return [scenario for scenario in made if kind_of(scenario.situation.incident) == kind]


def test_a_cussec_bet_before_the_light_says_that_the_panel_is_dark() -> None:
    """VII 4: after the third press it lights up by itself, so a story of three presses alone would not tell."""
    found = drawn("pt-cussec", "coup", "late_bet", 120)
    dark = [scenario for scenario in found if all(call.says != "lights" for call in scenario.situation.calls)]
    assert dark and len(dark) < len(found)
    for scenario in found:
        assert (DARK in told(scenario)) == (scenario in dark)


def test_a_craps_bet_repeated_in_time_says_so() -> None:
    for scenario in drawn("pt-craps", "procedures", "bet_with_dice_out"):
        incident: Any = scenario.situation.incident
        in_time = incident.booked and incident.when != "at_rest"
        assert ("before the dice lay still" in told(scenario)) == in_time


def test_whoever_is_offered_the_dice_has_a_bet() -> None:
    found = drawn("pt-craps", "dice", "dice_handled") + drawn("pt-craps", "dice", "dice_picked")
    assert found and all(s.situation.shooter in {bet.player for bet in s.situation.bets} for s in found)


def test_a_die_leans_on_the_marker_only_where_there_is_a_point() -> None:
    for scenario in drawn("pt-craps", "procedures", "die_cocked", 120):
        assert scenario.situation.incident.against != "marker" or scenario.situation.point


def test_nobody_opens_winning_bets_of_one_chip() -> None:
    wanted = [
        s for s in drawn("pt-roleta-francesa", "faults", "step_wanted", 150) if s.situation.incident.wants == "spread"
    ]
    for scenario in wanted:
        assert any(bet.count > 1 for bet in scenario.situation.bets)
    assert wanted


def test_by_a_tie_nothing_was_collected_from_the_sides() -> None:
    for scenario in drawn("pt-ponto-banca-macau", "procedures", "wrong_result", 120):
        incident: Any = scenario.situation.incident
        assert incident.announced != "tie" or incident.done == "announced"


def test_stakes_beyond_the_bank_are_told() -> None:
    found = drawn("pt-chemin-de-fer", "payment", "stakes_to_settle", 80)
    over = [s for s in found if any(step.cite == "45 s2" for step in s.solve().steps)]
    assert over and len(over) < len(found)
    for scenario in found:
        assert ("exceed the bank" in told(scenario)) == (scenario in over)


def test_every_throw_of_cussec_has_several_announcements() -> None:
    for dice in throws(3):
        offered = {str(said) for said in results(dice)}
        assert len(offered) >= 2
        assert all({str(said) for said in results(tuple(other))} == offered for other in permutations(dice))
