"""Bets: which chances are accepted, how much may be bet on them, who may bet against whom.

1995: 10, 11 s2, 11 s3, 20 s1, 20 s2. Macau 1995: 10, 11 a to e. Macau: apostas, limites s1 to s3.
"""

from typing import ClassVar, Literal

from rules_engine.authoring import (
    ImpossibleFacts,
    NotRegulated,
    Place,
    Reasoning,
    Rulebook,
    Sentence,
    Sum,
    one_of,
    variant,
)
from rules_engine.games.baccarat.draw import Draw
from rules_engine.games.ponto_banca.books import MACAU, MACAU_1995, PB, same
from rules_engine.games.ponto_banca.game import case, case_table, rule
from rules_engine.games.ponto_banca.outcome import WHOLE
from rules_engine.games.ponto_banca.setting import by_place, has_gap, side_bets, stand, table
from rules_engine.games.ponto_banca.table import OTHER, Bet, Chance, Incident, Side, Situation

SIDES: tuple[Side, ...] = ("ponto", "banker")
Wanted = Literal["ponto", "banker", "tie", "ponto_pair", "banker_pair", "any_pair", "ponto_natural"]
# Chances known from other tables, which no text here accepts.
ELSEWHERE: tuple[Wanted, ...] = ("any_pair", "ponto_natural")
PAIRS: tuple[Chance, ...] = ("ponto_pair", "banker_pair")
# Minimum bets over a maximum of so many "times more": 71 times the minimum would be within it, read to the letter.
CLEARLY = 2
HARDEST = 5


class BetPlaced(Incident, frozen=True, tag="bet_placed"):
    """While bets are open a player puts chips on a chance, besides what already lies there."""

    own: ClassVar = ("allowed",)

    player: Place
    on: Wanted
    amount: Sum

    def check(self, situation: Situation) -> None:
        if self.player not in {*map(str, situation.seats), *situation.standing}:
            raise ImpossibleFacts("incident.player", "nobody is at {place}", place=self.player)
        if not self.amount:
            raise ImpossibleFacts("incident.amount", "a bet of nothing")
        if not self.player.isdigit() and int(self.player[0]) not in situation.seats:
            raise ImpossibleFacts("incident.player", "nobody sits at the seat beside {place}", place=self.player)

    def told(self, situation: Situation) -> list[Sentence]:
        values = {"player": self.player, "on": self.on, "amount": self.amount}
        return [("incident.bet_placed_more" if self._adds(situation) else "incident.bet_placed", values)]

    def _adds(self, situation: Situation) -> bool:
        """Whether he has chips there already."""
        return any((bet.player, bet.on) == (self.player, self.on) for bet in situation.bets)

    def narration(self) -> list[Sentence]:
        return []

    def asked(self, name: str, situation: Situation) -> Sentence | None:
        if name == "largest_bet":
            form = "largest_bet_more" if self._adds(situation) else "largest_bet"
            return f"question.{form}", {"player": self.player, "on": self.on}
        return super().asked(name, situation)

    def sorts(self, situation: Situation) -> set[str]:
        """On what, whose chips are there already, and whether it is below the minimum."""
        there = {bet.player == self.player for bet in situation.bets if bet.on == self.on}
        chips = {"own chips there" if own else "others' chips there" for own in there}
        low = {"below the least"} if self.amount < situation.minimum else set()
        return chips | low | {"side" if self.on in SIDES else self.on}


