"""A sole bancô with others: shares accepted after the call, stakes respected before it, and how the ponto must then
play.

Sanremo 44, 45 (s1, s2) and 46, with 113 s2 on the free five.
"""

from typing import Annotated

from msgspec import Meta

from rules_engine.authoring import ImpossibleFacts, NotRegulated, Reasoning, Rulebook, Sentence, one_of, variant
from rules_engine.games.baccarat.draw import Draw
from rules_engine.games.chemin_de_fer.books import SANREMO
from rules_engine.games.chemin_de_fer.game import case, case_table, domain, rule
from rules_engine.games.chemin_de_fer.setting import pontos
from rules_engine.games.chemin_de_fer.stakes.cover import Facts, check_ponto, stakes, table
from rules_engine.games.chemin_de_fer.table import Call, Incident, Place, Situation, Stake, Sum

domain("plays_as", "alone", "with_others")


class BancoInCompany(Incident, frozen=True, kw_only=True, tag="banco_in_company"):
    """The player who asked for the whole bank took `shares` offered to him afterwards, or declared that he respects the
    stakes already on the table. Then, with `held` on two cards, he asked for a card (`drew`) or stood."""

    shares: tuple[Stake, ...] = ()
    respects: bool = False
    held: Annotated[int, Meta(ge=0, le=7)]
    drew: bool

    def check(self, situation: Situation) -> None:
        _check_banco(situation)
        others = [stake for stake in situation.stakes if stake.player != situation.holder]
        if self.respects == bool(self.shares):
            raise ImpossibleFacts("incident.shares", "he either respects stakes already down or takes shares later")
        if self.respects and not others:
            raise ImpossibleFacts("stakes", "there are no stakes to respect")
        for share in self.shares:
            check_ponto(situation, "shares", share.player)
        if not self.held and not self.drew:
            raise ImpossibleFacts("incident.drew", "nobody stands on baccara")

    def narration(self) -> list[Sentence]:
        told: list[Sentence] = []
        if self.respects:
            told.append(("incident.respects_stakes", {}))
        told += [("incident.share_taken", {"player": share.player, "amount": share.amount}) for share in self.shares]
        return [*told, (f"incident.with_{'drew' if self.drew else 'stood'}", {"held": self.held})]


def _check_banco(s: Situation) -> None:
    if s.claim != "banco" or s.holder is None:
        raise ImpossibleFacts("claim", "nobody has asked for the whole bank")


def _false_draw(book: Rulebook, held: int, drew: bool) -> bool:
    """Whether a ponto playing with others' money would have had to do the opposite."""
    duty = str(book.param("ponto_table_with_third_parties"))[held]
    return (duty == "T" and not drew) or (duty == "F" and drew)


@rule(BancoInCompany, SANREMO)
def banco_in_company(s: Situation, incident: BancoInCompany, r: Reasoning) -> None:
    holder = str(s.holder)
    others = sum(stake.amount for stake in s.stakes if stake.player != holder)
    shared = sum(share.amount for share in incident.shares)
    false = _false_draw(r.book, incident.held, incident.drew)
    if incident.respects:
        owes, restored = s.bank - others, false
        text = "stakes.respects_so_restored" if false else "stakes.respects_no_false_draw"
        r.pivot("46", text, holder=holder, held=incident.held)
    else:
        if shared > s.bank // r.book.number("shared_banco_divisor"):
            raise NotRegulated("art. 45: the shares pass half the bank and should not have been accepted")
        owes, restored = s.bank, False
        r.pivot("44", "stakes.shares_leave_him_alone", holder=holder, bank=s.bank)
    r.choice("plays_as", "with_others" if incident.respects else "alone", critical=True)
    wrong = [s.bank, s.bank - others, s.bank - shared, shared or others]
    r.amount("owes_bank", owes, tempting=wrong, critical=True)
    r.choice("coup", "restored" if restored else "stands", critical=True)


