"""Collecting and paying: what comes first, how prizes are handed over, and what is announced.

X 17, X 22 s1, X 23, X 25. `payment_order` has the order in which prizes are paid.
"""

from typing import Any, ClassVar, Literal

from msgspec.structs import replace

from rules_engine.authoring import Draw, ImpossibleFacts, Place, Reasoning, Rulebook, Sentence, SpotKey, Utterance
from rules_engine.games.layout_bets.incidents import BetsDecided
from rules_engine.games.layout_bets.setting import Crowd
from rules_engine.games.roulette import layout
from rules_engine.games.roulette.books import BOOKS, FRENCH
from rules_engine.games.roulette.game import case, domain, rule
from rules_engine.games.roulette.layout import named
from rules_engine.games.roulette.setting import CROWDS, any_number, coloured, fitted, in_order, picture
from rules_engine.games.roulette.settlement import explain_prize, outcomes, prize_of, settle, uncollected, winners, wins
from rules_engine.games.roulette.table import Bet, Incident, Situation

Done = Literal["announced", "marked", "collected", "spread"]
# These have several words, which do not fit a slot: each has its own formula.
OWN_WORDS = ("dozens", "columns")
# The chance that each chance is taken for.
PAID_BESIDE = {"straight": "split", "split": "straight", "street": "corner", "corner": "street", "line": "dozen"} | {
    "dozen": "column", "column": "dozen", "dozens": "columns", "columns": "dozens", "red": "black", "black": "red",
    "even": "odd", "odd": "even", "low": "high", "high": "low",
}  # fmt: skip
How = Literal["fita", "stack", "handful", "in_hand"]
domain("settling_act", "mark", "collect", "spread", "pay", "next_spin")
# What a dealer in a hurry would do instead.
SKIPPED = {"mark": "collect", "collect": "pay", "spread": "pay", "pay": "spread", "next_spin": "pay"}


class Settling(BetsDecided, Incident, frozen=True, tag="settling"):
    """The number came out. `done` is the last step the dealer has finished."""

    done: Done

    def number_marked(self) -> bool:
        return self.done != "announced"

    def left_lying(self, situation: Situation) -> tuple[Bet, ...]:
        return uncollected(situation) if self.done in ("collected", "spread") else situation.bets

    def narration(self) -> list[Sentence]:
        return [(f"incident.settling_{self.done}", {})]


class PrizeHandedOver(Incident, frozen=True, tag="prize_handed_over"):
    """The dealer is about to hand over a prize in this way."""

    player: Place
    how: How

    def check(self, situation: Situation) -> None:
        situation.result()
        situation.check_player(self.player)

    def left_lying(self, situation: Situation) -> tuple[Bet, ...]:
        return uncollected(situation)

    def narration(self) -> list[Sentence]:
        return [(f"incident.prize_handed_over_{self.how}", {"player": self.player})]


def check_colour_bet(situation: Situation, player: str, spot: str) -> None:
    """Raises ImpossibleFacts unless the number is out and the player has a bet there in chips of a known colour."""
    situation.result()
    situation.check_bet(player, spot)
    if situation.colour_of(player) is None:
        raise ImpossibleFacts("colours", "the colour of the chips of {player:player} is not known", player=player)


