"""The black jack table in words."""

from collections.abc import Mapping, Sequence
from fractions import Fraction

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from rules_engine.games.black_jack import GAME
from rules_engine.games.black_jack.table import BANK, LETTERS, Bet, Situation, parsed
from training.drawing import words
from training.drawing.scene import Scene


def insurance_name() -> str:
    return pgettext("cloth", "INSURANCE")


def insurance_print(scene: Scene) -> str:
    """The print along the insurance line; while questions are open it does not say what insurance pays."""
    if scene.asking:
        return insurance_name()
    return f"{insurance_name()} {GAME.books[0].param('payouts')['insurance']}–1"


def black_jack_print(scene: Scene) -> str:
    """The print above the bank's cards; while questions are open it does not say what a black jack pays."""
    if scene.asking:
        return "BLACK JACK"
    pays, to = Fraction(GAME.books[0].param("payouts")["black_jack"]).as_integer_ratio()
    return f"BLACK JACK {pays}–{to}"


def told(scene: Scene, heaps: Mapping[str, Sequence[tuple[str, str, str]]]) -> list[str]:
    """The limits, every seat with its bets and cards, then the bank and the other heaps."""
    situation: Situation = scene.situation
    cards = {name: words.cards([card for _ref, card, _was in lying]) for name, lying in heaps.items()}
    minimum = _("minimum %(sum)s") % {"sum": scene.money(situation.minimum)}
    seats = _("Table with %(count)s seats") % {"count": situation.places}
    found = [words.joined([seats, minimum])]
    hands = {parsed(name)[0] for name in cards if name.startswith("seat")}
    used = {*situation.seats, *hands, *(bet.seat for bet in situation.bets)}
    found += [_seat_words(scene, seat, cards) for seat in sorted(used)]
    found += [words.joined([words.place_name(place)]) for place in situation.standing]
    found += words.empty_seats(situation.seats, situation.places)
    return found + _elsewhere(scene, cards)


def _seat_words(scene: Scene, seat: int, cards: Mapping[str, str]) -> str:
    situation: Situation = scene.situation
    facts = [_("Seat %(seat)s") % {"seat": seat}]
    if seat not in situation.seats:
        facts.append(_("nobody sits there"))
    bets = [bet for bet in situation.bets if bet.seat == seat]
    facts += [_bet_words(scene, bet) for bet in bets] or [_("no bet")]
    facts += words.offered(scene, str(seat))
    names = [f"seat{seat}{letter}" for letter in LETTERS if f"seat{seat}{letter}" in cards]
    for number, name in enumerate(names, start=1):
        text = _("hand %(number)s: %(cards)s") if len(names) > 1 else _("cards: %(cards)s")
        facts.append(text % {"number": number, "cards": cards[name]})
        hand = situation.names().get(name)
        facts += [_("doubled")] if hand is not None and hand.doubled else []
    return words.joined(facts)


def _bet_words(scene: Scene, bet: Bet) -> str:
    hidden = scene.after is None and scene.situation.incident.asks_hand(bet)
    split = scene.situation.is_split(bet.seat) and not hidden
    text = _("bet of seat %(player)s on hand %(hand)s: %(sum)s") if split else _("bet of seat %(player)s: %(sum)s")
    told = text % {"player": bet.player, "hand": bet.hand, "sum": scene.money(bet.amount)}
    if not bet.insurance:
        return told
    return _("%(bet)s, insured with %(sum)s") % {"bet": told, "sum": scene.money(bet.insurance)}


def _elsewhere(scene: Scene, cards: Mapping[str, str]) -> list[str]:
    texts = {
        BANK: _("The bank's cards: %(cards)s."),
        "loose": _("Out of the shoe, not dealt to anybody yet: %(cards)s."),
        "next": _("Next in the shoe: %(cards)s."),
        "discard": _("In the discard corner: %(cards)s."),
    }
    found = [text % {"cards": cards[name]} for name, text in texts.items() if name in cards]
    if scene.after is None and "warning_card" in scene.situation.incident.marks():
        found.append(_("The warning card is out of the shoe."))
    return found
