"""Third cards must be face up: what has to be shown when one is not, and a ponto who uncovers what he should not.

Portugal 68, 69 and 72; Sanremo 11 s3, 70 s1, 122 and 124.
"""

from typing import Literal

from msgspec import structs

from rules_engine.authoring import ImpossibleFacts, NotRegulated, Reasoning, Rulebook, Sentence
from rules_engine.games.baccarat.cards import score
from rules_engine.games.baccarat.draw import Draw
from rules_engine.games.chemin_de_fer.books import PT, SANREMO
from rules_engine.games.chemin_de_fer.draw_faults.hands import dealt, spoken
from rules_engine.games.chemin_de_fer.draw_faults.restored import banker_duty, thirds
from rules_engine.games.chemin_de_fer.game import case, domain, rule
from rules_engine.games.chemin_de_fer.setting import coup
from rules_engine.games.chemin_de_fer.table import Claim, Incident, Says, Side, Situation, alone, is_natural
from rules_engine.games.chemin_de_fer.third_card import ponto_word

Act = Literal["given_down", "given_down_mixed", "turned_over", "banker_own", "others_wanted", "kept_covered"]
# The third card lies as it should; the case is about the two dealt ones.
DEALT_ONES = ("others_wanted", "kept_covered")
DEALT = ("ponto.1", "ponto.2")

domain("to_show", "nothing", "third_card", "all_cards")
domain("sanction", "none", "leave_table", "leave_room", unknown={SANREMO: ("leave_room",)})
domain("inspector_may", "nothing", "annul")


class ThirdCardHidden(Incident, frozen=True, tag="third_card_hidden"):
    """A third card is not face up.

    The banker gave it face down, perhaps mixing it with the ponto's others; or the ponto turned it over; or the banker
    took his own face down. `one_uncovered`: the ponto had shown one of his first two cards before. `others_wanted`: the
    third card is face up and the banker, who has not drawn, wants to see the other two. `kept_covered`: the draws are
    over, and the ponto states his score with his two cards covered. `banker_done`: the banker had seen the third card
    and drawn or stood before the ponto turned it over.
    """

    act: Act
    one_uncovered: bool = False
    banker_done: bool = False

    def check(self, situation: Situation) -> None:
        if self.act in DEALT_ONES:
            if not set(DEALT) & set(situation.hidden) or "ponto.3" in situation.hidden:
                raise ImpossibleFacts("hidden", "of the ponto's cards only dealt ones can lie face down")
            return
        heap, ref = ("banker", "banker.3") if self.act == "banker_own" else ("ponto", "ponto.3")
        if len(situation.heap(heap)) != 3 or ref not in situation.hidden:
            raise ImpossibleFacts("hidden", "the third card must lie face down: {side:player}", side=heap)
        if heap == "ponto" and (
            ponto_word(situation) != "card" or not 2 <= len(situation.banker_cards) <= 2 + self.banker_done
        ):
            raise ImpossibleFacts("calls", "the ponto must have asked for a card, and the banker not have drawn yet")
        if is_natural(situation.banker_cards[:2]):
            raise ImpossibleFacts("banker_cards", "a banker who shows gives and takes no card")
        if self.one_uncovered and set(DEALT) <= set(situation.hidden):
            raise ImpossibleFacts("hidden", "one of the ponto's dealt cards must lie face up")

    def narration(self) -> list[Sentence]:
        before = ("incident.ponto_showed_one",) if self.one_uncovered else ()
        late = "_late" if self.act == "turned_over" and self.banker_done else ""
        return [(told, {}) for told in (*before, f"incident.third_card_{self.act}{late}")]


@rule(ThirdCardHidden, *PT)
def third_card_hidden_pt(s: Situation, incident: ThirdCardHidden, r: Reasoning) -> None:
    if incident.act == "others_wanted":
        r.pivot("68", "draw_faults.only_third_is_seen")
        r.choice("to_show", "nothing")
        return
    if incident.act == "kept_covered":
        r.pivot("72", "draw_faults.shown_with_the_score")
        r.choice("to_show", "all_cards")
        return
    if incident.act == "banker_own":
        r.pivot("69", "draw_faults.banker_third_face_up")
    elif incident.act == "given_down_mixed":
        raise NotRegulated(
            "art. 68: the Portuguese text does not say what follows when the third card can no longer be told"
        )
    else:
        shown = (
            "draw_faults.ponto_third_face_up_all_the_same"
            if incident.one_uncovered
            else "draw_faults.ponto_third_face_up"
        )
        r.pivot("68", shown)
    r.choice("to_show", "third_card")


