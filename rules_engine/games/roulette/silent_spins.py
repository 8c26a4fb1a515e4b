"""What the law does not say about a spin: the ball leaves the wheel, or the wrong number is called.

What follows from the decision of the house is law: X 12, X 13, X 16, X 17, X 20, X 26.
"""

from typing import Annotated, Any, Literal

from msgspec import Meta

from rules_engine.authoring import After, Draw, ImpossibleFacts, NotRegulated, Reasoning, Rulebook, Sentence, Utterance
from rules_engine.games.layout_bets import settlement
from rules_engine.games.layout_bets.setting import Crowd
from rules_engine.games.roulette.books import BOOKS, FRENCH
from rules_engine.games.roulette.game import case, domain, rule
from rules_engine.games.roulette.layout import POCKETS, Pocket
from rules_engine.games.roulette.null_spin import decide_void, rolling, void_or_number
from rules_engine.games.roulette.setting import any_number, chips, face_values, in_order, picture, winning
from rules_engine.games.roulette.settlement import Outcome, explain_prize, prize_of, settle, wins
from rules_engine.games.roulette.spin import announce
from rules_engine.games.roulette.table import Bet, Incident, Situation

# How the ball came out. `rim`: it only jumped on the edge. `bounced` and `struck`: it came back, untouched or off a
# player.
Came = Literal["dropped", "rim", "bounced", "struck", "cloth", "floor", "hand", "lost"]
BACK: tuple[Came, ...] = ("rim", "bounced", "struck")
AWAY: tuple[Came, ...] = ("cloth", "floor", "hand", "lost")
# What happens at the first level, and what may happen later, as often as it is listed.
PLAIN: tuple[Came, ...] = ("dropped", "rim", "bounced", "cloth", "floor")
OFTEN: tuple[Came, ...] = (*("dropped",) * 2, *("rim",) * 2, *("bounced",) * 3, "struck", *AWAY)
State = Literal["sound", "chipped", "broken"]
# How far the dealer has come when the mistake is noticed. `lifted`: all is paid and the ball is out for the next spin.
Noticed = Literal["announced", "collected", "paid", "lifted"]
NOTICED: tuple[Noticed, ...] = ("announced", "collected", "paid", "lifted", "lifted")
CROWD = {level: Crowd((1, level), (1, max(1, level - 1)), (1, 2), (1, 1 + level)) for level in range(1, 6)}

domain("ball_next", "same", "another", "other")
domain("number_counts", "ball", "called", "both")


class BallLeftWheel(Incident, frozen=True, kw_only=True, tag="ball_left_wheel"):
    """The ball comes out of the wheel. `over` is the pocket it falls back into; `minutes` how long it has been in use.

    `dropped`: it slips from the hand of the dealer before it is spun.
    """

    came: Came
    over: Pocket | None = None
    state: State = "sound"
    minutes: Annotated[int, Meta(ge=1, le=600)] = 1

    def check(self, situation: Situation) -> None:
        if situation.number is not None:
            raise ImpossibleFacts("number", "no number is out before it is announced")
        if (self.over is None) == (self.came in BACK):
            raise ImpossibleFacts("incident.over", "the ball lies in a pocket if it came back, and only then")
        if self.came == "lost" and self.state != "sound":
            raise ImpossibleFacts("incident.state", "nobody has seen what a lost ball is like")

    def lying(self) -> Pocket | None:
        return self.over

    def on_cloth(self) -> bool:
        return self.came == "cloth"

    def sayable(self, situation: Situation) -> list[Utterance]:
        return void_or_number(situation, self.over)

    def sorts(self, situation: Situation) -> set[str]:
        return {self.came, self.state}

    def narration(self) -> list[Sentence]:
        told: list[Sentence] = [("incident.ball_minutes", {"minutes": self.minutes})]
        told.append((f"incident.ball_came_{self.came}", {"over": self.over}))
        return told if self.came == "lost" else [*told, (f"incident.ball_is_{self.state}", {})]


class WrongNumberCalled(Incident, frozen=True, kw_only=True, tag="wrong_number_called"):
    """The dealer announced and marked `called`; the ball lies in the pocket of another number, `lies`."""

    called: Pocket
    lies: Pocket
    noticed: Noticed

    def check(self, situation: Situation) -> None:
        situation.check_some_bet()
        if situation.number is not None:
            raise ImpossibleFacts("number", "which number is out is not settled yet")
        if self.called == self.lies:
            raise ImpossibleFacts("incident.called", "that is the number of the pocket")

    def lying(self) -> Pocket | None:
        return None if self.noticed == "lifted" else self.lies

    def marked_number(self) -> Pocket | None:
        return self.called

    def left_lying(self, situation: Situation) -> tuple[Bet, ...]:
        """What the dealer took for lost is off the cloth once it is collected."""
        if self.noticed == "announced":
            return situation.bets
        return tuple(bet for bet in situation.bets if wins(BOOKS[0], bet.spot, self.called))

    def sorts(self, situation: Situation) -> set[str]:
        return {self.noticed}

    def narration(self) -> list[Sentence]:
        values = {"called": self.called, "lies": self.lies}
        return [("incident.wrong_number_called", values), (f"incident.called_{self.noticed}", values)]


@rule(BallLeftWheel, FRENCH)
def ball_left_wheel(s: Situation, incident: BallLeftWheel, r: Reasoning) -> None:
    counts = ("rim", "bounced") if r.procedure == "untouched_counts" else ("rim",)
    if incident.came == "dropped":
        r.step("X 16 s1", "spin_from_throw")
        r.pivot("ball_left_wheel", "ball_not_spun")
        r.choice("spin", "not_begun", critical=True)
    elif incident.came in counts and incident.over is not None:
        r.pivot("ball_left_wheel", f"ball_counts_{incident.came}")
        r.choice("spin", "stands", critical=True)
        announce(s, r, incident.over)
        r.after(After(marks={"marker": str(incident.over)}))
    else:
        struck = incident.came == "struck" and r.procedure == "untouched_counts"
        r.pivot("ball_left_wheel", f"ball_{'struck' if struck else 'back' if incident.came in BACK else 'out'}_void")
        decide_void(s, r, tempting=[incident.over])
    _next_ball(incident, r)


