"""A banker who asked the croupier what to do and did something else, or was told wrong; and one by the rule who errs.

Portugal 98 s2, 100 and 104 n; Sanremo 110 s1, 110 s2 and 111.
"""

from rules_engine.authoring import ImpossibleFacts, NotRegulated, Reasoning, Rulebook, Sentence, variant
from rules_engine.games.baccarat.cards import score
from rules_engine.games.baccarat.draw import Draw
from rules_engine.games.chemin_de_fer.books import PT, SANREMO
from rules_engine.games.chemin_de_fer.draw_faults.hands import dealt, spoken
from rules_engine.games.chemin_de_fer.draw_faults.restored import left_over, restoring, set_aside, thirds
from rules_engine.games.chemin_de_fer.game import case, case_table, rule
from rules_engine.games.chemin_de_fer.outcome import settle
from rules_engine.games.chemin_de_fer.table import Incident, Says, Side, Situation, is_natural
from rules_engine.games.chemin_de_fer.third_card import CELLS, Wish, cell, ponto_word, table_duty

LETTER: dict[Wish, str] = {"draw": "T", "stand": "F"}
OTHER: dict[Wish, Wish] = {"draw": "stand", "stand": "draw"}


class BankerDrew(Incident, frozen=True, tag="banker_drew"):
    """The banker took a third card, or stood on two, after the croupier's `advice`, if he asked for it."""

    phrased = {"announcement": "question.announced_result"}

    advice: Wish | None = None

    def check(self, situation: Situation) -> None:
        if len(situation.ponto) != (3 if ponto_word(situation) == "card" else 2):
            raise ImpossibleFacts("ponto", "the cards do not fit the ponto's word")
        if not 2 <= len(situation.banker_cards) <= 3:
            raise ImpossibleFacts("banker_cards", "the banker must have two cards, or three if he drew")
        if is_natural(situation.banker_cards[:2]) or is_natural(situation.ponto[:2]):
            raise ImpossibleFacts("banker_cards", "with a natural on the table nobody draws")
        if self.advice is None and "banker" not in situation.by_table:
            raise ImpossibleFacts("incident.advice", "he neither asked for advice nor plays by the table")

    def narration(self) -> list[Sentence]:
        told = (f"incident.banker_advised_{self.advice}",) if self.advice else ()
        return [(id, {}) for id in (*told, "incident.banker_drew")]


def _did(s: Situation) -> Wish:
    return "draw" if len(s.banker_cards) == 3 else "stand"


def _due(s: Situation, r: Reasoning) -> tuple[Wish, ...]:
    """What the table lets this banker do."""
    third = s.ponto[2] if len(s.ponto) == 3 else None
    duty = table_duty(r, score(s.banker_cards[:2]), third, pivot=False)
    return ("draw",) if duty == "must_draw" else ("stand",) if duty == "must_stand" else ("draw", "stand")


@rule(BankerDrew, *PT)
def banker_drew_pt(s: Situation, incident: BankerDrew, r: Reasoning) -> None:
    did, due = _did(s), _due(s, r)
    if incident.advice is None:
        raise NotRegulated(
            "arts. 67 and 71: the Portuguese text does not say how a false draw of the banker is put right"
        )
    if incident.advice not in due:
        if did in due:
            r.pivot("100", "draw_faults.advice_wrong_table_kept", advice=incident.advice)
            _as_it_is(s, r, did)
            return
        r.pivot("100", "draw_faults.advice_was_wrong_banker", advice=incident.advice)
        _play_again(s, r, due)
        return
    r.step("98 s2", "draw_faults.advice_binds", advice=incident.advice)
    if did == incident.advice:
        r.pivot("98 s2", "draw_faults.advice_followed")
        _as_it_is(s, r, did)
        return
    if did == "draw":
        _card_off(s, r, "104 n", "draw_faults.card_against_advice_burned")
        return
    r.pivot("98 s2", "draw_faults.advised_must_draw")
    _play_again(s, r, due)