@rule(ThirdCardHidden, SANREMO)
def third_card_hidden_it(s: Situation, incident: ThirdCardHidden, r: Reasoning) -> None:
    if incident.act == "others_wanted":
        r.pivot("122", "draw_faults.only_third_is_seen")
        r.choice("to_show", "nothing")
    elif incident.act == "kept_covered":
        r.pivot("125", "draw_faults.ponto_lays_out")
        r.choice("to_show", "all_cards")
    elif incident.act == "given_down_mixed":
        r.pivot("70 s1", "draw_faults.mixed_may_refuse")
        r.choice("to_show", "nothing")
    elif incident.act == "turned_over":
        _turned_over_it(s, r, late=incident.banker_done)
    else:
        r.pivot("11 s3", "draw_faults.third_cards_face_up")
        r.choice("to_show", "third_card")


def _turned_over_it(s: Situation, r: Reasoning, *, late: bool) -> None:
    if late:
        # Nobody was kept from seeing it.
        r.pivot("124 s1", "draw_faults.turned_over_late")
        if alone(s):
            r.choice("to_show", "third_card")
        else:
            r.choice("inspector_may", "nothing")
            r.choice("sanction", "none")
        return
    if not alone(s):
        r.pivot("124 s2", "draw_faults.turned_over_third_parties")
        r.choice("inspector_may", "annul")
        r.choice("sanction", "leave_table")
        return
    r.pivot("124 s1", "draw_faults.turned_over_shows_all")
    r.choice("to_show", "all_cards")
    banker = score(s.banker_cards)
    low, high = r.book.param("hidden_third_card_frees_banker")
    if low <= banker <= high:
        r.pivot("124 s1", "draw_faults.turned_over_frees_banker", banker=banker)
        duty = "may_choose"
    else:
        r.step("124 s1", "draw_faults.turned_over_frees_not", banker=banker)
        duty = banker_duty(s, r, s.ponto[2])
    r.choice("banker_draw", duty, critical=True)


class PontoUncovers(Incident, frozen=True, tag="ponto_uncovers"):
    """The ponto is about to lay some of his first two cards face up: before the draws, with a natural, or at the
    end."""

    moment: Literal["before_draws", "natural", "draws_over"] = "before_draws"

    def narration(self) -> list[Sentence]:
        return [("incident.ponto_uncovers" + ("" if self.moment == "before_draws" else f"_{self.moment}"), {})]

    def check(self, situation: Situation) -> None:
        if is_natural(situation.ponto) != (self.moment == "natural"):
            raise ImpossibleFacts("ponto", "he shows a natural if he has one, and only then")
        if len(situation.ponto) != 2:
            raise ImpossibleFacts("ponto", "the ponto must hold his two dealt cards")


@rule(PontoUncovers, SANREMO)
def ponto_uncovers_it(s: Situation, incident: PontoUncovers, r: Reasoning) -> None:
    cite, text = {
        "before_draws": ("122", "may_uncover_none"),
        "natural": ("13 s2", "natural_laid_open"),
        "draws_over": ("125", "ponto_lays_out"),
    }[incident.moment]
    r.pivot(cite, f"draw_faults.{text}")
    r.choice("allowed", "refused" if incident.moment == "before_draws" else "allowed")


def _hidden(
    draw: Draw,
    book: Rulebook,
    difficulty: int,
    act: Act,
    *,
    claim: Claim = "stake",
    banker: int | None = None,
    by_table: tuple[Side, ...] = (),
    one_uncovered: bool = False,
) -> Situation:
    word: Says = draw.pick(("card", "no")) if act in ("banker_own", "kept_covered") else "card"
    start = draw.number(0, 5) if banker is None else banker
    third = (draw.card(*thirds(book, start, "TF")),) if word == "card" else ()
    own = act in ("banker_own", "kept_covered")
    covered = ("ponto.2",) if one_uncovered else DEALT
    down = () if act in DEALT_ONES else ("banker.3",) if own else ("ponto.3",)
    return Situation(
        **spoken(draw, book, difficulty, word, claim=claim, by_table=by_table),
        ponto=(*dealt(draw, word), *third),
        banker_cards=(*draw.hand(start), *((draw.card(),) if own else ())),
        next=(draw.card(),),
        hidden=(*covered, *down),
        incident=ThirdCardHidden(act=act, one_uncovered=one_uncovered),
    )


