"""Bancô with the table: half the bank gives the right to the cards, unless somebody has priority.

Portugal 55 (s3 by analogy with 48 and 49), 56, 57 s1 and 101; Sanremo 42 s1, 47, 49, 112 and 115 s1.
"""

from rules_engine.authoring import Reasoning, Rulebook
from rules_engine.games.baccarat.draw import Draw
from rules_engine.games.chemin_de_fer.books import PT, SANREMO
from rules_engine.games.chemin_de_fer.claims.announcing import displaced
from rules_engine.games.chemin_de_fer.claims.banco import order_sanremo, too_late_for_partner
from rules_engine.games.chemin_de_fer.claims.facts import (
    SOLO,
    ClaimsOpen,
    LostBy,
    Right,
    asked,
    laid,
    latest_pt,
    past_line,
    seated_first,
    staked,
    tell_after_close,
    tell_line,
)
from rules_engine.games.chemin_de_fer.claims.table_talk import (
    Facts,
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
from rules_engine.games.chemin_de_fer.order import standing_by_house
from rules_engine.games.chemin_de_fer.table import Call, Situation, Stake


def with_table_pt(s: Situation, incident: ClaimsOpen, r: Reasoning) -> Right | None:
    good = []
    for who in asked(s, "banco_table", before=latest_pt(s, r.book)):
        down = staked(s, r.book, who)
        if who == incident.lost and incident.lost_by == "banco_table":
            r.pivot("57 s1", "claims.table_not_twice", who=who)
        elif incident.passed_after == "tie" and who == incident.passed_by:
            r.pivot("89 s2", "claims.passer_barred", who=who)
        elif who == incident.partner:
            r.pivot("31 s2", "claims.partner_stays_out", who=who)
        elif down * r.book.number("banco_table_divisor") < s.bank:
            tell_line(s, r, decides=laid(s, who) * r.book.number("banco_table_divisor") >= s.bank)
            r.pivot("55 s1", "claims.less_than_half", who=who, down=down, bank=s.bank)
        else:
            r.pivot("55 s1", "claims.half_down", who=who, down=down, bank=s.bank)
            good.append(who)
    if not good:
        return None
    called = r.book.reads("PT55", "first_call")
    if called:
        order = tuple(sorted(good, key=lambda place: not place.isdigit()))
    else:
        order = standing_by_house(r, s.banker, tuple(seated_first(s, good)))
    holder = order[0]
    tell_after_close(s, r, holder, "banco_table")
    if any(len(alike) > 1 for alike in ([p for p in order if p.isdigit()], [p for p in order if not p.isdigit()])):
        # 48 and 49 rank those who ask for the whole bank; 55 and 56 only rank the seated before the standing.
        r.pivot("55 s3", "claims.table_by_call" if called else "claims.table_by_analogy", players=order)
    if holder.isdigit() and not order[-1].isdigit():
        r.pivot("56 s1", "claims.table_seated_displaces", who=holder, other=order[-1])
    r.pivot("55 s2", "claims.table_has_cards", who=holder)
    if holder in incident.cannot_play:
        r.pivot("101", "claims.banco_all_the_same", who=holder)
    return Right(holder, "banco_table", order)


def answer_to_table_pt(s: Situation, right: Right, r: Reasoning) -> None:
    """How a displaced standing player comes back by asking for the whole bank, and how a seated one ends it."""
    back = [place for place in displaced(s, r.book) if place in asked(s, *SOLO)]
    if not back or right.kind != "banco":
        return
    r.step("56 s1", "claims.table_was_displaced", other=back[0])
    if right.place in back:
        r.pivot("56 s3", "claims.alone_recovers", who=right.place)
    elif right.place.isdigit():
        r.pivot("56 s4", "claims.alone_displaces", who=right.place, other=back[0])


def with_table_sanremo(s: Situation, incident: ClaimsOpen, r: Reasoning) -> Right | None:
    good = []
    for who in asked(s, "banco_table"):
        down = past_line(s, who)
        if too_late_for_partner(s, incident, who):
            r.pivot("83 s2", "claims.partner_too_late", who=who)
        elif down * r.book.number("banco_table_divisor") < s.bank:
            r.pivot("47 s1", "claims.less_than_half", who=who, down=down, bank=s.bank)
        else:
            r.pivot("47 s1", "claims.half_down", who=who, down=down, bank=s.bank)
            good.append(who)
    if not good:
        return None
    first = [place for place in good if place == incident.lost and incident.lost_by != "banco_table"]
    for who in first:
        r.pivot("49", "claims.loser_first_with_table", who=who)
    order = order_sanremo(s, incident, r, good, first)
    r.step("47 s2", "claims.table_same_order", who=order[0], pivot=len(good) > 1)
    if not order[0].isdigit():
        r.pivot("115 s1", "claims.standing_by_banco", who=order[0])
    if order[0] in incident.cannot_play:
        r.pivot("112", "claims.banco_all_the_same", who=order[0])
    return Right(order[0], "banco_table", order)


@case("banco_table", {PT[0]: ("55 s1", "55 s2"), SANREMO: "47 s1"})
def half_the_bank(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """Somebody, seated or standing, puts down half the bank or a little more; others stake less."""
    facts = company(draw, book, difficulty, standing=1)
    who = draw.pick(callers(facts) if difficulty == 1 else [*standers(facts), *seat_pontos(facts)[-2:]])
    half = facts["bank"] // 2 + facts["unit"] * (0 if difficulty >= 3 else draw.number(0, 2))
    others = [stake for stake in side_stakes(draw, facts) if stake.player != who][
        : 1 if half * 2 > facts["bank"] else 2
    ]
    return talk(facts, [Call(who, "banco_table"), close()], ClaimsOpen(), stakes=[Stake(who, half), *others])


@case("banco_table", {PT[0]: "55 s1", SANREMO: "47 s1"})
def less_than_half(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """The stake is less than half, or reaches it only with chips on the line that play for less."""
    facts = company(draw, book, difficulty, standing=1)
    who = draw.pick(standers(facts) if difficulty <= 2 or draw.chance(0.6) else seat_pontos(facts))
    half, unit = facts["bank"] // 2, facts["unit"]
    short = half - unit * (1 if difficulty >= 3 else draw.number(2, 3))
    others = [stake for stake in side_stakes(draw, facts) if stake.player != who][:2]
    if not any(stake.player.isdigit() for stake in others):
        others = [Stake(next(place for place in seat_pontos(facts) if place != who), 3 * unit), *others[:1]]
    mine = [Stake(who, short)]
    if difficulty >= 4 and draw.chance(0.5):
        mine = [Stake(who, half - 3 * unit), Stake(who, 4 * unit, line=True)]
    return talk(facts, [Call(who, "banco_table"), close()], ClaimsOpen(), stakes=[*mine, *others])


@case("banco_table", {PT[0]: ("56 s1", "56 s2"), SANREMO: ("47 s2", "42 s2")})
def seated_displaces(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """A standing player calls with the table, then a seated one does the same."""
    facts = company(draw, book, difficulty, standing=1 + difficulty // 3)
    standing = draw.sample(standers(facts), 1 + difficulty // 4)
    seated = draw.pick(seat_pontos(facts))
    return _half_each(facts, [*(Call(place, "banco_table") for place in standing), Call(seated, "banco_table")])


@case("banco_table", {PT[0]: "55 s3"})
def equals_with_table(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """Two seated players, or two standing ones, call with the table: the text does not rank them."""
    facts = company(draw, book, max(2, difficulty), standing=2)
    alike = draw.pick((seat_pontos(facts), standers(facts)))
    return _half_each(facts, [Call(place, "banco_table") for place in draw.sample(alike, 2)])


@case("banco_table", {PT[0]: "56 s3"})
def displaced_goes_alone(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    facts, standing, seated = _displacement(draw, book, difficulty)
    others = [place for place in standers(facts) if place != standing]
    calls = [Call(standing, "banco_table"), Call(seated, "banco_table"), Call(standing, "banco_alone")]
    if others and difficulty >= 4:
        # He comes after the displaced player, so his call changes nothing.
        after = [place for place in others if standers(facts).index(place) > standers(facts).index(standing)]
        calls += [Call(place, "banco_alone") for place in after[:1]]
    return _half_each(facts, calls)


@case("banco_table", {PT[0]: ("56 s4", "56 s5")})
def seated_goes_alone(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """A seated player, the same or another, ends it by asking for the whole bank himself."""
    facts, standing, seated = _displacement(draw, book, difficulty)
    # The nearest speaks first, so whoever asks after him overtakes nobody.
    chosen = draw.sample(seat_pontos(facts), 1 + difficulty // 4)
    last = [place for place in seat_pontos(facts) if place in chosen]
    calls = [Call(standing, "banco_table"), Call(seated, "banco_table"), Call(standing, "banco_alone")]
    return _half_each(facts, [*calls, *(Call(place, "banco_alone") for place in last)])


@case("banco_table", {PT[0]: "57 s1"})
def table_twice(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """He played with the table in the last coup and wants to do so again; another asks for the same, or only stakes."""
    facts = company(draw, book, difficulty, standing=1)
    if difficulty <= 2 or draw.chance(0.5):
        again, other = draw.sample(callers(facts), 2)
        calls = draw.shuffled([Call(again, "banco_table"), Call(other, "banco_table")])
        return _half_each(facts, calls, ClaimsOpen(lost=again, lost_by="banco_table"))
    again = draw.pick(standers(facts))
    stakes = [Stake(again, facts["bank"] // 2), *side_stakes(draw, facts, among=seat_pontos(facts))[:2]]
    return talk(
        facts, [Call(again, "banco_table"), close()], ClaimsOpen(lost=again, lost_by="banco_table"), stakes=stakes
    )


@case("banco_table", {SANREMO: "49"})
def loser_with_table(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """The player who lost the whole bank asks for half of it with the table, behind others in the order of the
    seats."""
    facts = company(draw, book, difficulty)
    loser = draw.pick(callers(facts)[1:])
    others = rivals(draw, facts, min(difficulty, 3), beside=loser)
    calls = [Call(place, "banco_table") for place in draw.shuffled([*others, loser])]
    how: LostBy = draw.pick(("banco", "suivi", "sole_ponto"))
    return _half_each(facts, calls, ClaimsOpen(lost=loser, lost_by=how))


@case("banco_table", {SANREMO: "43 s1"})
def whole_before_half(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """A look-alike: somebody wants the whole bank for himself, before or after those who ask for half of it."""
    facts = company(draw, book, difficulty, standing=1)
    alone = draw.pick(standers(facts))
    others = rivals(draw, facts, min(difficulty, 3), beside=alone)
    calls = [*(Call(place, "banco_table") for place in others), Call(alone, "banco_alone")]
    return _half_each(facts, draw.shuffled(calls))


def _displacement(draw: Draw, book: Rulebook, difficulty: int) -> tuple[Facts, str, str]:
    facts = company(draw, book, difficulty, standing=1)
    return facts, draw.pick(standers(facts)), draw.pick(seat_pontos(facts))


def _half_each(facts: Facts, calls: list[Call], before: ClaimsOpen | None = None) -> Situation:
    """Whoever asks with the table puts down half the bank; whoever then asks alone, the whole bank."""
    alone = [call.by for call in calls if call.says == "banco_alone"]
    asking = dict.fromkeys(call.by for call in calls)
    stakes = [Stake(place, facts["bank"] if place in alone else facts["bank"] // 2) for place in asking]
    return talk(facts, calls, before or ClaimsOpen(), stakes=stakes)
