"""The bank being covered: stakes the banker must take, who completes it, and sums said but not put down.

Portugal 39 and 45 s2; Sanremo 17 (s1, s2), 52 s1 and 53.
"""

from rules_engine.authoring import ImpossibleFacts, NotRegulated, Reasoning, Rulebook, Sentence, variant
from rules_engine.games.baccarat.draw import Draw
from rules_engine.games.chemin_de_fer.books import PT, SANREMO
from rules_engine.games.chemin_de_fer.game import case, case_table, domain, rule
from rules_engine.games.chemin_de_fer.order import rank
from rules_engine.games.chemin_de_fer.outcome import worth
from rules_engine.games.chemin_de_fer.setting import pontos
from rules_engine.games.chemin_de_fer.stakes.cover import check_ponto, covered, stakes, table
from rules_engine.games.chemin_de_fer.table import Call, Incident, Place, Situation, Stake, Sum

domain("croupier_liable", "liable", "not_liable")


class BankerObjects(Incident, frozen=True, tag="banker_objects"):
    """Nobody asks for the whole bank; a ponto puts down a further stake and the banker does not want it."""

    player: Place
    amount: Sum

    def check(self, situation: Situation) -> None:
        check_ponto(situation, "player", self.player)
        if not self.amount:
            raise ImpossibleFacts("incident.amount", "nothing is staked")


@rule(BankerObjects, *PT)
def banker_objects(s: Situation, incident: BankerObjects, r: Reasoning) -> None:
    room = max(0, s.bank - covered(s, r.book))
    plays = min(room, incident.amount)
    text = "stakes.must_take_up_to_bank" if plays else "stakes.bank_full"
    r.pivot("45 s2", text, bank=s.bank, room=room, plays=plays)
    r.choice("allowed", "allowed" if plays else "refused", critical=True)
    r.choice("stake_taken", "none" if not plays else "whole" if plays == incident.amount else "part", critical=True)
    r.amount("stake_plays", plays, tempting=[incident.amount, room, s.bank, 0], critical=True)


class Completes(Incident, frozen=True, tag="completes"):
    """A ponto, seated or standing, says that he plays what the bank still lacks."""

    player: Place

    def check(self, situation: Situation) -> None:
        check_ponto(situation, "player", self.player)


