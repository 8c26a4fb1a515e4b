"""Facts, story and drawing agree in generated cases of every rulebook: each card and chip once, whose, where, which
way up."""

from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest

from rules_engine import RULEBOOKS, Scenario, generate, topics
from rules_engine.equipment.cards import PACK
from rules_engine.narration import narrate
from rules_engine.words import card_sign
from tests.samples import sample
from training.drawing import table_view
from training.drawing.cards import Card, faced
from training.drawing.chips import Pile
from training.drawing.drawing import Sheet
from training.drawing.tokens import Token

WITH_CARDS = [id for id, book in RULEBOOKS.items() if hasattr(book.game.situation, "heaps")]
WITH_CHIPS = [id for id, book in RULEBOOKS.items() if book.game.id != "machines"]


def drawn(book: str) -> Iterator[tuple[Scenario, Any, Sheet]]:
    """Cases of every topic and level, each with its facts and every sheet it is drawn on while questions are open."""
    for topic in topics(book):
        for seed in range(sample(5, 40)):
            scenario = generate(book, topic, f"drawn {seed}", 1 + seed % 5)
            facts = scenario.situation
            for sheet in table_view(facts, currency=scenario.book.currency, asking=True).sheets:
                yield scenario, facts, sheet


@pytest.mark.parametrize("book", WITH_CARDS)
def test_every_card_lies_once_where_the_facts_have_it_and_the_right_way_up(book: str) -> None:
    for scenario, facts, sheet in drawn(book):
        heaps = facts.heaps()
        lying = {f"{name}.{n}": card for name, heap in heaps.items() for n, card in enumerate(heap, start=1)}
        cards = sheet.every(Card)
        refs = Counter(card.ref for card in cards)
        on_table = {ref for ref in lying if not ref.startswith("next.")}
        assert refs.keys() <= lying.keys() and on_table <= refs.keys() and set(refs.values()) <= {1}, scenario
        for card in cards:
            # A card still in the shoe may be drawn with its face where the story tells what comes next.
            faces = {faced("" if card.ref in facts.hidden else lying[card.ref])}
            faces |= {faced("")} if card.ref not in on_table else set()
            assert (card.rank, card.suit) in faces, (scenario, card)


@pytest.mark.parametrize("book", WITH_CARDS)
def test_a_card_that_the_story_names_lies_face_up(book: str) -> None:
    for scenario, facts, sheet in drawn(book):
        shown = {(card.rank, card.suit) for card in sheet.every(Card) if not card.hidden}
        coming = set(facts.heaps().get("next", ()))
        story = " ".join(narrate(facts, scenario.book, "en"))
        for card in (card for card in PACK if card_sign(card) in story):
            assert faced(card) in shown or card in coming, (scenario, card)


@pytest.mark.parametrize("book", WITH_CHIPS)
def test_every_stake_lies_once_with_its_owner_and_size(book: str) -> None:
    for scenario, facts, sheet in drawn(book):
        piles = [pile for pile in sheet.every(Pile) if not pile.point and pile.place != "bank"]
        tokens = [token for token in sheet.every(Token) if not token.id]
        collected = getattr(facts.incident, "left_lying", None)
        bets = collected(facts) if collected else getattr(facts, "stakes", None) or getattr(facts, "bets", ())
        if bets and hasattr(bets[0], "count"):
            wanted = Counter((bet.player, bet.spot, bet.count) for bet in bets)
            assert Counter((token.place, token.spot, token.count) for token in tokens) == wanted, scenario
        else:
            places = [pile.place for pile in piles] + [token.place for token in tokens]
            assert Counter(places) == Counter(bet.player for bet in bets), scenario
            sums = Counter((bet.player, bet.amount) for bet in bets)
            assert Counter((pile.place, pile.amount) for pile in piles) <= sums, scenario
