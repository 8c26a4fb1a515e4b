"""The banker looks at, or shows, his cards before the ponto has spoken.

Sanremo 57 s1-s4 (looked), 58 (the ponto asks him instead whether he gives a card), 59 s1-s2 (showed).
"""

from typing import Any, ClassVar, Literal

from rules_engine.authoring import ImpossibleFacts, NotRegulated, Reasoning, Rulebook, Sentence
from rules_engine.games.baccarat.cards import score
from rules_engine.games.baccarat.draw import Draw
from rules_engine.games.baccarat.hands import lying
from rules_engine.games.chemin_de_fer.books import SANREMO
from rules_engine.games.chemin_de_fer.deal_faults.rights import (
    check_kept,
    enough_left,
    kept_sentence,
    near_minimum,
    who_stakes_accepts,
)
from rules_engine.games.chemin_de_fer.game import case, domain, rule
from rules_engine.games.chemin_de_fer.setting import coup
from rules_engine.games.chemin_de_fer.table import Claim, Incident, Situation, Stake

PontoCards = tuple[Literal["ponto.1", "ponto.2"], ...]
BankerCards = tuple[Literal["banker.1", "banker.2"], ...]
HIDDEN = ("ponto.1", "ponto.2", "banker.1", "banker.2")

domain("count_as_seen", "none", "first", "second", "both")


def _check_dealt(s: Situation) -> None:
    if len(s.ponto) != 2 or len(s.banker_cards) != 2:
        raise ImpossibleFacts("ponto", "each side must have two cards when nobody has spoken")


class BankerLookedEarly(Incident, frozen=True, tag="banker_looked_early"):
    """The banker has looked at his cards before the ponto looked at his.

    `taken`: the ponto has his cards in hand; `asks`: he has asked the banker whether he gives a card; `kept`: what
    stays on the table after everybody has used his right.
    """

    phrased = {"announcement": "question.announced_stakes"}
    tells: ClassVar = ("minimum",)

    taken: bool = False
    asks: bool = False
    kept: tuple[Stake, ...] | None = None

    def sums_told(self) -> tuple[str, ...]:
        """The minimum matters only for what is left after everybody has used his right."""
        return self.tells if self.kept is not None else ()

    def check(self, situation: Situation) -> None:
        _check_dealt(situation)
        check_kept(situation, self.kept)
        if self.asks and self.kept is not None:
            raise ImpossibleFacts("incident.kept", "whoever asks the banker for his word has accepted the coup")

    def narration(self) -> list[Sentence]:
        taken = "deal_cards_taken" if self.taken else "deal_cards_not_taken"
        told: list[Sentence] = [("incident.banker_looked_early", {}), (f"incident.{taken}", {})]
        if self.asks:
            told.append(("incident.deal_asks_banker", {}))
        return [*told, *kept_sentence(self.kept)]


@rule(BankerLookedEarly, SANREMO)
def banker_looked_early_sanremo(s: Situation, incident: BankerLookedEarly, r: Reasoning) -> None:
    sole = s.claim == "banco"
    if incident.asks:
        r.pivot("58", "deal.asked_is_bound")
        right = "unchanged"
    elif sole:
        r.pivot("57 s1", "deal.sole_taken" if incident.taken else "deal.sole_may_refuse")
        right = "unchanged" if incident.taken else "refuse_banco"
    else:
        r.pivot("57 s2", "deal.several_may_withdraw")
        right = "withdraw_or_reduce"
    if incident.kept is not None:
        enough_left(s, r, incident.kept, "57 s4")
        return
    r.choice("stakes_may", right, critical=True)
    if right == "withdraw_or_reduce":
        r.pivot("57 s3", "deal.formula_accepts")
        who_stakes_accepts(r)
    r.after(lying(ponto=s.ponto, banker=s.banker_cards, shoe=s.next))


def _looked(draw: Draw, facts: dict[str, Any], incident: Incident) -> Situation:
    ponto, banker = draw.hand(draw.number(0, 9)), draw.hand(draw.number(0, 9))
    return Situation(**facts, ponto=ponto, banker_cards=banker, hidden=HIDDEN, incident=incident)


