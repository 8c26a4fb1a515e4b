"""The ponto e banca board as the croupier sees it.

In front of every seat are two fields, the outer one for ponto and the inner one for the bank; the fields for the tie
and the pairs are in the middle of the cloth, above the cards.
"""

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import product

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from rules_engine.games.ponto_banca.table import Situation
from training.drawing import disputed, words
from training.drawing.bubbles import bubbles
from training.drawing.cards import CARD_HIGH
from training.drawing.cloths.baccarat import cloth as baccarat
from training.drawing.cloths.baccarat.cloth import SHOE_HIGH, SHOE_WIDE
from training.drawing.drawing import Drawing, Sheet
from training.drawing.free_space import Room, around
from training.drawing.geometry import SEAT_PERCENT, SEAT_RADIUS, STANDING_PERCENT, Box, Oval
from training.drawing.people import Person
from training.drawing.piles import brief, pile, settled
from training.drawing.primitives import Ellipse, Group, Label, Part, Rect
from training.drawing.scene import Scene
from training.drawing.texts import width
from training.drawing.tokens import Token, short

WIDTH, HEIGHT, FIRST = 186, 196, -24.0
LEAST_SEATS = 7  # at a single table, by every rulebook
RINGS = {"ponto": Oval(148, 156), "banker": Oval(112, 104)}
EDGES = [(168, 178), (130, 128)]  # the outer edges of the printed ovals
# The fields of the middle: left edge and width.
MIDDLE = {"ponto_pair": (-92, 60), "tie": (-30, 60), "banker_pair": (32, 60)}
MIDDLE_TOP, MIDDLE_HIGH = -76, 86
TOKEN_WIDE, TOKEN_HIGH, TOKEN_ROWS = 28, 34, 2
HAND_Y, SPARE_Y, SPARE_WIDE = 30, 110, 168
SHOE = (100, 134)
ROW_BEHIND = 31  # between people standing in the same gap
PRINT = 14.5
# Where chips may lie: (degrees aside from the place, distance out as a part of their ring).
SHIFTS = [
    (side * turn, out / 100)
    for most in (8, 24, 48, 84)
    for out in (100, 104, 96, 108, 92, 88, 84, 80)
    for turn in range(0, most + 1, 4)
    for side in (1, -1)
]
OUTS = (1.04, 0.99, 0.88)  # the distances out at which the name of a ring may be printed
SLIM = 34  # the width of a squeezed name between the cards and the line
HANDS = [
    Box(-92, HAND_Y - 18, 92, HAND_Y + CARD_HIGH),
    Box(-92, SPARE_Y - 34, 92, SPARE_Y + CARD_HIGH),
    Box(-94, MIDDLE_TOP, 94, MIDDLE_TOP + MIDDLE_HIGH),
]
Bets = dict[tuple[str, str], int]
Results = Mapping[tuple[str, str], int]
Piles = dict[str, list[Part]]  # by chance


def ponto_banca(scene: Scene) -> Drawing:
    situation: Situation = scene.situation
    cloth = Oval(WIDTH, HEIGHT, _seats(scene), FIRST)
    bets = _bets(situation)
    results = _results(scene, bets)
    people = list(_people(cloth, scene))
    window = cloth.window((person.x, person.y) for person in people)
    room = _room(scene, cloth, people, window)
    rings = _ring_piles(cloth, bets, results, scene, room)
    for backwards in (False, True):
        if room.crowded:  # gain room by sums in thousands, by using the rim, and perhaps by another order
            room = replace(_room(scene, cloth, people, window), cloth=None)
            rings = _ring_piles(cloth, bets, results, scene, room, short_sums=True, backwards=backwards)
    offered = list(_offered(cloth, scene, room))
    # The cards that chemin de fer burns go to the used cards here.
    heaps = [heap._replace(name="used") if heap.name == "burned" else heap for heap in baccarat.lying(scene)]
    names = {side: field_names()[side] for side in RINGS}
    layers: dict[str, Sequence[Part]] = {
        "cloth": [
            *baccarat.oval(cloth),
            *(Ellipse("ring-line", width, height) for width, height in EDGES),
            *_printed(room),
        ],
        "people": [*baccarat.croupier(cloth), *people],
        "cards": [
            baccarat.shoe(*SHOE),
            *baccarat.arrange(
                heaps, hand_y=HAND_Y, spare_y=SPARE_Y, spare_wide=SPARE_WIDE, lit=scene.lit, labels=names
            ),
        ],
        "chips": [*_spots(rings, scene.lit), *_spots(_middle_chips(bets, results, scene), scene.lit), *offered],
        "bubbles": list(bubbles(scene, room, _speakers(cloth, people))),
    }
    told = _told(scene, cloth, bets, results, heaps)
    return Drawing(situation.game, [Sheet(window, layers)], told, scene, disputed.focus(scene))


