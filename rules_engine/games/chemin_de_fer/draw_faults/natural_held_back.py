"""A banker with eight or nine who does not show, or shows before the ponto has spoken.

Sanremo 12, 75 and 111; Spain 3 p6. Showing early at Sanremo is with the faults of the deal (59).
"""

from rules_engine.authoring import ImpossibleFacts, NotRegulated, Reasoning, Rulebook, Sentence, variant
from rules_engine.games.baccarat.cards import score
from rules_engine.games.baccarat.draw import Draw
from rules_engine.games.baccarat.hands import lying
from rules_engine.games.chemin_de_fer.books import SANREMO, SPAIN
from rules_engine.games.chemin_de_fer.deal_faults.early_look import BankerShowedEarly, PontoCards
from rules_engine.games.chemin_de_fer.draw_faults.hands import dealt, spoken
from rules_engine.games.chemin_de_fer.draw_faults.restored import left_over, set_aside
from rules_engine.games.chemin_de_fer.game import case, case_table, domain, rule
from rules_engine.games.chemin_de_fer.outcome import settle
from rules_engine.games.chemin_de_fer.setting import coup
from rules_engine.games.chemin_de_fer.table import Claim, Incident, Says, Side, Situation, is_natural
from rules_engine.games.chemin_de_fer.third_card import ponto_word

domain("banker_natural", "kept", "lost")


class BankerHeldNaturalBack(Incident, frozen=True, tag="banker_held_natural_back"):
    """The ponto has spoken; the banker, with eight or nine on two cards, shows nothing and goes on.

    Asked for a card, he has given it (the ponto's third) or offered it (the next in the shoe). `banker_stood`: he has
    taken none himself, which a text without a drawing table cannot tell. `shows`: he does show, before giving anything.
    """

    banker_stood: bool = False
    shows: bool = False

    def narration(self) -> list[Sentence]:
        if self.shows:
            return [("incident.banker_shows_natural", {})]
        return super().narration()

    def narrated(self, situation: Situation) -> list[Sentence]:
        """Whether he gave a card, offers it or was not asked for any, as the table shows."""
        if self.shows:
            return self.narration()
        did = "gave" if len(situation.ponto) == 3 else "offers" if ponto_word(situation) == "card" else "unasked"
        told = [*self.narration(), (f"incident.natural_held_back_{did}", {})]
        return [*told, ("incident.banker_stood", {})] if self.banker_stood else told

    def check(self, situation: Situation) -> None:
        if not is_natural(situation.banker_cards):
            raise ImpossibleFacts("banker_cards", "the banker has no natural to show")
        if is_natural(situation.ponto):
            raise ImpossibleFacts("ponto", "the ponto's own natural is another matter")
        asked = ponto_word(situation) == "card"
        if len(situation.ponto) not in ((2, 3) if asked else (2,)):
            raise ImpossibleFacts("ponto", "the cards do not fit the ponto's word")
        if self.shows and len(situation.ponto) == 3:
            raise ImpossibleFacts("ponto", "a banker who shows at once must have given no card")
        if asked and len(situation.ponto) == 2 and not situation.next:
            raise ImpossibleFacts("next", "the shoe has no card to offer")


def _with_third(s: Situation) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The ponto's cards with the one given or offered, and what the shoe still holds."""
    if len(s.ponto) == 3 or ponto_word(s) == "no":
        return s.ponto, s.next
    return (*s.ponto, s.next[0]), s.next[1:]


@rule(BankerHeldNaturalBack, SANREMO)
def banker_held_natural_back_it(s: Situation, incident: BankerHeldNaturalBack, r: Reasoning) -> None:
    banker = score(s.banker_cards)
    if incident.shows:
        _shown_at_once(s, r, "12")
        return
    if "banker" in s.by_table:
        _shown_by_rule(s, r, banker)
        return
    r.pivot("75 s1", "draw_faults.natural_right_lost", banker=banker)
    r.choice("banker_natural", "lost", critical=True)
    ponto, shoe = _with_third(s)
    if len(ponto) == 3:
        r.pivot("75 s2", "draw_faults.natural_compared", banker=banker, ponto=score(ponto))
    r.score("ponto_score", score(ponto), tempting=[score(s.ponto[:2])])
    settle(s, r, ponto=ponto, banker=s.banker_cards, shoe=shoe)