@case("deal_faults", {SANREMO: "57 s1"})
def looked_against_banco(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    return _looked(draw, coup(draw, book, difficulty, claim="banco"), BankerLookedEarly(taken=draw.chance(0.5)))


@case("deal_faults", {SANREMO: ("57 s2", "57 s3")})
def looked_against_several(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    claim: Claim = draw.pick(("stake", "banco_table"))
    taken = difficulty >= 2 and draw.chance(0.5)
    return _looked(draw, coup(draw, book, difficulty, claim=claim), BankerLookedEarly(taken=taken))


@case("deal_faults", {SANREMO: ("57 s2", "57 s4")})
def looked_and_withdrawn(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    facts, kept = near_minimum(draw, book, difficulty)
    return _looked(draw, facts, BankerLookedEarly(kept=kept))


@case("deal_faults", {SANREMO: "58"})
def looked_and_asked(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    claim: Claim = draw.pick(("stake", "banco"))
    return _looked(draw, coup(draw, book, difficulty, claim=claim), BankerLookedEarly(asks=True))


class BankerShowedEarly(Incident, frozen=True, tag="banker_showed_early"):
    """The banker has uncovered these of his cards before the ponto spoke; the ponto has touched these of his.

    `spoken`: the ponto had spoken after all, as the calls show; a player wants his stake back anyway.
    """

    uncovered: BankerCards
    touched: PontoCards = ()
    spoken: bool = False

    def check(self, situation: Situation) -> None:
        _check_dealt(situation)
        if not self.uncovered:
            raise ImpossibleFacts("incident.uncovered", "the banker has uncovered nothing")
        if self.spoken != any(call.by == "ponto" for call in situation.calls):
            raise ImpossibleFacts("incident.spoken", "the calls must tell whether the ponto has spoken")

    def narration(self) -> list[Sentence]:
        if self.spoken:
            return [("incident.banker_showed_in_turn", {})]
        told = "banker_showed_early" if len(self.uncovered) == 2 else "deal_banker_uncovered_one"
        return [(f"incident.{told}", {}), (f"incident.deal_touched.{_which(self.touched)}", {})]


def _which(cards: tuple[str, ...]) -> str:
    if len(cards) == 2:
        return "both"
    return {"ponto.1": "first", "ponto.2": "second"}[cards[0]] if cards else "none"


@rule(BankerShowedEarly, SANREMO)
def banker_showed_early_sanremo(s: Situation, incident: BankerShowedEarly, r: Reasoning) -> None:
    if incident.spoken:
        raise NotRegulated("art. 59 speaks of a banker who uncovers out of time, and here the ponto had spoken")
    natural = len(incident.uncovered) == 2 and score(s.banker_cards) >= 8
    r.pivot("59 s1", "deal.showed_natural_early" if natural else "deal.uncovered_early")
    if incident.touched:
        r.pivot("59 s2", "deal.touched_binds", count=len(incident.touched))
    r.choice("stakes_may", "unchanged" if incident.touched else "withdraw", critical=True)
    r.choice("count_as_seen", _which(incident.touched))
    r.after(lying(ponto=s.ponto, banker=s.banker_cards, shoe=s.next))


def _showed(draw: Draw, book: Rulebook, difficulty: int, touched: PontoCards) -> Situation:
    claim: Claim = draw.pick(("stake", "banco")) if difficulty >= 2 else "stake"
    one: tuple[BankerCards, ...] = (("banker.1",), ("banker.2",))
    uncovered: BankerCards = ("banker.1", "banker.2") if draw.chance(0.6) else draw.pick(one)
    points = draw.pick((8, 9)) if len(uncovered) == 2 else draw.number(0, 9)
    return Situation(
        **coup(draw, book, difficulty, claim=claim),
        ponto=draw.hand(draw.number(0, 9)),
        banker_cards=draw.hand(points),
        hidden=tuple(ref for ref in HIDDEN if ref not in uncovered),
        incident=BankerShowedEarly(uncovered=uncovered, touched=touched),
    )


@case("deal_faults", {SANREMO: "59 s1"})
def showed_before_ponto(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    return _showed(draw, book, difficulty, ("ponto.1",) if draw.chance(0.2) else ())


@case("deal_faults", {SANREMO: ("59 s1", "59 s2")})
def showed_after_touching(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    ways: tuple[PontoCards, ...] = (("ponto.1",), ("ponto.2",), ("ponto.1", "ponto.2"))
    return _showed(draw, book, difficulty, draw.pick(ways))
