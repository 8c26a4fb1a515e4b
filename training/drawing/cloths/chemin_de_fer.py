"""The chemin de fer table as the croupier sees it: everything on it, each with its place in the drawing."""

from collections.abc import Collection, Sequence
from typing import NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from rules_engine.games.chemin_de_fer.table import SEATS, Situation
from training.drawing import words
from training.drawing.chips import lay, stacks, written
from training.drawing.cloths import baccarat
from training.drawing.cloths.baccarat import APART, HAND_WIDE, SHOE_HIGH, SHOE_WIDE, Lying
from training.drawing.drawing import Drawing, Sheet
from training.drawing.geometry import Box, Oval
from training.drawing.primitives import CARD_HIGH, Chip, Label, Part, Path, Person, Pile
from training.drawing.scene import Scene

CLOTH = Oval(320, 232)
LINE, STAKE = 0.79, 0.63  # how far out from the middle, as a part of the cloth
BEHIND, ROW_BEHIND, IN_ROW = 46, 36, 3  # standing players: distance behind the rim, between rows, players in a row
TOP_LIFT = 20  # two rows of chips at the far side of the table move out, so that their total is clear of the hands
# Where the chips of somebody who stands may lie: part of the way to the next seat, and how far out. The first that
# touches nothing is taken.
STANDING_STAKES = [
    (share / 100, out / 100)
    for out in (82, 76, 70, 64, 58, 88, 52, 46)
    for share in (50, 42, 58, 34, 66, 26, 74, 18, 82)
]
HAND_Y, SPARE_Y, BANK_Y, GARAGE_Y = -66, 42, 150, 209
# What may come to lie in the middle by the end of the coup: stakes keep clear of it from the start, so that nothing
# moves aside when the table changes.
MIDDLE = [
    Box(-APART - HAND_WIDE, HAND_Y, APART + HAND_WIDE, HAND_Y + CARD_HIGH),
    Box(-84, HAND_Y - 24, 84, HAND_Y),
    Box(-84, SPARE_Y - 24, 84, SPARE_Y + CARD_HIGH),
]


def chemin_de_fer(scene: Scene) -> Drawing:
    situation: Situation = scene.situation
    box = _shoe(situation)
    bank = [_bank(scene)] if situation.bank else []
    heaps = _with_dealt_hand(scene, baccarat.lying(scene))
    names = {"ponto": _("Ponto"), "banker": _("Banker")}
    furniture = [box, *map(_bank_box, bank)]
    layers: dict[str, Sequence[Part]] = {
        "cloth": [*baccarat.oval(CLOTH), *(Path("line", line_arc(str(seat))) for seat in range(1, SEATS + 1))],
        "people": [*baccarat.croupier(CLOTH), *_people(scene)],
        "cards": [
            baccarat.shoe(box.left, box.top),
            *baccarat.arrange(heaps, hand_y=HAND_Y, spare_y=SPARE_Y, spare_wide=HAND_WIDE, lit=scene.lit, labels=names),
        ],
        "chips": [*_stakes(situation, furniture, scene.lit), *bank],
        "labels": _garage(scene),
    }
    told = [
        *_bank_words(scene),
        *(_place_words(scene, place) for place in words.places(situation)),
        *words.empty_seats(situation.seats, SEATS),
        *baccarat.card_words(heaps, banker=_("Banker's cards: %(cards)s.")),
    ]
    return Drawing(situation.game, [Sheet(view_box(situation.standing), layers)], told)


def _has_hand(situation: Situation, place: str) -> bool:
    return situation.in_play and place == situation.banker


def _with_dealt_hand(scene: Scene, heaps: list[Lying]) -> list[Lying]:
    """A ponto who has his two cards plays against two: those of the banker that no fact names lie face down, and cannot
    be pointed at."""
    dealt = scene.after is None and len(scene.situation.ponto) > 1 and not scene.situation.banker_cards
    covered = Lying("banker", [("", ""), ("", "")])
    return [covered if dealt and heap.name == "banker" else heap for heap in heaps]


# ---------- people ----------


def _people(scene: Scene) -> list[Person]:
    situation = scene.situation
    seats = [
        _person(scene, str(seat), CLOTH.around(CLOTH.angle(str(seat))), taken=seat in situation.seats)
        for seat in range(1, SEATS + 1)
    ]
    return seats + [_person(scene, place, standing_spot(place)) for place in situation.standing]


def _person(scene: Scene, place: str, point: tuple[int, int], *, taken: bool = True) -> Person:
    """The banker is ringed, and whoever holds the ponto's cards shows them."""
    return Person(
        place=place,
        x=point[0],
        y=point[1],
        taken=taken,
        lit=place in scene.lit,
        ring=_has_hand(scene.situation, place),
        cards=place == scene.situation.holder,
    )


def standing_spot(place: str) -> tuple[int, int]:
    """Behind the seat and to its right, in order of arrival; past three they form another row."""
    row, column = divmod(ord(place[1]) - ord("a"), IN_ROW)
    return CLOTH.around(CLOTH.angle(place) + 9 + 8 * column, behind=BEHIND + ROW_BEHIND * row)


def line_arc(place: str) -> str:
    """The line in front of a seat, as an SVG path along the oval."""
    middle = CLOTH.angle(place)
    (x1, y1), (x2, y2) = CLOTH.around(middle - 9, LINE), CLOTH.around(middle + 9, LINE)
    return f"M{x1} {y1}A{round(CLOTH.width * LINE)} {round(CLOTH.height * LINE)} 0 0 0 {x2} {y2}"


