"""The end of betting: who announces it and when, and chips placed, moved or taken back after it. X 14 s1, X 14 s2."""

from typing import Any, ClassVar

from rules_engine.authoring import Draw, Reasoning, Rulebook, Utterance
from rules_engine.games.layout_bets import closing
from rules_engine.games.layout_bets.setting import Crowd
from rules_engine.games.roulette import layout
from rules_engine.games.roulette.books import FRENCH
from rules_engine.games.roulette.game import case, domain, rule
from rules_engine.games.roulette.setting import any_number, picture, room
from rules_engine.games.roulette.settlement import PRIZE_CLAUSES, group, prize_of, times_name, wins
from rules_engine.games.roulette.table import Bet, Call, Incident, Situation

CLOTH = Crowd((2, 3), (1, 2), (1, 2), (1, 4))
OPENED = Call("croupier", "place_bets")
ORDERED = Call("inspector", "close_order")
CLOSED = Call("croupier", "closed")
THROWN = Call("croupier", "throws")

domain("closes", "inspector", "thrower", "closed_already")


class BetsMade(Incident, frozen=True, tag="bets_made"):
    """The bets seem to be made; the calls say how far the closing of betting has come."""

    def sayable(self, situation: Situation) -> list[Utterance]:
        return [Utterance("bets_closed")]


class LateBet(closing.LateBet, Incident, frozen=True, tag="late_bet"):
    """A player places chips on a spot, takes them back, or moves them `to` another spot; the calls tell when."""

    tells: ClassVar = ("minimum", "number_later")

    def placed(self) -> list[tuple[str, int]]:
        return [(self.player, self.value)]


def closed(s: Situation) -> bool:
    """Whether betting is over: only the dealer's announcement ends it, not an order or a player's words."""
    return any(call.by == "croupier" and call.says == "closed" for call in s.calls)


@rule(BetsMade, FRENCH)
def bets_made(s: Situation, incident: BetsMade, r: Reasoning) -> None:
    if closed(s):
        r.pivot("X 14 s1", "close_done")
        r.choice("closes", "closed_already")
        return
    ordered = any(call.by == "inspector" and call.says == "close_order" for call in s.calls)
    early = any(call.says == "closed" for call in s.calls)
    r.pivot("X 14 s1", "close_now" if ordered else "close_not_ordered")
    r.choice("closes", "thrower" if ordered else "inspector", tempting=["closed_already"] if early else [])
    if ordered:
        r.words("bets_closed")


@rule(LateBet, FRENCH)
def late_bet(s: Situation, incident: LateBet, r: Reasoning) -> None:
    decide_late(s, incident, r)


def decide_late(s: Situation, incident: LateBet, r: Reasoning) -> None:
    """Decide whether the chips may be touched, and what they are paid if a number has come out."""
    over = closed(s)
    r.pivot("X 14 s2", f"{'too_late' if over else 'in_time'}_{incident.wish}", by=incident.player)
    r.choice("allowed", "refused" if over else "allowed", critical=True)
    if s.number is not None:
        number, spot = s.number, incident.lies_on(allowed=not over)
        prize = lambda where, stake: _prize(r, where, stake, number)  # noqa: E731
        explain = lambda where: _explain(r, incident, where, number)  # noqa: E731
        closing.decide_late_prize(s, r, incident, spot, cite="X 14 s2", prize=prize, explain=explain)


def _explain(r: Reasoning, incident: LateBet, spot: str, number: int) -> None:
    """What the chips on a spot are paid, or that they are lost."""
    by, stake, chance = incident.player, incident.stake, layout.chance(spot)
    if not wins(r.book, spot, number):
        r.step("X 22 s1", "stake_is_lost", by=by, number=number, **layout.named(spot))
        return
    times, prize = times_name(r.book, chance), prize_of(r.book, chance, stake)
    r.step(PRIZE_CLAUSES[group(chance)], "pays", by=by, stake=stake, times=times, prize=prize, **layout.named(spot))


def _prize(r: Reasoning, spot: str, stake: int, number: int) -> int:
    return prize_of(r.book, layout.chance(spot), stake) if wins(r.book, spot, number) else 0


@case("spin", {FRENCH: ("X 14 s1",)})
def end_of_betting(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """The inspector has ordered it, or not yet, even if the ball is rolling; or it has been announced already."""
    facts = picture(draw, book, difficulty, number=any_number(draw, difficulty), crowd=CLOTH)
    del facts["number"]
    calls = draw.pick(([OPENED], [OPENED, ORDERED], [OPENED, ORDERED, CLOSED])).copy()
    calls += [THROWN] if draw.chance(0.4) else []
    if difficulty >= 3 and draw.chance(0.4):
        calls.insert(1, Call(str(draw.pick(facts["seats"])), "closed"))
    return Situation(**facts, calls=tuple(calls), incident=BetsMade())


def some_calls(draw: Draw, seats: tuple[int, ...], difficulty: int) -> tuple[Call, ...]:
    """Easy: closed or not. Harder: the ball rolls before the announcement, or the order has not been carried out."""
    ended = [[OPENED, ORDERED, CLOSED], [OPENED, THROWN, ORDERED, CLOSED], [OPENED, ORDERED, CLOSED, THROWN]]
    going = [[OPENED], [OPENED, THROWN], [OPENED, ORDERED], [OPENED, Call(str(draw.pick(seats)), "closed")]]
    reach = 1 if difficulty == 1 else 2 if difficulty == 2 else 4
    return tuple(draw.pick(ended[:reach] if draw.chance(0.55) else going[:reach]))


def touched_chips(draw: Draw, book: Rulebook, bets: tuple[Bet, ...], number: int) -> dict[str, Any]:
    """The facts of a late bet on or near a number. The chips are within the limits where they go."""
    bet, wish = draw.pick(bets), draw.pick(closing.WISHES)
    others = [str(number), *layout.around(number, "split"), str((number + 1) % 37), "black", "odd"]
    there = {spot: sum(b.amount for b in bets if (b.player, b.spot) == (bet.player, spot)) for spot in others}
    free = {spot: room(book, spot, bet.value) - amount // bet.value for spot, amount in there.items()}
    least = bet.count if wish == "move" else 1
    chips = closing.late_chips(draw, bet, wish, [spot for spot in others if free[spot] >= least])
    return chips | ({"count": min(chips["count"], free[chips["spot"]])} if wish == "place" else {})


@case("spin", {FRENCH: ("X 14 s2",)})
def chips_touched_late(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """Hard: the number comes out, and what the player did would win or lose a prize."""
    number = any_number(draw, difficulty)
    facts = picture(draw, book, difficulty, number=number, crowd=CLOTH)
    chips = touched_chips(draw, book, facts["bets"], number)
    if difficulty <= 2:
        del facts["number"]
    calls = some_calls(draw, facts["seats"], difficulty)
    return Situation(**facts, calls=calls, incident=LateBet(**chips))
