"""The table in words, as a list for screen readers: what all games share."""

from collections.abc import Callable, Collection, Iterable, Iterator
from itertools import groupby
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from rules_engine.equipment.places import Seated
from rules_engine.rulebook import Rulebook
from rules_engine.situation import kind_of
from rules_engine.spots import spot_name
from training.drawing.scene import Scene


def card_name(card: str) -> str:
    """The spoken name of a card: ace of spades, 7 of hearts."""
    ranks = {"A": _("ace"), "T": "10", "J": _("jack"), "Q": _("queen"), "K": _("king")}
    suits = {"s": _("spades"), "h": _("hearts"), "d": _("diamonds"), "c": _("clubs")}
    return _("%(rank)s of %(suit)s") % {"rank": ranks.get(card[0], card[0]), "suit": suits[card[1]]}


def cards(lying: Iterable[str]) -> str:
    """Name cards in order. Cards without a value lie face down; neighbours of these are counted together."""
    names: list[str] = []
    for shown, row in groupby(lying, key=bool):
        group = list(row)
        names += map(card_name, group) if shown else [_face_down(len(group))]
    return ", ".join(names) or pgettext("cards", "none")


def _face_down(count: int) -> str:
    return _("one face down") if count == 1 else _("%(count)s face down") % {"count": count}


def places(situation: Seated) -> list[str]:
    """Every taken place: seat by seat, each followed by the people standing there."""
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
    """The chips this player puts down that the ruling has yet to accept or refuse."""
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
    """How a bet ended, to be said after it; empty while it is open."""
    if not amount:
        return ""
    text = _(", wins %(sum)s") if amount > 0 else _(", %(sum)s collected")
    return text % {"sum": scene.money(abs(amount))}


# ---------- betting layouts ----------


def place_name(place: str) -> str:
    values = {"place": place, "seat": place[0]}
    return _("Seat %(seat)s") % values if place.isdigit() else _("Standing %(place)s, behind seat %(seat)s") % values


def won_or_collected(scene: Scene, amount: int) -> str:
    """How a bet ended where a lost bet is always collected whole; empty while it is open."""
    return result(scene, amount) if amount >= 0 else _(", collected")


def players(
    scene: Scene,
    book: Rulebook,
    bets: Iterable[tuple[Any, int]],
    seats: int,
    *,
    ended: Callable[[Scene, int], str] = won_or_collected,
    chips: Callable[[Scene, str], Iterable[str]] = lambda _scene, _place: (),
) -> list[str]:
    """A sentence for every player with their bets, then the empty seats.

    `bets` pairs each bet on the layout with what it earned or lost, 0 while it is open. `chips` says which chips a
    player has.
    """
    found = list(bets)
    situation = scene.situation

    def facts(place: str) -> Iterator[str]:
        yield place_name(place)
        yield from chips(scene, place)
        mine = [_bet(scene, bet, book) + ended(scene, amount) for bet, amount in found if bet.player == place]
        yield from mine or [_("no bet")]
        yield from offered(scene, place)

    sentences = [joined(list(facts(place))) for place in places(situation)]
    return [*sentences, *empty_seats(situation.seats, scene.seats(seats))]


def _bet(scene: Scene, bet: Any, book: Rulebook) -> str:
    values = {"count": bet.count, "sum": scene.money(bet.value), "spot": spot_name(bet.spot, book, scene.language)}
    text = ngettext("%(count)d chip of %(sum)s on %(spot)s", "%(count)d chips of %(sum)s on %(spot)s", bet.count)
    return text % values
