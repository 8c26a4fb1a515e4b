"""The ponto asked for a card, or stood, against the table: the coup is restored, or left as it is.

Portugal 64 d, 70 s1, 71 (open too) and, on the croupier's wrong advice, 100; Sanremo 110 s1, 111, 118 and 126.
"""

from msgspec import structs

from rules_engine.authoring import ImpossibleFacts, NotRegulated, Reasoning, Rulebook, Sentence
from rules_engine.games.baccarat.cards import score
from rules_engine.games.baccarat.draw import Draw
from rules_engine.games.chemin_de_fer.books import PT, SANREMO
from rules_engine.games.chemin_de_fer.draw_faults.hands import spoken
from rules_engine.games.chemin_de_fer.draw_faults.restored import (
    banker_duty,
    drawn_cards,
    drawn_refs,
    left_over,
    replay,
    settle_again,
    thirds,
)
from rules_engine.games.chemin_de_fer.game import case, rule
from rules_engine.games.chemin_de_fer.outcome import settle
from rules_engine.games.chemin_de_fer.table import Claim, Incident, Says, Side, Situation, alone, is_natural
from rules_engine.games.chemin_de_fer.third_card import CELLS, Wish, cell, ponto_word

WORDS = {"card": "draw", "no": "stand"}


class PontoFalseDraw(Incident, frozen=True, tag="ponto_false_draw"):
    """The draw is over, the ponto's cards are turned up, and somebody objects to the word he said.

    `advice` is what the croupier had told him, if he asked.
    """

    phrased = {"announcement": "question.announced_result"}

    advice: Wish | None = None

    def check(self, situation: Situation) -> None:
        if is_natural(situation.ponto[:2]) or is_natural(situation.banker_cards[:2]):
            raise ImpossibleFacts("ponto", "with a natural on the table nobody draws")
        word = ponto_word(situation)
        if word not in WORDS:
            raise ImpossibleFacts("calls", "the ponto has said neither card nor no")
        if len(situation.ponto) != (3 if word == "card" else 2):
            raise ImpossibleFacts("ponto", "the cards do not fit the ponto's word")
        if not 2 <= len(situation.banker_cards) <= 3:
            raise ImpossibleFacts("banker_cards", "the banker must have two cards, or three if he drew")

    def narration(self) -> list[Sentence]:
        told = (f"incident.ponto_advised_{self.advice}",) if self.advice else ()
        return [(id, {}) for id in (*told, "incident.ponto_false_draw")]


@rule(PontoFalseDraw, *PT)
def ponto_false_draw_pt(s: Situation, incident: PontoFalseDraw, r: Reasoning) -> None:
    dealt = score(s.ponto[:2])
    did = WORDS[ponto_word(s)]
    letter = r.book.param("ponto_table")[dealt]
    if letter == "O":
        if incident.advice:
            r.step("99 s2", "advice.five_is_his")
        r.pivot("64 d", "draw_faults.five_is_free")
        if incident.advice:
            r.step("100", "draw_faults.five_nothing_to_rebuild")
        _stands(s, r)
        return
    due = "draw" if letter == "T" else "stand"
    r.step("64 c" if due == "draw" else "64 b", f"draw_faults.ponto_must_{due}", ponto=dealt)
    if did == due:
        raise NotRegulated("arts. 64 and 71: the ponto drew by the table: there is nothing to restore")
    if incident.advice == did:
        r.pivot("100", "draw_faults.advice_was_wrong_ponto", advice=incident.advice)
    elif s.claim == "banco":
        r.pivot("70 s1", "draw_faults.banco_frees_ponto", holder=s.holder or "ponto")
        _stands(s, r)
        return
    else:
        r.pivot("71", "draw_faults.false_draw_rebuilt", holder=s.holder or "ponto")
    out, refs = drawn_cards(s), drawn_refs(s)
    own = r.book.reads("PT71", "own_card")
    if own and due == "stand":
        out, refs = out[::-1], refs[::-1]
    again = replay(s, r, out=out, ponto_draws=due == "draw")
    if due == "stand" and len(out) > again.used > 0:
        # Two cards are out and the banker alone draws: the first of them serves him, or the one that lay before him.
        text = "draw_faults.own_card_stays" if own else "draw_faults.first_out_serves"
        r.pivot("71 open", text, first=s.ponto[2], second=s.banker_cards[2])
    settle_again(s, r, again, refs)
    if r.told("draw_faults.false_draw_rebuilt"):
        r.player("watched_by", "inspector", tempting=("croupier", "banker"))
        r.rests("watched_by", "71")


