"""Parts of a drawing render themselves: escaped, without inline style or script, and findable by kind."""

import re

import pytest

from training.drawing.cards import Card, Heap
from training.drawing.chips import Pile, Stack, stack
from training.drawing.drawing import Sheet
from training.drawing.geometry import Box
from training.drawing.people import Bubble, Person
from training.drawing.primitives import Die, Group, Label, Part, Path, Rect, Symbol, render

NASTY = "<script>\"'&"
PARTS: list[Part] = [
    Label("heap-label", 1, 2, NASTY, "end", wide=20),
    Path("line", NASTY),
    Person(NASTY, 1, 2, ring=True, cards=True),
    Card("ponto.1" + NASTY, 1, 2, NASTY, "h"),
    Pile(NASTY, stack(10, 1, 2), NASTY, 3, 4, owner=NASTY),
    Bubble(1, NASTY, NASTY, Box(0, 0, 9, 9), 1, 2),
    Group("spot", [Label("owner", 1, 2, NASTY)], "spot:" + NASTY, lit=True),
    Heap("floor", [Label("heap-label", 1, 2, NASTY)], 1, 2, []),
]


@pytest.mark.parametrize("part", PARTS, ids=lambda part: type(part).__name__)
def test_texts_are_escaped(part: Part) -> None:
    svg = part.svg()
    assert "<script>" not in svg and "&lt;script&gt;&quot;&#x27;&amp;" in svg
    assert not re.search(r"<(script|style)|\son\w+=|\sstyle=", svg)


def test_a_card_face_down_has_a_back_and_nothing_else() -> None:
    assert "card-back" in Card("ponto.1", 0, 0).svg() and "<text" not in Card("ponto.1", 0, 0).svg()


def test_parts_are_found_inside_groups() -> None:
    chips = stack(10, 0, 0)
    pile = Pile("4", chips, "10", 0, 30)
    sheet = Sheet("0 0 9 9", {"chips": [Group("spot", [pile], "spot:tie")], "cloth": [Rect("cloth", 0, 0, 9, 9)]})
    assert sheet.every(Pile) == [pile] and sheet.every(Stack) == [chips] and sheet.every(Symbol) == []
    assert sheet.svg == render([*sheet.layers["chips"], *sheet.layers["cloth"]])


@pytest.mark.parametrize("face", range(7))
def test_a_die_shows_as_many_pips_as_it_counts(face: int) -> None:
    drawn = Die(10, 20, face, "spot:die.1", turn=12).svg()
    assert drawn.count("<circle") == face
    assert 'transform="translate(10 20) rotate(12 22 22)"' in drawn
    assert 'data-point="spot:die.1"' in drawn
