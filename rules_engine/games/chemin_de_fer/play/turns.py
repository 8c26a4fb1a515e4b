"""What comes next in an ordinary coup: who looks, speaks, repeats, uncovers, states his score, and in which words.

Portugal 64 s0, 66, 67 s0, 72 and 96 s0; Sanremo 11 s2, 11 s3 and 73.
"""

from rules_engine.authoring import ImpossibleFacts, Reasoning, Rulebook, Sentence, variant
from rules_engine.games.baccarat.cards import score
from rules_engine.games.baccarat.draw import Draw
from rules_engine.games.chemin_de_fer.books import PT, SANREMO
from rules_engine.games.chemin_de_fer.game import case, case_table, domain, rule
from rules_engine.games.chemin_de_fer.outcome import announce_result
from rules_engine.games.chemin_de_fer.setting import coup
from rules_engine.games.chemin_de_fer.table import (
    FOR_FOREIGNERS,
    Call,
    Claim,
    Incident,
    Says,
    Situation,
    is_natural,
)
from rules_engine.games.chemin_de_fer.third_card import cell, fair_thirds

WORDS = ("card", "no", "eight", "nine")
COVERED = ("banker.1", "banker.2")

domain(
    *("next_act", "ponto_looks", "croupier_repeats", "banker_uncovers", "banker_states", "both_state"),
    unknown=dict.fromkeys(PT, ("banker_states",)) | {SANREMO: ("both_state",)},
)
domain("languages", "own", "own_and_foreign")


class CoupGoesOn(Incident, frozen=True, tag="coup_goes_on"):
    """Nothing is wrong; the coup waits for the next act. `drawn` is whether the third cards, if any, are out."""

    phrased = {"announcement": "question.announced_act"}

    drawn: bool = False

    def check(self, situation: Situation) -> None:
        word, repeated = _said(situation)
        if word not in ("", *WORDS):
            raise ImpossibleFacts("calls", "a ponto with the cards says card or no, or shows a natural")
        if self.drawn and not repeated:
            raise ImpossibleFacts("drawn", "third cards are drawn after the croupier has repeated the ponto's word")
        if self.drawn and situation.hidden:
            raise ImpossibleFacts("hidden", "after the draws the banker's cards must lie face up")
        if word in ("eight", "nine") and not is_natural(situation.ponto):
            raise ImpossibleFacts("calls", "the ponto shows {word:play.word} without a natural", word=word)
        if not self.drawn and (len(situation.ponto), len(situation.banker_cards)) != (2, 2):
            raise ImpossibleFacts("cards", "before the draws each side must have two cards")

    def narration(self) -> list[Sentence]:
        return [("incident.coup_goes_on_drawn" if self.drawn else "incident.coup_goes_on", {})]

    def narrated(self, situation: Situation) -> list[Sentence]:
        """All is in order only if foreigners have heard the word too; the log has it in the language of the table."""
        told = super().narrated(situation)
        heard = situation.foreigners and _said(situation)[1] and not self.drawn
        return [("incident.repeated_to_foreigners", {}), *told] if heard else told


def _said(s: Situation) -> tuple[str, bool]:
    """The ponto's word, empty if none, and whether the croupier has repeated it."""
    word: Says | None = next((call.says for call in reversed(s.calls) if call.by == "ponto"), None)
    return word or "", word is not None and s.calls[-1] == Call("croupier", word)


@rule(CoupGoesOn, *PT)
def next_act_pt(s: Situation, incident: CoupGoesOn, r: Reasoning) -> None:
    word, repeated = _said(s)
    if not word:
        r.pivot("64 s0", "turns.ponto_first")
        r.choice("next_act", "ponto_looks")
    elif not repeated:
        r.pivot("66", "turns.repeat_foreigners" if s.foreigners else "turns.repeat", word=word)
        r.choice("next_act", "croupier_repeats")
        r.choice("languages", "own_and_foreign" if s.foreigners else "own")
        r.step("96 b-1", "settlement.repeat_word", by=s.calls[-1].by)
        r.words(word)
        r.rests("announcement", "66", "96 b-1")
    elif not incident.drawn:
        r.pivot("67 s0", "turns.banker_uncovers", word=word)
        r.choice("next_act", "banker_uncovers")
    else:
        r.pivot("72", "turns.both_state")
        r.choice("next_act", "both_state")
        r.pivot("96 s0", "settlement.also_foreign" if s.foreigners else "settlement.own_language")
        r.choice("languages", "own_and_foreign" if s.foreigners else "own")
        announce_result(s, r, score(s.ponto), score(s.banker_cards))