@rule(PontoFalseDraw, SANREMO)
def ponto_false_draw_it(s: Situation, incident: PontoFalseDraw, r: Reasoning) -> None:
    dealt = score(s.ponto[:2])
    did = WORDS[ponto_word(s)]
    by_rule = "ponto" in s.by_table or incident.advice is not None
    table = "ponto_table_by_rule" if by_rule or alone(s) else "ponto_table_with_third_parties"
    letter = r.book.param(table)[dealt]
    due = did if letter == "O" else "draw" if letter == "T" else "stand"
    choice_gone = False
    if incident.advice not in (None, due):
        raise NotRegulated("arts. 109 and 110: Sanremo does not say what follows from the croupier's wrong advice")
    if incident.advice:
        _at_fault(did, due)
        r.pivot("110 s1", "draw_faults.advice_not_followed", side="ponto", advice=incident.advice)
        r.step("111 s1", "draw_faults.by_rule_corrected", side="ponto")
    elif by_rule:
        _at_fault(did, due)
        r.step("113 1-draw" if due == "draw" else "113 1-stand", f"draw_faults.ponto_must_{due}", ponto=dealt)
        r.pivot("111 s1", "draw_faults.by_rule_corrected", side="ponto")
    elif alone(s):
        if did == "stand" and dealt == 0:
            raise NotRegulated("arts. 48 and 113: Sanremo forbids standing on baccara without saying what follows")
        r.pivot("118", "draw_faults.sole_ponto_uncorrected", ponto=dealt)
        _stands(s, r)
        return
    elif letter == "O":
        r.pivot("126 s1", "draw_faults.five_is_free")
        _stands(s, r)
        return
    else:
        _at_fault(did, due)
        r.step("126 s1", f"draw_faults.ponto_must_{due}", ponto=dealt)
        r.pivot("126 s2", "draw_faults.third_parties_restored")
        choice_gone = True
    again = replay(s, r, out=drawn_cards(s), ponto_draws=due == "draw", choice_gone=choice_gone)
    left_over(s, r, drawn_refs(s)[again.used :], "111 s2" if by_rule else "126 s3")
    settle_again(s, r, again, drawn_refs(s))


def _at_fault(did: str, due: str) -> None:
    if did == due:
        raise NotRegulated("arts. 110, 111 and 126: the ponto drew as he had to: there is nothing to restore")


def _stands(s: Situation, r: Reasoning) -> None:
    """He was free to say it, and what was drawn on it stays; the banker's card is ruled by what he then saw."""
    r.choice("coup", "stands", critical=True)
    r.choice("ponto_draw", "may_choose")
    duty = banker_duty(s, r, s.ponto[2] if len(s.ponto) == 3 else None)
    if duty in ("may_choose", CELLS["T" if len(s.banker_cards) == 3 else "F"]):
        # A false draw of the banker himself would be another matter.
        r.choice("banker_draw", duty, critical=True)
    for ref in drawn_refs(s):
        r.fate(ref, ref.partition(".")[0])
    settle(s, r, ponto=s.ponto, banker=s.banker_cards, shoe=s.next)


def _wrongly(
    draw: Draw,
    book: Rulebook,
    difficulty: int,
    *,
    ponto: int,
    did: str,
    claim: Claim = "stake",
    by_table: tuple[Side, ...] = (),
    advice: Wish | None = None,
    banker: int | None = None,
    spare: bool = False,
) -> Situation:
    """A ponto with this score who asked or stood; the banker then followed the table on what he saw.

    The cards allow the coup to be played again without meeting an optional cell. `spare` makes sure that cards are left
    over when the ponto should have stood; only then may one be unseen.
    """
    banker = (6 if spare else draw.number(0, 7)) if banker is None else banker
    word: Says = "card" if did == "draw" else "no"
    if did == "draw":
        letters = draw.pick([letter for letter in "TF" if thirds(book, banker, letter)])
        out = [draw.card(*thirds(book, banker, letters))]
        if letters == "T":
            out.append(draw.card())
    else:
        # The first card out, or the next in the shoe, will be the ponto's: it must not lead to an optional cell.
        out = [draw.card(*thirds(book, banker, "TF"))] if cell(book, banker, None) == "T" else []
    first = () if out else (draw.card(*thirds(book, banker, "TF")),)
    taken = tuple(out[1:] if did == "draw" else out)
    hidden = ("banker.3",) if spare and taken and draw.chance(0.5) else ()
    return Situation(
        **spoken(draw, book, difficulty, word, claim=claim, by_table=by_table),
        ponto=(*draw.hand(ponto), *(out[:1] if did == "draw" else ())),
        banker_cards=(*draw.hand(banker), *taken),
        next=(*first, draw.card(), draw.card()),
        hidden=hidden,
        incident=PontoFalseDraw(advice=advice),
    )


