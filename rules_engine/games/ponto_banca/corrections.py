"""What the texts do not decide: a prize paid wrongly, and a wrong result announced.

What should have been paid and who won follow from 16 to 19 (1995), premios and deducoes (Macau). Whether it is still
put right is for the house to decide.
"""

from typing import Literal

from rules_engine.authoring import ImpossibleFacts, Place, Reasoning, Rulebook, Sentence, Sum, variant
from rules_engine.games.baccarat.draw import Draw
from rules_engine.games.baccarat.hands import lying
from rules_engine.games.ponto_banca.books import ALL, same
from rules_engine.games.ponto_banca.game import case_table, domain, rule
from rules_engine.games.ponto_banca.outcome import (
    WHOLE,
    Played,
    Winner,
    compare_scores,
    deduction,
    gross,
    paid,
    prize,
    refuse_against_table,
)
from rules_engine.games.ponto_banca.payout import EXTRA, check_over
from rules_engine.games.ponto_banca.setting import cards, closed, ending, side_bets, table
from rules_engine.games.ponto_banca.table import OTHER, PAIRS, SIDES, Bet, Incident, Side, Situation

Found = Literal["chips_lying", "next_bets", "next_card"]
Done = Literal["announced", "collected", "paid"]
Kept = Literal["lying", "used", "mixed"]
FOUND: tuple[Found, ...] = ("chips_lying", "next_bets", "next_card")
RESULTS: tuple[Winner, ...] = ("ponto", "banker", "tie")
DEALT = tuple(f"{side}.{number}" for side in SIDES for number in (1, 2, 3))

domain("correction", "taken_back", "paid_after", "stands")


class CommissionError(Incident, frozen=True, tag="commission_error"):
    """A player was paid this sum on the coup that lies there; a doubt comes up when the prize still lies beside the
    bet, when the next bets are made, or when the first card of the next coup is out."""

    player: Place
    paid: Sum
    found: Found
    recorded: bool = False

    def check(self, situation: Situation) -> None:
        check_over(situation)
        mine = [bet.on for bet in situation.bets if bet.player == self.player]
        if len(mine) != 1 or mine[0] not in SIDES:
            raise ImpossibleFacts(
                "incident.player", "{player:player} must have one bet, on ponto or on the bank", player=self.player
            )
        if Played(situation.ponto, situation.banker_cards, ()).winner != mine[0]:
            raise ImpossibleFacts("incident.player", "{player:player} has won nothing", player=self.player)

    def narration(self) -> list[Sentence]:
        seen = "recorded" if self.recorded else "unrecorded"
        return [
            ("incident.commission_paid", {"player": self.player, "paid": self.paid}),
            (f"incident.commission_{self.found}", {}),
            (f"incident.payment_{seen}", {}),
        ]

    def sorts(self, situation: Situation) -> set[str]:
        on = {bet.on for bet in situation.bets if bet.player == self.player}
        return on | {self.found, "recorded" if self.recorded else "not recorded"}


class WrongResult(Incident, frozen=True, tag="wrong_result"):
    """The dealer announced this result, and a player says that it is wrong. `done` is the last thing the dealer did,
    `cards` where the cards of the coup are: still in their hands, taken out of the used cards and laid there again, or
    mixed with those, and then nobody knows any more what they were."""

    announced: Winner
    done: Done
    cards: Kept

    def check(self, situation: Situation) -> None:
        check_over(situation)
        if not situation.bets or any(bet.on in PAIRS for bet in situation.bets):
            raise ImpossibleFacts("bets", "there must be bets, and none on a pair")

    def narration(self) -> list[Sentence]:
        return [
            ("incident.wrong_result", {"announced": self.announced}),
            (f"incident.result_{self.done}", {}),
            (f"incident.result_cards_{self.cards}", {}),
        ]

    def elsewhere(self) -> dict[str, str]:
        return dict.fromkeys(DEALT, "used") if self.cards == "mixed" else {}

    def sorts(self, situation: Situation) -> set[str]:
        return {f"said {self.announced}", self.done, self.cards}