@rule(BetPlaced, PB)
def bet_placed_pb(s: Situation, incident: BetPlaced, r: Reasoning) -> None:
    if not _taken(r, incident):
        return
    seat = incident.player[0]
    if not incident.player.isdigit() and not _with_the_seat(s, r, incident, seat):
        _decide(r, incident, largest=0, allowed=False)
        return
    if not s.minimum:
        raise NotRegulated("art. 20 counts the largest bet from the table's minimum, which is not given")
    times = r.book.param("maximum_times_minimum")
    maximum = int(times[incident.on]) * s.minimum
    already = sum(bet.amount for bet in s.bets if bet.on == incident.on and bet.player[0] == seat)
    cite = "20 s2" if incident.on == "tie" else "20 s1"
    r.pivot(cite, "times_minimum", on=incident.on, times=int(times[incident.on]), amount=maximum)
    if already:
        r.step(cite, "already_there", seat=seat, on=incident.on, already=already, left=max(0, maximum - already))
    if not incident.player.isdigit():
        r.pivot("11 s2", "tops_up", by=incident.player, seat=seat)
    if already + incident.amount < s.minimum:
        r.pivot(cite, "below_minimum", minimum=s.minimum)
    largest = max(0, maximum - already)
    swapped = s.minimum * int(times["ponto" if incident.on == "tie" else "tie"])
    _decide(
        r,
        incident,
        largest=largest,
        allowed=s.minimum <= already + incident.amount and incident.amount <= largest,
        tempting=(maximum, swapped),
    )


def _with_the_seat(s: Situation, r: Reasoning, incident: BetPlaced, seat: str) -> bool:
    """A standing player adds to the bet of his seat, and never plays against it: 11 s3."""
    marked = {bet.on for bet in s.bets if bet.player == seat}
    if OTHER.get(incident.on) in marked:
        r.pivot("11 s3", "against_the_seat", by=incident.player, seat=seat)
        return False
    if incident.on not in marked:
        raise NotRegulated("art. 11 lets a standing player add to a bet of his seat, and there is none")
    r.pivot("11 s3", "with_the_seat", by=incident.player, seat=seat)
    return True


@rule(BetPlaced, MACAU_1995)
def bet_placed_macau_1995(s: Situation, incident: BetPlaced, r: Reasoning) -> None:
    if not _taken(r, incident):
        return
    r.step("11 a", "no_maximum", pivot=_largest_so_far(s, incident))
    r.pivot("11 b", "gap_fixed", gap=_gap(s, r))
    if not incident.player.isdigit():
        r.pivot("11 e", "standing_free", by=incident.player)
    if incident.on == "tie":
        actual = r.book.reads("Q25", "actual")
        _decide_tie(s, r, incident, cite="11 d", share="tie_percent_of_max_gap", fixed=not actual)
    else:
        _decide_side(s, r, incident, cite="11 c")


@rule(BetPlaced, MACAU)
def bet_placed_macau(s: Situation, incident: BetPlaced, r: Reasoning) -> None:
    if not _taken(r, incident):
        return
    r.step("limites s1", "no_maximum", pivot=_largest_so_far(s, incident))
    if incident.on == "tie":
        fixed = r.book.reads("Q25", "fixed")
        _decide_tie(s, r, incident, cite="limites s3", share="tie_percent_of_difference", fixed=fixed)
    elif incident.on in SIDES:
        _decide_side(s, r, incident, cite="limites s2")
    else:
        r.choice("allowed", "allowed")


def _taken(r: Reasoning, incident: BetPlaced) -> bool:
    """Whether this table accepts bets on the chance: 10, apostas. If not, that decides the case."""
    taken = incident.on in r.book.param("chances")
    common = incident.on in (*SIDES, "tie")
    cite = same(r.book, "10", "apostas")
    r.step(cite, "chance_taken" if taken else "chance_not_taken", on=incident.on, pivot=not (taken and common))
    if not taken:
        r.choice("allowed", "refused")
        r.amount("largest_bet", 0, tempting=(incident.amount,))
    return taken


def _gap(s: Situation, r: Reasoning) -> int:
    if not s.max_gap:
        cite = same(r.book, "11 b", "limites s2")
        raise NotRegulated(
            "{cite:cited} needs the largest difference fixed for the table, which is not given", cite=cite
        )
    return s.max_gap


def _largest_so_far(s: Situation, incident: BetPlaced) -> bool:
    return incident.amount > max((bet.amount for bet in s.bets), default=0)


