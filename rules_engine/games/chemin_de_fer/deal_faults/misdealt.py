"""Deals gone wrong: hands exchanged by the banker (Sanremo 65 s1-s3), cards stuck (Spain 1 p3, Sanremo 34)."""

from typing import Any, ClassVar

from rules_engine.authoring import ImpossibleFacts, NotRegulated, Reasoning, Rulebook, Sentence
from rules_engine.games.baccarat.draw import Draw
from rules_engine.games.baccarat.hands import lying
from rules_engine.games.chemin_de_fer.books import SANREMO, SPAIN
from rules_engine.games.chemin_de_fer.deal_faults.rights import (
    check_kept,
    enough_left,
    kept_sentence,
    near_minimum,
    who_stakes_accepts,
)
from rules_engine.games.chemin_de_fer.game import case, rule
from rules_engine.games.chemin_de_fer.setting import coup
from rules_engine.games.chemin_de_fer.table import Claim, Incident, Side, Situation, Stake

REGULAR: tuple[Side, ...] = ("ponto", "banker", "ponto", "banker")
INVERTED: tuple[tuple[Side, ...], ...] = (
    ("banker", "ponto", "banker", "ponto"),
    ("banker", "ponto", "ponto", "banker"),
    ("ponto", "banker", "banker", "ponto"),
)


class DealInverted(Incident, frozen=True, tag="deal_inverted"):
    """The banker dealt in this order, so that each side has cards of the other. Nobody has seen any yet.

    `noticed`: the croupier saw it; `disputed`: somebody contests the correction; `kept`: what stays on the table.
    """

    phrased = {"announcement": "question.announced_stakes"}
    tells: ClassVar = ("minimum",)

    order: tuple[Side, ...]
    noticed: bool = True
    disputed: bool = False
    kept: tuple[Stake, ...] | None = None

    def sums_told(self) -> tuple[str, ...]:
        """The minimum matters only for what is left after everybody has used his right."""
        return self.tells if self.kept is not None else ()

    def check(self, situation: Situation) -> None:
        check_kept(situation, self.kept)
        if self.order not in INVERTED:
            raise ImpossibleFacts(
                "incident.order", "there must be two cards to each side, and not in the regular order"
            )
        if len(situation.ponto) != 2 or len(situation.banker_cards) != 2:
            raise ImpossibleFacts("ponto", "each side must have two cards")

    def narration(self) -> list[Sentence]:
        which = INVERTED.index(self.order) + 1
        told: list[Sentence] = [(f"incident.deal_inverted_{which}", {})]
        told.append(("incident.deal_noticed" if self.noticed else "incident.deal_not_noticed", {}))
        if self.disputed:
            told.append(("incident.deal_disputed", {}))
        return [*told, *kept_sentence(self.kept)]


@rule(DealInverted, SANREMO)
def deal_inverted_sanremo(s: Situation, incident: DealInverted, r: Reasoning) -> None:
    if incident.disputed:
        r.pivot("65 s3", "deal.inverted_disputed")
        r.choice("coup", "annulled", critical=True)
        burn_all(s, r)
        return
    if not incident.noticed:
        raise NotRegulated("art. 65 corrects an inverted deal only if the croupier has seen it")
    r.pivot("65 s1", "deal.inverted_corrected")
    r.pivot("65 s2", "deal.inverted_stakes")
    owners = _owners(incident.order)
    hands = {side: tuple(s.card(ref) for ref, owner in owners.items() if owner == side) for side in REGULAR[:2]}
    after = lying(ponto=hands["ponto"], banker=hands["banker"], shoe=s.next)
    if incident.kept is not None:
        enough_left(s, r, incident.kept, "65 s3", stands="restored", after=after)
        return
    r.choice("coup", "restored", critical=True)
    for ref, owner in owners.items():
        r.fate(ref, owner)
    r.choice("stakes_may", "change")
    who_stakes_accepts(r)
    r.after(after)


def _owners(order: tuple[Side, ...]) -> dict[str, Side]:
    """Whose each card is by its turn in the deal, by where it lies: the first and third are the ponto's."""
    taken = {"ponto": 0, "banker": 0}
    found: dict[str, Side] = {}
    for held, owner in zip(order, REGULAR, strict=True):
        taken[held] += 1
        found[f"{held}.{taken[held]}"] = owner
    return found


def burn_all(s: Situation, r: Reasoning) -> None:
    for heap in ("ponto", "banker", "loose"):
        for number in range(1, len(s.heap(heap)) + 1):
            r.fate(f"{heap}.{number}", "burned")
    r.after(lying(burned=(*s.ponto, *s.banker_cards, *s.loose), shoe=s.next))


