"""The house's share of a coup that the banker wins: how much, and whether it comes out of the bank.

Portugal 47, with 43 s1 on line stakes; Sanremo 10 s1.
"""

from rules_engine.authoring import ImpossibleFacts, Reasoning, Rulebook, Sentence
from rules_engine.games.baccarat.draw import Draw
from rules_engine.games.chemin_de_fer.books import PT, SANREMO
from rules_engine.games.chemin_de_fer.game import case, rule
from rules_engine.games.chemin_de_fer.stakes.announced import house_share, percent
from rules_engine.games.chemin_de_fer.stakes.cover import closed, covered, stakes, table
from rules_engine.games.chemin_de_fer.table import Incident, Situation, Sum


class BankWon(Incident, frozen=True, tag="bank_won"):
    """The banker has won these stakes and leaves everything in play.

    In Portugal `due` is the cagnotte that the casino takes, and with `apart` the banker wants to pay it himself.
    """

    due: Sum = 0
    apart: bool = False

    def check(self, situation: Situation) -> None:
        if not situation.stakes:
            raise ImpossibleFacts("stakes", "nobody staked against the bank")
        if self.apart and not self.due:
            raise ImpossibleFacts("incident.due", "there is nothing to pay apart")

    def narration(self) -> list[Sentence]:
        told: list[Sentence] = [("incident.bank_won", {})]
        if self.due:
            told.append((f"incident.cagnotte_{'apart' if self.apart else 'from_bank'}", {"due": self.due}))
        return told


@rule(BankWon, *PT)
def bank_won_pt(s: Situation, incident: BankWon, r: Reasoning) -> None:
    won = covered(s, r.book)
    taken = 0 if incident.apart else incident.due
    if any(stake.line for stake in s.stakes):
        r.pivot("43 s1", "stakes.lines_play_half", won=won)
    text = "settlement.cagnotte_apart" if incident.apart else "settlement.cagnotte_from_bank"
    r.pivot("47", text, due=incident.due)
    if won < s.bank:
        r.step("46", "stakes.all_stays_in_play", whole=s.bank + won, won=won)
    r.choice("allowed", "allowed")
    after = s.bank + won - taken
    wrong = [s.bank + won - incident.due, s.bank + won, won - incident.due, s.bank - incident.due]
    r.amount("next_bank", after, tempting=wrong, critical=True)


@rule(BankWon, SANREMO)
def bank_won_sanremo(s: Situation, incident: BankWon, r: Reasoning) -> None:
    won = covered(s, r.book)
    share = house_share(r.book, won)
    if any(stake.line for stake in s.stakes):
        r.step("16 s1", "stakes.lines_play_half", won=won)
    r.pivot("10 s1", "stakes.house_share", won=won, share=share, percent=percent(r.book))
    wrong = [s.bank * share // won, (s.bank + won) * share // won, share * 2] if won else []
    r.amount("cagnotte", share, tempting=wrong, critical=True)


@case("payment", {PT[0]: "47"})
def cagnotte_apart_or_not(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    facts = table(draw, book, difficulty)
    won = facts["bank"] * draw.pick((2, 3, 4)) // 4
    down = stakes(draw, facts, difficulty, won, lines=draw.chance(0.6))
    facts["calls"] = closed(facts)
    due = facts["unit"] * draw.number(1, 4)
    incident = BankWon(due=due, apart=draw.chance(0.6))
    return Situation(**facts, stakes=down, wins=draw.number(1, 2), incident=incident)


@case("payment", {SANREMO: "10 s1"})
def share_of_the_house(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """A covered bank at the easy tables; harder, part of it covered and a stake on the line."""
    facts = table(draw, book, difficulty)
    won = facts["bank"] if difficulty <= 1 else facts["bank"] * draw.pick((1, 2, 3)) // 4
    # The share must be a whole sum.
    won -= won % (2 * facts["unit"])
    down = stakes(draw, facts, difficulty, won, lines=draw.chance(0.6))
    facts["calls"] = closed(facts)
    return Situation(**facts, stakes=down, wins=draw.number(1, 4), incident=BankWon())
