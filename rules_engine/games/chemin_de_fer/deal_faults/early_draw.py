"""Cards out of the shoe that the banker regrets having drawn: before the betting is closed, or after.

Portugal 40 s4, 97 s1-s2, 104 a (before and after the close); Sanremo 30 s1-s2, 54 s1-s3; Spain 1 p1-1 to 1 p1-3.
A card that came out face up is burned, whoever drew it and when: Portugal 106 a, Sanremo 31, Spain 1 p2.
"""

from typing import Any, Literal

from rules_engine.authoring import ImpossibleFacts, Reasoning, Rulebook, Sentence
from rules_engine.games.baccarat.draw import Draw
from rules_engine.games.baccarat.hands import lying
from rules_engine.games.chemin_de_fer.books import PT, SANREMO, SPAIN
from rules_engine.games.chemin_de_fer.deal_faults.rights import is_closed, still_open
from rules_engine.games.chemin_de_fer.game import case, domain, rule
from rules_engine.games.chemin_de_fer.setting import coup
from rules_engine.games.chemin_de_fer.table import Call, Incident, Situation, face_up

domain("banker_duty", "play", "pass", "leave_seat", unknown={SPAIN: ("leave_seat",)})
domain("seen", "seen", "unseen")


def _how_many(s: Situation, told: list[Sentence]) -> list[Sentence]:
    """Including the cards that the banker has drawn, and those of them that came out face up."""
    first, *rest = [(id, {**values, "drawn": s.loose}) for id, values in told]
    up = _cards(s, face_up(s))
    which = "all_face_up" if len(up) == len(s.loose) else "face_up"
    return [first, *([(f"incident.drawn_{which}", {"out": up})] if up else []), *rest]


def _face_down(s: Situation) -> tuple[int, ...]:
    """The numbers of the drawn cards that lie face down."""
    up = face_up(s)
    return tuple(number for number in range(1, len(s.loose) + 1) if number not in up)


def _cards(s: Situation, numbers: tuple[int, ...]) -> tuple[str, ...]:
    return tuple(s.loose[number - 1] for number in numbers)


class DrawnBeforeClosing(Incident, frozen=True, tag="drawn_before_closing"):
    """The banker took the `loose` cards out of the shoe while the betting was open, and now wants something.

    `let_off`: the inspector decides that he should not be bound by it.
    """

    wish: Literal["go_on", "put_back", "pass"]
    let_off: bool = False

    def check(self, situation: Situation) -> None:
        if is_closed(situation):
            raise ImpossibleFacts("calls", "the betting is already closed")
        if not 1 <= len(situation.loose) <= 4:
            raise ImpossibleFacts("loose", "the banker must have drawn one to four cards")
        if situation.ponto or situation.banker_cards:
            raise ImpossibleFacts("ponto", "nobody has cards before the betting is closed")

    def narration(self) -> list[Sentence]:
        told: list[Sentence] = [("incident.drawn_before_closing", {})]
        told.append((f"incident.deal_banker_{self.wish}", {}))
        return [*told, ("incident.deal_let_off", {})] if self.let_off else told

    def narrated(self, situation: Situation) -> list[Sentence]:
        return _how_many(situation, super().narrated(situation))


@rule(DrawnBeforeClosing, *PT)
def drawn_before_closing_pt(s: Situation, incident: DrawnBeforeClosing, r: Reasoning) -> None:
    r.pivot("40 s4", "deal.not_before_closing")
    _played_pt(s, r)


def _played_pt(s: Situation, r: Reasoning) -> None:
    """A drawn card binds the banker. Whose each card is follows from its turn in the deal."""
    down = len(_face_down(s))
    r.pivot("104 a", "deal.drawn_must_play", count=len(s.loose))
    r.pivot("97 s2", "deal.never_back", count=len(s.loose))
    _face_up_is_out(s, r, "106 a")
    if down:
        r.pivot("97 s1", "deal.given_or_taken", count=down)
        r.step("62", "deal.in_turn")
    _played(s, r)


def _face_up_is_out(s: Situation, r: Reasoning, cite: str) -> None:
    up = face_up(s)
    if up:
        r.pivot(cite, "deal.face_up_burned", count=len(up))
        r.choice("stakes_may", "unchanged")
    for number in up:
        r.rests(f"fate.loose.{number}", cite)


