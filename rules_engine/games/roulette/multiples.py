"""How many times the stake each bet pays, and which bet a payment belongs to: X 20 a and b, with the maxima of X 27."""

from fractions import Fraction
from typing import ClassVar

from rules_engine.authoring import Draw, ImpossibleFacts, Reasoning, Rulebook, variant
from rules_engine.games.layout_bets import incidents
from rules_engine.games.layout_bets.setting import table
from rules_engine.games.layout_bets.table import Worth
from rules_engine.games.roulette.books import FRENCH
from rules_engine.games.roulette.game import case_table, domain, rule
from rules_engine.games.roulette.layout import Chance
from rules_engine.games.roulette.limits import HELD, clause, maximum, multiple
from rules_engine.games.roulette.settlement import PRIZE_CLAUSES, SIMPLE, group, prize_of, times, times_name
from rules_engine.games.roulette.table import Incident, Situation

# The groups of bets that pay differently; dozens and columns pay the same.
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


class PrizeSeen(incidents.PrizeSeen, Incident, frozen=True, tag="prize_seen"):
    """A player with a single bet has been paid. `with_stake`: the sum includes the stake."""

    tells: ClassVar = ()


class MostPaid(Incident, frozen=True, tag="most_paid"):
    """A player who had bet the maximum on one chance has been paid. The sum is without the stake: with it, every chance
    makes 360 times the minimum."""

    paid: Worth


@rule(ChanceAsked, FRENCH)
def chance_asked(s: Situation, incident: ChanceAsked, r: Reasoning) -> None:
    paid = times_name(r.book, incident.chance)
    r.pivot(PRIZE_CLAUSES[group(incident.chance)], "pays_times", chance=incident.chance, times=paid)
    r.choice("multiple", paid, tempting=_next_to(SCALE, paid))


@rule(PrizeSeen, FRENCH)
def prize_seen(s: Situation, incident: PrizeSeen, r: Reasoning) -> None:
    prize = incident.prize
    multiple = Fraction(prize, incident.stake)
    for name, chances in PAID_ALIKE.items():
        if times(r.book, chances[0]) == multiple:
            _explain(r, chances, prize, incident.stake)
            r.choice("paid_chance", name, tempting=_tempting(r.book, incident, name))
            return
    raise ImpossibleFacts(
        "incident.paid", "no bet of {stake:amount} earns {prize:amount}", stake=incident.stake, prize=prize
    )


def _explain(r: Reasoning, chances: tuple[str, ...], prize: int, stake: int) -> None:
    """The clause of each of these chances, which pay alike."""
    paid = times_name(r.book, chances[0])
    first = {PRIZE_CLAUSES[chance]: chance for chance in reversed(chances)}
    for cite, chance in reversed(first.items()):
        r.pivot(cite, "paid_so", prize=prize, stake=stake, chance=chance, times=paid)


@rule(MostPaid, FRENCH)
def most_paid(s: Situation, incident: MostPaid, r: Reasoning) -> None:
    """Maximum and prize differ from chance to chance, and so does what they make together."""
    sums = {name: _most(r.book, chances[0], s.minimum) for name, chances in PAID_ALIKE.items()}
    right = next((name for name, paid in sums.items() if paid == incident.paid), None)
    if right is None:
        raise ImpossibleFacts("incident.paid", "no bet at the maximum earns {paid:amount}", paid=incident.paid)
    chance = PAID_ALIKE[right][0]
    most = maximum(r.book, chance, s.minimum)
    r.pivot(clause(chance), "times_minimum", chance=chance, times=multiple(r.book, chance), amount=most)
    _explain(r, PAID_ALIKE[right], incident.paid, most)
    r.choice("paid_chance", right, tempting=_next_to(tuple(PAID_ALIKE), right))


def _most(book: Rulebook, chance: str, minimum: int) -> int:
    """The prize of the largest bet on a chance."""
    return prize_of(book, chance, maximum(book, chance, minimum))


def _next_to(scale: tuple[str, ...], value: str) -> tuple[str, ...]:
    """The values just before and after it on a scale, which are easily confused with it."""
    place = scale.index(value)
    return scale[max(0, place - 1) : place] + scale[place + 1 : place + 2]


def _tempting(book: Rulebook, incident: PrizeSeen, right: str) -> tuple[str, ...]:
    """The neighbours on the scale, and the answer with the stake forgotten or counted twice."""
    other = incident.paid if incident.with_stake else incident.paid - incident.stake
    missed = Fraction(other, incident.stake)
    misread = [name for name, chances in PAID_ALIKE.items() if times(book, chances[0]) == missed]
    return (*_next_to(tuple(PAID_ALIKE), right), *misread)


def _asked(draw: Draw, book: Rulebook, difficulty: int, chances: tuple[Chance, ...]) -> Situation:
    return Situation(**table(draw, book, difficulty), incident=ChanceAsked(chance=draw.pick(chances)))


def _seen(draw: Draw, book: Rulebook, difficulty: int, chances: tuple[Chance, ...]) -> Situation:
    """Easy: a single least bet. Harder: odd sums, and the stake included in what was paid."""
    facts = table(draw, book, difficulty)
    chance, minimum = draw.pick(chances), facts["minimum"]
    most = min(maximum(book, chance, minimum) // minimum, 4 * difficulty)
    stake = minimum * (1 if difficulty == 1 else draw.number(1, most))
    paid, with_stake = prize_of(book, chance, stake), difficulty >= 4 and draw.chance(0.5)
    incident = PrizeSeen(stake=stake, paid=paid + stake if with_stake else paid, with_stake=with_stake)
    return Situation(**facts, incident=incident)


def _most_paid(draw: Draw, book: Rulebook, difficulty: int, chances: tuple[Chance, ...]) -> Situation:
    facts = table(draw, book, difficulty)
    return Situation(**facts, incident=MostPaid(paid=_most(book, draw.pick(chances), facts["minimum"])))


# A case of each question for every clause of X 20, so that each clause can be practised by itself.
for _name, _chances in (
    *((_chance, (_chance,)) for _chance in ("straight", "split", "street", "corner", "line", "dozen", "column")),
    ("two_thirds", ("dozens", "columns")),
    ("even_chance", SIMPLE),
):
    _turns_on = {FRENCH: (PRIZE_CLAUSES[group(_chances[0])],)}
    case_table("multiples", variant(f"{_name}_asked", _turns_on, chances=_chances))(_asked)
    case_table("multiples", variant(f"{_name}_prize_seen", _turns_on, chances=_chances))(_seen)
    if HELD not in _chances:
        _both = {FRENCH: ("X 27 s1", *_turns_on[FRENCH])}
        case_table("multiples", variant(f"{_name}_at_the_maximum", _both, chances=_chances))(_most_paid)
