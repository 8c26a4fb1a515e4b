"""Incidents of a spin: generated facts that fit the running table, and what follows if nobody notices them."""

from collections import Counter
from collections.abc import Sequence
from functools import partial
from typing import Any

from msgspec import structs

from rules_engine.games.layout_bets import live
from rules_engine.games.layout_bets.live import bets_unnoticed
from rules_engine.games.roulette import layout
from rules_engine.games.roulette.closing import CLOSED, OPENED, ORDERED, THROWN
from rules_engine.games.roulette.flow.spin import Spin, some_bets
from rules_engine.games.roulette.limits import least, maximum
from rules_engine.games.roulette.table import Bet, Situation, joined
from rules_engine.live.flow import Incidents
from rules_engine.live.transplant import Misfit
from rules_engine.ruling import Ruling
from rules_engine.situation import kind_of

# When an incident occurs: while betting is open, when it is closed, while the ball rolls, when the number is out.
OPEN = ("bet_offered", "chips_cashed", "chips_played", "seat_wanted", "value_chosen")
OUT = ("chips_knocked", "stake_touched")
BEFORE, ROLLING, DROPPING, SETTLED = "before_throw", "rolling", "dropping", "settled"


def phase_of(s: Situation) -> str:
    """The phase of the spin in which an incident occurs."""
    kind = kind_of(s.incident)
    if kind == "fell_in":
        moment = s.incident.moment  # type: ignore[attr-defined]
        return {BEFORE: "open", SETTLED: "lying"}.get(moment, "closed")
    if kind == "late_bet":
        return "closed" if any(call.says == "closed" for call in s.calls) else "open"
    return "out" if kind in OUT else "open"


def find(c: Spin, kinds: Sequence[str], incidents: Incidents, *, wrong: bool) -> Situation | None:
    """An incident of one of these kinds that can occur in this spin, with something wrong or with nothing."""
    found: Situation | None = live.find(c, kinds, incidents, partial(moved, wrong=wrong), wrong=wrong)
    return found


def moved(c: Spin, made: Situation, *, wrong: bool) -> Situation:
    """Generated facts with the people, chips and calls of the running table."""
    kind = kind_of(made.incident)
    places = live.people_for(c, made)
    bets = tuple(_bet(c, made, bet, places) for bet in made.bets) or some_bets(c)
    facts = c.facts() | {"bets": joined(bets), "incident": _incident(c, made, places)}
    if kind in OUT:
        facts |= {"number": made.number, "previous": None}
    if kind == "late_bet":
        facts["calls"] = (OPENED, THROWN, ORDERED, CLOSED) if wrong else (OPENED,)
    s = Situation(**facts)
    _check_limits(c, s.bets if wrong else bets_unnoticed(s, s.bets, Bet, wrong=False))
    return s


def _check_limits(c: Spin, bets: tuple[Bet, ...]) -> None:
    """Raises Misfit if a player has more on a spot than the table takes: only the incident itself may be wrong."""
    staked: Counter[tuple[str, str]] = Counter()
    for bet in bets:
        staked[bet.player, bet.spot] += bet.amount
    for (_, spot), amount in staked.items():
        chance = layout.chance(spot)
        if amount > maximum(c.book, chance, least(c.book, chance)):
            raise Misfit


def _worths(c: Spin, made: Situation, player: str, places: dict[str, str]) -> tuple[int, int]:
    """What a chip of a player is worth here, and where the facts come from."""
    chips = made.colour_of(player)
    mine = [bet.value for bet in made.bets if bet.player == player]
    there = chips.value if chips else mine[0] if mine else made.minimum
    return c.worth(places[player]), there


def _bet(c: Spin, made: Situation, bet: Bet, places: dict[str, str]) -> Bet:
    here, there = _worths(c, made, bet.player, places)
    value = here if bet.value == there else bet.value
    return structs.replace(bet, player=places[bet.player], value=value)


def _incident(c: Spin, made: Situation, places: dict[str, str]) -> Any:
    incident: Any = made.incident
    player = getattr(incident, "player", None)
    if player is None:
        return incident
    here, there = _worths(c, made, player, places)
    changes: dict[str, Any] = {"player": places[player]}
    if getattr(incident, "value", None) == there and kind_of(incident) != "value_chosen":
        changes["value"] = here
    return structs.replace(incident, **changes)


def put_back(s: Situation, ruling: Ruling) -> list[Bet]:
    """Chips that lay nowhere, as the bets that the ruling makes of them."""
    there = {(bet.player, bet.spot) for bet in s.bets}
    paid = ruling.after.payments if ruling.after else ()
    found = [s.incident.put_on(one) for one in paid if (one.payee, one.spot) not in there and one.payer == "house"]
    return [bet for bet in found if bet is not None]
