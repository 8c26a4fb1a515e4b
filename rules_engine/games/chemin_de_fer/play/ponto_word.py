"""The ponto has seen his two cards: must he ask, stand or show, and which word must he say?

Portugal 64 a-d, 65 a-c and 70 s1. Sanremo 13 s1-s2, 48, 113 (s1, s2, 1-draw, 1-stand, 1-nat) and 126 s1.
"""

from typing import Any

from rules_engine.authoring import Drawn, ImpossibleFacts, Reasoning, Rulebook, Utterance, one_of, variant
from rules_engine.games.baccarat.cards import score
from rules_engine.games.baccarat.draw import Draw
from rules_engine.games.chemin_de_fer.books import PT, SANREMO
from rules_engine.games.chemin_de_fer.game import case, case_table, rule
from rules_engine.games.chemin_de_fer.setting import coup
from rules_engine.games.chemin_de_fer.table import Claim, Incident, Side, Situation, alone, is_natural
from rules_engine.games.chemin_de_fer.third_card import CELLS, Wish

WORDS = ("card", "no", "eight", "nine")
NATURAL = {8: "eight", 9: "nine"}


class PontoToSpeak(Incident, frozen=True, tag="ponto_to_speak"):
    """The ponto has looked at his cards and is about to speak; if he is free, he does what he wishes."""

    wish: Wish

    def check(self, situation: Situation) -> None:
        if len(situation.ponto) != 2:
            raise ImpossibleFacts("ponto", "the ponto speaks on two cards")
        if any(call.by == "ponto" for call in situation.calls):
            raise ImpossibleFacts("calls", "the ponto has already spoken")


def ponto_row_pt(ponto: int) -> str:
    """The letter of article 64 about this score."""
    if ponto >= 8:
        return "64 a"
    return "64 d" if ponto == 5 else "64 b" if ponto > 5 else "64 c"


def ponto_row_sanremo(ponto: int) -> str:
    """The line of article 113 (1), playing by the rule."""
    return "113 1-nat" if ponto >= 8 else "113 1-stand" if ponto >= 5 else "113 1-draw"


def ponto_cell(r: Reasoning, table: str, ponto: int) -> str:
    """What a table of the rulebook tells a ponto with this score."""
    letters: str = r.book.param(table)
    return CELLS[letters[ponto]]


def _text(duty: str, ponto: int) -> str:
    return "ponto.show" if ponto >= 8 else f"ponto.{duty}"


def ponto_by_rule_sanremo(r: Reasoning, ponto: int) -> str:
    """The rule for a ponto who plays by it or is bound to it: on five he stands."""
    duty = ponto_cell(r, "ponto_table_by_rule", ponto)
    r.pivot(ponto_row_sanremo(ponto), _text(duty, ponto), ponto=ponto)
    return duty


@rule(PontoToSpeak, *PT)
def ponto_speaks_pt(s: Situation, incident: PontoToSpeak, r: Reasoning) -> None:
    ponto = score(s.ponto)
    duty = ponto_cell(r, "ponto_table", ponto)
    free = s.claim == "banco" and not is_natural(s.ponto)
    r.step(ponto_row_pt(ponto), _text(duty, ponto), ponto=ponto, pivot=not free)
    if free:
        duty = "may_choose"
        r.pivot("70 s1", "ponto.banco_frees", holder=s.holder or "ponto")
    word = _word(duty, incident.wish, ponto)
    cite = {"card": "65 c", "no": "65 b"}.get(word, "65 a")
    _decide(r, duty, word, cite)


@rule(PontoToSpeak, SANREMO)
def ponto_speaks_sanremo(s: Situation, incident: PontoToSpeak, r: Reasoning) -> None:
    ponto = score(s.ponto)
    duty = duty_of_ponto_sanremo(s, r)
    word = _word(duty, incident.wish, ponto)
    _decide(r, duty, word, "13 s1" if word in ("card", "no") else "13 s2")


def duty_of_ponto_sanremo(s: Situation, r: Reasoning) -> str:
    """What a ponto must do on his two cards: by the rule, with third parties, or alone."""
    ponto = score(s.ponto)
    if "ponto" in s.by_table:
        return ponto_by_rule_sanremo(r, ponto)
    if not alone(s):
        return _with_third_parties(r, ponto)
    if ponto == 0:
        r.pivot("48", "ponto.alone_baccara", holder=s.holder or "ponto")
        r.pivot("113 s1", "ponto.free_baccara")
        return "must_draw"
    r.pivot("48", "ponto.alone_free", holder=s.holder or "ponto")
    r.pivot("113 s1", "ponto.free", ponto=ponto)
    return "may_choose"


