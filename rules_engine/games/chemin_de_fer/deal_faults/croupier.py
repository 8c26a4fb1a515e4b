"""Faults of the croupier in the deal: cards mixed in passing them, cards turned up.

Portugal 106 c; Spain 2 p1-1, 2 p1-2 and 2 p2.
"""

from typing import Any, Literal

from rules_engine.authoring import ImpossibleFacts, NotRegulated, Reasoning, Rulebook, Sentence
from rules_engine.games.baccarat.draw import Draw
from rules_engine.games.baccarat.hands import lying
from rules_engine.games.chemin_de_fer.books import PT, SPAIN
from rules_engine.games.chemin_de_fer.deal_faults import exposed  # noqa: F401  (declares how the banker plays)
from rules_engine.games.chemin_de_fer.deal_faults.misdealt import REGULAR, burn_all
from rules_engine.games.chemin_de_fer.game import case, domain, rule
from rules_engine.games.chemin_de_fer.outcome import annul
from rules_engine.games.chemin_de_fer.setting import coup
from rules_engine.games.chemin_de_fer.table import Claim, Incident, Situation

domain("ponto_plays", "free", "table")


class CroupierMixedCards(Incident, frozen=True, tag="croupier_mixed_cards"):
    """While passing the cards the croupier mixed the four that were dealt; they are `loose`.

    `order`: which of them left the shoe first, second, third and fourth, if somebody can vouch for it; `seen`: a player
    has seen a card that may not be his.
    """

    order: tuple[int, ...] = ()
    seen: bool = False

    def check(self, situation: Situation) -> None:
        if len(situation.loose) != len(REGULAR) or situation.ponto or situation.banker_cards:
            raise ImpossibleFacts("loose", "the four cards of the deal must lie mixed")
        if self.order and sorted(self.order) != [1, 2, 3, 4]:
            raise ImpossibleFacts("incident.order", "it must name each of the four cards once")

    def narration(self) -> list[Sentence]:
        told: list[Sentence] = [("incident.croupier_mixed_cards", {})]
        if self.order:
            told.append(("incident.deal_order_known", {"order": ", ".join(map(str, self.order))}))
        else:
            told.append(("incident.deal_order_unknown", {}))
        told.append(("incident.deal_mixed_seen" if self.seen else "incident.deal_mixed_unseen", {}))
        return told


@rule(CroupierMixedCards, *PT)
def croupier_mixed_cards_pt(s: Situation, incident: CroupierMixedCards, r: Reasoning) -> None:
    _mixed(s, r, "106 c", "97 s2", incident, rebuilt=bool(incident.order))


@rule(CroupierMixedCards, SPAIN)
def croupier_mixed_cards_spain(s: Situation, incident: CroupierMixedCards, r: Reasoning) -> None:
    _mixed(s, r, "2 p2", "1 p1-2", incident, rebuilt=bool(incident.order) and not incident.seen)


def _mixed(s: Situation, r: Reasoning, cite: str, back: str, incident: CroupierMixedCards, *, rebuilt: bool) -> None:
    """Annulled, unless each card can be given back to the side it was dealt to. `back`: that no card goes back into
    the shoe."""
    if not rebuilt:
        r.pivot(cite, "deal.mixed_seen_annulled" if incident.order else "deal.mixed_annulled")
        r.choice("coup", "annulled", tempting=("stands", "restored"), critical=True)
        r.step(back, "deal.mixed_burned")
        burn_all(s, r)
        return
    r.pivot(cite, "deal.mixed_rebuilt")
    r.choice("coup", "restored", tempting=("stands", "annulled"), critical=True)
    hands: dict[str, list[str]] = {"ponto": [], "banker": []}
    for number, owner in zip(incident.order, REGULAR, strict=True):
        hands[owner].append(s.loose[number - 1])
    for number in range(1, len(s.loose) + 1):
        r.fate(f"loose.{number}", REGULAR[incident.order.index(number)])
    r.after(lying(ponto=tuple(hands["ponto"]), banker=tuple(hands["banker"]), shoe=s.next))


