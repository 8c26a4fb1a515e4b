"""Cards put into the discard box too early, by the banker, the ponto or the croupier himself.

Portugal 74 and 75; Sanremo 62, 111 s3, 123 and 131; Spain 3 p7.
"""

from typing import Literal

from rules_engine.authoring import After, Drawn, ImpossibleFacts, NotRegulated, Reasoning, Rulebook, Sentence, variant
from rules_engine.games.baccarat.cards import score
from rules_engine.games.baccarat.draw import Draw
from rules_engine.games.baccarat.hands import lying
from rules_engine.games.chemin_de_fer.books import PT, SANREMO, SPAIN
from rules_engine.games.chemin_de_fer.draw_faults.hands import played
from rules_engine.games.chemin_de_fer.game import case, case_table, domain, rule
from rules_engine.games.chemin_de_fer.outcome import annul, payments, settle, winner_of
from rules_engine.games.chemin_de_fer.table import Claim, Incident, Side, Situation, alone

Stage = Literal["unseen", "seen", "announced"]
# How often a coup is drawn again until the offender would have won it.
AHEAD_TRIES = 6
OPPONENT = {"banker": "ponto", "ponto": "banker"}

domain("sanction", "none", "leave_table", "leave_room")


class CardsBinned(Incident, frozen=True, tag="cards_binned"):
    """The draw is over and somebody puts cards into the discard box.

    `stage` is how far the coup was: the cards not yet clearly seen by all, seen, or the scores announced as well.
    `cards` says which, by where they lay; `first_coup` that the box was empty before; `settled` that every stake had
    been paid or collected by the cards before anybody complained.
    """

    by: Literal["banker", "ponto", "croupier"]
    stage: Stage
    cards: tuple[str, ...]
    first_coup: bool = False
    settled: bool = False

    def check(self, situation: Situation) -> None:
        if not self.cards or len(set(self.cards)) != len(self.cards):
            raise ImpossibleFacts("incident.cards", "one card or several different ones must have gone into the box")
        if situation.loose or min(len(situation.ponto), len(situation.banker_cards)) < 2:
            raise ImpossibleFacts("ponto", "both sides must have their cards when the draw is over")
        for ref in self.cards:
            heap, _, number = ref.partition(".")
            if heap not in OPPONENT or number not in map(str, range(1, len(situation.heap(heap)) + 1)):
                raise ImpossibleFacts("incident.cards", "there is no card {ref:lying}", ref=ref)

    def narration(self) -> list[Sentence]:
        told: list[Sentence] = [
            (
                f"incident.cards_binned_{'one' if len(self.cards) == 1 else 'many'}",
                {"by": self.by, "count": len(self.cards)},
            ),
            (f"incident.binned_{self.stage}", {}),
        ]
        told += [("incident.binned_settled", {})] if self.settled else []
        return [(f"incident.binned_{'first' if self.first_coup else 'later'}_coup", {}), *told]

    def elsewhere(self) -> dict[str, str]:
        return dict.fromkeys(self.cards, "basket")


def _lost(s: Situation, incident: CardsBinned, r: Reasoning, loser: str) -> None:
    """The coup is lost by rule, whatever the cards are."""
    winner = OPPONENT[loser]
    r.choice("coup", "stands", tempting=("restored", "annulled"), critical=True)
    # Under other rules the cards would decide, or there would be a tie or no winner.
    r.choice("winner", winner, tempting=("ponto", "banker", "tie", "nobody"), critical=True)
    r.after(_lying(s, incident, winner, r.book))


def _lying(s: Situation, incident: CardsBinned, winner: str, book: Rulebook) -> After:
    def left(side: str) -> tuple[str, ...]:
        refs = (f"{side}.{number}" for number in range(1, len(s.heap(side)) + 1))
        return tuple(s.card(ref) for ref in refs if ref not in incident.cards)

    return lying(
        ponto=left("ponto"),
        banker=left("banker"),
        burned=tuple(map(s.card, incident.cards)),
        shoe=s.next,
        payments=payments(s, book, winner),
    )


def _compared(s: Situation, r: Reasoning, coup: str) -> None:
    r.choice("coup", coup, tempting=("stands", "restored", "annulled"), critical=True)
    settle(s, r, ponto=s.ponto, banker=s.banker_cards, shoe=s.next)


@rule(CardsBinned, *PT)
def cards_binned_pt(s: Situation, incident: CardsBinned, r: Reasoning) -> None:
    if incident.settled:
        raise NotRegulated("arts. 74 and 75 do not say until when cards in the discard may be complained of")
    if incident.by == "croupier":
        early = incident.stage != "announced"
        r.step("74", "draw_faults.croupier_may_bin")
        r.pivot("75 s3", "draw_faults.croupier_binned_early" if early else "draw_faults.croupier_binned_in_time")
        if early:
            annul(s, r)
        else:
            _compared(s, r, "stands")
        return
    r.pivot("74", "draw_faults.only_croupier_bins", by=incident.by)
    shown = "draw_faults.binned_loses" if incident.stage == "unseen" else "draw_faults.binned_loses_though_shown"
    r.pivot("75 s1" if incident.by == "banker" else "75 s2", shown, by=incident.by)
    _lost(s, incident, r, incident.by)


