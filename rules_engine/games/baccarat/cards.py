"""The values of cards at baccarat."""

from collections.abc import Iterable

from rules_engine.authoring import PACK, RANKS, ScoreName

# A ten shows ten pips but scores nothing, because only the last digit of a sum counts.
PIPS = {rank: index + 1 for index, rank in enumerate(RANKS[:10])} | {"J": 0, "Q": 0, "K": 0}
VALUES = {card: PIPS[card[0]] % 10 for card in PACK}
SCORES = tuple(range(10))
_value_of = VALUES.__getitem__
# Zero is called baccara, in the languages of the announcements.
BACCARA = ScoreName(
    score=0,
    said={"pt": "bacará", "it": "baccarà", "es": "bacará", "fr": "baccara", "en": "baccara"},
    heard=frozenset({"bacara", "baccara", "baccarat"}),
)


def value(card: str) -> int:
    """What one card adds to a score: 0 to 9."""
    return VALUES[card]


def score(cards: Iterable[str]) -> int:
    """The score of some cards: the last digit of the sum of their values."""
    return sum(map(_value_of, cards)) % 10