def _next_ball(incident: BallLeftWheel, r: Reasoning) -> None:
    """X 13: a ball that is lost or spoilt is replaced. X 12: otherwise it stays until its hour is over."""
    hour, due = r.book.number("ball_change_minutes"), incident.minutes >= r.book.number("ball_change_minutes")
    if incident.came == "lost" or incident.state != "sound":
        if due:
            raise NotRegulated("arts. X 12 and X 13 do not say what is done first when a faulty ball has had its hour")
        r.pivot("X 13", "ball_replaced")
        r.choice("ball_next", "another", tempting=["other"])
        return
    if due and r.decided("ball_back"):
        raise NotRegulated("arts. X 12 and X 16 do not say which ball is spun again when the hour of the first is over")
    r.pivot("X 12", "other_ball" if due else "same_ball", minutes=incident.minutes, hour=hour)
    r.choice("ball_next", "other" if due else "same")


@rule(WrongNumberCalled, FRENCH)
def wrong_number_called(s: Situation, incident: WrongNumberCalled, r: Reasoning) -> None:
    kind, ball, called = "wrong_number_called", incident.lies, incident.called
    late, paid = incident.noticed == "lifted", incident.noticed == "paid"
    both = paid and r.procedure == "paid_stays"
    counting = (called,) if late else (ball, called) if both else (ball,)
    r.pivot("X 17", "ball_number", number=ball)
    r.pivot(kind, "called_stands" if late else "paid_stays" if both else "ball_decides", number=counting[0])
    if not late and incident.noticed != "announced":
        r.step("X 26 s1", "collected_back", number=ball)
    r.choice("number_counts", "called" if late else "both" if both else "ball", critical=True)
    settled = [Outcome(bet, _prize(r, bet, counting)) for bet in s.bets]
    for one in settled:
        if one.prize > 0:
            explain_prize(r, one)
    if not settlement.paid_on(settled):
        r.step("X 22 s1", "nothing_won", number=counting[0])
    for player in s.every("prize."):
        mine = settlement.of_player(settled, player)
        wrong = [_paid(r, mine, numbers) for numbers in ((ball,), (called,), (ball, called))]
        r.amount(f"prize.{player}", settlement.paid_on(mine), tempting=[*wrong, settlement.staked_on(mine), 0])
    settle(r, counting[0], settled)


def _prize(r: Reasoning, bet: Bet, numbers: tuple[int, ...]) -> int:
    """What a bet wins if each of these numbers counts; it is paid once."""
    won = any(wins(r.book, bet.spot, number) for number in numbers)
    return prize_of(r.book, bet.chance, bet.amount) if won else -bet.amount


def _paid(r: Reasoning, settled: list[Outcome], numbers: tuple[int, ...]) -> int:
    return sum(max(0, _prize(r, one.bet, numbers)) for one in settled)


@case("procedures", {FRENCH: ("ball_left_wheel",)})
def ball_out_of_the_wheel(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """Easy: a sound ball, far from its hour. Harder: damaged or lost, close to the hour."""
    came = draw.pick(PLAIN if difficulty == 1 else OFTEN)
    over = None if came not in BACK else 0 if draw.chance(0.1) else any_number(draw, difficulty)
    hour, far = book.number("ball_change_minutes"), 3 if difficulty >= 3 else 20
    state: State = draw.pick(("chipped", "broken")) if came != "lost" and draw.chance(0.3) else "sound"
    under, due = hour - draw.number(1, far), hour + draw.number(0, far)
    # Which ball is spun again after a void spin is clear only while its hour lasts.
    minutes = draw.pick((under, due, due)) if came in ("dropped", "rim") and state == "sound" else under
    incident = BallLeftWheel(came=came, over=over, state=state, minutes=minutes)
    return Situation(**rolling(draw, book, difficulty), incident=incident)


@case("procedures", {FRENCH: ("wrong_number_called",)})
def other_number_called(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """A neighbour of the number on the wheel or on the cloth is called. There are bets on both numbers."""
    lies = any_number(draw, difficulty)
    facts = picture(draw, book, difficulty, number=lies, crowd=CROWD[difficulty])
    order: list[int] = book.param("wheels")["french"]
    at = order.index(lies)
    beside = [order[at - 1], order[(at + 1) % len(order)], *(n for n in (lies - 1, lies + 1) if n in POCKETS)]
    called = draw.pick(beside)
    player = draw.pick(facts["bets"]).player if difficulty == 1 else str(draw.pick(facts["seats"]))
    spot = draw.pick([one for chance in ("straight", "split", "corner") for one in winning(book, called, chance)])
    value = _own_value(facts, player) or face_values(book)[0]
    more = chips(draw, book, facts, player=player, spot=spot, value=value, most=(1, 1 + difficulty))
    others = [bet for bet in facts["bets"] if (bet.player, bet.spot) != (player, spot)]
    incident = WrongNumberCalled(called=called, lies=lies, noticed=draw.pick(NOTICED))
    return Situation(**facts | {"number": None, "bets": in_order([*others, more])}, incident=incident)


def _own_value(facts: dict[str, Any], player: str) -> int:
    """What the chips of a player's colour are worth; 0 if the player has none."""
    return next((chips.value for chips in facts.get("colours", ()) if chips.player == player), 0)
