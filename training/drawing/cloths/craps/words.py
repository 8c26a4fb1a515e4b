"""The craps table in words: the print on the cloth, the names of the spots, and the list for screen readers."""

from collections.abc import Iterator

from rules_engine.games.craps import GAME
from rules_engine.spots import spot_name
from training.drawing import words
from training.drawing.layouts import SEATS
from training.drawing.scene import Scene

BOOK = GAME.books[0]


def printed(name: str, language: str) -> str:
    """The print on the cloth for a chance, a spot or a thing."""
    chance, _dot, number = name.partition(".")
    text = BOOK.text(f"print.{chance}", language)
    return f"{text} {number}" if number else text


def told(scene: Scene, results: dict[int, int]) -> list[str]:
    """Point, bar and dice, then every player with their bets and how those ended, then the marker and moved bets."""
    bets = [(bet, results.get(index, 0)) for index, bet in enumerate(scene.situation.bets)]
    return [*_table(scene), *words.players(scene, BOOK, bets, SEATS), *_marks(scene)]


def _table(scene: Scene) -> Iterator[str]:
    situation, language = scene.situation, scene.language
    if "minimum" in situation.incident.tells:
        yield GAME.words.text("table.minimum", language, currency=scene.currency, minimum=situation.minimum)
    yield BOOK.text(f"table.bar_{situation.bar}", language)
    name = "table.no_point" if situation.point is None else "table.point"
    yield BOOK.text(name, language, point=situation.point)
    if situation.shooter is not None:
        yield BOOK.text("table.shooter", language, by=situation.shooter)
    for id, values in situation.thrown():
        yield BOOK.text(id, language, **values)


def _marks(scene: Scene) -> Iterator[str]:
    """Where the ruling leaves the marker, and which bets it moves."""
    marks = dict(scene.marks_after)
    marker = marks.pop("marker", None)
    if marker is not None:
        yield BOOK.text("table.marker_off" if marker == "off" else "table.marker", scene.language, point=marker)
    for old, new in marks.items():
        values = {"old": spot_name(old, BOOK, scene.language), "new": spot_name(new, BOOK, scene.language)}
        yield BOOK.text("table.moved", scene.language, **values)