@rule(BankerDrew, SANREMO)
def banker_drew_it(s: Situation, incident: BankerDrew, r: Reasoning) -> None:
    did, due = _did(s), _due(s, r)
    if incident.advice not in (None, *due):
        raise NotRegulated("art. 110: Sanremo does not say what follows from the croupier's wrong advice")
    if did in due and did == (incident.advice or did):
        _as_he_had_to_it(s, r, incident.advice, due)
        return
    if incident.advice is None:
        r.pivot("111 s1", "draw_faults.by_rule_corrected", side="banker")
        if did == "draw":
            left_over(s, r, ("banker.3",), "111 s2")
        _play_again(s, r, due)
    elif did == "stand":
        r.pivot("110 s1", "draw_faults.advice_not_followed", side="banker", advice=incident.advice)
        _play_again(s, r, due)
    else:
        _helps_or_hurts(s, r)


def _as_he_had_to_it(s: Situation, r: Reasoning, advice: Wish | None, due: tuple[Wish, ...]) -> None:
    """He followed the rule, or the advice: nothing is put right, whoever objects."""
    did = _did(s)
    if advice:
        r.pivot("110 s1", "draw_faults.advice_followed")
    else:
        r.pivot("113 s1", "declared_by_rule")
        r.step("111 s1", "draw_faults.by_rule_kept")
    if advice and did == "draw":
        r.fate("banker.3", "banker")
        r.score("banker_score", score(s.banker_cards), tempting=[score(s.banker_cards[:2])])
        settle(s, r, ponto=s.ponto, banker=s.banker_cards, shoe=s.next)
        return
    _as_it_is(s, r, did, CELLS[LETTER[did]] if len(due) == 1 else "may_choose")


def _helps_or_hurts(s: Situation, r: Reasoning) -> None:
    """Sanremo 110 s2: the card stays with the banker only if it harms him."""
    before, after = score(s.banker_cards[:2]), score(s.banker_cards)
    if before == after:
        raise NotRegulated("art. 110 does not say what becomes of a card that changes nothing")
    if after > before:
        _card_off(s, r, "110 s2", "draw_faults.card_against_advice_helps", before=before, after=after)
        return
    r.pivot("110 s2", "draw_faults.card_against_advice_hurts", before=before, after=after)
    r.fate("banker.3", "banker")
    r.score("banker_score", after, tempting=[before])
    settle(s, r, ponto=s.ponto, banker=s.banker_cards, shoe=s.next)


def _card_off(s: Situation, r: Reasoning, cite: str, text: str, **values: int) -> None:
    r.pivot(cite, text, card=s.banker_cards[2], **values)
    r.fate("banker.3", "burned")
    r.score("banker_score", score(s.banker_cards[:2]), tempting=[score(s.banker_cards)])
    settle(s, r, ponto=s.ponto, banker=s.banker_cards[:2], burned=s.banker_cards[2:], shoe=s.next)


def _as_it_is(s: Situation, r: Reasoning, did: Wish, duty: str = "") -> None:
    """The banker did what the table requires: the coup stands with the cards as they lie."""
    r.choice("coup", "stands", critical=True)
    r.choice("banker_draw", duty or CELLS[LETTER[did]], critical=True)
    if did == "draw":
        r.fate("banker.3", "banker")
    settle(s, r, ponto=s.ponto, banker=s.banker_cards, shoe=s.next)


def _play_again(s: Situation, r: Reasoning, due: tuple[Wish, ...]) -> None:
    """The banker does what he should have done: takes the next card of the shoe, or gives up his third one."""
    if len(due) != 1:
        raise NotRegulated(
            "arts. {first} and {second} do not say how a coup is restored where the table leaves a choice",
            **restoring(r.book),
        )
    if due == ("draw",) and not s.next:
        raise ImpossibleFacts("next", "the shoe has no card for the banker")
    taken = s.next[:1] if due == ("draw",) else ()
    r.choice("coup", "restored", critical=True)
    r.choice("banker_draw", CELLS[LETTER[due[0]]], critical=True)
    burned, kept = set_aside(s, r, ("banker.3",) if len(s.banker_cards) == 3 else ())
    hand = (*s.banker_cards[:2], *taken)
    settle(s, r, ponto=s.ponto, banker=hand, burned=burned, next_coup=kept, shoe=s.next[len(taken) :])


