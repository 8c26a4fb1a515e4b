"""The croupier uncovers or mixes the ponto's cards while passing them, or uncovers them later, before the banker acts.

Sanremo 132, 133 and 134, with 39 where a mixed deal can be restored.
"""

from typing import Any, Literal

from rules_engine.authoring import ImpossibleFacts, NotRegulated, Reasoning, Rulebook, variant
from rules_engine.games.baccarat.cards import score
from rules_engine.games.baccarat.draw import Draw
from rules_engine.games.baccarat.hands import lying
from rules_engine.games.chemin_de_fer.books import SANREMO
from rules_engine.games.chemin_de_fer.deal_faults.croupier import CroupierExposedCards, CroupierMixedCards
from rules_engine.games.chemin_de_fer.deal_faults.misdealt import REGULAR
from rules_engine.games.chemin_de_fer.deal_faults.rights import is_closed, still_open
from rules_engine.games.chemin_de_fer.draw_faults.hands import dealt, spoken
from rules_engine.games.chemin_de_fer.draw_faults.restored import replay, thirds
from rules_engine.games.chemin_de_fer.game import case, case_table, rule
from rules_engine.games.chemin_de_fer.outcome import annul, settle
from rules_engine.games.chemin_de_fer.setting import coup, pontos
from rules_engine.games.chemin_de_fer.table import Call, Claim, Incident, Says, Situation, Stake, is_natural
from rules_engine.games.chemin_de_fer.third_card import CELLS, bound_in_optional_cells, ponto_word, table_duty

PONTO_CARDS: tuple[Literal["ponto.1", "ponto.2"], ...] = ("ponto.1", "ponto.2")


@rule(CroupierExposedCards, SANREMO)
def croupier_exposed_cards_it(s: Situation, incident: CroupierExposedCards, r: Reasoning) -> None:
    if set(incident.cards) != set(PONTO_CARDS):
        raise NotRegulated("art. 132 speaks of a croupier who uncovers the ponto's cards")
    caller = next((call.by for call in s.calls if call.says == "banco"), None)
    if not s.stakes and caller is None:
        r.pivot("132 s3", "draw_faults.exposed_nothing_staked")
        annul(s, r)
        return
    if len(s.next) < 2:
        raise NotRegulated("art. 132: the shoe's next cards must be known to play this coup out")
    r.pivot("132 s1", "draw_faults.exposed_closes_betting")
    r.choice("coup", "stands", critical=True)
    r.choice("stakes_may", "unchanged", critical=True)
    if caller is not None and not is_closed(s):
        r.pivot("132 s1", "draw_faults.exposed_banco_assigned", player=caller)
        r.player("cards_to", caller, tempting=["nobody", *(stake.player for stake in s.stakes)])
    _by_rule(s, r)


def _by_rule(s: Situation, r: Reasoning) -> None:
    """Both sides by the rule: the ponto stands on five, and the banker stands in the optional cells."""
    ponto, banker = score(s.ponto), score(s.banker_cards)
    letter = r.book.param("ponto_table_by_rule")[ponto]
    r.pivot("132 s2", f"draw_faults.exposed_ponto_{CELLS[letter]}", ponto=ponto)
    if is_natural(s.ponto) or is_natural(s.banker_cards):
        r.step("12", "draw_faults.natural_ends_draw")
        r.choice("ponto_draw", "must_stand", critical=True)
        r.choice("banker_draw", "must_stand", critical=True)
        settle(s, r, ponto=s.ponto, banker=s.banker_cards, shoe=s.next)
        return
    again = replay(s, r, out=(), ponto_draws=letter == "T", choice_gone=True)
    draws = len(again.banker) == 3
    r.pivot(
        "132 s2", "draw_faults.exposed_banker_draws" if draws else "draw_faults.exposed_banker_stands", banker=banker
    )
    r.choice("ponto_draw", CELLS[letter], critical=True)
    r.choice("banker_draw", CELLS["T" if draws else "F"], critical=True)
    settle(s, r, ponto=again.ponto, banker=again.banker, shoe=s.next[again.used :])


class CroupierExposedLater(Incident, frozen=True, tag="croupier_exposed_later"):
    """The ponto has spoken; before the banker acts the croupier uncovers the ponto's cards or makes them uncover."""

    def check(self, situation: Situation) -> None:
        if len(situation.ponto) != (3 if ponto_word(situation) == "card" else 2):
            raise ImpossibleFacts("ponto", "the cards do not fit the ponto's word")
        if len(situation.banker_cards) != 2 or is_natural(situation.banker_cards):
            raise ImpossibleFacts("banker_cards", "the banker must have two cards and no natural to show")
        if not situation.next:
            raise ImpossibleFacts("next", "the shoe has no card for the banker")


