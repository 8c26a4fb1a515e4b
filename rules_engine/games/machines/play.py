"""One player at two machines while others wait: VIII 12."""

from collections import Counter
from collections.abc import Sequence

from msgspec import Struct

from rules_engine.authoring import (
    Draw,
    ImpossibleFacts,
    NotRegulated,
    Place,
    Reasoning,
    Rulebook,
    Seat,
    Sentence,
    chance,
    one_of,
    variant,
)
from rules_engine.games.machines.books import MACHINES
from rules_engine.games.machines.game import case, case_table, domain, rule
from rules_engine.games.machines.setting import MODELS, facts, stakes
from rules_engine.games.machines.table import TYPES, Incident, Machine, Situation, Stake, Type

Sort = tuple[Type, int]

domain("request", "free_machine", "makes_room", "waits")


class Wish(Struct, frozen=True, kw_only=True):
    """Somebody standing who waits for a machine of a type and stake."""

    guest: Place
    type: Type
    stake: Stake

    @property
    def sort(self) -> Sort:
        return self.type, self.stake


class MachineAsked(Incident, frozen=True, tag="machine_asked"):
    """A standing guest asks for a machine of this type and stake."""

    guest: Place
    type: Type
    stake: Stake

    def check(self, situation: Situation) -> None:
        _check_standing(self.guest, "incident.guest", situation)


class SecondMachine(Incident, frozen=True, tag="second_machine"):
    """A player at a machine wants to use another one as well, while others wait."""

    player: Place
    machine: Seat
    waiting: tuple[Wish, ...] = ()

    def check(self, situation: Situation) -> None:
        if not situation.used_by(self.player):
            raise ImpossibleFacts("incident.player", "nobody plays at {place}", place=self.player)
        if not situation.machine(self.machine).free:
            raise ImpossibleFacts("incident.machine", "the machine is not free")
        for index, wish in enumerate(self.waiting):
            _check_standing(wish.guest, f"incident.waiting[{index}].guest", situation)
        if len({wish.guest for wish in self.waiting}) != len(self.waiting):
            raise ImpossibleFacts("incident.waiting", "somebody waits twice")

    def narration(self) -> list[Sentence]:
        waits: list[Sentence] = [
            ("incident.guest_waits", {"guest": one.guest, "type": one.type, "stake": one.stake}) for one in self.waiting
        ]
        none: list[Sentence] = [("incident.nobody_waits", {})]
        return [*(waits or none), ("incident.second_machine", {"player": self.player, "machine": self.machine})]

    def asked(self, name: str, row: Situation) -> Sentence | None:
        return ("question.free_besides", {"machine": self.machine}) if name == "free_besides" else None


def _check_standing(guest: str, fact: str, situation: Situation) -> None:
    if guest not in situation.standing:
        raise ImpossibleFacts(fact, "nobody stands at {place}", place=guest)


def _at_several(s: Situation, sort: Sort) -> list[str]:
    """Players who use two or more machines, at least one of this type and stake."""
    players = dict.fromkeys(machine.player for machine in s.machines if machine.player and machine.sort == sort)
    return [player for player in players if player and len(s.used_by(player)) > 1]


def _all_alike(book: Rulebook) -> bool:
    """The other reading of VIII 12: only whoever uses two machines of that type and stake gives one up."""
    return book.reads("VIII12", "alike")


@rule(MachineAsked, MACHINES)
def machine_asked(s: Situation, incident: MachineAsked, r: Reasoning) -> None:
    sort = (incident.type, incident.stake)
    free, several = s.free_of(sort), _at_several(s, sort)
    values = {"type": incident.type, "stake": incident.stake}
    if free:
        r.pivot("VIII 12 s1", "one_is_free", machine=free[0].number, **values)
        _request(s, r, "free_machine", "nobody", free)
    elif not several:
        r.pivot("VIII 12 s1", "nobody_at_two", **values)
        _request(s, r, "waits", "nobody", [])
    elif len(several) > 1:
        raise NotRegulated("art. VIII 12 does not say which of several players makes room first")
    else:
        theirs = [machine for machine in s.used_by(several[0]) if machine.sort == sort]
        if len(theirs) == 1 and _all_alike(r.book):
            r.pivot(_clause(theirs), "keeps_only_one", by=several[0], **values)
            _request(s, r, "waits", "nobody", [])
            return
        r.pivot(_clause(theirs), "makes_room", by=several[0], machine=theirs[0].number, **values)
        _request(s, r, "makes_room", several[0], theirs)


def _clause(of_the_sort: Sequence[Machine]) -> str:
    """The clause: whether somebody uses two machines of the type and stake that others ask for, or one and others
    besides."""
    return "VIII 12 s1" if len(of_the_sort) > 1 else "VIII 12 s2"


def _request(s: Situation, r: Reasoning, request: str, gives_way: str, machines: Sequence[Machine]) -> None:
    r.choice("request", request, critical=True)
    r.player("gives_way", gives_way)
    if machines:
        r.number("gets", min(machine.number for machine in machines), tempting=s.figures("gets"))


@rule(SecondMachine, MACHINES)
def second_machine(s: Situation, incident: SecondMachine, r: Reasoning) -> None:
    wanted = s.machine(incident.machine)
    waiting = Counter(wish.sort for wish in incident.waiting if wish.guest != incident.player)
    theirs = [wanted, *s.used_by(incident.player)]
    barred = False
    for sort in dict.fromkeys(machine.sort for machine in theirs):
        left = [machine for machine in s.free_of(sort) if machine is not wanted]
        short = waiting[sort] > len(left)
        cite = _clause([machine for machine in theirs if machine.sort == sort]) if short else "VIII 12 s1"
        spared = cite == "VIII 12 s2" and _all_alike(r.book)
        barred = barred or (short and not spared)
        if waiting[sort] or sort == wanted.sort:
            text = "only_one_of_these" if spared else "none_for_others" if short else "enough_for_others"
            if not waiting[sort]:
                text = "nobody_asks"
            r.pivot(cite, text, type=sort[0], stake=sort[1], waiting=waiting[sort], left=len(left))
    besides = len(s.free_of(wanted.sort)) - 1
    r.choice("allowed", "refused" if barred else "allowed", critical=True)
    r.number("free_besides", besides, tempting=[0, 1, 2, 3])


