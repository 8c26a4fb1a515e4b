"""The ponto e banca board as the croupier sees it.

Before every seat lie two fields, the outer one for ponto and the inner one for the bank; the tie and the pairs have
theirs in the middle of the cloth, above the cards.
"""

from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from rules_engine.games.ponto_banca.table import Situation
from training.drawing import words
from training.drawing.chips import lay, written
from training.drawing.cloths import baccarat
from training.drawing.drawing import Drawing, Sheet
from training.drawing.geometry import Box, Oval
from training.drawing.primitives import Ellipse, Group, Label, Part, Person, Pile, Rect
from training.drawing.scene import Scene

WIDTH, HEIGHT, FIRST = 390, 280, -22.0
LEAST_SEATS = 7  # what every text sets at a single table
RINGS = {"ponto": Oval(304, 212), "banker": Oval(216, 137)}
EDGES = [(352, 248), (262, 176)]  # the printed ovals at their outer edges
# The fields of the middle: left edge and width.
MIDDLE = {"ponto_pair": (-154, 88), "tie": (-60, 120), "banker_pair": (66, 88)}
MIDDLE_TOP, MIDDLE_HIGH = -66, 84
HAND_Y, SPARE_Y, SPARE_WIDE = 50, 160, 220
SHOE = (146, 178)
ROW_BEHIND = 36  # between those who stand at the same gap
RIM_ROOM = -36  # nobody stands behind a seat here, so the window is drawn closer to the rim
GAPS = (0.5, 0.42, 0.58, 0.34, 0.66)  # where in the gap the chips of somebody standing may lie
TOTAL_BELOW = 34  # from the chips to the base line of their total
Bets = dict[tuple[str, str], int]
Piles = dict[str, list[Pile]]  # by chance


def ponto_banca(scene: Scene) -> Drawing:
    situation: Situation = scene.situation
    cloth = Oval(WIDTH, HEIGHT, _seats(situation), FIRST)
    bets = _bets(situation)
    rings = _ring_piles(cloth, bets, scene.lit)
    # What chemin de fer burns goes here to the used cards.
    heaps = [heap._replace(name="used") if heap.name == "burned" else heap for heap in baccarat.lying(scene)]
    names = {side: field_names()[side] for side in RINGS}
    layers: dict[str, Sequence[Part]] = {
        "cloth": [
            *baccarat.oval(cloth),
            *(Ellipse("ring-line", width, height) for width, height in EDGES),
            *_printed(cloth, rings),
        ],
        "people": [*baccarat.croupier(cloth), *_people(cloth, scene)],
        "cards": [
            baccarat.shoe(*SHOE),
            *baccarat.arrange(
                heaps, hand_y=HAND_Y, spare_y=SPARE_Y, spare_wide=SPARE_WIDE, lit=scene.lit, labels=names
            ),
        ],
        "chips": [*_spots(rings, scene.lit), *_spots(_middle_piles(bets, scene.lit), scene.lit)],
    }
    told = [
        *_limits(scene),
        *(_place_words(scene, place, bets) for place in words.places(situation)),
        *words.empty_seats(situation.seats, cloth.places),
        *baccarat.card_words(heaps, banker=_("The bank's cards: %(cards)s.")),
    ]
    window = cloth.window(RIM_ROOM + ROW_BEHIND * _rows(situation.standing))
    return Drawing(situation.game, [Sheet(window, layers)], told)


def _seats(situation: Situation) -> int:
    """As many as an incident says are set; else what the texts set, and whoever sits beyond that."""
    incident = situation.incident
    boards: Sequence[int] = getattr(incident, "boards", ())
    return max([*situation.seats, boards[0] if boards else int(getattr(incident, "places", LEAST_SEATS))])


def _bets(situation: Situation) -> Bets:
    """What each player has on each chance, in the order of the seats."""
    found: Bets = defaultdict(int)
    for bet in sorted(situation.bets, key=lambda bet: bet.player):
        found[bet.player, bet.on] += bet.amount
    return found


