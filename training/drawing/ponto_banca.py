"""The ponto e banca board as the croupier sees it.

Before every seat lie two fields, the outer one for ponto and the inner one for the bank; the tie and the pairs have
theirs in the middle of the cloth, above the cards.
"""

from collections import defaultdict
from collections.abc import Collection

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from rules_engine.ponto_banca.table import Situation
from rules_engine.ruling import After
from rules_engine.words import money
from training.drawing import words
from training.drawing.cards import arrange, lying
from training.drawing.chips import lay, written
from training.drawing.geometry import ROW_BEHIND, Box, Oval
from training.drawing.parts import Field, Mark, Pile, TableView

WIDTH, HEIGHT, FIRST = 390, 280, -22.0
LEAST_SEATS = 7  # what every text sets at a single table
RINGS = {"ponto": Oval(304, 212), "banker": Oval(216, 137)}
EDGES = [(352, 248), (262, 176)]  # the printed ovals at their outer edges
# The fields of the middle: left edge and width.
MIDDLE = {"ponto_pair": (-154, 88), "tie": (-60, 120), "banker_pair": (66, 88)}
MIDDLE_TOP, MIDDLE_HIGH = -66, 84
HAND_Y, SPARE_Y, SPARE_WIDE = 50, 160, 220
SHOE = (146, 178)
RIM_ROOM = -36  # nobody stands behind a seat here, so the window is drawn closer to the rim
GAPS = (0.5, 0.42, 0.58, 0.34, 0.66)  # where in the gap the chips of somebody standing may lie
Bets = dict[tuple[str, str], int]


def ponto_banca_view(
    situation: Situation, *, currency: str, language: str, after: After | None, lit: Collection[str]
) -> TableView:
    cloth = Oval(WIDTH, HEIGHT, _seats(situation), FIRST)
    bets = _bets(situation)
    rings, fields = _ring_piles(cloth, bets, lit)
    heaps = lying(situation, after)
    names = {side: field_names()[side] for side in RINGS}
    return TableView(
        game=situation.game,
        view_box=cloth.window(RIM_ROOM + ROW_BEHIND * _rows(situation.standing)),
        cloth=cloth,
        seats=[_seat(cloth, number, situation, lit) for number in range(1, cloth.places + 1)],
        standing=[_standing(cloth, place, lit) for place in situation.standing],
        stakes=[*rings, *_middle_piles(bets, lit)],
        shoe=SHOE,
        heaps=arrange(heaps, hand_y=HAND_Y, spare_y=SPARE_Y, spare_wide=SPARE_WIDE, lit=lit, labels=names),
        rings=EDGES,
        fields=[*_printed(cloth), *fields],
        words=[
            *_limits(situation, currency, language),
            *(_place_words(place, bets, currency, language) for place in words.places(situation)),
            *words.empty_seats(situation, cloth.places),
            *words.cards(heaps, banker=_("The bank's cards: %(cards)s.")),
        ],
    )


def _seats(situation: Situation) -> int:
    """As many as an incident says are set; else what the texts set, and whoever sits beyond that."""
    return max(*situation.seats, int(getattr(situation.incident, "places", LEAST_SEATS)))


def _bets(situation: Situation) -> Bets:
    """What each player has on each chance, in the order of the seats."""
    found: Bets = defaultdict(int)
    for bet in sorted(situation.bets, key=lambda bet: bet.player):
        found[bet.player, bet.on] += bet.amount
    return found


def _seat(cloth: Oval, number: int, situation: Situation, lit: Collection[str]) -> Mark:
    place = str(number)
    x, y = cloth.around(cloth.angle(place))
    return Mark(place, x, y, taken=number in situation.seats, lit=place in lit)


def _standing(cloth: Oval, place: str, lit: Collection[str]) -> Mark:
    """In the gap between two seats; whoever comes later to the same gap stands behind."""
    x, y = cloth.around(_gap(cloth, place), behind=ROW_BEHIND * _row(place))
    return Mark(place, x, y, taken=True, lit=place in lit)


def _gap(cloth: Oval, place: str, share: float = 0.5) -> float:
    """Beside the seat, so far towards the next."""
    return cloth.angle(place) + cloth.step * share


def _row(place: str) -> int:
    return ord(place[1]) - ord("a")


def _rows(standing: Collection[str]) -> int:
    return max(map(_row, standing), default=0)


