"""Incidents of a spin: generated facts that fit the running table, and what follows if nobody notices them."""

from collections.abc import Sequence
from typing import Any

from msgspec import structs

from rules_engine.authoring import EngineError
from rules_engine.games.roulette import layout
from rules_engine.games.roulette.closing import CLOSED, OPENED, ORDERED, THROWN
from rules_engine.games.roulette.flow.spin import Spin, some_bets
from rules_engine.games.roulette.table import Bet, Situation, joined
from rules_engine.live.flow import Incidents, plain
from rules_engine.live.model import Event
from rules_engine.live.transplant import Misfit, cases_of, fitted, generated, ruled, storable
from rules_engine.ruling import Ruling
from rules_engine.situation import kind_of

TRIES = 40
Found = tuple[Situation, Ruling]
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


def find(c: Spin, kinds: Sequence[str], incidents: Incidents, *, wrong: bool) -> Found | None:
    """An incident of one of these kinds that can occur in this spin, with something wrong or with nothing."""
    able = [kind for kind in kinds if kind in cases_of(c.book.id)]
    for kind in c.draw.shuffled(able):
        for _ in range(TRIES):
            try:
                situation = moved(c, generated(c.book, kind, c.draw, c.busy), wrong=wrong)
                ruling = ruled(c.book, situation)
            except (Misfit, EngineError):
                continue
            if incidents.wrong(kind, ruling) == wrong and storable(c.book, situation):
                return situation, ruling
    return None


def moved(c: Spin, made: Situation, *, wrong: bool) -> Situation:
    """Generated facts with the people, chips and calls of the running table."""
    kind, incident = kind_of(made.incident), made.incident
    player = getattr(incident, "player", None)
    names = sorted({bet.player for bet in made.bets} | ({player} if player else set()))
    places = fitted(names, c.people, c.draw)
    bets = tuple(_bet(c, made, bet, places) for bet in made.bets) or some_bets(c)
    facts = c.facts() | {"bets": joined(bets), "incident": _incident(c, made, places)}
    if kind in OUT:
        facts |= {"number": made.number, "previous": None}
    if kind == "late_bet":
        facts["calls"] = (OPENED, THROWN, ORDERED, CLOSED) if wrong else (OPENED,)
    return Situation(**facts)


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


def unnoticed(s: Situation) -> tuple[Bet, ...]:
    """The bets as they lie if nobody objects to what a player did."""
    incident: Any = s.incident
    kind = kind_of(incident)
    if kind == "stake_touched":
        return tuple(bet for bet in s.bets if (bet.player, bet.spot) != (incident.player, incident.spot))
    if kind == "late_bet":
        kept = s.bets if incident.wish == "place" else _without(s, incident)
        where = incident.lies_on(allowed=True)
        return joined((*kept, _chips(incident, where))) if where else kept
    if kind == "bet_offered" and incident.spot in layout.SPOTS:
        return joined((*s.bets, _chips(incident, incident.spot)))
    return s.bets


def _without(s: Situation, incident: Any) -> tuple[Bet, ...]:
    gone = (incident.player, incident.spot, incident.value)
    return tuple(bet for bet in s.bets if (bet.player, bet.spot, bet.value) != gone)


def _chips(incident: Any, spot: str) -> Bet:
    place = layout.SPOTS[spot]
    return Bet(
        player=incident.player,
        chance=place.chance,
        numbers=place.numbers,
        count=incident.count,
        value=incident.value,
    )


def shown(s: Situation) -> list[Event]:
    """What everybody sees of an incident: chips that come, go or move look like any others, the rest is told."""
    incident: Any = s.incident
    kind = kind_of(incident)
    if kind == "late_bet":
        gone = {"from": incident.spot} if incident.wish != "place" else {}
        where = incident.lies_on(allowed=True) or ""
        return [Event("chips", by=incident.player, to=where, amount=incident.stake, values=_counted(incident) | gone)]
    if kind == "bet_offered" and incident.spot in layout.SPOTS:
        return [Event("chips", by=incident.player, to=incident.spot, amount=incident.amount, values=_counted(incident))]
    return [Event("told", says=says, values=plain(values)) for says, values in s.incident.narrated(s)]


def _counted(incident: Any) -> dict[str, Any]:
    return {"count": incident.count}
