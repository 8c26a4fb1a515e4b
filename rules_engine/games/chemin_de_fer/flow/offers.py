"""The stakes as they lie if nobody objects to what a ponto does with his."""

from typing import Any

from msgspec import structs

from rules_engine.games.chemin_de_fer.table import Situation, Stake, kind_of
from rules_engine.live.transplant import Misfit


def offered_stakes(s: Situation) -> tuple[Stake, ...]:
    """The stakes that count if nobody objects to them."""
    incident: Any = s.incident
    kind = kind_of(incident)
    if kind == "stake_changed":
        return _as_changed(s)
    more = incident.offers if kind == "late_stakes" else ()
    if kind in ("stake_after_words", "stake_put") and incident.amount and lies(incident):
        line = getattr(incident, "spot", "") == "line"
        more = (Stake(incident.player, incident.amount, line=line),)
    more = short_stake(s) or more
    if s.claim == "banco" or sum(stake.amount for stake in (*s.stakes, *more)) > s.bank:
        return s.stakes
    found = {stake.player: stake for stake in s.stakes}
    for stake in more:
        before = found.get(stake.player)
        if before and before.line != stake.line:
            raise Misfit  # half of one and all of the other would play
        found[stake.player] = structs.replace(stake, amount=stake.amount + (before.amount if before else 0))
    return tuple(found.values())


def lies(incident: Any) -> bool:
    """Whether what a ponto puts down lies where stakes do. Other things, and chips elsewhere, do not play."""
    return getattr(incident, "money", "chips") == "chips" and getattr(incident, "spot", "line") in ("own_place", "line")


def short_stake(s: Situation) -> tuple[Stake, ...]:
    """What a ponto has put down if he said more and has no stake yet."""
    incident: Any = s.incident
    short = kind_of(incident) == "sum_short" and incident.player != s.banker
    if not short or any(stake.player == incident.player for stake in s.stakes):
        return ()
    return (Stake(incident.player, incident.down),)


def _as_changed(s: Situation) -> tuple[Stake, ...]:
    """The stakes with one that a ponto changes. Raises Misfit if his right to the cards hangs on it."""
    incident: Any = s.incident
    others = tuple(stake for stake in s.stakes if stake.player != incident.player)
    found = (*others, Stake(incident.player, incident.to)) if incident.to else others
    if s.claim in ("banco", "banco_table") or sum(stake.amount for stake in found) > s.bank:
        raise Misfit
    return found