def _sorts(draw: Draw, book: Rulebook) -> list[Sort]:
    """The type and stake that matters, and similar ones: the same type, the same stake, neither."""
    type_ = draw.pick(tuple(TYPES.values()))
    other: Type = "poker" if type_ == "reels" else "reels"
    stake, otherwise = draw.sample(stakes(book), 2)
    return [(type_, stake), (type_, otherwise), (other, stake), (other, otherwise)]


def _of(draw: Draw, number: int, sort: Sort, player: int | None = None, *, out: bool = False) -> Machine:
    model = draw.pick([model for model in MODELS if TYPES[model] == sort[0]])
    played_by = str(player) if player else None
    return Machine(number=number, model=model, stake=sort[1], player=played_by, out=out)


@case_table("play", variant("guest_asks", {MACHINES: "VIII 12 s1"}, way=one_of("free", "makes_room", "waits")))
def _asked(draw: Draw, book: Rulebook, difficulty: int, *, way: str, mixed: bool = False) -> Situation:
    """Hard: free machines of another stake or type, one out of service, somebody at two that do not matter."""
    wanted, *alike = _sorts(draw, book)
    machines = [_of(draw, 1, wanted, 1)]
    if way == "free":
        machines.append(_of(draw, 2, wanted))
    else:
        machines.append(_of(draw, 2, draw.pick(alike) if mixed else wanted, 1 if way == "makes_room" else 2))
    if way != "waits":
        # As many players as where somebody has to wait.
        machines.append(_of(draw, 9, draw.pick(alike), 9))
    if way != "makes_room" and difficulty >= 3:
        machines += [_of(draw, 3, draw.pick(alike), 3), _of(draw, 4, draw.pick(alike), 3)]
    elif difficulty >= 2:
        machines.append(_of(draw, 3, wanted, 3))
    if difficulty >= 3:
        machines.append(_of(draw, len(machines) + 1, draw.pick(alike[:2])))
    if difficulty >= 4:
        machines.append(_of(draw, len(machines) + 1, wanted, out=True))
    if difficulty == 5:
        other = len(machines) + 1
        mine = [draw.pick(alike), draw.pick(alike)] if way == "makes_room" else [wanted]
        machines += [_of(draw, other + index, sort, other) for index, sort in enumerate(mine)]
    machines = _moved(draw, machines)
    guest = f"{draw.pick(machines).number}a"
    incident = MachineAsked(guest=guest, type=wanted[0], stake=wanted[1])
    return Situation(**facts(machines, standing=(guest,)), incident=incident)


def _moved(draw: Draw, machines: list[Machine]) -> list[Machine]:
    """The same machines in another order along the row; everybody sits at the first one they use."""
    places = draw.shuffled(range(1, len(machines) + 1))
    at = {machine.number: place for machine, place in zip(machines, places, strict=True)}
    seat: dict[str, int] = {}
    for machine in sorted(machines, key=lambda machine: at[machine.number]):
        if machine.player:
            seat.setdefault(machine.player, at[machine.number])
    return [
        Machine(
            number=at[machine.number],
            model=machine.model,
            stake=machine.stake,
            player=str(seat[machine.player]) if machine.player else None,
            out=machine.out,
        )
        for machine in machines
    ]


@case_table("play", variant("second_machine_wanted", {MACHINES: "VIII 12 s1"}, barred=chance(0.5)))
def _second(draw: Draw, book: Rulebook, difficulty: int, *, barred: bool, mixed: bool = False) -> Situation:
    """Easy: nobody waits, or somebody waits for the last one. Harder: as many free as are waited for, or one too
    few."""
    wanted, *alike = _sorts(draw, book)
    asking = 1 if difficulty <= 2 else draw.number(1, 2) if difficulty <= 4 else draw.number(2, 3)
    spare = asking - 1 if barred else asking
    first = draw.pick(alike) if mixed else wanted
    machines = [_of(draw, 1, first, 1), _of(draw, 2, wanted)]
    machines += [_of(draw, 3 + index, wanted) for index in range(spare)]
    if difficulty >= 2:
        machines.append(_of(draw, len(machines) + 1, draw.pick(alike)))
    if difficulty >= 4:
        machines.append(_of(draw, len(machines) + 1, wanted, out=True))
    sorts = [wanted] * asking if barred or difficulty >= 2 else []
    if difficulty >= 3:
        sorts.append(draw.pick([sort for sort in alike if sort != first]))
    guests = [f"{place}a" for place in sorted(draw.sample([one.number for one in machines], len(sorts)))]
    sorts = draw.shuffled(sorts)
    waiting = tuple(Wish(guest=guest, type=sort[0], stake=sort[1]) for guest, sort in zip(guests, sorts, strict=True))
    incident = SecondMachine(player="1", machine=2, waiting=waiting)
    return Situation(**facts(machines, standing=tuple(guests)), incident=incident)


@case("play", {MACHINES: "VIII 12 s2"})
def one_of_two_is_wanted(draw: Draw, book: Rulebook, difficulty: int) -> Situation:
    """Two machines, of which others want only one."""
    if draw.chance(0.5):
        return _asked(draw, book, difficulty, way="makes_room", mixed=True)
    return _second(draw, book, difficulty, barred=True, mixed=True)
