"""The table in words: what the drawings of all games share, as a list that a screen reader can walk."""

from collections.abc import Collection

from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from rules_engine.situation import Table
from training.drawing.cards import WARNING, Lying


def card_name(card: str) -> str:
    """A card as it is said: ace of spades, 7 of hearts."""
    ranks = {"A": _("ace"), "T": "10", "J": _("jack"), "Q": _("queen"), "K": _("king")}
    suits = {"s": _("spades"), "h": _("hearts"), "d": _("diamonds"), "c": _("clubs")}
    return _("%(rank)s of %(suit)s") % {"rank": ranks.get(card[0], card[0]), "suit": suits[card[1]]}


def places(situation: Table) -> list[str]:
    """Every place that is taken, seat by seat, each followed by those who stand there."""
    return sorted([*map(str, situation.seats), *situation.standing])


def empty_seats(situation: Table, seats: int) -> list[str]:
    free = [str(seat) for seat in range(1, seats + 1) if seat not in situation.seats]
    if not free:
        return []
    return [ngettext("Empty seat: %(seats)s.", "Empty seats: %(seats)s.", len(free)) % {"seats": ", ".join(free)}]


def cards(heaps: Collection[Lying], *, banker: str) -> list[str]:
    """A sentence for every heap. Scores are left to the reader. `banker` is the sentence for the bank's hand."""
    texts = {
        "ponto": _("Ponto's cards: %(cards)s."),
        "banker": banker,
        "loose": _("Out of the shoe, nobody's yet: %(cards)s."),
        "basket": _("In the basket: %(cards)s."),
        "floor": _("On the floor: %(cards)s."),
        WARNING: _("The warning card is out of the shoe."),
        "next": _("The shoe would give next: %(cards)s."),
        "burned": _("Burned: %(cards)s."),
        "next_coup": _("Kept for the next coup: %(cards)s."),
    }
    said = []
    for heap in heaps:
        names = [card_name(card) if card else _("one face down") for _ref, card in heap.cards]
        said.append(texts[heap.name] % {"cards": ", ".join(names) or pgettext("cards", "none")})
    return said


def joined(facts: list[str]) -> str:
    return "; ".join(facts) + "."
