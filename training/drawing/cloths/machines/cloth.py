"""A row of gaming machines: the panel of each, and the people who play and wait in front of it.

It is drawn twice, with two machines per row for a phone and up to four for a desktop; the stylesheet shows the one that
fits.
"""

from collections.abc import Iterator
from typing import Any

from django.utils.translation import gettext as _

from training.drawing.chips import written
from training.drawing.cloths.machines import words
from training.drawing.cloths.machines.panel import WIDE, panel, style
from training.drawing.cloths.machines.paper import HIGH as PAPER
from training.drawing.cloths.machines.paper import has_paper, paper
from training.drawing.drawing import Drawing, Sheet
from training.drawing.geometry import Box
from training.drawing.people import Person
from training.drawing.primitives import Group, Label, Part, Path, Rect
from training.drawing.scene import Scene
from training.drawing.tokens import Target

GAP = 16
BELOW = 82  # the room for people in front of a machine, and for what they are paid
SIGN = 62  # the height of the superjackpot sign above the row
SEAT_PERCENT, STANDING_PERCENT = 86, 64
APART = 42  # from the seat to the person standing there
MOST_LETTERS = 18  # a longer line is squeezed to the width of a machine
CASHIER = "cashier"


def machines(scene: Scene) -> Drawing:
    row = words.shown(scene)
    number = getattr(scene.situation.incident, "machine", None)
    focus = [f"spot:{number}"] if number else []
    abreast = 4 if len(row) > 3 else 3
    sheets = [
        _sheet(scene, row, 2, "upright", compact=len(row) > 2),
        _sheet(scene, row, abreast, "lying whole", compact=len(row) > abreast),
    ]
    return Drawing(scene.situation.game, sheets, words.told(scene), focus=focus)


def _sheet(scene: Scene, row: list[Any], abreast: int, kind: str, *, compact: bool) -> Sheet:
    """The machines in rows; where there are many of them, those of one sheet leave out the tray."""
    drawn = style(scene, row, compact=compact)
    top = SIGN if scene.situation.superjackpot else 0
    step, rows = drawn.high + BELOW, -(-len(row) // abreast)
    wide = abreast * (WIDE + GAP) + GAP
    floor = max(top + step * rows + 12, 80)
    window = Box(0, 0, wide, floor + (PAPER if has_paper(scene) else 0))
    layers: dict[str, list[Part]] = {"room": list(_room(wide, floor, top, step, rows)), "cabinets": [], "people": []}
    layers |= {"labels": [*_sign(scene, wide), *paper(scene, wide, floor + 4)], "pointing": []}
    for index, machine in enumerate(row):
        down, across = divmod(index, abreast)
        in_line = min(abreast, len(row) - down * abreast)
        x = (wide - in_line * (WIDE + GAP) + GAP) // 2 + across * (WIDE + GAP)
        y = top + down * step + 10
        point = f"spot:{machine.number}"
        layers["cabinets"].append(Group("cabinet", panel(drawn, machine, x, y), point=point, lit=point in scene.lit))
        layers["people"] += _people(scene, machine, x, y + drawn.high)
        layers["labels"] += _below(scene, machine, x, y + drawn.high)
        if scene.pointing == "spot":
            name = words.machine_name(machine.number, scene.language)
            first = not layers["pointing"]
            layers["pointing"].append(Target(point, name, x, y, WIDE, drawn.high, first=first))
    return Sheet(window, layers, kind)


def _room(wide: int, floor: int, top: int, step: int, rows: int) -> Iterator[Part]:
    """The wall behind the machines, and a strip of carpet in front of every row of them."""
    wall = Box(0, top, wide, floor)
    yield Rect.of("wall", wall, 14)
    yield Rect.of("felt-light", wall, 14)
    for row in range(rows):
        base = top + (row + 1) * step + 10
        carpet = Box(0, base - BELOW - 16, wide, base if row < rows - 1 else floor)
        yield Rect.of("carpet", carpet, 14 if row == rows - 1 else 0)
        diamonds = [f"M{x} {carpet.bottom - 24}l9 9-9 9-9-9z" for x in range(20, wide, 33)]
        yield Path("carpet-print", "".join(diamonds))


def _sign(scene: Scene, wide: int) -> Iterator[Part]:
    """The superjackpot of the linked machines, above them all."""
    situation = scene.situation
    if not situation.superjackpot:
        return
    won = any(machine.won == "superjackpot" for machine in situation.machines)
    room = min(wide - 2 * GAP, 340)
    left = (wide - room) // 2
    for x in (left + room // 4, left + room * 3 // 4):
        yield Path("sign-rod", f"M{x} {SIGN - 16}V{SIGN + 2}")
    yield Rect("plaque won" if won else "plaque", left, 4, room, SIGN - 18, 11)
    yield Label("meter-name large", left + 18, 33, _("Superjackpot"), "start")
    yield Label("meter-sum large", left + room - 16, 35, words.price(scene, situation.superjackpot), "end")


def _people(scene: Scene, machine: Any, x: int, y: int) -> Iterator[Person]:
    """The seat in front of a machine, and the people standing beside it."""
    situation, place = scene.situation, str(machine.number)
    standing = sorted(one for one in situation.standing if one[0] == place)
    middle = x + WIDE // 2 - APART // 2 * min(len(standing), 2)
    taken = machine.number in situation.seats
    yield Person(place, middle, y + 32, taken=taken, lit=place in scene.lit, percent=SEAT_PERCENT)
    for index, guest in enumerate(standing, start=1):
        at = middle + APART * index
        yield Person(guest, at, y + 36, lit=guest in scene.lit, percent=STANDING_PERCENT)


def _below(scene: Scene, machine: Any, x: int, y: int) -> Iterator[Label]:
    """Under the seat: what is paid there and by whom, or who uses it as a second machine."""
    text = _paid(scene, machine)
    if machine.player is not None and machine.player != str(machine.number):
        text = text or _("used by %(place)s") % {"place": machine.player}
    if text:
        yield Label("prize", x + WIDE // 2, y + BELOW - 10, text, wide=WIDE if len(text) > MOST_LETTERS else 0)


def _paid(scene: Scene, machine: Any) -> str:
    """What the ruling pays for this machine."""
    payments = scene.after.payments if scene.after else ()
    for payment in payments:
        if payment.spot == str(machine.number):
            return f"+{written(payment.amount)}"
    due = (CASHIER, machine.player, scene.situation.prize_of(machine))
    if machine.wins and due in [(one.payer, one.payee, one.amount) for one in payments]:
        return _("+%(sum)s by the cashier") % {"sum": written(due[2])}
    return ""
