"""A passed hand is offered at level: who gets it, and what follows when nobody takes it.

Portugal 78, 79, 80 (s1, s2, s3), 92 s2; Sanremo 25 s2, 82 s4, 84 s1, 88 (s1, s2), 89 s2, 96 (s1, s2), 97, 101 s1.
"""

from collections.abc import Iterable
from typing import Any

from msgspec import Struct

from rules_engine.authoring import ImpossibleFacts, NotRegulated, Reasoning, Rulebook, Sentence, variant
from rules_engine.games.baccarat.draw import Draw
from rules_engine.games.chemin_de_fer.association import least_seated, tell_kept_partner
from rules_engine.games.chemin_de_fer.bank.places import (
    check_at_table,
    check_movers,
    check_seated,
    movers_last,
    neighbours,
    offer_origin,
    passed_hand,
    seated_first,
    standing_banker,
    tell_movers,
    tell_regular,
)
from rules_engine.games.chemin_de_fer.books import PT, SANREMO
from rules_engine.games.chemin_de_fer.game import case, case_table, domain, rule
from rules_engine.games.chemin_de_fer.order import from_right, standing_by_house
from rules_engine.games.chemin_de_fer.setting import bystanders, pontos, seated_pontos
from rules_engine.games.chemin_de_fer.table import Call, Incident, Place, Situation, Sum

TAKING = ("take", "take_for")
domain("hand_next", "level", "resumed", "auction")


class HandOffered(Incident, frozen=True, tag="hand_offered"):
    """The hand has been offered at level, with the bank as it stands. The calls say who wants it, in the order spoken.

    `together`: those who spoke after the round spoke at once. `partner` shared the bank of the passer, who would go on
    with it if `passer_resumes`: at level, or for the stated sum.
    """

    regular: Place
    together: bool = False
    partner: Place | None = None
    passer_resumes: bool = False
    resumes_for: Sum = 0
    moved_ahead: tuple[Place, ...] = ()

    def check(self, situation: Situation) -> None:
        check_seated(situation, regular=self.regular)
        check_movers(situation, self.moved_ahead)
        check_at_table(situation, partner=self.partner)
        present = {*map(str, situation.seats), *situation.standing}
        for index, call in enumerate(situation.calls):
            if call.says in (*TAKING, "let_go") and (call.by not in present or call.by == situation.banker):
                raise ImpossibleFacts(f"calls[{index}].by", "only another player at the table can take the hand")

    def partner_fact(self) -> str:
        return "partner" if self.partner else ""

    def narration(self) -> list[Sentence]:
        told = [*tell_movers(self.moved_ahead), ("incident.hand_offered.start", {})]
        if self.partner:
            told.append(("incident.hand_offered.partner", {"partner": self.partner}))
        if self.together:
            told.append(("incident.hand_offered.together", {}))
        if self.passer_resumes and self.resumes_for:
            return [*told, ("incident.hand_offered.resumes_for", {"sum": self.resumes_for})]
        return [*told, (f"incident.hand_offered.{'resumes' if self.passer_resumes else 'gone'}", {})]

    def narrated(self, situation: Situation) -> list[Sentence]:
        told = super().narrated(situation)
        after = len(self.moved_ahead) + 1
        return [*told[:after], tell_regular(situation, self.regular), *told[after:]]


class _Round(Struct, frozen=True):
    """Who wants the hand, by when they said so. `short` offered less than the level."""

    at_offer: list[str]
    late: list[str]
    early_standing: list[str]
    standing: list[str]
    short: list[str]

    @property
    def all(self) -> list[str]:
        return [*self.at_offer, *self.early_standing, *self.standing]


def _round(s: Situation) -> _Round:
    found = _Round([], [], [], [], [])
    let_go: set[str] = set()
    finished = False
    for call in s.calls:
        if call.says == "round_done":
            finished = True
        elif call.says == "let_go":
            let_go.add(call.by)
        elif call.says == "take_for" and (call.amount or 0) < s.bank:
            found.short.append(call.by)
        elif call.says in TAKING and call.by.isdigit():
            (found.late if call.by in let_go else found.at_offer).append(call.by)
        elif call.says in TAKING:
            (found.standing if finished else found.early_standing).append(call.by)
    return found


@rule(HandOffered, *PT)
def offered_pt(s: Situation, incident: HandOffered, r: Reasoning) -> None:
    wanted = _round(s)
    if wanted.late:
        raise NotRegulated("art. 78 does not say what happens to a player who lets the hand go and changes his mind")
    origin = offer_origin(s, incident.regular)
    ranked = standing_by_house(r, origin, seated_first(origin, set(wanted.all)))
    for player in wanted.short:
        r.pivot("80 s1", "bank.short_of_level", player=player, level=s.bank)
    if origin != s.banker:
        r.pivot("79", "bank.offered_from_regular", origin=origin)
    if ranked:
        ranked = movers_last(r, ranked, incident.moved_ahead, cite="92 s2")
        r.step("78", "bank.first_of_takers", origin=origin, players=ranked, pivot=origin == s.banker)
    _outcome(s, incident, r, ranked[0] if ranked else None, resumes="80 s2", auction="80 s3")


