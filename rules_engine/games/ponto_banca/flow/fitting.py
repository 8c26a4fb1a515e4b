"""Incidents of a coup of ponto e banca: generated facts that fit the running table, and what follows from them."""

from collections.abc import Sequence
from typing import Any

from msgspec import structs

from rules_engine.authoring import EngineError
from rules_engine.games.ponto_banca.flow.coup import UP_NEXT, Coup
from rules_engine.games.ponto_banca.handling import CardsToHandle
from rules_engine.games.ponto_banca.outcome import Played, play_out, prize
from rules_engine.games.ponto_banca.setting import by_place, in_order
from rules_engine.games.ponto_banca.table import SIDES, Bet, Situation
from rules_engine.live.flow import Incidents, plain
from rules_engine.live.ledger import of_same_rank
from rules_engine.live.model import Event
from rules_engine.live.scene import handed_back
from rules_engine.live.transplant import Misfit, Move, cases_of, fitted, generated, mentioned, ruled, storable
from rules_engine.ruling import Ruling
from rules_engine.situation import kind_of

TRIES = 60
# From this level on, third cards go to the wrong side, which can be seen, and the text says whose they are.
CLEAR = 3
Found = tuple[Situation, Ruling]
CARDS = ("ponto", "banker_cards", "loose", "next", "hidden")
# Facts in which nobody is named who does something.
APART = (*CARDS, "standing")
# When an incident occurs: while betting is open, in the deal, or when all cards lie there. A late bet: see the calls.
OPEN = ("bet_placed", "standing_arrives")
OVER = ("bet_touched",)


def phase_of(s: Situation) -> str:
    kind = kind_of(s.incident)
    if kind == "late_bet":
        return "closed" if any(call.says == "closed" for call in s.calls) else "open"
    return "open" if kind in OPEN else "over" if kind in OVER else "cards"


def find(c: Coup, kinds: Sequence[str], incidents: Incidents, *, wrong: bool) -> Found | None:
    """An incident of one of these kinds that can occur in this coup, with something wrong or with nothing."""
    able = [kind for kind in kinds if kind in cases_of(c.book.id)]
    for kind in c.draw.shuffled(able):
        for _ in range(TRIES):
            try:
                level = max(c.busy, CLEAR) if kind == "third_card_slip" else c.busy
                situation = moved(c, generated(c.book, kind, c.draw, level))
                ruling = ruled(c.book, situation)
            except (Misfit, EngineError):
                continue
            if incidents.wrong(kind, ruling) == wrong and storable(c.book, situation):
                return situation, ruling
    return None


def moved(c: Coup, made: Situation) -> Situation:
    """Generated facts with the people, the bets or the cards of the running table."""
    kind = kind_of(made.incident)
    _check_seen(c, made, kind)
    move = Move(_places(c, made), (1, 1), (1, 1), {}, (), APART)
    changes = move.struct(made)
    bets = _with_lying(c, changes["bets"]) or c.bets
    incident = changes["incident"]
    if kind == "standing_arrives":
        incident = structs.replace(incident, places=c.book.table.seats, already=len(c.table["standing"]))
    calls = changes["calls"] or c.facts()["calls"]
    found = Situation(**c.facts() | {"bets": bets, "incident": incident, "calls": calls} | _cards(c, made))
    if kind == "handler_acts":
        _check_handler(c, found)
    return found


def _check_handler(c: Coup, s: Situation) -> None:
    """Who does something with a side's cards is who has them. Raises Misfit otherwise."""
    incident: Any = s.incident
    right = c.rule(CardsToHandle(), bets=s.bets, ponto=s.ponto[:2], banker_cards=s.banker_cards[:2], hidden=())
    if right is None or right[f"handler.{incident.side}"] != incident.player:
        raise Misfit


def _with_lying(c: Coup, made: Sequence[Bet]) -> tuple[Bet, ...]:
    """Generated bets besides those that lie on the cloth since the last coup. Raises Misfit if they do not go
    together."""
    if not made:
        return ()
    lying = c.lying()
    with_side = {bet.player for bet in lying if bet.on in SIDES}
    there = {(bet.player, bet.on) for bet in lying}
    others = [bet for bet in made if (bet.player, bet.on) not in there]
    others = [bet for bet in others if bet.on not in SIDES or bet.player not in with_side]
    bets = by_place((*lying, *others))
    sums = {side: sum(bet.amount for bet in bets if bet.on == side) for side in SIDES}
    gap = c.facts().get("max_gap", 0)
    if gap and abs(sums["ponto"] - sums["banker"]) > gap:
        raise Misfit
    return bets


