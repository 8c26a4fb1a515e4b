"""The table in words: what the drawings of all games share, as a list that a screen reader can walk."""

from collections.abc import Collection, Iterable
from itertools import groupby

from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from rules_engine.equipment.places import Seated
from rules_engine.situation import kind_of
from training.drawing.scene import Scene


def card_name(card: str) -> str:
    """A card as it is said: ace of spades, 7 of hearts."""
    ranks = {"A": _("ace"), "T": "10", "J": _("jack"), "Q": _("queen"), "K": _("king")}
    suits = {"s": _("spades"), "h": _("hearts"), "d": _("diamonds"), "c": _("clubs")}
    return _("%(rank)s of %(suit)s") % {"rank": ranks.get(card[0], card[0]), "suit": suits[card[1]]}


def cards(lying: Iterable[str]) -> str:
    """Cards one after the other; those without a value lie face down, several of them together."""
    names: list[str] = []
    for shown, row in groupby(lying, key=bool):
        group = list(row)
        names += map(card_name, group) if shown else [_face_down(len(group))]
    return ", ".join(names) or pgettext("cards", "none")


def _face_down(count: int) -> str:
    return _("one face down") if count == 1 else _("%(count)s face down") % {"count": count}


def places(situation: Seated) -> list[str]:
    """Every place that is taken, seat by seat, each followed by those who stand there."""
    return sorted([*map(str, situation.seats), *situation.standing])


def empty_seats(taken: Collection[int], seats: int) -> list[str]:
    free = [str(seat) for seat in range(1, seats + 1) if seat not in taken]
    if not free:
        return []
    return [ngettext("Empty seat: %(seats)s.", "Empty seats: %(seats)s.", len(free)) % {"seats": ", ".join(free)}]


def joined(facts: list[str]) -> str:
    return "; ".join(facts) + "."


OFFERED = ("bet_offered", "bet_read", "bet_asked", "bet_placed", "double_wanted", "insurance_placed", "split_wanted")


def offered(scene: Scene, place: str) -> list[str]:
    """What somebody puts down in the story, and the ruling has still to take or to refuse."""
    incident = scene.situation.incident
    kind, by = kind_of(incident), getattr(incident, "player", str(getattr(incident, "seat", "")))
    puts = kind in OFFERED or (kind == "late_bet" and getattr(incident, "wish", "place") == "place")
    if scene.after is not None or not puts or by != place:
        return []
    if not hasattr(incident, "count"):
        return [_("puts down %(sum)s") % {"sum": scene.money(incident.amount)}]
    text = ngettext("puts down %(count)d chip of %(sum)s", "puts down %(count)d chips of %(sum)s", incident.count)
    return [text % {"count": incident.count, "sum": scene.money(incident.value)}]


def result(scene: Scene, amount: int) -> str:
    """How a bet ended, said after it; nothing where it did not."""
    if not amount:
        return ""
    text = _(", wins %(sum)s") if amount > 0 else _(", %(sum)s collected")
    return text % {"sum": scene.money(abs(amount))}