@rule(HandOffered, SANREMO)
def offered_sanremo(s: Situation, incident: HandOffered, r: Reasoning) -> None:
    tell_kept_partner(s, r)
    wanted = _round(s)
    origin = offer_origin(s, incident.regular)
    for player in wanted.short:
        r.pivot("88 s1", "bank.short_of_level", player=player, level=s.bank)
    taker: str | None = None
    if wanted.at_offer:
        ranked = movers_last(r, from_right(origin, wanted.at_offer), incident.moved_ahead, cite="25 s2")
        taker = ranked[0]
        sentence = "bank.palette_order" if origin == s.banker else "bank.palette_order_initial"
        r.pivot("88 s2", sentence, origin=origin, players=ranked)
    if wanted.late:
        late = movers_last(r, from_right(origin, wanted.late), incident.moved_ahead, cite="25 s2")
        r.pivot("89 s2", "bank.late_after_offer" if taker else "bank.late_before_standing", player=late[0])
        taker = taker or late[0]
    if taker is None:
        taker = _standing_taker(s, incident, r, wanted)
    if taker is not None and taker == incident.partner:
        r.pivot("84 s1", "bank.partner_may_take", player=taker)
    _outcome(s, incident, r, taker, resumes="97", auction="101 s1")


def _standing_taker(s: Situation, incident: HandOffered, r: Reasoning, wanted: _Round) -> str | None:
    for player in wanted.early_standing:
        r.pivot("96 s1", "bank.spoke_too_early", player=player)
    if not wanted.standing:
        return None
    if incident.together and len(wanted.standing) > 1:
        ranked = from_right(incident.regular, wanted.standing)
        r.pivot("96 s2", "bank.standing_together", origin=incident.regular, players=ranked)
        return ranked[0]
    r.pivot("96 s1", "bank.first_to_speak", player=wanted.standing[0])
    return wanted.standing[0]


def _outcome(
    s: Situation, incident: HandOffered, r: Reasoning, taker: str | None, *, resumes: str, auction: str
) -> None:
    speakers = [call.by for call in s.calls if call.says in TAKING]
    if taker is not None:
        after, to = "level", taker
    elif incident.passer_resumes and (incident.resumes_for or s.bank) >= s.bank:
        r.pivot(resumes, "bank.passer_resumes", banker=s.banker, level=s.bank)
        after, to = "resumed", s.banker
    else:
        if incident.passer_resumes:
            r.pivot(resumes, "bank.resumes_below_level", sum=incident.resumes_for, level=s.bank)
        r.pivot(auction, "bank.goes_to_auction")
        after, to = "auction", "nobody"
    r.choice("hand_next", after)
    r.player("bank_to", to, tempting=[*speakers, *neighbours(s, s.banker)], critical=True)


def _offer(facts: dict[str, Any], calls: Iterable[Call], **incident: Any) -> Situation:
    said = (Call(facts["banker"], "pass_bank"), Call("croupier", "offer_level", facts["bank"]), *calls)
    return Situation(**facts, calls=said, incident=HandOffered(**{"regular": facts["banker"]} | incident))


def _takes(players: Iterable[str]) -> list[Call]:
    return [Call(player, "take") for player in players]


