"""The banker turns up the ponto's cards while dealing: what he must uncover, what the stakes may do, how play goes on.

Portugal 104 b, also where the ponto did it himself; Sanremo 60, 61 s0, a-d, s6, s9; Spain 3 p5-1, 3 p5-2. The draws
that follow are in exposed_draws.
"""

from typing import Any, ClassVar, Literal

from rules_engine.authoring import ImpossibleFacts, NotRegulated, Reasoning, Rulebook, Sentence
from rules_engine.games.baccarat.draw import Draw
from rules_engine.games.baccarat.hands import lying
from rules_engine.games.chemin_de_fer.books import PT, SANREMO, SPAIN
from rules_engine.games.chemin_de_fer.deal_faults.rights import (
    Kept,
    by_the_hand,
    check_kept,
    enough_left,
    is_closed,
    kept_sentence,
    near_minimum,
    still_open,
    who_stakes_accepts,
)
from rules_engine.games.chemin_de_fer.game import case, domain, rule
from rules_engine.games.chemin_de_fer.setting import coup, seated_pontos
from rules_engine.games.chemin_de_fer.table import Claim, Incident, Place, Side, Situation, Stake
from rules_engine.games.chemin_de_fer.third_card import row_of

Exposed = tuple[Literal["ponto.1", "ponto.2"], ...]
BOTH: Exposed = ("ponto.1", "ponto.2")

# Free; by the table; by the table and drawing, or standing, in optional cells.
domain(
    "banker_plays",
    "free",
    "table",
    "table_draws",
    "table_stands",
    unknown={SANREMO: ("table_draws",), **dict.fromkeys((*PT, SPAIN), ("table_stands",))},
)
domain(
    "uncovers",
    "none",
    "one_of_his",
    "second",
    "fourth",
    "both",
    unknown={SANREMO: ("second", "fourth", "both"), SPAIN: ("none", "one_of_his")},
)


class PontoCardsExposed(Incident, frozen=True, tag="ponto_cards_exposed"):
    """While dealing the banker turned up these cards of the ponto; or the ponto did so himself on taking them.

    `lost_before` lost bancô, or bancô with the table, in the previous coup; `asking` offer to add what the stakes lack;
    `kept` is what stays on the table after everybody has used his right.
    """

    phrased = {"announcement": "question.announced_stakes"}
    tells: ClassVar = ("minimum",)

    exposed: Exposed
    lost_before: Place | None = None
    asking: tuple[Place, ...] = ()
    kept: tuple[Stake, ...] | None = None
    by: Side = "banker"

    def sums_told(self) -> tuple[str, ...]:
        """The minimum matters only for what is left after everybody has used his right."""
        return self.tells if self.kept is not None else ()

    def check(self, situation: Situation) -> None:
        check_exposed(situation, self.exposed)
        check_kept(situation, self.kept)
        for place in self.asking:
            if place == situation.banker:
                raise ImpossibleFacts("incident.asking", "the banker does not stake against himself")

    def narration(self) -> list[Sentence]:
        told: list[Sentence] = [exposed_sentence(self.exposed, self.by)]
        if self.lost_before:
            told.append(("incident.deal_lost_before", {"player": self.lost_before}))
        if self.asking:
            told.append(("incident.deal_asking", {"players": self.asking}))
        return [*told, *kept_sentence(self.kept)]


def check_exposed(s: Situation, exposed: tuple[str, ...]) -> None:
    if not exposed or len(set(exposed)) != len(exposed):
        raise ImpossibleFacts("incident.exposed", "one card or two different ones must have been turned up")
    if len(s.ponto) < 2 or len(s.banker_cards) != 2:
        raise ImpossibleFacts("ponto", "each side must have been dealt two cards")


def exposed_sentence(exposed: tuple[str, ...], by: Side = "banker") -> Sentence:
    who = "" if by == "banker" else "_by_ponto"
    if len(exposed) == 2:
        return f"incident.deal_exposed_both{who}", {}
    return f"incident.deal_exposed_one{who}", {"which": exposed[0].partition(".")[2]}


@rule(PontoCardsExposed, *PT)
def ponto_cards_exposed_pt(s: Situation, incident: PontoCardsExposed, r: Reasoning) -> None:
    if incident.by == "ponto":
        r.pivot("104 b", "deal.exposed_by_ponto")
        r.step("70 s2" if s.claim == "banco" else row_of(r.book, 3, "9h"), f"deal.plays_on_{s.claim or 'stake'}")
        r.choice("banker_plays", "free" if s.claim == "banco" else "table", critical=True)
        _as_dealt(s, r)
        return
    r.pivot("104 b", "deal.exposed_bound_draws", count=len(incident.exposed))
    r.choice("banker_plays", "table_draws", critical=True)
    _as_dealt(s, r)