@case("croupier_faults", {PT[0]: "106 c", SPAIN: "2 p2"})
def croupier_mixed(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    order = tuple(draw.shuffled((1, 2, 3, 4))) if draw.chance(0.6) else ()
    return Situation(
        **coup(draw, book, difficulty),
        loose=tuple(draw.card() for _ in range(4)),
        hidden=tuple(f"loose.{number}" for number in range(1, 5)),
        incident=CroupierMixedCards(order=order, seen=book.coded_as == SPAIN and draw.chance(0.5)),
    )


class CroupierExposedCards(Incident, frozen=True, tag="croupier_exposed_cards"):
    """During the deal the croupier turned up these cards by accident; `unseen`: he covered them before anybody saw
    them.

    `banker_shows`: the banker has since turned up his own.
    """

    cards: tuple[Literal["ponto.1", "ponto.2", "banker.1", "banker.2"], ...]
    unseen: bool = False
    banker_shows: bool = False

    def check(self, situation: Situation) -> None:
        if len(situation.ponto) != 2 or len(situation.banker_cards) != 2:
            raise ImpossibleFacts("ponto", "each side must have two cards")
        if not self.cards or len(set(self.cards)) != len(self.cards):
            raise ImpossibleFacts("incident.cards", "one or more different cards must have been turned up")

    def narration(self) -> list[Sentence]:
        told: list[Sentence] = []
        for side in ("ponto", "banker"):
            own = [card for card in self.cards if card.startswith(side)]
            also = "_also" if told else ""
            if len(own) == 2:
                told.append((f"incident.croupier_exposed_both{also}", {"side": side}))
            elif own:
                told.append((f"incident.croupier_exposed_cards{also}", {"card": own[0]}))
        told += [("incident.croupier_exposed_unseen", {})] if self.unseen else []
        return [*told, ("incident.croupier_exposed_banker_shows", {})] if self.banker_shows else told


@rule(CroupierExposedCards, SPAIN)
def croupier_exposed_cards_spain(s: Situation, incident: CroupierExposedCards, r: Reasoning) -> None:
    if incident.unseen:
        raise NotRegulated("art. 2 §1 speaks of cards that were uncovered, and nobody saw these")
    r.pivot("2 p1-1", "deal.croupier_exposed_by_table")
    both = {"ponto.1", "ponto.2"} <= set(incident.cards)
    if both:
        r.pivot("2 p1-2", "deal.croupier_exposed_draws")
    r.choice("ponto_plays", "table")
    plays = "table_draws" if both else "table"
    r.choice("banker_plays", plays, tempting=("free", "table", "table_draws", "table_stands"), critical=True)
    r.after(lying(ponto=s.ponto, banker=s.banker_cards, shoe=s.next))


@rule(CroupierExposedCards, *PT)
def croupier_exposed_cards_pt(s: Situation, incident: CroupierExposedCards, r: Reasoning) -> None:
    if not set(incident.cards) <= {"ponto.1", "ponto.2"}:
        raise NotRegulated(
            "art. 106 c) speaks of the cards that the croupier passes, and he passes only the ponto's (art. 63)"
        )
    r.pivot("106 c", "deal.fault_in_passing")
    if incident.unseen:
        r.step("106 c-2", "deal.unseen_goes_on")
        r.choice("coup", "restored", critical=True)
        r.after(lying(ponto=s.ponto, banker=s.banker_cards, shoe=s.next))
        return
    if r.book.reads("PT106", "by_table"):
        r.pivot("106 c-2", "deal.exposed_goes_on_by_table")
        r.choice("coup", "restored", critical=True)
        r.after(lying(ponto=s.ponto, banker=s.banker_cards, shoe=s.next))
        return
    r.pivot("106 c-2", "deal.exposed_cannot_be_undone")
    annul(s, r)


def _turned_up(
    draw: Draw, book: Rulebook, difficulty: int, cards: tuple[Any, ...], *, unseen: bool = False
) -> Situation:
    claim: Claim = draw.pick(("stake", "banco")) if difficulty >= 2 else "stake"
    dealt = ("ponto.1", "ponto.2", "banker.1", "banker.2")
    return Situation(
        **coup(draw, book, difficulty, claim=claim),
        ponto=draw.hand(draw.number(0, 9)),
        banker_cards=draw.hand(draw.number(0, 9)),
        hidden=dealt if unseen else tuple(ref for ref in dealt if ref not in cards),
        incident=CroupierExposedCards(cards=cards, unseen=unseen),
    )


@case("croupier_faults", {PT[0]: ("106 c", "106 c-2")})
def croupier_exposed_passing(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    return _turned_up(draw, book, difficulty, draw.pick((("ponto.1",), ("ponto.2",), ("ponto.1", "ponto.2"))))


@case("croupier_faults", {PT[0]: "106 c"})
def croupier_exposed_unseen(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """A look-alike: covered again before anybody saw a face, so the coup can be put right."""
    ways = (("ponto.1",), ("ponto.2",), ("ponto.1", "ponto.2"))
    return _turned_up(draw, book, difficulty, draw.pick(ways), unseen=True)


@case("croupier_faults", {SPAIN: "2 p1-1"})
def croupier_exposed_some(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    ways = (("ponto.1",), ("ponto.2",), ("banker.1",), ("banker.2",), ("banker.1", "banker.2"))
    return _turned_up(draw, book, difficulty, draw.pick(ways[:4] if difficulty == 1 else ways))


@case("croupier_faults", {SPAIN: ("2 p1-1", "2 p1-2")})
def croupier_exposed_both(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    more = difficulty >= 3 and draw.chance(0.5)
    cards = ("ponto.1", "ponto.2", "banker.1") if more else ("ponto.1", "ponto.2")
    return _turned_up(draw, book, difficulty, cards)
