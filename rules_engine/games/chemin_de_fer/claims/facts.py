"""The facts by which claims to the cards are judged: the calls and stakes, and what earlier coups left behind.

In the log of calls, `banco` and `banco_alone` ask for the whole bank, `banco_partners` for the whole bank with
partners, `banco_table` for half of it with the table; `card_out`, `dealt`, `given_cards` and `takes_cards` are actions.
"""

from typing import Literal

from msgspec import Struct

from rules_engine.authoring import ImpossibleFacts, Reasoning, Rulebook, Sentence
from rules_engine.games.chemin_de_fer.books import SANREMO
from rules_engine.games.chemin_de_fer.order import from_right
from rules_engine.games.chemin_de_fer.outcome import worth
from rules_engine.games.chemin_de_fer.table import Incident, Place, Situation

SOLO = ("banco", "banco_alone")
BANCO = (*SOLO, "banco_partners", "banco_table")
# Facts that name several players, each with its own sentence.
MANY = ("moved_ahead", "cannot_play", "by_rule", "for_others", "respects")
LostBy = Literal["banco", "suivi", "banco_table", "sole_ponto"]


class ClaimsOpen(Incident, frozen=True, kw_only=True, tag="claims_open"):
    """Given these calls and stakes, who plays against the bank, and by what right?

    `lost` lost to this bank by playing `lost_by`; `since` are the coups after that. `passed_by` held the bank before
    this banker and passed it, whether he had `bought` it or not. `moved_ahead` changed seats to get the bank sooner and
    still have to let it pass. `by_rule` have agreed to play by the rule, `partner` shares the bank. `tied` played bancô
    alone in the previous coup, which was a tie. `for_others` ask on behalf of somebody else; `respects` ask for the
    whole bank and respect the stakes that are already down.
    """

    lost: Place | None = None
    lost_by: LostBy | None = None
    since: tuple[Literal["tie", "win"], ...] = ()
    passed_by: Place | None = None
    passed_after: Literal["win", "tie"] | None = None
    bought: bool = False
    moved_ahead: tuple[Place, ...] = ()
    cannot_play: tuple[Place, ...] = ()
    by_rule: tuple[Place, ...] = ()
    partner: Place | None = None
    tied: Place | None = None
    for_others: tuple[Place, ...] = ()
    respects: tuple[Place, ...] = ()

    phrased = {"announcement": "question.announcement_claim", "stake_plays": "question.claim_plays"}

    def check(self, situation: Situation) -> None:
        if (self.lost is None) != (self.lost_by is None):
            raise ImpossibleFacts("incident.lost", "who lost and how go together")
        if self.tied and self.lost:
            raise ImpossibleFacts("incident.tied", "the previous coup was lost or tied, not both")
        if self.since and self.lost is None:
            raise ImpossibleFacts("incident.since", "nobody lost before those coups")
        if (self.passed_by is None) != (self.passed_after is None):
            raise ImpossibleFacts("incident.passed_by", "who passed the bank and after what go together")
        if self.bought and self.passed_by is None:
            raise ImpossibleFacts("incident.bought", "nobody passed a bank that he had bought")
        for place in self.moved_ahead:
            if not place.isdigit():
                raise ImpossibleFacts("incident.moved_ahead", "{place} stands, and has no seat to change", place=place)
        present = {*map(str, situation.seats), *situation.standing} - {situation.banker}
        for name, places in self._named():
            for place in places:
                if place not in present:
                    raise ImpossibleFacts(f"incident.{name}", "no ponto is at {place}", place=place)
        for index, call in enumerate(situation.calls):
            if call.by[:1].isdigit() and call.by not in present:
                raise ImpossibleFacts(f"calls[{index}].by", "no ponto is at {place}", place=call.by)

    def partner_fact(self) -> str:
        return "partner" if self.partner else ""

    def _named(self) -> list[tuple[str, tuple[Place, ...]]]:
        one = [("lost", self.lost), ("passed_by", self.passed_by), ("partner", self.partner), ("tied", self.tied)]
        many = [(name, getattr(self, name)) for name in MANY]
        return [(name, (place,)) for name, place in one if place is not None] + many

    def narration(self) -> list[Sentence]:
        """What happened before, then any condition a player is under, then what happens now."""
        told: list[Sentence] = []
        if self.lost:
            when = "earlier" if self.since else "lost"
            told.append((f"incident.claims_{when}_{self.lost_by}", {"lost": self.lost}))
        if self.since:
            kind = "win" if "win" in self.since else "ties"
            told.append((f"incident.claims_since_{kind}", {"lost": self.lost, "coups": len(self.since)}))
        if self.passed_by:
            bought = "_bought" if self.bought else ""
            told.append((f"incident.claims_passed_{self.passed_after}{bought}", {"passed_by": self.passed_by}))
        if self.tied:
            told.append(("incident.claims_tied", {"who": self.tied}))
        for name in MANY:
            told += [(f"incident.claims_{name}", {"who": place}) for place in getattr(self, name)]
        if self.partner:
            told.append(("incident.claims_partner", {"who": self.partner}))
        return [*told, *super().narration()]


