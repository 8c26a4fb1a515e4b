"""Every topic of every rulebook can be drawn and told, before the answer and after it."""

import re
from collections import Counter
from typing import Any

import pytest
from django.template.loader import render_to_string
from django.utils import translation

from rules_engine import RULEBOOKS
from rules_engine.equipment.cards import CardTable
from rules_engine.narration import ask, call_log, narrate
from rules_engine.scenario import Scenario, generate
from rules_engine.topics import topics
from training.drawing import Drawing, table_view
from training.drawing.cards import CARD_HIGH, CARD_WIDE, Heap
from training.drawing.free_space import inside
from training.drawing.geometry import Box
from training.drawing.primitives import Ellipse
from training.drawing.scene import IN_SHOE

SUBJECTS = [(book, topic) for book in RULEBOOKS for topic in topics(book)]
WITH_CARDS = [(book, topic) for book, topic in SUBJECTS if issubclass(RULEBOOKS[book].game.situation, CardTable)]
SEEDS = 5


def scenarios(book: str, topic: str) -> list[Scenario]:
    return [generate(book, topic, f"drawn-{number}", 1 + number % 5) for number in range(SEEDS)]


def html(table: Drawing) -> str:
    return render_to_string("table/table.html", {"table": table})


def drawn_cards(page: str) -> list[str]:
    return sorted(re.findall(r'data-point="card:(\w+\.\d+)"', page))


def refs(situation: Any) -> list[str]:
    """Every card at the table; a game without cards has none."""
    heaps = situation.heaps() if isinstance(situation, CardTable) else {}
    return sorted(f"{name}.{number}" for name, cards in heaps.items() for number in range(1, len(cards) + 1))


def untold(situation: Any) -> int:
    """The banker's two cards where the ponto has his and no fact names them."""
    chemin_de_fer = situation.game == "chemin_de_fer"
    return 2 if chemin_de_fer and len(situation.ponto) > 1 and not situation.banker_cards else 0


@pytest.mark.parametrize(("book", "topic"), WITH_CARDS)
def test_everything_at_the_table_is_drawn_once(book: str, topic: str) -> None:
    for scenario in scenarios(book, topic):
        situation: Any = scenario.situation
        for sheet in table_view(situation, currency=scenario.book.currency).sheets:
            assert drawn_cards(sheet.svg) == refs(situation)
            assert sheet.svg.count('href="#card-back"') == len(getattr(situation, "hidden", ())) + untold(situation)
            places = Counter(re.findall(r'data-point="place:(\w+)"', sheet.svg))
            assert set(places.values()) == {1}
            assert set(places) >= {*map(str, situation.seats), *situation.standing}
            told = situation.stakes if situation.game == "chemin_de_fer" else situation.bets
            stakes = re.findall(r'data-point="stake:(\w+)"', sheet.svg)
            assert sorted(stake for stake in stakes if stake != "bank") == sorted(stake.player for stake in told)
            bank = getattr(situation, "bank", 0) or getattr(situation.incident, "laid_out", 0)
            assert ("bank" in stakes) == bool(bank)


@pytest.mark.parametrize(("book", "topic"), SUBJECTS)
@pytest.mark.parametrize("language", ["pt", "en"])
def test_it_is_told_in_words(book: str, topic: str, language: str) -> None:
    with translation.override(language):
        for scenario in scenarios(book, topic):
            situation = scenario.situation
            view = table_view(situation, currency=scenario.book.currency)
            told = [*view.words, *narrate(situation, scenario.book, language)]
            told += [line.words for line in call_log(situation, scenario.book, language)]
            told += [ask(question.key, situation, scenario.book, language) for question in scenario.questions]
            assert all(told)
            assert [sentence for sentence in told if re.search(r"%\(|\{|(?<!\d)0\s€|€0\b", sentence)] == []


@pytest.mark.parametrize(("book", "topic"), WITH_CARDS)
def test_cards_lie_on_the_cloth_and_in_reading_order(book: str, topic: str) -> None:
    for scenario in scenarios(book, topic):
        for after in (None, scenario.solve().after):
            for sheet in table_view(scenario.situation, after=after).sheets:
                ovals = [shape for shape in sheet.every(Ellipse) if shape.kind == "cloth"]
                for heap in sheet.every(Heap):
                    assert [(card.y, card.x) for card in heap.cards] == sorted((card.y, card.x) for card in heap.cards)
                    for card in heap.cards:
                        box = Box(card.x, card.y, card.x + CARD_WIDE, card.y + CARD_HIGH)
                        corners = [(x, y) for x in (box.left, box.right) for y in (box.top, box.bottom)]
                        assert inside(box, sheet.window)
                        assert all(oval.holds(x, y) for oval in ovals for x, y in corners)


@pytest.mark.parametrize(("book", "topic"), SUBJECTS)
def test_the_ruling_puts_every_card_somewhere(book: str, topic: str) -> None:
    for scenario in scenarios(book, topic):
        after = scenario.solve().after
        if after is None:
            continue
        view = table_view(scenario.situation, after=after)
        page = html(view)
        ends = {name: cards for name, cards in after.heaps.items() if name != IN_SHOE}
        lying = sorted(f"{name}.{n}" for name, cards in ends.items() for n in range(1, len(cards) + 1))
        assert all(drawn_cards(sheet.svg) == lying for sheet in view.sheets)
        assert "card-back" not in re.sub(r"<defs>.*?</defs>", "", page, flags=re.DOTALL)
