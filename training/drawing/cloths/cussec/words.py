"""The cussec table in words: the print of the board, the names of its zones, and the list for a screen reader."""

from collections.abc import Iterator
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from rules_engine import spots
from rules_engine.games.cussec import GAME
from training.drawing import words
from training.drawing.scene import Scene


def printed(key: str) -> str:
    """What is printed in a zone that no faces of dice name."""
    names = {
        "small": pgettext("cussec", "Small"),
        "big": pgettext("cussec", "Big"),
        "triples": pgettext("cussec", "Any triple"),
    }
    return names.get(key) or key.removeprefix("total.")


def zone_name(key: str, language: str) -> str:
    """A zone as a dealer says it."""
    return spots.spot_name(key, GAME.books[0], language)


def told(scene: Scene, results: dict[int, int], lit: tuple[str, ...], seats: int) -> list[str]:
    """The dice, then everybody with their chips, how each bet ends where that is known, and the zones that are lit."""
    situation = scene.situation
    return [
        *_dice(scene),
        *(words.joined(list(_place(scene, place, results))) for place in words.places(situation)),
        *words.empty_seats(situation.seats, max([seats, *situation.seats])),
        *_lit(lit, scene.language),
    ]


def _dice(scene: Scene) -> Iterator[str]:
    situation = scene.situation
    faces = ", ".join(map(str, situation.faces()))
    stacked = situation.incident.stacked()
    if stacked:
        yield _("%(count)d dice lie on one another; visible: %(faces)s.") % {"count": stacked, "faces": faces}
    elif faces:
        yield _("The dice show %(faces)s.") % {"faces": faces}
    elif situation.covered():
        yield _("The black dome covers the dice.")
    else:
        yield _("The black dome is off.")


def _place(scene: Scene, place: str, results: dict[int, int]) -> Iterator[str]:
    seat = {"place": place, "seat": place[0]}
    yield _("Seat %(seat)s") % seat if place.isdigit() else _("Standing %(place)s, behind seat %(seat)s") % seat
    mine = [(index, bet) for index, bet in enumerate(scene.situation.bets) if bet.player == place]
    for index, bet in mine:
        yield _bet(scene, bet) + _result(scene, results.get(index))
    if not mine:
        yield _("no bet")
    yield from words.offered(scene, place)


def _bet(scene: Scene, bet: Any) -> str:
    values = {"count": bet.count, "sum": scene.money(bet.value), "spot": zone_name(bet.spot, scene.language)}
    text = ngettext("%(count)d chip of %(sum)s on %(spot)s", "%(count)d chips of %(sum)s on %(spot)s", bet.count)
    return text % values


def _result(scene: Scene, result: int | None) -> str:
    if result is None:
        return ""
    if result > 0:
        return _(", wins %(sum)s") % {"sum": scene.money(result)}
    return _(", collected")


def _lit(lit: tuple[str, ...], language: str) -> Iterator[str]:
    if lit:
        names = ", ".join(zone_name(key, language) for key in lit)
        yield _("Zones lit up: %(zones)s.") % {"zones": names}
