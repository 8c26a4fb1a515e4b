"""A single stake: whether it is good, and how much it plays for.

Portugal 36 and 36 open (half a stake), 38, 40 s2, 41, 42 s1 (1995: 42), 43 s1 and 43 s2; Sanremo 10 s4, 15 s1, 15 s2,
16 s1 and 16 s2.
"""

from typing import Literal

from rules_engine.authoring import Drawn, ImpossibleFacts, NotRegulated, Reasoning, Rulebook, Sentence, one_of, variant
from rules_engine.games.baccarat.draw import Draw
from rules_engine.games.chemin_de_fer.books import PT, SANREMO
from rules_engine.games.chemin_de_fer.game import case, case_table, domain, rule
from rules_engine.games.chemin_de_fer.setting import pontos
from rules_engine.games.chemin_de_fer.stakes.cover import check_ponto, closed, stakes, table
from rules_engine.games.chemin_de_fer.table import Incident, Place, Situation, Sum

Money = Literal["chips", "notes", "foreign_notes", "withdrawn_notes", "other_casino"]
Spot = Literal["own_place", "line", "behind_line", "other_place", "spoken"]
Moment = Literal["open", "closed", "drawing"]
BAD_MONEY = ("foreign_notes", "withdrawn_notes", "other_casino")

domain(
    *("declared_stake", "must_change", "confirm_aloud", "nothing"),
    unknown=dict.fromkeys(PT, ("confirm_aloud",)) | {SANREMO: ("must_change",)},
)


class StakePut(Incident, frozen=True, kw_only=True, tag="stake_put"):
    """A ponto stakes `amount`, in chips or notes, somewhere, or only says it. On the line he may declare a value."""

    tells = ("unit",)

    player: Place
    amount: Sum
    money: Money = "chips"
    spot: Spot = "own_place"
    moment: Moment = "open"
    declared: Sum | None = None

    def check(self, situation: Situation) -> None:
        check_ponto(situation, "player", self.player)
        if not situation.unit:
            raise ImpossibleFacts("unit", "the table has a minimum stake")
        if not self.amount:
            raise ImpossibleFacts("incident.amount", "nothing is staked")
        if self.declared is not None and (self.spot != "line" or not 0 < self.declared <= self.amount):
            raise ImpossibleFacts("incident.declared", "a value is declared for a piece on the line, within its worth")

    def narration(self) -> list[Sentence]:
        values = {"player": self.player, "amount": self.amount, "money": self.money}
        told: list[Sentence] = [
            (f"incident.stake_put_when_{self.moment}", {}),
            (f"incident.stake_put_{self.spot}", values),
        ]
        if self.declared is not None:
            told.append(("incident.stake_put_declares", {"player": self.player, "declared": self.declared}))
        return told


def money_cite(book: Rulebook) -> str:
    """The text of 1995 has a different first half of 42, so its row covers the whole article."""
    return "42 s1" if book.coded_as == PT[0] else "42"


@rule(StakePut, *PT)
def stake_put_pt(s: Situation, incident: StakePut, r: Reasoning) -> None:
    if incident.spot == "behind_line":
        raise NotRegulated("arts. 38 and 43 do not speak of chips short of the line")
    good = True
    if incident.moment == "drawing":
        r.pivot("38", "stakes.before_cards", player=incident.player)
        good = False
    if incident.moment != "open":
        r.pivot("40 s2", "stakes.removed_after_close", player=incident.player)
        good = False
    if incident.spot == "spoken":
        r.pivot("41", "stakes.not_by_word", player=incident.player)
        good = False
    if incident.spot == "other_place":
        r.pivot("38", "stakes.own_place", player=incident.player)
        good = False
    if incident.spot != "spoken" and incident.money in BAD_MONEY:
        r.pivot(money_cite(r.book), f"stakes.{incident.money}")
        good = False
    elif good and incident.money == "notes":
        r.pivot(money_cite(r.book), "stakes.notes_good")
    plays = _line_pt(incident, r, good) if incident.spot == "line" else incident.amount
    if plays % s.unit and incident.spot == "line" and r.book.reads("PT36", "plays_half"):
        r.pivot("36 open", "stakes.half_plays_as_it_lies", amount=plays, unit=s.unit)
    elif plays % s.unit:
        cite = "36 open" if incident.spot == "line" else "36"
        r.pivot(cite, "stakes.not_a_multiple", amount=plays, unit=s.unit)
        good = False
    elif good and incident.spot != "line":
        r.pivot("36", "stakes.multiple", amount=plays, unit=s.unit)
    _decide(incident, r, plays if good else 0)


