"""The figures of a roulette cloth: turned to the reader at levels 1 and 2, then as printed, unless chosen otherwise."""

import pytest
from django.test import Client
from django.utils import translation

from rules_engine import generate
from tests.factories import PersonFactory
from tests.house import put
from training.drawing import Drawing
from training.drawing.cloths.roulette.frame import FRENCH_LYING, FRENCH_UPRIGHT, LYING, PRINTED, UPRIGHT, Frame
from training.drawing.cloths.roulette.print import figures, names
from training.drawing.geometry import Box
from training.drawing.primitives import Label
from training.people.models import User
from training.practice.models import Drill
from training.practice.presentation import story

# The turn of the numbers, of the columns, of what the players beside the cloth bet on, and of what those beyond do.
TURNS = {
    "American, lying": (LYING, "Ímpar", (90, 90, 180)),
    "American, upright": (UPRIGHT, "Ímpar", (0, 0, 90)),
    "French, players' side": (FRENCH_LYING, "Par", (90, 90, 180)),
    "French, croupier's side": (FRENCH_LYING, "Ímpar", (90, 90, 0)),
    "French, upright": (FRENCH_UPRIGHT, "Par", (0, 0, 90)),
    "French, upright, beyond": (FRENCH_UPRIGHT, "Ímpar", (0, 0, -90)),
}


@pytest.mark.parametrize(("frame", "word", "turns"), TURNS.values(), ids=TURNS)
def test_as_printed_heads_are_at_the_zero_and_words_face_their_players(
    frame: Frame, word: str, turns: tuple[int, int, int]
) -> None:
    with translation.override("pt"):
        printed = [*figures(PRINTED[frame]), *names(PRINTED[frame], "pt")]
    turn = {label.text: label.turn for _box, label in printed}
    assert (turn["17"], turn["2–1"], turn[word]) == turns


@pytest.mark.parametrize("frame", [LYING, FRENCH_LYING])
def test_turning_moves_no_print(frame: Frame) -> None:
    """The box of every figure and word keeps its place; a figure on its side makes room for the chips below it."""
    for (read, _), (lying, label) in zip(boxes(frame), boxes(PRINTED[frame]), strict=True):
        assert abs(read.middle.x - lying.middle.x) <= 1 and abs(read.middle.y - lying.middle.y) <= 4, label.text


def boxes(frame: Frame) -> list[tuple[Box, Label]]:
    return [*figures(frame), *names(frame, "pt")]


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("level", "chosen", "printed"),
    [(1, "", False), (2, "", False), (3, "", True), (5, "", True), (1, "printed", True), (5, "reader", False)],
)
def test_the_level_decides_unless_the_reader_has_chosen(client: Client, level: int, chosen: str, printed: bool) -> None:
    trainee: User = PersonFactory()
    client.force_login(trainee)
    if chosen:
        client.cookies["figures"] = chosen
    drill = put(trainee, generate("pt-roleta-francesa", "payout", "figures", level))
    Drill.objects.filter(pk=drill.pk).update(difficulty=level)
    page = client.get(f"/practice/{drill.pk}/")
    assert page.context["story"].table.printed is printed
    assert f'data-figures aria-pressed="{str(printed).lower()}"' in page.content.decode()


def test_only_a_cloth_whose_figures_turn_offers_it() -> None:
    drawn: Drawing = story(generate("pt-cussec", "payout", "figures", 4), "en", printed=True).table
    assert (drawn.turns, drawn.printed) == (False, False)
