"""The ponto says one word and then the other: which counts, and may the banker give or refuse the card?

Portugal 105 c-1, 105 c-2, 105 c-3 and 105 d; Sanremo 121 s1-s3 (sole ponto), 129 s1-s2 (with third parties), 111 s1;
Spain 4 p3-1, 4 p3-2 and 4 p3-3.
"""

from typing import Literal

from rules_engine.authoring import ImpossibleFacts, NotRegulated, Reasoning, Rulebook
from rules_engine.games.baccarat.cards import score
from rules_engine.games.baccarat.draw import Draw
from rules_engine.games.chemin_de_fer.books import PT, SANREMO, SPAIN
from rules_engine.games.chemin_de_fer.game import case, domain, rule
from rules_engine.games.chemin_de_fer.play.ponto_word import ponto_by_rule_sanremo, ponto_cell
from rules_engine.games.chemin_de_fer.ponto_third import PontoKey, decide_third
from rules_engine.games.chemin_de_fer.setting import coup
from rules_engine.games.chemin_de_fer.table import Call, Claim, Incident, Says, Side, Situation, alone, is_natural
from rules_engine.games.chemin_de_fer.third_card import (
    Wish,
    bound_in_optional_cells,
    duty_pt,
    duty_sanremo,
    fair_thirds,
    finish,
    table_duty,
)

WORDS: tuple[Says, ...] = ("card", "no")
COVERED = ("banker.1", "banker.2")

domain(
    *("banker_option", "yes_saying_first", "yes_in_silence", "none"),
    unknown=dict.fromkeys((SANREMO, SPAIN), ("yes_in_silence",)),
)
domain(
    "word_counts",
    "first",
    "last",
    "croupier",
    "rule",
    unknown={**dict.fromkeys(PT, ("last", "croupier", "rule")), SANREMO: ("first",)},
)


class ChangedWord(Incident, frozen=True, tag="changed_word"):
    """The ponto's two words are in the calls. If it is up to the banker, he would give or refuse the card; for his own
    third card he wants to draw or to stand. His cards may still be covered (`hidden`)."""

    phrased = {"announcement": "question.announced_result"}

    gives: Literal["give", "refuse"]
    wish: Wish

    def check(self, situation: Situation) -> None:
        words = ponto_words(situation)
        if len(words) != 2 or set(words) != set(WORDS):
            raise ImpossibleFacts("calls", "the ponto must have said card and no, one after the other")
        for fact, cards in (("ponto", situation.ponto), ("banker_cards", situation.banker_cards)):
            if len(cards) != 2 or is_natural(cards):
                raise ImpossibleFacts(fact, "there must be two cards that are not a natural")
        if len(situation.next) < 2:
            raise ImpossibleFacts("next", "the shoe has no cards for both sides")
        if situation.hidden and set(situation.hidden) != set(COVERED):
            raise ImpossibleFacts("hidden", "the banker's cards must be both covered or both uncovered")


def ponto_words(s: Situation) -> tuple[str, ...]:
    return tuple(call.says for call in s.calls if call.by == "ponto")


@rule(ChangedWord, *PT)
def changed_word_pt(s: Situation, incident: ChangedWord, r: Reasoning) -> None:
    ponto, first = score(s.ponto), ponto_words(s)[0]
    if ponto == r.book.number("ponto_free_score"):
        r.pivot("105 d", "changed.first_on_five", first=first)
        r.choice("banker_option", "none", critical=True)
        r.choice("word_counts", "first")
        _go_on(s, incident, r, asks=first == "card")
    elif score(s.banker_cards) == 0:
        # The text takes the option away and does not say what then happens to the card.
        r.pivot("105 c-2", "changed.banker_baccara")
        r.choice("banker_option", "none", critical=True)
    else:
        r.pivot("105 c-1", f"changed.option_{first}")
        silent = r.book.reads("Q14", "only_baccara")
        r.pivot("105 c-3", "changed.need_not_say" if silent else "changed.says_first")
        r.choice("banker_option", "yes_in_silence" if silent else "yes_saying_first", critical=True)
        if s.claim == "banco":
            _go_on(s, incident, r, asks=incident.gives == "give")


@rule(ChangedWord, SANREMO)
def changed_word_sanremo(s: Situation, incident: ChangedWord, r: Reasoning) -> None:
    if "ponto" in s.by_table:
        # What 121 and 129 allow others is an error for him, and is put right.
        r.pivot("111 s1", "draw_faults.by_rule_corrected", side="ponto")
        r.choice("banker_option", "none", critical=True)
        r.choice("word_counts", "rule")
        play_by_rule_sanremo(s, r, wish=incident.wish)
    elif s.hidden:
        _last_word_sanremo(s, incident, r)
    elif alone(s):
        _sole_ponto_sanremo(s, incident, r)
    else:
        _third_parties_sanremo(s, incident, r)


