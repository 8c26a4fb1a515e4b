"""A score stated wrongly, or stated by a banker who then wants to draw.

Sanremo 76, 111 s1, 119 and 125.
"""

from typing import Annotated

from msgspec import Meta

from rules_engine.authoring import ImpossibleFacts, NotRegulated, Reasoning, Rulebook, Sentence, Utterance, variant
from rules_engine.games.baccarat.cards import score
from rules_engine.games.baccarat.draw import Draw
from rules_engine.games.chemin_de_fer.books import SANREMO
from rules_engine.games.chemin_de_fer.draw_faults.hands import dealt, played, spoken
from rules_engine.games.chemin_de_fer.draw_faults.restored import draws
from rules_engine.games.chemin_de_fer.game import case, case_table, domain, rule
from rules_engine.games.chemin_de_fer.outcome import settle
from rules_engine.games.chemin_de_fer.table import Claim, Incident, Says, Side, Situation, alone
from rules_engine.games.chemin_de_fer.third_card import duty_sanremo, fair_thirds

Score = Annotated[int, Meta(ge=0, le=9)]

domain("to_show", "nothing", "third_card", "all_cards")


class ScoreStated(Incident, frozen=True, tag="score_stated"):
    """One side has said a score. `wants_card`: the banker, still on two cards, then reaches for the shoe.

    `laid_out`: the ponto has put his cards on the cloth for all to see.
    """

    phrased = {"announcement": "question.announced_stated"}

    side: Side
    said: Score
    wants_card: bool = False
    laid_out: bool = True

    def check(self, situation: Situation) -> None:
        if min(len(situation.ponto), len(situation.banker_cards)) < 2:
            raise ImpossibleFacts("ponto", "both sides must have their cards")
        if self.wants_card and (self.side != "banker" or len(situation.banker_cards) != 2 or not situation.next):
            raise ImpossibleFacts("incident.wants_card", "only a banker on two cards has a third card to draw")
        if self.side == "banker" and not self.laid_out:
            raise ImpossibleFacts("incident.laid_out", "the banker's cards lie face up since the ponto spoke")

    def narration(self) -> list[Sentence]:
        told: list[Sentence] = [("incident.score_stated", {"side": self.side, "said": self.said})]
        if self.wants_card:
            told.append(("incident.score_then_draws", {}))
        if not self.laid_out:
            told.append(("incident.score_cards_kept", {}))
        return told


def cards_speak(r: Reasoning, cite: str, side: str, said: int, real: int) -> None:
    """The croupier's words when a score is misstated."""
    r.pivot(cite, "draw_faults.cards_speak", side=side, said=said, real=real)
    others = [formula.name for formula in r.book.formulas.values() if formula.by == "croupier"]
    plain = [name for name in others if "{" not in r.book.formula(name).text[r.book.language]]
    r.words("cards_speak", tempting=[Utterance(name) for name in plain if name != "cards_speak"])


@rule(ScoreStated, SANREMO)
def score_stated_it(s: Situation, incident: ScoreStated, r: Reasoning) -> None:
    if incident.wants_card:
        _banker_reaches(s, incident, r)
        return
    real = score(s.heap(incident.side))
    if incident.side == "ponto":
        _ponto_states(s, incident, r, real)
    elif incident.said == real:
        raise NotRegulated("art. 76: the banker has stated his real score: there is nothing to correct")
    else:
        if len(s.ponto) == len(s.banker_cards) == 2:
            raise NotRegulated("art. 76 speaks of a banker who has given or taken a card")
        cards_speak(r, "76 s1", "banker", incident.said, real)
        r.score("banker_score", real, tempting=[incident.said])
    settle(s, r, ponto=s.ponto, banker=s.banker_cards, shoe=s.next)


def _ponto_states(s: Situation, incident: ScoreStated, r: Reasoning, real: int) -> None:
    if incident.said != real:
        if not alone(s):
            raise NotRegulated("art. 119 speaks of a sole ponto")
        cards_speak(r, "119", "ponto", incident.said, real)
    r.step("125", "draw_faults.ponto_lays_out", pivot=not incident.laid_out)
    r.choice("to_show", "nothing" if incident.laid_out else "all_cards")
    r.score("ponto_score", real, tempting=[incident.said])


