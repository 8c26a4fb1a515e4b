"""Situations in which a bancô fails, or is called when stakes are down: see banco.py and with_table.py."""

from collections.abc import Callable
from typing import Any

from rules_engine.authoring import Rulebook, variant
from rules_engine.games.baccarat.draw import Draw
from rules_engine.games.chemin_de_fer.books import PT, SANREMO
from rules_engine.games.chemin_de_fer.claims.facts import ClaimsOpen
from rules_engine.games.chemin_de_fer.claims.table_talk import (
    callers,
    company,
    rivals,
    seat_pontos,
    side_stakes,
    standers,
    talk,
)
from rules_engine.games.chemin_de_fer.game import case, case_table
from rules_engine.games.chemin_de_fer.table import Call, Says, Situation, Stake


@case("banco_priority", {PT[0]: "31 s2"})
def partner_asks_in_vain(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    return _in_vain(draw, book, difficulty, "banco", lambda who: {"partner": who})


@case("banco_priority", {PT[0]: "89 s2"})
def passer_asks_in_vain(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    bought = draw.chance(0.5)
    past = {"passed_after": "tie", "bought": bought}
    return _in_vain(draw, book, difficulty, "banco", lambda who: {"passed_by": who} | past)


@case("banco_priority", {SANREMO: "38 s1"})
def asks_for_another_in_vain(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    return _in_vain(draw, book, difficulty, "banco", lambda who: {"for_others": (who,)})


@case("banco_priority", {SANREMO: "42 s1"})
def asks_by_a_sign_in_vain(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """Or in words, but puts nothing down."""
    says: Says = draw.pick(("banco_sign", "banco"))
    return _in_vain(draw, book, difficulty, says, lambda who: {})


@case("banco_priority", {PT[0]: "51 s2", SANREMO: "90 s1"})
def suivi_before_bancos(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """Players nearer to the banker's right ask for the bank, before or after somebody says suivi: the loser of the last
    bancô, or one who lost it with the table and has no such right."""
    facts = company(draw, book, difficulty)
    loser = draw.pick(callers(facts)[1:])
    calls = [Call(place, "banco") for place in rivals(draw, facts, difficulty, beside=loser)]
    before = ClaimsOpen(lost=loser, lost_by=draw.pick(("banco", "suivi", "banco_table", "banco_table")))
    return talk(facts, draw.shuffled([*calls, Call(loser, "suivi")]), before)


@case("banco_priority", {SANREMO: ("42 s1", "47 s1")})
def sum_for_half_only(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """One asks for the whole bank by a sign only; another asks in words for half of it, behind him in order."""
    facts = company(draw, book, difficulty)
    near, *rest = seat_pontos(facts)
    others = draw.sample(rest, 1 + difficulty // 4)
    calls = [Call(near, "banco_sign"), *(Call(place, "banco_table") for place in others)]
    return talk(
        facts, draw.shuffled(calls), ClaimsOpen(), stakes=[Stake(place, facts["bank"] // 2) for place in others]
    )


def _in_vain(
    draw: Draw, book: Rulebook, difficulty: int, says: Says, past: Callable[[str], dict[str, Any]]
) -> Situation:
    """A player who may not ask, or not in this way, asks for the bank; the cards go to half the bank or to the stakes
    on the table. His own chips are not down."""
    facts = company(draw, book, difficulty, seated=4)
    vain, other, third, *_ = draw.shuffled(seat_pontos(facts))
    unit = facts["unit"]
    calls = [Call(vain, says)]
    stakes = [Stake(third, unit * draw.number(2, 4))][: difficulty - 1]
    half = difficulty >= 2 and draw.chance(0.5)
    if half:
        calls.append(Call(other, "banco_table"))
        stakes.append(Stake(other, facts["bank"] // 2))
    else:
        least = sum(stake.amount for stake in stakes) or unit * 2
        stakes.append(Stake(other, least + unit * draw.number(0 if difficulty >= 3 else 1, 2)))
    return talk(facts, draw.shuffled(calls), ClaimsOpen(**past(vain)), stakes=draw.shuffled(stakes))


@case_table("cards_to", variant("half_among_stakes", {PT[0]: "55 s2", SANREMO: "47 s1"}, says="banco_table"))
@case_table("suivi", variant("suivi_among_stakes", {PT[0]: "51 s2", SANREMO: "90 s1"}, says="suivi"))
def _among_stakes(draw: Draw, book: Rulebook, difficulty: int, says: Says, *, standing: bool = False) -> Situation:
    """Stakes are down, one of them the largest; then somebody without a stake asks for the bank or for half of it."""
    # At Sanremo others stand by as well: see largest_stake_cases.py.
    count = draw.number(3, 5) if book.coded_as == SANREMO and says != "suivi" else int(standing)
    facts = company(draw, book, difficulty, seated=4, standing=count)
    stakes = side_stakes(draw, facts, among=draw.sample(seat_pontos(facts), 1 + (difficulty >= 3)))
    free = standers(facts) if standing else callers(facts)
    who = draw.pick([place for place in free if place not in {stake.player for stake in stakes}])
    down = facts["bank"] // 2 if says == "banco_table" else facts["bank"]
    before = ClaimsOpen(lost=who, lost_by="banco") if says == "suivi" else ClaimsOpen()
    return talk(facts, [Call(who, says)], before, stakes=[*stakes, Stake(who, down)])


@case("cards_to", {PT[0]: "49", SANREMO: ("42 s3", "115 s1")})
def standing_banco_among_stakes(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    return _among_stakes(draw, book, difficulty, "banco", standing=True)