def _with_third_parties(r: Reasoning, ponto: int) -> str:
    duty = ponto_cell(r, "ponto_table_with_third_parties", ponto)
    r.pivot("113 s2", "ponto.third_parties")
    if ponto >= 8:
        r.pivot("113 1-nat", "ponto.show", ponto=ponto)
    else:
        r.pivot("126 s1", f"ponto.{duty}", ponto=ponto)
    return duty


def _word(duty: str, wish: Wish, ponto: int) -> str:
    if duty == "must_draw" or (duty == "may_choose" and wish == "draw"):
        return "card"
    return NATURAL.get(ponto, "no")


def _decide(r: Reasoning, duty: str, word: str, cite: str) -> None:
    r.choice("ponto_draw", duty, critical=True)
    r.pivot(cite, "ponto.says", word=word)
    r.words(word, key="ponto_words", tempting=[Utterance(other) for other in WORDS])


def _shared_claim(draw: Draw, book: Rulebook, difficulty: int) -> Claim:
    """A ponto who does not play alone: by the largest stake or, harder, by bancô with the table."""
    return draw.pick(("stake", "banco_table")) if difficulty >= 2 else "stake"


@case_table(
    "ponto_draw",
    variant("ponto_shows", {PT[0]: ("64 a", "65 a")}, ponto=one_of(8, 9), claim=Drawn(_shared_claim)),
    variant("ponto_stands", {PT[0]: ("64 b", "65 b")}, ponto=one_of(6, 7), claim=Drawn(_shared_claim)),
)
def _to_speak(
    draw: Draw, book: Rulebook, difficulty: int, ponto: int, *, claim: Claim = "stake", bound: bool = False
) -> Situation:
    facts = coup(draw, book, difficulty, claim=claim)
    return _situation(draw, facts, ponto, by_table=("ponto",) if bound else ())


def _situation(draw: Draw, facts: dict[str, Any], ponto: int, by_table: tuple[Side, ...] = ()) -> Situation:
    incident = PontoToSpeak(wish=draw.pick(("draw", "stand")))
    return Situation(**facts, ponto=draw.hand(ponto), by_table=by_table, incident=incident)


@case("ponto_draw", {PT[0]: ("64 c", "65 c")})
def ponto_asks(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    low = 3 if difficulty >= 4 else 0
    return _to_speak(draw, book, difficulty, draw.number(low, 4), claim=_shared_claim(draw, book, difficulty))


case_table("ponto_draw", variant("ponto_five", {PT[0]: "64 d"}, ponto=5, claim=Drawn(_shared_claim)))(_to_speak)


@case("ponto_draw", {PT[0]: "70 s1", SANREMO: ("48", "113 s1")})
def ponto_alone(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """Bancô or, at Sanremo, the only stake on the table. The texts differ on baccara."""
    ponto = draw.pick((0, 0, 4, 5, 6, 7)) if difficulty >= 3 else draw.number(0, 7)
    facts = coup(draw, book, difficulty, claim="banco")
    if book.coded_as == SANREMO and draw.chance(0.5):
        # Nobody else has staked: alone without having called bancô.
        facts = coup(draw, book, difficulty, claim="stake")
        facts["stakes"] = facts["stakes"][:1]
    return _situation(draw, facts, ponto)


@case("ponto_draw", {SANREMO: ("113 s2", "126 s1")})
def ponto_with_third_parties(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    ponto = draw.pick((4, 5, 5, 6)) if difficulty >= 3 else draw.number(0, 7)
    return _to_speak(draw, book, difficulty, ponto, claim=_shared_claim(draw, book, difficulty))


@case("ponto_draw", {SANREMO: ("113 s2", "113 1-nat", "13 s2")})
def natural_with_third_parties(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    return _to_speak(draw, book, difficulty, draw.pick((8, 9)), claim=_shared_claim(draw, book, difficulty))


def _by_rule(draw: Draw, book: Rulebook, difficulty: int, ponto: int) -> Situation:
    """Harder: alone against the bank, where another would be free."""
    claim: Claim = draw.pick(("stake", "banco")) if difficulty >= 2 else "stake"
    return _to_speak(draw, book, difficulty, ponto, claim=claim, bound=True)


@case("ponto_draw", {SANREMO: ("113 1-draw", "13 s1")})
def by_rule_asks(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    return _by_rule(draw, book, difficulty, draw.number(3 if difficulty >= 4 else 0, 4))


@case("ponto_draw", {SANREMO: ("113 1-stand", "13 s1")})
def by_rule_stands(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    return _by_rule(draw, book, difficulty, draw.pick((5, 5, 6) if difficulty >= 3 else (5, 6, 7)))


case_table("ponto_draw", variant("by_rule_shows", {SANREMO: ("113 1-nat", "13 s2")}, ponto=one_of(8, 9)))(_by_rule)