def _banker_reaches(s: Situation, incident: ScoreStated, r: Reasoning) -> None:
    real = score(s.banker_cards)
    gave = len(s.ponto) == 3
    if gave and incident.said != real:
        cards_speak(r, "76 s1", "banker", incident.said, real)
    if "banker" in s.by_table:
        # Playing by the rule he draws or stands by the table, whatever he said.
        r.pivot("111 s1", "draw_faults.by_rule_corrected", side="banker")
        duty = duty_sanremo(s, r, s.ponto[2] if gave else None)
    elif incident.said:
        r.pivot("76 s2", "draw_faults.stated_bars_draw", said=incident.said)
        duty = "must_stand"
    else:
        r.pivot("76 s2", "draw_faults.baccara_bars_nothing")
        duty = duty_sanremo(s, r, s.ponto[2] if gave else None)
    r.choice("banker_draw", duty, critical=True)
    takes = draws(duty, "draw")
    banker = (*s.banker_cards, s.next[0]) if takes else s.banker_cards
    settle(s, r, ponto=s.ponto, banker=banker, shoe=s.next[1:] if takes else s.next)


def _wrong(draw: Draw, real: int, rival: int, difficulty: int) -> int:
    """A wrong score to state. Harder: one that would reverse the result."""
    others = [said for said in range(10) if said != real]
    turning = [said for said in others if (said > rival) != (real > rival) or (said < rival) != (real < rival)]
    return draw.pick(turning if difficulty >= 3 and turning else others)


@case("draw_faults", {SANREMO: "76 s1"})
def banker_misstates(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """After a third card: the ponto's, the banker's or both."""
    facts = played(draw, book, difficulty, claim=draw.pick(("stake", "banco")), drawn=True)
    real, rival = score(facts["banker_cards"]), score(facts["ponto"])
    return Situation(**facts, incident=ScoreStated(side="banker", said=_wrong(draw, real, rival, difficulty)))


@case("draw_faults", {SANREMO: "119"})
def sole_ponto_misstates(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    facts = played(draw, book, difficulty, claim="banco")
    real, rival = score(facts["ponto"]), score(facts["banker_cards"])
    laid_out = difficulty == 1 or draw.chance(0.8)
    incident = ScoreStated(side="ponto", said=_wrong(draw, real, rival, difficulty), laid_out=laid_out)
    return Situation(**facts, incident=incident)


@case("draw_faults", {SANREMO: "125"})
def ponto_keeps_his_cards(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    claim: Claim = draw.pick(("stake", "banco"))
    facts = played(draw, book, difficulty, claim=claim)
    return Situation(**facts, incident=ScoreStated(side="ponto", said=score(facts["ponto"]), laid_out=False))


@case_table(
    "draw_faults",
    variant("banker_states_then_reaches", {SANREMO: "76 s2"}),
    variant("banker_by_rule_states_then_reaches", {SANREMO: "111 s1"}, by_table=("banker",)),
)
def _states_then_reaches(draw: Draw, book: Rulebook, difficulty: int, *, by_table: tuple[Side, ...] = ()) -> Situation:
    """Harder: he says baccara, or a score that is not his."""
    banker = draw.number(1, 7) if difficulty <= 2 else draw.number(0, 7)
    said = draw.pick((banker, banker, 0, draw.number(1, 7))) if difficulty >= 2 else banker
    word: Says = draw.pick(("card", "no"))
    third = (draw.card(*fair_thirds(book, banker)),) if word == "card" else ()
    return Situation(
        **spoken(draw, book, difficulty, word, claim=draw.pick(("stake", "banco")), by_table=by_table),
        ponto=(*dealt(draw, word), *third),
        banker_cards=draw.hand(banker),
        next=(draw.card(), draw.card()),
        incident=ScoreStated(side="banker", said=said, wants_card=True),
    )
