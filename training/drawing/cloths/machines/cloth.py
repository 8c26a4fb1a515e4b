"""A row of gaming machines: the panel of each, and the people who play and wait in front of it.

It is drawn twice, with two machines per row for a phone and up to four for a desktop; the stylesheet shows the one that
fits.
"""

from collections.abc import Iterator, Sequence
from typing import Any

from django.utils.translation import gettext as _

from training.drawing.chips import written
from training.drawing.cloths.machines import words
from training.drawing.cloths.machines.panel import HIGH, LINE, WIDE, lines, panel
from training.drawing.drawing import Drawing, Sheet
from training.drawing.geometry import Box
from training.drawing.people import Person
from training.drawing.primitives import Group, Label, Part, Rect
from training.drawing.scene import Scene
from training.drawing.tokens import Target

GAP = 16
BELOW = 78  # the room for people in front of a machine, and for what they are paid
SIGN = 62  # the height of the superjackpot sign above the row
SEAT_PERCENT, STANDING_PERCENT = 86, 64
APART = 42  # from the seat to the person standing there
MOST_LETTERS = 18  # a longer line is squeezed to the width of a machine
CASHIER = "cashier"


def machines(scene: Scene) -> Drawing:
    row = words.shown(scene)
    sheets = [_sheet(scene, row, 2, "upright"), _sheet(scene, row, 4 if len(row) > 3 else 3, "lying whole")]
    return Drawing(scene.situation.game, sheets, words.told(scene))


def _sheet(scene: Scene, row: Sequence[Any], abreast: int, kind: str) -> Sheet:
    high = HIGH + LINE * max((len(lines(scene, machine)) for machine in row), default=0)
    top = SIGN if scene.situation.superjackpot else 0
    step = high + BELOW
    wide = abreast * (WIDE + GAP) + GAP
    cabinets: list[Part] = []
    people: list[Part] = []
    labels: list[Part] = list(_sign(scene, wide))
    targets: list[Part] = []
    for index, machine in enumerate(row):
        down, across = divmod(index, abreast)
        in_line = min(abreast, len(row) - down * abreast)
        x = (wide - in_line * (WIDE + GAP) + GAP) // 2 + across * (WIDE + GAP)
        y = top + down * step + 8
        point = f"spot:{machine.number}"
        cabinets.append(Group("cabinet", panel(scene, machine, x, y, high), point=point, lit=point in scene.lit))
        people += _people(scene, machine, x, y + high)
        labels += _below(scene, machine, x, y + high)
        if scene.pointing == "spot":
            name = words.machine_name(machine.number, scene.language)
            targets.append(Target(point, name, x, y, WIDE, high, first=not targets))
    bottom = top + step * -(-len(row) // abreast) + 8
    layers = {"cabinets": cabinets, "people": people, "labels": labels, "pointing": targets}
    return Sheet(Box(0, 0, wide, max(bottom, 80)), layers, kind)


def _sign(scene: Scene, wide: int) -> Iterator[Part]:
    """The superjackpot of the linked machines, above them all."""
    situation = scene.situation
    if not situation.superjackpot:
        return
    won = any(machine.won == "superjackpot" for machine in situation.machines)
    room = min(wide - 2 * GAP, 340)
    left = (wide - room) // 2
    yield Rect("meter won" if won else "meter", left, 4, room, SIGN - 12, 8)
    yield Label("meter-name", wide // 2, 20, _("Superjackpot"))
    yield Label("meter-sum large", wide // 2, 45, words.price(scene, situation.superjackpot))


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