@rule(Completes, SANREMO)
def completes(s: Situation, incident: Completes, r: Reasoning) -> None:
    room = s.bank - covered(s, r.book)
    if room <= 0:
        raise NotRegulated("art. 52: the stakes already cover the bank")
    r.pivot("52 s1", "stakes.anyone_completes", player=incident.player, room=room)
    r.choice("allowed", "allowed", critical=True)
    before = sum(stake.amount for stake in s.stakes if stake.player == incident.player)
    r.amount("stake_plays", room, tempting=[s.bank, s.bank - room, room + before, room // 2], critical=True)


class TableBancoAdds(Incident, frozen=True, tag="table_banco_adds"):
    """The player of a bancô with the table stakes `extra` besides. The other stakes are on the table too.

    The banker has the hand in his own turn, so stakes are counted from his right.
    """

    extra: Sum

    def check(self, situation: Situation) -> None:
        if situation.claim != "banco_table" or situation.holder is None:
            raise ImpossibleFacts("claim", "nobody plays bancô with the table")
        if not self.extra:
            raise ImpossibleFacts("incident.extra", "nothing is added")
        if not situation.banker.isdigit():
            raise ImpossibleFacts("banker", "a standing banker took a hand that some seat had passed")


@rule(TableBancoAdds, SANREMO)
def table_banco_adds(s: Situation, incident: TableBancoAdds, r: Reasoning) -> None:
    holder = str(s.holder)
    banco = sum(worth(stake, r.book) for stake in s.stakes if stake.player == holder)
    waiting = {stake.player: worth(stake, r.book) for stake in s.stakes if stake.player != holder}
    waiting[holder] = incident.extra
    room, plays = s.bank - banco, 0
    for place in sorted(waiting, key=lambda place: rank(s.banker, place)):
        taken = min(room, waiting[place])
        room -= taken
        if place == holder:
            plays = taken
    r.pivot("53", "stakes.extra_by_the_hand", holder=holder, banco=banco, extra=incident.extra, plays=plays)
    r.choice("allowed", "allowed")
    r.amount("banco_sum", banco, tempting=[banco + incident.extra, banco + plays, s.bank], critical=True)
    left = s.bank - sum(worth(stake, r.book) for stake in s.stakes)
    r.amount("extra_plays", plays, tempting=[incident.extra, max(0, left), banco + plays, 0], critical=True)


class SumShort(Incident, frozen=True, tag="sum_short"):
    """The banker or a ponto has said a sum and put down less. `dealt`: asked to cover it, the banker dealt instead, and
    an error in the payments resulted."""

    player: Place
    said: Sum
    down: Sum
    dealt: bool = False

    def check(self, situation: Situation) -> None:
        if self.player not in {*map(str, situation.seats), *situation.standing}:
            raise ImpossibleFacts("incident.player", "nobody is at {place}", place=self.player)
        if self.down >= self.said:
            raise ImpossibleFacts("incident.down", "the sum said is covered")
        if self.dealt and self.player != situation.banker:
            raise ImpossibleFacts("incident.dealt", "only the banker deals")

    def narration(self) -> list[Sentence]:
        values = {"player": self.player, "said": self.said, "down": self.down}
        told: list[Sentence] = [("incident.sum_short", values)]
        return [*told, ("incident.sum_short_dealt", {"player": self.player})] if self.dealt else told


@rule(SumShort, *PT)
def sum_short_pt(s: Situation, incident: SumShort, r: Reasoning) -> None:
    if incident.dealt or incident.player != s.banker:
        raise NotRegulated("art. 39 speaks only of the chips that must stand for the bank, before the deal")
    r.pivot("39", "stakes.chips_for_the_bank", said=incident.said, due=incident.said - incident.down)
    _due(incident, r)


@rule(SumShort, SANREMO)
def sum_short_sanremo(s: Situation, incident: SumShort, r: Reasoning) -> None:
    r.pivot("17 s1", "stakes.demand_cover", player=incident.player, due=incident.said - incident.down)
    _due(incident, r)
    if incident.dealt:
        r.pivot("17 s2", "stakes.banker_left_it_short")
        r.choice("croupier_liable", "not_liable", critical=True)


def _due(incident: SumShort, r: Reasoning) -> None:
    due = incident.said - incident.down
    r.amount("cover_due", due, tempting=[incident.said, incident.down, 0], critical=True)


@case("stakes", {PT[0]: "45 s2"})
def unwanted_stake(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """A stake within the room left, filling it or passing it; harder, the bank may be full."""
    facts = table(draw, book, difficulty)
    unit, bank = facts["unit"], facts["bank"]
    player = draw.pick(pontos(facts))
    quarters = draw.pick((1, 2, 3, 4, 4) if difficulty >= 3 else (2, 3, 4))
    down = stakes(draw, facts, difficulty, bank * quarters // 4, lines=True, but=(player,))
    room = bank // unit // 4
    amount = unit * draw.number(1, room * 3) if difficulty >= 2 else unit * draw.number(1, room)
    return Situation(**facts, stakes=down, incident=BankerObjects(player=player, amount=amount))


@case("stakes", {SANREMO: "52 s1"})
def rest_of_the_bank(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    facts = table(draw, book, difficulty)
    player = draw.pick(pontos(facts))
    down = stakes(draw, facts, difficulty, facts["bank"] * draw.pick((1, 2, 3)) // 4, lines=True, but=(player,))
    facts["calls"] = (*facts["calls"], Call(player, "completes"))
    return Situation(**facts, stakes=down, incident=Completes(player=player))


@case("stakes", {SANREMO: "53"})
def extra_beside_table_banco(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """Others have staked for part or all of the other half; harder tables stake more than there is room for."""
    facts = table(draw, book, difficulty)
    unit, bank = facts["unit"], facts["bank"]
    holder = draw.pick(pontos(facts))
    quarters = draw.pick((1, 2)) if difficulty >= 3 else 1
    others = stakes(draw, facts, difficulty, bank * quarters // 4, but=(holder,))
    extra = unit * draw.number(1, bank // unit // 4 + (3 if difficulty >= 3 else 0))
    facts["calls"] = (*facts["calls"], Call(holder, "banco_table"))
    facts |= {"stakes": (Stake(holder, bank // 2), *others), "holder": holder, "claim": "banco_table"}
    return Situation(**facts, incident=TableBancoAdds(extra=extra))


@case_table(
    "stakes",
    variant("bank_not_put_down", {PT[0]: "39", SANREMO: "17 s1"}),
    variant("stake_not_put_down", {SANREMO: "17 s1"}, banker=False),
    variant("banker_deals_uncovered", {SANREMO: ("17 s1", "17 s2")}, dealt=True),
)
def _short(draw: Draw, book: Rulebook, difficulty: int, *, dealt: bool = False, banker: bool = True) -> Situation:
    facts = table(draw, book, difficulty)
    unit, bank = facts["unit"], facts["bank"]
    player = facts["banker"] if banker else draw.pick(pontos(facts))
    said = bank if banker else unit * draw.number(2, bank // unit // 2)
    down = said - unit * draw.number(1, said // unit - 1)
    facts["stakes"] = stakes(draw, facts, difficulty, bank // 2, but=(player,))
    return Situation(**facts, incident=SumShort(player=player, said=said, down=down, dealt=dealt))
