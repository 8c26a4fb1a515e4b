"""The panel of one gaming machine: its name and stake, the jackpot, the reels or cards, and its displays."""

from collections.abc import Iterator, Sequence
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from training.drawing.chips import written
from training.drawing.cloths.machines.words import price
from training.drawing.primitives import Label, Part, Rect, Symbol
from training.drawing.scene import Scene

WIDE = 172
HIGH = 160  # without the lines of the displays
LINE = 18
EDGE = 10
METER_TOP, METER_HIGH = 36, 40
WINDOW_TOP, WINDOW_HIGH = 98, 48
STAKE_WIDE = 54
NAME_LETTER, VALUE_DIGIT = 8, 9  # the width of the widest letters of the displays
# The reels or cards when nothing is won, chosen by the number of the machine so that neighbours differ. When something
# is won the displays say what; the picture only shows that there is a win.
REELS = (("7", "h", "BAR"), ("d", "7", "c"), ("BAR", "h", "d"), ("c", "BAR", "7"), ("h", "c", "s"))
REELS_WON = {"none": ("h", "h", "h"), "jackpot": ("7", "7", "7"), "superjackpot": ("BAR", "BAR", "BAR")}
CARDS = (("2s", "9h", "Kd", "5c", "7s"), ("Jc", "4h", "8d", "Qs", "3h"), ("6d", "10c", "2h", "As", "9d"))
CARDS_WON = {
    "none": ("9s", "9h", "9d", "9c", "Ks"),
    "jackpot": ("10h", "Jh", "Qh", "Kh", "Ah"),
    "superjackpot": ("10s", "Js", "Qs", "Ks", "As"),
}


def panel(scene: Scene, machine: Any, x: int, y: int, high: int) -> list[Part]:
    return [
        Rect("body out" if machine.out else "body", x, y, WIDE, high, 12),
        *_head(scene, machine, x, y),
        *_meter(scene, machine, x, y),
        *_window(machine, x, y),
        *_displays(scene, machine, x, y),
    ]


def _head(scene: Scene, machine: Any, x: int, y: int) -> Iterator[Part]:
    yield Label("cabinet-number", x + 20, y + 25, str(machine.number))
    stake = price(scene, machine.stake)
    yield Label("cabinet-name", x + 34, y + 23, machine.model.capitalize(), "start")
    yield Label("cabinet-stake", x + WIDE - EDGE, y + 23, stake, "end", wide=STAKE_WIDE if len(stake) > 6 else 0)


def _meter(scene: Scene, machine: Any, x: int, y: int) -> Iterator[Part]:
    """The jackpot of the machine, and whether it is linked to the superjackpot."""
    middle, top = x + WIDE // 2, y + METER_TOP
    if machine.jackpot:
        kind = "meter won" if machine.won == "jackpot" else "meter"
        yield Rect(kind, x + EDGE, top, WIDE - 2 * EDGE, METER_HIGH, 6)
        yield Label("meter-name", middle, top + 13, _("Jackpot"))
        yield Label("meter-sum", middle, top + 33, price(scene, machine.jackpot))
    else:
        yield Rect("meter none", x + EDGE, top, WIDE - 2 * EDGE, METER_HIGH, 6)
        yield Label("meter-type", middle, top + 26, _types()[machine.type])
    if machine.linked:
        yield Label("meter-name", middle, top + METER_HIGH + 14, _("Linked: superjackpot"))


def _types() -> dict[str, str]:
    return {"reels": pgettext("machine", "Reels"), "poker": pgettext("machine", "Poker")}


def _window(machine: Any, x: int, y: int) -> Iterator[Part]:
    """The reels or the cards, highlighted if the machine won."""
    left, top, room = x + EDGE, y + WINDOW_TOP, WIDE - 2 * EDGE
    if machine.out:
        yield Rect("window", left, top, room, WINDOW_HIGH, 4)
        yield Label("window-out", x + WIDE // 2, top + 30, _("Out of service"))
        return
    poker = machine.type == "poker"
    idle, won = (CARDS, CARDS_WON) if poker else (REELS, REELS_WON)
    shown: Sequence[str] = won[machine.won] if machine.wins else idle[machine.number % len(idle)]
    each = (room + 4) // len(shown)
    for index, sign in enumerate(shown):
        at = left + index * each
        yield Rect("reel won" if machine.wins else "reel", at, top, each - 4, WINDOW_HIGH, 4)
        yield from _card(sign, at, top) if poker else _reel(sign, at, top, each - 4)


def _reel(sign: str, x: int, y: int, wide: int) -> Iterator[Part]:
    if len(sign) == 1 and sign.isalpha():
        yield Symbol(f"suit-{sign}", x + wide // 2 - 15, y + 9, 30, 30, kind=f"suit-{sign}")
    else:
        yield Label("reel-seven" if sign == "7" else "reel-bar", x + wide // 2, y + (35 if sign == "7" else 30), sign)


def _card(card: str, x: int, y: int) -> Iterator[Part]:
    rank, suit = card[:-1], card[-1]
    yield Label(f"reel-rank suit-{suit}", x + 14, y + 21, rank, wide=18 if len(rank) > 1 else 0)
    yield Symbol(f"suit-{suit}", x + 6, y + 26, 17, 17, kind=f"suit-{suit}")


def lines(scene: Scene, machine: Any) -> list[tuple[str, int]]:
    """The name and value of every display under the reels that has something to show."""
    found = [
        (pgettext("display", "Prize"), machine.prize),
        (pgettext("display", "Credits"), machine.credits),
        (pgettext("counter", "Tokens in"), machine.tokens_in),
        (pgettext("counter", "Prizes paid"), machine.prizes_paid),
        (pgettext("counter", "Tokens kept"), machine.tokens_kept),
    ]
    shown = [(name, value) for name, value in found if value]
    return shown + (
        [(pgettext("display", "Pays up to"), machine.pays_up_to)] if "limit" in scene.situation.incident.tells else []
    )


def _displays(scene: Scene, machine: Any, x: int, y: int) -> Iterator[Part]:
    for index, (name, value) in enumerate(lines(scene, machine)):
        base = y + HIGH + LINE * index + 4
        number = written(value)
        left = WIDE - 2 * EDGE - VALUE_DIGIT * len(number) - 4
        squeezed = left if NAME_LETTER * len(name) > left else 0
        yield Label("display-name", x + EDGE, base, name, "start", wide=squeezed)
        yield Label("display-value", x + WIDE - EDGE, base, number, "end")
