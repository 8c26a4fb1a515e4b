"""The roulette table in words: the print on the cloth, the names of the spots, and the list for screen readers."""

from collections.abc import Iterator
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from rules_engine.games.roulette import GAME, layout
from rules_engine.spots import spot_name
from training.drawing import words
from training.drawing.cloths.roulette.wheel import colour
from training.drawing.layouts import SEATS
from training.drawing.scene import Scene


def colour_names() -> dict[str, str]:
    return {"red": pgettext("roulette", "Red"), "black": pgettext("roulette", "Black")}


def chip_colours() -> dict[str, str]:
    """The colours of chips without a face value."""
    return {
        "green": pgettext("chips", "green"),
        "blue": pgettext("chips", "blue"),
        "pink": pgettext("chips", "pink"),
        "orange": pgettext("chips", "orange"),
        "violet": pgettext("chips", "violet"),
        "grey": pgettext("chips", "grey"),
        "beige": pgettext("chips", "beige"),
        "turquoise": pgettext("chips", "turquoise"),
    }


def _even_chances() -> dict[str, str]:
    return {
        "even": pgettext("roulette", "Even"),
        "odd": pgettext("roulette", "Odd"),
        "low": pgettext("roulette", "Low"),
        "high": pgettext("roulette", "High"),
        **colour_names(),
    }


def _ordinals() -> tuple[str, str, str]:
    return pgettext("dozen", "1st"), pgettext("dozen", "2nd"), pgettext("dozen", "3rd")


# By their first letters in French, on every French cloth: première, moyenne, dernière.
FRENCH_DOZENS = ("12P", "12M", "12D")
RANGES = {"low": "1–18", "high": "19–36"}
COLUMN = "2–1"


def field_print(key: str, *, french: bool) -> str:
    """The print in the field of a chance."""
    if key in layout.SIMPLE:
        return RANGES[key] if key in RANGES and not french else _even_chances()[key]
    kind, _dot, which = key.partition(".")
    if kind == "column":
        return COLUMN
    if french:
        return FRENCH_DOZENS[int(which) - 1]
    return _("%(ordinal)s dozen") % {"ordinal": _ordinals()[int(which) - 1]}


def lying(scene: Scene) -> list[tuple[int, Any]]:
    """The bets on the cloth with their indices: those not collected yet, or all once the ruling ends them."""
    situation = scene.situation
    left = situation.incident.left_lying(situation) if scene.after is None else situation.bets
    return [(index, bet) for index, bet in enumerate(situation.bets) if bet in left]


def told(scene: Scene, results: dict[int, int]) -> list[str]:
    """The wheel and the number, then every player with their bets and how those ended, then the marker."""
    bets = [(bet, results.get(index, 0)) for index, bet in lying(scene)]
    return [
        words.joined(list(_table(scene))),
        *words.players(scene, GAME.books[0], bets, SEATS, chips=_own_chips),
        *_mark(scene),
        *_in_doubt(scene),
    ]


def _table(scene: Scene) -> Iterator[str]:
    situation = scene.situation
    orders = {"french": _("Wheel in the French order"), "american": _("Wheel in the American order")}
    yield orders[situation.wheel]
    painted = {"green": _("the zero is green"), "red": _("the zero is red"), "black": _("the zero is black")}
    if zero := getattr(situation.incident, "zero", None):
        yield painted[zero]
    yield _("minimum %(sum)s") % {"sum": scene.money(situation.minimum)}
    if situation.previous is not None:
        yield _("previous number %(number)s") % {"number": situation.previous}
    if situation.number is not None:
        yield _("winning number %(number)s") % {"number": _number(situation.number)}


def _number(number: int) -> str:
    """A number with its colour; the zero is green, as on the drawn wheel."""
    return f"{number} {colour_names()[colour(number)].lower() if number else chip_colours()['green']}"


def _own_chips(scene: Scene, place: str) -> Iterator[str]:
    for chips in scene.situation.colours:
        if chips.player == place:
            values = {"colour": chip_colours()[chips.colour], "sum": scene.money(chips.value)}
            yield _("plays with %(colour)s chips worth %(sum)s") % values


def _in_doubt(scene: Scene) -> Iterator[str]:
    """A ball on the cloth, and chips that two players claim."""
    incident = scene.situation.incident
    if scene.after is None and incident.on_cloth():
        yield _("The ball lies on the layout.")
    chips = incident.astray() if scene.after is None else None
    if chips is not None and not chips.owner:
        where = spot_name(chips.spot, GAME.books[0], scene.language)
        values = {"spot": where, "sum": scene.money(chips.count * chips.value)}
        yield _("Chips that two players claim: %(spot)s, %(sum)s.") % values


def _mark(scene: Scene) -> Iterator[str]:
    marker = scene.marks_after.get("marker") if scene.after else scene.situation.incident.marked_number()
    if marker is not None:
        yield _("The marker is on %(number)s.") % {"number": marker}