def view_box(standing: Collection[str]) -> str:
    """The window on the drawing, wider when players stand in a second row."""
    rows = max(((ord(place[1]) - ord("a")) // IN_ROW for place in standing), default=0)
    return CLOTH.window(rows * ROW_BEHIND)


# ---------- chips ----------


class Spot(NamedTuple):
    """Chips at a point, and the height at which their total is written."""

    x: int
    chips: list[Chip]
    total_y: int
    box: Box


def _shoe(situation: Situation) -> Box:
    """Before the banker's seat, where no stake can lie, for he does not stake against himself; before the first hand,
    with the croupier."""
    x, y = CLOTH.around(CLOTH.angle(situation.banker), STAKE) if situation.in_play else (0, BANK_Y)
    return Box(x - SHOE_WIDE // 2, y - SHOE_HIGH // 2, x + SHOE_WIDE // 2, y + SHOE_HIGH // 2)


def _bank(scene: Scene) -> Pile:
    """The capital in play lies in front of the croupier."""
    amount = scene.situation.bank
    chips = _chips_at(0, BANK_Y, amount, rows=1).chips
    total = _("Bank %(sum)s") % {"sum": scene.money(amount)}
    return Pile("bank", 0, chips, total, BANK_Y + 36, lit="bank" in scene.lit)


def _bank_box(bank: Pile) -> Box:
    half = max(max((abs(chip.x) for chip in bank.chips), default=0) + 18, 6 * len(bank.total))
    return Box(-half, BANK_Y - 22, half, bank.total_y + 4)


def _garage(scene: Scene) -> list[Part]:
    if not scene.situation.garage:
        return []
    return [Label("garage", 0, GARAGE_Y, _("Garage %(sum)s") % {"sum": scene.money(scene.situation.garage)})]


def _stakes(situation: Situation, furniture: list[Box], lit: Collection[str]) -> list[Pile]:
    """The seated first: their chips have a fixed place, and those of the standing find room beside them."""
    taken = [*CLOTH.seat_boxes(), *MIDDLE, *furniture]
    piles = []
    for stake in sorted(situation.stakes, key=lambda stake: (not stake.player.isdigit(), stake.player)):
        spot = _stake_spot(stake.player, stake.amount, line=stake.line, taken=taken)
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


def _stake_spot(place: str, amount: int, *, line: bool, taken: Sequence[Box]) -> Spot:
    """Where the chips of a place lie: before its seat, or between two seats, clear of what lies there already."""
    if place.isdigit():
        x, y = CLOTH.around(CLOTH.angle(place), LINE if line else STAKE)
        two_rows = not line and len(stacks(amount)) > 2
        return _chips_at(x, y - TOP_LIFT if two_rows and y < -60 else y, amount, rows=1 if line else 2)
    angle = CLOTH.angle(place)
    touching = []
    for share, out in STANDING_STAKES:
        for rows in (2, 1):
            spot = _chips_at(*CLOTH.around(angle + CLOTH.step * share, out), amount, rows=rows, owner=place)
            covered = sum(spot.box.shared(other) for other in taken)
            if not covered:
                return spot
            touching.append((covered, spot))
    return min(touching, key=lambda found: found[0])[1]


def _chips_at(x: int, y: int, amount: int, *, rows: int = 2, owner: str = "") -> Spot:
    """Chips centred on a point, their total on the side of the middle of the table."""
    chips = lay(amount, x, y, rows=rows)
    top = min((chip.y for chip in chips), default=y) - 15
    bottom = max((chip.y for chip in chips), default=y) + 15
    total_y = top - 6 if y > 60 else bottom + 19
    half = max(6 * (len(written(amount)) + len(owner)), max((abs(chip.x - x) for chip in chips), default=0) + 18)
    return Spot(x, chips, total_y, Box(x - half, min(top, total_y - 16), x + half, max(bottom, total_y + 3)))


# ---------- in words ----------


def _bank_words(scene: Scene) -> list[str]:
    situation, facts = scene.situation, []
    if situation.bank:
        facts.append(_("Bank: %(sum)s") % {"sum": scene.money(situation.bank)})
    if situation.garage:
        facts.append(_("in the garage %(sum)s") % {"sum": scene.money(situation.garage)})
    if situation.wins:
        facts.append(
            ngettext("%(count)d coup won by this banker", "%(count)d coups won by this banker", situation.wins)
            % {"count": situation.wins}
        )
    return [words.joined(facts)] if facts else []


def _place_words(scene: Scene, place: str) -> str:
    situation, facts = scene.situation, [place_name(place)]
    if _has_hand(situation, place):
        facts.append(_("holds the bank and the shoe"))
    if place == situation.holder:
        facts.append(_("holds the ponto's cards") if situation.ponto else _("plays the ponto's cards"))
    for stake in situation.stakes:
        if stake.player == place:
            text = _("staked %(sum)s on the line") if stake.line else _("staked %(sum)s")
            facts.append(text % {"sum": scene.money(stake.amount)})
    if len(facts) == 1:
        facts.append(_("no stake"))
    return words.joined(facts)


def place_name(place: str) -> str:
    if place.isdigit():
        return _("Seat %(seat)s") % {"seat": place}
    return _("Standing %(place)s, behind and to the right of seat %(seat)s") % {"place": place, "seat": place[0]}
