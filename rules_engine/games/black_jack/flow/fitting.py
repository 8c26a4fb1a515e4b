"""Incidents of a black jack coup: generated facts that fit the running table, and how the coup gets there."""

from collections.abc import Sequence
from contextlib import suppress
from typing import Any

from msgspec import structs

from rules_engine.authoring import EngineError
from rules_engine.games.black_jack.flow.round import Round, card_to
from rules_engine.games.black_jack.hands import FIRST, total
from rules_engine.games.black_jack.table import Bet, Hand, Situation
from rules_engine.live.flow import Incidents, plain
from rules_engine.live.ledger import of_same_rank
from rules_engine.live.model import Event
from rules_engine.live.scene import handed_back
from rules_engine.live.transplant import Misfit, cases_of, fitted, generated, ruled, storable
from rules_engine.ruling import Ruling
from rules_engine.situation import kind_of

TRIES = 60
Found = tuple[Situation, Ruling]
SUMS = ("amount",)
# Kinds of incident in which the player of a seat does something in his turn.
IN_TURN = ("card_unwanted", "double_wanted", "player_wishes", "split_wanted", "surrender_wanted")


def find(c: Round, kinds: Sequence[str], incidents: Incidents, *, wrong: bool) -> Found | None:
    """An incident of one of these kinds that can occur in this coup, with something wrong or with nothing."""
    able = [kind for kind in kinds if kind in cases_of(c.book.id)]
    for kind in c.draw.shuffled(able):
        for _ in range(TRIES):
            try:
                situation = moved(c, generated(c.book, kind, c.draw, min(c.busy + 1, 5)))
                ruling = ruled(c.book, situation)
            except (Misfit, EngineError):
                continue
            if incidents.wrong(kind, ruling) == wrong and storable(c.book, situation):
                return situation, ruling
    return None


def moved(c: Round, made: Situation) -> Situation:
    """Generated facts with the people, the least bet and the cards of the running table."""
    if made.standing or any(hand.split or hand.doubled or made.has_several(hand.seat) for hand in made.hands):
        raise Misfit
    seats = _seats(c, made)
    facts = c.facts() | {
        "bets": tuple(_bet(c, made, bet, seats) for bet in made.bets),
        "incident": _incident(c, made, seats),
        "calls": (),
    }
    facts |= _cards(c, made, seats)
    found = Situation(**facts)
    if all_dealt(found) and {hand.seat for hand in found.hands} != {bet.seat for bet in found.bets}:
        raise Misfit
    least = c.book.number("must_draw_up_to")
    if any(hand.seat in done_ruled(found) and total(c.book, hand) <= least for hand in found.hands):
        raise Misfit
    return found


def all_dealt(s: Situation) -> bool:
    """Whether everybody has the first two cards."""
    return bool(s.hands) and all(len(cards) >= FIRST for cards in (s.bank_cards, *(hand.cards for hand in s.hands)))


def turn_of(s: Situation) -> int:
    """The seat whose turn it is at an incident; none if nobody is being asked."""
    return int(getattr(s.incident, "seat", 0)) if kind_of(s.incident) in IN_TURN else 0


def had_turn(s: Situation) -> tuple[int, ...]:
    """The seats that have been asked when an incident occurs, with the one whose turn it is."""
    last = turn_of(s) if "bank.2" in s.hidden else max((hand.seat for hand in s.hands), default=0)
    return tuple(hand.seat for hand in s.hands if hand.seat <= last or len(hand.cards) > FIRST)


def done_ruled(s: Situation) -> tuple[int, ...]:
    """The seats that are finished after a ruling: the one whose act was refused is asked again."""
    again = turn_of(s) if kind_of(s.incident) != "card_unwanted" else 0
    return tuple(seat for seat in had_turn(s) if seat != again)


def done_unnoticed(s: Situation) -> tuple[int, ...]:
    """The same if nobody objected: who stood has stood."""
    stood = kind_of(s.incident) == "player_wishes" and getattr(s.incident, "wish", "") == "stand"
    return had_turn(s) if stood else done_ruled(s)


def _seats(c: Round, made: Situation) -> dict[int, int]:
    """Which seat here stands for which there: taken for taken, empty for empty, in the same order."""
    incident: Any = made.incident
    used = {hand.seat for hand in made.hands} | {bet.seat for bet in made.bets} | {int(b.player) for b in made.bets}
    used |= {getattr(incident, "seat", 0), *getattr(incident, "asking", ())} - {0}
    if player := getattr(incident, "player", ""):
        used.add(int(player))
    empty = [seat for seat in range(1, c.table["places"] + 1) if seat not in c.seats]
    found: dict[str, str] = {}
    for here, there in ((sorted(c.seats), True), (empty, False)):
        names = [str(seat) for seat in sorted(used) if (seat in made.seats) == there]
        found |= fitted(names, [str(seat) for seat in here], c.draw)
    seats = {int(name): int(seat) for name, seat in found.items()}
    if sorted(seats, key=seats.__getitem__) != sorted(seats):
        raise Misfit
    return seats


