"""What a case is about is on the drawing of every game, in its words too, and an enlarged table opens on it."""

from math import atan2, degrees
from typing import Any

import pytest
from django.utils import translation

from rules_engine import Scenario, generate
from rules_engine.games.chemin_de_fer.table import SEATS
from rules_engine.situation import kind_of
from training.drawing import table_after, table_view
from training.drawing.chips import Pile, Stack
from training.drawing.cloths.chemin_de_fer.cloth import CLOTH
from training.drawing.disputed import offer_of
from training.drawing.drawing import Drawing
from training.drawing.primitives import Group
from training.drawing.tokens import Token

# Chips are offered, late, or put down for something, in a topic of every game with chips.
OFFERED = [
    ("pt-roleta-francesa", "bets"),
    ("pt-roleta-americana", "spin"),
    ("pt-banca-francesa", "bets"),
    ("pt-black-jack", "bets"),
    ("pt-black-jack", "insurance"),
    ("pt-black-jack", "split"),
    ("pt-craps", "odds"),
    ("pt-cussec", "coup"),
    ("pt-cussec", "bets"),
    ("pt-ponto-banca-1995", "limits"),
]


def about_chips(book: str, topic: str) -> Scenario:
    made = (generate(book, topic, f"disputed-{seed}", 1 + seed % 5) for seed in range(60))
    return next(one for one in made if offer_of(one.situation) and "allowed" in one.solve().results)


def disputed(drawing: Drawing) -> list[list[str]]:
    """The kinds of the chips to be ruled on, sheet by sheet."""
    found: list[list[str]] = []
    for sheet in drawing.sheets:
        chips: list[Token | Pile] = [*sheet.every(Token), *sheet.every(Pile)]
        found.append([part.kind for part in chips if part.id.startswith("offer:")])
    return found


@pytest.mark.parametrize(("book", "topic"), OFFERED)
def test_chips_to_be_ruled_on_lie_on_the_drawing_and_stay_or_go_back(book: str, topic: str) -> None:
    scenario = about_chips(book, topic)
    found = offer_of(scenario.situation)
    assert found
    with translation.override("en"):
        before = table_view(scenario.situation)
        after = table_after(scenario.situation, scenario.solve())
    assert all(len(kinds) == 1 and kinds[0].endswith("offered") for kinds in disputed(before))
    assert before.focus[0] == found.id
    assert any("chips to be ruled on" in said or "puts down" in said for said in before.words)
    assert after
    allowed = scenario.solve().results["allowed"] == "allowed"
    assert disputed(after) == [["token" if kinds == ["token offered"] else "pile"] if allowed else []
                               for kinds in disputed(before)]  # fmt: skip


@pytest.mark.parametrize(
    ("book", "topic"), [("pt-roleta-francesa", "payout"), ("pt-craps", "odds"), ("pt-cussec", "payout")]
)
def test_a_bet_that_somebody_touches_is_marked_and_no_other(book: str, topic: str) -> None:
    made = (generate(book, topic, f"touched-{seed}", 4) for seed in range(80))
    scenario = next(one for one in made if type(one.situation.incident).__name__ in ("StakeTouched", "BetTouched"))
    incident: Any = scenario.situation.incident
    for sheet in table_view(scenario.situation).sheets:
        marked = {(token.place, token.spot) for token in sheet.every(Token) if "offered" in token.kind}
        assert marked == {(incident.player, incident.spot)}


def test_chips_offered_at_craps_lie_on_the_field_that_the_words_name() -> None:
    made = (
        generate("pt-craps", topic, f"field-{seed}", 1 + seed % 5) for seed in range(40) for topic in ("odds", "stakes")
    )
    offered: list[Any] = [one.situation for one in made if type(one.situation.incident).__name__ == "BetOffered"]
    assert len(offered) > 10
    for situation in offered:
        for sheet in table_view(situation).sheets:
            (token,) = [one for one in sheet.every(Token) if one.id.startswith("offer:")]
            (group,) = [one for one in sheet.every(Group) if token in one.parts]
            assert group.point == f"spot:{situation.incident.offered_on}"


@pytest.mark.parametrize("book", ["pt-chemin-de-fer", "it-sanremo-chemin-de-fer", "es-chemin-de-fer"])
def test_chips_between_two_places_lie_between_them(book: str) -> None:
    made = (generate(book, "procedures", f"between-{seed}", 1 + seed % 5).situation for seed in range(40))
    doubtful: list[Any] = [one for one in made if kind_of(one.incident) == "stake_between"]
    assert doubtful
    for situation in doubtful:
        with translation.override("en"):
            drawing = table_view(situation)
        (pile,) = [part for part in drawing.sheets[0].every(Pile) if part.id.startswith("offer:")]
        turns = {seat: _turn(pile.stack, CLOTH.around(CLOTH.angle(str(seat)))) for seat in range(1, SEATS + 1)}
        both = {situation.incident.player, situation.incident.neighbour}
        taken = sorted(situation.seats, key=lambda seat: turns[seat])
        assert {str(seat) for seat in taken[:2]} == both
        assert any(said.startswith("Between places ") for said in drawing.words)


def _turn(chips: Stack, seat: tuple[int, int]) -> float:
    """How far chips lie from the direction of a seat, in degrees."""
    one, other = (atan2(y / CLOTH.height, x / CLOTH.width) for x, y in ((chips.x, chips.y), seat))
    return abs((degrees(one - other) + 180) % 360 - 180)
