"""The drawing and its words have the seats of the house's table: every one of them, and no other."""

import re

import pytest
from django.utils import translation

from rules_engine import RULEBOOKS, generate, topics
from tests.samples import sample
from training.drawing import table_view
from training.drawing.people import Person

WITH_SEATS = [(id, table) for id, book in RULEBOOKS.items() if book.game.id != "machines" for table in book.tables]


@pytest.mark.parametrize(("book", "table"), WITH_SEATS, ids=lambda value: getattr(value, "name", value))
def test_every_seat_of_the_table_is_drawn_and_told_and_no_other(book: str, table) -> None:
    for topic in topics(book):
        for seed in range(sample(3, 20)):
            scenario = generate(book, topic, f"seats {seed}", 1 + seed % 5, table=table)
            facts = scenario.situation
            if hasattr(facts.incident, "places") or hasattr(facts.incident, "boards"):
                continue  # the case itself says how many there are
            seats = getattr(facts, "places", table.seats)
            with translation.override("en"):
                view = table_view(facts, asking=True, rulebook=book, table=table)
            wanted = {str(seat) for seat in range(1, seats + 1)}
            for sheet in view.sheets:
                people = {one.place for one in sheet.every(Person) if one.seated}
                assert people == wanted or (not people and topic == "numbers"), scenario
            told = {found for line in view.words for found in re.findall(r"^Seat (\d+)[;.]", line)}
            empty = {seat for line in view.words if line.startswith("Empty seat") for seat in re.findall(r"\d+", line)}
            assert told | empty == wanted or (not told and topic == "numbers"), scenario
