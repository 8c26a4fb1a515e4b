"""Slips in the deal: corrected at once, void only if that is impossible. A card lying face up in the shoe is good.

1995: 7, 14 s1 to s3 (third cards drawn or left out are in `third_cards`). The present Macau text does not mention them.
"""

from collections.abc import Mapping
from typing import Literal

from rules_engine.authoring import ImpossibleFacts, Reasoning, Rulebook, Sentence
from rules_engine.games.baccarat.draw import Draw
from rules_engine.games.baccarat.hands import lying
from rules_engine.games.ponto_banca.books import TEXTS_1995, articles
from rules_engine.games.ponto_banca.game import case, rule
from rules_engine.games.ponto_banca.outcome import (
    Ending,
    due,
    explain_draws,
    explain_surplus,
    finish,
    play_out,
    surplus_goes,
    without_surplus,
)
from rules_engine.games.ponto_banca.setting import cards, closed, ending, in_order
from rules_engine.games.ponto_banca.table import OTHER, Incident, Side, Situation

Trace = Literal["in_order", "recalled", "mixed", "swept"]
FIRST_FOUR = 4
# The most cards that a coup can have out of the shoe, including one too many.
LOOSE = tuple(f"loose.{number}" for number in range(1, 8))


class FaceUpInShoe(Incident, frozen=True, tag="face_up_in_shoe"):
    """During a coup the next card of the shoe is face up."""

    def check(self, situation: Situation) -> None:
        if not situation.next:
            raise ImpossibleFacts("next", "there is no card in the shoe")


class Misdealt(Incident, frozen=True, tag="misdealt"):
    """The cards in `loose` left the shoe in that order and were wrongly given to the sides in `given`.

    `trace` says what is still known: they lie as they fell, or everybody remembers their order, or they were mixed
    together, or swept among the used cards. In the last two cases nobody can say which came first.
    """

    trace: Trace
    given: tuple[Side, ...] = ()

    def check(self, situation: Situation) -> None:
        if situation.ponto or situation.banker_cards or not situation.loose:
            raise ImpossibleFacts("loose", "the misdealt cards must lie there and nowhere else")
        traced = self.trace in ("in_order", "recalled")
        if len(self.given) != (len(situation.loose) if traced else 0):
            raise ImpossibleFacts("incident.given", "name a side for each card whose way is known, and none otherwise")
        if len(situation.next) < 4:
            raise ImpossibleFacts("next", "the next four cards of the shoe must be known")

    def narration(self) -> list[Sentence]:
        return [(f"incident.misdealt_{self.trace}", {"given": self.given})]

    def elsewhere(self) -> Mapping[str, str]:
        return dict.fromkeys(LOOSE, "used") if self.trace == "swept" else {}

    def sorts(self, situation: Situation) -> set[str]:
        return {self.trace, "first cards" if len(situation.loose) <= FIRST_FOUR else "third cards"}


@rule(FaceUpInShoe, *TEXTS_1995)
def face_up_in_shoe(s: Situation, incident: FaceUpInShoe, r: Reasoning) -> None:
    side = due(r.book, s.ponto, s.banker_cards)
    if side is None:
        raise ImpossibleFacts("next", "the coup is over: no card is due")
    played = play_out(r.book, s.next, ponto=s.ponto, banker=s.banker_cards)
    r.pivot("7", "face_up_valid", card=s.next[0], side=side)
    r.choice("coup", "stands", critical=True)
    r.fate("next.1", side)
    explain_draws(r, played, pivot=False)
    finish(s, r, played)


