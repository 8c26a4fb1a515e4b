"""Suivi against a bank that the banker has raised: what the player may play, and how.

Sanremo 92.
"""

from rules_engine.authoring import Fact, ImpossibleFacts, NotRegulated, Reasoning, Rulebook, Sentence
from rules_engine.games.baccarat.draw import Draw
from rules_engine.games.chemin_de_fer.books import SANREMO
from rules_engine.games.chemin_de_fer.claims.facts import ClaimsOpen, asked, staked, stakers
from rules_engine.games.chemin_de_fer.claims.table_talk import Facts, callers, company, talk
from rules_engine.games.chemin_de_fer.game import case, rule
from rules_engine.games.chemin_de_fer.table import Call, Situation, Stake, Sum


class SuiviOnRaisedBank(ClaimsOpen, frozen=True, kw_only=True, tag="suivi_on_raised_bank"):
    """The loser of the last bancô, who lost `lost_sum`, says suivi; the bank is now higher, and he wants to `play`.

    `accepted`: the croupier has accepted the sum; it remains to say who has the cards and how he plays.
    """

    lost_sum: Sum
    play: Sum
    accepted: bool = False

    def check(self, situation: Situation) -> None:
        super().check(situation)
        if self.lost is None or asked(situation, "suivi") != [self.lost]:
            raise ImpossibleFacts("calls", "the player who lost the last bancô, and only he, must say suivi")
        if situation.bank <= self.lost_sum:
            raise ImpossibleFacts("bank", "it is not higher than what was lost to it")
        if self.play > situation.bank:
            raise ImpossibleFacts("incident.play", "nobody can play more than the bank")

    def narration(self) -> list[Sentence]:
        told = super().narration()
        return [*told, ("incident.suivi_sum_accepted", {})] if self.accepted else told


@rule(SuiviOnRaisedBank, SANREMO)
def suivi_on_raised_bank(s: Situation, incident: SuiviOnRaisedBank, r: Reasoning) -> None:
    """Twice what he lost, or the whole bank, and nothing else. Who gets the cards with another sum is open."""
    double = incident.lost_sum * r.book.number("suivi_multiple")
    values: dict[str, Fact] = {"who": incident.lost, "double": double, "bank": s.bank, "play": incident.play}
    found = {s.bank: "whole", double: "double"}.get(incident.play, "neither")
    if incident.accepted and found == "neither":
        raise NotRegulated("art. 92: he may play twice his loss or the whole bank, and no other sum can be accepted")
    r.pivot("92 s1", f"claims.raised_{found}", **values)
    r.choice("allowed", "refused" if found == "neither" else "allowed", critical=True)
    r.amount("suivi_double", double)
    if found != "neither":
        _play(s, incident, r, double)


def _play(s: Situation, incident: SuiviOnRaisedBank, r: Reasoning, double: int) -> None:
    """With twice his loss the cards are still his, and he plays by the rule; with the whole bank he is free."""
    who, whole = str(incident.lost), incident.play == s.bank
    if whole:
        r.step("113 s1", "claims.plays_free", who=who)
    else:
        most = max((staked(s, r.book, place) for place in stakers(s) if place != who), default=0)
        r.pivot("92 s2", "claims.raised_cards_his", who=who, left=s.bank - double, most=most)
        r.pivot("92 s3", "claims.raised_by_rule", who=who)
    r.player("cards_to", who, critical=True)
    r.choice("ponto_bound", "free" if whole else "by_rule_five_free")
    tempting = [s.bank - double, s.bank - incident.lost_sum, double, s.bank]
    r.amount("left_for_table", s.bank - incident.play, tempting=tempting)


@case("suivi", {SANREMO: "92 s1"})
def raised_plays_double(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    facts, who, lost = _raised(draw, book, difficulty)
    return _claim(facts, who, lost, 2 * lost, [_cover(draw, facts, who, lost, difficulty)])


@case("suivi", {SANREMO: ("92 s2", "92 s3")})
def raised_double_accepted(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    facts, who, lost = _raised(draw, book, difficulty)
    others = [_cover(draw, facts, who, lost, difficulty)]
    return _claim(facts, who, lost, 2 * lost, others, accepted=True)


@case("suivi", {SANREMO: "92 s1"})
def raised_plays_whole(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    facts, who, lost = _raised(draw, book, difficulty)
    return _claim(facts, who, lost, facts["bank"], [])


@case("suivi", {SANREMO: "92 s1"})
def raised_whole_accepted(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    facts, who, lost = _raised(draw, book, difficulty)
    return _claim(facts, who, lost, facts["bank"], [], accepted=True)


@case("suivi", {SANREMO: "92 s1"})
def raised_plays_neither(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    facts, who, lost = _raised(draw, book, difficulty)
    unit = facts["unit"]
    wrong = (lost, 2 * lost - unit, 2 * lost + unit) if difficulty >= 3 else (lost, (facts["bank"] + 2 * lost) // 2)
    return _claim(facts, who, lost, draw.pick(wrong), [])


def _cover(draw: Draw, facts: Facts, who: str, lost: int, difficulty: int) -> Stake:
    """Another covers some of what twice the loss leaves, at the harder tables all of it."""
    left, unit = facts["bank"] - 2 * lost, facts["unit"]
    other = draw.pick([place for place in callers(facts) if place != who])
    return Stake(other, left if difficulty >= 3 else left // 2 // unit * unit)


def _raised(draw: Draw, book: Rulebook, difficulty: int) -> tuple[Facts, str, int]:
    """A bank of more than twice what was lost: the winnings stayed in it and the banker added to them."""
    facts = company(draw, book, difficulty)
    lost = facts["bank"] // 2
    added = facts["unit"] * draw.number(4, 3 * lost // facts["unit"])
    facts["bank"] = 2 * lost + added
    return facts, draw.pick(callers(facts)), lost


def _claim(facts: Facts, who: str, lost: int, play: int, others: list[Stake], *, accepted: bool = False) -> Situation:
    incident = SuiviOnRaisedBank(lost=who, lost_by="banco", lost_sum=lost, play=play, accepted=accepted)
    return talk(facts, [Call(who, "suivi")], incident, stakes=[Stake(who, play), *others])
