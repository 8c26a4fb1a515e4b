"""Whose turn it is, and whether a hand may take a card or stand: V 18 s1 to s3, 26 s2, 29."""

from collections.abc import Sequence
from typing import Any, Literal

from rules_engine.authoring import ImpossibleFacts, NotRegulated, Reasoning
from rules_engine.games.black_jack.hands import FIRST, is_black_jack, total
from rules_engine.games.black_jack.seating import decider
from rules_engine.games.black_jack.table import ACE, Hand, Situation

Wish = Literal["card", "stand"]


def check_made(s: Situation, made: Sequence[int]) -> None:
    """Check the seats whose hands are finished."""
    for seat in made:
        if not s.of_seat(seat):
            raise ImpossibleFacts("incident.made", "there is no hand at seat {seat}", seat=seat)


def next_asked(s: Situation, r: Reasoning, made: Sequence[int]) -> str:
    """Who is asked next when the hands of these seats are finished: whoever decides for the next hand."""
    left = [hand for hand in sorted(s.hands, key=lambda hand: hand.seat) if hand.seat not in made]
    skipped = [hand.seat for hand in left if is_black_jack(s, hand, r.book)]
    asked = next((hand.seat for hand in left if hand.seat not in skipped), None)
    if asked is None:
        raise ImpossibleFacts("incident.made", "nobody is left to be asked")
    for seat in [seat for seat in skipped if seat < asked]:
        r.pivot("18 s1", "black_jack_is_not_asked", seat=seat)
    r.pivot("18 s3", "next_in_turn", seat=asked)
    return decider(s, r, asked)


def may(s: Situation, r: Reasoning, name: str, wish: Wish) -> bool:
    """Whether a hand may take a card, or stand (V 18, 26, 29)."""
    hand, at = s.names()[name], s.named(name)
    found, split = total(r.book, hand), s.is_split(hand.seat)
    if found > r.book.number("best"):
        raise ImpossibleFacts("hands", "a hand over 21 is collected at once")
    if wish == "card":
        return _may_take(s, r, hand, found, at)
    if is_black_jack(s, hand, r.book) or (split and hand.cards[0][0] == ACE) or hand.doubled:
        raise NotRegulated("arts. 18, 26 and 29 leave nothing to decide on such a hand")
    least = r.book.number("must_draw_up_to")
    allowed = found > least
    r.pivot("18 s1", "may_stand" if allowed else "must_draw", total=found, least=least, **at)
    return allowed


def _may_take(s: Situation, r: Reasoning, hand: Hand, found: int, at: dict[str, Any]) -> bool:
    if is_black_jack(s, hand, r.book):
        r.pivot("18 s1", "black_jack_takes_none", **at)
        return False
    if found == r.book.number("best"):
        r.pivot("18 s2", "none_at_21", **at)
        return False
    if hand.doubled and len(hand.cards) > FIRST:
        r.pivot("29", "one_card_when_doubled", **at)
        return False
    own = r.book.number("split_aces_cards")
    if s.is_split(hand.seat) and hand.cards[0][0] == ACE and len(hand.cards) > own:
        r.pivot("26 s2", "one_card_on_split_aces", **at)
        return False
    if s.is_split(hand.seat):
        r.pivot("26 s2", "as_many_on_split", **at)
    r.pivot("18 s2", "may_draw", total=found, **at)
    return True
