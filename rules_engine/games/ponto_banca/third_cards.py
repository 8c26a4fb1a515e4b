"""Third cards that were drawn but not due, or due but not drawn. 1995: 13, 14 s1 to s3."""

from collections.abc import Mapping
from itertools import zip_longest
from typing import Literal

from rules_engine.authoring import ImpossibleFacts, Reasoning, Rulebook, Sentence, variant
from rules_engine.games.baccarat.draw import Draw
from rules_engine.games.baccarat.hands import lying
from rules_engine.games.ponto_banca.books import TEXTS_1995, articles
from rules_engine.games.ponto_banca.game import case, case_table, rule
from rules_engine.games.ponto_banca.outcome import (
    Played,
    by_table,
    decide_draws,
    explain_draws,
    explain_surplus,
    finish,
    play_out,
    surplus_goes,
    without_surplus,
)
from rules_engine.games.ponto_banca.setting import cards, closed, ending
from rules_engine.games.ponto_banca.table import Incident, Situation

# The cards of the ponto, of the bank, and those that were left out.
Hands = tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]
Slip = Literal["none", "ponto_extra", "banker_extra", "both_extra", "last_missing", "both_missing", "taken_for_other"]
FULL = 3
DEALT = tuple(f"{side}.{number}" for side in ("ponto", "banker") for number in range(1, FULL + 1))


class ThirdCardSlip(Incident, frozen=True, tag="third_card_slip"):
    """A player says that the third cards do not follow the drawing table; the hands lie as they were left.

    `swept`: they went among the used cards before anybody noticed, and nobody can say what they were.
    """

    swept: bool = False

    def check(self, situation: Situation) -> None:
        for fact, hand in (("ponto", situation.ponto), ("banker_cards", situation.banker_cards)):
            if not 2 <= len(hand) <= 3:
                raise ImpossibleFacts(fact, "a side has two or three cards")
        if situation.loose:
            raise ImpossibleFacts("loose", "every card must lie with a side")
        if len(situation.next) < 2:
            raise ImpossibleFacts("next", "the next two cards of the shoe must be known")

    def sorts(self, situation: Situation) -> set[str]:
        thirds = len(situation.ponto) + len(situation.banker_cards) - 4
        return {"swept"} if self.swept else {f"{thirds} third cards"}

    def elsewhere(self) -> Mapping[str, str]:
        return dict.fromkeys(DEALT, "used") if self.swept else {}

    def narration(self) -> list[Sentence]:
        return [(f"incident.third_card_slip_{'swept' if self.swept else 'lying'}", {})]


@rule(ThirdCardSlip, *TEXTS_1995)
def third_card_slip(s: Situation, incident: ThirdCardSlip, r: Reasoning) -> None:
    """The draw is repeated with the cards that came out, in their order; a card left over plays for nobody."""
    refs = tuple(f"{side}.3" for side in ("ponto", "banker") if len(s.heap(side)) == 3)
    if incident.swept:
        r.step("14 s1", "correct_if_possible")
        r.pivot("14 s2", "swept")
        r.choice("coup", "annulled", critical=True, tempting=["restored"])
        for ref in refs:
            r.fate(ref, "burned")
        r.choice("winner", "nobody", critical=True)
        r.after(lying(burned=(*s.ponto, *s.banker_cards), shoe=s.next))
        return
    out = s.ponto[2:] + s.banker_cards[2:]
    played = play_out(r.book, out + s.next, ponto=s.ponto[:2], banker=s.banker_cards[:2])
    slip = not by_table(r.book, s.ponto, s.banker_cards)
    r.pivot("14 s1", "third_card_corrected" if slip else "third_cards_right")
    explain_draws(r, played)
    right, other = ("restored", "annulled") if slip else ("stands", "restored")
    r.choice("coup", right, critical=True, tempting=[other])
    decide_draws(r, played)
    for ref, side in zip_longest(refs, played.sides[: len(refs)], fillvalue=surplus_goes(r.book)):
        r.fate(ref, side)
    surplus = out[len(played.sides) :]
    if surplus:
        explain_surplus(r, surplus, pivot=True)
    as_they_lie = Played(s.ponto, s.banker_cards, ()).winner
    done, burned = without_surplus(r.book, played, surplus)
    finish(s, r, done, burned=burned, tempting=(as_they_lie,))