def _printed(cloth: Oval) -> list[Field]:
    """The name of its field before every seat, and the framed fields of the middle."""
    names = field_names()
    fields = []
    for number in range(1, cloth.places + 1):
        for chance, ring in RINGS.items():
            x, y = ring.around(cloth.angle(str(number)))
            fields.append(Field(chance, names[chance], x, y - 19))
    for chance, (left, wide) in MIDDLE.items():
        frame = (left, MIDDLE_TOP, wide, MIDDLE_HIGH)
        fields.append(Field(chance, names[chance], left + wide // 2, MIDDLE_TOP + 16, frame))
    return fields


def _ring_piles(cloth: Oval, bets: Bets, lit: Collection[str]) -> tuple[list[Pile], list[Field]]:
    """Chips on ponto and on the bank: before the seats, then, clear of them, in the gaps, which need the name too."""
    piles: list[Pile] = []
    fields: list[Field] = []
    taken: list[Box] = []
    for player, chance in sorted(bets, key=lambda bet: (not bet[0].isdigit(), bet)):
        if chance not in RINGS:
            continue
        amount, seated = bets[player, chance], player.isdigit()
        angles = [cloth.angle(player)] if seated else [_gap(cloth, player, share) for share in GAPS]
        points = [RINGS[chance].around(angle) for angle in angles]
        half = 6 * (len(written(amount)) + (0 if seated else len(player) + 1)) + 4
        boxes = [Box(x - half, y - 30, x + half, y + 36) for x, y in points]
        best = min(range(len(points)), key=lambda index: sum(boxes[index].shared(other) for other in taken))
        taken.append(boxes[best])
        x, y = points[best]
        piles.append(
            Pile(
                place=player,
                x=x,
                chips=lay(amount, x, y, rows=1, wide=96),
                total=written(amount),
                total_y=y + 34,
                owner="" if seated else player,
                chance=chance,
                lit=player in lit,
            )
        )
        if not seated:
            fields.append(Field(chance, field_names()[chance], x, y - 19))
    return piles, fields


def _middle_piles(bets: Bets, lit: Collection[str]) -> list[Pile]:
    """Chips on the tie and on the pairs: side by side in their field, each under its player."""
    piles = []
    for chance, (left, wide) in MIDDLE.items():
        players = [player for player, on in bets if on == chance]
        room = wide // max(1, len(players))
        for index, player in enumerate(players):
            x = left + room * index + room // 2
            amount = bets[player, chance]
            piles.append(
                Pile(
                    place=player,
                    x=x,
                    chips=lay(amount, x, MIDDLE_TOP + 50, rows=1, wide=room),
                    total=written(amount),
                    total_y=MIDDLE_TOP + 80,
                    owner=player,
                    owner_y=MIDDLE_TOP + 33,
                    chance=chance,
                    lit=player in lit,
                )
            )
    return piles


def field_names() -> dict[str, str]:
    """As printed on the cloth."""
    return {
        "ponto": pgettext("field", "Ponto"),
        "banker": pgettext("field", "Bank"),
        "tie": pgettext("field", "Tie"),
        "ponto_pair": pgettext("field", "Ponto pair"),
        "banker_pair": pgettext("field", "Bank pair"),
    }


def _limits(situation: Situation, currency: str, language: str) -> list[str]:
    facts = [_("One board of a double table") if situation.table == "double" else _("Single table")]
    if situation.minimum:
        facts.append(_("least bet %(sum)s") % {"sum": money(situation.minimum, currency, language)})
    if situation.max_gap:
        largest = _("largest difference between ponto and bank %(sum)s")
        facts.append(largest % {"sum": money(situation.max_gap, currency, language)})
    return [words.joined(facts)]


def _place_words(place: str, bets: Bets, currency: str, language: str) -> str:
    seat = {"place": place, "seat": place[0]}
    facts = [_("Seat %(seat)s") % seat if place.isdigit() else _("Standing %(place)s, beside seat %(seat)s") % seat]
    texts = {
        "ponto": _("%(sum)s on ponto"),
        "banker": _("%(sum)s on the bank"),
        "tie": _("%(sum)s on the tie"),
        "ponto_pair": _("%(sum)s on the ponto's pair"),
        "banker_pair": _("%(sum)s on the bank's pair"),
    }
    for (player, chance), amount in bets.items():
        if player == place:
            facts.append(texts[chance] % {"sum": money(amount, currency, language)})
    if len(facts) == 1:
        facts.append(_("no bet"))
    return words.joined(facts)