def _inverted(draw: Draw, facts: dict[str, Any], difficulty: int, **more: Any) -> Situation:
    order = INVERTED[0] if difficulty == 1 else draw.pick(INVERTED)
    ponto, banker = draw.hand(draw.number(0, 9)), draw.hand(draw.number(0, 9))
    return Situation(**facts, ponto=ponto, banker_cards=banker, incident=DealInverted(order=order, **more))


@case("deal_faults", {SANREMO: ("65 s1", "65 s2")})
def deal_inverted(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    claim: Claim = draw.pick(("stake", "banco")) if difficulty >= 2 else "stake"
    return _inverted(draw, coup(draw, book, difficulty, claim=claim), difficulty)


@case("deal_faults", {SANREMO: "65 s3"})
def deal_inverted_and_disputed(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    return _inverted(draw, coup(draw, book, difficulty), difficulty, disputed=True, noticed=draw.chance(0.7))


@case("deal_faults", {SANREMO: ("65 s1", "65 s2", "65 s3")})
def deal_inverted_and_withdrawn(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    facts, kept = near_minimum(draw, book, difficulty)
    return _inverted(draw, facts, difficulty, kept=kept)


class StuckInDeal(Incident, frozen=True, tag="stuck_in_deal"):
    """During the deal two or more cards, the `loose` ones, came out stuck together.

    `order_certain`: it is certain which left the shoe first.
    """

    order_certain: bool

    def check(self, situation: Situation) -> None:
        if len(situation.loose) < 2:
            raise ImpossibleFacts("loose", "at least two cards must have come out together")
        if len(situation.ponto) + len(situation.banker_cards) + len(situation.loose) > 4 + 1:
            raise ImpossibleFacts("ponto", "too many cards for a deal")

    def narration(self) -> list[Sentence]:
        known = "incident.deal_stuck_order" if self.order_certain else "incident.deal_stuck_no_order"
        return [("incident.stuck_in_deal", {}), (known, {})]

    def narrated(self, situation: Situation) -> list[Sentence]:
        return [(id, {"count": len(situation.loose)}) for id, _ in super().narrated(situation)]


@rule(StuckInDeal, SPAIN)
def stuck_in_deal_spain(s: Situation, incident: StuckInDeal, r: Reasoning) -> None:
    r.pivot("1 p3", "deal.stuck_annulled", count=len(s.loose))
    r.choice("coup", "annulled", critical=True)
    r.after(lying(burned=(*s.ponto, *s.banker_cards, *s.loose), shoe=s.next))


@rule(StuckInDeal, SANREMO)
def stuck_in_deal_sanremo(s: Situation, incident: StuckInDeal, r: Reasoning) -> None:
    if not incident.order_certain:
        r.pivot("34", "deal.stuck_annulled", count=len(s.loose))
        r.choice("coup", "annulled", critical=True)
        r.after(lying(burned=(*s.ponto, *s.banker_cards, *s.loose), shoe=s.next))
        return
    r.pivot("34", "deal.stuck_told_apart")
    r.choice("coup", "stands", critical=True)
    hands: dict[str, list[str]] = {"ponto": list(s.ponto), "banker": list(s.banker_cards)}
    dealt = len(s.ponto) + len(s.banker_cards)
    for owner, card in zip(REGULAR[dealt:], s.loose, strict=False):
        hands[owner].append(card)
    over = s.loose[len(REGULAR) - dealt :]
    r.after(lying(ponto=tuple(hands["ponto"]), banker=tuple(hands["banker"]), next_coup=over, shoe=s.next))


@case("deal_faults", {SPAIN: "1 p3", SANREMO: "34"})
def cards_stuck_in_deal(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    ponto, banker = draw.pick(((0, 0), (1, 0), (1, 1)))
    stuck = 2 if difficulty <= 3 else draw.number(2, min(3, 4 - ponto - banker))
    heaps = {"ponto": ponto, "banker": banker, "loose": stuck}
    hidden = tuple(f"{heap}.{number}" for heap, count in heaps.items() for number in range(1, count + 1))
    return Situation(
        **coup(draw, book, difficulty),
        ponto=tuple(draw.card() for _ in range(ponto)),
        banker_cards=tuple(draw.card() for _ in range(banker)),
        loose=tuple(draw.card() for _ in range(stuck)),
        hidden=hidden,
        incident=StuckInDeal(order_certain=draw.chance(0.5)),
    )
