"""How the ponto holds his cards: squeezing them, keeping everybody waiting, walking off with them.

Portugal 105 e-1; Sanremo 28 s1, 28 s2 and 116; Spain 4 p1. (Who has the cards once a slow Portuguese ponto has lost
them, 105 e-2, belongs to the claims.)
"""

from typing import Annotated, Literal

from msgspec import Meta

from rules_engine.authoring import ImpossibleFacts, NotRegulated, Reasoning, Rulebook, Sentence, variant
from rules_engine.games.baccarat.draw import Draw
from rules_engine.games.chemin_de_fer.books import PT, SANREMO, SPAIN
from rules_engine.games.chemin_de_fer.game import case, case_table, domain, rule
from rules_engine.games.chemin_de_fer.order import from_right
from rules_engine.games.chemin_de_fer.setting import coup
from rules_engine.games.chemin_de_fer.table import Incident, Situation, Stake

HANDLING = ("lays_down", "keeps_in_hand", "touches_again", "walks_off", "hides")
STAFF = ("inspector", "croupier", "banker", "nobody")
Acting = Literal["inspector", "croupier", "banker", ""]

domain(
    *("delay", "told_to_stop", "invited", "may_be_refused_cards", "loses_cards"),
    unknown=dict.fromkeys(PT, ("told_to_stop", "loses_cards"))
    | {SANREMO: ("invited", "loses_cards"), SPAIN: ("invited", "may_be_refused_cards")},
)


class SlowPonto(Incident, frozen=True, tag="slow_ponto"):
    """The ponto squeezes his cards, or keeps everybody waiting for his word; `before` counts the earlier times.

    `acting`: who takes it upon himself to deal with it.
    """

    phrased = {"allowed": "question.may_act"}

    manner: Literal["squeezes", "delays"]
    before: Annotated[int, Meta(ge=0, le=20)] = 0
    acting: Acting = ""

    def check(self, situation: Situation) -> None:
        if situation.holder is None or len(situation.ponto) != 2:
            raise ImpossibleFacts("ponto", "somebody must hold the ponto's two cards")

    def narration(self) -> list[Sentence]:
        again = "first" if not self.before else "again_one" if self.before == 1 else "again"
        told = [(f"incident.slow_ponto_{self.manner}", {}), (f"incident.slow_ponto_{again}", {"before": self.before})]
        return [*told, ("incident.slow_ponto_acting", {"acting": self.acting})] if self.acting else told


class StandingHolder(Incident, frozen=True, tag="standing_holder"):
    """A standing player has the ponto's cards and has looked at them; this is what he then does."""

    does: Literal["lays_down", "keeps_in_hand", "touches_again", "walks_off", "hides"]

    def check(self, situation: Situation) -> None:
        if situation.holder is None or situation.holder.isdigit():
            raise ImpossibleFacts("holder", "the cards must be with a standing player")
        if len(situation.ponto) != 2:
            raise ImpossibleFacts("ponto", "he must have two cards")

    def narration(self) -> list[Sentence]:
        return [(f"incident.standing_holder_{self.does}", {})]


@rule(SlowPonto, *PT)
def slow_ponto_pt(s: Situation, incident: SlowPonto, r: Reasoning) -> None:
    if incident.manner == "squeezes":
        raise NotRegulated("art. 105 e) speaks of the time a ponto takes, not of how he looks at his cards")
    r.step("105 e-1", "holding.invited", pivot=incident.before == 0)
    if incident.before:
        r.pivot("105 e-2", "holding.may_lose")
    r.choice("delay", "may_be_refused_cards" if incident.before else "invited")
    _who_acts(r, incident, "inspector")


@rule(SlowPonto, SANREMO)
def slow_ponto_sanremo(s: Situation, incident: SlowPonto, r: Reasoning) -> None:
    r.step("28 s1", f"holding.{incident.manner}", pivot=incident.before == 0)
    if incident.before:
        r.pivot("28 s2", "holding.repeats", before=incident.before)
        r.choice("delay", "may_be_refused_cards")
        _who_acts(r, incident, "croupier")
    else:
        r.choice("delay", "told_to_stop")


@rule(SlowPonto, SPAIN)
def slow_ponto_spain(s: Situation, incident: SlowPonto, r: Reasoning) -> None:
    slow = incident.manner == "delays"
    r.pivot("4 p1", "holding.gives_up" if slow else "holding.squeezes_only")
    r.choice("delay", "loses_cards" if slow else "told_to_stop")


def _who_acts(r: Reasoning, incident: SlowPonto, who: str) -> None:
    """A member of the staff must act: decide whether the person who does is the right one, or which member it is."""
    if incident.acting:
        r.choice("allowed", "allowed" if incident.acting == who else "refused")
    else:
        r.player("acts", who, tempting=STAFF)


@rule(StandingHolder, SANREMO)
def standing_holder_sanremo(s: Situation, incident: StandingHolder, r: Reasoning) -> None:
    r.pivot("116", "holding.standing", does=incident.does)
    r.choice("allowed", "allowed" if incident.does == "lays_down" else "refused")


@case_table("ponto_faults", variant("slow_for_the_first_time", {PT[0]: "105 e-1"}, manner="delays", before=0))
def _slow(draw: Draw, book: Rulebook, difficulty: int, manner: str, before: int) -> Situation:
    facts = coup(draw, book, difficulty, claim=draw.pick(("stake", "banco_table")))
    who: tuple[Acting, ...] = ("inspector", "inspector", "croupier", "banker")
    acting: Acting = draw.pick(who) if book.coded_as in PT else ""
    incident = SlowPonto(manner=manner, before=before, acting=acting)  # type: ignore[arg-type]
    return Situation(**facts, ponto=draw.hand(draw.number(0, 7)), hidden=("ponto.1", "ponto.2"), incident=incident)


@case("ponto_faults", {SANREMO: "28 s1", SPAIN: "4 p1"})
def slow_or_squeezing(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    return _slow(draw, book, difficulty, draw.pick(("squeezes", "delays")), before=0)


@case("ponto_faults", {PT[0]: "105 e-2", SANREMO: "28 s2"})
def slow_again(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    manner = "delays" if book.coded_as in PT else draw.pick(("squeezes", "delays"))
    return _slow(draw, book, difficulty, manner, draw.number(1, 3) if book.coded_as in PT else draw.number(2, 4))


@case("ponto_faults", {SANREMO: "116"})
def standing_with_the_cards(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """A standing player who called bancô. Difficulty adds players; the acts are always these five."""
    facts = coup(draw, book, difficulty, claim="banco")
    seat = draw.pick([str(seat) for seat in facts["seats"] if str(seat) != facts["banker"]])
    standing = facts["standing"] or (f"{seat}a",)
    holder = draw.pick(from_right(facts["banker"], standing))
    calls = tuple(
        type(call)(holder, call.says, call.amount) if call.by == facts["holder"] else call for call in facts["calls"]
    )
    facts |= {"standing": standing, "holder": holder, "stakes": (Stake(holder, facts["bank"]),), "calls": calls}
    does = draw.pick((*HANDLING, "lays_down"))
    return Situation(**facts, ponto=draw.hand(draw.number(0, 7)), incident=StandingHolder(does=does))  # type: ignore[arg-type]