def _shown_at_once(s: Situation, r: Reasoning, cite: str) -> None:
    """He has given nothing: the right is used in time, and the ponto gets no card though he asked."""
    r.pivot(cite, "draw_faults.natural_shown_in_time", banker=score(s.banker_cards))
    r.choice("banker_natural", "kept", critical=True)
    r.score("ponto_score", score(s.ponto), tempting=[score((*s.ponto, *s.next[:1]))])
    settle(s, r, ponto=s.ponto, banker=s.banker_cards, shoe=s.next)


def _shown_by_rule(s: Situation, r: Reasoning, banker: int) -> None:
    """The rule makes him show, and bars the ponto's card: one that was given is set aside."""
    r.pivot("113 T-nat", "banker_shows", banker=banker)
    r.pivot("111 s1", "draw_faults.by_rule_corrected", side="banker")
    r.choice("banker_natural", "kept", critical=True)
    given = ("ponto.3",) if len(s.ponto) == 3 else ()
    left_over(s, r, given, "111 s2")
    burned, kept = set_aside(s, r, given)
    r.score("ponto_score", score(s.ponto[:2]), tempting=[score(s.ponto)])
    settle(s, r, ponto=s.ponto[:2], banker=s.banker_cards, burned=burned, next_coup=kept, shoe=s.next)


@rule(BankerHeldNaturalBack, SPAIN)
def banker_held_natural_back_es(s: Situation, incident: BankerHeldNaturalBack, r: Reasoning) -> None:
    if incident.shows:
        _shown_at_once(s, r, "3 p6-2")
        return
    if ponto_word(s) == "no":
        raise NotRegulated(
            "art. 3 §6 takes the right to show from a banker who gives or offers a card, and here none was asked"
        )
    r.pivot("3 p6-2", "draw_faults.natural_right_lost", banker=score(s.banker_cards))
    r.choice("banker_natural", "lost", critical=True)
    ponto, shoe = _with_third(s)
    r.step("3 p6-2", "draw_faults.natural_given_counts", card=ponto[2], ponto=score(ponto))
    r.score("ponto_score", score(ponto), tempting=[score(s.ponto[:2])])
    if incident.banker_stood:
        settle(s, r, ponto=ponto, banker=s.banker_cards, shoe=shoe)
    else:
        r.after(lying(ponto=ponto, banker=s.banker_cards, shoe=shoe))


@rule(BankerShowedEarly, SPAIN)
def banker_showed_early_es(s: Situation, incident: BankerShowedEarly, r: Reasoning) -> None:
    if len(incident.uncovered) != 2 or not is_natural(s.banker_cards):
        raise NotRegulated("art. 3 §6 speaks of a banker who shows eight or nine before the ponto speaks")
    r.pivot("3 p6-3", "draw_faults.banker_speaks_after_ponto")
    if any(call.by == "ponto" for call in s.calls):
        r.step("3 p6-1", "draw_faults.shown_after_ponto")
        r.choice("stakes_may", "unchanged", critical=True)
        r.after(lying(ponto=s.ponto, banker=s.banker_cards, shoe=s.next))
        return
    r.pivot("3 p6-1", "draw_faults.shown_early_stakes_free")
    r.choice("stakes_may", "withdraw", tempting=("unchanged", "withdraw_or_reduce", "change"), critical=True)
    r.after(lying(ponto=s.ponto, banker=s.banker_cards, shoe=s.next))