class Right(Struct, frozen=True):
    """Who plays against the bank, by what right, and the order of those who asked for the same."""

    place: str
    kind: Literal["suivi", "banco", "banco_table", "stake"]
    order: tuple[str, ...] = ()


def moment(s: Situation, *says: str) -> int:
    """When something was first said or done: its position in the log, or after the end."""
    for index, call in enumerate(s.calls):
        if call.says in says:
            return index
    return len(s.calls)


def asked(s: Situation, *says: str, before: int | None = None) -> list[str]:
    """The pontos who called one of these, in the order of their first such call."""
    found: list[str] = []
    for call in s.calls if before is None else s.calls[:before]:
        if call.says in says and call.by not in found and call.by[:1].isdigit():
            found.append(call.by)
    return found


def latest_pt(s: Situation, book: Rulebook) -> int:
    """Portugal: the moment from which a bancô is too late: the deal or, by a house's reading, the closing words."""
    dealt = moment(s, "dealt")
    return min(dealt, moment(s, "closed")) if book.reads("PT51", "closing_words") else dealt


def tell_late_pt(s: Situation, r: Reasoning, who: str, *says: str) -> bool:
    """Whether he called too late; adds the step that says so."""
    if who in asked(s, *says, before=latest_pt(s, r.book)):
        return False
    if who in asked(s, *says, before=moment(s, "dealt")):
        r.pivot("51 s3", "claims.after_close_too_late", who=who)
    else:
        r.pivot("51 s1", "claims.after_deal", who=who)
    return True


def tell_after_close(s: Situation, r: Reasoning, who: str, *says: str) -> None:
    """Portugal: the betting was closed before his call; the text sets a later limit for bancô, the deal."""
    if who not in asked(s, *says, before=moment(s, "closed")):
        r.pivot("51 s3", "claims.after_close", who=who)


def seated_first(s: Situation, places: list[str]) -> list[str]:
    """Seated players from the banker's right, then those standing from the banker's right."""
    seated = [place for place in places if place.isdigit()]
    return [*from_right(s.banker, seated), *from_right(s.banker, {place for place in places if not place.isdigit()})]


def staked(s: Situation, book: Rulebook, place: str) -> int:
    """The amount a player's chips play for."""
    return sum([worth(stake, book) for stake in s.stakes if stake.player == place])


def tell_line(s: Situation, r: Reasoning, *, decides: bool) -> None:
    """Say that chips on the line count for half, where some lie there. `decides`: counted whole they would give the
    cards to somebody else."""
    if any(stake.line for stake in s.stakes):
        r.step("16 s1" if r.book.coded_as == SANREMO else "43 s1", "claims.line_plays_half", pivot=decides)


def laid(s: Situation, place: str) -> int:
    """The chips a player has on the table, those on the line counted whole."""
    return sum(stake.amount for stake in s.stakes if stake.player == place)


def past_line(s: Situation, place: str) -> int:
    """The chips a player has put past the line."""
    return sum(stake.amount for stake in s.stakes if stake.player == place and not stake.line)


def stakers(s: Situation) -> list[str]:
    return list(dict.fromkeys(stake.player for stake in s.stakes if stake.amount))
