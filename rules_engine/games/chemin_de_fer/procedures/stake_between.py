"""Whose stake is it? Chips lie between two places, and the texts only say that everybody looks after his own.

Portugal 43 s1 and 44, Sanremo 15 s2 and 16 s1 apply besides: who watches, where stakes belong, and chips on the line.
"""

from itertools import pairwise
from typing import Any, Literal

from rules_engine.authoring import ImpossibleFacts, Reasoning, Rulebook, Sentence
from rules_engine.games.baccarat.draw import Draw
from rules_engine.games.chemin_de_fer.books import PT, SANREMO, SPAIN
from rules_engine.games.chemin_de_fer.game import case, rule
from rules_engine.games.chemin_de_fer.order import steps_right
from rules_engine.games.chemin_de_fer.outcome import worth
from rules_engine.games.chemin_de_fer.setting import coup, seated_pontos
from rules_engine.games.chemin_de_fer.stakes.cover import check_ponto, covered
from rules_engine.games.chemin_de_fer.table import Incident, Place, Situation, Stake, Sum

KIND = "stake_between"
NOBODY = "nobody"
# What the text says about stakes without deciding whose this one is.
SAID = {**dict.fromkeys(PT, ("44", "procedures.watch_own")), SANREMO: ("15 s2", "procedures.own_place")}
HALF = {**dict.fromkeys(PT, "43 s1"), SANREMO: "16 s1"}


class StakeBetween(Incident, frozen=True, tag="stake_between"):
    """Chips lie between two neighbours when the coup is settled. `nearer` is the place they lie nearer to, `seen` whom
    the croupier saw put them down, `claimed` who claims them; `line`: they lie on the line."""

    player: Place
    neighbour: Place
    amount: Sum
    winner: Literal["ponto", "banker"]
    nearer: Place | None = None
    seen: Place | None = None
    claimed: tuple[Place, ...] = ()
    line: bool = False

    def check(self, situation: Situation) -> None:
        check_ponto(situation, "player", self.player)
        check_ponto(situation, "neighbour", self.neighbour)
        if self.player == self.neighbour:
            raise ImpossibleFacts("incident.neighbour", "the chips lie between two different places")
        both = {self.player, self.neighbour}
        for fact, place in (("nearer", self.nearer), ("seen", self.seen), *(("claimed", one) for one in self.claimed)):
            if place is not None and place not in both:
                raise ImpossibleFacts(f"incident.{fact}", "it must be one of the two places")
        if not self.amount:
            raise ImpossibleFacts("incident.amount", "a stake of nothing")

    def narration(self) -> list[Sentence]:
        both = {"player": self.player, "neighbour": self.neighbour}
        told: list[Sentence] = [
            (f"incident.stake_between_{'line' if self.line else 'start'}", {"amount": self.amount, **both}),
            ("incident.stake_between_nearer", {"nearer": self.nearer})
            if self.nearer
            else ("incident.stake_between_middle", {}),
            ("incident.stake_between_seen", {"seen": self.seen})
            if self.seen
            else ("incident.stake_between_unseen", {}),
            self._claims(),
        ]
        return [*told, (f"incident.stake_between_{self.winner}", {})]

    def _claims(self) -> Sentence:
        if len(self.claimed) == 1:
            return "incident.stake_between_claimed", {"who": self.claimed[0]}
        return f"incident.stake_between_claimed_{'both' if self.claimed else 'none'}", {}


@rule(StakeBetween, *PT, SANREMO, SPAIN)
def stake_between(s: Situation, incident: StakeBetween, r: Reasoning) -> None:
    if r.book.coded_as in SAID:
        cite, text = SAID[r.book.coded_as]
        r.step(cite, text)
    plays = _plays(s, incident, r.book)
    owner = _seen(incident, r) if r.procedure == "seen" else _place(incident, r)
    r.player("stake_of", owner, tempting=[incident.player, incident.neighbour, NOBODY], critical=True)
    if incident.line:
        r.pivot(HALF[r.book.coded_as], "procedures.plays_half", plays=plays)
    pays = plays if incident.winner == "ponto" and owner != NOBODY else 0
    r.amount("stake_pays", pays, tempting=[incident.amount, incident.amount // 2, 0], critical=True)


def _plays(s: Situation, incident: StakeBetween, book: Rulebook) -> int:
    """What the chips play for. With the other stakes they are never more than the bank (Portugal 45 and 58)."""
    plays = worth(Stake(incident.player, incident.amount, line=incident.line), book)
    if covered(s, book) + plays > s.bank:
        raise ImpossibleFacts("incident.amount", "the stakes are more than the bank together")
    return plays


def _seen(incident: StakeBetween, r: Reasoning) -> str:
    """Whoever was seen putting them down; otherwise the only one who claims them."""
    if incident.seen:
        r.pivot(KIND, "procedures.between_seen", who=incident.seen)
        return incident.seen
    if len(incident.claimed) == 1:
        r.pivot(KIND, "procedures.between_claimed", who=incident.claimed[0])
        return incident.claimed[0]
    r.pivot(KIND, "procedures.between_unsettled")
    return NOBODY


def _place(incident: StakeBetween, r: Reasoning) -> str:
    """The place they lie nearer to, whoever put them there."""
    if incident.nearer:
        r.pivot(KIND, "procedures.between_nearer", who=incident.nearer)
        return incident.nearer
    r.pivot(KIND, "procedures.between_middle")
    return NOBODY


def _make_room(facts: dict[str, Any], pair: tuple[str, str], wanted: int) -> None:
    """Take away stakes until the bank has room for chips of this sum, and whoever they belong to has less than the
    holder of the cards."""
    first, *others = facts["stakes"]
    others = [stake for stake in others if stake.player not in pair or stake.amount + wanted < first.amount]
    while first.amount + sum(stake.amount for stake in others) + wanted > facts["bank"]:
        others.pop()
    facts["stakes"] = (first, *others)


@case("procedures", {PT[0]: KIND, SANREMO: KIND, SPAIN: KIND})
def stake_in_doubt(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """Easy: where they lie and who put them there agree. Harder: they do not, and the chips are on the line."""
    facts = coup(draw, book, difficulty)
    places = seated_pontos(facts)
    # The croupier sits between the last seat and the first.
    pairs = [pair for pair in pairwise(places) if int(pair[0]) < int(pair[1])]
    player, neighbour = draw.pick([pair for pair in pairs if steps_right(*pair) == 1] or pairs)
    nearer = draw.pick((player, neighbour, None))
    seen = draw.pick((player, neighbour, None, None))
    claimed = draw.pick(((player,), (neighbour,), (player, neighbour)))
    if difficulty <= 2 and nearer:
        seen, claimed = (nearer if seen else None), ((nearer,) if len(claimed) == 1 else claimed)
    staked = facts["unit"] * 2 * draw.number(1, 3)
    _make_room(facts, (player, neighbour), staked)
    incident = StakeBetween(
        player=player,
        neighbour=neighbour,
        amount=staked,
        winner=draw.pick(("ponto", "ponto", "banker")),
        nearer=nearer,
        seen=seen,
        claimed=claimed,
        line=difficulty >= 3 and book.coded_as in HALF,
    )
    return Situation(**facts, incident=incident)