@rule(CardsBinned, SPAIN)
def cards_binned_es(s: Situation, incident: CardsBinned, r: Reasoning) -> None:
    if incident.settled:
        r.pivot(
            "3 p7", "draw_faults.binned_would_lose" if incident.stage == "unseen" else "draw_faults.binned_after_seen"
        )
        r.pivot("3 p8", "draw_faults.binned_too_late")
        _compared(s, r, "stands")
        return
    if incident.by != "banker":
        raise NotRegulated("art. 3 §7: Spain speaks only of a banker who puts cards into the discard box")
    if incident.stage == "unseen":
        r.pivot("3 p7", "draw_faults.binned_loses", by="banker")
        _lost(s, incident, r, "banker")
        return
    r.pivot("3 p7", "draw_faults.binned_after_seen")
    _compared(s, r, "stands")


@rule(CardsBinned, SANREMO)
def cards_binned_it(s: Situation, incident: CardsBinned, r: Reasoning) -> None:
    if incident.settled:
        raise NotRegulated(
            "arts. 62, 123 and 131 speak of cards put away before the score is settled, not of later claims"
        )
    seen_settles = r.book.reads("SR62", "seen")
    early = incident.stage == "unseen" or (incident.stage == "seen" and not seen_settles)
    if incident.stage == "seen":
        r.pivot("62 s4", "draw_faults.seen_settled" if seen_settles else "draw_faults.seen_not_settled")
    if incident.by == "croupier":
        _by_croupier_it(s, incident, r, early)
    elif incident.by == "ponto" and not alone(s):
        if not early:
            raise NotRegulated("art. 131 speaks of cards put away before the score is settled")
        r.pivot("131 s2", "draw_faults.binned_third_parties")
        annul(s, r)
    elif not early:
        r.pivot(_cite(incident, 1), "draw_faults.binned_score_settled")
        _compared(s, r, "stands")
    else:
        _by_player_it(s, incident, r)
    if incident.by == "ponto":
        # Only the ponto who plays for others may be sent away.
        r.choice("sanction", "none" if alone(s) else "leave_room")


def _cite(incident: CardsBinned, part: int) -> str:
    """The clause for the banker or for the sole ponto: 1 the loss, 2 baccara, 3 the first coup of the shoe."""
    return f"62 s{part}" if incident.by == "banker" else f"123 s{min(part, 2)}"


def _by_croupier_it(s: Situation, incident: CardsBinned, r: Reasoning, early: bool) -> None:
    if not early:
        r.pivot("131 s1", "draw_faults.croupier_binned_in_time")
        _compared(s, r, "stands")
    elif incident.first_coup:
        r.pivot("131 s1", "draw_faults.first_coup_taken_back")
        _compared(s, r, "restored")
    else:
        r.pivot("131 s1", "draw_faults.croupier_binned_early")
        annul(s, r)


def _by_player_it(s: Situation, incident: CardsBinned, r: Reasoning) -> None:
    if incident.by in s.by_table and incident.by == "ponto":
        if r.book.reads("SR111", "annulled") and not incident.first_coup:
            r.pivot("111 s3", "draw_faults.binned_by_rule_annulled")
            annul(s, r)
            return
        r.pivot("111 s3", "draw_faults.binned_by_rule_all_the_same")
    opponent = OPPONENT[incident.by]
    baccara = score(s.heap(opponent)) == 0
    if baccara and incident.first_coup:
        raise NotRegulated("arts. 62 and 123: Sanremo does not say which of its two exceptions goes first")
    alone_decides = not baccara and not incident.first_coup
    r.step(_cite(incident, 1), "draw_faults.binned_loses", by=incident.by, pivot=alone_decides)
    if incident.first_coup:
        r.pivot(_cite(incident, 3), "draw_faults.first_coup_taken_back")
        _compared(s, r, "restored")
    elif baccara:
        r.pivot(_cite(incident, 2), "draw_faults.binned_opponent_baccara", opponent=opponent)
        r.choice("coup", "stands", tempting=("restored", "annulled"), critical=True)
        r.choice("winner", "tie", tempting=("ponto", "banker", "nobody"), critical=True)
        r.after(_lying(s, incident, "tie", r.book))
    else:
        r.step(_cite(incident, 2), "draw_faults.binned_no_exception", opponent=opponent)
        _lost(s, incident, r, incident.by)


def _early(draw: Draw, book: Rulebook, difficulty: int) -> tuple[Stage, ...]:
    """Before the score is settled. If hard, all have seen the cards, which does not settle it."""
    return ("unseen", "seen", "seen") if difficulty >= 3 else ("unseen",)


