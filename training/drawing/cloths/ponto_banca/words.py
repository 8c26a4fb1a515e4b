"""The ponto e banca table in words: the print on the cloth and the list for screen readers."""

from collections.abc import Collection, Mapping, Sequence

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from rules_engine import Rulebook
from training.drawing import disputed, words
from training.drawing.cloths.baccarat import cloth as baccarat
from training.drawing.scene import Scene

PAIRS = {"ponto_pair", "banker_pair"}
Bets = Mapping[tuple[str, str], int]  # by player and chance
Results = Mapping[tuple[str, str], int]


def field_names() -> dict[str, str]:
    """The print on the fields of the cloth."""
    return {
        "ponto": pgettext("field", "Ponto"),
        "banker": pgettext("field", "Bank"),
        "tie": pgettext("field", "Tie"),
        "ponto_pair": pgettext("field", "Ponto pair"),
        "banker_pair": pgettext("field", "Bank pair"),
    }


def odds(book: Rulebook) -> list[str]:
    """What the rulebook pays, as printed on the cloth: for tie and pairs or, without pairs, for every chance."""
    pays, names, less = book.param("payouts"), field_names(), book.number("deduction_percent")
    price = {chance: f"{names[chance]} {to}–1" for chance, to in pays.items()}
    if pays.keys() >= PAIRS:
        return [price["tie"], _("Pairs %(odds)s") % {"odds": f"{pays['ponto_pair']}–1"}]
    after = _("less %(percent)s%%") % {"percent": less}
    return [price["tie"], price["ponto"], f"{price['banker']} {after}"]


def told(scene: Scene, seats: int, bets: Bets, results: Results, heaps: Collection[baccarat.Lying]) -> list[str]:
    situation = scene.situation
    return [
        *_limits(scene),
        *(_place(scene, place, bets, results) for place in words.places(situation)),
        *words.empty_seats(situation.seats, seats),
        *baccarat.card_words(heaps, banker=_("The bank's cards: %(cards)s.")),
        *disputed.told(scene),
    ]


def _limits(scene: Scene) -> list[str]:
    situation = scene.situation
    facts = [_("One board of a double table") if situation.table == "double" else _("Single table")]
    if situation.minimum:
        facts.append(_("minimum %(sum)s") % {"sum": scene.money(situation.minimum)})
    if situation.max_gap:
        largest = _("largest difference between ponto and bank %(sum)s")
        facts.append(largest % {"sum": scene.money(situation.max_gap)})
    return [words.joined(facts)]


def _place(scene: Scene, place: str, bets: Bets, results: Results) -> str:
    seat = {"place": place, "seat": place[0]}
    facts = [_("Seat %(seat)s") % seat if place.isdigit() else _("Standing %(place)s, beside seat %(seat)s") % seat]
    texts = {
        "ponto": _("%(sum)s on ponto"),
        "banker": _("%(sum)s on the bank"),
        "tie": _("%(sum)s on the tie"),
        "ponto_pair": _("%(sum)s on the ponto's pair"),
        "banker_pair": _("%(sum)s on the bank's pair"),
    }
    facts += [
        texts[chance] % {"sum": scene.money(amount)} + words.result(scene, results.get((player, chance), 0))
        for (player, chance), amount in bets.items()
        if player == place
    ]
    facts += words.offered(scene, place)
    if len(facts) == 1:
        facts.append(_("no bet"))
    return words.joined(facts)


def names_of(chances: Sequence[str]) -> dict[str, str]:
    return {chance: field_names()[chance] for chance in chances}
