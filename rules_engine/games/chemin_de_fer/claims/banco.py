"""Bancô for the whole bank: who gets it when several ask, and who may not ask.

Portugal 48, 49, 50, 51 s1 and s3, 57 s2, 89 s2, 92 s2 and 101; Sanremo 25 s2, 42, 43 s1, 50, 82 s3, 83 s2, 87 s2, 98,
105 s2, 112 and 115 s1.
"""

from rules_engine.authoring import NotRegulated, Reasoning
from rules_engine.games.chemin_de_fer.association import too_few_seated
from rules_engine.games.chemin_de_fer.claims.facts import (
    BANCO,
    SOLO,
    ClaimsOpen,
    Right,
    asked,
    latest_pt,
    moment,
    past_line,
    seated_first,
    stakers,
    tell_after_close,
    tell_late_pt,
)
from rules_engine.games.chemin_de_fer.order import standing_by_house
from rules_engine.games.chemin_de_fer.table import Situation


def banco_pt(s: Situation, incident: ClaimsOpen, r: Reasoning) -> Right | None:
    latest = latest_pt(s, r.book)
    for who in asked(s, *BANCO):
        tell_late_pt(s, r, who, *BANCO)
    alone = _may_ask_pt(incident, r, asked(s, *SOLO, before=latest))
    company = _may_ask_pt(incident, r, asked(s, "banco_partners", before=latest))
    if not alone and not company:
        return None
    order = _order_pt(s, incident, r, alone or company, apart=bool(alone and company))
    if alone and company:
        r.pivot("50", "claims.alone_before_partners", who=order[0], others=tuple(company))
        order = (*order, *standing_by_house(r, s.banker, tuple(seated_first(s, company))))
    elif alone and not order[0].isdigit() and set(stakers(s)) - set(order):
        r.pivot("50", "claims.banco_before_stakes", who=order[0])
    tell_after_close(s, r, order[0], *SOLO, "banco_partners")
    if order[0] in incident.cannot_play:
        r.pivot("101", "claims.banco_all_the_same", who=order[0])
    settled = not any(place in incident.moved_ahead for place in order) or all(place.isdigit() for place in order)
    return Right(order[0], "banco", order if settled else ())


def _may_ask_pt(incident: ClaimsOpen, r: Reasoning, wanting: list[str]) -> list[str]:
    if set(wanting) & {*incident.for_others, *incident.respects}:
        raise NotRegulated(
            "arts. 45 to 50 do not speak of a bancô for somebody else, nor of one that respects other stakes"
        )
    if incident.passed_after == "tie" and incident.passed_by in wanting:
        r.pivot("89 s2", "claims.passer_barred", who=incident.passed_by)
        wanting.remove(incident.passed_by)
    if incident.partner in wanting:
        r.pivot("31 s2", "claims.partner_stays_out", who=incident.partner)
        wanting.remove(incident.partner)
    return wanting


def _order_pt(s: Situation, incident: ClaimsOpen, r: Reasoning, wanting: list[str], *, apart: bool) -> tuple[str, ...]:
    """First the player who played with the table in the last coup, then by seat; whoever jumped the queue has no rank.

    `apart`: others ask with partners, and these are only those who ask alone.
    """
    first = [place for place in wanting if place == incident.lost and incident.lost_by == "banco_table"]
    unranked = [place for place in wanting if place in incident.moved_ahead and place not in first]
    ranked = seated_first(s, [place for place in wanting if place not in (*first, *unranked)])
    ranked = [*standing_by_house(r, s.banker, tuple(ranked))]
    rivals = first + ranked
    if len(unranked) > 1 or (unranked and rivals and not rivals[0].isdigit()):
        raise NotRegulated("art. 92 does not rank players without priority against each other or against the standing")
    for who in first:
        r.pivot("57 s2", "claims.table_then_alone", who=who)
    for who in unranked:
        r.pivot("92 s2", "claims.no_rank" if rivals else "claims.no_rank_no_rival", who=who)
    if ranked:
        cite = "48" if ranked[0].isdigit() else "49"
        text = "claims.seated_order" if ranked[0].isdigit() else "claims.standing_order"
        text += "_after_him" if first else "_alone" if apart else ""
        decides = not first and (len(wanting) > 1 or cite == "49")
        r.step(cite, text, who=ranked[0], banker=s.banker, pivot=decides)
    return (*rivals, *unranked)


