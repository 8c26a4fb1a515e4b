"""What every chance pays: VI 9 to VI 13."""

from typing import ClassVar

from rules_engine.authoring import Draw, ImpossibleFacts, Reasoning, Rulebook, Sentence, Sum, variant
from rules_engine.games.craps import layout
from rules_engine.games.craps.books import CRAPS
from rules_engine.games.craps.chips import counted, worths
from rules_engine.games.craps.game import case_table, domain, rule
from rules_engine.games.craps.layout import BOXES, Chance, Number, named
from rules_engine.games.craps.settlement import clause, even_money, price, prize_of, times_name
from rules_engine.games.craps.table import Incident, Situation
from rules_engine.games.layout_bets.setting import table

# Odds on the don't side, for a house that reads the scale the other way round (Q28).
INVERSE = ("5-6", "2-3", "1-2")
domain(
    "multiple",
    *("1", "2", "4", "7", "9", "15", "30"),
    *("6-5", "3-2", "7-6", "7-5", "9-5", "10-13", "5-8", "5-11"),
    *INVERSE,
    unknown={CRAPS: INVERSE},
)
# Bets that the next throw can win, at even money.
BEGINNING = ("pass", "dont-pass", "come", "dont-come")
FIELD_TOTALS = (2, 3, 4, 9, 10, 11, 12)
SCALES: tuple[tuple[str, tuple[Chance, ...], tuple[int, ...], str], ...] = (
    ("odds", ("pass-odds", "come-odds"), BOXES, "VI 11.1 s2"),
    ("dont_odds", ("dont-pass-odds", "dont-come-odds"), BOXES, "VI 11.1 s2-dont"),
    ("to_win", ("to-win",), BOXES, "VI 12 1"),
    ("to_lose", ("to-lose",), BOXES, "VI 12 2"),
    ("hard_outer", ("hard",), (4, 10), "VI 11.3 s1"),
    ("hard_inner", ("hard",), (6, 8), "VI 11.3 s2"),
    ("craps", ("craps",), (0,), "VI 11.2"),
    ("total_2", ("total",), (2,), "VI 11.5"),
    ("total_3", ("total",), (3,), "VI 11.6"),
    ("total_7", ("total",), (7,), "VI 11.4"),
    ("total_11", ("total",), (11,), "VI 11.7"),
    ("total_12", ("total",), (12,), "VI 11.8"),
    ("field", ("field",), (*FIELD_TOTALS, 2, 12), "VI 13.1 s1"),
    ("big", ("big",), (6, 8), "VI 10.5"),
    ("under", ("under",), (0,), "VI 10.7"),
    ("dont_come", ("dont-come",), BOXES, "VI 10.4 s2"),
)


class ChanceAsked(Incident, frozen=True, tag="chance_asked"):
    """A bet on a chance has won.

    `number` is the number it lies on; for odds on the line the point, for the field the total. `stake` is the amount
    bet, if the prize is asked for. `leaves`: the player takes stake and prize off the cloth.
    """

    tells: ClassVar = ()

    chance: Chance
    number: Number = 0
    stake: Sum = 0
    leaves: bool = False

    def check(self, situation: Situation) -> None:
        if self.number not in _asked(self.chance):
            raise ImpossibleFacts(
                "incident.number", "{chance:spot} does not win on {number}", chance=self.chance, number=self.number
            )
        if self.leaves and not self.stake:
            raise ImpossibleFacts("incident.stake", "a bet of nothing")

    def narration(self) -> list[Sentence]:
        form = {"field": "total", "pass-odds": "point", "dont-pass-odds": "point"}.get(self.chance, "on")
        where = named(f"{self.chance}.{self.number}" if self.number else self.chance)
        told: list[Sentence] = [(f"incident.chance_asked_{form}", {"number": self.number, **where})]
        if self.stake:
            told.append((f"incident.chance_{'leaves' if self.leaves else 'staked'}", {"stake": self.stake}))
        return told


def _asked(chance: Chance) -> tuple[int, ...]:
    """The numbers that a chance can win on."""
    if chance in layout.LINE_ODDS:
        return BOXES
    if chance == "field":
        return FIELD_TOTALS
    return (0, *BOXES) if chance in layout.COMES else layout.PRINTED.get(chance, (0,))


@rule(ChanceAsked, CRAPS)
def chance_asked(s: Situation, incident: ChanceAsked, r: Reasoning) -> None:
    chance, number = incident.chance, incident.number
    pays = even_money(r.book) if chance in BEGINNING else price(r.book, chance, number)
    form = {"field": "_total", "pass-odds": "_point", "dont-pass-odds": "_point"}.get(chance, "")
    where = named(chance if form or not number else f"{chance}.{number}")
    r.pivot(clause(chance, number), f"pays_times{form}", times=times_name(pays), number=number, **where)
    r.choice("multiple", times_name(pays), tempting=_near(r.book, chance, number, times_name(pays)))
    if not incident.stake:
        return
    stake, prize = incident.stake, prize_of(r.book, pays, incident.stake)
    r.step(clause(chance, number), "prize_on_stake", times=times_name(pays), stake=stake, prize=prize)
    r.amount("bet_prize", prize, tempting=[stake, prize + stake, 2 * stake, 2 * prize, prize // 2])
    if incident.leaves:
        r.pivot("VI 13.2", "stake_with_prize", stake=stake, prize=prize, whole=stake + prize)
        r.amount("taken_off", stake + prize, tempting=[prize, 2 * prize, stake, prize + 2 * stake])


# The prices of bets that have a single price, lowest first.
SINGLE = ("1", "4", "7", "15", "30")


def _near(book: Rulebook, chance: Chance, number: int, right: str) -> list[str]:
    """What the chance pays on other numbers, and other chances on this number; otherwise the neighbouring prices."""
    if chance in BEGINNING or chance in ("big", "under", "over", "craps", "total"):
        at = SINGLE.index(right)
        return [*SINGLE[max(0, at - 1) : at], *SINGLE[at + 1 : at + 2]]
    own = [times_name(price(book, chance, other)) for other in _asked(chance)]
    scales: tuple[Chance, ...] = ("pass-odds", "to-win", "to-lose") if number in BOXES else ()
    return [*own, *(times_name(price(book, other, number)) for other in scales), *SINGLE[:1]]


@case_table(
    "multiples",
    *(
        variant(f"{name}_asked", {CRAPS: cite}, chances=chances, numbers=numbers)
        for name, chances, numbers, cite in SCALES
    ),
)
def _priced(
    draw: Draw, book: Rulebook, difficulty: int, chances: tuple[Chance, ...], numbers: tuple[int, ...]
) -> Situation:
    """The price; harder: the prize of a stake, and what the player takes off the cloth."""
    chance, number, facts = draw.pick(chances), draw.pick(numbers), table(draw, book, difficulty)
    value = worths(book)[0]
    stake = value * counted(draw, book, chance, number, value, (2, 9)) if difficulty >= 3 else 0
    incident = ChanceAsked(chance=chance, number=number, stake=stake, leaves=difficulty >= 5)
    return Situation(**facts, incident=incident)