@rule(DrawnBeforeClosing, SANREMO)
def drawn_before_closing_sanremo(s: Situation, incident: DrawnBeforeClosing, r: Reasoning) -> None:
    r.pivot("54 s1", "deal.drawn_must_play_to_bank", bank=s.bank)
    r.pivot("30 s1", "deal.never_back", count=len(s.loose))
    _face_up_is_out(s, r, "31")
    if not (incident.let_off or incident.wish == "pass"):
        staked = sum(stake.amount for stake in s.stakes)
        r.amount("must_accept", s.bank, tempting=[staked, s.minimum, s.bank - staked], critical=True)
        _played(s, r)
        return
    duty = "pass" if incident.let_off else "leave_seat"
    r.pivot("54 s2", "deal.inspector_lets_pass" if incident.let_off else "deal.refuses_leaves_seat")
    down = _face_down(s)
    if down:
        r.pivot("54 s3", "deal.cards_serve_next_coup", count=len(down))
    r.choice("banker_duty", duty)
    _fates(s, r, dict.fromkeys(down, "next_coup"))
    r.after(lying(next_coup=_cards(s, down), burned=_cards(s, face_up(s)), shoe=s.next))


@rule(DrawnBeforeClosing, SPAIN)
def drawn_before_closing_spain(s: Situation, incident: DrawnBeforeClosing, r: Reasoning) -> None:
    text = "deal.drawn_must_play_in_principle" if incident.let_off else "deal.drawn_must_play"
    r.pivot("1 p1-1", text, count=len(s.loose))
    r.pivot("1 p1-2", "deal.never_back", count=len(s.loose))
    _face_up_is_out(s, r, "1 p2")
    if not incident.let_off:
        _played(s, r)
        return
    r.pivot("1 p1-3", "deal.let_off_cards_discarded", count=len(s.loose))
    r.choice("banker_duty", "pass")
    _fates(s, r, {})
    r.after(lying(burned=s.loose, shoe=s.next))


def _played(s: Situation, r: Reasoning) -> None:
    """The coup goes on with the cards that lie face down: the first is the ponto's, the second the banker's, and so
    on."""
    down = _face_down(s)
    r.choice("banker_duty", "play", tempting=("pass", "leave_seat"))
    _fates(s, r, {number: "banker" if turn % 2 else "ponto" for turn, number in enumerate(down)})
    ponto, banker = _cards(s, down[0::2]), _cards(s, down[1::2])
    r.after(lying(ponto=ponto, banker=banker, burned=_cards(s, face_up(s)), shoe=s.next))


def _fates(s: Situation, r: Reasoning, kept: dict[int, str]) -> None:
    """Where each drawn card goes; those that are not kept are burned."""
    for number in range(1, len(s.loose) + 1):
        r.fate(f"loose.{number}", kept.get(number, "burned"))


def _early(draw: Draw, book: Rulebook, difficulty: int, incident: DrawnBeforeClosing) -> Situation:
    facts = still_open(coup(draw, book, difficulty))
    return Situation(**facts, **_drawn(draw, difficulty), incident=incident)


def _drawn(draw: Draw, difficulty: int) -> dict[str, Any]:
    """Cards out of the shoe. Harder: more of them, and one may have come out face up."""
    count = draw.number(1, 2) if difficulty <= 2 else draw.number(1, 4)
    up = draw.number(1, count) if difficulty >= 2 and draw.chance(0.4) else 0
    hidden = tuple(f"loose.{number}" for number in range(1, count + 1) if number != up)
    return {"loose": tuple(draw.card() for _ in range(count)), "hidden": hidden}