def _told(scene: Scene, cloth: Oval, bets: Bets, results: Results, heaps: Collection[baccarat.Lying]) -> list[str]:
    situation = scene.situation
    return [
        *_limits(scene),
        *(_place_words(scene, place, bets, results) for place in words.places(situation)),
        *words.empty_seats(situation.seats, cloth.places),
        *baccarat.card_words(heaps, banker=_("The bank's cards: %(cards)s.")),
        *disputed.told(scene),
    ]


def _seats(scene: Scene) -> int:
    """The number of seats: as the incident says, else as the house's table has it or the usual number."""
    incident = scene.situation.incident
    boards: Sequence[int] = getattr(incident, "boards", ())
    told = boards[0] if boards else int(getattr(incident, "places", 0))
    return max([told, *scene.situation.seats]) if told else scene.seats(LEAST_SEATS)


def _bets(situation: Situation) -> Bets:
    """What each player has bet on each chance, in the order of the seats."""
    found: Bets = defaultdict(int)
    for bet in sorted(situation.bets, key=lambda bet: bet.player):
        found[bet.player, bet.on] += bet.amount
    return found


def _results(scene: Scene, bets: Bets) -> Results:
    """What each bet earned or lost. In rulings that do not name the chance of a payment, a collected amount is matched
    with a whole bet, paid ones with the other bets."""
    found: dict[tuple[str, str], int] = {}
    payments = scene.after.payments if scene.after else ()
    for payment in (one for one in payments if one.spot):
        lost = payment.payee == "house"
        bet = (payment.payer if lost else payment.payee, payment.spot)
        found[bet] = found.get(bet, 0) + (-payment.amount if lost else payment.amount)
    payments = tuple(one for one in payments if not one.spot)
    for payment in sorted(payments, key=lambda payment: not payment.payer[:1].isdigit()):
        lost = payment.payer[:1].isdigit()
        player = payment.payer if lost else payment.payee
        open_bets = [bet for bet in bets if bet[0] == player and bet not in found]
        whole = [bet for bet in open_bets if lost and bets[bet] == payment.amount]
        for bet in (whole or open_bets)[:1]:
            found[bet] = -payment.amount if lost else payment.amount
    return found


def _people(cloth: Oval, scene: Scene) -> Iterator[Person]:
    """The seats, then the people standing in the gaps between seats, later ones behind earlier ones."""
    situation, lit = scene.situation, scene.lit
    # With more seats than a rulebook provides, each has less room.
    percent = SEAT_PERCENT if cloth.places <= 9 else 64
    for number in range(1, cloth.places + 1):
        place, (x, y) = str(number), cloth.around(cloth.angle(str(number)))
        taken = number in situation.seats
        yield Person(place, x, y, taken=taken, lit=place in lit, percent=percent, turn=cloth.facing(x, y), plain=True)
    for place in situation.standing:
        x, y = cloth.around(_gap(cloth, place), behind=ROW_BEHIND * _row(place))
        yield Person(place, x, y, lit=place in lit, percent=STANDING_PERCENT, turn=cloth.facing(x, y), plain=True)