def _last_word_sanremo(s: Situation, incident: ChangedWord, r: Reasoning) -> None:
    last, ponto = ponto_words(s)[1], score(s.ponto)
    if alone(s):
        r.pivot("121 s3", "changed.last_covered", last=last)
        false = ponto == 0 and last == "no"
    else:
        r.pivot("129 s1", "changed.last_covered", last=last)
        false = (
            ponto_cell(r, "ponto_table_with_third_parties", ponto) == {"card": "must_stand", "no": "must_draw"}[last]
        )
    if false:
        raise NotRegulated(
            "arts. 113 and 126 let no ponto in this position say “{word:play.word}”: that is another fault", word=last
        )
    r.choice("banker_option", "none", critical=True)
    r.choice("word_counts", "last")
    _go_on(s, incident, r, asks=last == "card")


def _sole_ponto_sanremo(s: Situation, incident: ChangedWord, r: Reasoning) -> None:
    if score(s.ponto) == 0:
        r.pivot("121 s1", "changed.ponto_baccara")
        r.step("48", "ponto.alone_baccara", holder=s.holder or "ponto")
        r.choice("banker_option", "none", critical=True)
        r.choice("ponto_draw", "must_draw", critical=True)
        _go_on(s, incident, r, asks=True)
        return
    r.pivot("121 s1", "changed.option_uncovered")
    r.pivot("121 s2", "changed.says_first")
    r.choice("banker_option", "yes_saying_first", critical=True)
    _go_on(s, incident, r, asks=incident.gives == "give")


def _third_parties_sanremo(s: Situation, incident: ChangedWord, r: Reasoning) -> None:
    r.pivot("129 s2", "changed.by_rule", ponto=score(s.ponto))
    r.choice("banker_option", "none", critical=True)
    r.choice("word_counts", "rule")
    play_by_rule_sanremo(s, r)


def play_by_rule_sanremo(s: Situation, r: Reasoning, *, wish: Wish | None = None, key: PontoKey = "ponto_draw") -> None:
    """Both sides play by the rule after a ponto's fault: on five he stands, and in optional cells the banker stands,
    unless only the rule binds him and leaves him the choice."""
    asks = ponto_by_rule_sanremo(r, score(s.ponto)) == "must_draw"
    decide_third(r, key, takes=asks)
    third = s.next[0] if asks else None
    duty = table_duty(r, score(s.banker_cards), third)
    if duty == "may_choose" and wish is None:
        duty = bound_in_optional_cells(r.book)
    ponto = (*s.ponto, s.next[0]) if asks else s.ponto
    finish(s, r, duty, wish or "stand", ponto=ponto, shoe=s.next[1:] if asks else s.next)


@rule(ChangedWord, SPAIN)
def changed_word_spain(s: Situation, incident: ChangedWord, r: Reasoning) -> None:
    if score(s.ponto) == 0:
        r.pivot("4 p3-2", "changed.ponto_baccara")
        r.choice("banker_option", "none", critical=True)
        return
    r.pivot("4 p3-1", "changed.option")
    r.pivot("4 p3-3", "changed.says_first")
    r.choice("banker_option", "yes_saying_first", critical=True)


def _go_on(s: Situation, incident: ChangedWord, r: Reasoning, *, asks: bool) -> None:
    """The coup goes on with or without the ponto's third card."""
    third = s.next[0] if asks else None
    duty = duty_sanremo(s, r, third) if r.book.coded_as == SANREMO else duty_pt(s, r, third)
    ponto = (*s.ponto, s.next[0]) if asks else s.ponto
    finish(s, r, duty, incident.wish, ponto=ponto, shoe=s.next[1:] if asks else s.next)


def _changed(
    draw: Draw,
    book: Rulebook,
    difficulty: int,
    *,
    ponto: int,
    banker: int,
    claim: Claim,
    last: Says | None = None,
    covered: bool = False,
    by_table: tuple[Side, ...] = (),
    only: bool = False,
) -> Situation:
    facts = coup(draw, book, difficulty, claim=claim) | {"by_table": by_table}
    if only:
        facts["stakes"] = facts["stakes"][:1]
    second: Says = draw.pick(WORDS) if last is None else last
    first: Says = "no" if second == "card" else "card"
    between = (Call("croupier", first), *(() if covered else (Call("banker", "turns_up"),)))
    return Situation(
        **facts | {"calls": (*facts["calls"], Call("ponto", first), *between, Call("ponto", second))},
        ponto=draw.hand(ponto),
        banker_cards=draw.hand(banker),
        next=(draw.card(*fair_thirds(book, banker)), draw.card()),
        hidden=COVERED if covered else (),
        incident=ChangedWord(gives=draw.pick(("give", "refuse")), wish=draw.pick(("draw", "stand"))),
    )


