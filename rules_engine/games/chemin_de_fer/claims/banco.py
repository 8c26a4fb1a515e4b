"""Bancô for the whole bank: who has it when several ask, and who may not ask.

Portugal 48, 49, 50, 51 s1, 57 s2, 89 s2, 92 s2 and 101; Sanremo 25 s2, 42, 43 s1, 50, 83 s2, 87 s2, 98, 105 s2, 112 and
115 s1.
"""

from collections.abc import Callable

from rules_engine.errors import NotRegulated
from rules_engine.games.baccarat.draw import Draw
from rules_engine.games.chemin_de_fer.books import PT, SANREMO
from rules_engine.games.chemin_de_fer.claims.facts import (
    BANCO,
    SOLO,
    ClaimsOpen,
    Right,
    asked,
    moment,
    past_line,
    seated_first,
)
from rules_engine.games.chemin_de_fer.claims.table_talk import (
    callers,
    close,
    company,
    rivals,
    seat_pontos,
    side_stakes,
    standers,
    talk,
)
from rules_engine.games.chemin_de_fer.game import case
from rules_engine.games.chemin_de_fer.table import Call, Situation, Stake
from rules_engine.rulebook import Rulebook
from rules_engine.ruling import Reasoning


def banco_pt(s: Situation, incident: ClaimsOpen, r: Reasoning) -> Right | None:
    dealt = moment(s, "dealt")
    for who in asked(s, *BANCO):
        if who not in asked(s, *BANCO, before=dealt):
            r.pivot("51 s1", "claims.after_deal", who=who)
    alone = _may_ask_pt(incident, r, asked(s, *SOLO, before=dealt))
    company = _may_ask_pt(incident, r, asked(s, "banco_partners", before=dealt))
    if not alone and not company:
        return None
    order = _order_pt(s, incident, r, alone or company)
    if alone and company:
        r.pivot("50", "claims.alone_before_partners", who=order[0], others=tuple(company))
        order = (*order, *seated_first(s, company))
    if order[0] in incident.cannot_play:
        r.pivot("101", "claims.banco_all_the_same", who=order[0])
    settled = not any(place in incident.moved_ahead for place in order) or all(place.isdigit() for place in order)
    return Right(order[0], "banco", order if settled else ())


def _may_ask_pt(incident: ClaimsOpen, r: Reasoning, wanting: list[str]) -> list[str]:
    if incident.passed_after == "tie" and incident.passed_by in wanting:
        r.pivot("89 s2", "claims.passer_barred", who=incident.passed_by)
        wanting.remove(incident.passed_by)
    if incident.partner in wanting:
        r.pivot("31 s2", "claims.partner_stays_out", who=incident.partner)
        wanting.remove(incident.partner)
    return wanting


def _order_pt(s: Situation, incident: ClaimsOpen, r: Reasoning, wanting: list[str]) -> tuple[str, ...]:
    """First who played with the table in the last coup, then seat order; whoever jumped the queue has no rank."""
    first = [place for place in wanting if place == incident.lost and incident.lost_by == "banco_table"]
    unranked = [place for place in wanting if place in incident.moved_ahead and place not in first]
    ranked = seated_first(s, [place for place in wanting if place not in (*first, *unranked)])
    rivals = first + ranked
    if len(unranked) > 1 or (unranked and rivals and not rivals[0].isdigit()):
        raise NotRegulated("the text does not rank players without priority against each other or against the standing")
    for who in first:
        r.pivot("57 s2", "claims.table_then_alone", who=who)
    for who in unranked:
        r.pivot("92 s2", "claims.no_rank" if rivals else "claims.no_rank_no_rival", who=who)
    if ranked:
        cite = "48" if ranked[0].isdigit() else "49"
        text = "claims.seated_order" if ranked[0].isdigit() else "claims.standing_order"
        decides = not first and (len(wanting) > 1 or cite == "49")
        r.step(cite, text, who=ranked[0], banker=s.banker, pivot=decides)
    return (*rivals, *unranked)