@case_table(
    "draw_faults",
    variant(
        "banker_draws_against_advice", {PT[0]: "104 n", SANREMO: "110 s2"}, due="stand", did="draw", advice="stand"
    ),
    variant(
        "banker_stands_against_advice", {PT[0]: "98 s2", SANREMO: "110 s1"}, due="draw", did="stand", advice="draw"
    ),
)
def _drew(
    draw: Draw,
    book: Rulebook,
    difficulty: int,
    *,
    due: Wish,
    did: Wish,
    advice: Wish | None = None,
    by_table: tuple[Side, ...] = (),
) -> Situation:
    """A banker who did, or was told, something other than what the table says. His card reverses the result."""
    obvious = (0, 1, 2) if due == "draw" else (7,)
    bankers = [score for score in range(3, 8) if thirds(book, score, LETTER[due])]
    banker = draw.pick(obvious if difficulty == 1 else bankers)
    words: list[Says] = ["card", "no"] if cell(book, banker, None) == LETTER[due] else ["card"]
    word = draw.pick(words)
    third = (draw.card(*thirds(book, banker, LETTER[due])),) if word == "card" else ()
    ponto = (*dealt(draw, word), *third)
    turning = draw.card((_turning(draw, banker, score(ponto)) - banker) % 10)
    return Situation(
        **spoken(draw, book, difficulty, word, by_table=by_table),
        ponto=ponto,
        banker_cards=(*draw.hand(banker), *((turning,) if did == "draw" else ())),
        next=(draw.card(),) if did == "draw" else (turning, draw.card()),
        incident=BankerDrew(advice=advice),
    )


def _turning(draw: Draw, banker: int, ponto: int) -> int:
    """A score of three cards that changes the banker's result on two."""
    if ponto == banker:
        return draw.pick([other for other in range(10) if other != banker])
    return draw.number(ponto, 9) if ponto > banker else draw.number(0, ponto)


@case("draw_faults", {PT[0]: "98 s2"})
def banker_keeps_to_advice(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """A look-alike: he did as he was told, and nothing is put right."""
    due: Wish = draw.pick(("draw", "stand"))
    return _drew(draw, book, difficulty, due=due, did=due, advice=due)


@case("croupier_faults", {PT[0]: "100"})
def banker_wrongly_advised(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    due: Wish = draw.pick(("draw", "stand"))
    return _drew(draw, book, difficulty, due=due, did=OTHER[due], advice=OTHER[due])


@case("croupier_faults", {PT[0]: "98 s2"})
def banker_rightly_advised(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    due: Wish = draw.pick(("draw", "draw", "stand"))
    return _drew(draw, book, difficulty, due=due, did=due, advice=due)


@case("draw_faults", {SANREMO: "111 s1"})
def banker_by_rule_errs(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    due: Wish = draw.pick(("draw", "stand"))
    return _drew(draw, book, difficulty, due=due, did=OTHER[due], by_table=("banker",))


@case("draw_faults", {SANREMO: "113 s1"})
def banker_by_rule_keeps_to_it(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """A look-alike: he plays by the rule, and did what it requires."""
    due: Wish = draw.pick(("draw", "stand"))
    return _drew(draw, book, difficulty, due=due, did=due, by_table=("banker",))


@case("draw_faults", {SANREMO: "110 s1"})
def banker_follows_advice(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """A look-alike: he was told to draw or to stand, and did."""
    due: Wish = draw.pick(("draw", "stand"))
    return _drew(draw, book, difficulty, due=due, did=due, advice=due)
