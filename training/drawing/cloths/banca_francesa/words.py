"""The table of banca francesa in words: what is printed on the cloth, and the list for a screen reader."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from rules_engine import spots
from rules_engine.games.banca_francesa import GAME
from training.drawing import words
from training.drawing.scene import Scene


def field_names() -> dict[str, str]:
    """What is printed in the fields."""
    return {
        "aces": pgettext("banca francesa", "Aces"),
        "small": pgettext("banca francesa", "Small"),
        "big": pgettext("banca francesa", "Big"),
    }


def staff_names() -> tuple[str, str, str]:
    """Who sits at the end of the table, from the left."""
    return (
        pgettext("banca francesa", "Inspector"),
        pgettext("banca francesa", "Thrower"),
        pgettext("banca francesa", "Dealer"),
    )


def spot_name(key: str, language: str) -> str:
    return spots.spot_name(key, GAME.books[0], language)


def lying(scene: Scene) -> Sequence[Any]:
    """The chips on the cloth: those not collected yet, or all of them where it is shown how each ends."""
    situation = scene.situation
    left: Sequence[Any] = situation.incident.left_lying(situation) if scene.after is None else situation.bets
    return left


def told(scene: Scene, results: Mapping[tuple[str, str], int], seats: int) -> list[str]:
    """The dice, then everybody with their chips, and how each bet ends where that is known."""
    situation = scene.situation
    return [
        words.joined(list(_table(scene))),
        *(words.joined(list(_place(scene, place, results))) for place in words.places(situation)),
        *words.empty_seats(situation.seats, max([seats, *situation.seats])),
        *_chance(scene),
    ]


def _table(scene: Scene) -> Iterator[str]:
    situation = scene.situation
    yield _("Minimum %(sum)s") % {"sum": scene.money(situation.minimum)}
    if faces := situation.incident.flat(situation.dice):
        yield _("the dice show %(faces)s") % {"faces": ", ".join(map(str, faces))}
    elif situation.incident.moving():
        yield _("what the dice show cannot be read yet")


def _place(scene: Scene, place: str, results: Mapping[tuple[str, str], int]) -> Iterator[str]:
    seat = {"place": place, "seat": place[0]}
    yield _("Seat %(seat)s") % seat if place.isdigit() else _("Standing %(place)s, behind seat %(seat)s") % seat
    mine = [bet for bet in lying(scene) if bet.player == place]
    for bet in mine:
        yield _bet(scene, bet) + _result(scene, results.get((place, bet.spot)))
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
    text = _(", wins %(sum)s") if result > 0 else _(", %(sum)s collected")
    return text % {"sum": scene.money(abs(result))}


def _chance(scene: Scene) -> Iterator[str]:
    chance = scene.marks_after.get("chance")
    if chance in field_names():
        yield _("Winning chance: %(chance)s.") % {"chance": field_names()[chance].lower()}