def banco_sanremo(s: Situation, incident: ClaimsOpen, r: Reasoning) -> Right | None:
    closed = moment(s, "closed")
    if asked(s, *BANCO) != asked(s, *BANCO, before=closed):
        raise NotRegulated("art. 93: after the close a bancô is for the banker to accept or not")
    for who in asked(s, "banco_sign"):
        r.pivot("42 s1", "claims.not_in_words", who=who)
    alone = _may_ask_sanremo(s, incident, r, asked(s, *SOLO))
    company = _company_sanremo(s, r, _may_ask_sanremo(s, incident, r, asked(s, "banco_partners")))
    if not alone and not company:
        return None
    wanting = alone or company
    first = [place for place in wanting if place == incident.lost and incident.lost_by == "banco_table"]
    for who in first:
        r.pivot("50", "claims.table_then_alone", who=who)
    order = order_sanremo(s, incident, r, wanting, first, apart=bool(alone and company))
    if alone and company:
        r.pivot("43 s1", "claims.alone_before_partners", who=order[0], others=tuple(company))
        order = (*order, *seated_first(s, company))
    if not order[0].isdigit():
        r.pivot("115 s1", "claims.standing_by_banco", who=order[0])
    half = tuple(place for place in asked(s, "banco_table") if place not in order)
    if alone and half:
        r.pivot("43 s1", "claims.whole_before_half", who=order[0], others=half)
    if order[0] in incident.cannot_play:
        r.pivot("112", "claims.banco_all_the_same", who=order[0])
    return Right(order[0], "banco", order)


def _may_ask_sanremo(s: Situation, incident: ClaimsOpen, r: Reasoning, wanting: list[str]) -> list[str]:
    good = []
    for who in wanting:
        down, needed = past_line(s, who), s.bank - _respected(s, incident, who)
        if who in incident.for_others:
            r.pivot("38 s1", "claims.for_another", who=who)
        elif too_late_for_partner(s, incident, who):
            r.pivot("83 s2", "claims.partner_too_late", who=who)
        elif down < needed:
            r.pivot("42 s1", "claims.sum_not_down", who=who, down=down, bank=needed)
        else:
            good.append(who)
    if len(good) > 1 and set(good) & set(incident.respects):
        raise NotRegulated(
            "art. 46 makes him a ponto with third parties: the text does not rank him with those who ask alone"
        )
    for who in good:
        if who in incident.respects:
            r.pivot("46", "claims.respects_stakes", who=who, sum=s.bank - _respected(s, incident, who))
    return good


def _company_sanremo(s: Situation, r: Reasoning, company: list[str]) -> list[str]:
    """Those who ask with a partner, if enough are seated. That the number binds them too is our reading (SR82)."""
    if not too_few_seated(s, r.book):
        return company
    for who in company:
        r.pivot("82 s3", "claims.company_too_few", who=who, seated=len(s.seats))
    return []


def _respected(s: Situation, incident: ClaimsOpen, who: str) -> int:
    """The stakes of others that stay in play when he respects them; he covers the rest of the bank."""
    if who not in incident.respects:
        return 0
    return sum(past_line(s, place) for place in stakers(s) if place != who and place not in asked(s, *BANCO))


def too_late_for_partner(s: Situation, incident: ClaimsOpen, who: str) -> bool:
    """The banker's partner may ask only while every card is still in the shoe."""
    return who == incident.partner and who not in asked(s, *BANCO, before=moment(s, "card_out", "dealt"))


def order_sanremo(
    s: Situation, incident: ClaimsOpen, r: Reasoning, wanting: list[str], first: list[str], *, apart: bool = False
) -> tuple[str, ...]:
    """After those with a privilege: the seated, those who jumped the queue, the standing, the outgoing banker.

    `apart`: others ask with partners, and these are only those who ask alone.
    """
    outgoing = _outgoing_last_sanremo(incident, r, [place for place in wanting if place not in first])
    ranked = seated_first(s, [place for place in wanting if place not in (*first, *outgoing)])
    moved = [place for place in ranked if place in incident.moved_ahead]
    seated = [place for place in ranked if place.isdigit() and place not in moved]
    standing = [place for place in ranked if not place.isdigit()]
    for who in moved:
        r.pivot("25 s2", "claims.last_of_seated", who=who)
    for who in outgoing:
        r.pivot("87 s2", "claims.last_of_all", who=who)
    form = "_after_him" if first or (moved and not seated) else "_alone" if apart else ""
    if seated:
        decides = not first and len(wanting) > 1
        r.step("42 s2", f"claims.seated_order{form}", who=seated[0], banker=s.banker, pivot=decides)
    elif standing:
        decides = not first and not moved
        r.step("42 s3", f"claims.standing_order{form}", who=standing[0], banker=s.banker, pivot=decides)
    return (*first, *seated, *moved, *standing, *outgoing)


def _outgoing_last_sanremo(incident: ClaimsOpen, r: Reasoning, wanting: list[str]) -> list[str]:
    """The banker who passed the bank, if he comes last: not if he had bought it."""
    outgoing = [place for place in wanting if place == incident.passed_by]
    if outgoing and incident.bought:
        cite = "105 s2" if incident.passed_after == "tie" else "98"
        r.pivot(cite, "claims.outgoing_keeps_rank", who=outgoing[0])
        return []
    if outgoing and incident.passed_after == "tie":
        raise NotRegulated("art. 105: the text ranks a banker who passes after a tie only if he had bought the bank")
    return outgoing