@rule(Misdealt, *TEXTS_1995)
def misdealt(s: Situation, incident: Misdealt, r: Reasoning) -> None:
    if incident.trace in ("mixed", "swept"):
        r.step("14 s1", "correct_if_possible")
        r.pivot("14 s2", f"{incident.trace}")
        r.choice("coup", "annulled", critical=True)
        for index in range(len(s.loose)):
            r.fate(f"loose.{index + 1}", "burned")
        r.choice("winner", "nobody", critical=True)
        r.after(lying(burned=s.loose, shoe=s.next))
        return
    played = play_out(r.book, s.loose + s.next)
    right = played.sides[: len(s.loose)]
    slip = right != incident.given
    r.pivot("14 s1", "corrected" if slip else "no_slip")
    r.choice("coup", "restored" if slip else "stands", critical=True)
    for index, side in enumerate(right):
        r.fate(f"loose.{index + 1}", side)
    surplus = s.loose[len(right) :]
    if surplus:
        explain_surplus(r, surplus, pivot=False)
    for number in range(len(right) + 1, len(s.loose) + 1):
        r.fate(f"loose.{number}", surplus_goes(r.book))
    explain_draws(r, played, pivot=False)
    done, burned = without_surplus(r.book, played, surplus)
    finish(s, r, done, burned=burned)


def _coup(draw: Draw, book: Rulebook, *, extra: tuple[int, ...]) -> tuple[Ending, tuple[str, ...]]:
    """A coup with so many third cards, and its cards in the order of the shoe."""
    way = ending(draw, book, extra=extra)
    hands = cards(draw, way)
    return way, in_order(hands["ponto"], hands["banker_cards"])


@case("lapses", articles("7"))
def face_up_card(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """Easy: among the first four cards. Harder: where a third card is due."""
    facts = closed(draw, book, difficulty)
    way, row = _coup(draw, book, extra=(1, 2))
    third_at = 5 if way.extra == 2 and difficulty >= 4 else 4
    out = draw.number(1, 3) if difficulty <= 2 else third_at
    played = _given(book, row[:out])
    rest = (*row[out:], *(draw.card() for _ in range(2)))
    return Situation(**facts, ponto=played["ponto"], banker_cards=played["banker"], next=rest, incident=FaceUpInShoe())


def _given(book: Rulebook, row: tuple[str, ...]) -> dict[Side, tuple[str, ...]]:
    """Cards given in turn to the sides they are due to."""
    hands: dict[Side, tuple[str, ...]] = {"ponto": (), "banker": ()}
    for card in row:
        side = due(book, hands["ponto"], hands["banker"]) or "ponto"
        hands[side] = (*hands[side], card)
    return hands


def _slip(draw: Draw, book: Rulebook, difficulty: int) -> tuple[tuple[str, ...], tuple[Side, ...]]:
    """Cards in the order of the shoe, and the sides they were wrongly given to.

    Easy: two neighbours of the first four exchanged. Then a third card to the wrong side. Hardest: a card too many.
    """
    _, row = _coup(draw, book, extra=(0, 1) if difficulty >= 5 else (1, 2))
    sides = list(play_out(book, row).sides)
    if difficulty <= 2:
        first = draw.number(0, 2)
        sides[first], sides[first + 1] = sides[first + 1], sides[first]
        return row[:4], tuple(sides[:4])
    if difficulty <= 4:
        sides[4] = OTHER[sides[4]]
        return row[:5], tuple(sides[:5])
    return (*row, draw.card()), (*sides, draw.pick(("ponto", "banker")))


@case("lapses", articles("14 s1"))
def slip_put_right(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """Now and then the player who speaks of a slip is wrong."""
    facts = closed(draw, book, difficulty)
    row, given = _slip(draw, book, difficulty)
    if draw.chance(0.25):
        row, given = row[:FIRST_FOUR], ("ponto", "banker", "ponto", "banker")
    trace: Trace = draw.pick(("in_order", "recalled"))
    rest = tuple(draw.card() for _ in range(4))
    return Situation(**facts, loose=row, next=rest, incident=Misdealt(given=given, trace=trace))


@case("lapses", articles("14 s2"))
def slip_past_mending(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    facts = closed(draw, book, difficulty)
    row, _ = _slip(draw, book, difficulty)
    trace: Trace = draw.pick(("mixed", "swept"))
    rest = tuple(draw.card() for _ in range(4))
    unseen = tuple(f"loose.{number}" for number in range(1, len(row) + 1)) if trace == "swept" else ()
    return Situation(**facts, loose=tuple(sorted(row)), hidden=unseen, next=rest, incident=Misdealt(trace=trace))
