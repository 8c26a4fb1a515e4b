"""The table of banca francesa in words: the print on the cloth and the list for screen readers."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from rules_engine.games.banca_francesa import GAME
from training.drawing import words
from training.drawing.layouts import SEATS
from training.drawing.scene import Scene


def field_names() -> dict[str, str]:
    """The print on the fields."""
    return {
        "aces": pgettext("banca francesa", "Aces"),
        "small": pgettext("banca francesa", "Small"),
        "big": pgettext("banca francesa", "Big"),
    }


def notes() -> dict[str, str]:
    """The small print beside the names: the totals that win, and what aces pay."""
    book = GAME.books[0]
    totals, pays = book.param("winning_totals"), book.param("payouts")
    found = {chance: " · ".join(map(str, totals[chance])) for chance in ("small", "big")}
    return found | {"aces": f"{pays['aces']}–1"}


def staff_names() -> tuple[str, str, str]:
    """The staff at the end of the table, from the left."""
    return (
        pgettext("banca francesa", "Inspector"),
        pgettext("banca francesa", "Thrower"),
        pgettext("banca francesa", "Dealer"),
    )


def lying(scene: Scene) -> Sequence[Any]:
    """The bets on the cloth: those not collected yet, or all once the ruling ends them."""
    situation = scene.situation
    left: Sequence[Any] = situation.incident.left_lying(situation) if scene.after is None else situation.bets
    return left


def told(scene: Scene, results: Mapping[tuple[str, str], int]) -> list[str]:
    """The dice, then every player with their bets and how those ended, then the winning chance."""
    bets = [(bet, results.get((bet.player, bet.spot), 0)) for bet in lying(scene)]
    return [
        words.joined(list(_table(scene))),
        *words.players(scene, GAME.books[0], bets, SEATS, ended=words.result),
        *_chance(scene),
    ]


def _table(scene: Scene) -> Iterator[str]:
    situation = scene.situation
    yield _("Minimum %(sum)s") % {"sum": scene.money(situation.minimum)}
    if faces := situation.incident.flat(situation.dice):
        yield _("the dice show %(faces)s") % {"faces": ", ".join(map(str, faces))}
    elif situation.incident.moving():
        yield _("what the dice show cannot be read yet")


def _chance(scene: Scene) -> Iterator[str]:
    chance = scene.marks_after.get("chance")
    if chance in field_names():
        yield _("Winning chance: %(chance)s.") % {"chance": field_names()[chance].lower()}
