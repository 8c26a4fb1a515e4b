"""The roulette table in words: the print of the cloth, the names of the spots, and the list for a screen reader."""

from collections.abc import Iterator
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from rules_engine import spots
from rules_engine.games.roulette import GAME, layout
from training.drawing import words
from training.drawing.cloths.roulette.wheel import colour
from training.drawing.scene import Scene


def colour_names() -> dict[str, str]:
    return {"red": pgettext("roulette", "Red"), "black": pgettext("roulette", "Black")}


def chip_colours() -> dict[str, str]:
    """The colours of chips without face value."""
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


def field_lines(key: str, lines: int) -> list[str]:
    """What is printed in a field, on one line or two."""
    if key in layout.SIMPLE:
        return [_even_chances()[key]]
    kind, _dot, which = key.partition(".")
    ordinal = _ordinals()[int(which) - 1]
    texts = {"column": _("%(ordinal)s col."), "dozen": _("%(ordinal)s dozen")}
    whole = texts[kind] % {"ordinal": ordinal}
    return whole.split(" ") if lines == 2 else [whole]


def spot_name(key: str, language: str) -> str:
    """A spot as a croupier says it."""
    return spots.spot_name(key, GAME.books[0], language)


def lying(scene: Scene) -> list[tuple[int, Any]]:
    """The bets on the cloth by their place in the list: those not collected, or all where it is shown how they end."""
    situation = scene.situation
    left = situation.incident.left_lying(situation) if scene.after is None else situation.bets
    return [(index, bet) for index, bet in enumerate(situation.bets) if bet in left]


def told(scene: Scene, results: dict[int, int], seats: int) -> list[str]:
    """The wheel and the number, then everybody with their chips, and how each bet ends where that is known."""
    situation = scene.situation
    return [
        words.joined(list(_table(scene))),
        *(words.joined(list(_place(scene, place, results))) for place in words.places(situation)),
        *words.empty_seats(situation.seats, max([seats, *situation.seats])),
        *_mark(scene),
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
    """With its colour; that of the zero is as the wheel is drawn."""
    return f"{number} {colour_names()[colour(number)].lower() if number else chip_colours()['green']}"


def _place(scene: Scene, place: str, results: dict[int, int]) -> Iterator[str]:
    seat = {"place": place, "seat": place[0]}
    yield _("Seat %(seat)s") % seat if place.isdigit() else _("Standing %(place)s, behind seat %(seat)s") % seat
    for chips in scene.situation.colours:
        if chips.player == place:
            values = {"colour": chip_colours()[chips.colour], "sum": scene.money(chips.value)}
            yield _("plays with %(colour)s chips worth %(sum)s") % values
    mine = [(index, bet) for index, bet in lying(scene) if bet.player == place]
    for index, bet in mine:
        yield _bet(scene, bet) + _result(scene, results.get(index))
    if not mine:
        yield _("no bet")
    yield from words.offered(scene, place)


def _bet(scene: Scene, bet: Any) -> str:
    values = {"count": bet.count, "sum": scene.money(bet.value), "spot": spot_name(bet.spot, scene.language)}
    text = ngettext("%(count)d chip of %(sum)s on %(spot)s", "%(count)d chips of %(sum)s on %(spot)s", bet.count)
    return text % values


def _result(scene: Scene, result: int | None) -> str:
    if result is None:
        return ""
    if result > 0:
        return _(", wins %(sum)s") % {"sum": scene.money(result)}
    return _(", collected")


def _mark(scene: Scene) -> Iterator[str]:
    marker = scene.marks_after.get("marker")
    if marker is not None:
        yield _("The marker is on %(number)s.") % {"number": marker}
