"""Situations in which players ask for the whole bank: see banco.py."""

from collections.abc import Callable

from rules_engine.authoring import Rulebook, variant
from rules_engine.games.baccarat.draw import Draw
from rules_engine.games.chemin_de_fer.books import PT, SANREMO
from rules_engine.games.chemin_de_fer.claims.facts import ClaimsOpen
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
from rules_engine.games.chemin_de_fer.game import case, case_table
from rules_engine.games.chemin_de_fer.table import SEATS, Call, Situation, Stake


@case("banco_priority", {PT[0]: "48", SANREMO: "42 s2"})
def several_seated(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """Two or more seated players call; harder: standing players called before them."""
    facts = company(draw, book, difficulty)
    seated = draw.sample(seat_pontos(facts), draw.number(2, 2 + difficulty // 3))
    standing = draw.sample(standers(facts), difficulty // 2)
    calls = [Call(place, "banco") for place in draw.shuffled([*seated, *standing])]
    return talk(facts, calls, ClaimsOpen())


@case("banco_priority", {PT[0]: "49", SANREMO: ("42 s3", "115 s1")})
def only_standing(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    facts = company(draw, book, difficulty, standing=2 + difficulty // 3)
    standing = draw.sample(standers(facts), draw.number(2, 2 + difficulty // 3))
    return talk(facts, [Call(place, "banco") for place in standing], ClaimsOpen())


@case("banco_priority", {PT[0]: ("49", "24 open")})
def standing_behind_the_banker(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """Only standing players call, and one of them stands behind the banker's own seat, which is not the last."""
    facts = company(draw, book, difficulty, standing=2)
    while int(facts["banker"]) == SEATS:
        facts = company(draw, book, difficulty, standing=2)
    near = f"{facts['banker']}a"
    others = draw.sample(standers(facts), draw.number(1, 2))
    facts["standing"] = tuple(sorted((*facts["standing"], near)))
    return talk(facts, [Call(place, "banco") for place in draw.shuffled([near, *others])], ClaimsOpen())


@case("banco_priority", {PT[0]: "50", SANREMO: "43 s1"})
def partners_against_one(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """A player near the banker's right asks with a partner; another, behind him or standing, asks alone."""
    facts = company(draw, book, difficulty, standing=1 if difficulty >= 2 else 0, partners=True)
    near, *rest = callers(facts)
    alone = draw.sample(rest, 1 + difficulty // 4)
    calls = [Call(near, "banco_partners"), *(Call(place, "banco") for place in alone)]
    return talk(facts, draw.shuffled(calls), ClaimsOpen())


@case("banco_priority", {PT[0]: "51 s1"})
def after_the_deal(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """Stakes are down, the cards are out, and somebody calls bancô who lost nothing before, or not by a bancô."""
    facts = company(draw, book, difficulty)
    stakes = side_stakes(draw, facts)
    late = draw.pick([place for place in callers(facts) if place != stakes[0].player])
    before = ClaimsOpen(lost=late, lost_by="sole_ponto") if difficulty >= 4 else ClaimsOpen()
    calls = [close(), Call("banker", "dealt"), Call(late, "banco")]
    return talk(facts, calls, before, stakes=stakes, draw=draw)


@case("banco_priority", {PT[0]: "51 s3"})
def after_the_close(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """Stakes are down, the croupier has closed the betting, no card is out yet, and somebody calls bancô."""
    facts = company(draw, book, difficulty)
    stakes = side_stakes(draw, facts)
    late = draw.pick([place for place in callers(facts) if place != stakes[0].player])
    return talk(facts, [close(), Call(late, "banco")], ClaimsOpen(), stakes=[*stakes, Stake(late, facts["bank"])])


@case("banco_priority", {SANREMO: "42 s1"})
def asked_in_bad_form(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """The player in the better place asks by a sign, leaves the sum on the line, or puts down too little."""
    facts = company(draw, book, difficulty)
    near, *rest = callers(facts)
    others = draw.sample(rest, 1 + difficulty // 3)
    bank, unit = facts["bank"], facts["unit"]
    flaw = draw.pick(("sign", "line", "short"))
    stake = Stake(near, bank - unit * draw.number(1, 4)) if flaw == "short" else Stake(near, bank, line=flaw == "line")
    calls = [Call(near, "banco_sign" if flaw == "sign" else "banco"), *(Call(place, "banco") for place in others)]
    stakes = [stake, *(Stake(place, bank) for place in others)]
    return talk(facts, draw.shuffled(calls), ClaimsOpen(), stakes=stakes)


@case("banco_priority", {PT[0]: "57 s2", SANREMO: "50"})
def alone_after_table(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """A player who lost with the table now asks for the whole bank, behind others in the order of the seats."""
    return _against_nearer(draw, book, difficulty, lambda who: ClaimsOpen(lost=who, lost_by="banco_table"))


@case_table(
    "banco_priority",
    # The player who bought the bank passed it after a tie and sits nearest to the new banker's right.
    variant(
        "passed_after_tie",
        {PT[0]: "89 s2", SANREMO: "105 s2"},
        before=lambda who: ClaimsOpen(passed_by=who, passed_after="tie", bought=True),
    ),
    variant("passed_after_win", {SANREMO: "87 s2"}, before=lambda who: ClaimsOpen(passed_by=who, passed_after="win")),
)
def _nearest_against_others(
    draw: Draw, book: Rulebook, difficulty: int, before: Callable[[str], ClaimsOpen], *, standing: bool = True
) -> Situation:
    """The seated player nearest to the banker's right asks, and so do others: at least one of them seated."""
    facts = company(draw, book, difficulty)
    near, *rest = seat_pontos(facts)
    others = draw.sample(rest, 1 + difficulty // 3)
    if standing:
        others += draw.sample(standers(facts), difficulty // 3)
    return talk(facts, [Call(place, "banco") for place in draw.shuffled([near, *others])], before(near))


@case("banco_priority", {PT[0]: "92 s2", SANREMO: "25 s2"})
def moved_ahead(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """The Portuguese text does not rank him against standing players."""
    ranked = book.coded_as == SANREMO
    return _nearest_against_others(draw, book, difficulty, lambda who: ClaimsOpen(moved_ahead=(who,)), standing=ranked)


@case("banco_priority", {SANREMO: "38 s1"})
def asked_for_another(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """The nearest to the banker's right asks on behalf of somebody else, others for themselves."""
    return _nearest_against_others(draw, book, difficulty, lambda who: ClaimsOpen(for_others=(who,)))


@case("banco_priority", {SANREMO: "46"})
def stakes_respected(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """Stakes are down; somebody asks for the bank, respects them and puts down the rest, or a little less."""
    facts = company(draw, book, difficulty)
    stakes = side_stakes(draw, facts, among=draw.sample(seat_pontos(facts), 2))
    short = facts["unit"] if difficulty >= 3 and draw.chance(0.3) else 0
    # The text does not say by what right a standing player whose call fails would have chips down.
    asking = seat_pontos(facts) if short else callers(facts)
    who = draw.pick([place for place in asking if place not in {stake.player for stake in stakes}])
    mine = Stake(who, facts["bank"] - sum(stake.amount for stake in stakes) - short)
    return talk(facts, [Call(who, "banco")], ClaimsOpen(respects=(who,)), stakes=[*stakes, mine])


@case("banco_priority", {SANREMO: "83 s2"})
def partner_asks(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """The banker draws a card too soon; then his partner and somebody else ask for the bank."""
    facts = company(draw, book, difficulty, partners=True)
    near, *rest = callers(facts)
    others = draw.sample(rest, 1 + difficulty // 3)
    calls = draw.shuffled([Call(near, "banco"), *(Call(place, "banco") for place in others)])
    return talk(facts, [Call("banker", "card_out"), *calls], ClaimsOpen(partner=near))


@case("cards_to", {PT[0]: "101", SANREMO: "112"})
def beginner_asks(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """Somebody who cannot play asks for the bank, before others or beside their stakes. At Sanremo some stand by: see
    largest_stake_cases.py."""
    facts = company(draw, book, difficulty, standing=draw.number(3, 5) if book.coded_as == SANREMO else 0)
    near, *rest = seat_pontos(facts)
    others = draw.sample(rest, difficulty // 3)
    calls = [Call(place, "banco") for place in (near, *others)]
    beginners = (near,) if difficulty < 4 else (near, rest[-1])
    stakes = [Stake(call.by, facts["bank"]) for call in calls]
    if not others:
        # Stakes were down before; a bancô goes before them.
        stakes = [*side_stakes(draw, facts, among=draw.sample(rest, 2)), *stakes]
    return talk(facts, draw.shuffled(calls), ClaimsOpen(cannot_play=beginners), stakes=stakes)


def _against_nearer(draw: Draw, book: Rulebook, difficulty: int, before: Callable[[str], ClaimsOpen]) -> Situation:
    """A player affected by an earlier coup asks for the bank, and so do others who sit before him."""
    facts = company(draw, book, difficulty)
    asking = draw.pick(callers(facts)[1:])
    calls = [Call(place, "banco") for place in (*rivals(draw, facts, difficulty, beside=asking), asking)]
    return talk(facts, calls if difficulty <= 2 else draw.shuffled(calls), before(asking))