def _check_seen(c: Coup, made: Situation, kind: str) -> None:
    """Only slips that can be seen: a card that went to the wrong side, or cards that were mixed on the table."""
    incident: Any = made.incident
    if getattr(incident, "swept", False) or getattr(incident, "trace", "") == "swept":
        raise Misfit
    if kind == "third_card_slip":
        thirds = (*made.ponto[2:], *made.banker_cards[2:])
        given = [side for side in SIDES for _ in made.heap(side)[2:]]
        right = play_out(c.book, (*thirds, *made.next), ponto=made.ponto[:2], banker=made.banker_cards[:2]).sides
        if given == list(right[: len(given)]):
            raise Misfit


def _places(c: Coup, made: Situation) -> dict[str, str]:
    """Who becomes whom, in the same order round the table; who stands beside a seat stands beside one here too."""
    names = mentioned(made, APART)
    seats = fitted(sorted({name[0] for name in names}), [str(seat) for seat in c.table["seats"]], c.draw)
    found = {name: seats[name[0]] + name[1:] for name in names} | seats
    if any(not place.isdigit() and place not in c.table["standing"] for place in found.values()):
        raise Misfit
    return found


def _cards(c: Coup, made: Situation) -> dict[str, Any]:
    """The generated cards as cards of the same rank that are still in the shoe, after those that may be burned."""
    left = list(c.shoe[UP_NEXT:])
    found: dict[str, Any] = {"hidden": made.hidden}
    for name in CARDS[:-1]:
        cards = of_same_rank(left, getattr(made, name))
        if cards is None:
            raise Misfit
        found[name] = cards
    return found


def rightly_given(c: Coup, s: Situation) -> int:
    """How many cards of a slip in the deal went where they belong before the first that did not."""
    given = getattr(s.incident, "given", ())
    right = play_out(c.book, (*s.loose, *s.next)).sides
    pairs = zip(given, right, strict=False)
    return next((n for n, (one, other) in enumerate(pairs) if one != other), min(len(given), len(right)))


def out_of_shoe(s: Situation) -> tuple[str, ...]:
    """The cards of an incident in the order in which they leave the shoe."""
    if s.loose:
        return (*s.loose, *s.next)
    if len(s.banker_cards) > 1:
        return (*in_order(s.ponto, s.banker_cards), *s.next)
    return (*s.ponto[:1], *s.banker_cards[:1], *s.ponto[1:2], *s.next)


def unnoticed(c: Coup, s: Situation) -> None:
    """What happened counts if nobody objects: the bet lies there, and the cards count as they lie."""
    incident: Any = s.incident
    kind = kind_of(incident)
    if kind in ("bet_placed", "late_bet") and incident.on:
        if not _payable(c, incident):
            c.returned = handed_back(shown(s, c))
            return
        more = Bet(incident.player, incident.on, incident.amount)
        there = [bet for bet in c.bets if (bet.player, bet.on) == (more.player, more.on)]
        total = structs.replace(more, amount=more.amount + sum(bet.amount for bet in there))
        c.bets = by_place((*(bet for bet in c.bets if bet not in there), total))
    elif kind == "misdealt":
        c.void = not incident.given
        c.lapsed = any(len(hand) != 2 for hand in c.hands.values()) and not c.void
    elif kind == "third_card_slip":
        c.lapsed = True


def _payable(c: Coup, incident: Any) -> bool:
    """Whether the text gives a prize for such a bet; if not, it is given back when it is seen."""
    bank_wins = Played(("2s", "2s"), ("4s", "4s"), ())
    try:
        return bool(prize(c.book, Bet(incident.player, incident.on, incident.amount), bank_wins))
    except EngineError:
        return False


def shown(s: Situation, c: Coup) -> list[Event]:
    """What everybody sees of an incident: chips look like any others, the rest is told, if cards do not show it."""
    incident: Any = s.incident
    kind = kind_of(incident)
    if kind in ("bet_placed", "late_bet") and incident.on:
        return [Event("chips", by=incident.player, to=incident.on, amount=incident.amount)]
    if kind == "third_card_slip" or bool(getattr(incident, "given", None)):
        return []
    return [_told(c, name, values) for name, values in (*incident.told(s), *incident.narrated(s))]


def _told(c: Coup, name: str, values: Any) -> Event:
    """A sentence; a shorter one, if that of a drill says too much for a table."""
    brief = "live." + name.partition(".")[2]
    return Event("told", says=brief if c.book.game.words.has(brief, "en") else name, values=plain(values))