def _decide_side(s: Situation, r: Reasoning, incident: BetPlaced, *, cite: str) -> None:
    """One side may exceed the other by at most the fixed difference."""
    own, other, gap = s.total(incident.on), s.total(OTHER[incident.on]), _gap(s, r)
    largest = max(0, other + gap - own)
    r.pivot(cite, "gap", on=incident.on, own=own, other=other, gap=gap, left=largest)
    wrong = (gap, max(0, gap - own), other + gap)
    _decide(r, incident, largest=largest, allowed=incident.amount <= largest, tempting=wrong)


def _decide_tie(s: Situation, r: Reasoning, incident: BetPlaced, *, cite: str, share: str, fixed: bool) -> None:
    """A share of the difference `fixed` for the table, or of the actual difference."""
    difference = _gap(s, r) if fixed else abs(s.total("ponto") - s.total("banker"))
    text = "tie_cap_of_gap" if fixed else "tie_cap_of_difference"
    cap, there = difference * r.book.number(share) // WHOLE, s.total("tie")
    largest = max(0, cap - there)
    r.pivot(cite, text, cap=cap, there=there, left=largest)
    _decide(r, incident, largest=largest, allowed=incident.amount <= largest, tempting=(cap, s.max_gap))


def _decide(r: Reasoning, incident: BetPlaced, *, largest: int, allowed: bool, tempting: tuple[int, ...] = ()) -> None:
    r.choice("allowed", "allowed" if allowed else "refused", critical=True)
    r.amount("largest_bet", largest, tempting=(*tempting, incident.amount, 0))


