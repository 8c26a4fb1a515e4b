"""Where the cards and chips of a live table are. Nothing here can create or lose any."""

from collections.abc import Iterable

from msgspec import structs

from rules_engine.equipment.cards import SUITS
from rules_engine.live.model import State
from rules_engine.ruling import Payment

OUTSIDE = "outside"  # where players get chips and take them to
UNLIMITED = (OUTSIDE, "house")


def move(state: State, moves: Iterable[Payment]) -> State:
    """Chips change hands. A player who has too few buys them first."""
    purses = dict(state.purses)
    for one in moves:
        short = one.amount - purses.get(one.payer, 0)
        if short > 0 and one.payer not in UNLIMITED:
            purses[one.payer] = purses.get(one.payer, 0) + short
            purses[OUTSIDE] = purses.get(OUTSIDE, 0) - short
        purses[one.payer] = purses.get(one.payer, 0) - one.amount
        purses[one.payee] = purses.get(one.payee, 0) + one.amount
    return structs.replace(state, purses=purses)


def draw(state: State, cards: tuple[str, ...]) -> State:
    """Cards leave the shoe, in this order. Raises RuntimeError if the shoe would give others."""
    if not cards:
        return state
    if state.shoe[: len(cards)] != cards:
        raise RuntimeError(f"the shoe gives {state.shoe[: len(cards)]}, not {cards}")
    return structs.replace(state, shoe=state.shoe[len(cards) :], out=(*state.out, *cards))


def stacked(shoe: tuple[str, ...], cards: Iterable[str]) -> tuple[str, ...] | None:
    """The same shoe with these cards on top, in this order; None if it does not have them."""
    rest, top = list(shoe), []
    for card in cards:
        if card not in rest:
            return None
        rest.remove(card)
        top.append(card)
    return (*top, *rest)


def without(cards: tuple[str, ...], others: Iterable[str]) -> tuple[str, ...]:
    """Cards apart from some of them."""
    left = list(cards)
    for card in others:
        left.remove(card)
    return tuple(left)


def of_same_rank(left: list[str], cards: Iterable[str]) -> tuple[str, ...] | None:
    """Cards taken from those left, of the same ranks as these and if possible the same; None if there are too few."""
    found = []
    for card in cards:
        same = next((one for one in (card, *(card[0] + suit for suit in SUITS)) if one in left), None)
        if same is None:
            return None
        left.remove(same)
        found.append(same)
    return tuple(found)