@rule(CommissionError, *ALL)
def commission_error(s: Situation, incident: CommissionError, r: Reasoning) -> None:
    refuse_against_table(r.book, s.ponto, s.banker_cards)
    played = Played(s.ponto, s.banker_cards, s.next)
    mine = next(bet for bet in s.bets if bet.player == incident.player)
    right, whole = prize(r.book, mine, played), gross(r.book, mine)
    compare_scores(r, played)
    r.pivot(same(r.book, "18", "premios s2"), "even_money", winner=played.winner)
    kept = deduction(r.book, whole)
    cite, percent = same(r.book, "19", "deducoes"), r.book.number("deduction_percent")
    if played.winner == "banker":
        r.pivot(cite, "deduction", percent=percent, amount=kept)
    else:
        r.pivot(cite, "no_deduction", percent=percent)
    r.amount("due", right, tempting=[whole, whole - kept, whole - 2 * kept, incident.paid], critical=True)
    r.choice("correction", _corrected(incident, r, right), critical=True, tempting=["taken_back", "paid_after"])
    r.after(lying(ponto=played.ponto, banker=played.banker, shoe=played.left))


def _corrected(incident: CommissionError, r: Reasoning, right: int) -> str:
    """What becomes of a difference, by the procedure of the house."""
    off = incident.paid - right
    if not off:
        r.pivot("commission_error", "paid_right")
        return "stands"
    open_still = (
        incident.found != "next_card"
        if r.procedure == "until_next_card"
        else incident.recorded or incident.found == "chips_lying"
    )
    lies = r.procedure == "if_recorded" and incident.found == "chips_lying"
    text = "corrected_lying" if lies else "corrected" if open_still else "stands"
    r.pivot("commission_error", f"{r.procedure}_{text}", amount=abs(off))
    if not open_still:
        return "stands"
    return "taken_back" if off > 0 else "paid_after"


@rule(WrongResult, *ALL)
def wrong_result(s: Situation, incident: WrongResult, r: Reasoning) -> None:
    played = Played(s.ponto, s.banker_cards, s.next)
    known = incident.cards != "mixed"
    if known:
        refuse_against_table(r.book, s.ponto, s.banker_cards)
        compare_scores(r, played, pivot=True)
    by_cards = known and (r.procedure == "cards_count" or incident.done != "paid")
    right = known and played.winner == incident.announced
    if right:
        r.pivot("wrong_result", "announced_right", announced=incident.announced)
    else:
        why = "cards_unknown" if not known else "cards_decide" if by_cards else "paid_stands"
        r.pivot("wrong_result", why, announced=incident.announced)
    winner = played.winner if by_cards else incident.announced
    r.choice("winner", winner, critical=True, tempting=[incident.announced, *([played.winner] if known else [])])
    results = [(bet, _won(r.book, bet, winner)) for bet in s.bets]
    _explain(s, r, winner)
    for place in dict.fromkeys(bet.player for bet in s.bets):
        _decide_prize(s, r, place, winner, played if known else None, incident.announced)
    burned = () if known else (*s.ponto, *s.banker_cards)
    hands = {"ponto": s.ponto, "banker": s.banker_cards} if known else {}
    r.after(lying(**hands, burned=burned, shoe=s.next, payments=paid(results)))


def _won(book: Rulebook, bet: Bet, winner: str) -> int:
    """What a bet on a side or the tie wins or loses with a result, whatever the cards were."""
    if bet.on == winner:
        won = gross(book, bet)
        return won - (deduction(book, won) if winner == "banker" else 0)
    return 0 if winner == "tie" and bet.on in SIDES else -bet.amount


