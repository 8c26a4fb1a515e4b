"""After a tie: what the pontos may do with their stakes.

Portugal 76 s2, with 43 s1 where others lie on the line.
"""

from rules_engine.authoring import ImpossibleFacts, Reasoning, Rulebook, Sentence
from rules_engine.games.baccarat.draw import Draw
from rules_engine.games.chemin_de_fer.books import PT
from rules_engine.games.chemin_de_fer.game import case, rule
from rules_engine.games.chemin_de_fer.stakes.cover import check_ponto, covered, stakes, table
from rules_engine.games.chemin_de_fer.table import Incident, Place, Situation, Stake, Sum


class StakeAfterTie(Incident, frozen=True, tag="stake_after_tie"):
    """The coup was a tie and the stakes still lie there. For the next coup a ponto wants his at `to`."""

    player: Place
    to: Sum

    def check(self, situation: Situation) -> None:
        check_ponto(situation, "player", self.player)
        if self.player not in {stake.player for stake in situation.stakes}:
            raise ImpossibleFacts("incident.player", "he had no stake in the coup")
        if any(stake.line for stake in situation.stakes if stake.player == self.player):
            raise ImpossibleFacts("stakes", "his stake must lie past the line")

    def act_asked(self) -> str:
        return "stake_after_tie" if self.to else "stake_withdrawn"

    def narration(self) -> list[Sentence]:
        wish = "withdraws" if not self.to else "wants"
        return [(f"incident.after_tie_{wish}", {"player": self.player, "to": self.to})]


@rule(StakeAfterTie, *PT)
def stake_after_tie(s: Situation, incident: StakeAfterTie, r: Reasoning) -> None:
    others = covered(s, r.book, but=incident.player)
    most = s.bank - others
    good = incident.to <= most
    r.step("76 s1", "settlement.tie_moves_nothing")
    if any(stake.line for stake in s.stakes if stake.player != incident.player):
        r.pivot("43 s1", "stakes.lines_play_half", won=others)
    r.pivot("76 s2", "settlement.free_up_to_bank" if good else "settlement.past_the_bank", most=most, bank=s.bank)
    r.choice("allowed", "allowed" if good else "refused", critical=True)
    now = covered(s, r.book) - others
    r.amount("most_staked", most, tempting=[s.bank, now, s.bank - now, s.bank - covered(s, r.book)])


@case("payment", {PT[0]: "76 s2"})
def stakes_after_tie(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """Kept, withdrawn, reduced, or raised below, up to and past the bank."""
    facts = table(draw, book, difficulty)
    unit, bank = facts["unit"], facts["bank"]
    down = stakes(draw, facts, difficulty, bank * draw.pick((2, 3)) // 4, lines=draw.chance(0.6))
    own: Stake = draw.pick([stake for stake in down if not stake.line])
    most = bank - sum(stake.amount // 2 if stake.line else stake.amount for stake in down if stake is not own)
    easy = (0, own.amount, most, most + 2 * unit, most + 4 * unit)
    near = (0, unit, most - unit, most, most + unit, most + 2 * unit, most + 3 * unit)
    to = draw.pick(near if difficulty >= 3 else easy)
    return Situation(**facts, stakes=down, incident=StakeAfterTie(player=own.player, to=to))