def banco_sanremo(s: Situation, incident: ClaimsOpen, r: Reasoning) -> Right | None:
    closed = moment(s, "closed")
    if asked(s, *BANCO) != asked(s, *BANCO, before=closed):
        raise NotRegulated("after the close a bancô is for the banker to accept or not")
    for who in asked(s, "banco_sign"):
        r.pivot("42 s1", "claims.not_in_words", who=who)
    alone = _may_ask_sanremo(s, incident, r, asked(s, *SOLO))
    company = _may_ask_sanremo(s, incident, r, asked(s, "banco_partners"))
    if not alone and not company:
        return None
    wanting = alone or company
    first = [place for place in wanting if place == incident.lost and incident.lost_by == "banco_table"]
    for who in first:
        r.pivot("50", "claims.table_then_alone", who=who)
    order = order_sanremo(s, incident, r, wanting, first)
    if alone and company:
        r.pivot("43 s1", "claims.alone_before_partners", who=order[0], others=tuple(company))
        order = (*order, *seated_first(s, company))
    if not order[0].isdigit():
        r.pivot("115 s1", "claims.standing_by_banco", who=order[0])
    if order[0] in incident.cannot_play:
        r.pivot("112", "claims.banco_all_the_same", who=order[0])
    return Right(order[0], "banco", order)


def _may_ask_sanremo(s: Situation, incident: ClaimsOpen, r: Reasoning, wanting: list[str]) -> list[str]:
    good = []
    for who in wanting:
        down = past_line(s, who)
        if too_late_for_partner(s, incident, who):
            r.pivot("83 s2", "claims.partner_too_late", who=who)
        elif down < s.bank:
            r.pivot("42 s1", "claims.sum_not_down", who=who, down=down, bank=s.bank)
        else:
            good.append(who)
    return good


def too_late_for_partner(s: Situation, incident: ClaimsOpen, who: str) -> bool:
    """The banker's partner may ask only while every card is still in the shoe."""
    return who == incident.partner and who not in asked(s, *BANCO, before=moment(s, "card_out", "dealt"))


def order_sanremo(
    s: Situation, incident: ClaimsOpen, r: Reasoning, wanting: list[str], first: list[str]
) -> tuple[str, ...]:
    """After those with a privilege: the seated, those who jumped the queue, the standing, the outgoing banker."""
    outgoing = [place for place in wanting if place == incident.passed_by and place not in first]
    if outgoing and incident.bought:
        tie = incident.passed_after == "tie"
        r.pivot("105 s2" if tie else "98", "claims.outgoing_keeps_rank", who=outgoing[0])
        outgoing = []
    elif outgoing and incident.passed_after == "tie":
        raise NotRegulated("the text ranks a banker who passes after a tie only if he had bought the bank")
    ranked = seated_first(s, [place for place in wanting if place not in (*first, *outgoing)])
    moved = [place for place in ranked if place in incident.moved_ahead]
    seated = [place for place in ranked if place.isdigit() and place not in moved]
    standing = [place for place in ranked if not place.isdigit()]
    for who in moved:
        r.pivot("25 s2", "claims.last_of_seated", who=who)
    for who in outgoing:
        r.pivot("87 s2", "claims.last_of_all", who=who)
    if seated:
        r.step("42 s2", "claims.seated_order", who=seated[0], banker=s.banker, pivot=not first and len(wanting) > 1)
    elif standing:
        r.step("42 s3", "claims.standing_order", who=standing[0], banker=s.banker, pivot=not first and not moved)
    return (*first, *seated, *moved, *standing, *outgoing)