def _sum(c: Round, made: Situation, value: int) -> int:
    scaled, rest = divmod(value * c.minimum, made.minimum)
    if rest:
        raise Misfit
    return scaled


def _bet(c: Round, made: Situation, bet: Bet, seats: dict[int, int]) -> Bet:
    return structs.replace(
        bet,
        player=str(seats[int(bet.player)]),
        seat=seats[bet.seat],
        amount=_sum(c, made, bet.amount),
        insurance=_sum(c, made, bet.insurance),
    )


def _incident(c: Round, made: Situation, seats: dict[int, int]) -> Any:
    incident: Any = made.incident
    changes: dict[str, Any] = {}
    if hasattr(incident, "player"):
        changes["player"] = str(seats[int(incident.player)])
    if hasattr(incident, "seat"):
        changes["seat"] = seats[incident.seat]
    if hasattr(incident, "asking"):
        changes["asking"] = tuple(seats[seat] for seat in incident.asking)
    for name in SUMS:
        if isinstance(value := getattr(incident, name, None), int):
            changes[name] = _sum(c, made, value)
    return structs.replace(incident, **changes)


def _cards(c: Round, made: Situation, seats: dict[int, int]) -> dict[str, Any]:
    """The generated cards as cards that are still in the shoe, of the same rank."""
    left = list(c.shoe)

    def taken(cards: tuple[str, ...]) -> tuple[str, ...]:
        found = of_same_rank(left, cards)
        if found is None:
            raise Misfit
        return found

    hands = tuple(Hand(seat=seats[hand.seat], cards=taken(hand.cards)) for hand in made.hands)
    return {
        "hands": tuple(sorted(hands, key=lambda hand: hand.seat)),
        "bank_cards": taken(made.bank_cards),
        "loose": taken(made.loose),
        "next": taken(made.next),
        "hidden": made.hidden,
    }


def out_of_shoe(s: Situation) -> tuple[str, ...]:
    """The cards of an incident in the order in which they leave the shoe."""
    hands = [hand.cards for hand in s.hands]
    dealt = [cards[n] for n in (0, 1) for cards in (*hands, s.bank_cards) if n < len(cards)]
    more = [card for cards in hands for card in cards[2:]]
    return (*dealt, *more, *s.bank_cards[2:], *s.loose, *s.next)


def unnoticed(c: Round, s: Situation) -> None:
    """What a player did counts if nobody objects, as far as it changes bets or cards."""
    incident: Any = s.incident
    kind = kind_of(incident)
    if kind == "bet_placed":
        if not s.hands or any(hand.seat == incident.seat for hand in s.hands):
            mine = [bet for bet in s.bets if (bet.player, bet.seat) == (incident.player, incident.seat)]
            amount = incident.amount + sum(bet.amount for bet in mine)
            new = Bet(player=incident.player, seat=incident.seat, amount=amount)
            bets = (*(bet for bet in s.bets if bet not in mine), new)
            c.bets = tuple(sorted(bets, key=lambda bet: (bet.seat, bet.player != str(bet.seat))))
    elif kind == "insurance_placed":
        c.returned = handed_back(shown(s))
    elif kind == "player_wishes" and incident.wish == "card":
        with suppress(EngineError):
            card_to(c, incident.seat)
    elif kind in ("bank_card_drawn", "card_unwanted"):
        # The text itself says that such a card does not count (18, 19 s2).
        c.loose, c.hidden = (), tuple(ref for ref in c.hidden if not ref.startswith("loose"))


def insured(s: Situation) -> tuple[Bet, ...]:
    """The bets with the insurance that an incident adds."""
    incident: Any = s.incident
    mine = (incident.player, incident.seat)
    return tuple(
        structs.replace(bet, insurance=bet.insurance + incident.amount) if (bet.player, bet.seat) == mine else bet
        for bet in s.bets
    )


def shown(s: Situation) -> list[Event]:
    """What everybody sees of an incident: a word and chips look like any others, the rest is told."""
    incident: Any = s.incident
    kind = kind_of(incident)
    if kind == "player_wishes":
        return [Event("call", by=str(incident.seat), says=incident.wish)]
    if kind == "bet_placed":
        return [Event("chips", by=incident.player, to=f"seat{incident.seat}", amount=incident.amount)]
    told = [*s.incident.told(s), *s.incident.narrated(s)]
    return [*(Event("told", says=says, values=plain(values)) for says, values in told), *_insurance(s)]


def _insurance(s: Situation) -> list[Event]:
    """The chips that an incident puts on the insurance line, rightly or not."""
    if kind_of(s.incident) != "insurance_placed":
        return []
    more = [(now, now.insurance - before.insurance) for before, now in zip(s.bets, insured(s), strict=True)]
    return [Event("chips", by=bet.player, to=bet.line, amount=amount) for bet, amount in more if amount]
