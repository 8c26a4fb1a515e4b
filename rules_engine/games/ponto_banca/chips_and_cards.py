"""What the texts do not decide: a card found bent during a coup, and chips that two players claim.

1995: the packs are replaced by 3, the prize follows from 18 and 19. Macau: premios s2, deducoes.
"""

from typing import Literal

from rules_engine.authoring import ImpossibleFacts, Place, Reasoning, Rulebook, Sentence, Sum
from rules_engine.games.baccarat.draw import Draw
from rules_engine.games.baccarat.hands import lying
from rules_engine.games.ponto_banca.books import ALL, PB, TEXTS_1995, same
from rules_engine.games.ponto_banca.game import case, rule
from rules_engine.games.ponto_banca.outcome import (
    Played,
    compare_scores,
    deduction,
    due,
    explain_draws,
    finish,
    gross,
    play_out,
    prize,
    refuse_against_table,
)
from rules_engine.games.ponto_banca.payout import EXTRA, check_over
from rules_engine.games.ponto_banca.setting import cards, closed, ending, in_order
from rules_engine.games.ponto_banca.table import Bet, Incident, Side, Situation

Where = Literal["shoe", "ponto", "banker"]
Seen = Literal["nobody", "dealer", "recording"]
SEEN: tuple[Seen, ...] = ("nobody", "dealer", "recording")
AFTER = 4  # cards of the shoe that are known besides those of the coup


class BentCard(Incident, frozen=True, tag="bent_card"):
    """With the bets closed, a card is found to be bent: the next one of the shoe, or one of a side."""

    where: Where

    def check(self, situation: Situation) -> None:
        lie = {"shoe": situation.next, "ponto": situation.ponto, "banker": situation.banker_cards}[self.where]
        if not lie:
            raise ImpossibleFacts("incident.where", "there is no card")

    def narrated(self, situation: Situation) -> list[Sentence]:
        out = len(situation.ponto) + len(situation.banker_cards)
        when = "begun" if out else "before"
        return [(f"incident.bent_{when}", {}), (f"incident.bent_{self.where}", {})]

    def sorts(self, situation: Situation) -> set[str]:
        return {self.where, f"{len(situation.ponto) + len(situation.banker_cards)} out", situation.table}


class ClaimedBet(Incident, frozen=True, tag="claimed_bet"):
    """Chips in the field before a player are claimed by him and by a rival; the coup is over. `put_by` is whom the
    dealer or the recording saw put them there."""

    player: Place
    on: Side
    amount: Sum
    rival: Place
    seen: Seen
    put_by: Place | None = None

    def check(self, situation: Situation) -> None:
        check_over(situation)
        for fact, place in (("player", self.player), ("rival", self.rival)):
            if place not in map(str, situation.seats):
                raise ImpossibleFacts(f"incident.{fact}", "nobody is at {place}", place=place)
        if self.player == self.rival:
            raise ImpossibleFacts("incident.rival", "two different players claim the chips")
        if self.put_by not in ((None,) if self.seen == "nobody" else (self.player, self.rival)):
            raise ImpossibleFacts("incident.put_by", "one of the two was seen, or nobody")
        if Played(situation.ponto, situation.banker_cards, ()).winner != self.on:
            raise ImpossibleFacts("incident.on", "the chips must have won")

    def narration(self) -> list[Sentence]:
        values = {"player": self.player, "rival": self.rival, "on": self.on, "amount": self.amount}
        return [
            ("incident.claimed_bet", values),
            (f"incident.claim_seen_{self.seen}", {"put_by": self.put_by}),
        ]

    def sorts(self, situation: Situation) -> set[str]:
        mine = "put by the field" if self.put_by == self.player else "put by the rival"
        return {self.on, self.seen} | ({mine} if self.put_by else set())


