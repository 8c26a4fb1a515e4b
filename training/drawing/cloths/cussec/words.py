"""The cussec table in words: the print on the board, the names of its zones, and the list for screen readers."""

from collections.abc import Iterator

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from rules_engine.games.cussec import GAME
from rules_engine.spots import spot_name
from training.drawing import words
from training.drawing.layouts import SEATS
from training.drawing.scene import Scene


def printed(key: str) -> str:
    """The print in a zone that shows no dice."""
    names = {
        "small": pgettext("cussec", "Small"),
        "big": pgettext("cussec", "Big"),
        "triples": pgettext("cussec", "Any triple"),
    }
    return names.get(key) or key.removeprefix("total.")


def told(scene: Scene, results: dict[int, int], lit: tuple[str, ...]) -> list[str]:
    """The dice, then every player with their bets and how those ended, then the zones that are lit."""
    bets = [(bet, results.get(index, 0)) for index, bet in enumerate(scene.situation.bets)]
    return [*_dice(scene), *words.players(scene, GAME.books[0], bets, SEATS), *_lit(lit, scene.language)]


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
    if situation.incident.dark(situation):
        yield _("The panel has not lit up yet.")


def _lit(lit: tuple[str, ...], language: str) -> Iterator[str]:
    if lit:
        names = ", ".join(spot_name(key, GAME.books[0], language) for key in lit)
        yield _("Zones lit up: %(zones)s.") % {"zones": names}
