"""A row of gaming machines as whoever watches the room sees it: the panel of each, and who plays and waits before it.

It is drawn twice, two machines abreast for a phone and up to four for a desk; the stylesheet shows the one that fits.
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
BELOW = 78  # the room for people before a machine, and for what they are paid
SIGN = 62  # the superjackpot above the row
SEAT_PERCENT, STANDING_PERCENT = 86, 64
APART = 42  # from the seat to whoever stands there
MOST_LETTERS = 18  # of a line as wide as a machine; a longer one is squeezed
CASHIER = "cashier"


def machines(scene: Scene) -> Drawing:
    row = sorted(scene.situation.machines, key=lambda machine: machine.number)
    sheets = [_sheet(scene, row, 2, "upright"), _sheet(scene, row, 4 if len(row) > 3 else 3, "lying whole")]
    return Drawing(scene.situation.game, sheets, words.told(scene))


def _sheet(scene: Scene, row: Sequence[Any], abreast: int, kind: str) -> Sheet:
    high = HIGH + LINE * max((len(lines(scene, machine)) for machine in row), default=0)
    top = SIGN if scene.situation.superjackpot else 0
    step = high + BELOW
    wide = abreast * (WIDE + GAP) + GAP
    # The last machines of a row stand in its middle where they do not fill it.
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
    """What the linked machines have gathered, above them all."""
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
    """The seat before a machine, and beside it whoever stands there."""
    situation, place = scene.situation, str(machine.number)
    standing = sorted(one for one in situation.standing if one[0] == place)
    middle = x + WIDE // 2 - APART // 2 * min(len(standing), 2)
    taken = machine.number in situation.seats
    yield Person(place, middle, y + 32, taken=taken, lit=place in scene.lit, percent=SEAT_PERCENT)
    for index, guest in enumerate(standing, start=1):
        at = middle + APART * index
        yield Person(guest, at, y + 36, lit=guest in scene.lit, percent=STANDING_PERCENT)


def _below(scene: Scene, machine: Any, x: int, y: int) -> Iterator[Label]:
    """Under the seat: whose second machine it is, and in the end what is paid there and by whom."""
    text = _paid(scene, machine)
    if machine.player is not None and machine.player != str(machine.number):
        text = text or _("used by %(place)s") % {"place": machine.player}
    if text:
        yield Label("prize", x + WIDE // 2, y + BELOW - 10, text, wide=WIDE if len(text) > MOST_LETTERS else 0)


def _paid(scene: Scene, machine: Any) -> str:
    """What the ruling pays for what this machine shows."""
    payments = scene.after.payments if scene.after else ()
    for payment in payments:
        if payment.spot == str(machine.number):
            return f"+{written(payment.amount)}"
    due = (CASHIER, machine.player, scene.situation.prize_of(machine))
    if machine.wins and due in [(one.payer, one.payee, one.amount) for one in payments]:
        return _("+%(sum)s by the cashier") % {"sum": written(due[2])}
    return ""
