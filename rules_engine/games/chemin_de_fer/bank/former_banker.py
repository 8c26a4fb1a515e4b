"""What those who gave up a hand may still do, and for how long.

Portugal 86, 89 s2, 90; Sanremo 82 s4, 84 s2, 98, 101 s1, 103 s1, 105 (s2, s3).
"""

from typing import Any, Literal

from rules_engine.authoring import ImpossibleFacts, NotRegulated, Reasoning, Rulebook, Sentence
from rules_engine.games.baccarat.draw import Draw
from rules_engine.games.chemin_de_fer.association import least_seated, tell_kept_partner
from rules_engine.games.chemin_de_fer.bank.places import TIE, WON, Acquired, Coups, check_at_table, passed_hand
from rules_engine.games.chemin_de_fer.books import PT, SANREMO
from rules_engine.games.chemin_de_fer.game import case, rule
from rules_engine.games.chemin_de_fer.setting import pontos, seated_pontos
from rules_engine.games.chemin_de_fer.table import Incident, Place, Situation

# What has happened to the hand that was given up.
Now = Literal["own_auction", "successor_deals", "successor_gave_up", "successor_passed", "successor_passed_tie"]
Asks = Literal["banco", "take", "bid"]
# What a player who bought and passed a hand may ask for before his successor has passed it too.
UNTIL_PASSED: tuple[tuple[Now, Asks], ...] = (
    ("successor_deals", "banco"),
    ("successor_gave_up", "take"),
    ("successor_gave_up", "bid"),
)


class FormerBanker(Incident, frozen=True, tag="former_banker"):
    """`player` dealt `coups` and passed the hand, or was the partner of the player who did; now he asks for something.

    The banker of the table is whoever holds the hand now or held it last: in `own_auction` `player` himself or his
    banker, otherwise the successor.
    """

    player: Place
    coups: Coups
    now: Now
    asks: Asks
    part: Literal["banker", "partner"] = "banker"
    acquired: Acquired = "turn"

    def check(self, situation: Situation) -> None:
        check_at_table(situation, player=self.player)
        if not self.coups:
            raise ImpossibleFacts("incident.coups", "a hand is passed after a coup")
        if (self.player == situation.banker) != (self.part == "banker" and self.now == "own_auction"):
            raise ImpossibleFacts("banker", "the former banker is the banker only while his own hand is on offer")

    def partner_fact(self) -> str:
        return "player" if self.part == "partner" else ""

    def act_asked(self) -> str:
        return f"former_banker_{self.asks}"

    def narration(self) -> list[Sentence]:
        dealt = f"{self.part}_dealt_{'one' if len(self.coups) == 1 else 'many'}"
        asks = "bid_own" if (self.asks, self.now) == ("bid", "own_auction") else self.asks
        return [
            (f"incident.former_banker.{self.part}_{self.acquired}", {"player": self.player}),
            (f"incident.former_banker.{dealt}", {"count": len(self.coups), "last": self.coups[-1]}),
            (f"incident.former_banker.{self.now}", {}),
            (f"incident.former_banker.asks_{asks}", {"player": self.player}),
        ]

    def narrated(self, situation: Situation) -> list[Sentence]:
        return [(id, {**values, "banker": situation.banker}) for id, values in super().narrated(situation)]


@rule(FormerBanker, *PT)
def former_banker_pt(s: Situation, incident: FormerBanker, r: Reasoning) -> None:
    if incident.asks == "banco" and incident.now == "successor_deals":
        _banco_pt(incident, r)
        return
    if incident.asks == "take":
        raise NotRegulated(
            "arts. 86, 89 and 90 say what a former banker may bid for or call, not what he may take at level"
        )
    if incident.asks != "bid" or incident.now in ("successor_deals", "successor_gave_up"):
        raise NotRegulated(
            "arts. 86, 89 and 90 speak of a bid in an auction, and art. 89 of a bancô against whoever took the hand"
        )
    own = incident.now == "own_auction"
    cite = "86" if incident.coups[-1] == "won" else "89 s2"
    if cite == "89 s2" and incident.part == "partner":
        raise NotRegulated("arts. 86 and 89 bar the partner only when the hand was passed after a win")
    r.pivot(cite, "bank.own_auction_closed" if own else "bank.later_auction_open", player=incident.player)
    first = incident.acquired == "auction" and len(incident.coups) == 1 and incident.part == "banker"
    if first and cite == "86":
        r.pivot("90", "bank.barred_first_coup" if own else "bank.quick_buyer_later_auction", player=incident.player)
    r.choice("allowed", "refused" if own else "allowed", critical=True)


def _banco_pt(incident: FormerBanker, r: Reasoning) -> None:
    """A player who passed loses his bancô only after a tie, and only in the next coup."""
    if incident.part == "partner":
        raise NotRegulated("art. 89 speaks of the banker who passed the hand, not of his partner")
    tie = incident.coups[-1] == "tie"
    r.pivot("89 s2", "claims.passer_barred" if tie else "bank.banco_after_win", who=incident.player)
    r.choice("allowed", "refused" if tie else "allowed", critical=True)