class PaymentToAnnounce(Incident, frozen=True, tag="payment_to_announce"):
    """The dealer pays one bet of a player and announces the payment."""

    announced: ClassVar = "question.announcement_payment"

    player: Place
    spot: SpotKey

    def check(self, situation: Situation) -> None:
        check_colour_bet(situation, self.player, self.spot)

    def sayable(self, situation: Situation) -> list[Utterance]:
        """The payments of two bets with two stakes each. Every one of them agrees with itself."""
        chips, own = situation.colour_of(self.player), layout.chance(self.spot)
        mine = [bet for bet in situation.on(self.spot) if bet.player == self.player]
        if chips is None or not mine:
            return []
        stake = mine[0].amount
        stakes = (stake, 2 * stake if mine[0].count % 2 else stake // 2)
        chances = (own, PAID_BESIDE.get(own, "straight"))
        return [_payment(BOOKS[0], chance, one, chips.colour) for chance in chances for one in stakes]

    def narration(self) -> list[Sentence]:
        return [("incident.payment_to_announce", {"player": self.player, **named(self.spot)})]


@rule(Settling, FRENCH)
def settling(s: Situation, incident: Settling, r: Reasoning) -> None:
    act = explain_next(s, incident.done, r)
    r.choice("settling_act", act, tempting=[SKIPPED[act]])
    settle(r, s.result(), outcomes(r.book, s.bets, s.result()))


def explain_next(s: Situation, done: Done, r: Reasoning) -> str:
    """Cite and return what the dealer does after this step."""
    number = s.result()
    won = winners(r.book, s.bets, number)
    lost = len(won) < len(s.bets)
    stacked = any(chips_on(s, bet) > 1 for bet in won)
    if done == "collected" and not lost:
        raise ImpossibleFacts("incident.done", "there was nothing to collect")
    if done == "spread" and not stacked:
        raise ImpossibleFacts("incident.done", "there was nothing to spread")
    if done == "announced":
        r.pivot("X 17", "mark_now", number=number)
        return "mark"
    if done == "marked" and lost:
        return _act(r, "collect", "collect_first")
    if done != "spread" and stacked:
        return _act(r, "spread", "spread_now")
    return _act(r, "pay", "pay_now") if won else _act(r, "next_spin", "nothing_to_pay")


def _act(r: Reasoning, act: str, text: str) -> str:
    r.pivot("X 22 s1", text)
    return act


def chips_on(s: Situation, bet: Bet) -> int:
    """How many chips of any value a player has on the spot of a bet."""
    return sum(other.count for other in s.on(bet.spot) if other.player == bet.player)


@rule(PrizeHandedOver, FRENCH)
def prize_handed_over(s: Situation, incident: PrizeHandedOver, r: Reasoning) -> None:
    number = s.result()
    if not winners(r.book, s.bets_of(incident.player), number):
        raise ImpossibleFacts("incident.player", "{player:player} has won nothing", player=incident.player)
    right = incident.how == "fita"
    r.pivot("X 23", "by_fita" if right else "not_by_fita")
    r.choice("allowed", "allowed" if right else "refused")
    settle(r, number, outcomes(r.book, s.bets, number))


@rule(PaymentToAnnounce, FRENCH)
def payment_to_announce(s: Situation, incident: PaymentToAnnounce, r: Reasoning) -> None:
    number, chips = s.result(), s.colour_of(incident.player)
    bets = [bet for bet in s.on(incident.spot) if bet.player == incident.player]
    if not wins(r.book, incident.spot, number) or chips is None:
        raise ImpossibleFacts("incident.spot", "{name:spot}{at} has not won", **named(incident.spot))
    if [bet.value for bet in bets] != [chips.value]:
        raise ImpossibleFacts(
            "colours", "the chips on {name:spot}{at} are not all of one colour", **named(incident.spot)
        )
    for one in outcomes(r.book, bets, number):
        explain_prize(r, one)
    r.pivot("X 25", "announce_payment", by=incident.player)
    right = _payment(r.book, bets[0].chance, bets[0].amount, chips.colour)
    r.words(right, tempting=s.likely("announcement"))
    settle(r, number, outcomes(r.book, s.bets, number))


def _payment(book: Rulebook, chance: str, stake: int, colour: str) -> Utterance:
    said = {"colour": book.text(f"spoken.{colour}", book.language)}
    bet = {} if chance in OWN_WORDS else {"bet": book.text(f"spoken.{chance}", book.language)}
    slots: dict[str, int | str] = {**bet, "stake": stake, **said, "prize": prize_of(book, chance, stake)}
    return Utterance(f"payment_{chance}" if chance in OWN_WORDS else "payment", slots)


@case("paying", {FRENCH: ("X 17",)})
def just_announced(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    number = any_number(draw, difficulty)
    facts = picture(draw, book, difficulty, number=number)
    return Situation(**facts, incident=Settling(done="announced"))


@case("paying", {FRENCH: ("X 22 s1",)})
def between_collecting_and_paying(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    facts, done = steps_done(draw, book, difficulty)
    return Situation(**facts, incident=Settling(done=done))


def steps_done(draw: Draw, book: Rulebook, difficulty: int) -> tuple[dict[str, Any], Done]:
    """A table after the number is marked, and the last step. Easy: some bets lost, some are stacked. Harder: one of the
    steps may not be needed."""
    number = any_number(draw, difficulty)
    facts = picture(draw, book, max(2, difficulty), number=number, crowd=CROWDS[min(difficulty + 1, 4)])
    if draw.chance(0.3):
        single = {(bet.player, bet.spot): fitted(book, replace(bet, count=1)) for bet in facts["bets"]}
        facts["bets"] = tuple(single.values())
    if draw.chance(0.15) and difficulty >= 2:
        facts["bets"] = tuple(b for b in facts["bets"] if not wins(book, b.spot, number)) or facts["bets"]
    done: list[Done] = ["marked"]
    won = winners(book, facts["bets"], number)
    if len(won) < len(facts["bets"]):
        done += ["collected", "collected"]
    counts: dict[tuple[str, str], int] = {}
    for bet in won:
        counts[bet.player, bet.spot] = counts.get((bet.player, bet.spot), 0) + bet.count
    if any(count > 1 for count in counts.values()):
        done.append("spread")
    return facts, draw.pick(done)


@case("paying", {FRENCH: ("X 23",)})
def prize_by_fita_or_not(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    number = any_number(draw, difficulty)
    facts = picture(draw, book, difficulty, number=number)
    others: tuple[How, ...] = ("stack", "handful", "in_hand")
    how = "fita" if draw.chance(0.5) else draw.pick(others)
    player = draw.pick(winners(book, facts["bets"], number)).player
    return Situation(**facts, incident=PrizeHandedOver(player=player, how=how))


@case("paying", {FRENCH: ("X 25",)})
def payment_said(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """Easy: one bet of few chips. Hard: any chance, among others of the same player."""
    crowd = Crowd((1, 2), (1, difficulty), (0, 1), (1, 2 * difficulty))
    facts = paid_with_colours(draw, book, difficulty, crowd, any_number(draw, difficulty))
    bet = draw.pick(winners(book, facts["bets"], facts["number"]))
    return Situation(**facts, incident=PaymentToAnnounce(player=bet.player, spot=bet.spot))


def paid_with_colours(draw: Draw, book: Rulebook, difficulty: int, crowd: Crowd, number: int) -> dict[str, Any]:
    """A table after a number, where every player with bets has a colour and only chips of it."""
    facts = picture(draw, book, difficulty, number=number, crowd=crowd)
    players = sorted({bet.player for bet in facts["bets"]})
    facts["colours"] = facts.get("colours") or coloured(draw, facts, players)
    worth = {chips.player: chips.value for chips in facts["colours"]}
    bets = {(bet.player, bet.spot): fitted(book, bet, value=worth[bet.player]) for bet in facts["bets"]}
    return facts | {"bets": in_order(bets.values())}