def _binned(
    draw: Draw,
    book: Rulebook,
    difficulty: int,
    by: Literal["banker", "ponto", "croupier"],
    *,
    stages: tuple[Stage, ...] = ("unseen",),
    claim: Claim = "stake",
    first_coup: bool = False,
    baccara: Side | None = None,
    by_table: tuple[Side, ...] = (),
    settled: bool = False,
    ahead: bool = False,
) -> Situation:
    """A coup played out; some cards of the offender, or of either side if the croupier errs, are put away.

    `ahead`: he would usually have won it, so that the fault decides.
    """
    facts = played(draw, book, difficulty, claim=claim, baccara=baccara, by_table=by_table)
    for _ in range(AHEAD_TRIES if ahead else 0):
        if winner_of(score(facts["ponto"]), score(facts["banker_cards"])) == by:
            break
        facts = played(draw, book, difficulty, claim=claim, baccara=baccara, by_table=by_table)
    side = draw.pick(("ponto", "banker")) if by == "croupier" else by
    count = len(facts["banker_cards" if side == "banker" else "ponto"])
    refs = [f"{side}.{number}" for number in range(1, count + 1)]
    cards = tuple(sorted(draw.sample(refs, draw.number(1, count))))
    incident = CardsBinned(by=by, stage=draw.pick(stages), cards=cards, first_coup=first_coup, settled=settled)
    return Situation(**facts, incident=incident)


@case("discard_faults", {PT[0]: ("74", "75 s1"), SPAIN: "3 p7"})
def banker_bins(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    stages: tuple[Stage, ...] = ("unseen", "seen", "announced") if book.coded_as == SPAIN else ("unseen", "seen")
    claim: Claim = draw.pick(("stake", "banco")) if difficulty >= 3 else "stake"
    return _binned(draw, book, difficulty, "banker", stages=stages, claim=claim, ahead=True)


@case("discard_faults", {SPAIN: ("3 p7", "3 p8")})
def banker_binned_and_all_is_settled(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """He would have lost; the stakes are settled, and claims are no longer heard."""
    stages: tuple[Stage, ...] = ("unseen", "unseen", "seen") if difficulty >= 3 else ("unseen",)
    claim: Claim = draw.pick(("stake", "banco"))
    return _binned(draw, book, difficulty, "banker", stages=stages, claim=claim, settled=True)


@case("discard_faults", {PT[0]: ("74", "75 s2")})
def ponto_bins(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    claim: Claim = draw.pick(("stake", "banco_table", "banco"))
    return _binned(draw, book, difficulty, "ponto", stages=("unseen", "seen"), claim=claim, ahead=True)


@case("discard_faults", {PT[0]: "75 s3", SANREMO: "131 s1"})
def croupier_bins(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    early: tuple[Stage, ...] = _early(draw, book, difficulty) if book.coded_as == SANREMO else ("unseen",)
    stages: tuple[Stage, ...] = (draw.pick(early), "announced") if difficulty >= 2 else early
    first = book.coded_as == SANREMO and draw.chance(0.4)
    return _binned(draw, book, difficulty, "croupier", stages=stages, first_coup=first)


@case("discard_faults", {SANREMO: "62 s1"})
def banker_bins_early(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    by_table: tuple[Side, ...] = ("banker",) if difficulty >= 3 and draw.chance(0.5) else ()
    early = _early(draw, book, difficulty)
    stages: tuple[Stage, ...] = (draw.pick(early), draw.pick(early), "announced") if difficulty >= 2 else early
    return _binned(draw, book, difficulty, "banker", stages=stages, by_table=by_table)


case_table(
    "discard_faults",
    variant("banker_bins_seen_cards", {SANREMO: "62 s4"}, by="banker", stages=("seen",)),
    variant("banker_bins_against_baccara", {SANREMO: "62 s2"}, by="banker", stages=Drawn(_early), baccara="ponto"),
    variant("banker_bins_in_first_coup", {SANREMO: "62 s3"}, by="banker", stages=Drawn(_early), first_coup=True),
    variant("sole_ponto_bins", {SANREMO: "123 s1"}, by="ponto", stages=Drawn(_early), claim="banco"),
    variant("sole_ponto_by_rule_bins", {SANREMO: "111 s3"}, by="ponto", claim="banco", by_table=("ponto",)),
)(_binned)


@case("discard_faults", {SANREMO: "123 s2"})
def sole_ponto_bins_excused(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    stages = _early(draw, book, difficulty)
    if draw.chance(0.5):
        return _binned(draw, book, difficulty, "ponto", stages=stages, claim="banco", first_coup=True)
    return _binned(draw, book, difficulty, "ponto", stages=stages, claim="banco", baccara="banker")


@case("discard_faults", {SANREMO: "131 s2"})
def ponto_with_others_bins(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    return _binned(draw, book, difficulty, "ponto", first_coup=difficulty >= 3 and draw.chance(0.3))