@rule(CoupGoesOn, SANREMO)
def next_act_sanremo(s: Situation, incident: CoupGoesOn, r: Reasoning) -> None:
    word, repeated = _said(s)
    if not word:
        r.pivot("11 s2", "turns.ponto_first")
        r.choice("next_act", "ponto_looks")
    elif not repeated:
        r.pivot("11 s2", "turns.repeat", word=word)
        r.step("73", "turns.before_banker_uncovers")
        r.choice("next_act", "croupier_repeats")
    elif not incident.drawn:
        r.pivot("11 s2", "turns.banker_uncovers", word=word)
        r.pivot("73", "turns.legibly")
        r.choice("next_act", "banker_uncovers")
    else:
        r.pivot("11 s3", "turns.banker_states_first")
        r.choice("next_act", "banker_states")


@case_table(
    "ponto_draw",
    variant("cards_delivered", {PT[0]: "64 s0", SANREMO: "11 s2"}, said=False, repeated=False),
    variant("ponto_has_spoken", {PT[0]: "66", SANREMO: "11 s2"}, said=True, repeated=False),
)
def _dealt(draw: Draw, book: Rulebook, difficulty: int, *, said: bool, repeated: bool) -> Situation:
    """Two cards each, the banker's covered, brought to some point before the draws."""
    facts = coup(draw, book, difficulty, claim=draw.pick(("stake", "banco_table", "banco")))
    ponto = draw.number(0, 9)
    natural: dict[int, Says] = {8: "eight", 9: "nine"}
    word = natural.get(ponto, "card" if ponto < 5 else "no")
    calls = (Call("ponto", word), Call("croupier", word))[: said + repeated]
    covered = COVERED if word in ("eight", "nine") and said else ("ponto.1", "ponto.2", *COVERED)
    foreigners = FOR_FOREIGNERS in book.law and difficulty >= 2 and draw.chance(0.5)
    return Situation(
        **facts | {"calls": (*facts["calls"], *calls)},
        ponto=draw.hand(ponto),
        banker_cards=draw.hand(draw.number(0, 9)),
        hidden=covered,
        foreigners=foreigners,
        incident=CoupGoesOn(),
    )


@case("third_card", {PT[0]: "67 s0", SANREMO: ("11 s2", "73")})
def word_repeated(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    return _dealt(draw, book, difficulty, said=True, repeated=True)


@case("third_card", {PT[0]: "72", SANREMO: "11 s3"})
def draws_over(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """A coup played out by the table; the harder, the more likely that both sides drew."""
    claim: Claim = draw.pick(("stake", "banco_table"))
    facts = coup(draw, book, difficulty, claim=claim)
    start = draw.number(0, 4) if difficulty >= 3 else draw.number(0, 7)
    banker = draw.number(0, 6)
    ponto_cards, banker_cards = draw.hand(start), draw.hand(banker)
    third = draw.card(*fair_thirds(book, banker)) if start < 5 else None
    if third:
        ponto_cards = (*ponto_cards, third)
    if cell(book, banker, third) in "TO":
        banker_cards = (*banker_cards, draw.card())
    word: Says = "card" if third else "no"
    return Situation(
        **facts | {"calls": (*facts["calls"], Call("ponto", word), Call("croupier", word))},
        ponto=ponto_cards,
        banker_cards=banker_cards,
        foreigners=book.coded_as != SANREMO and difficulty >= 2 and draw.chance(0.5),
        incident=CoupGoesOn(drawn=True),
    )
