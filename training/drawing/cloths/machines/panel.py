"""One gaming machine: its lamp, number and stake, the glass, the displays and registers, and the tray."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from training.drawing.chips import written
from training.drawing.cloths.machines.reels import window
from training.drawing.cloths.machines.words import price
from training.drawing.geometry import Box
from training.drawing.primitives import Label, Part, Path, Rect, Symbol
from training.drawing.scene import Scene
from training.drawing.texts import width

WIDE = 172
EDGE = 10
HEAD, LAMP = 64, 10
LINE = 20  # the height of a line of the displays
BOX_HIGH, GAP = 38, 5
TALL_GLASS, LOW_GLASS = 96, 56
TRAY_HIGH, FOOT = 36, 10
DISPLAY, NAME = 14.5, 13  # the size of figures on a display, and of its name


@dataclass(frozen=True)
class Style:
    """How all machines of a row are drawn: how many lines their displays need, and whether there is little room."""

    scene: Scene
    compact: bool
    lines: int

    @property
    def high(self) -> int:
        glass = LOW_GLASS if self.compact else TALL_GLASS
        below = FOOT if self.compact else TRAY_HIGH + 2 * GAP + FOOT
        return HEAD + glass + 2 * GAP + BOX_HIGH + LINE * self.lines + 6 + below


def style(scene: Scene, machines: list[Any], *, compact: bool) -> Style:
    return Style(scene, compact, max((len(_lines(scene, machine)) for machine in machines), default=0))


def panel(drawn: Style, machine: Any, x: int, y: int) -> list[Part]:
    glass = Box(x + EDGE - 3, y + HEAD, x + WIDE - EDGE + 3, y + HEAD + (LOW_GLASS if drawn.compact else TALL_GLASS))
    displays = glass.bottom + GAP
    lines = displays + BOX_HIGH + GAP
    end = lines + LINE * drawn.lines + 6
    parts = [
        *_cabinet(drawn, machine, x, y),
        *window(machine, glass),
        *_displays(machine, x, displays),
        *_registers(drawn, machine, x, lines),
    ]
    if not drawn.compact:
        parts += _tray(drawn.scene, machine, x, end + GAP)
    return parts


def _cabinet(drawn: Style, machine: Any, x: int, y: int) -> Iterator[Part]:
    """The walnut body with its arched top, the lamp on it, the number, the model and the stake."""
    scene, high = drawn.scene, drawn.high
    middle, top = x + WIDE // 2, y + LAMP
    lamp = machine.wins or getattr(scene.situation.incident, "machine", None) == machine.number
    if lamp:
        yield Path("lamp-glow", _disc(middle, top, 24))
    yield Rect("lamp lit-up" if lamp else "lamp", middle - 11, y + 1, 22, 16, 6)
    yield Path("body out" if machine.out else "body", _arch(x, top, x + WIDE, y + high, 46))
    yield Path("body-edge", _arch(x + 4, top + 4, x + WIDE - 4, y + high - 4, 44))
    yield Label("cabinet-number", middle, y + 39, str(machine.number))
    named = f"{machine.model.capitalize()} · {price(scene, machine.stake)}"
    room = WIDE - 2 * EDGE
    yield Label("cabinet-name", middle, y + 57, named, wide=room if width(named, NAME + 0.5) > room else 0)


def _arch(left: int, top: int, right: int, bottom: int, rise: int) -> str:
    middle = (left + right) // 2
    return (
        f"M{left} {top + rise}Q{left} {top} {middle} {top}T{right} {top + rise}"
        f"V{bottom - 10}Q{right} {bottom} {right - 10} {bottom}H{left + 10}Q{left} {bottom} {left} {bottom - 10}z"
    )


def _disc(x: int, y: int, radius: int) -> str:
    return f"M{x - radius} {y}a{radius} {radius} 0 1 1 {2 * radius} 0a{radius} {radius} 0 1 1 {-2 * radius} 0z"


def _displays(machine: Any, x: int, y: int) -> Iterator[Part]:
    """Credits and prize side by side, the prize in gold if there is one."""
    room = (WIDE - 2 * EDGE - GAP) // 2
    shown = (
        (pgettext("display", "Credits"), machine.credits, False),
        (pgettext("display", "Prize"), machine.prize, machine.prize > 0),
    )
    for index, (name, value, hot) in enumerate(shown):
        left, number = x + EDGE + index * (room + GAP), written(value)
        yield Rect("meter won" if hot else "meter", left, y, room, BOX_HIGH, 5)
        yield Label("display-name", left + room // 2, y + 15, name)
        squeezed = room - 6 if width(number, DISPLAY, bold=True) > room - 6 else 0
        yield Label("display-value hot" if hot else "display-value", left + room // 2, y + 32, number, wide=squeezed)


def _lines(scene: Scene, machine: Any) -> list[tuple[str, str, bool]]:
    """The name and value of each line below, and whether it came up: jackpots, the registers if they were read, and
    the limit."""
    found = []
    if machine.jackpot:
        found.append((_("Jackpot"), price(scene, machine.jackpot), machine.won == "jackpot"))
    if machine.linked:
        found.append((_("Superjackpot"), pgettext("machine", "linked"), machine.won == "superjackpot"))
    counters = (
        (pgettext("counter", "Tokens in"), machine.tokens_in),
        (pgettext("counter", "Prizes paid"), machine.prizes_paid),
        (pgettext("counter", "Tokens kept"), machine.tokens_kept),
    )
    if any(value for _name, value in counters):
        found += [(name, written(value), False) for name, value in counters]
    if "limit" in scene.situation.incident.tells:
        found.append((pgettext("display", "Pays up to"), written(machine.pays_up_to), False))
    return found


def _registers(drawn: Style, machine: Any, x: int, y: int) -> Iterator[Part]:
    """The lines of the displays in one dark panel."""
    if not drawn.lines:
        return
    room = WIDE - 2 * EDGE
    yield Rect("meter", x + EDGE, y, room, LINE * drawn.lines + 4, 5)
    for index, (name, value, hot) in enumerate(_lines(drawn.scene, machine)):
        base = y + LINE * index + 16
        if hot:
            yield Rect("meter won", x + EDGE, base - 15, room, LINE + 2, 5)
        left = room - 14 - width(value, DISPLAY, bold=True)
        squeezed = left if width(name, NAME) > left else 0
        yield Label("display-name", x + EDGE + 6, base, name, "start", wide=squeezed)
        yield Label("display-value hot" if hot else "display-value", x + WIDE - EDGE - 6, base, value, "end")


def _tray(scene: Scene, machine: Any, x: int, y: int) -> Iterator[Part]:
    """The tray where the machine pays, with tokens in it once it has paid some."""
    left, right, low = x + 18, x + WIDE - 18, y + TRAY_HIGH - 8
    middle = (left + right) // 2
    yield Path("tray-steel", f"M{left} {y}H{right}L{right - 10} {low}Q{middle} {low + 8} {left + 10} {low}z")
    yield Path(
        "tray-hole", f"M{left + 8} {y + 5}H{right - 8}L{right - 15} {low - 5}Q{middle} {low + 1} {left + 15} {low - 5}z"
    )
    here = getattr(scene.situation.incident, "machine", None) == machine.number
    payments = scene.after.payments if scene.after else ()
    if (here and scene.situation.incident.handed_over()) or any(one.spot == str(machine.number) for one in payments):
        yield Symbol("tokens", middle - 44, y + 3, 88, 24, kind="reel-sign")
