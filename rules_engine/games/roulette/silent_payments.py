"""What the law does not say about a payment that was wrong: until when it is set right. What was due is law: X 20."""

from typing import Literal

from rules_engine.authoring import (
    After,
    Draw,
    ImpossibleFacts,
    Payment,
    Place,
    Reasoning,
    Rulebook,
    Sentence,
    SpotKey,
    Sum,
)
from rules_engine.games.layout_bets.setting import Crowd
from rules_engine.games.roulette.books import FRENCH
from rules_engine.games.roulette.game import case, domain, rule
from rules_engine.games.roulette.layout import named
from rules_engine.games.roulette.paying import PAID_BESIDE
from rules_engine.games.roulette.setting import any_number, picture
from rules_engine.games.roulette.settlement import explain_prize, outcomes, prize_of, uncollected, winners, wins
from rules_engine.games.roulette.table import Bet, Incident, Situation

# Where the overpaid chips are, and how far the next spin has come.
Found = Literal["on_cloth", "taken", "betting", "closed"]
FOUND: tuple[Found, ...] = ("on_cloth", "on_cloth", "taken", "betting", "closed")
IN_TIME: dict[str, tuple[Found, ...]] = {"until_taken": ("on_cloth",), "until_closed": ("on_cloth", "taken", "betting")}

domain("correction", "take_back", "pay_more", "leave")


class PaymentMistaken(Incident, frozen=True, kw_only=True, tag="payment_mistaken"):
    """A player was `paid` this sum for the bet on a spot, and somebody says that it was wrong."""

    player: Place
    spot: SpotKey
    paid: Sum
    found: Found

    def check(self, situation: Situation) -> None:
        situation.result()
        situation.check_bet(self.player, self.spot)

    def left_lying(self, situation: Situation) -> tuple[Bet, ...]:
        return uncollected(situation)

    def sorts(self, situation: Situation) -> set[str]:
        return {self.found}

    def narration(self) -> list[Sentence]:
        values = {"player": self.player, "paid": self.paid, **named(self.spot)}
        return [("incident.payment_mistaken", values), (f"incident.mistake_{self.found}", values)]


@rule(PaymentMistaken, FRENCH)
def payment_mistaken(s: Situation, incident: PaymentMistaken, r: Reasoning) -> None:
    number = s.result()
    if not wins(r.book, incident.spot, number):
        raise ImpossibleFacts("incident.spot", "{name:spot}{at} has not won", **named(incident.spot))
    mine = outcomes(r.book, [bet for bet in s.on(incident.spot) if bet.player == incident.player], number)
    for one in mine:
        explain_prize(r, one)
    due, stake = sum(one.prize for one in mine), sum(one.bet.amount for one in mine)
    more = incident.paid - due
    late = incident.found not in IN_TIME[r.procedure]
    if more > 0:
        r.pivot("payment_mistaken", "mistake_late" if late else "mistake_in_time", more=more)
    else:
        r.pivot("payment_mistaken", "mistake_not_over")
        r.pivot("X 20 s0", "mistake_owed" if more else "mistake_none", less=-more)
    act = "pay_more" if more < 0 else "take_back" if more > 0 and not late else "leave"
    r.choice("correction", act, critical=True)
    r.amount("corrected_by", abs(more) if act != "leave" else 0, tempting=[abs(more), due, incident.paid, stake, 0])
    moved = Payment("house", incident.player, -more) if more < 0 else Payment(incident.player, "house", more)
    r.after(After(payments=(moved,) if act != "leave" else (), marks={"marker": str(number)}))


def _wrong_sums(book: Rulebook, bet: Bet, due: int) -> list[int]:
    """Sums that a dealer pays by mistake: another bet's, with the stake, twice, or with a chip forgotten."""
    beside = prize_of(book, PAID_BESIDE[bet.chance], bet.amount)
    forgotten = prize_of(book, bet.chance, bet.amount) * (bet.count - 1) // bet.count
    return [beside, due + bet.amount, 2 * due, forgotten]


@case("procedures", {FRENCH: ("payment_mistaken",)})
def paid_wrongly(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """Mostly too much; sometimes too little, or right after all."""
    number = any_number(draw, difficulty)
    crowd = Crowd((1, max(1, difficulty - 1)), (1, max(1, difficulty - 1)), (0, 1), (1, 2 * difficulty))
    facts = picture(draw, book, difficulty, number=number, crowd=crowd)
    bet = draw.pick(winners(book, facts["bets"], number))
    facts["bets"] = tuple(b for b in facts["bets"] if b == bet or (b.player, b.spot) != (bet.player, bet.spot))
    due = prize_of(book, bet.chance, bet.amount)
    payable = [one for one in _wrong_sums(book, bet, due) if one > 0 and not one % book.table.values[-1]]
    wanted = draw.pick((1, 1, 1, -1, 0))
    sums = [one for one in payable if (one > due) - (one < due) == wanted] or [due]
    incident = PaymentMistaken(player=bet.player, spot=bet.spot, paid=draw.pick(sums), found=draw.pick(FOUND))
    return Situation(**facts, incident=incident)
