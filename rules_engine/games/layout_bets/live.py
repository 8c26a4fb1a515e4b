"""What the live tables of layout games have in common: the cloth of a coup in the making, and incidents moved to it."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from msgspec import structs

from rules_engine.authoring import Draw, EngineError, Payment, Rulebook
from rules_engine.games.layout_bets.setting import in_order, table
from rules_engine.games.layout_bets.table import B
from rules_engine.live.course import Course
from rules_engine.live.duties import owed
from rules_engine.live.flow import CHATTER, Incidents, Opening, article, plain
from rules_engine.live.model import Event, Moment, Setup, State
from rules_engine.live.scene import handed_back
from rules_engine.live.transplant import Misfit, cases_of, fitted, generated, ruled, storable
from rules_engine.ruling import Ruling
from rules_engine.situation import kind_of

TRIES = 40
# So many times the least bet each player brings, from and to.
BRINGS = (50, 400)
LEAST_PLAYERS = 4
Facts = dict[str, Any]


class Cloth(Course):
    """The facts of a coup while it is planned. Each game says which facts it has and what its bets look like."""

    situation: Any

    def __init__(self, state: State, book: Rulebook, draw: Draw) -> None:
        super().__init__(state, book, draw)
        self.bets: tuple[Any, ...] = ()
        self.dice: tuple[int, ...] = ()

    def faces(self, s: Any) -> tuple[int, ...]:
        """What can be read of the dice of a throw that an incident is about."""
        return self.dice

    @property
    def people(self) -> list[str]:
        return [str(seat) for seat in self.table["seats"]]

    def facts(self, *, out: bool = False) -> Facts:
        """The facts before the dice are seen, or when they are `out`."""
        found = {"seats": tuple(self.table["seats"]), "minimum": self.book.table.minimum, "bets": self.bets}
        return found | ({"dice": self.dice} if out else {})

    def rule(self, incident: Any, *, out: bool = False, **other: Any) -> Ruling:
        return self.book.rule(self.situation(**self.facts(out=out) | other, incident=incident))

    def incident(self, s: Any, *before: Event, wrong: bool) -> None:
        """The moment at which an incident is seen, with what everybody sees before it is told. The dice are shown
        together with how they lie."""
        if kind_of(s.incident) in THROWN:
            lies = {"lies": plain(s.incident), "seen": list(self.faces(s))}
            before += tuple(structs.replace(one, values=one.values | lies) for one in self.moments.pop().events)
        kind = kind_of(s.incident)
        lasts = wrong and kind in LASTING
        self.moment(*before, *shown(s), facts=plain(s), kind=kind, wrong=wrong, lasts=lasts)


class DiceCloth(Cloth, ABC):
    """The facts of a coup that dice decide."""

    @abstractmethod
    def throw_again(self) -> None:
        """Add the moments of another throw, after one that the inspector has declared void."""


# Wishes without a sum: nobody could grant them.
UNSAID = ("raise", "lower")
PUT_DOWN = ("bet_offered", "late_bet")
# Incidents that say how the dice lie or how far they went.
THROWN = ("dice_thrown", "dome_lifted", "throw_ends")
# What has to be done even when the bets are settled: suspected dice are seized (IV 5).
LASTING = ("dice_suspected",)
VOIDED = "live.throw_void"


def lies(c: Cloth, s: Any, bets: tuple[Any, ...], payable: Callable[[Any, Any], bool]) -> tuple[Any, ...]:
    """These bets, as they lie if nobody objects to an incident. One that the text gives no prize for is given back when
    the bets are settled; chips that somebody wanted off the cloth are gone by then."""
    if kind_of(s.incident) not in PUT_DOWN:
        c.returned = [taken_back(bet) for bet in c.bets if bet not in bets]
        return bets
    if not bets or bets == c.bets or payable(c, bets):
        return bets
    c.returned = handed_back(shown(s))
    return c.bets


def taken_back(bet: Any) -> Event:
    """A player takes a bet off the cloth."""
    return Event("chips", by=bet.player, amount=bet.amount, values={"from": bet.spot, "count": bet.count})


def knocked_off(bet: Any) -> Event:
    """Chips are knocked off their spot; what is told says how."""
    return Event("chips", by=bet.player, amount=bet.amount, values={"from": bet.spot, "count": bet.count, "told": True})


def opening(setup: Setup, book: Rulebook, draw: Draw, **more: Any) -> Opening:
    """Some players with chips."""
    facts = table(draw, book, setup.habits.busy, least=LEAST_PLAYERS)
    moves = tuple(Payment("outside", str(seat), facts["minimum"] * draw.number(*BRINGS)) for seat in facts["seats"])
    return Opening(table=plain({"seats": facts["seats"], **more}), moves=moves)


Phases = Sequence[tuple[str, Callable[[Any], None]]]


def wished(c: Any, wish: str, incidents: Incidents, moved: Callable[[Any, Any], Any]) -> Any | None:
    """An incident that fulfils a wish, if one is wanted and one can occur in this coup."""
    kinds = incidents.wished(c.book, wish)
    return find(c, kinds, incidents, moved, wrong=wish != CHATTER) if kinds else None


def _is_unreadable(c: DiceCloth, s: Any) -> bool:
    return kind_of(s.incident) in THROWN and len(c.faces(s)) < len(c.dice)


def played(
    c: Cloth, phases: Phases, s: Any | None, at: str, unnoticed: Callable[[Any], tuple[Any, ...]], *, wrong: bool
) -> None:
    """The phases of a coup in order. After the phase `at` the incident is seen; the bets lie as if nobody objected.

    Dice that nobody can read decide nothing: if the dealer does not see that, the inspector declares the throw void."""
    for phase, run in phases:
        run(c)
        if s is not None and phase == at:
            c.incident(s, wrong=wrong)
            if wrong and isinstance(c, DiceCloth) and _is_unreadable(c, s):
                c.moment(Event("told", says=VOIDED), settles=True, void=article(c.book.rule(s)))
                c.throw_again()
            else:
                c.bets = unnoticed(s)


def find(
    c: Any, kinds: Sequence[str], incidents: Incidents, moved: Callable[[Any, Any], Any], *, wrong: bool
) -> Any | None:
    """An incident of one of these kinds that can occur in this coup, with something wrong or with nothing."""
    able = [kind for kind in kinds if kind in cases_of(c.book.id)]
    for kind in c.draw.shuffled(able):
        for _ in range(TRIES):
            try:
                situation = moved(c, generated(c.book, kind, c.draw, c.busy))
                ruling = ruled(c.book, situation)
            except (Misfit, EngineError):
                continue
            if not wrong and getattr(situation.incident, "wish", "") in UNSAID:
                continue
            if incidents.wrong(kind, ruling) == wrong and storable(c.book, situation):
                return situation
    return None


def people_for(c: Cloth, made: Any) -> dict[str, str]:
    """Who becomes whom: everybody with a bet, and who does something."""
    player = getattr(made.incident, "player", None)
    names = sorted({bet.player for bet in made.bets} | ({player} if player else set()))
    return fitted(names, c.people, c.draw)


def renamed(value: Any, places: dict[str, str]) -> Any:
    """The same bet or incident of somebody else."""
    player = getattr(value, "player", None)
    return structs.replace(value, player=places[player]) if player else value


def chips_down(bet: Any) -> Event:
    return Event("chips", by=bet.player, to=bet.spot, amount=bet.amount, values={"count": bet.count})


def dice_seen(dice: tuple[int, ...], by: str = "") -> Event:
    return Event("dice", by=by, values={"dice": list(dice)})


def bets_unnoticed(s: Any, bets: tuple[B, ...], new: type[B], *, wrong: bool) -> tuple[B, ...]:
    """The bets as they lie if nobody objects to chips that were put down, moved or taken too late."""
    incident, kind = s.incident, kind_of(s.incident)
    if kind == "late_bet":
        where = incident.lies_on(allowed=True)
        gone = (incident.player, incident.spot, incident.value) if incident.wish != "place" else ()
        kept = tuple(bet for bet in bets if (bet.player, bet.spot, bet.value) != gone)
        return _with(s, kept, new, where) if where else kept
    if kind == "bet_offered" and incident.spot in s.layout.spots:
        return _with(s, bets, new, incident.spot)
    if kind == "stake_touched" and incident.wish in ("take", "move") and wrong:
        return tuple(bet for bet in bets if (bet.player, bet.spot) != (incident.player, incident.spot))
    return bets


def _with(s: Any, bets: tuple[B, ...], new: type[B], spot: str) -> tuple[B, ...]:
    """These bets and more chips of the player on a spot."""
    incident, place = s.incident, s.layout.spots[spot]
    key = (incident.player, spot, incident.value)
    same = [bet for bet in bets if (bet.player, bet.spot, bet.value) == key]
    count = incident.count + sum(bet.count for bet in same)
    where = {"chance": place.chance, "numbers": place.numbers}
    total = new(player=incident.player, count=count, value=incident.value, **where)
    return in_order(s.layout, (*(bet for bet in bets if bet not in same), total))


def shown(s: Any) -> list[Event]:
    """What everybody sees of an incident: chips put on a spot look like any others, the rest is told."""
    incident = s.incident
    spot = str(getattr(incident, "offered_on", None) or getattr(incident, "spot", ""))
    if kind_of(incident) == "late_bet":
        gone = {"from": incident.spot} if incident.wish != "place" else {}
        where = incident.lies_on(allowed=True) or ""
        counted = {"count": incident.count} | gone
        return [Event("chips", by=incident.player, to=where, amount=incident.stake, values=counted)]
    if kind_of(incident) == "bet_offered" and spot in s.layout.spots:
        amount = incident.count * incident.value
        return [Event("chips", by=incident.player, to=spot, amount=amount, values={"count": incident.count})]
    return [Event("told", says=says, values=plain(values)) for says, values in incident.narrated(s)]


def settled(c: Cloth, ruling: Ruling | None, cited: Callable[[Payment], str], first: str = "") -> None:
    """Losing chips are collected, those on the spot `first` before the others, then the winners are paid, each payment
    with the clause of its own bet."""
    due = [
        structs.replace(duty, cite=cited(duty.payment) or duty.cite)
        for duty in (owed(ruling, payments=True) if ruling else ())
        if duty.payment
    ]
    collected = [duty for duty in due if duty.payment and duty.payment.payee == "house"]
    collected.sort(key=lambda duty: duty.payment is None or duty.payment.spot != first)
    c.moment(*c.returned, duties=collected, settles=True)
    c.moment(duties=(duty for duty in due if duty not in collected))


def reached(moments: Iterable[Moment], name: str) -> bool:
    """Whether an event or a duty of this name was among these moments."""
    return any(
        any(name in (event.what, event.says) for event in moment.events)
        or any(duty.key == name for duty in moment.duties)
        for moment in moments
    )


def throws_in(moments: Iterable[Moment]) -> list[tuple[int, ...]]:
    """What the dice show at these moments."""
    events = (event for moment in moments for event in moment.events if event.what == "dice")
    return [tuple(event.values["dice"]) for event in events]
