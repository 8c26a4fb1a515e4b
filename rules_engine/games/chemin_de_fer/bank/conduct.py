"""Playing for somebody else, or away from the table.

Sanremo 38 (s1, s2) and 77 s1.
"""

from typing import Literal

from rules_engine.authoring import ImpossibleFacts, Reasoning, Rulebook, Sentence, one_of, variant
from rules_engine.games.baccarat.draw import Draw
from rules_engine.games.chemin_de_fer.bank.places import check_at_table, passed_hand
from rules_engine.games.chemin_de_fer.books import SANREMO
from rules_engine.games.chemin_de_fer.game import case_table, rule
from rules_engine.games.chemin_de_fer.setting import pontos, seated_pontos
from rules_engine.games.chemin_de_fer.table import Incident, Place, Situation

Act = Literal["deal", "bid", "take", "banco", "stake_apart", "cede"]


class ActsFor(Incident, frozen=True, tag="acts_for"):
    """`player` does something on his own account, or for `whom`. A stake placed elsewhere and a ceded share need
    another person."""

    player: Place
    act: Act
    whom: Place | None = None

    def check(self, situation: Situation) -> None:
        check_at_table(situation, player=self.player, whom=self.whom)
        if self.player == self.whom:
            raise ImpossibleFacts("incident.whom", "nobody acts for himself as if for another")
        if self.act in ("deal", "cede") and self.player != situation.banker:
            raise ImpossibleFacts("incident.player", "only the banker deals or has a bank to share out")
        if self.act == "take" and self.whom is not None and self.whom.isdigit():
            raise ImpossibleFacts("incident.whom", "the rule on taking a hand for another is about standing players")
        if self.act == "bid" and self.whom not in (None, situation.banker):
            raise ImpossibleFacts("incident.whom", "the rule on bidding for another is about the outgoing banker")

    def act_asked(self) -> str:
        return "acts_for_himself" if self.whom is None else "acts_for_another"

    def narration(self) -> list[Sentence]:
        own = "own" if self.whom is None else "other"
        return [(f"incident.acts_for.{self.act}_{own}", {"player": self.player, "whom": self.whom or self.player})]


@rule(ActsFor, SANREMO)
def acts_for_sanremo(s: Situation, incident: ActsFor, r: Reasoning) -> None:
    own = incident.whom is None
    facts = {"player": incident.player, "whom": incident.whom or incident.player}
    if incident.act == "stake_apart":
        r.pivot("38 s2", "bank.at_table" if own else "bank.not_off_table", **facts)
    elif incident.act == "cede":
        r.pivot("77 s1", "bank.bank_whole" if own else "bank.bank_not_ceded", **facts)
    else:
        r.pivot("38 s1", "bank.for_himself" if own else "bank.not_for_others", **facts)
        if incident.act == "deal":
            r.pivot("77 s1", "bank.own_coup_dealt" if own else "bank.not_deal_for_others")
    r.choice("allowed", "allowed" if own else "refused", critical=True)


@case_table("bank_offer", variant("plays_for_another", {SANREMO: "38 s1"}, act=one_of("deal", "bid", "take", "banco")))
def _acts(draw: Draw, book: Rulebook, difficulty: int, act: Act) -> Situation:
    facts = passed_hand(draw, book, max(2, difficulty), standing=max(1, difficulty // 2))
    banker = facts["banker"]
    player = banker if act in ("deal", "cede") else draw.pick(seated_pontos(facts))
    others = {"take": facts["standing"], "bid": (banker,)}.get(act, pontos(facts))
    whom = draw.pick([place for place in others if place != player]) if draw.chance(0.65) else None
    return Situation(**facts, incident=ActsFor(player=player, act=act, whom=whom))


case_table("partners", variant("banker_shares_out_his_bank", {SANREMO: "77 s1"}, act=one_of("deal", "cede")))(_acts)


case_table("bank_offer", variant("bets_apart", {SANREMO: "38 s2"}, act="stake_apart"))(_acts)