def _fault(draw: Draw) -> tuple[int, Wish]:
    """A score and what a ponto with it must not do."""
    did: Wish = draw.pick(("draw", "stand"))
    return (draw.number(6, 7) if did == "draw" else draw.number(0, 4)), did


@case("draw_faults", {PT[0]: "71"})
def ponto_false_draw(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    ponto, did = _fault(draw)
    claim: Claim = draw.pick(("stake", "banco_table"))
    return _wrongly(draw, book, difficulty, ponto=ponto, did=did, claim=claim)


@case("draw_faults", {PT[0]: ("71", "71 open")})
def ponto_false_draw_two_out(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """He asked with six or seven, and a banker who draws on either course has a card too."""
    claim: Claim = draw.pick(("stake", "banco_table"))
    return _wrongly(draw, book, difficulty, ponto=draw.number(6, 7), did="draw", claim=claim, banker=draw.number(0, 5))


@case("ponto_faults", {SANREMO: "118"})
@case("draw_faults", {PT[0]: "70 s1", SANREMO: "118"})
def ponto_false_draw_alone(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    ponto, did = _fault(draw)
    ponto = max(ponto, 1)
    return _wrongly(draw, book, difficulty, ponto=ponto, did=did, claim="banco")


@case("draw_faults", {SANREMO: "118"})
def ponto_false_draw_only_stake(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """Alone without having called bancô: no other stake lies on the table."""
    ponto, did = _fault(draw)
    made = _wrongly(draw, book, difficulty, ponto=max(ponto, 1), did=did)
    return structs.replace(made, stakes=made.stakes[:1])


@case("ponto_faults", {SANREMO: "126 s1"})
@case("draw_faults", {PT[0]: "64 d", SANREMO: "126 s1"})
def ponto_five_challenged(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    return _wrongly(draw, book, difficulty, ponto=5, did=draw.pick(("draw", "stand")))


@case("croupier_faults", {PT[0]: "100"})
def ponto_wrongly_advised(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    ponto, did = _fault(draw)
    claim: Claim = draw.pick(("stake", "banco")) if difficulty >= 3 else "stake"
    banker = draw.pick((0, 2, 4, 5, 6, 6, 7, 7))
    return _wrongly(draw, book, difficulty, ponto=ponto, did=did, advice=did, claim=claim, banker=banker)


@case("croupier_faults", {PT[0]: "64 d"})
def five_wrongly_advised(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """The croupier should not have said it, but with five there is nothing to put right."""
    did: Wish = draw.pick(("draw", "draw", "stand"))
    claim: Claim = draw.pick(("stake", "banco")) if difficulty >= 3 else "stake"
    return _wrongly(draw, book, difficulty, ponto=5, did=did, advice=did, claim=claim)


@case("draw_faults", {SANREMO: "110 s1"})
def ponto_against_advice(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    ponto, did = _fault(draw)
    if did == "draw" and difficulty >= 2:
        ponto = draw.number(5, 7)
    advice: Wish = "stand" if did == "draw" else "draw"
    claim: Claim = draw.pick(("stake", "banco"))
    return _wrongly(draw, book, difficulty, ponto=ponto, did=did, advice=advice, claim=claim)


@case("draw_faults", {SANREMO: "111 s1"})
def ponto_by_rule_errs(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    ponto, did = _fault(draw)
    if did == "draw" and difficulty >= 2:
        ponto = draw.number(5, 7)
    return _wrongly(draw, book, difficulty, ponto=ponto, did=did, claim="banco", by_table=("ponto",))


@case("draw_faults", {SANREMO: ("111 s1", "111 s2")})
def ponto_by_rule_errs_card_left(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    ponto = draw.number(6, 7) if difficulty <= 2 else draw.number(5, 7)
    return _wrongly(draw, book, difficulty, ponto=ponto, did="draw", claim="banco", by_table=("ponto",), spare=True)


@case("ponto_faults", {SANREMO: "126 s2"})
@case("draw_faults", {SANREMO: "126 s2"})
def ponto_false_draw_third_parties(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    ponto, did = _fault(draw)
    return _wrongly(draw, book, difficulty, ponto=ponto, did=did)