@rule(CroupierExposedLater, SANREMO)
def croupier_exposed_later_it(s: Situation, incident: CroupierExposedLater, r: Reasoning) -> None:
    banker = score(s.banker_cards)
    r.pivot("133", "draw_faults.exposed_later_by_rule")
    duty = table_duty(r, banker, s.ponto[2] if len(s.ponto) == 3 else None, pivot=False)
    if duty == "may_choose":
        duty = bound_in_optional_cells(r.book)
        r.pivot("133", "draw_faults.exposed_banker_stands", banker=banker)
    r.choice("banker_draw", duty, critical=True)
    draws = duty == "must_draw"
    hand = (*s.banker_cards, s.next[0]) if draws else s.banker_cards
    settle(s, r, ponto=s.ponto, banker=hand, shoe=s.next[1:] if draws else s.next)


@rule(CroupierMixedCards, SANREMO)
def croupier_mixed_cards_it(s: Situation, incident: CroupierMixedCards, r: Reasoning) -> None:
    if not incident.order:
        r.pivot("134", "draw_faults.mixed_annulled")
        r.pivot("134 s2", "draw_faults.mixed_cards_annulled")
        annul(s, r, refs=(f"loose.{number}" for number in range(1, len(s.loose) + 1)))
        return
    r.pivot("134", "draw_faults.mixed_certain")
    r.pivot("39", "draw_faults.mixed_restored")
    r.choice("coup", "restored", critical=True)
    sides: dict[str, list[str]] = {"ponto": [], "banker": []}
    for number, owner in zip(incident.order, REGULAR, strict=True):
        sides[owner].append(s.loose[number - 1])
    for number in range(1, len(s.loose) + 1):
        r.fate(f"loose.{number}", REGULAR[incident.order.index(number)])
    r.after(lying(ponto=tuple(sides["ponto"]), banker=tuple(sides["banker"]), shoe=s.next))


def _exposed(draw: Draw, book: Rulebook, facts: dict[str, Any], difficulty: int) -> Situation:
    """Harder: five against five, or a third card on which the table would leave the banker free."""
    ponto, banker = draw.number(0, 7), draw.number(0, 7)
    third = draw.card(*thirds(book, banker, "TF"))
    if difficulty >= 3:
        ponto, banker, third = draw.pick(
            ((5, 5, third), (draw.number(0, 4), 5, draw.card(4)), (5, draw.number(4, 7), third))
        )
    return Situation(
        **facts,
        ponto=draw.hand(ponto),
        banker_cards=draw.hand(banker),
        next=(third, draw.card()),
        hidden=() if facts["stakes"] else ("banker.1", "banker.2"),
        incident=CroupierExposedCards(cards=PONTO_CARDS, banker_shows=bool(facts["stakes"])),
    )


@case("croupier_faults", {SANREMO: ("132 s1", "132 s2")})
def croupier_uncovers_passing(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    claim: Claim = draw.pick(("stake", "banco"))
    return _exposed(draw, book, coup(draw, book, difficulty, claim=claim), difficulty)


@case("croupier_faults", {SANREMO: ("132 s1", "132 s2")})
def croupier_uncovers_before_closing(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    facts = still_open(coup(draw, book, difficulty))
    if draw.chance(0.4):
        # Nobody has called banco or staked: there is no coup to play.
        return _exposed(draw, book, facts | {"stakes": ()}, difficulty)
    caller = draw.pick(pontos(facts))
    facts |= {"calls": (*facts["calls"], Call(caller, "banco")), "stakes": (Stake(caller, facts["bank"]),)}
    return _exposed(draw, book, facts, difficulty)


@case("croupier_faults", {SANREMO: "132 s3"})
def croupier_uncovers_nothing_staked(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    facts = still_open(coup(draw, book, difficulty)) | {"stakes": ()}
    return _exposed(draw, book, facts, difficulty)


@case("croupier_faults", {SANREMO: "133"})
def croupier_uncovers_later(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    optional = difficulty >= 2 and draw.chance(0.5)
    word: Says = "card" if optional else draw.pick(("card", "no"))
    banker = 5 if optional else draw.number(0, 7)
    third = (draw.card(*thirds(book, banker, "O" if optional else "TF")),) if word == "card" else ()
    return Situation(
        **spoken(draw, book, difficulty, word, claim=draw.pick(("stake", "banco"))),
        ponto=(*dealt(draw, word), *third),
        banker_cards=draw.hand(banker),
        next=(draw.card(),),
        incident=CroupierExposedLater(),
    )


@case_table("croupier_faults", variant("croupier_mixes", {SANREMO: "134"}, order=()))
def _mixed(draw: Draw, book: Rulebook, difficulty: int, order: tuple[int, ...]) -> Situation:
    cards = tuple(draw.card() for _ in range(4))
    return Situation(
        **coup(draw, book, difficulty, claim=draw.pick(("stake", "banco"))),
        loose=cards,
        hidden=tuple(f"loose.{number}" for number in range(1, len(cards) + 1)),
        incident=CroupierMixedCards(order=order, seen=difficulty >= 3 and draw.chance(0.5)),
    )


@case("croupier_faults", {SANREMO: ("134", "39")})
def croupier_mixes_but_order_known(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    return _mixed(draw, book, difficulty, tuple(draw.shuffled((1, 2, 3, 4))))
