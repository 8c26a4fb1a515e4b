"""The chemin de fer table in words."""

from collections.abc import Collection

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from rules_engine.games.chemin_de_fer.table import SEATS
from training.drawing import words
from training.drawing.cloths.baccarat import cloth as baccarat
from training.drawing.cloths.chemin_de_fer.ending import Offer, Standing
from training.drawing.scene import Scene


def told(scene: Scene, state: Standing, heaps: Collection[baccarat.Lying]) -> list[str]:
    """The bank, every player with their chips, then the cards."""
    places = sorted([*map(str, state.seats), *state.standing])
    return [
        *_bank_words(scene, state),
        *(_place_words(scene, state, place) for place in places),
        *(_between(scene, offer) for offer in state.offers if offer.beside),
        *words.empty_seats(state.seats, SEATS),
        *baccarat.card_words(heaps, banker=_("Banker's cards: %(cards)s.")),
    ]


def _bank_words(scene: Scene, state: Standing) -> list[str]:
    facts, wins = [], scene.situation.wins
    if state.bank:
        facts.append(_("Bank: %(sum)s") % {"sum": scene.money(state.bank)})
    if state.garage:
        facts.append(_("in the garage %(sum)s") % {"sum": scene.money(state.garage)})
    if wins:
        facts.append(
            ngettext("%(count)d coup won by this banker", "%(count)d coups won by this banker", wins) % {"count": wins}
        )
    return [words.joined(facts)] if facts else []


def _place_words(scene: Scene, state: Standing, place: str) -> str:
    situation, facts = scene.situation, [place_name(place)]
    if place == state.banker:
        facts.append(_("holds the bank and the shoe"))
    if place == state.holder:
        facts.append(_("holds the ponto's cards") if situation.ponto else _("plays the ponto's cards"))
    result = words.result(scene, scene.results.get(place, 0))
    for stake in situation.stakes:
        if stake.player == place:
            text = _("staked %(sum)s on the line") if stake.line else _("staked %(sum)s")
            facts.append(text % {"sum": scene.money(stake.amount)} + result)
    facts += [_offer(scene, offer) for offer in state.offers if offer.player == place and not offer.beside]
    if len(facts) == 1:
        facts.append(_("no stake"))
    return words.joined(facts)


def _between(scene: Scene, offer: Offer) -> str:
    """Chips that lie between two places."""
    places = {"one": offer.player, "other": offer.beside}
    where = (
        _("Between places %(one)s and %(other)s, on the line")
        if offer.line
        else _("Between places %(one)s and %(other)s")
    )
    return words.joined([where % places, _offer(scene, offer)])


def _offer(scene: Scene, offer: Offer) -> str:
    if offer.plays is None:
        return _("chips to be ruled on: %(sum)s") % {"sum": scene.money(offer.amount)}
    values = {"sum": scene.money(offer.amount), "plays": scene.money(offer.plays)}
    return _("of %(sum)s put down, %(plays)s plays") % values if offer.plays else _("%(sum)s given back") % values


def place_name(place: str) -> str:
    if place.isdigit():
        return _("Seat %(seat)s") % {"seat": place}
    return _("Standing %(place)s, behind and to the right of seat %(seat)s") % {"place": place, "seat": place[0]}
