"""The chemin de fer table as the croupier sees it: everything on it, each with its place in the drawing."""

from collections.abc import Collection

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from rules_engine.chemin_de_fer.table import SEATS, Situation
from rules_engine.ruling import After
from rules_engine.words import money
from training.drawing import words
from training.drawing.cards import APART, CARD, HAND_WIDE, arrange, lying
from training.drawing.chips import written
from training.drawing.geometry import CLOTH, STAKE, Box, chips_at, line_arc, stake_spot, standing_spot, view_box
from training.drawing.parts import Mark, Pile, TableView

HAND_Y, SPARE_Y, BANK_Y = -66, 42, 150
# What may come to lie in the middle by the end of the coup: stakes keep clear of it from the start, so that nothing
# moves aside when the table changes.
MIDDLE = [
    Box(-APART - HAND_WIDE, HAND_Y, APART + HAND_WIDE, HAND_Y + CARD[1]),
    Box(-84, HAND_Y - 24, 84, HAND_Y),
    Box(-84, SPARE_Y - 24, 84, SPARE_Y + CARD[1]),
]
SHOE = (72, 48)


def chemin_de_fer_view(
    situation: Situation, *, currency: str, language: str, after: After | None, lit: Collection[str]
) -> TableView:
    shoe = _shoe(situation.banker)
    bank = _bank(situation.bank, currency, language, lit) if situation.bank else None
    heaps = lying(situation, after)
    names = {"ponto": _("Ponto"), "banker": _("Banker")}
    return TableView(
        game=situation.game,
        view_box=view_box(situation.standing),
        cloth=CLOTH,
        seats=[_seat(situation, number, lit) for number in range(1, SEATS + 1)],
        standing=[_mark(situation, place, standing_spot(place), lit) for place in situation.standing],
        stakes=_stakes(situation, [shoe, *([_bank_box(bank)] if bank else [])], lit),
        shoe=(shoe.left, shoe.top),
        bank=bank,
        garage=money(situation.garage, currency, language) if situation.garage else "",
        heaps=arrange(heaps, hand_y=HAND_Y, spare_y=SPARE_Y, spare_wide=HAND_WIDE, lit=lit, labels=names),
        words=[
            *_bank_words(situation, currency, language),
            *(_place_words(situation, place, currency, language) for place in words.places(situation)),
            *words.empty_seats(situation, SEATS),
            *words.cards(heaps, banker=_("Banker's cards: %(cards)s.")),
        ],
    )


def _seat(situation: Situation, number: int, lit: Collection[str]) -> Mark:
    place = str(number)
    point = CLOTH.around(CLOTH.angle(place))
    return _mark(situation, place, point, lit, taken=number in situation.seats, line=line_arc(place))


def _mark(
    situation: Situation,
    place: str,
    point: tuple[int, int],
    lit: Collection[str],
    *,
    taken: bool = True,
    line: str = "",
) -> Mark:
    return Mark(
        place=place,
        x=point[0],
        y=point[1],
        taken=taken,
        banker=place == situation.banker,
        holder=place == situation.holder,
        lit=place in lit,
        line=line,
    )


def _shoe(banker: str) -> Box:
    """Before the banker's seat, where no stake can lie, for he does not stake against himself."""
    x, y = CLOTH.around(CLOTH.angle(banker), STAKE)
    return Box(x - SHOE[0] // 2, y - SHOE[1] // 2, x + SHOE[0] // 2, y + SHOE[1] // 2)


def _bank(amount: int, currency: str, language: str, lit: Collection[str]) -> Pile:
    """The capital in play lies in front of the croupier."""
    chips = chips_at(0, BANK_Y, amount, rows=1).chips
    total = _("Bank %(sum)s") % {"sum": money(amount, currency, language)}
    return Pile("bank", 0, chips, total, BANK_Y + 36, lit="bank" in lit)


def _bank_box(bank: Pile) -> Box:
    half = max(max((abs(chip.x) for chip in bank.chips), default=0) + 18, 6 * len(bank.total))
    return Box(-half, BANK_Y - 22, half, bank.total_y + 4)


def _stakes(situation: Situation, furniture: list[Box], lit: Collection[str]) -> list[Pile]:
    """The seated first: their chips have a fixed place, and those of the standing find room beside them."""
    taken = [*CLOTH.seat_boxes(), *MIDDLE, *furniture]
    piles = []
    for stake in sorted(situation.stakes, key=lambda stake: (not stake.player.isdigit(), stake.player)):
        spot = stake_spot(stake.player, stake.amount, line=stake.line, taken=taken)
        taken.append(spot.box)
        piles.append(
            Pile(
                place=stake.player,
                x=spot.x,
                chips=spot.chips,
                total=written(stake.amount),
                total_y=spot.total_y,
                owner="" if stake.player.isdigit() else stake.player,
                lit=stake.player in lit,
            )
        )
    return piles


def _bank_words(situation: Situation, currency: str, language: str) -> list[str]:
    facts = []
    if situation.bank:
        facts.append(_("Bank: %(sum)s") % {"sum": money(situation.bank, currency, language)})
    if situation.garage:
        facts.append(_("in the garage %(sum)s") % {"sum": money(situation.garage, currency, language)})
    if situation.wins:
        facts.append(
            ngettext("%(count)d coup won by this banker", "%(count)d coups won by this banker", situation.wins)
            % {"count": situation.wins}
        )
    return [words.joined(facts)] if facts else []


def _place_words(situation: Situation, place: str, currency: str, language: str) -> str:
    facts = [place_name(place)]
    if place == situation.banker:
        facts.append(_("holds the bank and the shoe"))
    if place == situation.holder:
        facts.append(_("holds the ponto's cards"))
    for stake in situation.stakes:
        if stake.player == place:
            text = _("staked %(sum)s on the line") if stake.line else _("staked %(sum)s")
            facts.append(text % {"sum": money(stake.amount, currency, language)})
    if len(facts) == 1:
        facts.append(_("no stake"))
    return words.joined(facts)


def place_name(place: str) -> str:
    if place.isdigit():
        return _("Seat %(seat)s") % {"seat": place}
    return _("Standing %(place)s, behind and to the right of seat %(seat)s") % {"place": place, "seat": place[0]}
