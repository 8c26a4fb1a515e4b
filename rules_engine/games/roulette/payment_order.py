"""Who is paid first: the order of the chances, and players with several prizes. X 22 s2, X 24, X 24 s2."""

from itertools import pairwise
from typing import Any, Literal

from rules_engine.authoring import Draw, ImpossibleFacts, NotRegulated, Place, Reasoning, Rulebook, Sentence, variant
from rules_engine.games.layout_bets.incidents import Decided
from rules_engine.games.layout_bets.setting import table
from rules_engine.games.roulette.books import FRENCH
from rules_engine.games.roulette.game import case, case_table, rule
from rules_engine.games.roulette.setting import chips, face_value, face_values, in_order, winning
from rules_engine.games.roulette.settlement import (
    INSIDE,
    SIMPLE,
    french_rules,
    group,
    outcomes,
    prize_of,
    settle,
    uncollected,
    winners,
)
from rules_engine.games.roulette.table import Bet, Incident, Situation

# one_by_one: the player's prizes one after another; in_turn: with prizes of others in between, by the order of X 22.
Manner = Literal["together_apart", "together_heap", "one_by_one", "in_turn"]


class WinnersToPay(Decided, Incident, frozen=True, tag="winners_to_pay"):
    """Losing chips are collected and winning chips spread; every winner has one prize to receive."""

    def left_lying(self, situation: Situation) -> tuple[Bet, ...]:
        return uncollected(situation)


class SeveralPrizes(Decided, Incident, frozen=True, tag="several_prizes"):
    """A player has several prizes to receive. `manner` is how the dealer is about to pay them."""

    player: Place
    manner: Manner

    def narration(self) -> list[Sentence]:
        return [(f"incident.several_prizes_{self.manner}", {"player": self.player})]


def rank(r: Reasoning, chance: str) -> int:
    """The position of a chance in the order of payment. Raises NotRegulated for two dozens and two columns."""
    order: list[str] = r.book.param("payment_order")
    if group(chance) not in order:
        raise NotRegulated("art. X 22 does not say when two dozens or two columns are paid")
    return order.index(group(chance))


@rule(WinnersToPay, FRENCH)
def winners_to_pay(s: Situation, incident: WinnersToPay, r: Reasoning) -> None:
    number = s.result()
    won = {bet.spot: bet.chance for bet in winners(r.book, s.bets, number)}
    if len(won) < 2 or any(len(_won(s, r, player, number)) > 1 for player in s.every("prize.")):
        raise ImpossibleFacts("bets", "at least two spots must win, and nobody may have two prizes")
    ranks = {spot: rank(r, chance) for spot, chance in won.items()}
    if len(set(ranks.values())) < len(ranks):
        raise NotRegulated("art. X 22 does not say which of two bets of a kind is paid first")
    r.pivot("X 22 s2", "order_of_payment")
    right = sorted(ranks, key=ranks.__getitem__)
    by_prize = sorted(won, key=lambda spot: -prize_of(r.book, won[spot], 2))
    r.order("pay_order", right, tempting=[tuple(reversed(right)), tuple(by_prize), tuple(won)])
    settle(r, number, outcomes(r.book, s.bets, number))


def _won(s: Situation, r: Reasoning, player: str, number: int) -> dict[str, str]:
    """The spots on which a player has won, and the chance of each."""
    return {bet.spot: bet.chance for bet in winners(r.book, s.bets_of(player), number)}


@rule(SeveralPrizes, FRENCH)
def several_prizes(s: Situation, incident: SeveralPrizes, r: Reasoning) -> None:
    number = s.result()
    ranks = {
        player: sorted(rank(r, chance) for chance in won.values())
        for player in s.every("prize.")
        if (won := _won(s, r, player, number))
    }
    if len(ranks.get(incident.player, ())) < 2:
        raise ImpossibleFacts("incident.player", "{player:player} does not have several prizes", player=incident.player)
    french_rules(r)
    r.pivot("X 24", f"prizes_{incident.manner}", by=incident.player)
    r.step("X 22 s2", "order_of_payment")
    turn = -1 if r.book.reads("X24", "last") else 0
    if len({places[turn] for places in ranks.values()}) < len(ranks):
        raise NotRegulated("arts. X 22 and X 24 do not say who is paid first of two who begin with bets of a kind")
    if incident.manner == "in_turn" and not _in_between(ranks, incident.player):
        raise ImpossibleFacts(
            "incident.manner", "nobody is paid between two prizes of {player:player}", player=incident.player
        )
    by_first, by_last = (sorted(ranks, key=lambda player: ranks[player][place]) for place in (0, -1))
    right = by_last if turn else by_first
    if any(ranks[first][-1] >= ranks[second][0] for first, second in pairwise(by_first)):
        r.pivot("X 24 s2", "paid_at_the_last" if turn else "paid_at_the_first")
    r.choice("allowed", "allowed" if incident.manner == "together_apart" else "refused")
    wrong = (by_first, by_last, list(reversed(right)), sorted(right))
    r.order("paid_order", right, tempting=[tuple(one) for one in wrong])
    settle(r, number, outcomes(r.book, s.bets, number))


