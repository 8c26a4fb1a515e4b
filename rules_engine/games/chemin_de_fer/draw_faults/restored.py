"""A coup played again as the table requires, with the cards already out in their order, and what is left over.

Portugal 71, 100 and 106 b; Sanremo 69 s3, 110 s1, 111, 126 and 137.
"""

from msgspec import Struct

from rules_engine.authoring import ImpossibleFacts, NotRegulated, Reasoning, Rulebook
from rules_engine.games.baccarat.cards import score
from rules_engine.games.baccarat.draw import BY_VALUE
from rules_engine.games.chemin_de_fer.books import SANREMO
from rules_engine.games.chemin_de_fer.outcome import settle
from rules_engine.games.chemin_de_fer.ponto_third import PontoKey, decide_third
from rules_engine.games.chemin_de_fer.table import Situation, is_natural
from rules_engine.games.chemin_de_fer.third_card import (
    CELLS,
    Wish,
    bound_in_optional_cells,
    cell,
    duty_pt,
    duty_sanremo,
    fair_thirds,
    table_duty,
)


def restoring(book: Rulebook) -> dict[str, str]:
    """The articles by which a coup is played again, to cite where they are silent."""
    first, second = ("111", "126") if book.coded_as == SANREMO else ("71", "100")
    return {"first": first, "second": second}


def thirds(book: Rulebook, banker: int, letters: str) -> list[int]:
    """The values of the ponto's third card for which the table certainly gives this banker one of these answers."""
    return [third for third in fair_thirds(book, banker) if cell(book, banker, BY_VALUE[third][0]) in letters]


def banker_duty(s: Situation, r: Reasoning, third: str | None) -> str:
    """What this banker must do, with or without a third card of the ponto."""
    return duty_sanremo(s, r, third) if r.book.coded_as == SANREMO else duty_pt(s, r, third)


def draws(duty: str, wish: Wish) -> bool:
    return duty == "must_draw" or (duty == "may_choose" and wish == "draw")


class Replay(Struct, frozen=True):
    """Both final hands, and how many cards they took: first those already out, then from the shoe."""

    ponto: tuple[str, ...]
    banker: tuple[str, ...]
    used: int


def replay(s: Situation, r: Reasoning, *, out: tuple[str, ...], ponto_draws: bool, choice_gone: bool = False) -> Replay:
    """Play the draw again. `choice_gone`: an article tells the banker what to do in the table's optional cells."""
    ponto, banker, used = s.ponto[:2], s.banker_cards[:2], 0
    cards = (*out, *s.next)
    if ponto_draws and not is_natural(banker):
        ponto, used = (*ponto, _card(cards, used)), used + 1
    duty = table_duty(r, score(banker), ponto[2] if used else None, pivot=False)
    if duty == "may_choose":
        if not choice_gone and (r.book.coded_as == SANREMO or "banker" not in s.by_table):
            raise NotRegulated(
                "arts. {first} and {second} do not say how a coup is restored where the table leaves a choice",
                **restoring(r.book),
            )
        duty = bound_in_optional_cells(r.book)
    if duty == "must_draw":
        banker, used = (*banker, _card(cards, used)), used + 1
    return Replay(ponto, banker, used)


def _card(cards: tuple[str, ...], used: int) -> str:
    if used == len(cards):
        raise ImpossibleFacts("next", "the shoe has no card left for this draw")
    return cards[used]


def settle_again(
    s: Situation, r: Reasoning, again: Replay, refs: tuple[str, ...], key: PontoKey = "ponto_draw"
) -> None:
    """Decide the coup as it was played again. `refs` says where the cards of the draw lie, in their order."""
    r.choice("coup", "restored", critical=True)
    decide_third(r, key, takes=len(again.ponto) == 3)
    r.choice("banker_draw", CELLS["T" if len(again.banker) == 3 else "F"], critical=True)
    taken = ["ponto"] * (len(again.ponto) - 2) + ["banker"] * (len(again.banker) - 2)
    for ref, side in zip(refs, taken, strict=False):
        r.fate(ref, side)
    burned, kept = set_aside(s, r, refs[again.used :])
    shoe = s.next[max(0, again.used - len(refs)) :]
    settle(s, r, ponto=again.ponto, banker=again.banker, burned=burned, next_coup=kept, shoe=shoe)


def set_aside(s: Situation, r: Reasoning, refs: tuple[str, ...]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Cards nobody uses: burned, except that at Sanremo unseen ones serve the next coup."""
    burned: list[str] = []
    kept: list[str] = []
    for ref in refs:
        unseen = r.book.coded_as == SANREMO and ref in s.hidden
        r.fate(ref, "next_coup" if unseen else "burned")
        (kept if unseen else burned).append(s.card(ref))
    return tuple(burned), tuple(kept)


def left_over(s: Situation, r: Reasoning, refs: tuple[str, ...], cite: str) -> None:
    """Say, for each card left over at Sanremo, whether it was spoiled by being seen."""
    for ref in refs:
        text = "draw_faults.unseen_kept" if ref in s.hidden else "draw_faults.seen_cancelled"
        r.pivot(cite, text, card=s.card(ref))


def drawn_refs(s: Situation) -> tuple[str, ...]:
    """Where the third cards lie, in the order in which they left the shoe: the ponto's, then the banker's."""
    return tuple(f"{side}.3" for side in ("ponto", "banker") if len(s.heap(side)) == 3)


def drawn_cards(s: Situation) -> tuple[str, ...]:
    return s.ponto[2:] + s.banker_cards[2:]
