"""Places when the bank changes hands: the checks and orders that all these rules share.

`regular` is always the seat that last held the bank in its own turn (Sanremo: the initial hand). It is the banker
himself unless the hand was passed to him.
"""

from collections.abc import Iterable
from typing import Any, Literal

from rules_engine.authoring import ImpossibleFacts, NotRegulated, Reasoning, Rulebook, Sentence, Utterance
from rules_engine.games.baccarat.draw import Draw
from rules_engine.games.chemin_de_fer.books import SANREMO
from rules_engine.games.chemin_de_fer.game import domain
from rules_engine.games.chemin_de_fer.order import from_right
from rules_engine.games.chemin_de_fer.setting import bystanders, foreigners, money, places
from rules_engine.games.chemin_de_fer.table import Situation

Acquired = Literal["turn", "level", "auction"]
CoupResult = Literal["won", "tie"]
Coups = tuple[CoupResult, ...]
WON: CoupResult = "won"
TIE: CoupResult = "tie"

domain("keeps_seat", "keeps", "loses")
domain("may_bid", "may_bid", "may_not_bid")


def check_at_table(s: Situation, **named: str | None) -> None:
    present = {*map(str, s.seats), *s.standing}
    for fact, place in named.items():
        if place is not None and place not in present:
            raise ImpossibleFacts(f"incident.{fact}", "nobody is at {place}", place=place)


def check_seated(s: Situation, **named: str | None) -> None:
    check_at_table(s, **named)
    for fact, place in named.items():
        if place is not None and not place.isdigit():
            raise ImpossibleFacts(f"incident.{fact}", "{place} is a standing place, not a seat", place=place)


def check_coups(s: Situation, coups: Coups) -> None:
    if s.wins != coups.count("won"):
        raise ImpossibleFacts(
            "wins", "won among the coups told: {told}, not {wins}", told=coups.count("won"), wins=s.wins
        )


def check_another_seated(s: Situation, origin: str) -> None:
    """Check that there is another seat to which the bank can go."""
    if not any(str(seat) != origin for seat in s.seats):
        raise ImpossibleFacts("seats", "nobody is seated besides {place:player}", place=origin)


def next_seated(s: Situation, origin: str) -> str:
    """The first occupied seat to the right."""
    check_another_seated(s, origin)
    return from_right(origin, (str(seat) for seat in s.seats if str(seat) != origin))[0]


def offer_origin(s: Situation, regular: str) -> str:
    """From whose right a passed hand is offered: the passer's, or the regular holder's if the passer stands."""
    return s.banker if s.banker.isdigit() else regular


def seated_first(origin: str, players: Iterable[str]) -> tuple[str, ...]:
    """The seated from the right of `origin`, then the standing from there too."""
    ranked = from_right(origin, players)
    return (*filter(str.isdigit, ranked), *(place for place in ranked if not place.isdigit()))


def check_movers(s: Situation, moved: tuple[str, ...]) -> None:
    """Check that whoever changed seats to get the bank sooner has a seat other than the banker's."""
    for place in moved:
        check_seated(s, moved_ahead=place)
        if place == s.banker:
            raise ImpossibleFacts("incident.moved_ahead", "the banker has the bank already")


def tell_movers(moved: tuple[str, ...]) -> list[Sentence]:
    return [("incident.claims_moved_ahead", {"who": place}) for place in moved]


def tell_regular(s: Situation, regular: str) -> Sentence:
    """Say whose turn the hand was: the banker's own, or that of a seat that passed it."""
    who = "banker" if regular == s.banker else "other"
    return f"incident.regular_{who}", {"regular": regular}


def movers_last(r: Reasoning, ranked: tuple[str, ...], moved: tuple[str, ...], *, cite: str) -> tuple[str, ...]:
    """The same players, with those who moved ahead behind the other seated players. Only Sanremo ranks them against the
    standing."""
    late = tuple(place for place in ranked if place in moved)
    if not late:
        return ranked
    seated = tuple(place for place in ranked if place.isdigit() and place not in late)
    standing = tuple(place for place in ranked if not place.isdigit())
    if r.book.coded_as != SANREMO and (len(late) > 1 or (standing and not seated)):
        raise NotRegulated(
            "art. 92 takes his priority from whoever moved ahead, and does not rank him among the standing"
        )
    for who in late:
        alone = "claims.no_rank" if seated else "claims.no_rank_no_rival"
        r.pivot(cite, "claims.last_of_seated" if r.book.coded_as == SANREMO else alone, who=who)
    return (*seated, *late, *standing)


def others(s: Situation) -> tuple[str, ...]:
    return tuple(place for place in (*map(str, s.seats), *s.standing) if place != s.banker)


def announce(r: Reasoning, formula: str, *tempting: str) -> None:
    """Decide the words, citing the clause that fixes them."""
    r.step(r.book.formula(formula).cite, "bank.announced_as", words=r.book.say(Utterance(formula)))
    r.words(formula, tempting=map(Utterance, tempting))


def neighbours(s: Situation, *right: str) -> list[str]:
    """Tempting wrong answers: the seats on either side of the right ones, and the banker."""
    found: list[str] = []
    for place in right:
        around = from_right(place, (str(seat) for seat in s.seats if str(seat) != place))
        found += [around[0], around[-1]] if around else []
    return [*found, s.banker]


def passed_hand(
    draw: Draw, book: Rulebook, difficulty: int, *, standing: int | None = None, foreign: bool = False, seated: int = 0
) -> dict[str, Any]:
    """A table whose seated banker holds the bank in his own turn.

    `foreign`: something has to be announced, at some tables also to foreigners. At least `seated` players are seated.
    """
    facts = places(draw, difficulty, standing=standing, seated=seated) | money(draw, book)
    return facts | (foreigners(draw, book, difficulty) if foreign else {})


def standing_banker(
    draw: Draw, book: Rulebook, difficulty: int, *, foreign: bool = False, crowd: bool = False
) -> tuple[dict[str, Any], str]:
    """A table whose banker stands, having taken a passed hand; and the seat that had passed it. `crowd`: others stand
    around."""
    count = bystanders(draw) if crowd else draw.number(1, 1 + difficulty // 2)
    facts = passed_hand(draw, book, difficulty, standing=count, foreign=foreign)
    regular = facts["banker"]
    return facts | {"banker": draw.pick(facts["standing"])}, regular