class ShareOffered(Incident, frozen=True, kw_only=True, tag="share_offered"):
    """Somebody offers the bancô player, unasked, a share of `amount`; he has already accepted shares of `taken`.

    `seen`: how many cards he has looked at.
    """

    player: Place
    amount: Sum
    taken: Sum = 0
    seen: Annotated[int, Meta(ge=0, le=2)] = 0

    def check(self, situation: Situation) -> None:
        _check_banco(situation)
        check_ponto(situation, "player", self.player)
        if self.player == situation.holder:
            raise ImpossibleFacts("incident.player", "he does not offer himself a share")

    def narration(self) -> list[Sentence]:
        told: list[Sentence] = [(f"incident.share_seen_{self.seen}", {})]
        if self.taken:
            told.append(("incident.shares_before", {"taken": self.taken}))
        return [*told, ("incident.share_offered", {"player": self.player, "amount": self.amount})]


@rule(ShareOffered, SANREMO)
def share_offered(s: Situation, incident: ShareOffered, r: Reasoning) -> None:
    most = s.bank // r.book.number("shared_banco_divisor")
    total = incident.taken + incident.amount
    within = total <= most
    r.pivot("45 s1", "stakes.shares_within_half" if within else "stakes.shares_pass_half", total=total, most=most)
    if incident.seen:
        r.pivot("45 s2", "stakes.cards_seen", seen=incident.seen)
    good = within and not incident.seen
    r.choice("allowed", "allowed" if good else "refused", critical=True)
    left = max(0, most - incident.taken) if not incident.seen else 0
    wrong = [most, s.bank - incident.taken, incident.amount, max(0, most - incident.taken), 0]
    r.amount("most_shared", left, tempting=wrong)


def _banco(draw: Draw, book: Rulebook, difficulty: int) -> Facts:
    facts = table(draw, book, difficulty)
    player = draw.pick(pontos(facts))
    facts["calls"] = (*facts["calls"], Call(player, "banco"))
    return facts | {"stakes": (Stake(player, facts["bank"]),), "holder": player, "claim": "banco"}


def _word(draw: Draw, difficulty: int) -> tuple[int, bool]:
    """Easy: a plain false draw. Harder: also the free five, and words that were right."""
    false = ((6, True), (7, True), (3, False), (4, False), (2, False))
    near = ((5, True), (5, False), (4, True), (6, False))
    return draw.pick(false if difficulty <= 2 else false + near)


@case("stakes", {SANREMO: "44"})
def shares_taken_later(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    facts = _banco(draw, book, difficulty)
    held, drew = _word(draw, difficulty)
    total = facts["bank"] * draw.pick((1, 2)) // 4
    shares = stakes(draw, facts, min(difficulty, 3), total, but=(facts["holder"],))
    # The others' shares are in front of them; he puts down the rest of the bank.
    own = Stake(facts["holder"], facts["bank"] - total)
    incident = BancoInCompany(shares=shares, held=held, drew=drew)
    return Situation(**facts | {"stakes": (own, *shares)}, incident=incident)


@case("stakes", {SANREMO: "46"})
def stakes_respected(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    facts = _banco(draw, book, difficulty)
    held, drew = _word(draw, difficulty)
    total = facts["bank"] * draw.pick((1, 2)) // 4
    others = stakes(draw, facts, min(difficulty, 3), total, but=(facts["holder"],))
    own = Stake(facts["holder"], facts["bank"] - total)
    incident = BancoInCompany(respects=True, held=held, drew=drew)
    return Situation(**facts | {"stakes": (*others, own)}, incident=incident)


@case_table(
    "stakes",
    variant("share_and_half_the_bank", {SANREMO: "45 s1"}, seen=0),
    variant("share_after_a_card_is_seen", {SANREMO: ("45 s1", "45 s2")}, seen=one_of(1, 2)),
)
def _offer(draw: Draw, book: Rulebook, difficulty: int, seen: int) -> Situation:
    """An offer that leaves the shares below half the bank, at it, or just above."""
    facts = _banco(draw, book, difficulty)
    unit, half = facts["unit"], facts["bank"] // 2
    taken = unit * draw.number(1, half // unit // 2) if difficulty >= 3 else 0
    amount = half - taken + unit * draw.pick((-3, -2, -1, 0, 1) if difficulty >= 2 else (-4, -4, 4))
    player = draw.pick([place for place in pontos(facts) if place != facts["holder"]])
    return Situation(**facts, incident=ShareOffered(player=player, amount=amount, taken=taken, seen=seen))