def _speakers(cloth: Oval, people: Sequence[Person]) -> dict[str, tuple[int, int]]:
    return {person.place: (person.x, person.y) for person in people} | {"croupier": (0, cloth.height + 15)}


def _gap(cloth: Oval, place: str) -> float:
    """The angle half-way between the seat and the next."""
    return cloth.angle(place) + cloth.step / 2


def _row(place: str) -> int:
    return ord(place[1]) - ord("a")


def _room(scene: Scene, cloth: Oval, people: Sequence[Person], window: Box) -> Room:
    heads = [around(person.x, person.y, 2 * SEAT_RADIUS + 3, 2 * SEAT_RADIUS + 3) for person in people]
    shoe = Box(SHOE[0], SHOE[1], SHOE[0] + SHOE_WIDE, SHOE[1] + SHOE_HIGH)
    return Room(window, [*heads, *HANDS, shoe, *baccarat.furniture(cloth)], cloth=cloth, kit=scene.kit)


# ---------- the cloth ----------


def _printed(room: Room) -> Iterator[Part]:
    """The framed fields in the middle, and the names of the two rings where there is room."""
    names = field_names()
    for chance in RINGS:
        yield from _ring_names(chance, names[chance], room)
    for chance, (left, wide) in MIDDLE.items():
        squeezed = wide - 4 if width(names[chance], PRINT) > wide - 4 else 0
        yield Rect("field-frame", left, MIDDLE_TOP, wide, MIDDLE_HIGH, 6)
        yield Label("field-name", left + wide // 2, MIDDLE_TOP + 13, names[chance], wide=squeezed)


def _ring_names(chance: str, name: str, room: Room) -> Iterator[Label]:
    """The name of a ring at the croupier's left and right, as near to him as there is room."""
    for side in (range(-60, 91, 4), range(240, 89, -4)):
        points = [RINGS[chance].around(degrees, out) for degrees, out in product(side, OUTS)]
        wides = (width(name, PRINT) + 4, SLIM)
        boxes = [box for wide in wides for x, y in points if room.free(box := around(x, y, wide, 16))]
        if boxes:
            box = room.take(min(boxes, key=lambda box: _astray(chance, box)))
            squeezed = SLIM if box.width == SLIM else 0
            yield Label("field-name", box.middle.x, box.top + 13, name, wide=squeezed)


def _astray(chance: str, box: Box) -> int:
    """How many corners of a box lie on the wrong side of the line between the two rings."""
    across, down = EDGES[1]
    corners = [(x / across) ** 2 + (y / down) ** 2 for x in (box.left, box.right) for y in (box.top, box.bottom)]
    return sum(out < 1 if chance == "ponto" else out > 1 for out in corners)


def _spots(piles: Piles, lit: Collection[str]) -> list[Group]:
    named = {f"spot:{chance}": found for chance, found in piles.items() if found}
    return [Group("spot", found, point, point in lit) for point, found in named.items()]


# ---------- chips ----------


def _ring_piles(
    cloth: Oval,
    bets: Bets,
    results: Results,
    scene: Scene,
    room: Room,
    *,
    short_sums: bool = False,
    backwards: bool = False,
) -> Piles:
    """Bets on ponto and on the bank: in front of the seats, then those of people standing, in the gaps."""
    piles: Piles = {chance: [] for chance in RINGS}
    order = sorted(bets, key=lambda bet: (not bet[0].isdigit(), bet))
    for player, chance in reversed(order) if backwards else order:
        if chance not in RINGS:
            continue
        seated = player.isdigit()
        angle = cloth.angle(player) if seated else _gap(cloth, player)
        ring = RINGS[chance]
        made = pile(
            room,
            _on_ring(chance, [ring.around(angle + turn, out) for turn, out in SHIFTS]),
            player,
            bets[player, chance],
            owner="" if seated else player,
            total=brief(bets[player, chance]) if short_sums else "",
            lit=player in scene.lit,
            kind="pile offered" if disputed.touched(scene, player, chance) else "pile",
            id=f"stake:{player}:{chance}",
            room_for="+",
        )
        piles[chance].append(settled(made, results.get((player, chance), 0)))
    return piles


def _offered(cloth: Oval, scene: Scene, room: Room) -> Iterator[Part]:
    """Chips to be ruled on, in front of their player: in their field, or at the edge if no field is named."""
    found = disputed.offer(scene)
    if found is None or found.spot in MIDDLE:
        return
    seated = found.player.isdigit()
    angle = cloth.angle(found.player) if seated else _gap(cloth, found.player)
    ring = RINGS.get(found.spot, RINGS["ponto"])
    made = pile(
        room,
        [ring.around(angle + turn, out) for turn, out in SHIFTS],
        found.player,
        found.value,
        owner="" if seated else found.player,
        kind="pile" if scene.after is not None else "pile offered",
        id=found.id,
    )
    yield replace(made, point=found.id)


def _on_ring(chance: str, points: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Sort and filter points: those clearly on the right side of the line between the rings first."""
    across, down = EDGES[1]
    far = [(x / across) ** 2 + (y / down) ** 2 for x, y in points]
    clear = [point for point, out in zip(points, far, strict=True) if (out > 1.12 if chance == "ponto" else out < 0.88)]
    close = [point for point, out in zip(points, far, strict=True) if (out > 1 if chance == "ponto" else out < 1)]
    return [*clear, *close] or points


def _middle_chips(bets: Bets, results: Results, scene: Scene) -> Piles:
    """Bets on the tie and on the pairs: side by side in their field, each with its player."""
    piles: Piles = {chance: [] for chance in MIDDLE}
    offer = disputed.offer(scene)
    for chance, (left, wide) in MIDDLE.items():
        players = [player for player, on in bets if on == chance]
        if offer is not None and offer.spot == chance:
            players.append(offer.player)  # what is to be ruled on lies last
        across = max(1, min(len(players), 2), -(-len(players) // TOKEN_ROWS))
        each = min(TOKEN_WIDE + 1, (wide - 2) // across)
        for index, player in enumerate(players):
            row, column = divmod(index, across)
            in_row = min(across, len(players) - row * across)
            x = left + wide // 2 - each * (in_row - 1) // 2 + each * column
            y = MIDDLE_TOP + 17 + TOKEN_HIGH // 2 + row * TOKEN_HIGH
            if offer is not None and offer.spot == chance and index == len(players) - 1:
                token = disputed.offered_token(scene, offer, (x, y), (each - 1, TOKEN_HIGH))
                piles[chance].append(replace(token, size=PRINT, amount=offer.value))
            else:
                piles[chance].append(_token(scene, player, chance, bets[player, chance], results, (x, y, each - 1)))
    return piles


def _token(scene: Scene, player: str, chance: str, amount: int, results: Results, at: tuple[int, int, int]) -> Token:
    result = results.get((player, chance), 0)
    ended = " won" if result > 0 else " lost" if result < 0 else ""
    worth = f"+{short(result, scene.language)}" if result > 0 else short(amount, scene.language)
    x, y, wide = at
    return Token(
        player, x, y, wide, TOKEN_HIGH, 1, worth, scene.kit.design(amount), f"token{ended}", player in scene.lit,
        chance, size=PRINT, amount=amount, kit=scene.kit,
    )  # fmt: skip


def field_names() -> dict[str, str]:
    """The print on the fields of the cloth."""
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
        facts.append(_("minimum %(sum)s") % {"sum": scene.money(situation.minimum)})
    if situation.max_gap:
        largest = _("largest difference between ponto and bank %(sum)s")
        facts.append(largest % {"sum": scene.money(situation.max_gap)})
    return [words.joined(facts)]


def _place_words(scene: Scene, place: str, bets: Bets, results: Results) -> str:
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