@case(
    "deal_faults",
    {
        PT[0]: ("40 s4", "97 s1", "97 s2", "104 a", "106 a"),
        SANREMO: ("30 s1", "31", "54 s1"),
        SPAIN: ("1 p1-1", "1 p1-2", "1 p2"),
    },
)
def drawn_too_soon(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    wish: Literal["go_on", "put_back"] = "put_back" if difficulty >= 2 or draw.chance(0.5) else "go_on"
    return _early(draw, book, difficulty, DrawnBeforeClosing(wish=wish))


@case("deal_faults", {PT[0]: ("40 s4", "97 s1", "97 s2", "104 a"), SANREMO: ("54 s1", "54 s2", "54 s3")})
def drawn_too_soon_refuses(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    let_off = draw.chance(0.5) and book.coded_as == SANREMO
    return _early(draw, book, difficulty, DrawnBeforeClosing(wish="pass", let_off=let_off))


@case("deal_faults", {SPAIN: ("1 p1-1", "1 p1-2", "1 p1-3")})
def drawn_too_soon_let_off(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    return _early(draw, book, difficulty, DrawnBeforeClosing(wish="pass", let_off=True))


class DrawnAfterClosing(Incident, frozen=True, tag="drawn_after_closing"):
    """The betting is closed, the banker has drawn the `loose` cards, and changes his mind."""

    wish: Literal["put_back", "pass"]

    def check(self, situation: Situation) -> None:
        if not is_closed(situation):
            raise ImpossibleFacts("calls", "the betting is still open")
        if not 1 <= len(situation.loose) <= 4:
            raise ImpossibleFacts("loose", "the banker must have drawn one to four cards")
        if situation.ponto or situation.banker_cards:
            raise ImpossibleFacts("ponto", "nobody has been given his cards yet")

    def narration(self) -> list[Sentence]:
        return [("incident.drawn_after_closing", {}), (f"incident.deal_banker_{self.wish}", {})]

    def narrated(self, situation: Situation) -> list[Sentence]:
        return _how_many(situation, super().narrated(situation))


@rule(DrawnAfterClosing, *PT)
def drawn_after_closing_pt(s: Situation, incident: DrawnAfterClosing, r: Reasoning) -> None:
    """The ordinary case of 104 a: nothing was irregular, and a drawn card binds him."""
    _played_pt(s, r)


@case("deal_faults", {PT[0]: ("97 s1", "97 s2", "104 a")})
def drawn_and_regretted(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    wish: Literal["put_back", "pass"] = draw.pick(("put_back", "pass"))
    drawn = _drawn(draw, difficulty)
    return Situation(**coup(draw, book, difficulty), **drawn, incident=DrawnAfterClosing(wish=wish))


class CardDetached(Incident, frozen=True, tag="card_detached"):
    """A banker who plays by the rule has begun to take a card that is due to nobody: the `loose` one.

    `out`: how far it left the shoe; `lifted`: how far it left the cloth.
    """

    out: Literal["partly", "fully"]
    lifted: Literal["no", "corner", "fully"] = "no"

    def check(self, situation: Situation) -> None:
        if len(situation.loose) != 1:
            raise ImpossibleFacts("loose", "exactly one card must be meant")
        if "banker" not in situation.by_table:
            raise ImpossibleFacts("by_table", "only the mistake of a banker who plays by the rule is undone")
        if self.out == "partly" and self.lifted != "no":
            raise ImpossibleFacts("incident.lifted", "a card still in the shoe is not lifted from the cloth")

    def elsewhere(self) -> dict[str, str]:
        return {"loose.1": "mouth"} if self.out == "partly" else {}


@rule(CardDetached, SANREMO)
def card_detached_sanremo(s: Situation, incident: CardDetached, r: Reasoning) -> None:
    if incident.out == "partly":
        r.pivot("30 s1", "deal.not_detached")
        r.choice("seen", "unseen")
        r.fate("loose.1", "shoe")
        r.after(lying(ponto=s.ponto, banker=s.banker_cards, shoe=(*s.loose, *s.next)))
        return
    r.pivot("30 s1", "deal.detached")
    seen = incident.lifted != "no"
    r.pivot("30 s2", "deal.lifted_is_seen" if seen else "deal.not_lifted_is_unseen")
    r.step("111 s2", "deal.seen_is_cancelled" if seen else "deal.unseen_serves_next")
    r.choice("seen", "seen" if seen else "unseen")
    r.fate("loose.1", "burned" if seen else "next_coup")
    kept = lying(ponto=s.ponto, banker=s.banker_cards, next_coup=s.loose, shoe=s.next)
    gone = lying(ponto=s.ponto, banker=s.banker_cards, burned=s.loose, shoe=s.next)
    r.after(gone if seen else kept)


def _detached(draw: Draw, book: Rulebook, difficulty: int, incident: CardDetached) -> Situation:
    facts = coup(draw, book, difficulty)
    facts["calls"] = (Call("croupier", "banker_by_table"), *facts["calls"], Call("ponto", "no"), Call("croupier", "no"))
    return Situation(
        **facts,
        ponto=draw.hand(draw.number(6, 7)),
        banker_cards=draw.hand(draw.number(6, 7)),
        loose=(draw.card(),),
        hidden=("loose.1",) if incident.lifted == "no" else (),
        by_table=("banker",),
        incident=incident,
    )


@case("deal_faults", {SANREMO: "30 s1"})
def card_partly_out(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """Half out and let go, or all the way out and lifted, if only by a corner."""
    partly = draw.chance(0.5)
    incident = CardDetached(out="partly") if partly else CardDetached(out="fully", lifted="corner")
    return _detached(draw, book, difficulty, incident)


@case("deal_faults", {SANREMO: ("30 s1", "30 s2")})
def card_fully_out(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    ways: list[Literal["no", "corner", "fully"]] = (
        ["no", "fully", "fully"] if difficulty == 1 else ["no", "corner", "corner", "fully"]
    )
    return _detached(draw, book, difficulty, CardDetached(out="fully", lifted=draw.pick(ways)))