@case("limits", {PB: "10", MACAU_1995: "10", MACAU: "apostas"})
def chance_named(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    facts = table(draw, book, difficulty)
    on: Wanted = draw.pick((*SIDES, *PAIRS, *ELSEWHERE))
    return Situation(
        **facts,
        bets=side_bets(draw, facts),
        incident=BetPlaced(player=str(draw.pick(facts["seats"])), on=on, amount=facts["minimum"]),
    )


def _around(draw: Draw, limit: int, unit: int, difficulty: int, *, over: int = 1) -> int:
    """An amount at the limit, one unit under it or so many over; easiest: well under or over."""
    if difficulty == 1:
        return draw.pick((max(unit, limit // 2 // unit * unit), limit, limit + 5 * unit))
    return draw.pick((limit - unit, limit, limit + over * unit))


def _total(bets: tuple[Bet, ...], on: str) -> int:
    return sum(bet.amount for bet in bets if bet.on == on)


def _topped_up(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """A standing player adds to the bet of the seat beside him, up to what the seat may still have."""
    facts = table(draw, book, difficulty)
    minimum = facts["minimum"]
    bets = side_bets(draw, facts, most=40)
    seat = draw.pick([bet for bet in bets if has_gap(book, bet.player)])
    player = f"{seat.player}a"
    left = int(book.param("maximum_times_minimum")[seat.on]) * minimum - seat.amount
    amount = _around(draw, left, minimum, difficulty, over=CLEARLY)
    return Situation(
        **facts, standing=(player,), bets=bets, incident=BetPlaced(player=player, on=seat.on, amount=amount)
    )


@case_table(
    "limits", variant("side_maximum", {PB: "20 s1"}, on=one_of(*SIDES)), variant("tie_maximum", {PB: "20 s2"}, on="tie")
)
def _up_to_maximum(draw: Draw, book: Rulebook, difficulty: int, on: Chance) -> Situation:
    """A seated player's bet near the maximum of the chance; difficult: on top of what he already has there. Hardest: a
    standing player tops up the bet of a seat."""
    if difficulty >= HARDEST and on != "tie":
        return _topped_up(draw, book, difficulty)
    facts = table(draw, book, difficulty)
    minimum = facts["minimum"]
    bets = list(side_bets(draw, facts))
    maximum = int(book.param("maximum_times_minimum")[on]) * minimum
    player = draw.pick([bet.player for bet in bets if on == "tie" or bet.on != on])
    already = 0
    if difficulty >= 2 and draw.chance(0.7):
        bets = [bet for bet in bets if bet.player != player or on == "tie"]
        already = minimum * draw.number(2, 9)
        bets.append(Bet(player, on, already))
    amount = _around(draw, maximum - already, minimum, difficulty, over=CLEARLY)
    if not already and draw.chance(0.15):
        amount = minimum // 2
    return Situation(**facts, bets=by_place(bets), incident=BetPlaced(player=player, on=on, amount=amount))


@case("limits", {PB: ("11 s2", "20 s1")})
def topped_up(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    return _topped_up(draw, book, difficulty)


@case("seating", {PB: "11 s3", MACAU_1995: "11 e"})
def against_the_seat(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """A standing player bets against the seat beside him, or with it; others stand there too when difficult."""
    facts = table(draw, book, difficulty)
    standing = stand(draw, book, facts, min(difficulty, len(facts["seats"]) - 1))
    bets = side_bets(draw, facts)
    player = draw.pick(standing)
    marked = next(bet.on for bet in bets if bet.player == player[0])
    on = OTHER[marked] if draw.chance(0.6) else marked
    amount = facts["minimum"] * draw.number(1, 6)
    if book.coded_as == MACAU_1995:
        # The difference between the sides limits what he may bet, whoever sits beside him.
        left = facts["max_gap"] + _total(bets, OTHER[on]) - _total(bets, on)
        amount = _around(draw, left, facts["minimum"], difficulty)
    elif on == marked and difficulty >= 3:
        most = int(book.param("maximum_times_minimum")[on]) * facts["minimum"]
        left = most - next(bet.amount for bet in bets if bet.player == player[0])
        amount = _around(draw, left, facts["minimum"], 3, over=CLEARLY)
    incident = BetPlaced(player=player, on=on, amount=amount)
    return Situation(**facts, standing=standing, bets=bets, incident=incident)


@case("limits", {MACAU_1995: ("11 a", "11 b", "11 c"), MACAU: ("limites s1", "limites s2")})
def gap_between_sides(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """A large bet that brings the difference close to the fixed one."""
    facts = table(draw, book, difficulty)
    bets = side_bets(draw, facts)
    on = draw.pick(SIDES)
    left = facts["max_gap"] + _total(bets, OTHER[on]) - _total(bets, on)
    amount = _around(draw, left, facts["minimum"], difficulty)
    player = draw.pick([bet.player for bet in bets if bet.on == on or difficulty >= 2])
    if book.coded_as == MACAU_1995 and difficulty >= 3 and has_gap(book, player) and draw.chance(0.4):
        facts["standing"] = (f"{player}a",)
        player = f"{player}a"
    return Situation(**facts, bets=bets, incident=BetPlaced(player=player, on=on, amount=amount))


@case("limits", {MACAU_1995: ("11 b", "11 d"), MACAU: "limites s3"})
def tie_cap(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """A bet on the tie near its cap; difficult: others have bet on the tie before."""
    facts = table(draw, book, difficulty)
    minimum, gap = facts["minimum"], facts["max_gap"]
    # The difference between the sides is a round part of the fixed one, so that a tenth of either is a whole bet.
    light, heavy = draw.sample(facts["seats"], 2)
    third = str(draw.pick(facts["seats"]))
    on, other = draw.shuffled(SIDES)
    base = minimum * draw.number(2, 10)
    tenths = gap // minimum // 10
    difference = minimum * 10 * draw.number(min(3, tenths), max(1, tenths - 1))
    cap = (difference if book.coded_as == MACAU else gap) // 10
    bets = [Bet(str(heavy), on, base + difference), Bet(str(light), other, base)]
    if difficulty >= 3 and cap > 2 * minimum:
        before = minimum * draw.number(1, cap // minimum - 2)
        bets.append(Bet(third, "tie", before))
        cap -= before
    player = str(draw.pick(facts["seats"]))
    amount = _around(draw, cap, minimum, difficulty)
    return Situation(**facts, bets=by_place(bets), incident=BetPlaced(player=player, on="tie", amount=amount))
