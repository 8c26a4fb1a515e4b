"""Parts of a drawing render themselves: escaped, without inline style or script, and findable by kind."""

import re

import pytest
from django.utils import translation

from rules_engine import RULEBOOKS, generate
from training.drawing.cards import Card, Heap
from training.drawing.chips import Pile, Stack, stack, total_width, written
from training.drawing.cloths import CLOTHS
from training.drawing.drawing import Sheet
from training.drawing.geometry import Box, Oval
from training.drawing.people import Bubble, Person
from training.drawing.primitives import Die, Ellipse, Group, Label, Part, Path, Rect, Symbol, render
from training.drawing.scene import Scene

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
    sheet = Sheet(Box(0, 0, 9, 9), {"chips": [Group("spot", [pile], "spot:tie")], "cloth": [Rect("cloth", 0, 0, 9, 9)]})
    assert sheet.every(Pile) == [pile] and sheet.every(Stack) == [chips] and sheet.every(Symbol) == []
    assert sheet.svg == render([*sheet.layers["chips"], *sheet.layers["cloth"]])


@pytest.mark.parametrize("face", range(7))
def test_a_die_shows_as_many_pips_as_it_counts(face: int) -> None:
    drawn = Die(10, 20, face, "spot:die.1", turn=12).svg()
    assert drawn.count("<circle") == face
    assert 'transform="translate(10 20) rotate(12 22 22)"' in drawn
    assert 'data-point="spot:die.1"' in drawn


def test_sums_are_written_on_the_cloth_and_not_on_its_rim() -> None:
    """Of an oval table. Beside the croupier and behind crowded seats there may be no other place near by."""
    found = across = 0
    book = "pt-chemin-de-fer"
    topics = list(RULEBOOKS[book].game.topics)
    for number in range(100):
        made = generate(book, topics[number % len(topics)], f"rim {number}", 1 + number % 5)
        (sheet,) = CLOTHS[made.situation.game](Scene(made.situation, made.book.currency, "pt")).sheets
        ellipse = next(one for one in sheet.every(Ellipse) if one.kind == "cloth")
        cloth = Oval(ellipse.rx, ellipse.ry)
        for pile in sheet.every(Pile):
            found += 1
            across += not cloth.holds(_written(pile))
    assert found > 200 and across <= found // 18


def _written(pile: Pile) -> Box:
    wide = total_width(pile.total, pile.owner)
    left = pile.x - {"start": 0, "middle": wide // 2, "end": wide}[pile.anchor]
    return Box(left, pile.y - 10, left + wide, pile.y)


@pytest.mark.parametrize(("language", "total"), [("pt", "12\N{NARROW NO-BREAK SPACE}500"), ("en", "12,500")])
def test_a_total_is_written_as_the_reader_writes_it(language: str, total: str) -> None:
    with translation.override(language):
        assert written(12_500) == total