def _explain(s: Situation, r: Reasoning, winner: str) -> None:
    won = sum(bet.amount for bet in s.bets if bet.on == winner)
    if winner == "tie":
        r.step(same(r.book, "17 s2", "premios s4"), "bets_stay")
    if not won:
        return
    if winner == "tie":
        pays = r.book.param("payouts")["tie"]
        amount = sum(gross(r.book, bet) for bet in s.bets if bet.on == "tie")
        r.pivot(same(r.book, "17 s1", "premios s3"), "tie_pays", pays=pays, amount=amount)
        return
    r.pivot(same(r.book, "18", "premios s2"), "even_money", winner=winner)
    if winner == "banker":
        percent = r.book.number("deduction_percent")
        r.pivot(same(r.book, "19", "deducoes"), "deduction", percent=percent, amount=deduction(r.book, won))


def _decide_prize(s: Situation, r: Reasoning, place: str, winner: str, played: Played | None, announced: str) -> None:
    mine = [bet for bet in s.bets if bet.player == place]

    def earned(result: str) -> int:
        return sum(max(0, _won(r.book, bet, result)) for bet in mine)

    stake = sum(bet.amount for bet in mine)
    wrong = [earned(announced), *([earned(played.winner)] if played else []), stake, earned("banker"), 0, 2 * stake]
    r.amount(f"prize.{place}", earned(winner), tempting=wrong, critical=True)


@case_table(
    "procedures",
    variant("commission_not_taken", dict.fromkeys(ALL, "commission_error"), on="banker", off=(0,)),
    variant("commission_taken_twice", dict.fromkeys(ALL, "commission_error"), on="banker", off=(1, 2)),
    variant("commission_on_ponto", dict.fromkeys(ALL, "commission_error"), on="ponto", off=(0, 1, 1)),
)
def _commission(draw: Draw, book: Rulebook, difficulty: int, on: Side, off: tuple[int, ...]) -> Situation:
    """A prize less so many deductions. Harder: more bets, and a coup with third cards."""
    facts = closed(draw, book, difficulty)
    bet = draw.pick([bet for bet in facts["bets"] if bet.on == on])
    share = WHOLE - draw.pick(off) * book.number("deduction_percent")
    incident = CommissionError(
        player=bet.player,
        paid=bet.amount * share // WHOLE,
        found=draw.pick(FOUND),
        recorded=draw.chance(0.5),
    )
    way = ending(draw, book, extra=EXTRA[difficulty], winner=on)
    return Situation(**facts, **cards(draw, way), incident=incident)


@case_table(
    "procedures",
    variant("result_announced_wrongly", dict.fromkeys(ALL, "wrong_result"), kept=("lying", "lying", "used")),
    variant("result_after_the_cards_are_gone", dict.fromkeys(ALL, "wrong_result"), kept=("mixed", "used", "used")),
)
def _result(draw: Draw, book: Rulebook, difficulty: int, kept: tuple[Kept, ...]) -> Situation:
    """Now and then the announcement was right. Harder: third cards, and bets on the tie."""
    facts = table(draw, book, difficulty)
    bets = side_bets(draw, facts)[: 1 + difficulty]
    way = ending(draw, book, extra=EXTRA[difficulty], winner=draw.pick(("ponto", "banker", "ponto", "banker", "tie")))
    wrong: Winner = OTHER[way.winner] if way.winner in OTHER and draw.chance(0.7) else draw.pick(RESULTS)
    done: Done = "announced" if wrong == "tie" else draw.pick(DONE)  # of these bets none wins or loses by a tie
    incident = WrongResult(announced=wrong, done=done, cards=draw.pick(kept))
    hands = cards(draw, way)
    hidden = tuple(
        f"{side}.{number}"
        for side, hand in zip(SIDES, (hands["ponto"], hands["banker_cards"]), strict=True)
        for number in range(1, len(hand) + 1)
        if incident.cards == "mixed"
    )
    return Situation(**facts, bets=bets, **hands, hidden=hidden, incident=incident)


DONE: tuple[Done, ...] = ("announced", "collected", "paid", "paid")
