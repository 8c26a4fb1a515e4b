"""Advice: who may give it, what it must be, and whether the player who asked is bound by it.

Portugal 98 s1-s2 and 99 s1-s2; Sanremo 109 s1-s2; Spain 4 p2-1 and 4 p2-2.
"""

from typing import Annotated, Any

from msgspec import Meta

from rules_engine.authoring import Drawn, ImpossibleFacts, NotRegulated, Reasoning, Rulebook, Sentence, one_of, variant
from rules_engine.games.baccarat.cards import score
from rules_engine.games.baccarat.draw import Draw
from rules_engine.games.chemin_de_fer.books import PT, SANREMO, SPAIN
from rules_engine.games.chemin_de_fer.game import case_table, domain, rule
from rules_engine.games.chemin_de_fer.play.ponto_word import (
    duty_of_ponto_sanremo,
    ponto_by_rule_sanremo,
    ponto_cell,
    ponto_row_pt,
)
from rules_engine.games.chemin_de_fer.setting import coup, pontos
from rules_engine.games.chemin_de_fer.table import Call, Claim, Incident, Says, Side, Situation, is_natural
from rules_engine.games.chemin_de_fer.third_card import duty_pt, duty_sanremo, ponto_word, table_duty

Adviser = Annotated[str, Meta(pattern="^([1-9][a-i]?|croupier|inspector)$", description="a place, or one of the staff")]
STAFF = ("croupier", "inspector")
ANSWERS = {"must_draw": "draw", "must_stand": "stand", "may_choose": "own_choice"}

# In Sanremo whoever asks plays by the rule, which then leaves no choice.
domain("advice", "draw", "stand", "own_choice", unknown={SANREMO: ("own_choice",)})
domain("must_play", "by_table", "as_he_likes")


class AdviceAsked(Incident, frozen=True, tag="advice_asked"):
    """A player who has to decide about a third card asks somebody what to do; a fellow player answers at once.
    `answered`: so does one of the staff."""

    asker: Side
    adviser: Adviser
    answered: bool = False

    def check(self, situation: Situation) -> None:
        person = situation.banker if self.asker == "banker" else situation.holder
        if person is None:
            raise ImpossibleFacts("holder", "nobody has the ponto's cards")
        if self.adviser == person:
            raise ImpossibleFacts("adviser", "nobody asks himself")
        present = {*map(str, situation.seats), *situation.standing, *STAFF}
        if self.adviser not in present:
            raise ImpossibleFacts("adviser", "nobody is at {place}", place=self.adviser)
        own = situation.banker_cards if self.asker == "banker" else situation.ponto
        if len(own) != 2 or is_natural(own):
            raise ImpossibleFacts("cards", "advice is asked on two cards that are not a natural")
        if self.asker == "banker" and len(situation.ponto) != (3 if ponto_word(situation) == "card" else 2):
            raise ImpossibleFacts("ponto", "{count} cards do not fit what was said", count=len(situation.ponto))

    def narration(self) -> list[Sentence]:
        who = "staff" if self.adviser in STAFF and not self.answered else "player"
        return [(f"incident.advice_{who}", {"asker": self.asker, "adviser": self.adviser})]


@rule(AdviceAsked, *PT)
def advice_pt(s: Situation, incident: AdviceAsked, r: Reasoning) -> None:
    if incident.adviser not in STAFF:
        r.pivot("98 s1", "advice.players_may_not", adviser=incident.adviser)
        r.choice("allowed", "refused")
        if incident.asker == "banker" and s.claim == "banco":
            # Against any other ponto the table binds him anyway.
            _plays_on(r, duty_pt(s, r, _third(s)))
        return
    r.choice("allowed", "allowed")
    if incident.asker == "banker":
        duty = table_duty(r, score(s.banker_cards), _third(s))
        r.pivot("98 s2", f"advice.banker_{ANSWERS[duty]}")
        r.choice("advice", ANSWERS[duty], tempting=ANSWERS.values(), critical=True)
        r.choice("must_play", "by_table")
        return
    ponto = score(s.ponto)
    r.pivot("99 s1", "advice.rules_told")
    duty = ponto_cell(r, "ponto_table", ponto)
    r.pivot(ponto_row_pt(ponto), f"ponto.{duty}", ponto=ponto)
    if duty == "may_choose":
        r.pivot("99 s2", "advice.five_is_his")
    r.choice("advice", ANSWERS[duty], tempting=ANSWERS.values(), critical=True)


@rule(AdviceAsked, SANREMO)
def advice_sanremo(s: Situation, incident: AdviceAsked, r: Reasoning) -> None:
    if incident.adviser != "croupier":
        r.pivot("109 s1", "advice.only_croupier", adviser=incident.adviser)
        r.choice("allowed", "refused")
        banker = incident.asker == "banker"
        _plays_on(r, duty_sanremo(s, r, _third(s)) if banker else duty_of_ponto_sanremo(s, r))
        return
    r.pivot("109 s1", "advice.must_follow")
    r.choice("allowed", "allowed")
    if incident.asker == "banker":
        duty = table_duty(r, score(s.banker_cards), _third(s))
    else:
        duty = ponto_by_rule_sanremo(r, score(s.ponto))
    r.pivot("109 s2", "advice.by_rule_this_coup")
    r.choice("advice", ANSWERS[duty], tempting=ANSWERS.values(), critical=True)
    r.choice("must_play", "by_table")