@rule(BentCard, *TEXTS_1995)
def bent_card(s: Situation, incident: BentCard, r: Reasoning) -> None:
    packs = int(r.book.param("packs")[s.table])
    r.step("3", "replace_all", count=packs)
    r.number("packs_replaced", packs)
    out = (*s.ponto, *s.banker_cards)
    over = bool(out) and due(r.book, s.ponto, s.banker_cards) is None
    if not out or (not over and r.procedure == "void"):
        r.pivot("bent_card", "bent_void" if out else "bent_before")
        r.choice("coup", "annulled", critical=True)
        r.choice("winner", "nobody", critical=True)
        r.after(lying(burned=out, shoe=s.next))
        return
    played = play_out(r.book, s.next, ponto=s.ponto, banker=s.banker_cards)
    r.pivot("bent_card", "bent_over" if over else "bent_finish")
    r.choice("coup", "stands", critical=True)
    # Whether a card is still to come is for the drawing table to say.
    explain_draws(r, played)
    lie = Played(s.ponto, s.banker_cards, ()).winner
    finish(s, r, played, tempting=(lie,) if len(out) >= AFTER else ())


@rule(ClaimedBet, *ALL)
def claimed_bet(s: Situation, incident: ClaimedBet, r: Reasoning) -> None:
    refuse_against_table(r.book, s.ponto, s.banker_cards)
    played = Played(s.ponto, s.banker_cards, s.next)
    proof = "dealer" if r.procedure == "dealer_saw" else "recording"
    owner = incident.put_by if incident.seen == proof and incident.put_by else incident.player
    text = f"claim_by_{proof}" if incident.seen == proof else f"claim_without_{proof}"
    r.pivot("claimed_bet", text, by=owner)
    r.player("owner", owner, tempting=[incident.player, incident.rival], critical=True)
    bet = Bet(owner, incident.on, incident.amount)
    compare_scores(r, played)
    r.pivot(same(r.book, "18", "premios s2"), "even_money", winner=played.winner)
    whole = gross(r.book, bet)
    kept = deduction(r.book, whole)
    if played.winner == "banker":
        percent = r.book.number("deduction_percent")
        r.pivot(same(r.book, "19", "deducoes"), "deduction", percent=percent, amount=kept)
    r.amount("bet_prize", prize(r.book, bet, played), tempting=[whole, whole - kept, 2 * whole, 0], critical=True)
    r.after(lying(ponto=played.ponto, banker=played.banker, shoe=played.left))


@case("procedures", dict.fromkeys(ALL, "claimed_bet"))
def chips_claimed(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """Harder: more bets, third cards."""
    facts = closed(draw, book, difficulty)
    player, rival = (str(seat) for seat in draw.sample(facts["seats"], 2))
    on: Side = draw.pick(("ponto", "banker"))
    bets = tuple(bet for bet in facts["bets"] if bet.player not in (player, rival))
    seen = draw.pick(SEEN)
    put_by = None if seen == "nobody" else draw.pick((player, rival, rival))
    amount = facts["minimum"] * draw.number(1, 9)
    incident = ClaimedBet(player=player, on=on, amount=amount, rival=rival, seen=seen, put_by=put_by)
    way = ending(draw, book, extra=EXTRA[difficulty], winner=on)
    return Situation(**facts | {"bets": bets}, **cards(draw, way), incident=incident)


@case("procedures", {PB: "bent_card"})
def card_found_bent(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """Before the first card, during the coup, or when it is over. Harder: where a third card is due."""
    facts = closed(draw, book, difficulty)
    hands = cards(draw, ending(draw, book, extra=(0, 1) if difficulty <= 2 else (1, 2)))
    row = in_order(hands["ponto"], hands["banker_cards"])
    begun = draw.number(1, 3) if difficulty <= 2 else draw.pick((3, 4, len(row) - 1))
    out = draw.pick((0, begun, begun, len(row)) if difficulty <= 3 else (0, begun, len(row), len(row)))
    given = play_out(book, row).sides[:out]
    dealt = {side: tuple(card for card, to in zip(row, given, strict=False) if to == side) for side in given}
    ponto, banker = dealt.get("ponto", ()), dealt.get("banker", ())
    lie: dict[Where, tuple[str, ...]] = {"shoe": row, "ponto": ponto, "banker": banker}
    rest = (*row[out:], *(draw.card() for _ in range(AFTER)))
    incident = BentCard(where=draw.pick([where for where, there in lie.items() if there]))
    return Situation(**facts, ponto=ponto, banker_cards=banker, next=rest, incident=incident)
