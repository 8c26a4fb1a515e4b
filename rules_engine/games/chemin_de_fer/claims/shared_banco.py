"""Taking others' stakes into one's bancô: when the player may, and when it is refused.

Sanremo 43 s2 and 100.
"""

from rules_engine.authoring import ImpossibleFacts, NotRegulated, Reasoning, Rulebook, Sentence
from rules_engine.games.baccarat.draw import Draw
from rules_engine.games.chemin_de_fer.books import SANREMO
from rules_engine.games.chemin_de_fer.claims.facts import SOLO, ClaimsOpen, asked
from rules_engine.games.chemin_de_fer.claims.table_talk import callers, company, talk
from rules_engine.games.chemin_de_fer.game import case, rule
from rules_engine.games.chemin_de_fer.table import Call, Place, Situation, Sum


class StakeInvited(ClaimsOpen, frozen=True, kw_only=True, tag="stake_invited"):
    """The player with the bancô wants to take in a stake of `amount` from `player`, who lost `lost_with` beside him
    before."""

    owner: Place
    player: Place
    amount: Sum
    lost_with: Sum = 0

    def check(self, situation: Situation) -> None:
        super().check(situation)
        if self.owner not in asked(situation, *SOLO, "suivi"):
            raise ImpossibleFacts("incident.owner", "{player:player} has not asked for the bank", player=self.owner)
        present = {*map(str, situation.seats), *situation.standing} - {situation.banker}
        if self.player not in present or self.player == self.owner:
            raise ImpossibleFacts("incident.player", "the stake must come from another ponto")

    def narration(self) -> list[Sentence]:
        told = super().narration()
        if self.lost_with:
            told.append(("incident.claims_lost_with", {"player": self.player, "lost_with": self.lost_with}))
        return told


@rule(StakeInvited, SANREMO)
def stake_invited(s: Situation, incident: StakeInvited, r: Reasoning) -> None:
    """Not while others have asked for the bank too; but suivi may bring back whoever lost with him, at twice the
    stake."""
    rivals = [place for place in asked(s, *SOLO, "suivi", "banco_table") if place != incident.owner]
    if not rivals:
        _alone(s, incident, r)
        return
    double = incident.lost_with * r.book.number("suivi_multiple")
    follows = incident.owner in asked(s, "suivi") and incident.owner == incident.lost and incident.lost_with > 0
    if follows and incident.amount < double:
        raise NotRegulated("art. 100 lets in the doubled stake and does not speak of a smaller one")
    if follows and incident.amount == double:
        r.step("43 s2", "claims.no_company_with_rivals", who=incident.owner, others=tuple(rivals))
        r.pivot("100", "claims.doubled_share", who=incident.owner, player=incident.player, amount=double)
        r.choice("allowed", "allowed", critical=True)
        return
    if follows:
        r.pivot("100", "claims.more_than_doubled", player=incident.player, amount=incident.amount, double=double)
    r.pivot("43 s2", "claims.no_company_with_rivals", who=incident.owner, others=tuple(rivals))
    r.choice("allowed", "refused", critical=True)


def _alone(s: Situation, incident: StakeInvited, r: Reasoning) -> None:
    """Nobody else has asked: the rest of the rule is that others' stakes stay within half the bank."""
    most = s.bank // r.book.number("shared_banco_divisor")
    r.pivot("43 s2", "claims.company_without_rivals", who=incident.owner)
    within = incident.amount <= most
    text = "stakes.shares_within_half" if within else "stakes.shares_pass_half"
    r.pivot("45 s1", text, total=incident.amount, most=most)
    r.choice("allowed", "allowed" if within else "refused", critical=True)


@case("banco_priority", {SANREMO: "43 s2"})
def company_among_rivals(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """The player in the best place has the bancô and invites partners; others asked too, or nobody else did."""
    facts = company(draw, book, difficulty)
    alone = draw.chance(0.5)
    chosen = draw.sample(callers(facts), 1 if alone else 2 + difficulty // 3)
    asking = [place for place in callers(facts) if place in chosen]
    player = draw.pick([place for place in callers(facts) if place != asking[0]])
    unit, half = facts["unit"], facts["bank"] // 2
    amount = half + unit * draw.pick((-1, 0, 1)) if alone and difficulty >= 2 else unit * draw.number(2, 8)
    incident = StakeInvited(owner=asking[0], player=player, amount=amount)
    return talk(facts, [Call(place, "banco") for place in draw.shuffled(asking)], incident)


@case("suivi", {SANREMO: "100"})
def company_on_suivi(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """The player with suivi wants to take in whoever lost with him: at twice the stake lost, or at more."""
    facts = company(draw, book, difficulty)
    owner, player, rival = draw.sample(callers(facts), 3)
    lost_with = facts["unit"] * draw.number(2, 4)
    more = facts["unit"] * (draw.number(1, 2) if difficulty >= 3 else draw.number(3, 6))
    amount = 2 * lost_with + (0 if draw.chance(0.5) else more)
    incident = StakeInvited(lost=owner, lost_by="banco", owner=owner, player=player, amount=amount, lost_with=lost_with)
    return talk(facts, draw.shuffled([Call(rival, "banco"), Call(owner, "suivi")]), incident)
