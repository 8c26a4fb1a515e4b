"""The banker wins a coup whose stakes did not cover the bank: what he may leave in play.

Portugal 46.
"""

from rules_engine.authoring import ImpossibleFacts, NotRegulated, Reasoning, Rulebook, Sentence
from rules_engine.games.baccarat.draw import Draw
from rules_engine.games.chemin_de_fer.books import PT
from rules_engine.games.chemin_de_fer.game import case, rule
from rules_engine.games.chemin_de_fer.stakes.capital import garage_win
from rules_engine.games.chemin_de_fer.stakes.cover import closed, covered, stakes, table
from rules_engine.games.chemin_de_fer.table import Incident, Situation, Sum


class UncoveredWin(Incident, frozen=True, tag="uncovered_win"):
    """The banker has won these stakes; the cagnotte was paid separately. He wants `to` in play for the next coup; if
    that may not be, everything."""

    tells = ("minimum", "garage")

    to: Sum

    def check(self, situation: Situation) -> None:
        if not situation.wins:
            raise ImpossibleFacts("wins", "this coup must be one that the banker has won")
        if not situation.stakes:
            raise ImpossibleFacts("stakes", "nobody staked against the bank")

    def narration(self) -> list[Sentence]:
        return [("incident.uncovered_win", {"to": self.to})]


@rule(UncoveredWin, *PT)
def uncovered_win(s: Situation, incident: UncoveredWin, r: Reasoning) -> None:
    won = covered(s, r.book)
    if won >= s.bank:
        raise NotRegulated("the stakes covered the bank: art. 46 is for a bank that was not covered")
    whole, double = s.bank + won, won * r.book.number("uncovered_multiple")
    if incident.to not in (whole, double) and garage_win(r.book, s.wins):
        raise NotRegulated("art. 34: after this win the banker may also put half aside, which is another choice")
    if any(stake.line for stake in s.stakes):
        r.pivot("43 s1", "stakes.lines_play_half", won=won)
    good = incident.to in (whole, double)
    if incident.to == whole:
        r.pivot("46", "stakes.all_stays_in_play", whole=whole, won=won)
    elif good:
        r.pivot("46", "stakes.cut_to_double", won=won, double=double, aside=whole - double)
    else:
        r.pivot("46", "stakes.all_or_double", whole=whole, double=double)
    if good and incident.to < s.minimum:
        r.pivot("35", "stakes.bank_too_small", amount=incident.to, minimum=s.minimum)
        good = False
    r.choice("allowed", "allowed" if good else "refused", critical=True)
    after = incident.to if good else whole
    r.amount("next_bank", after, tempting=[double, whole, s.bank, won, incident.to], critical=True)
    aside = s.garage + whole - after
    r.amount("garage", aside, tempting=[whole - double, s.bank - won, s.garage, won, 0], critical=True)


@case("bank_capital", {PT[0]: "46"})
def bank_not_covered(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """All of it, twice the stakes won, or something else; harder with stakes on the line and a garage already made."""
    facts = table(draw, book, difficulty)
    unit, bank = facts["unit"], facts["bank"]
    won = bank * draw.pick((1, 2, 3)) // 4
    down = stakes(draw, facts, difficulty, won, lines=True)
    facts["calls"] = closed(facts)
    other = draw.pick([sum for sum in (won, bank, won * 2 + unit) if sum != won * 2])
    to = draw.pick((bank + won, won * 2, other))
    wins = draw.pick((4, 6)) if difficulty >= 4 else draw.number(1, 2)
    garage = unit * 5 * draw.number(1, 6) if wins >= 4 else 0
    return Situation(**facts, stakes=down, wins=wins, garage=garage, incident=UncoveredWin(to=to))