def _in_between(ranks: dict[str, list[int]], player: str) -> bool:
    """Whether the order has a prize of somebody else between two of this player's."""
    first, *_, last = ranks[player]
    return any(first < place < last for other, places in ranks.items() if other != player for place in places)


def _one_each(draw: Draw, book: Rulebook, difficulty: int, groups: list[str], owners: list[int]) -> dict[str, Any]:
    """A table with a winning bet on each of these groups. `owners` has the index of the player for each bet."""
    facts = table(draw, book, difficulty, least=max(owners) + 1) | face_value(book)
    number = draw.number(1, 36)
    players = [str(seat) for seat in draw.shuffled(facts["seats"])]
    worth = face_values(book)[0]
    bets = []
    for name, owner in zip(groups, owners, strict=True):
        chances = SIMPLE if name == "simple" else (name,)
        spot = draw.pick([spot for chance in chances for spot in winning(book, number, chance)])
        bets.append(chips(draw, book, facts, player=players[owner], spot=spot, value=worth, most=(1, 2 * difficulty)))
    return facts | {"bets": in_order(bets), "number": number}


def _groups(draw: Draw, book: Rulebook, count: int, among: tuple[str, ...] = ()) -> list[str]:
    """Some of the groups, in the order in which they are paid."""
    order: list[str] = book.param("payment_order")
    chosen = draw.sample(among or order, count)
    return [name for name in order if name in chosen]


def _in_order(draw: Draw, book: Rulebook, difficulty: int, groups: list[str]) -> Situation:
    facts = _one_each(draw, book, difficulty, groups, list(range(len(groups))))
    return Situation(**facts, incident=WinnersToPay())


@case("paying", {FRENCH: ("X 22 s2",)})
def winners_in_order(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """Easy: three winners. Hard: seven of the eight groups."""
    return _in_order(draw, book, difficulty, _groups(draw, book, min(difficulty + 2, book.table.seats)))


@case("paying", {FRENCH: ("X 22 s2",)})
def inside_winners_in_order(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """Inside bets only, whose chips lie close together."""
    return _in_order(draw, book, difficulty, _groups(draw, book, min(difficulty + 1, 5), among=INSIDE))


TOGETHER: tuple[Manner, ...] = ("together_apart", "together_apart", "together_heap")


def _blocks(draw: Draw, count: int, players: int) -> list[int]:
    """The owner of each of `count` prizes: every player owns consecutive prizes, and at least one owns several."""
    cuts = sorted(draw.sample(range(1, count), players - 1))
    return [sum(cut <= index for cut in cuts) for index in range(count)]


def _several(draw: Draw, facts: dict[str, Any], apart: Manner) -> Situation:
    owned = [bet.player for bet in facts["bets"]]
    player = draw.pick(sorted({player for player in owned if owned.count(player) > 1}))
    return Situation(**facts, incident=SeveralPrizes(player=player, manner=draw.pick((*TOGETHER, apart))))


@case_table(
    "paying",
    variant("several_of_two_players", {FRENCH: "X 24"}, most=2),
    variant("several_of_many_players", {FRENCH: "X 24"}, most=4),
)
def _following(draw: Draw, book: Rulebook, difficulty: int, most: int) -> Situation:
    """The prizes of each player follow one another in the order of payment. There are `most` players at the most."""
    count, players = difficulty + 3, min(2 + difficulty // 2, most)
    facts = _one_each(draw, book, difficulty, _groups(draw, book, count), _blocks(draw, count, players))
    return _several(draw, facts, "one_by_one")


@case("paying", {FRENCH: ("X 24", "X 24 s2")})
def several_in_between(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """A prize of another player comes between two of the player's prizes."""
    count = min(difficulty + 2, 6)
    owners = [0, *draw.shuffled([0, *range(1, count - 1)])]
    if owners[1] == 0:
        owners[1], owners[2] = owners[2], owners[1]
    facts = _one_each(draw, book, difficulty, _groups(draw, book, count), owners)
    return _several(draw, facts, "in_turn")