@case_table("draw_faults", variant("natural_held_back_and_card_given", {SANREMO: ("75 s1", "75 s2"), SPAIN: "3 p6-2"}))
def _held_back(draw: Draw, book: Rulebook, difficulty: int, *, by_table: tuple[Side, ...] = ()) -> Situation:
    """Easy: the ponto's third card changes nothing. Harder: it makes eight or nine."""
    start, banker = draw.number(0, 5), draw.pick((8, 9))
    reached = draw.pick((8, 9, 9)) if draw.chance(0.75) else draw.number(0, 7)
    third = draw.card((reached - start) % 10)
    given = draw.chance(0.5)
    return Situation(
        **spoken(draw, book, difficulty, "card", by_table=by_table),
        ponto=(*draw.hand(start), *((third,) if given else ())),
        banker_cards=draw.hand(banker),
        next=(draw.card(),) if given else (third, draw.card()),
        hidden=("ponto.3",) if by_table and given and draw.chance(0.5) else (),
        incident=BankerHeldNaturalBack(banker_stood=book.coded_as == SPAIN),
    )


@case("draw_faults", {SANREMO: ("75 s1", "75 s2")})
def natural_held_back_and_caught_up(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """The third card brings the ponto level with the banker, or past him."""
    start, banker = draw.number(0, 5), draw.pick((8, 8, 9))
    return Situation(
        **spoken(draw, book, difficulty, "card"),
        ponto=(*draw.hand(start), draw.card((draw.number(banker, 9) - start) % 10)),
        banker_cards=draw.hand(banker),
        next=(draw.card(),),
        incident=BankerHeldNaturalBack(),
    )


@case("draw_faults", {SANREMO: "12", SPAIN: "3 p6-2"})
def natural_shown_at_once(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """A look-alike: asked for a card, he shows before giving any. The card would have made eight or nine."""
    start = draw.number(0, 5)
    return Situation(
        **spoken(draw, book, difficulty, "card"),
        ponto=draw.hand(start),
        banker_cards=draw.hand(draw.pick((8, 9))),
        next=(draw.card((draw.pick((8, 9)) - start) % 10), draw.card()),
        incident=BankerHeldNaturalBack(shows=True),
    )


@case("draw_faults", {SANREMO: ("111 s1", "111 s2")})
def natural_held_back_by_rule(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    return _held_back(draw, book, difficulty, by_table=("banker",))


@case("draw_faults", {SANREMO: "75 s1"})
def natural_held_back_against_no(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    return Situation(
        **spoken(draw, book, difficulty, "no"),
        ponto=dealt(draw, "no"),
        banker_cards=draw.hand(draw.pick((8, 9))),
        next=(draw.card(),),
        incident=BankerHeldNaturalBack(),
    )


@case("draw_faults", {SPAIN: "3 p6-3"})
def natural_shown_in_turn(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """A look-alike: the ponto had spoken, and a player wants his stake back anyway."""
    word: Says = draw.pick(("card", "no"))
    return Situation(
        **spoken(draw, book, difficulty, word, claim=draw.pick(("stake", "banco"))),
        ponto=dealt(draw, word),
        banker_cards=draw.hand(draw.pick((8, 9))),
        hidden=("ponto.1", "ponto.2"),
        incident=BankerShowedEarly(uncovered=("banker.1", "banker.2"), touched=("ponto.1", "ponto.2"), spoken=True),
    )


@case("draw_faults", {SPAIN: ("3 p6-1", "3 p6-3")})
def natural_shown_early(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    claim: Claim = draw.pick(("stake", "banco")) if difficulty >= 2 else "stake"
    touched: PontoCards = ("ponto.1", "ponto.2") if difficulty >= 3 and draw.chance(0.5) else ()
    return Situation(
        **coup(draw, book, difficulty, claim=claim),
        ponto=draw.hand(draw.number(0, 9)),
        banker_cards=draw.hand(draw.pick((8, 9))),
        hidden=("ponto.1", "ponto.2"),
        incident=BankerShowedEarly(uncovered=("banker.1", "banker.2"), touched=touched),
    )