@rule(PontoCardsExposed, SPAIN)
def ponto_cards_exposed_spain(s: Situation, incident: PontoCardsExposed, r: Reasoning) -> None:
    if incident.by == "ponto":
        raise NotRegulated("art. 3 §5 speaks of cards that the banker turned up, not of a punto who shows his own")
    if len(incident.exposed) == 2:
        r.pivot("3 p5-2", "deal.uncovers_both_by_table")
        r.choice("uncovers", "both", critical=True)
        r.choice("banker_plays", "table")
    else:
        first = incident.exposed == ("ponto.1",)
        r.pivot("3 p5-1", "deal.uncovers_matching", which=incident.exposed[0].partition(".")[2])
        r.choice("uncovers", "second" if first else "fourth", critical=True)
        r.step("3 p5-2", "deal.one_card_binds_nothing")
        r.choice("banker_plays", "table" if "banker" in s.by_table else "free")
    _as_dealt(s, r)


@rule(PontoCardsExposed, SANREMO)
def ponto_cards_exposed_sanremo(s: Situation, incident: PontoCardsExposed, r: Reasoning) -> None:
    if incident.by == "ponto":
        raise NotRegulated(
            "arts. 60 and 61 speak of cards that the banker turned up; of a ponto who shows his own, arts. 122 to 130"
        )
    if len(incident.exposed) == 1:
        r.pivot("60", "deal.uncovers_one")
        r.choice("uncovers", "one_of_his", critical=True)
        r.choice("stakes_may", "unchanged")
        bound = "banker" in s.by_table
        r.pivot("113 s1", "declared_by_rule" if bound else "deal.one_card_binds_nothing")
        r.choice("banker_plays", "table" if bound else "free")
        _as_dealt(s, r)
        return
    r.pivot("61 s0", "deal.exposed_stands")
    right = _right_sanremo(s, incident, r)
    if incident.kept is not None:
        enough_left(s, r, incident.kept, "61 s6")
        return
    r.step("61 s7", "deal.covered_until_ponto")
    r.choice("coup", "stands")
    r.choice("stakes_may", right, critical=True)
    r.choice("uncovers", "none")
    r.choice("banker_plays", "table_stands")
    who_stakes_accepts(r)
    _as_dealt(s, r)


def _right_sanremo(s: Situation, incident: PontoCardsExposed, r: Reasoning) -> str:
    """What the players may do, by how far the betting was when the cards were seen."""
    if s.claim == "banco":
        r.pivot("61 d", "deal.banco_may_refuse", holder=s.holder or "ponto")
        return "refuse_banco"
    if not s.stakes:
        r.pivot("61 a", "deal.stake_anew")
        return "stake_anew"
    if s.claim == "banco_table":
        called = r.book.reads("SR61", "banco")
        told = "deal.with_table_is_banco" if called else "deal.with_table_is_a_stake"
        r.pivot("61 s9", told, holder=s.holder or "ponto")
        if called:
            r.pivot("61 d", "deal.banco_may_refuse", holder=s.holder or "ponto")
            return "refuse_banco"
    if is_closed(s):
        r.pivot("61 c", "deal.withdraw_or_keep")
        return "withdraw"
    if incident.kept is None:
        difference_may_be_made(s, r, "61 b", incident.lost_before, incident.asking)
    else:
        r.pivot("61 b", "deal.difference_open", difference=s.bank - staked(s))
    return "add_difference"


def staked(s: Situation) -> int:
    return sum(stake.amount for stake in s.stakes)


