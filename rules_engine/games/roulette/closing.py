"""The end of betting: who says so and when, and chips put down, moved or taken back after it. X 14 s1, X 14 s2."""

from typing import ClassVar, Literal

from rules_engine.authoring import Draw, ImpossibleFacts, Place, Reasoning, Rulebook, Sentence, SpotKey, Utterance
from rules_engine.games.roulette import layout
from rules_engine.games.roulette.books import FRENCH
from rules_engine.games.roulette.game import case, domain, rule
from rules_engine.games.roulette.setting import Crowd, any_number, picture
from rules_engine.games.roulette.settlement import prize_of, wins
from rules_engine.games.roulette.table import (
    Call,
    Count,
    Incident,
    Situation,
    Worth,
    check_at_table,
    check_spot,
    named,
)

Wish = Literal["place", "move", "withdraw"]
CLOTH = Crowd((2, 3), (1, 2), (1, 2), (1, 4))
OPENED = Call("croupier", "place_bets")
ORDERED = Call("inspector", "close_order")
CLOSED = Call("croupier", "closed")
THROWN = Call("croupier", "throws")

domain("closes", "inspector", "thrower", "closed_already")


class BetsMade(Incident, frozen=True, tag="bets_made"):
    """The bets seem to be made; the calls say how far the closing of bets has come."""


class LateBet(Incident, frozen=True, tag="late_bet"):
    """A player puts chips on a spot, takes his own off it, or moves them `to` another; the calls say how late it is."""

    tells: ClassVar = ("minimum", "number_later")

    player: Place
    wish: Wish
    spot: SpotKey
    count: Count
    value: Worth
    to: SpotKey | None = None

    def check(self, situation: Situation) -> None:
        check_at_table(situation, self.player)
        check_spot(self.spot, "incident.spot")
        if (self.to is None) == (self.wish == "move"):
            raise ImpossibleFacts("incident.to", "only chips that are moved go to another spot")
        if self.to is not None:
            check_spot(self.to, "incident.to")
        mine = [b for b in situation.on(self.spot) if b.player == self.player and b.value == self.value]
        if self.wish != "place" and sum(b.count for b in mine) != self.count:
            raise ImpossibleFacts(
                "incident.spot",
                "{player:player} has other chips on {name:spot}{at}",
                player=self.player,
                **named(self.spot),
            )

    def placed(self) -> list[tuple[str, int]]:
        return [(self.player, self.value)]

    def narration(self) -> list[Sentence]:
        values = {"player": self.player, "count": self.count, "value": self.value, **named(self.spot)}
        if self.to is not None:
            values |= {f"{key}_to": value for key, value in named(self.to).items()}
        return [(f"incident.late_bet_{self.wish}", values)]


def closed(s: Situation) -> bool:
    """Betting is over once the dealer has said so; an order or a player's word is not enough."""
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
        r.words("bets_closed", tempting=[Utterance("no_spin")])


@rule(LateBet, FRENCH)
def late_bet(s: Situation, incident: LateBet, r: Reasoning) -> None:
    over = closed(s)
    r.pivot("X 14 s2", f"{'too_late' if over else 'in_time'}_{incident.wish}", by=incident.player)
    r.choice("allowed", "refused" if over else "allowed", critical=True)
    if s.number is None:
        return
    stays = {"place": None, "move": incident.spot, "withdraw": incident.spot}
    goes = {"place": incident.spot, "move": incident.to, "withdraw": None}
    spot = (stays if over else goes)[incident.wish]
    stake = incident.count * incident.value
    paid = {where: _paid(r, where, stake, s.number) for where in (incident.spot, incident.to, None)}
    r.step("X 14 s2", "lies_nowhere" if spot is None else "lies_there", **(named(spot) if spot else {}))
    r.amount("late_prize", paid[spot], tempting=[*paid.values(), stake, 0])


def _paid(r: Reasoning, spot: str | None, stake: int, number: int) -> int:
    if spot is None or not wins(r.book, spot, number):
        return 0
    return prize_of(r.book, layout.chance(spot), stake)


@case("spin", {FRENCH: ("X 14 s1",)})
def end_of_betting(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """The inspector has ordered it, or not yet, though the ball may be rolling; or all has been said already."""
    facts = picture(draw, book, difficulty, number=any_number(draw, difficulty), crowd=CLOTH)
    del facts["number"]
    calls = draw.pick(([OPENED], [OPENED, ORDERED], [OPENED, ORDERED, CLOSED])).copy()
    calls += [THROWN] if draw.chance(0.4) else []
    if difficulty >= 3 and draw.chance(0.4):
        calls.insert(1, Call(str(draw.pick(facts["seats"])), "closed"))
    return Situation(**facts, calls=tuple(calls), incident=BetsMade())


def _calls(draw: Draw, seats: tuple[int, ...], difficulty: int) -> tuple[Call, ...]:
    """Easy: ended or not. Harder: the ball rolls before the words, or the order is given and not yet carried out."""
    ended = [[OPENED, ORDERED, CLOSED], [OPENED, THROWN, ORDERED, CLOSED], [OPENED, ORDERED, CLOSED, THROWN]]
    going = [[OPENED], [OPENED, THROWN], [OPENED, ORDERED], [OPENED, Call(str(draw.pick(seats)), "closed")]]
    reach = 1 if difficulty == 1 else 2 if difficulty == 2 else 4
    return tuple(draw.pick(ended[:reach] if draw.chance(0.55) else going[:reach]))


@case("spin", {FRENCH: ("X 14 s2",)})
def chips_touched_late(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """Hard: the number comes out, and what he did would have paid, or cost, a prize."""
    number = any_number(draw, difficulty)
    facts = picture(draw, book, difficulty, number=number, crowd=CLOTH)
    bet = draw.pick(facts["bets"])
    wish: Wish = draw.pick(("place", "move", "withdraw"))
    spot, to, count = bet.spot, None, bet.count
    others = [str(number), *layout.around(number, "split"), str((number + 1) % 37), "black", "odd"]
    if wish == "move":
        to = draw.pick([other for other in others if other != spot])
    if wish == "place":
        spot, count = draw.pick(others), draw.number(1, 4)
    if difficulty <= 2:
        del facts["number"]
    return Situation(
        **facts,
        calls=_calls(draw, facts["seats"], difficulty),
        incident=LateBet(player=bet.player, wish=wish, spot=spot, to=to, count=count, value=bet.value),
    )
