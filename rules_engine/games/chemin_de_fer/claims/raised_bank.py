"""Suivi against a bank that the banker has raised: what the player may play, and how.

Sanremo 92.
"""

from rules_engine.errors import ImpossibleFacts
from rules_engine.games.baccarat.draw import Draw
from rules_engine.games.chemin_de_fer.books import SANREMO
from rules_engine.games.chemin_de_fer.claims.facts import ClaimsOpen, asked, staked, stakers
from rules_engine.games.chemin_de_fer.claims.table_talk import Facts, callers, company, talk
from rules_engine.games.chemin_de_fer.game import case, rule
from rules_engine.games.chemin_de_fer.table import Call, Situation, Stake, Sum
from rules_engine.rulebook import Rulebook
from rules_engine.ruling import Fact, Reasoning


class SuiviOnRaisedBank(ClaimsOpen, frozen=True, kw_only=True, tag="suivi_on_raised_bank"):
    """The loser of the last bancô, who lost `lost_sum`, says suivi; the bank is now higher, and he wishes to `play`."""

    lost_sum: Sum
    play: Sum

    def check(self, situation: Situation) -> None:
        super().check(situation)
        if self.lost is None or asked(situation, "suivi") != [self.lost]:
            raise ImpossibleFacts("calls", "the player who lost the last bancô, and only he, says suivi")
        if situation.bank <= self.lost_sum:
            raise ImpossibleFacts("bank", "it is not higher than what was lost to it")
        if self.play > situation.bank:
            raise ImpossibleFacts("incident.play", "nobody can play more than the bank")


@rule(SuiviOnRaisedBank, SANREMO)
def suivi_on_raised_bank(s: Situation, incident: SuiviOnRaisedBank, r: Reasoning) -> None:
    """Twice what he lost, or the whole bank, and nothing else; with twice, the cards are still his."""
    who, double = str(incident.lost), incident.lost_sum * r.book.number("suivi_multiple")
    values: dict[str, Fact] = {"who": who, "double": double, "bank": s.bank, "play": incident.play}
    if incident.play == s.bank:
        r.pivot("92 s1", "claims.raised_whole", **values)
        r.step("113 s1", "claims.plays_free", who=who)
        _decide(r, who, double, play="free")
        r.amount("left_for_table", 0, tempting=[s.bank - double, s.bank - incident.lost_sum])
    elif incident.play == double:
        r.pivot("92 s1", "claims.raised_double", **values)
        most = max((staked(s, r.book, place) for place in stakers(s) if place != who), default=0)
        r.pivot("92 s2", "claims.raised_cards_his", who=who, left=s.bank - double, most=most)
        r.pivot("92 s3", "claims.raised_by_rule", who=who)
        _decide(r, who, double, play="by_rule_five_free")
        r.amount("left_for_table", s.bank - double, tempting=[s.bank - incident.lost_sum, double, s.bank])
    else:
        r.pivot("92 s1", "claims.raised_neither", **values)
        _decide(r, who, double)


def _decide(r: Reasoning, who: str, double: int, *, play: str | None = None) -> None:
    """With a sum he may not play, nobody has the cards until he puts down another."""
    r.choice("allowed", "allowed" if play else "refused", critical=True)
    r.amount("suivi_double", double)
    r.player("cards_to", who if play else "nobody", critical=True)
    if play:
        r.choice("ponto_bound", play)


@case("suivi", {SANREMO: ("92 s1", "92 s2", "92 s3")})
def raised_plays_double(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """He plays twice his loss; others cover some of the rest, at the harder tables with more than he does."""
    facts, who, lost = _raised(draw, book, difficulty)
    left = facts["bank"] - 2 * lost
    other = draw.pick([place for place in callers(facts) if place != who])
    stake = Stake(other, left if difficulty >= 3 else left // 2 // facts["unit"] * facts["unit"])
    return _claim(facts, who, lost, 2 * lost, [stake])


@case("suivi", {SANREMO: ("92 s1",)})
def raised_plays_whole(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    facts, who, lost = _raised(draw, book, difficulty)
    return _claim(facts, who, lost, facts["bank"], [])


@case("suivi", {SANREMO: ("92 s1",)})
def raised_plays_neither(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    facts, who, lost = _raised(draw, book, difficulty)
    unit = facts["unit"]
    wrong = (lost, 2 * lost - unit, 2 * lost + unit) if difficulty >= 3 else (lost, (facts["bank"] + 2 * lost) // 2)
    return _claim(facts, who, lost, draw.pick(wrong), [])


def _raised(draw: Draw, book: Rulebook, difficulty: int) -> tuple[Facts, str, int]:
    """A bank of more than twice what was lost: the winnings stayed in it and the banker added to them."""
    facts = company(draw, book, difficulty)
    lost = facts["bank"] // 2
    added = facts["unit"] * draw.number(4, 3 * lost // facts["unit"])
    facts["bank"] = 2 * lost + added
    return facts, draw.pick(callers(facts)), lost


def _claim(facts: Facts, who: str, lost: int, play: int, others: list[Stake]) -> Situation:
    incident = SuiviOnRaisedBank(lost=who, lost_by="banco", lost_sum=lost, play=play)
    return talk(facts, [Call(who, "suivi")], incident, stakes=[Stake(who, play), *others])