@case("bank_offer", {PT[0]: "78", SANREMO: "88 s2"})
def seated_want_it(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """Two or more want it; harder: standing players too, and the furthest away speaks first."""
    facts = passed_hand(draw, book, difficulty, standing=bystanders(draw))
    wanting = draw.sample(seated_pontos(facts), 2 + difficulty // 4)
    wanting += draw.sample(facts["standing"], min(len(facts["standing"]), difficulty // 2))
    return _offer(facts, _takes(draw.shuffled(wanting)), passer_resumes=draw.chance(0.3))


@case("bank_offer", {PT[0]: "80 s1", SANREMO: "88 s1"})
def short_of_the_level(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """The first in order offers less than the level; behind him, perhaps, somebody offers all of it."""
    facts = passed_hand(draw, book, difficulty, standing=bystanders(draw))
    bank, minimum = facts["bank"], facts["minimum"]
    first, *rest = pontos(facts)
    less = bank - facts["unit"] if difficulty >= 3 else max(minimum, bank // 2)
    calls = [Call(first, "take_for", less)]
    if draw.chance(0.6):
        calls.append(Call(draw.pick([place for place in rest if place.isdigit()]), "take_for", bank))
    return _offer(facts, calls, passer_resumes=draw.chance(0.5))


@case("bank_offer", {PT[0]: "79", SANREMO: "88 s2"})
def offered_for_a_standing_banker(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    facts, regular = standing_banker(draw, book, difficulty, crowd=True)
    seated = [str(seat) for seat in facts["seats"] if str(seat) != regular]
    wanting = draw.sample(seated, 2 + difficulty // 4)
    return _offer(facts, _takes(wanting), regular=regular)


@case("bank_offer", {SANREMO: "89 s2"})
def seated_player_repents(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """He let the palette pass. Standing players speak after the round; harder: meanwhile another seat takes it."""
    facts = passed_hand(draw, book, difficulty, standing=bystanders(draw))
    repents, *rest = seated_pontos(facts)
    calls = [Call(repents, "let_go")]
    if difficulty >= 3 and draw.chance(0.5):
        calls.append(Call(draw.pick(rest), "take"))
    calls.append(Call(repents, "take"))
    calls += [Call("croupier", "round_done"), *_takes(draw.sample(facts["standing"], 1))]
    return _offer(facts, calls)


def _standing_offer(draw: Draw, book: Rulebook, difficulty: int, *, together: bool) -> Situation:
    """Nobody seated wants it. Harder: one of the standing had called too early."""
    facts = passed_hand(draw, book, difficulty, standing=bystanders(draw))
    speakers = draw.sample(facts["standing"], 2 + difficulty // 4)
    early: list[Call] = []
    if difficulty >= 2:
        early = _takes([draw.pick([place for place in facts["standing"] if place not in speakers])])
    calls = [*early, Call("croupier", "round_done"), *_takes(speakers)]
    return _offer(facts, calls, together=together)


@case("bank_offer", {PT[0]: "78", SANREMO: "96 s1"})
def standing_want_it(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    return _standing_offer(draw, book, difficulty, together=False)


@case("bank_offer", {PT[0]: "78", SANREMO: "96 s2"})
def standing_speak_together(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    return _standing_offer(draw, book, difficulty, together=True)


@case("partners", {SANREMO: "84 s1"})
def partner_takes_over(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    facts = passed_hand(draw, book, max(2, difficulty), seated=least_seated(book))
    first, *rest = seated_pontos(facts)
    rivals = draw.sample(rest, difficulty // 2)
    return _offer(facts, _takes(draw.shuffled([first, *rivals])), partner=first)


def _for_less(draw: Draw, facts: dict[str, Any], player: str, difficulty: int, **incident: Any) -> Situation:
    """The only player who wants the hand offers less than the level."""
    less = facts["bank"] - facts["unit"] if difficulty >= 3 else max(facts["minimum"], facts["bank"] // 2)
    calls = [Call("croupier", "round_done")]
    calls.insert(0 if player.isdigit() else 1, Call(player, "take_for", less))
    return _offer(facts, calls, passer_resumes=draw.chance(0.5), **incident)


@case("partners", {SANREMO: "88 s1"})
def partner_takes_for_less(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    facts = passed_hand(draw, book, max(2, difficulty), seated=least_seated(book))
    partner = draw.pick(seated_pontos(facts))
    return _for_less(draw, facts, partner, difficulty, partner=partner)


@case("standing_players", {PT[0]: "80 s1", SANREMO: "88 s1"})
def standing_player_takes_for_less(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    facts = passed_hand(draw, book, difficulty, standing=bystanders(draw))
    return _for_less(draw, facts, draw.pick(facts["standing"]), difficulty)


@case_table(
    "bank_offer",
    variant("nobody_takes_passer_resumes", {PT[0]: "80 s2", SANREMO: "97"}, resumes=True),
    variant("nobody_takes_at_all", {PT[0]: "80 s3", SANREMO: "101 s1"}, resumes=False),
)
def _in_vain(draw: Draw, book: Rulebook, difficulty: int, *, resumes: bool) -> Situation:
    """Nobody takes it validly. Harder: somebody tries, with too little or, in Sanremo, standing and too early."""
    facts = passed_hand(draw, book, difficulty, standing=bystanders(draw))
    calls = [Call(player, "let_go") for player in draw.sample(seated_pontos(facts), difficulty // 2)]
    if difficulty >= 3:
        calls.append(Call(draw.pick(seated_pontos(facts)), "take_for", facts["bank"] - facts["unit"]))
    if difficulty >= 4 and book.coded_as == SANREMO:
        calls.append(Call(draw.pick(facts["standing"]), "take"))
    said = [*calls, Call("croupier", "round_done")]
    if not resumes and draw.chance(0.5):
        # He would go on, but for less.
        less = facts["bank"] - facts["unit"] if difficulty >= 3 else facts["bank"] // 2
        return _offer(facts, said, passer_resumes=True, resumes_for=less)
    return _offer(facts, said, passer_resumes=resumes)
