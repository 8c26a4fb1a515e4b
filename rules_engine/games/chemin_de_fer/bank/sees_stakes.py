"""Sanremo's «vedo le puntate»: the banker looks at the stakes before he accepts the coup, and may refuse it.

Sanremo 72 (s1, a, b), with 71 s1 for the banker who had said «tout va» instead.
"""

from typing import Literal

from msgspec import structs

from rules_engine.authoring import ImpossibleFacts, Reasoning, Rulebook, Sentence, variant
from rules_engine.games.baccarat.draw import Draw
from rules_engine.games.chemin_de_fer.bank.places import check_at_table, passed_hand
from rules_engine.games.chemin_de_fer.books import SANREMO
from rules_engine.games.chemin_de_fer.game import case, case_table, domain, rule
from rules_engine.games.chemin_de_fer.setting import pontos
from rules_engine.games.chemin_de_fer.table import Call, Incident, Place, Says, Situation, Stake, Sum

domain("may_join", "may_join", "may_not_join")


class RefusesCoup(Incident, frozen=True, tag="refuses_coup"):
    """The stakes lie on the table and the banker will not deal. What he had declared is among the calls."""

    def check(self, situation: Situation) -> None:
        if not {"see_stakes", "tout_va"} & {call.says for call in situation.calls}:
            raise ImpossibleFacts("calls", "the banker must have declared on what terms he takes the stakes")


class InspectorOrders(Incident, frozen=True, tag="inspector_orders"):
    """After the refusal the inspector orders an auction, or orders the banker to deal after all, with `puts_up`.

    `asker`: who would bid in the auction or join its buyer; by default the banker himself.
    """

    tells = ("minimum",)

    phrased = {
        "may_bid": "question.may_bid_refused",
        "may_join": "question.may_join_refused",
        "keeps_seat": "question.keeps_seat_offer",
    }

    order: Literal["auction", "deal"]
    puts_up: Sum = 0
    asker: Place | None = None

    def check(self, situation: Situation) -> None:
        check_at_table(situation, asker=self.asker)
        if self.order == "auction" and self.puts_up:
            raise ImpossibleFacts("incident.puts_up", "at an auction it is not he who puts up a bank")

    def narration(self) -> list[Sentence]:
        told: list[Sentence] = [(f"incident.inspector_orders.{self.order}", {"puts_up": self.puts_up})]
        if self.order == "auction":
            whose = "banker_asks" if self.asker is None else "asks"
            told.append((f"incident.inspector_orders.{whose}", {"asker": self.asker}))
        return told


@rule(RefusesCoup, SANREMO)
def refuses_coup_sanremo(s: Situation, incident: RefusesCoup, r: Reasoning) -> None:
    if any(call.says == "tout_va" for call in s.calls):
        r.pivot("71 s1", "bank.tout_va_binds")
        r.choice("allowed", "refused", critical=True)
        r.choice("keeps_seat", "loses")
        return
    r.pivot("72 s1", "bank.saw_and_refused")
    r.choice("allowed", "allowed", critical=True)
    r.choice("keeps_seat", "keeps")


@rule(InspectorOrders, SANREMO)
def inspector_orders_sanremo(s: Situation, incident: InspectorOrders, r: Reasoning) -> None:
    least = s.minimum * r.book.number("vedo_le_puntate_min_x_table_min")
    r.step("72 s1", "bank.saw_and_refused")
    if incident.order == "auction":
        r.pivot("72 a", "bank.refused_bank_auctioned", minimum=s.minimum)
        r.amount("auction_base", s.minimum, tempting=[s.bank, least])
        r.choice("keeps_seat", "keeps")
        barred = incident.asker in (None, s.banker)
        if not barred:
            r.pivot("101 s1", "bank.others_may_bid", player=incident.asker)
            r.pivot("95 s2", "bank.others_may_join", player=incident.asker)
        r.choice("may_bid", "may_not_bid" if barred else "may_bid")
        r.choice("may_join", "may_not_join" if barred else "may_join")
        return
    deals = incident.puts_up >= least
    r.pivot("72 b", "bank.deals_double" if deals else "bank.below_double", least=least, puts_up=incident.puts_up)
    r.amount("least_bank", least, tempting=[s.minimum, s.bank, least * 2])
    r.choice("keeps_seat", "keeps" if deals else "loses", critical=True)


@case_table(
    "bank_passing",
    variant("banker_saw_the_stakes", {SANREMO: "72 s1"}, incident=RefusesCoup()),
    variant("banker_took_any_stake", {SANREMO: "71 s1"}, incident=RefusesCoup(), says="tout_va"),
)
def _seen(draw: Draw, book: Rulebook, difficulty: int, incident: Incident, says: Says = "see_stakes") -> Situation:
    facts = passed_hand(draw, book, difficulty)
    players = draw.sample(pontos(facts), min(3, 1 + difficulty))
    stakes = tuple(Stake(player, facts["unit"] * draw.number(1, 30) * 5) for player in players)
    return Situation(**facts, stakes=stakes, calls=(Call(facts["banker"], says),), incident=incident)


@case("bank_passing", {SANREMO: "72 a"})
def refused_bank_is_auctioned(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """The banker, or another player, would like to bid or to join the buyer."""
    situation = _seen(draw, book, difficulty, InspectorOrders(order="auction"))
    others = [place for place in situation.people() if place != situation.banker]
    asker = draw.pick(others) if draw.chance(0.3 if difficulty <= 2 else 0.5 if difficulty == 3 else 0.7) else None
    return structs.replace(situation, incident=InspectorOrders(order="auction", asker=asker))


@case("bank_passing", {SANREMO: "72 b"})
def refused_bank_must_be_dealt(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """Easy: the bare minimum or far more. Harder: just below and exactly what is asked."""
    situation = _seen(draw, book, difficulty, InspectorOrders(order="deal"))
    minimum, unit = situation.minimum, situation.unit
    least = minimum * book.number("vedo_le_puntate_min_x_table_min")
    sums = (minimum, least + minimum) if difficulty < 3 else (minimum, least - unit, least, least + unit)
    return structs.replace(situation, incident=InspectorOrders(order="deal", puts_up=draw.pick(sums)))
