"""The craps table in words: the print of the cloth, the names of the spots, and the list for a screen reader."""

from collections.abc import Iterator
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from rules_engine import spots
from rules_engine.games.craps import GAME
from training.drawing import words
from training.drawing.scene import Scene

BOOK = GAME.books[0]


def printed(name: str, language: str) -> str:
    """What stands on the cloth for a chance, a spot or a thing."""
    chance, _dot, number = name.partition(".")
    text = BOOK.text(f"print.{chance}", language)
    return f"{text} {number}" if number else text


def spot_name(key: str, language: str) -> str:
    """A spot as a croupier says it."""
    return spots.spot_name(key, BOOK, language)


def told(scene: Scene, results: dict[int, int], seats: int) -> list[str]:
    """Point, bar and dice, then everybody with their chips, and how each bet ends where that is known."""
    situation = scene.situation
    return [
        *_table(scene),
        *(words.joined(list(_place(scene, place, results))) for place in words.places(situation)),
        *words.empty_seats(situation.seats, max([seats, *situation.seats])),
        *_marks(scene),
    ]


def _table(scene: Scene) -> Iterator[str]:
    situation, language = scene.situation, scene.language
    if "minimum" in situation.incident.tells:
        yield GAME.words.text("table.minimum", language, currency=scene.currency, minimum=situation.minimum)
    yield BOOK.text(f"table.bar_{situation.bar}", language)
    name = "table.no_point" if situation.point is None else "table.point"
    yield BOOK.text(name, language, point=situation.point)
    if situation.shooter is not None:
        yield BOOK.text("table.shooter", language, by=situation.shooter)
    if situation.dice:
        one, other = situation.dice
        thrown = "table.dice_off" if situation.one_off else "table.dice"
        yield BOOK.text(thrown, language, one=one, other=other, total=situation.total)


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
    values = {"count": bet.count, "sum": scene.money(bet.value), "spot": spot_name(bet.spot, scene.language)}
    text = ngettext("%(count)d chip of %(sum)s on %(spot)s", "%(count)d chips of %(sum)s on %(spot)s", bet.count)
    return text % values


def _result(scene: Scene, result: int | None) -> str:
    if result is None:
        return ""
    return _(", wins %(sum)s") % {"sum": scene.money(result)} if result > 0 else _(", collected")


def _marks(scene: Scene) -> Iterator[str]:
    """Where the marker stands in the end, and which chips have moved."""
    marks = dict(scene.marks_after)
    marker = marks.pop("marker", None)
    if marker is not None:
        yield BOOK.text("table.marker_off" if marker == "off" else "table.marker", scene.language, point=marker)
    for old, new in marks.items():
        values = {"old": spot_name(old, scene.language), "new": spot_name(new, scene.language)}
        yield BOOK.text("table.moved", scene.language, **values)
