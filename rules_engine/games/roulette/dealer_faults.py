"""Mistakes of the dealer that are noticed in time: a step out of turn (X 17, X 22 s1), a payment announced wrongly
(X 20, X 25)."""

from typing import Any, Literal, get_args

from rules_engine.authoring import Draw, ImpossibleFacts, Place, Reasoning, Rulebook, Sentence, SpotKey
from rules_engine.games.layout_bets.incidents import BetsDecided
from rules_engine.games.layout_bets.setting import Crowd
from rules_engine.games.layout_bets.table import Worth
from rules_engine.games.roulette import layout
from rules_engine.games.roulette.books import FRENCH
from rules_engine.games.roulette.game import case, domain, rule
from rules_engine.games.roulette.layout import Chance, named
from rules_engine.games.roulette.paying import (
    PAID_BESIDE,
    Done,
    check_colour_bet,
    chips_on,
    explain_next,
    paid_with_colours,
    steps_done,
)
from rules_engine.games.roulette.setting import COLOURS, any_number
from rules_engine.games.roulette.settlement import explain_prize, outcomes, prize_of, settle, uncollected, winners, wins
from rules_engine.games.roulette.table import Bet, ChipColour, Incident, Situation

Act = Literal["mark", "collect", "spread", "pay", "next_spin"]
ACTS: tuple[Act, ...] = get_args(Act)
PARTS = ("bet", "stake", "colour", "prize")
CROWD = {level: Crowd((1, 2), (1, level), (1, 2), (1, 2 * level)) for level in range(1, 6)}

domain("payment_fault", "none", *PARTS, "several")


class StepWanted(BetsDecided, Incident, frozen=True, tag="step_wanted"):
    """`done` is the last step the dealer has finished, `wants` what the dealer is about to do."""

    done: Done
    wants: Act

    def number_marked(self) -> bool:
        return self.done != "announced"

    def left_lying(self, situation: Situation) -> tuple[Bet, ...]:
        return uncollected(situation) if self.done in ("collected", "spread") else situation.bets

    def sorts(self, situation: Situation) -> set[str]:
        return {self.done, self.wants}

    def narration(self) -> list[Sentence]:
        return [(f"incident.settling_{self.done}", {}), (f"incident.step_wanted_{self.wants}", {})]


class PaymentChecked(Incident, frozen=True, tag="payment_checked"):
    """The dealer pays one bet of a player and announces bet, stake, colour and prize; any of them may be wrong."""

    player: Place
    spot: SpotKey
    bet: Chance
    stake: Worth
    colour: ChipColour
    prize: Worth

    def check(self, situation: Situation) -> None:
        check_colour_bet(situation, self.player, self.spot)

    def sorts(self, situation: Situation) -> set[str]:
        return {layout.chance(self.spot), self.bet}

    def narration(self) -> list[Sentence]:
        said = {"bet": self.bet, "stake": self.stake, "colour": self.colour, "prize": self.prize}
        return [("incident.payment_checked", {"player": self.player, **named(self.spot), **said})]


@rule(StepWanted, FRENCH)
def step_wanted(s: Situation, incident: StepWanted, r: Reasoning) -> None:
    act = explain_next(s, incident.done, r)
    good = incident.wants == act
    r.choice("allowed", "allowed" if good else "refused", critical=True)
    r.choice("settling_act", act, tempting=[] if good else [incident.wants])
    settle(r, s.result(), outcomes(r.book, s.bets, s.result()))


@rule(PaymentChecked, FRENCH)
def payment_checked(s: Situation, incident: PaymentChecked, r: Reasoning) -> None:
    number, chips = s.result(), s.colour_of(incident.player)
    mine = [bet for bet in s.on(incident.spot) if bet.player == incident.player]
    if not wins(r.book, incident.spot, number) or chips is None:
        raise ImpossibleFacts("incident.spot", "{name:spot}{at} has not won", **named(incident.spot))
    stake = sum(bet.amount for bet in mine)
    for one in outcomes(r.book, mine, number):
        explain_prize(r, one)
    right = {
        "bet": layout.chance(incident.spot),
        "stake": stake,
        "colour": chips.colour,
        "prize": prize_of(r.book, layout.chance(incident.spot), stake),
    }
    wrong = [part for part in PARTS if getattr(incident, part) != right[part]]
    for part in wrong:
        r.pivot("X 25", f"payment_{part}_wrong")
    if not wrong:
        r.pivot("X 25", "payment_all_right")
    r.choice("payment_fault", "several" if len(wrong) > 1 else wrong[0] if wrong else "none", critical=True)
    due = int(right["prize"])
    r.amount("bet_prize", due, tempting=[incident.prize, due + stake, stake, 2 * due])
    settle(r, number, outcomes(r.book, s.bets, number))


@case("faults", {FRENCH: ("X 22 s1",)})
def step_out_of_turn(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """The right step half of the time; otherwise another one, if hard the one that comes next after it."""
    facts, done = steps_done(draw, book, difficulty)
    shown = Situation(**facts, incident=Incident())
    right = explain_next(shown, done, Reasoning(book))
    idle = {"mark"} if done != "announced" else set()
    if not any(chips_on(shown, bet) > 1 for bet in winners(book, shown.bets, shown.result())):
        idle.add("spread")  # there is nothing to open
    wrong = [act for act in ACTS if act != right and act not in idle]
    wants = right if draw.chance(0.5) else draw.pick(wrong)
    return Situation(**facts, incident=StepWanted(done=done, wants=wants))  # type: ignore[arg-type]


def _said_wrongly(draw: Draw, book: Rulebook, said: dict[str, Any], faults: list[str]) -> dict[str, Any]:
    """The announcement with these parts wrong. A bet that is named wrongly keeps its own prize unless that is wrong."""
    found = dict(said)
    if "bet" in faults:
        found["bet"] = PAID_BESIDE[said["bet"]]
    if "stake" in faults:
        found["stake"] = said["stake"] * 2
    if "colour" in faults:
        found["colour"] = draw.pick([colour for colour in COLOURS if colour != said["colour"]])
    if "prize" in faults:
        other = prize_of(book, PAID_BESIDE[said["bet"]], said["stake"])
        found["prize"] = said["prize"] + said["stake"] if other == said["prize"] else other
    return found


@case("faults", {FRENCH: ("X 25",)})
def payment_said_wrongly(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """Easy: one part is wrong, or none. Hard: often two."""
    facts = paid_with_colours(draw, book, difficulty, CROWD[difficulty], any_number(draw, difficulty))
    bet = draw.pick(winners(book, facts["bets"], facts["number"]))
    colour = next(chips.colour for chips in facts["colours"] if chips.player == bet.player)
    said = {"bet": bet.chance, "stake": bet.amount, "colour": colour, "prize": prize_of(book, bet.chance, bet.amount)}
    count = draw.pick((0, 1, 1, 1, 1) if difficulty <= 2 else (0, 1, 1, 2))
    parts = _said_wrongly(draw, book, said, draw.sample(PARTS, count))
    return Situation(**facts, incident=PaymentChecked(player=bet.player, spot=bet.spot, **parts))