def difference_may_be_made(
    s: Situation, r: Reasoning, cite: str, lost_before: str | None, asking: tuple[str, ...]
) -> None:
    """The stakes on the table stand; what is missing may be added, first by the loser of the last bancô."""
    difference = s.bank - staked(s)
    r.pivot(cite, "deal.difference_open", difference=difference)
    r.amount("difference", difference, tempting=[s.bank, staked(s), s.bank // 2], critical=True)
    if asking:
        nearest = by_the_hand(s, asking)
        first = lost_before if lost_before in asking else nearest
        r.pivot(cite, "deal.difference_to_loser" if first == lost_before else "deal.difference_by_hand", player=first)
        r.player("difference_to", first, tempting=(*asking, nearest))


def _as_dealt(s: Situation, r: Reasoning) -> None:
    r.after(lying(ponto=s.ponto, banker=s.banker_cards, shoe=s.next))


def _exposed(draw: Draw, facts: dict[str, Any], exposed: Exposed, *, kept: Kept = None, **more: Any) -> Situation:
    """Both hands dealt, the exposed cards lying face up."""
    hidden = tuple(ref for ref in (*BOTH, "banker.1", "banker.2") if ref not in exposed)
    return Situation(
        **facts,
        ponto=draw.hand(draw.number(0, 9)),
        banker_cards=draw.hand(draw.number(0, 9)),
        hidden=hidden,
        incident=PontoCardsExposed(exposed=exposed, kept=kept, **more),
    )


def uncovered(draw: Draw, facts: dict[str, Any]) -> dict[str, Any]:
    """Stakes that leave part of the bank uncovered."""
    stakes = facts["stakes"]
    room = facts["bank"] - sum(stake.amount for stake in stakes)
    return facts if room else facts | {"stakes": stakes[:-1]}


def offers(draw: Draw, facts: dict[str, Any], difficulty: int) -> dict[str, Any]:
    """Who offers to make up the difference, and who lost in the coup before."""
    players = seated_pontos(facts)
    asking = tuple(draw.sample(players, 2 if difficulty <= 2 else 3))
    lost = draw.pick((None, *asking)) if difficulty <= 3 else draw.pick((None, asking[-1], *players))
    return {"asking": asking, "lost_before": lost}


@case("deal_faults", {PT[0]: "104 b", SANREMO: "60", SPAIN: "3 p5-1"})
def one_ponto_card_exposed(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    exposed: Exposed = draw.pick((("ponto.1",), ("ponto.2",)))
    claim: Claim = draw.pick(("stake", "banco")) if difficulty >= 2 else "stake"
    return _exposed(draw, coup(draw, book, difficulty, claim=claim), exposed)


@case("deal_faults", {SANREMO: "60"})
def one_card_exposed_by_rule(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """One card turned up by a banker who plays by the rule, or who does not: only the rule would bind him."""
    facts = coup(draw, book, difficulty, claim=draw.pick(("stake", "banco", "banco_table")))
    facts["by_table"] = ("banker",) if draw.chance(0.5) else ()
    return _exposed(draw, facts, draw.pick((("ponto.1",), ("ponto.2",))))


@case("deal_faults", {SANREMO: "60"})
def one_card_exposed_after_banco(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """With both cards up the player who called banco could refuse; with one he cannot."""
    facts = coup(draw, book, difficulty, claim="banco")
    return _exposed(draw, facts, draw.pick((("ponto.1",), ("ponto.2",))))


@case("deal_faults", {PT[0]: "104 b"})
def ponto_exposes_his_own(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """A look-alike: it was not the banker who turned them up."""
    claim: Claim = draw.pick(("stake", "banco", "banco_table")) if difficulty >= 2 else "stake"
    exposed: Exposed = draw.pick(
        (("ponto.1",), ("ponto.2",), BOTH) if difficulty >= 3 else (("ponto.1",), ("ponto.2",))
    )
    return _exposed(draw, coup(draw, book, difficulty, claim=claim), exposed, by="ponto")


@case("deal_faults", {PT[0]: "104 b", SANREMO: ("61 s0", "61 c"), SPAIN: "3 p5-2"})
def both_ponto_cards_exposed(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    table_too = difficulty >= 2 and book.coded_as != SANREMO  # there it has a case of its own
    claim: Claim = draw.pick(("stake", "banco_table")) if table_too else "stake"
    return _exposed(draw, coup(draw, book, difficulty, claim=claim), BOTH)


@case("deal_faults", {SANREMO: "61 s9"})
def exposed_after_banco_with_table(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    facts = coup(draw, book, difficulty, claim="banco_table")
    return _exposed(draw, facts, BOTH)


@case("deal_faults", {SANREMO: ("61 s0", "61 a")})
def exposed_before_any_stake(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    return _exposed(draw, still_open(coup(draw, book, difficulty)) | {"stakes": ()}, BOTH)


@case("deal_faults", {SANREMO: ("61 s0", "61 b")})
def exposed_while_betting(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    facts = uncovered(draw, still_open(coup(draw, book, difficulty)))
    return _exposed(draw, facts, BOTH, **offers(draw, facts, difficulty))


@case("deal_faults", {SANREMO: ("61 s0", "61 d")})
def exposed_after_banco(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    facts = coup(draw, book, difficulty, claim="banco")
    if difficulty >= 2 and draw.chance(0.5):
        # Called before the croupier had closed: it counts as closed anyway.
        facts["calls"] = facts["calls"][:-1]
    return _exposed(draw, facts, BOTH)


@case("deal_faults", {SANREMO: ("61 s0", "61 c", "61 s6")})
def exposed_and_withdrawn(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    facts, kept = near_minimum(draw, book, difficulty)
    return _exposed(draw, facts, BOTH, kept=kept)