@rule(FormerBanker, SANREMO)
def former_banker_sanremo(s: Situation, incident: FormerBanker, r: Reasoning) -> None:
    tell_kept_partner(s, r)
    if incident.now == "own_auction":
        if incident.asks != "bid":
            raise NotRegulated("arts. 84 and 101: while his own hand is on sale only his bids are in question")
        r.pivot("84 s2", "bank.not_own_bank", player=incident.player)
        r.pivot("101 s1", "bank.auction_for_others", player=incident.player)
        r.choice("allowed", "refused", critical=True)
    elif incident.now in ("successor_passed", "successor_passed_tie"):
        _regained(incident, r)
    elif incident.acquired != "turn" and incident.part == "banker":
        _bought_and_passed(incident, r)
    else:
        raise NotRegulated(
            "arts. 98 and 105 limit whoever bought his hand; arts. 84 and 87 only bar another's bid, or rank him last"
        )


def _regained(incident: FormerBanker, r: Reasoning) -> None:
    """The hand was passed again: whoever had given it up before has his rights back."""
    r.pivot("103 s1", "bank.rights_regained", player=incident.player)
    if incident.asks == "bid":
        r.pivot("84 s2", "bank.may_bid_again", player=incident.player)
    if incident.now == "successor_passed_tie":
        r.pivot("105 s3", "bank.rights_regained_after_tie", player=incident.player)
    elif incident.acquired != "turn" and incident.part == "banker":
        r.pivot("98", "bank.bought_rights_regained", player=incident.player)
    r.choice("allowed", "allowed", critical=True)


def _bought_and_passed(incident: FormerBanker, r: Reasoning) -> None:
    banco = incident.asks == "banco"
    tied_first = incident.coups == ("tie",)
    cite = "105 s2" if tied_first else "98"
    r.pivot(cite, "bank.banco_kept" if banco else "bank.only_banco_kept", player=incident.player)
    r.choice("allowed", "allowed" if banco else "refused", critical=True)


def _former(
    draw: Draw, book: Rulebook, difficulty: int, *, now: Now, asks: Asks, acquired: Acquired = "turn", **incident: Any
) -> Situation:
    part = incident.setdefault("part", "banker")
    facts = passed_hand(draw, book, difficulty, seated=least_seated(book) if part == "partner" else 0)
    banker = facts["banker"]
    stays = now == "own_auction" and part == "banker"
    player = banker if stays else draw.pick(seated_pontos(facts) if part == "banker" else pontos(facts))
    coups: Coups = incident.pop("coups", None) or (WON,) * draw.number(1, 1 + difficulty)
    return Situation(
        **facts, incident=FormerBanker(player=player, now=now, asks=asks, acquired=acquired, coups=coups, **incident)
    )


@case("auction", {PT[0]: "86", SANREMO: "84 s2"})
def banker_or_partner_bids_for(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """For the hand just passed, or for a later one."""
    now: Now = draw.pick(("own_auction", "own_auction", "successor_passed"))
    part = draw.pick(("banker", "partner")) if difficulty >= 2 else "banker"
    return _former(draw, book, difficulty, now=now, asks="bid", part=part)


@case("auction", {PT[0]: "90"})
def quick_buyer_bids_for(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    now: Now = draw.pick(("own_auction", "successor_passed"))
    return _former(draw, book, difficulty, now=now, asks="bid", acquired="auction", coups=("won",))


@case("auction", {PT[0]: "89 s2"})
def bids_after_passing_on_a_tie(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    now: Now = draw.pick(("own_auction", "successor_passed"))
    coups: Coups = (*(WON,) * draw.number(0, difficulty), TIE)
    return _former(draw, book, difficulty, now=now, asks="bid", coups=coups)


@case("bank_passing", {PT[0]: "89 s2"})
def calls_banco_after_passing(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """Against the player who took his hand, in the next coup: after a tie, or after a win."""
    coups: Coups = (*(WON,) * draw.number(0, difficulty), draw.pick((TIE, TIE, WON)))
    return _former(draw, book, difficulty, now="successor_deals", asks="banco", coups=coups)


@case("auction", {SANREMO: "103 s1"})
def rights_come_back(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    part = draw.pick(("banker", "partner")) if difficulty >= 2 else "banker"
    return _former(draw, book, difficulty, now="successor_passed", asks=draw.pick(("bid", "take")), part=part)


@case("bank_passing", {SANREMO: "98"})
def bought_hand_passed_on(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """He keeps bancô; the hand and the auction are his again only once his successor has passed too."""
    later: Asks = draw.pick(("take", "bid"))
    now, asks = draw.pick((*UNTIL_PASSED, *UNTIL_PASSED[1:], ("successor_passed", later)))
    return _former(draw, book, difficulty, now=now, asks=asks, acquired=draw.pick(("level", "auction")))


@case("bank_passing", {SANREMO: "105 s2"})
def bought_hand_passed_after_tie(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    now, asks = draw.pick(UNTIL_PASSED)
    acquired: Acquired = draw.pick(("level", "auction"))
    return _former(draw, book, difficulty, now=now, asks=asks, acquired=acquired, coups=("tie",))


@case("bank_passing", {SANREMO: "105 s3"})
def successor_passed_after_tie(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    return _former(draw, book, difficulty, now="successor_passed_tie", asks=draw.pick(("bid", "take")))
