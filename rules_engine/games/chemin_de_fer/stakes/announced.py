"""A bank announced at a wrong figure: what is paid and collected, and until when the banker may object.

Sanremo 26 (s1, s2, s3), with the house's share of 10 s1.
"""

from typing import Literal

from rules_engine.authoring import ImpossibleFacts, NotRegulated, Reasoning, Rulebook, Sentence, variant
from rules_engine.games.baccarat.draw import Draw
from rules_engine.games.chemin_de_fer.books import SANREMO
from rules_engine.games.chemin_de_fer.game import case, case_table, domain, rule
from rules_engine.games.chemin_de_fer.setting import pontos
from rules_engine.games.chemin_de_fer.stakes.cover import Facts, table
from rules_engine.games.chemin_de_fer.table import Call, Incident, Situation, Stake, Sum

Objection = Literal["none", "in_time", "late"]

domain("complaint", "upheld", "dismissed")


class WrongBankAnnounced(Incident, frozen=True, kw_only=True, tag="wrong_bank_announced"):
    """The croupier announced the bank at `announced`; chips worth `laid_out` are clearly spread on the table.

    In a suivi, `previous` is the bank that the banker won whole in the previous coup, leaving all of it in play except
    the house's share. `objects`: when the banker protests, if he does; late means after the coup is over and settled as
    announced.
    """

    announced: Sum
    laid_out: Sum
    previous: Sum = 0
    objects: Objection = "none"

    def check(self, situation: Situation) -> None:
        if self.announced == self.laid_out and not self.previous:
            raise ImpossibleFacts("incident.announced", "the figure announced is that of the chips")

    def narrated(self, situation: Situation) -> list[Sentence]:
        told: list[Sentence] = [("table.banker", {"banker": situation.banker})]
        if self.previous:
            told.append(("incident.suivi_of", {"previous": self.previous, "holder": situation.holder or "ponto"}))
        return [*told, *self.narration()]

    def narration(self) -> list[Sentence]:
        told: list[Sentence] = [
            ("incident.wrong_bank_announced", {"announced": self.announced, "laid_out": self.laid_out})
        ]
        return [*told, (f"incident.banker_objects_{self.objects}", {})]


def percent(book: Rulebook) -> int:
    return book.number("house_percentage")


def house_share(book: Rulebook, won: int) -> int:
    """What the house keeps of the banker's winnings."""
    share, fraction = divmod(won * percent(book), 100)
    if fraction:
        raise NotRegulated("art. 10 does not say how a fraction of the house's share is rounded")
    return share


@rule(WrongBankAnnounced, SANREMO)
def wrong_bank_announced(s: Situation, incident: WrongBankAnnounced, r: Reasoning) -> None:
    right = incident.laid_out
    wrong = [incident.announced, incident.laid_out]
    if incident.previous:
        share = house_share(r.book, incident.previous)
        right = incident.previous * 2 - share
        r.pivot("10 s1", "stakes.house_share", won=incident.previous, share=share, percent=percent(r.book))
        r.pivot("26 s2", "stakes.suivi_is_reckoned", previous=incident.previous, right=right)
        wrong += [incident.previous * 2, incident.previous]
    else:
        r.pivot("26 s1", "stakes.chips_decide", announced=incident.announced, right=right)
    if incident.objects != "none":
        late = incident.objects == "late"
        r.pivot("26 s3", "stakes.objected_late" if late else "stakes.objected_in_time")
        r.choice("complaint", "dismissed" if late else "upheld", critical=True)
        wrong.append(right)
        right = incident.announced if late else right
    r.amount("bank_counts", right, tempting=wrong, critical=True)


def _announced(draw: Draw, book: Rulebook, difficulty: int) -> Facts:
    """Somebody asks for the bancô. The opening call is left out, because the amount of the bank has to be found out."""
    facts = table(draw, book, difficulty)
    player = draw.pick(pontos(facts))
    calls = (Call(player, "banco"), Call("croupier", "closed"))
    return facts | {"calls": calls, "holder": player, "claim": "banco"}


def _slip(draw: Draw, unit: int, right: int) -> int:
    """A figure that a croupier may well say instead: off by a unit, double, or half."""
    return draw.pick((right + unit * 5, right - unit * 5, right * 2, right // 2))


@case_table(
    "bank_capital",
    variant("chips_against_words", {SANREMO: "26 s1"}, suivi=False),
    variant("suivi_wrongly_announced", {SANREMO: ("10 s1", "26 s2")}, suivi=True),
)
def _wrong(draw: Draw, book: Rulebook, difficulty: int, objects: Objection = "none", *, suivi: bool) -> Situation:
    facts = _announced(draw, book, difficulty)
    previous: int = facts.pop("bank")
    if not suivi:
        announced = _slip(draw, facts["unit"], previous)
        incident = WrongBankAnnounced(announced=announced, laid_out=previous, objects=objects)
        return Situation(**facts, **_covering(facts, announced), incident=incident)
    right = previous * 2 - house_share(book, previous)
    # Never the right sum: the chips must not give the answer away.
    laid_out = draw.pick((right - facts["unit"] * 2, right + facts["unit"] * 2, previous * 2))
    announced = draw.pick((previous * 2, right + facts["unit"] * 5, previous))
    incident = WrongBankAnnounced(announced=announced, laid_out=laid_out, previous=previous, objects=objects)
    facts["calls"] = (Call(facts["holder"], "suivi"), *facts["calls"][1:])
    return Situation(**facts, **_covering(facts, announced), incident=incident)


def _covering(facts: Facts, announced: int) -> Facts:
    """Whoever plays the bank has put down the sum that he heard."""
    return {"stakes": (Stake(facts["holder"], announced),)}


@case("bank_capital", {SANREMO: "26 s3"})
def banker_objects_to_figure(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    suivi = difficulty >= 3 and draw.chance(0.5)
    return _wrong(draw, book, difficulty, draw.pick(("in_time", "late")), suivi=suivi)