def _line_pt(incident: StakePut, r: Reasoning, good: bool) -> int:
    half = incident.amount // r.book.number("line_stake_divisor")
    if incident.declared in (None, half):
        r.step("43 s1", "stakes.line_plays_half", amount=incident.amount, plays=half, pivot=good)
        if good and incident.declared is not None:
            r.choice("declared_stake", "nothing", tempting=["must_change"])
        return half
    if good:
        r.pivot("43 s2", "stakes.declared_is_changed", declared=incident.declared, player=incident.player)
        r.choice("declared_stake", "must_change", tempting=["confirm_aloud"])
    return int(incident.declared or 0)


@rule(StakePut, SANREMO)
def stake_put_sanremo(s: Situation, incident: StakePut, r: Reasoning) -> None:
    if incident.money == "withdrawn_notes":
        raise NotRegulated("art. 15 does not speak of notes out of circulation")
    good = True
    if incident.moment != "open":
        r.pivot("15 s2", "stakes.before_close", player=incident.player)
        r.pivot("10 s4", "stakes.nothing_after_close")
        good = False
    if incident.spot == "spoken":
        r.pivot("15 s1", "stakes.money_on_table", player=incident.player)
        good = False
    if incident.spot in ("other_place", "behind_line"):
        r.pivot("15 s2", f"stakes.sanremo_{incident.spot}", player=incident.player)
        good = False
    if incident.spot != "spoken" and incident.money in BAD_MONEY:
        r.pivot("15 s1", f"stakes.{incident.money}")
        good = False
    elif incident.spot == "own_place" and good:
        r.pivot("15 s1", "stakes.house_money")
        r.pivot("15 s2", "stakes.past_line_in_time", player=incident.player)
    plays = _line_sanremo(incident, r, good) if incident.spot == "line" else incident.amount
    _decide(incident, r, plays if good else 0)


def _line_sanremo(incident: StakePut, r: Reasoning, good: bool) -> int:
    half = incident.amount // r.book.number("line_stake_divisor")
    if incident.declared in (None, half):
        if good:
            r.pivot("16 s1", "stakes.line_plays_half", amount=incident.amount, plays=half)
        if good and incident.declared is not None:
            r.choice("declared_stake", "nothing", tempting=["confirm_aloud"])
        return half
    if good:
        r.pivot("16 s1", "stakes.declared_counts", declared=incident.declared)
        r.pivot("16 s2", "stakes.declared_is_confirmed", declared=incident.declared)
        r.choice("declared_stake", "confirm_aloud", tempting=["must_change"])
    return int(incident.declared or 0)