def _people(cloth: Oval, scene: Scene) -> Iterator[Person]:
    """The seats, then whoever stands in the gap between two; who comes later to the same gap stands behind."""
    situation, lit = scene.situation, scene.lit
    for number in range(1, cloth.places + 1):
        place = str(number)
        yield Person(place, *cloth.around(cloth.angle(place)), taken=number in situation.seats, lit=place in lit)
    for place in situation.standing:
        yield Person(place, *cloth.around(_gap(cloth, place), behind=ROW_BEHIND * _row(place)), lit=place in lit)


def _gap(cloth: Oval, place: str, share: float = 0.5) -> float:
    """Beside the seat, so far towards the next."""
    return cloth.angle(place) + cloth.step * share


def _row(place: str) -> int:
    return ord(place[1]) - ord("a")


def _rows(standing: Collection[str]) -> int:
    return max(map(_row, standing), default=0)


def _printed(cloth: Oval, rings: Piles) -> Iterator[Part]:
    """The framed fields of the middle, and the name of its field before every seat and over chips in a gap."""
    names = field_names()
    for chance, ring in RINGS.items():
        for number in range(1, cloth.places + 1):
            x, y = ring.around(cloth.angle(str(number)))
            yield Label("field-name", x, y - 19, names[chance])
        for pile in rings[chance]:
            if pile.owner:
                yield Label("field-name", pile.x, pile.total_y - TOTAL_BELOW - 19, names[chance])
    for chance, (left, wide) in MIDDLE.items():
        yield Rect("field-frame", left, MIDDLE_TOP, wide, MIDDLE_HIGH, 8)
        yield Label("field-name", left + wide // 2, MIDDLE_TOP + 16, names[chance])


def _spots(piles: Piles, lit: Collection[str]) -> list[Group]:
    named = {f"spot:{chance}": found for chance, found in piles.items() if found}
    return [Group("spot", found, point, point in lit) for point, found in named.items()]


def _ring_piles(cloth: Oval, bets: Bets, lit: Collection[str]) -> Piles:
    """Chips on ponto and on the bank: before the seats, then, clear of them, in the gaps."""
    piles: Piles = {chance: [] for chance in RINGS}
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
        piles[chance].append(
            Pile(
                place=player,
                x=x,
                chips=lay(amount, x, y, rows=1, wide=96),
                total=written(amount),
                total_y=y + TOTAL_BELOW,
                owner="" if seated else player,
                lit=player in lit,
            )
        )
    return piles


def _middle_piles(bets: Bets, lit: Collection[str]) -> Piles:
    """Chips on the tie and on the pairs: side by side in their field, each under its player."""
    piles: Piles = {chance: [] for chance in MIDDLE}
    for chance, (left, wide) in MIDDLE.items():
        players = [player for player, on in bets if on == chance]
        room = wide // max(1, len(players))
        for index, player in enumerate(players):
            x = left + room * index + room // 2
            amount = bets[player, chance]
            piles[chance].append(
                Pile(
                    place=player,
                    x=x,
                    chips=lay(amount, x, MIDDLE_TOP + 50, rows=1, wide=room),
                    total=written(amount),
                    total_y=MIDDLE_TOP + 80,
                    owner=player,
                    owner_y=MIDDLE_TOP + 33,
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


def _limits(scene: Scene) -> list[str]:
    situation = scene.situation
    facts = [_("One board of a double table") if situation.table == "double" else _("Single table")]
    if situation.minimum:
        facts.append(_("least bet %(sum)s") % {"sum": scene.money(situation.minimum)})
    if situation.max_gap:
        largest = _("largest difference between ponto and bank %(sum)s")
        facts.append(largest % {"sum": scene.money(situation.max_gap)})
    return [words.joined(facts)]


def _place_words(scene: Scene, place: str, bets: Bets) -> str:
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
        texts[chance] % {"sum": scene.money(amount)} for (player, chance), amount in bets.items() if player == place
    ]
    if len(facts) == 1:
        facts.append(_("no bet"))
    return words.joined(facts)
