"""No bancô of either kind: the cards go by the stakes.

Portugal 60, 61 and 101; Sanremo 51, 52 s2, 83 s1, 112 and 115 s2 to s5.
"""

from rules_engine.authoring import NotRegulated, Reasoning
from rules_engine.games.chemin_de_fer.claims.facts import (
    ClaimsOpen,
    Right,
    asked,
    laid,
    moment,
    seated_first,
    staked,
    stakers,
    tell_line,
)
from rules_engine.games.chemin_de_fer.order import by_house
from rules_engine.games.chemin_de_fer.table import Situation


def by_stake(s: Situation, r: Reasoning, places: list[str]) -> list[str]:
    """The largest stake first; equal stakes from the banker's right."""
    return sorted(seated_first(s, places), key=lambda place: -staked(s, r.book, place))


def stake_pt(s: Situation, incident: ClaimsOpen, r: Reasoning) -> Right:
    ranked = by_stake(s, r, [place for place in stakers(s) if place.isdigit()])
    barred = (*incident.cannot_play, incident.partner)
    able = [place for place in ranked if place not in barred]
    standing = [place for place in by_stake(s, r, stakers(s)) if not place.isdigit() and place not in barred]
    if standing and not ranked:
        return _only_standing_pt(s, r, standing)
    if not able:
        raise NotRegulated(
            "art. 60: the text gives the cards to a seated ponto only, and none who may have them has staked"
        )
    holder = able[0]
    for who in ranked[: ranked.index(holder)]:
        cite, text = ("31 s2", "claims.partner_stays_out") if who == incident.partner else ("101", "claims.cannot_play")
        r.pivot(cite, text, who=who)
    _tell_largest(s, r, able, largest="60", equal="61")
    return Right(holder, "stake", tuple(able))


def _only_standing_pt(s: Situation, r: Reasoning, standing: list[str]) -> Right:
    """60 gives the cards to a seated ponto, and none has staked (Q32)."""
    by_place = r.book.reads("Q32", "by_place")
    # By place all of them are ranked; by stake only those who have staked the most.
    equal = [place for place in standing if staked(s, r.book, place) == staked(s, r.book, standing[0])]
    ranked = by_house(r, s.banker, tuple(seated_first(s, standing) if by_place else equal))
    order = [*ranked, *(place for place in standing if place not in ranked)]
    text = "claims.standing_by_place" if by_place else "claims.standing_largest"
    tell_line(s, r, decides=_whole_decides(s, order) and not by_place)
    r.pivot("60 open", text, who=order[0], stake=staked(s, r.book, order[0]), banker=s.banker)
    return Right(order[0], "stake", tuple(order))


def _tell_largest(s: Situation, r: Reasoning, able: list[str], *, largest: str, equal: str) -> None:
    tell_line(s, r, decides=_whole_decides(s, able))
    most = staked(s, r.book, able[0])
    ties = [place for place in able if staked(s, r.book, place) == most]
    # A single stake is not compared with any other.
    r.step(largest, "claims.largest_seated", stake=most, who=able[0], pivot=len(ties) == 1 < len(stakers(s)))
    if len(ties) > 1:
        r.pivot(equal, "claims.equal_stakes", others=tuple(ties), stake=most, who=able[0], banker=s.banker)


def _whole_decides(s: Situation, able: list[str]) -> bool:
    """Whether somebody else would have the cards if chips on the line counted whole."""
    return any(laid(s, place) >= laid(s, able[0]) for place in able[1:])


def stake_sanremo(s: Situation, incident: ClaimsOpen, r: Reasoning) -> Right:
    everybody = by_stake(s, r, stakers(s))
    if not everybody:
        raise NotRegulated("art. 51: nobody has asked for the bank and nobody has staked")
    if len(everybody) == 1:
        return Right(_sole_ponto(s, incident, r, everybody[0]), "stake", tuple(everybody))
    equal = _equal_to_table(s, r, everybody)
    if equal:
        return Right(equal, "stake", (equal,))
    barred = (*incident.cannot_play, incident.partner)
    seated = [place for place in everybody if place.isdigit()]
    standing = [place for place in everybody if not place.isdigit() and place not in barred]
    if standing and all(place in (*incident.cannot_play, *incident.by_rule) for place in seated):
        holder = standing[0]
        tell_line(s, r, decides=_whole_decides(s, standing))
        r.pivot("115 s4" if seated else "115 s3", _standing_text(seated), who=holder, stake=staked(s, r.book, holder))
        return Right(holder, "stake", tuple(standing))
    _refuse_silent_half(s, r, standing)
    able = [place for place in seated if place not in barred]
    if not able:
        raise NotRegulated(
            "arts. 51 and 112: the text does not say who has the cards when nobody who staked may have them"
        )
    for who in seated[: seated.index(able[0])]:
        if who == incident.partner:
            r.pivot("83 s1", "claims.partner_no_cards", who=who)
        else:
            r.pivot("112", "claims.cannot_play", who=who)
    _tell_largest(s, r, able, largest="51 s1", equal="51 s2")
    _tell_completer(s, r, able)
    return Right(able[0], "stake", tuple(able))


def _standing_text(seated: list[str]) -> str:
    return "claims.standing_before_beginners" if seated else "claims.standing_nobody_seated"


def _sole_ponto(s: Situation, incident: ClaimsOpen, r: Reasoning, who: str) -> str:
    if who in incident.cannot_play:
        r.pivot("112", "claims.beginner_alone", who=who)
    if who == incident.partner:
        r.pivot("83 s1", "claims.partner_alone", who=who)
    if who.isdigit():
        r.step("51 s1", "claims.largest_seated", stake=staked(s, r.book, who), who=who)
    else:
        r.pivot("115 s2", "claims.standing_sole_ponto", who=who)
    return who


def _refuse_silent_half(s: Situation, r: Reasoning, standing: list[str]) -> None:
    """Half the bank gives the right to the cards (47 s1), but a standing player must ask for it (115): silence is not
    regulated."""
    for who in standing:
        if staked(s, r.book, who) * r.book.number("banco_table_divisor") >= s.bank:
            raise NotRegulated(
                "a standing player has half the bank down and has not asked for it: arts. 47 and 115 disagree"
            )


def _equal_to_table(s: Situation, r: Reasoning, everybody: list[str]) -> str | None:
    """With an open bank, a standing player who stakes as much as all the others together gets the cards."""
    if moment(s, "tout_va", "see_stakes") == len(s.calls):
        return None
    for who in asked(s, "plays_equal"):
        mine = staked(s, r.book, who)
        others = sum(staked(s, r.book, place) for place in everybody if place != who)
        whole = sum(laid(s, place) for place in everybody if place != who)
        tell_line(s, r, decides=(mine >= others) != (laid(s, who) >= whole))
        if not who.isdigit() and mine >= others:
            r.pivot("115 s5", "claims.standing_equals_table", who=who, stake=mine, others=others)
            return who
        r.pivot("115 s5", "claims.standing_below_table", who=who, stake=mine, others=others)
    return None


def _tell_completer(s: Situation, r: Reasoning, able: list[str]) -> None:
    for who in asked(s, "completes"):
        if who == able[0] and len(able) == 1:
            r.pivot("52 s2", "claims.completer_only_seated", who=who)
        elif who == able[0]:
            r.pivot("52 s2", "claims.completer_highest", who=who)
        elif who.isdigit():
            r.pivot("52 s2", "claims.completer_lower", who=who, holder=able[0])