def _decide(incident: StakePut, r: Reasoning, plays: int) -> None:
    r.choice("allowed", "allowed" if plays else "refused", critical=True)
    wrong = [incident.amount, incident.amount // 2, incident.declared or 0, 0]
    r.amount("stake_plays", plays, tempting=wrong, critical=True)


def _put(
    draw: Draw,
    book: Rulebook,
    difficulty: int,
    *,
    money: Money = "chips",
    spot: Spot = "own_place",
    moment: Moment = "open",
    odd: int = 0,
    declares: Literal["half", "other"] | None = None,
) -> Situation:
    """A partly covered table where one more ponto stakes. `odd` is how much his stake misses a multiple by."""
    facts = table(draw, book, difficulty)
    unit, bank = facts["unit"], facts["bank"]
    player = draw.pick(pontos(facts))
    others = stakes(draw, facts, difficulty, bank // 2, lines=True, but=(player,))
    # An even number of units, so that a half is still a stake of the table.
    amount = unit * 2 * draw.number(2, bank // unit // 4 - 1) + odd
    wrong = [unit * share for share in range(1, amount // unit + 1) if unit * share * 2 != amount]
    declared = {"half": amount // 2, "other": draw.pick(wrong)}[declares] if declares else None
    return Situation(
        **facts | {"calls": facts["calls"] if moment == "open" else closed(facts)},
        stakes=others,
        incident=StakePut(player=player, amount=amount, money=money, spot=spot, moment=moment, declared=declared),
    )


def _trap(draw: Draw, book: Rulebook, difficulty: int) -> Money:
    """Harder tables mix in good notes, which change nothing."""
    return "notes" if difficulty >= 3 and draw.chance(0.4) else "chips"


@case("stakes", {PT[0]: "36"})
def stake_and_unit(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """Multiples of the least stake, and sums just beside them."""
    unit, chip = book.table.minimum, book.table.values[-1]
    beside = (0, unit // 2, -unit // 2) if difficulty <= 2 else (0, chip, -chip, unit // 2)
    return _put(draw, book, difficulty, odd=draw.pick(beside), money=_trap(draw, book, difficulty))


@case("stakes", {PT[0]: "38", SANREMO: "15 s2"})
def stake_in_a_wrong_place(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    spots: tuple[Spot, ...] = (
        ("other_place",) if book.coded_as != SANREMO else ("other_place", "behind_line", "own_place")
    )
    return _put(draw, book, difficulty, spot=draw.pick(spots), money=_trap(draw, book, difficulty))


@case("stakes", {PT[0]: ("38", "40 s2"), SANREMO: ("10 s4", "15 s2")})
def stake_while_cards_are_drawn(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    return _put(draw, book, difficulty, moment="drawing", money=_trap(draw, book, difficulty))


@case("stakes", {PT[0]: "40 s2", SANREMO: ("10 s4", "15 s2")})
def stake_after_the_close(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    spot: Spot = draw.pick(("own_place", "line")) if difficulty >= 3 else "own_place"
    return _put(draw, book, difficulty, moment="closed", spot=spot, money=_trap(draw, book, difficulty))


case_table("stakes", variant("stake_by_word", {PT[0]: "41", SANREMO: "15 s1"}, spot="spoken"))(_put)


@case("stakes", {PT[0]: "42 s1", PT[1]: "42"})
def stake_and_money(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    kinds: tuple[Money, ...] = ("notes", "foreign_notes", "other_casino", "withdrawn_notes")
    return _put(draw, book, difficulty, money=draw.pick(kinds), spot="line" if difficulty >= 4 else "own_place")


@case("stakes", {SANREMO: "15 s1"})
def stake_and_currency(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    kinds: tuple[Money, ...] = ("notes", "foreign_notes", "other_casino")
    return _put(draw, book, difficulty, money=draw.pick(kinds))


@case("stakes", {PT[0]: "43 s1", SANREMO: "16 s1"})
def stake_on_the_line(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    return _put(draw, book, difficulty, spot="line", money=_trap(draw, book, difficulty))


@case("stakes", {PT[0]: "36 open"})
def half_that_is_no_multiple(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """An odd number of units on the line: half of it is not a multiple of the smallest stake."""
    return _put(draw, book, difficulty, spot="line", odd=book.table.minimum, money=_trap(draw, book, difficulty))


# A declaration does not make a late stake good, so that having one tells nothing.
MOMENTS = one_of("open", "open", "closed", "drawing")

case_table(
    "stakes",
    variant(
        "value_declared_on_the_line",
        {PT[0]: "43 s2", SANREMO: ("16 s1", "16 s2")},
        spot="line",
        money=Drawn(_trap),
        moment=MOMENTS,
        declares="other",
    ),
    # He declares what the chip plays for anyway.
    variant(
        "half_declared_on_the_line",
        {PT[0]: "43 s1", SANREMO: "16 s1"},
        spot="line",
        money=Drawn(_trap),
        moment=MOMENTS,
        declares="half",
    ),
)(_put)
