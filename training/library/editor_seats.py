"""Which seats a table has."""

import re
from functools import cache

from rules_engine import Rulebook
from rules_engine.equipment.places import MOST_SEATS
from training.drawing import table_view
from training.library import editor_starts

SEAT = re.compile(r'data-point="place:([1-9])"')
LOOKED_AT = 8  # tables of a rulebook may differ, such as single and double ones


@cache
def numbers(book: Rulebook) -> frozenset[int]:
    """The seats that are drawn at ordinary tables of the rulebook; all numbers if none is drawn."""
    kinds = list(book.kinds())
    found: set[int] = set()
    for kind in kinds[:: -(-len(kinds) // LOOKED_AT)]:
        made = editor_starts.example(book, kind, difficulty=5)
        drawn = table_view(made, currency=book.currency, table=book.given_table, rulebook=book.id)
        found |= {int(seat) for sheet in drawn.sheets for seat in SEAT.findall(sheet.svg)}
    return frozenset(found or range(1, MOST_SEATS + 1))
