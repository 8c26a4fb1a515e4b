"""How many times a stake is paid, and which bet a payment belongs to: X 20 a and b."""

from fractions import Fraction
from typing import ClassVar

from rules_engine.authoring import Draw, ImpossibleFacts, Reasoning, Rulebook, Sentence
from rules_engine.games.roulette.books import FRENCH
from rules_engine.games.roulette.game import case, domain, rule
from rules_engine.games.roulette.layout import Chance
from rules_engine.games.roulette.limits import maximum
from rules_engine.games.roulette.setting import table
from rules_engine.games.roulette.settlement import PRIZE_CLAUSES, SIMPLE, prize_of, times, times_name
from rules_engine.games.roulette.table import Incident, Situation, Worth

# The bets that are told apart by what they pay; dozens and columns are paid alike.
PAID_ALIKE: dict[str, tuple[str, ...]] = {
    **{chance: (chance,) for chance in ("straight", "split", "street", "corner", "line")},
    "third": ("dozen", "column"),
    "two_thirds": ("dozens", "columns"),
    "simple": ("simple",),
}

SCALE = ("35", "17", "11", "8", "5", "2", "1", "half")
domain("multiple", *SCALE)
domain("paid_chance", *PAID_ALIKE)


class ChanceAsked(Incident, frozen=True, tag="chance_asked"):
    """A bet on a chance has won."""

    tells: ClassVar = ()

    chance: Chance


class PrizeSeen(Incident, frozen=True, tag="prize_seen"):
    """Somebody put down a stake on one spot and was paid. `with_stake`: what he has now includes the stake."""

    tells: ClassVar = ()

    stake: Worth
    paid: Worth
    with_stake: bool = False

    def narration(self) -> list[Sentence]:
        form = "with_stake" if self.with_stake else "alone"
        return [(f"incident.prize_seen_{form}", {"stake": self.stake, "paid": self.paid})]


@rule(ChanceAsked, FRENCH)
def chance_asked(s: Situation, incident: ChanceAsked, r: Reasoning) -> None:
    paid = times_name(r.book, incident.chance)
    group = "simple" if incident.chance in SIMPLE else incident.chance
    r.pivot(PRIZE_CLAUSES[group], "pays_times", chance=incident.chance, times=paid)
    r.choice("multiple", paid, tempting=_next_to(SCALE, paid))


@rule(PrizeSeen, FRENCH)
def prize_seen(s: Situation, incident: PrizeSeen, r: Reasoning) -> None:
    prize = incident.paid - incident.stake if incident.with_stake else incident.paid
    multiple = Fraction(prize, incident.stake)
    for name, chances in PAID_ALIKE.items():
        if times(r.book, chances[0]) == multiple:
            paid = times_name(r.book, chances[0])
            first = {PRIZE_CLAUSES[chance]: chance for chance in reversed(chances)}
            for cite, chance in reversed(first.items()):
                r.pivot(cite, "paid_so", prize=prize, stake=incident.stake, chance=chance, times=paid)
            r.choice("paid_chance", name, tempting=_tempting(r.book, incident, name))
            return
    raise ImpossibleFacts(
        "incident.paid", "no bet of {stake:amount} earns {prize:amount}", stake=incident.stake, prize=prize
    )


def _next_to(scale: tuple[str, ...], value: str) -> tuple[str, ...]:
    """What stands before and after it on a scale: the multiple that is remembered for its neighbour."""
    place = scale.index(value)
    return scale[max(0, place - 1) : place] + scale[place + 1 : place + 2]


def _tempting(book: Rulebook, incident: PrizeSeen, right: str) -> tuple[str, ...]:
    """The neighbours in the scale, and what it would be with the stake forgotten or counted twice."""
    other = incident.paid if incident.with_stake else incident.paid - incident.stake
    missed = Fraction(other, incident.stake)
    misread = [name for name, chances in PAID_ALIKE.items() if times(book, chances[0]) == missed]
    return (*_next_to(tuple(PAID_ALIKE), right), *misread)


def _cases(name: str, cites: tuple[str, ...], chances: tuple[Chance, ...]) -> None:
    """A case of each question for every clause of 20, so that each can be practised by itself."""

    def asked(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
        return Situation(**table(draw, difficulty), incident=ChanceAsked(chance=draw.pick(chances)))

    def seen(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
        """Easy: a single least bet. Harder: odd sums, and the stake among what lies there."""
        facts = table(draw, difficulty)
        chance, minimum = draw.pick(chances), facts["minimum"]
        most = min(maximum(book, chance, minimum) // minimum, 4 * difficulty)
        stake = minimum * (1 if difficulty == 1 else draw.number(1, most))
        paid, with_stake = prize_of(book, chance, stake), difficulty >= 4 and draw.chance(0.5)
        incident = PrizeSeen(stake=stake, paid=paid + stake if with_stake else paid, with_stake=with_stake)
        return Situation(**facts, incident=incident)

    asked.__name__, seen.__name__ = f"{name}_asked", f"{name}_prize_seen"
    for make in (asked, seen):
        case("multiples", {FRENCH: cites})(make)


_cases("straight", ("X 20 a-pleno",), ("straight",))
_cases("split", ("X 20 a-cavalo",), ("split",))
_cases("street", ("X 20 a-rua",), ("street",))
_cases("corner", ("X 20 a-quadro",), ("corner",))
_cases("line", ("X 20 a-linha",), ("line",))
_cases("dozen", ("X 20 a-duzia",), ("dozen",))
_cases("column", ("X 20 a-coluna",), ("column",))
_cases("two_thirds", ("X 20 a-cav24",), ("dozens", "columns"))
_cases("even_chance", ("X 20 b",), ("even", "odd", "low", "high", "red", "black"))