@rule(AdviceAsked, SPAIN)
def advice_spain(s: Situation, incident: AdviceAsked, r: Reasoning) -> None:
    if incident.adviser == "croupier":
        r.pivot("4 p2-1", "advice.croupier_may")
        r.choice("allowed", "allowed")
        r.step("4 p2-1", "advice.no_offender")
        r.choice("must_play", "as_he_likes", critical=True)
        return
    if incident.adviser in STAFF and not incident.answered:
        raise NotRegulated("art. 4 §2 forbids giving advice: it does not say what follows if it was only asked for")
    r.pivot("4 p2-1", "advice.only_croupier", adviser=incident.adviser)
    r.choice("allowed", "refused")
    adviser = r.book.reads("ES4", "adviser")
    told = "advice.offender_is_adviser" if adviser else "advice.offender_bound"
    r.pivot("4 p2-2", told, asker=incident.asker, adviser=incident.adviser)
    r.choice("must_play", "as_he_likes" if adviser else "by_table", critical=True)


def _plays_on(r: Reasoning, duty: str) -> None:
    """Without advice he plays as before: as he likes, where nothing else binds him."""
    r.choice("must_play", "as_he_likes" if duty == "may_choose" else "by_table", critical=True)


def _third(s: Situation) -> str | None:
    return s.ponto[2] if len(s.ponto) == 3 else None


def _staff(draw: Draw, book: Rulebook, difficulty: int) -> str:
    return draw.pick(STAFF) if book.coded_as in PT else "croupier"


@case_table(
    "advice",
    variant(
        "player_advises",
        {PT[0]: "98 s1", SANREMO: "109 s1", SPAIN: ("4 p2-1", "4 p2-2")},
        asker=one_of("ponto", "banker"),
    ),
    variant(
        "banker_asks_staff", {PT[0]: "98 s2", SANREMO: ("109 s1", "109 s2")}, asker="banker", adviser=Drawn(_staff)
    ),
    variant("ponto_asks_staff", {PT[0]: "99 s1", SANREMO: ("109 s1", "109 s2")}, asker="ponto", adviser=Drawn(_staff)),
    variant(
        "ponto_asks_on_five",
        {PT[0]: ("99 s1", "99 s2"), SANREMO: "109 s2"},
        asker="ponto",
        ponto=5,
        adviser=Drawn(_staff),
    ),
    # Next to five, where the rule leaves no choice.
    variant("ponto_asks_on_four_or_six", {PT[0]: "99 s1"}, asker="ponto", ponto=one_of(4, 6), adviser=Drawn(_staff)),
    # Also staff, but not the member who may advise.
    variant(
        "inspector_advises",
        {SANREMO: "109 s1", SPAIN: ("4 p2-1", "4 p2-2")},
        asker=one_of("ponto", "banker"),
        adviser="inspector",
    ),
    variant("croupier_advises", {SPAIN: "4 p2-1"}, asker=one_of("ponto", "banker"), adviser="croupier"),
)
def _asked(
    draw: Draw, book: Rulebook, difficulty: int, asker: Side, *, ponto: int | None = None, adviser: str | None = None
) -> Situation:
    """A player in doubt on two cards. A banker is never in an optional cell, because there no advice would be right."""
    claim: Claim = draw.pick(("stake", "banco_table", "banco")) if difficulty >= 2 else "stake"
    if asker == "banker" and book.coded_as in PT:
        # Against any other ponto he follows the table anyway, advised or not.
        claim = "banco"
    facts = coup(draw, book, difficulty, claim=claim)
    if adviser is None and asker == "banker" and book.coded_as in PT and difficulty >= 3 and draw.chance(0.5):
        facts |= {"by_table": ("banker",), "calls": (Call("croupier", "banker_by_table"), *facts["calls"])}
    if adviser is None:
        person = facts["banker"] if asker == "banker" else facts["holder"]
        adviser = draw.pick([place for place in (*pontos(facts), facts["banker"]) if place != person])
    if asker == "banker":
        facts |= _banker_in_doubt(draw, book, facts)
    else:
        facts["ponto"] = draw.hand(draw.pick((0, 1, 2, 3, 4, 6, 7)) if ponto is None else ponto)
    answered = book.coded_as == SPAIN and adviser in STAFF
    return Situation(**facts, incident=AdviceAsked(asker=asker, adviser=adviser, answered=answered))


def _banker_in_doubt(draw: Draw, book: Rulebook, facts: dict[str, Any]) -> dict[str, Any]:
    banker = draw.number(3, 6)
    word: Says = draw.pick(("card", "card", "no"))
    ponto = draw.hand(draw.number(0, 5) if word == "card" else draw.number(5, 7))
    if word == "card":
        ponto = (*ponto, draw.card(*_settled_thirds(book, banker)))
    calls = (*facts["calls"], Call("ponto", word), Call("croupier", word))
    return {"ponto": ponto, "banker_cards": draw.hand(banker), "next": (draw.card(),), "calls": calls}


def _settled_thirds(book: Rulebook, banker: int) -> list[int]:
    """Third cards for which every table gives the same plain answer. Spain prints no table, so any of these will do."""
    optional = {3: (8, 9), 5: (4,)}.get(banker, ())
    return [third for third in range(10) if third not in optional]