@case("banco_priority", {PT[0]: ("48",), SANREMO: ("42 s2",)})
def several_seated(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """Two or more seated players call, and at the harder tables standing ones before them."""
    facts = company(draw, book, difficulty)
    seated = draw.sample(seat_pontos(facts), draw.number(2, 2 + difficulty // 3))
    standing = draw.sample(standers(facts), difficulty // 2)
    calls = [Call(place, "banco") for place in draw.shuffled([*seated, *standing])]
    return talk(facts, calls, ClaimsOpen())


@case("banco_priority", {PT[0]: ("49",), SANREMO: ("42 s3", "115 s1")})
def only_standing(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    facts = company(draw, book, difficulty, standing=2 + difficulty // 3)
    standing = draw.sample(standers(facts), draw.number(2, 2 + difficulty // 3))
    return talk(facts, [Call(place, "banco") for place in standing], ClaimsOpen())


@case("banco_priority", {PT[0]: ("50",), SANREMO: ("43 s1",)})
def partners_against_one(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """Somebody near the banker's right asks in company; another, behind or standing, asks alone."""
    facts = company(draw, book, difficulty, standing=1 if difficulty >= 2 else 0)
    near, *rest = callers(facts)
    alone = draw.sample(rest, 1 + difficulty // 4)
    calls = [Call(near, "banco_partners"), *(Call(place, "banco") for place in alone)]
    return talk(facts, draw.shuffled(calls), ClaimsOpen())


@case("banco_priority", {PT[0]: ("51 s1",)})
def after_the_deal(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """Stakes are down, the cards are out, and somebody calls bancô: he has lost nothing before, or not a bancô."""
    facts = company(draw, book, difficulty)
    stakes = side_stakes(draw, facts)
    late = draw.pick([place for place in callers(facts) if place != stakes[0].player])
    before = ClaimsOpen(lost=late, lost_by="sole_ponto") if difficulty >= 4 else ClaimsOpen()
    calls = [close(), Call("banker", "dealt"), Call(late, "banco")]
    return talk(facts, calls, before, stakes=stakes, draw=draw)


@case("banco_priority", {SANREMO: ("42 s1",)})
def asked_in_bad_form(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """The one with the better place asks by a sign, or leaves the sum on the line, or puts down too little."""
    facts = company(draw, book, difficulty)
    near, *rest = callers(facts)
    others = draw.sample(rest, 1 + difficulty // 3)
    bank, unit = facts["bank"], facts["unit"]
    flaw = draw.pick(("sign", "line", "short"))
    stake = Stake(near, bank - unit * draw.number(1, 4)) if flaw == "short" else Stake(near, bank, line=flaw == "line")
    calls = [Call(near, "banco_sign" if flaw == "sign" else "banco"), *(Call(place, "banco") for place in others)]
    stakes = [stake, *(Stake(place, bank) for place in others)]
    return talk(facts, draw.shuffled(calls), ClaimsOpen(), stakes=stakes)


@case("banco_priority", {PT[0]: ("57 s2",), SANREMO: ("50",)})
def alone_after_table(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """Who lost with the table now asks for the whole bank, behind others in the order of the seats."""
    return _against_nearer(draw, book, difficulty, lambda who: ClaimsOpen(lost=who, lost_by="banco_table"))


@case("banco_priority", {PT[0]: ("89 s2",), SANREMO: ("105 s2",)})
def passed_after_tie(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """The banker of a bought bank passed it after a tie and sits nearest to the new banker's right."""
    return _nearest_against_others(
        draw, book, difficulty, lambda who: ClaimsOpen(passed_by=who, passed_after="tie", bought=True)
    )


@case("banco_priority", {SANREMO: ("87 s2",)})
def passed_after_win(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    return _nearest_against_others(draw, book, difficulty, lambda who: ClaimsOpen(passed_by=who, passed_after="win"))


@case("banco_priority", {PT[0]: ("92 s2",), SANREMO: ("25 s2",)})
def moved_ahead(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    return _nearest_against_others(draw, book, difficulty, lambda who: ClaimsOpen(moved_ahead=(who,)))


@case("banco_priority", {SANREMO: ("83 s2",)})
def partner_asks(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """The banker draws a card too soon; then his partner and somebody else ask for the bank."""
    facts = company(draw, book, difficulty)
    near, *rest = callers(facts)
    others = draw.sample(rest, 1 + difficulty // 3)
    calls = draw.shuffled([Call(near, "banco"), *(Call(place, "banco") for place in others)])
    return talk(facts, [Call("banker", "card_out"), *calls], ClaimsOpen(partner=near))


@case("cards_to", {PT[0]: ("101",), SANREMO: ("112",)})
def beginner_asks(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """Somebody who cannot play asks for the bank, alone or before others."""
    facts = company(draw, book, difficulty)
    near, *rest = seat_pontos(facts)
    calls = [Call(near, "banco"), *(Call(place, "banco") for place in draw.sample(rest, difficulty // 3))]
    beginners = (near,) if difficulty < 4 else (near, rest[-1])
    return talk(facts, draw.shuffled(calls), ClaimsOpen(cannot_play=beginners))


def _against_nearer(draw: Draw, book: Rulebook, difficulty: int, before: Callable[[str], ClaimsOpen]) -> Situation:
    """Somebody with a past asks for the bank, and so do others who sit before him."""
    facts = company(draw, book, difficulty)
    asking = draw.pick(callers(facts)[1:])
    calls = [Call(place, "banco") for place in (*rivals(draw, facts, difficulty, beside=asking), asking)]
    return talk(facts, calls if difficulty <= 2 else draw.shuffled(calls), before(asking))


def _nearest_against_others(
    draw: Draw, book: Rulebook, difficulty: int, before: Callable[[str], ClaimsOpen]
) -> Situation:
    """The seated player nearest to the banker's right asks, and so do others: at least one of them seated."""
    facts = company(draw, book, difficulty)
    near, *rest = seat_pontos(facts)
    others = [*draw.sample(rest, 1 + difficulty // 3), *draw.sample(standers(facts), difficulty // 3)]
    return talk(facts, [Call(place, "banco") for place in draw.shuffled([near, *others])], before(near))
