"""The table in words: what the drawings of all games share, as a list that a screen reader can walk."""

from collections.abc import Iterable

from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from rules_engine.equipment.places import Seated


def card_name(card: str) -> str:
    """A card as it is said: ace of spades, 7 of hearts."""
    ranks = {"A": _("ace"), "T": "10", "J": _("jack"), "Q": _("queen"), "K": _("king")}
    suits = {"s": _("spades"), "h": _("hearts"), "d": _("diamonds"), "c": _("clubs")}
    return _("%(rank)s of %(suit)s") % {"rank": ranks.get(card[0], card[0]), "suit": suits[card[1]]}


def cards(lying: Iterable[str]) -> str:
    """Cards one after the other; one without a value lies face down."""
    names = [card_name(card) if card else _("one face down") for card in lying]
    return ", ".join(names) or pgettext("cards", "none")


def places(situation: Seated) -> list[str]:
    """Every place that is taken, seat by seat, each followed by those who stand there."""
    return sorted([*map(str, situation.seats), *situation.standing])


def empty_seats(situation: Seated, seats: int) -> list[str]:
    free = [str(seat) for seat in range(1, seats + 1) if seat not in situation.seats]
    if not free:
        return []
    return [ngettext("Empty seat: %(seats)s.", "Empty seats: %(seats)s.", len(free)) % {"seats": ", ".join(free)}]


def joined(facts: list[str]) -> str:
    return "; ".join(facts) + "."
