"""The paper below the machines: what a claim or a reading of the registers sets against one another."""

from collections.abc import Iterator, Sequence
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from training.drawing.chips import written
from training.drawing.geometry import Box
from training.drawing.primitives import Label, Part, Rect
from training.drawing.scene import Scene
from training.drawing.texts import width

HIGH = 84
EDGE = 14
NAME, VALUE = 13, 20  # the size of the name of a figure, and of the figure
NOTHING = "\N{EM DASH}"


def paper(scene: Scene, wide: int, top: int) -> Iterator[Part]:
    """The figures in columns under a title; nothing for incidents without any."""
    incident = scene.situation.incident
    columns = _columns(incident)
    if not columns:
        return
    box = Box(4, top, wide - 4, top + HIGH - 4)
    yield Rect.of("paper", box, 10)
    yield Rect("paper-edge", box.left, box.top, 6, box.height, 3)
    yield Label("paper-title", box.left + EDGE + 4, box.top + 22, _title(incident), "start")
    room = (box.width - 2 * EDGE) // len(columns)
    for index, (name, value) in enumerate(columns):
        left = box.left + EDGE + 4 + index * room
        squeezed = room - 10 if width(name, NAME) > room - 10 else 0
        yield Label("paper-name", left, box.top + 44, name, "start", wide=squeezed)
        yield Label("paper-value", left, box.top + 69, value, "start")


def has_paper(scene: Scene) -> bool:
    return bool(_columns(scene.situation.incident))


def _title(incident: Any) -> str:
    text = _("Claim at machine %(number)s") if hasattr(incident, "claimed") else _("Reading of machine %(number)s")
    return text % {"number": incident.machine}


def _columns(incident: Any) -> Sequence[tuple[str, str]]:
    if hasattr(incident, "claimed"):
        found = [
            (pgettext("claim", "Claimed"), incident.claimed),
            (pgettext("claim", "On record"), incident.recorded),
            (pgettext("claim", "Already paid"), incident.handed),
        ]
    elif hasattr(incident, "in_before"):
        found = [
            (pgettext("reading", "In before"), incident.in_before),
            (pgettext("reading", "Paid before"), incident.paid_before),
            (pgettext("reading", "Paid by slip"), incident.slips),
        ]
    else:
        return ()
    return [(name, NOTHING if value is None else written(value)) for name, value in found]