@case("ponto_faults", {PT[0]: ("105 c-1", "105 c-3"), SANREMO: ("121 s1", "121 s2"), SPAIN: ("4 p3-1", "4 p3-3")})
def banker_has_the_option(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """Harder: the other side has the score that removes the option under other rules."""
    ponto, banker = draw.pick((1, 2, 3, 4, 6, 7)), draw.number(1, 7)
    if difficulty >= 3 and draw.chance(0.4):
        ponto, banker = (0, banker) if book.coded_as in PT else (ponto, 0)
    return _changed(draw, book, difficulty, ponto=ponto, banker=banker, claim="banco")


@case("ponto_faults", {SANREMO: ("121 s1", "121 s2")})
def only_stake_changes_his_word(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """Alone without having called bancô: nobody else has a stake down."""
    return _changed(draw, book, difficulty, ponto=draw.number(1, 7), banker=draw.number(0, 7), claim="stake", only=True)


@case("ponto_faults", {PT[0]: "105 c-2"})
def banker_has_baccara(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    claim: Claim = draw.pick(("stake", "banco_table", "banco")) if difficulty >= 3 else "banco"
    return _changed(draw, book, difficulty, ponto=draw.pick((0, 2, 4, 6, 7)), banker=0, claim=claim)


@case("ponto_faults", {SANREMO: "121 s1", SPAIN: "4 p3-2"})
def ponto_has_baccara(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    return _changed(draw, book, difficulty, ponto=0, banker=draw.number(0, 7), claim="banco")


@case("ponto_faults", {PT[0]: "105 d"})
def five_changes_his_word(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """Harder: bancô, and a banker on baccara, where other letters apply."""
    claim: Claim = draw.pick(("stake", "banco_table", "banco")) if difficulty >= 2 else "stake"
    banker = draw.number(0, 7) if difficulty >= 3 else draw.number(1, 7)
    return _changed(draw, book, difficulty, ponto=5, banker=banker, claim=claim)


@case("ponto_faults", {SANREMO: "121 s3"})
def sole_before_uncovering(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    return _changed(
        draw, book, difficulty, ponto=draw.number(1, 7), banker=draw.number(0, 7), claim="banco", covered=True
    )


@case("ponto_faults", {SANREMO: "129 s1"})
def third_parties_before_uncovering(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """The last word is the one that the rule asks of him, or his free choice with five."""
    ponto = draw.pick((4, 5, 6)) if difficulty >= 3 else draw.number(0, 7)
    last: Says = draw.pick(WORDS) if ponto == 5 else "card" if ponto < 5 else "no"
    claim: Claim = draw.pick(("stake", "banco_table"))
    return _changed(draw, book, difficulty, ponto=ponto, banker=draw.number(0, 7), claim=claim, last=last, covered=True)


@case("ponto_faults", {SANREMO: "129 s2"})
def third_parties_after_uncovering(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """Harder: five, which stands here and is a choice elsewhere, and bankers at the edges of the table."""
    ponto = draw.pick((4, 5, 5, 6)) if difficulty >= 3 else draw.number(0, 7)
    banker = draw.number(4, 6) if difficulty >= 3 else draw.pick((0, 1, 2, 4, 5, 6, 7))
    claim: Claim = draw.pick(("stake", "banco_table"))
    return _changed(draw, book, difficulty, ponto=ponto, banker=banker, claim=claim)


@case("ponto_faults", {SANREMO: "111 s1"})
def by_rule_changes_his_word(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """Harder: five, the last word against the rule, or the banker's cards still covered."""
    ponto = draw.pick((0, 4, 5, 5, 6)) if difficulty >= 3 else draw.number(0, 7)
    covered = difficulty >= 3 and draw.chance(0.4)
    claim: Claim = draw.pick(("banco", "stake"))
    banker = draw.pick((0, 1, 2, 4, 5, 6, 7))
    return _changed(
        draw, book, difficulty, ponto=ponto, banker=banker, claim=claim, covered=covered, by_table=("ponto",)
    )
