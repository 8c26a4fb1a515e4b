"""A player joins the one who has taken over a passed hand: by earlier agreement or afterwards, and who he is.

Portugal 31 s1, 87 s1; Sanremo 82 s1, 85, 86, 95 (s1, s2, s3), 103 s2, 104.
"""

from typing import Any, Literal

from rules_engine.authoring import ImpossibleFacts, NotRegulated, Reasoning, Rulebook, Sentence, one_of, variant
from rules_engine.games.baccarat.draw import Draw
from rules_engine.games.chemin_de_fer.association import least_seated, too_few, too_few_seated
from rules_engine.games.chemin_de_fer.bank.places import check_at_table, passed_hand
from rules_engine.games.chemin_de_fer.books import PT, SANREMO
from rules_engine.games.chemin_de_fer.game import case, case_table, domain, rule
from rules_engine.games.chemin_de_fer.setting import pontos, seated_pontos
from rules_engine.games.chemin_de_fer.table import Incident, Place, Situation, Sum

domain("purchase", "stands", "may_be_lost")
Who = Literal["passer", "passers_partner", "other"]


class JoinsBuyer(Incident, frozen=True, tag="joins_buyer"):
    """The banker took the hand over, at level or at auction, and `player` joins him with `adds`."""

    acquired: Literal["level", "auction"]
    player: Place
    adds: Sum
    who: Who = "other"
    agreed_before: bool = False

    def check(self, situation: Situation) -> None:
        check_at_table(situation, player=self.player)
        if self.player == situation.banker:
            raise ImpossibleFacts("incident.player", "the buyer does not join himself")

    def partner_fact(self) -> str:
        return "player" if self.who == "passers_partner" else ""

    def narration(self) -> list[Sentence]:
        when = "before" if self.agreed_before else "after"
        return [
            (f"incident.joins_buyer.{self.acquired}", {}),
            (f"incident.joins_buyer.{self.who}", {"player": self.player}),
            (f"incident.joins_buyer.{when}", {"player": self.player, "adds": self.adds}),
        ]


@rule(JoinsBuyer, *PT)
def joins_buyer_pt(s: Situation, incident: JoinsBuyer, r: Reasoning) -> None:
    if incident.who != "other":
        raise NotRegulated("art. 86 keeps the passer and his partner from bidding, and says nothing of joining")
    equal = incident.adds == s.bank
    if incident.agreed_before and incident.acquired == "auction":
        r.pivot("87 s1", "bank.joint_bid_equal" if equal else "bank.joint_bid_unequal", player=incident.player)
    else:
        r.pivot("31 s1", "bank.partner_doubles" if equal else "bank.partner_not_equal", bank=s.bank, total=s.bank * 2)
    r.choice("allowed", "allowed" if equal else "refused", critical=True)
    r.choice("purchase", "stands")


@rule(JoinsBuyer, SANREMO)
def joins_buyer_sanremo(s: Situation, incident: JoinsBuyer, r: Reasoning) -> None:
    few = too_few_seated(s, r.book)
    if few:
        r.pivot("82 s1", "bank.too_few_seated", seated=len(s.seats))
    if incident.agreed_before:
        r.pivot("95 s1", "bank.no_joint_purchase")
        if incident.acquired == "auction":
            r.pivot("104", "bank.no_agreement_for_auction")
        r.pivot("95 s3", "bank.may_lose_purchase")
        _decide(r, allowed=False, purchase="may_be_lost")
        return
    doubles = incident.adds == s.bank
    if incident.who == "passer" and not (few and doubles):
        _tell_passer(s, incident, r, doubles)
    elif not few:
        _tell_other(incident, r, doubles)
    _decide(r, allowed=doubles and not few, purchase="stands")


def _tell_passer(s: Situation, incident: JoinsBuyer, r: Reasoning, doubles: bool) -> None:
    text = "passer_doubles" if doubles else "passer_must_double"
    r.pivot("85" if incident.acquired == "level" else "86", f"bank.{text}", bank=s.bank)
    if incident.acquired == "auction":
        r.pivot("103 s2", f"bank.shut_out_{text}", bank=s.bank)


def _tell_other(incident: JoinsBuyer, r: Reasoning, doubles: bool) -> None:
    if not doubles:
        raise NotRegulated("arts. 85, 86 and 103 do not settle whether this partner may add less than the bank")
    if incident.who == "passers_partner" and incident.acquired == "level":
        r.pivot("85", "bank.passers_partner_joins", player=incident.player)
    else:
        r.pivot("95 s2", "bank.spontaneous_share", player=incident.player)
        if incident.acquired == "auction":
            r.pivot("86", "bank.buyer_takes_partner", player=incident.player)


def _decide(r: Reasoning, *, allowed: bool, purchase: str) -> None:
    r.choice("allowed", "allowed" if allowed else "refused", critical=True)
    r.choice("purchase", purchase)


@case_table(
    "partners",
    variant(
        "agreed_before_an_auction",
        {PT[0]: "87 s1", SANREMO: ("95 s1", "95 s3", "104")},
        acquired="auction",
        agreed_before=True,
    ),
    variant("agreed_before_taking_at_level", {SANREMO: ("95 s1", "95 s3")}, acquired="level", agreed_before=True),
    variant("offers_himself_afterwards", {PT[0]: "31 s1", SANREMO: "95 s2"}, acquired=one_of("level", "auction")),
)
def _joins(
    draw: Draw, book: Rulebook, difficulty: int, acquired: Literal["level", "auction"], **incident: Any
) -> Situation:
    """In Portugal the shares are equal, or nearly; Sanremo regulates a smaller share only for the player who passed the
    hand."""
    facts = passed_hand(draw, book, max(2, difficulty), seated=least_seated(book))
    player = draw.pick(pontos(facts))
    adds = facts["bank"]
    if book.coded_as in PT and draw.chance(0.5):
        adds = adds // 2 if difficulty <= 2 else adds + facts["unit"] * draw.pick((-1, 1))
    return Situation(**facts, incident=JoinsBuyer(acquired=acquired, player=player, adds=adds, **incident))


def _doubling(draw: Draw, book: Rulebook, difficulty: int, acquired: Literal["level", "auction"]) -> Situation:
    """The former banker offers all of the bank, or less: easy, half of it; hard, nearly all."""
    facts = passed_hand(draw, book, difficulty, seated=least_seated(book))
    bank = facts["bank"]
    adds = draw.pick((bank, bank // 2 if difficulty < 3 else bank - facts["unit"]))
    player = draw.pick(seated_pontos(facts))
    return Situation(**facts, incident=JoinsBuyer(acquired=acquired, player=player, who="passer", adds=adds))


@case("partners", {SANREMO: "85"})
def former_banker_joins_at_level(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    if difficulty >= 2 and draw.chance(0.3):
        return _joins(draw, book, difficulty, "level", who="passers_partner")
    return _doubling(draw, book, difficulty, "level")


@case("partners", {SANREMO: ("86", "103 s2")})
def former_banker_joins_at_auction(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    return _doubling(draw, book, difficulty, "auction")


@case("partners", {SANREMO: "82 s1"})
def joins_the_buyer_at_a_small_table(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """The player who passed the hand, or somebody else, would double the bank as required. Harder: one player short."""
    facts = passed_hand(draw, book, 1, seated=too_few(draw, book, difficulty))
    who: Who = draw.pick(("passer", "other"))
    acquired: Literal["level", "auction"] = draw.pick(("level", "auction"))
    player = draw.pick(seated_pontos(facts))
    return Situation(**facts, incident=JoinsBuyer(acquired=acquired, player=player, who=who, adds=facts["bank"]))
