"""What a ruling leaves on the table for the next moment: the hands that are still in play and the chips on them."""

from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from rules_engine.authoring import After, collected

if TYPE_CHECKING:
    from rules_engine.games.black_jack.table import Bet, Hand, Situation


def left_over(s: "Situation", after: After) -> dict[str, Any]:
    """Hands whose cards are gone are finished, and so are their bets; all others stay. When the coup ends, all cards
    go, and the bets that were not lost lie there for the next."""
    if s.incident.ends_coup:
        return {"bank_cards": (), "hidden": (), "hands": (), "bets": _together(_chips(s, after))}
    kept = {name: hand for name, hand in s.names().items() if after.heap(name)}
    remain = Counter(hand.seat for hand in kept.values())
    hands = tuple(
        replace(hand, cards=after.heap(name), split=remain[hand.seat] == 1 and s.is_split(hand.seat))
        for name, hand in kept.items()
    )
    numbers, counted = dict[str, int](), Counter[int]()
    for name, hand in kept.items():
        counted[hand.seat] += 1
        numbers[name] = counted[hand.seat]
    dealt = {hand.seat for hand in s.hands}
    hands = tuple(sorted((*hands, *_new(s, after)), key=lambda hand: hand.seat))
    bets = (
        replace(bet, hand=numbers.get(bet.spot, bet.hand))
        for bet in _chips(s, after)
        if bet.spot in numbers or bet.seat not in dealt
    )
    return {"hands": hands, "bets": tuple(bets)}


def _new(s: "Situation", after: After) -> "Iterator[Hand]":
    """The hands of seats that had none and got a card."""
    for name, cards in after.heaps.items():
        if name.startswith("seat") and name not in s.names():
            seat = int(name.removeprefix("seat"))
            yield replace(s.hands[0], seat=seat, cards=cards, doubled=False, split=False)


def _chips(s: "Situation", after: After) -> "Iterator[Bet]":
    """The bets without what was collected or given back, and without insurance that was paid or lost."""
    taken, settled = collected(after.payments), {paid.spot for paid in after.payments}
    for bet in (bet for bet in s.bets if bet.spot != after.marks.get("returned")):
        rest = bet.amount - taken[bet.player, bet.spot]
        if rest > 0:
            yield replace(bet, amount=rest, insurance=0 if bet.line in settled else bet.insurance)


def _together(bets: "Iterator[Bet]") -> "tuple[Bet, ...]":
    """The chips of each player on each seat as one bet, as they lie once the hands are gone."""
    found: dict[tuple[str, int], Bet] = {}
    for bet in bets:
        before = found.get((bet.player, bet.seat))
        found[bet.player, bet.seat] = replace(bet, hand=1, amount=bet.amount + (before.amount if before else 0))
    return tuple(found.values())
