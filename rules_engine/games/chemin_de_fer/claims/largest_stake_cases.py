"""Situations in which the cards go by the stakes: see largest_stake.py."""

from typing import Any

from rules_engine.authoring import Rulebook
from rules_engine.games.baccarat.draw import Draw
from rules_engine.games.chemin_de_fer.books import PT, SANREMO
from rules_engine.games.chemin_de_fer.claims.facts import ClaimsOpen
from rules_engine.games.chemin_de_fer.claims.table_talk import (
    Facts,
    callers,
    close,
    company,
    seat_pontos,
    side_stakes,
    standers,
    talk,
)
from rules_engine.games.chemin_de_fer.game import case
from rules_engine.games.chemin_de_fer.table import Call, Says, Situation, Stake


@case("cards_to", {PT[0]: "60", SANREMO: "51 s1"})
def largest_seated(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """The largest seated stake, by a small margin; harder: a standing player has more, or chips on the line play for
    half."""
    facts = _company(draw, book, difficulty, standing=1 if difficulty >= 2 else 0)
    stakes = side_stakes(draw, facts, among=draw.sample(seat_pontos(facts), 3))
    unit = facts["unit"]
    if difficulty >= 2:
        stakes.append(Stake(draw.pick(standers(facts)), stakes[0].amount + unit))
    if difficulty >= 4:
        stakes[1] = Stake(stakes[1].player, stakes[0].amount + 2 * unit, line=True)
    return _staked(draw, facts, stakes)


@case("cards_to", {PT[0]: "61", SANREMO: "51 s2"})
def equal_largest(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """Two seated players, or three, have the same largest stake; a standing player may have it too."""
    facts = _company(draw, book, difficulty, standing=1 if difficulty >= 3 else 0)
    chosen = draw.sample(seat_pontos(facts), 3)
    top = _fifth(facts)
    stakes = [Stake(place, top) for place in chosen[: 2 + difficulty // 4]]
    stakes += [Stake(place, top - facts["unit"]) for place in chosen[2 + difficulty // 4 :]]
    if difficulty >= 3:
        stakes.append(Stake(draw.pick(standers(facts)), top))
    return _staked(draw, facts, stakes)


@case("cards_to", {PT[0]: "101", SANREMO: "112"})
def beginner_has_most(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """The largest stake, or the two largest, belong to seated players who cannot play; the next ones may be equal."""
    facts = _company(draw, book, difficulty, seated=4)
    stakes = side_stakes(draw, facts, among=draw.sample(seat_pontos(facts), 4))
    beginners = tuple(stake.player for stake in stakes[: 1 + difficulty // 3])[:2]
    if difficulty >= 4:
        stakes[3] = Stake(stakes[3].player, stakes[2].amount)
    return _staked(draw, facts, stakes, ClaimsOpen(cannot_play=beginners))


@case("cards_to", {SANREMO: "112"})
def beginner_alone(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    facts = _company(draw, book, difficulty)
    who = draw.pick(seat_pontos(facts) if difficulty <= 2 else callers(facts))
    return _staked(draw, facts, [Stake(who, _fifth(facts) * draw.number(1, 2))], ClaimsOpen(cannot_play=(who,)))


@case("cards_to", {SANREMO: "52 s2"})
def completes_the_bank(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """A seated player covers what is missing: he has the highest stake, or not, or is the only one seated."""
    facts = _company(draw, book, difficulty, standing=2)
    completer, other = draw.sample(seat_pontos(facts), 2)
    bank = facts["bank"]
    half = bank // 2
    standing = Stake(draw.pick(standers(facts)), half - facts["unit"])
    kind = draw.pick(("highest", "lower", "only"))
    if kind == "only":
        stakes = [standing, Stake(completer, bank - standing.amount)]
        if difficulty >= 3:
            spare = bank - standing.amount - (half - 2 * facts["unit"])
            third = next(place for place in standers(facts) if place != standing.player)
            stakes = [standing, Stake(completer, half - 2 * facts["unit"]), Stake(third, spare)]
    else:
        larger, smaller = half + facts["unit"], half - facts["unit"]
        mine, theirs = (larger, smaller) if kind == "highest" else (smaller, larger)
        stakes = [Stake(other, theirs), Stake(completer, mine)]
    calls = [Call(completer, "completes"), close()]
    return talk(facts, calls, ClaimsOpen(), stakes=stakes)


@case("cards_to", {SANREMO: "83 s1"})
def partner_has_most(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """The banker's partner stakes most among several, or is the only ponto."""
    facts = _company(draw, book, difficulty, partners=True)
    stakes = side_stakes(draw, facts, among=draw.sample(seat_pontos(facts), 3))
    who = stakes[0].player
    alone = draw.chance(0.5 if difficulty <= 2 else 0.2)
    return _staked(draw, facts, stakes[:1] if alone else stakes, ClaimsOpen(partner=who))


@case("cards_to", {SANREMO: "115 s1"})
def standing_asks(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """A standing player asks for the bank, or for half of it, while seated players only stake."""
    facts = _company(draw, book, difficulty, standing=1)
    who = draw.pick(standers(facts))
    says: Says = draw.pick(("banco", "banco_table"))
    stakes = side_stakes(draw, facts, among=draw.sample(seat_pontos(facts), 2))
    stakes.append(Stake(who, facts["bank"] if says == "banco" else facts["bank"] // 2))
    return talk(facts, [Call(who, says), close()], ClaimsOpen(), stakes=stakes)


@case("cards_to", {SANREMO: "115 s2"})
def standing_sole_ponto(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    facts = _company(draw, book, difficulty, standing=1)
    return _staked(draw, facts, [Stake(draw.pick(standers(facts)), _fifth(facts) * draw.number(1, 3))])


@case("cards_to", {PT[0]: "60 open", SANREMO: "115 s3"})
def nobody_seated_staked(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    facts = _company(draw, book, difficulty, standing=2 + difficulty // 4)
    standing = draw.sample(standers(facts), 2 + difficulty // 4)
    top = _fifth(facts)
    less = top if difficulty >= 3 and draw.chance(0.4) else top - facts["unit"]
    return _staked(draw, facts, [Stake(standing[0], top), *(Stake(place, less) for place in standing[1:])])


@case("cards_to", {SANREMO: "115 s4"})
def only_beginners_seated(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """Every seated stake belongs to somebody who cannot play or plays by the rule; a standing player stakes less."""
    facts = _company(draw, book, difficulty, standing=1 + difficulty // 3)
    stakes = side_stakes(draw, facts, among=draw.sample(seat_pontos(facts), 1 + difficulty // 2))
    seated = [stake.player for stake in stakes]
    beginners = tuple(place for place in seated if draw.chance(0.5))
    by_rule = tuple(place for place in seated if place not in beginners)
    standing = draw.sample(standers(facts), 1 + difficulty // 3)
    less = facts["unit"] * 2
    stakes += [Stake(place, less - facts["unit"] * (index > 0)) for index, place in enumerate(standing)]
    return _staked(draw, facts, stakes, ClaimsOpen(cannot_play=beginners, by_rule=by_rule))


@case("cards_to", {SANREMO: "115 s5"})
def standing_matches_table(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """The banker takes any stake, and a standing player wants to play as much as all the others, or just less."""
    facts = _company(draw, book, difficulty, standing=1)
    stakes = side_stakes(draw, facts, among=draw.sample(seat_pontos(facts), 2 + difficulty // 4))
    who = draw.pick(standers(facts))
    total = sum(stake.amount for stake in stakes)
    short = draw.chance(0.4)
    mine = Stake(who, min(total, facts["bank"] // 2) - facts["unit"] if short else total)
    calls = [Call("banker", draw.pick(("tout_va", "see_stakes"))), Call(who, "plays_equal", mine.amount), close()]
    return talk(facts, calls, ClaimsOpen(), stakes=[*stakes, mine])


def _company(draw: Draw, book: Rulebook, difficulty: int, *, standing: int = 0, **least: Any) -> Facts:
    """At Sanremo some always stand by: there the cards go to a standing player so often that one alone would be a safe
    guess."""
    by = draw.number(3, 5) if book.coded_as == SANREMO else 0
    return company(draw, book, difficulty, standing=max(standing, by), **least)


def _fifth(facts: Facts) -> int:
    return int(facts["bank"] // 5 // facts["unit"] * facts["unit"])


def _staked(draw: Draw, facts: Facts, stakes: list[Stake], before: ClaimsOpen | None = None) -> Situation:
    """Nobody asked for the bank; the betting is closed on these stakes."""
    return talk(facts, [close()], before or ClaimsOpen(), stakes=draw.shuffled(stakes))