def _hands(draw: Draw, book: Rulebook, difficulty: int, slip: Slip) -> Hands:
    """The hands of a coup with this slip: except for `none`, not those of the drawing table."""
    if slip in ("none", "last_missing"):
        none = draw.pick((0, 1) if difficulty <= 2 else (0, 1, 1, 2))
        thirds = (none,) if slip == "none" else (1,) if difficulty <= 2 else (1, 2)
        hands = cards(draw, ending(draw, book, extra=thirds))
        ponto, banker = hands["ponto"], hands["banker_cards"]
        if slip == "none":
            return ponto, banker, ()
        return (ponto, banker[:2], banker[2:]) if len(banker) == FULL else (ponto[:2], banker, ponto[2:])
    if slip == "both_missing":
        hands = cards(draw, ending(draw, book, extra=(2,)))
        return hands["ponto"][:2], hands["banker_cards"][:2], hands["ponto"][2:] + hands["banker_cards"][2:]
    if slip == "taken_for_other":
        # The ponto stands and was given the bank's card, or the other way round.
        if draw.chance(0.5):
            return (*draw.hand(draw.pick((6, 7))), draw.card()), draw.hand(draw.number(0, 5)), ()
        return draw.hand(draw.number(0, 5)), (*draw.hand(draw.number(3, 7)), draw.card()), ()
    if slip == "both_extra":
        return (*draw.hand(draw.pick((7, 8, 9))), draw.card()), (*draw.hand(draw.pick((7, 8, 9))), draw.card()), ()
    hands = cards(draw, ending(draw, book, extra=(0,)))
    ponto, banker = hands["ponto"], hands["banker_cards"]
    return ((*ponto, draw.card()), banker, ()) if slip == "ponto_extra" else (ponto, (*banker, draw.card()), ())


def _third(draw: Draw, book: Rulebook, difficulty: int, slips: tuple[Slip, ...], swept: bool = False) -> Situation:
    """Easy: the cards of one side only are in doubt."""
    facts = closed(draw, book, difficulty)
    one_side = [slip for slip in slips if difficulty >= 3 or slip != "both_extra"]
    ponto, banker, missing = _hands(draw, book, difficulty, draw.pick(one_side))
    rest = (*missing, *(draw.card() for _ in range(3)))
    sides = (("ponto", ponto), ("banker", banker))
    unseen = tuple(f"{side}.{number}" for side, hand in sides for number in range(1, len(hand) + 1))
    return Situation(
        **facts,
        ponto=ponto,
        banker_cards=banker,
        next=rest,
        hidden=unseen if swept else (),
        incident=ThirdCardSlip(swept=swept),
    )


@case("lapses", articles("14 s1", "14 s3"))
def third_card_too_many(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """Harder: both sides have one too many."""
    return _third(draw, book, difficulty, ("ponto_extra", "banker_extra", "both_extra"))


@case("lapses", articles("14 s1"))
def third_card_left_out(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """Harder: neither side was given its card."""
    slips: tuple[Slip, ...] = ("last_missing", "both_missing")
    return _third(draw, book, difficulty, slips if difficulty >= 3 else slips[:1])


@case("lapses", articles("14 s1"))
def third_card_to_the_wrong_side(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """Both at once: one side has a card that was not due, the other lacks one. Easy: only one left out."""
    return _third(draw, book, difficulty, ("taken_for_other" if difficulty >= 3 else "last_missing",))


case_table(
    "lapses",
    # The player who speaks of a slip is wrong.
    variant("third_cards_doubted", articles("14 s1"), slips=("none",)),
    variant(
        "third_card_slip_swept",
        articles("14 s2"),
        slips=("none", "ponto_extra", "banker_extra", "both_extra", "last_missing"),
        swept=True,
    ),
)(_third)