@case("draw_faults", {PT[0]: "68", SANREMO: "11 s3"})
def ponto_third_card_down(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """In Sanremo only as the banker gives it: what a ponto who turns it over must do is another rule."""
    act: Act = draw.pick(("given_down", "turned_over")) if book.coded_as in PT else "given_down"
    shown = book.coded_as in PT and difficulty >= 2 and draw.chance(0.5)
    return _hidden(draw, book, difficulty, act, one_uncovered=shown)


@case("draw_faults", {PT[0]: "69", SANREMO: "11 s3"})
def banker_third_card_down(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    return _hidden(draw, book, difficulty, "banker_own", banker=draw.number(0, 2))


@case("draw_faults", {PT[0]: "68", SANREMO: "122"})
def banker_wants_to_see_the_others(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """He may look at the card he gave, and at no other. Harder: one of the others was shown before."""
    shown = book.coded_as in PT and difficulty >= 2 and draw.chance(0.5)
    return _hidden(draw, book, difficulty, "others_wanted", banker=draw.number(3, 6), one_uncovered=shown)


@case("draw_faults", {PT[0]: "72", SANREMO: "125"})
def ponto_states_his_score_only(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    shown = book.coded_as in PT and difficulty >= 2 and draw.chance(0.5)
    return _hidden(draw, book, difficulty, "kept_covered", banker=draw.number(0, 2), one_uncovered=shown)


@case("draw_faults", {SANREMO: "70 s1"})
def third_card_mixed_in(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    return _hidden(draw, book, difficulty, "given_down_mixed", claim=draw.pick(("stake", "banco")))


@case("draw_faults", {SANREMO: "124 s1"})
def sole_ponto_turns_third_over(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """Harder: a banker who plays by rule and would be bound, and the scores at the edge of his freedom."""
    by_table: tuple[Side, ...] = ("banker",) if difficulty >= 2 else ()
    banker = draw.pick((2, 3, 6, 7)) if difficulty >= 3 else draw.number(1, 7)
    return _hidden(draw, book, difficulty, "turned_over", claim="banco", banker=banker, by_table=by_table)


@case("draw_faults", {SANREMO: "124 s2"})
def ponto_with_others_turns_third_over(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    return _hidden(draw, book, difficulty, "turned_over", banker=draw.number(0, 7))


@case("draw_faults", {SANREMO: "122"})
def ponto_about_to_uncover(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    claim: Claim = draw.pick(("stake", "banco"))
    return Situation(
        **coup(draw, book, difficulty, claim=claim),
        ponto=draw.hand(draw.number(0, 7)),
        banker_cards=draw.hand(draw.number(0, 9)),
        hidden=(*DEALT, "banker.1", "banker.2"),
        incident=PontoUncovers(),
    )


@case("draw_faults", {SANREMO: "13 s2"})
def ponto_shows_his_natural(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """A look-alike: eight or nine has to be shown."""
    return Situation(
        **coup(draw, book, difficulty, claim=draw.pick(("stake", "banco"))),
        ponto=draw.hand(draw.pick((8, 9))),
        banker_cards=draw.hand(draw.number(0, 9)),
        hidden=(*DEALT, "banker.1", "banker.2"),
        incident=PontoUncovers(moment="natural"),
    )


@case("draw_faults", {SANREMO: "125"})
def ponto_shows_at_the_end(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """A look-alike: the banker has stood, and the coup is to be read."""
    return Situation(
        **spoken(draw, book, difficulty, "no", claim=draw.pick(("stake", "banco"))),
        ponto=dealt(draw, "no"),
        banker_cards=draw.hand(draw.number(6, 7)),
        hidden=DEALT,
        incident=PontoUncovers(moment="draws_over"),
    )


@case("draw_faults", {SANREMO: "124 s1"})
def ponto_turns_third_over_late(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """A look-alike: the banker had seen the card and played on it."""
    banker = draw.pick((0, 1, 2, 7, 7))
    made = _hidden(draw, book, difficulty, "turned_over", banker=banker, claim=draw.pick(("stake", "banco_table")))
    own = made.banker_cards if banker == 7 else (*made.banker_cards, draw.card())
    return structs.replace(made, banker_cards=own, incident=ThirdCardHidden(act="turned_over", banker_done=True))
