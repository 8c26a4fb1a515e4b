"""Tables for generated scenarios: players, limits, and chips on and around a number, by difficulty."""

from collections.abc import Iterable, Sequence
from typing import Any

from msgspec.structs import replace

from rules_engine.authoring import Draw, Rulebook
from rules_engine.games.layout_bets.setting import Crowd, Range, spread, table
from rules_engine.games.layout_bets.setting import in_order as in_layout_order
from rules_engine.games.roulette import layout
from rules_engine.games.roulette.books import AMERICAN
from rules_engine.games.roulette.limits import least, maximum
from rules_engine.games.roulette.settlement import HALVED, INSIDE, SIMPLE, THIRDS, wins
from rules_engine.games.roulette.table import Bet, ChipColour, ColourChips

COLOURS: tuple[ChipColour, ...] = ("green", "blue", "pink", "orange", "violet", "grey", "beige", "turquoise")
# Numbers in the middle of the cloth, and those at its edges, which have fewer neighbours.
MIDDLE = range(4, 34)
EDGES = (0, 1, 2, 3, 34, 35, 36)
CROWDS = {
    1: Crowd((1, 1), (1, 1), (0, 1), (1, 3)),
    2: Crowd((1, 2), (1, 2), (1, 2), (1, 5)),
    3: Crowd((2, 3), (2, 3), (1, 3), (1, 6)),
    4: Crowd((3, 4), (3, 5), (2, 4), (1, 8)),
    5: Crowd((4, 5), (5, 7), (3, 5), (1, 9)),
}
# Which chances have chips on them: beginners get the simple ones.
CHANCES: dict[int, tuple[str, ...]] = {
    1: (*INSIDE, "dozen", "column", *SIMPLE[:2]),
    2: (*INSIDE, *INSIDE, "dozen", "column", *SIMPLE[:3]),
    3: (*INSIDE, *INSIDE, *THIRDS, *SIMPLE[:3]),
    4: (*INSIDE, *INSIDE, *THIRDS, *SIMPLE),
    5: (*INSIDE, *INSIDE, *INSIDE, *THIRDS, *SIMPLE),
}


def face_value(book: Rulebook) -> dict[str, Any]:
    """At American roulette chips have a colour or a face value (IX 8), so the facts must say which."""
    return {"face_value": True} if book.coded_as == AMERICAN else {}


def any_number(draw: Draw, difficulty: int) -> int:
    """A number that comes out. Easy: in the middle of the cloth. Hard: more often at its edges."""
    if difficulty <= 2:
        return draw.pick(MIDDLE)
    return draw.pick(EDGES) if difficulty >= 5 and draw.chance(0.5) else draw.number(1, 36)


def face_values(book: Rulebook) -> tuple[int, ...]:
    """The chips of the table of which a single one may be bet on any spot, the smallest first."""
    minimum = book.table.minimum
    return book.table.chips_between(minimum, maximum(book, "straight", minimum))


def coloured(draw: Draw, facts: dict[str, Any], players: Iterable[str]) -> tuple[ColourChips, ...]:
    """A colour for each of these players, and the value of their chips, within the limits of a straight-up bet."""
    places = sorted(players)
    colours = draw.sample(COLOURS, len(places))
    return tuple(
        ColourChips(place, colour, facts["minimum"] * draw.pick((1, 1, 2, 4, 5)))
        for place, colour in zip(places, colours, strict=True)
    )


def picture(
    draw: Draw, book: Rulebook, difficulty: int, *, number: int, must: Sequence[str] = (), crowd: Crowd | None = None
) -> dict[str, Any]:
    """A table with chips on and around a number. There is a winning bet on each chance of `must`."""
    facts = table(draw, book, difficulty)
    crowd = crowd or CROWDS[difficulty]
    chosen = won_spots(draw, book, difficulty, number=number, must=must, count=draw.number(*crowd.won))
    chosen += lost_spots(draw, book, number, chosen, draw.number(*crowd.lost), difficulty)
    players = [str(seat) for seat in draw.sample(facts["seats"], draw.number(*crowd.players))][: len(chosen)]
    worths = _worths(draw, book, facts, players, difficulty)

    def lay(player: str, spot: str, most: Range) -> Bet:
        value = draw.pick(worths[player])
        return chips(draw, book, facts, player=player, spot=spot, value=value, most=most)

    bets = spread(draw, chosen, players, crowd.chips, lay, shared=tuple(worths) if difficulty >= 5 else ())
    return facts | {"bets": in_order(bets), "number": number}


def _worths(
    draw: Draw, book: Rulebook, facts: dict[str, Any], players: Sequence[str], difficulty: int
) -> dict[str, tuple[int, ...]]:
    """What the chips of each player are worth. At American roulette all have a colour; some also use face value."""
    faces = face_values(book)
    if book.coded_as == AMERICAN:
        facts["colours"] = coloured(draw, facts, players)
        mixed = difficulty >= 4
        return {
            chips.player: (chips.value, faces[-1]) if mixed and draw.chance(0.3) else (chips.value,)
            for chips in facts["colours"]
        }
    pool = faces if difficulty >= 3 else faces[:1]
    if difficulty <= 3:
        return {player: (draw.pick(pool),) for player in players}
    return dict.fromkeys(players, pool)


def chips(
    draw: Draw, book: Rulebook, facts: dict[str, Any], *, player: str, spot: str, value: int, most: tuple[int, int]
) -> Bet:
    """Some chips of one value on a spot, within the limits of the table."""
    place = layout.SPOTS[spot]
    bet = Bet(player=player, chance=place.chance, numbers=place.numbers, count=draw.number(*most), value=value)
    return fitted(book, bet)


def room(book: Rulebook, spot: str, value: int) -> int:
    """How many chips of a value one player may have on a spot."""
    chance = layout.chance(spot)
    return max(1, maximum(book, chance, least(book, chance)) // value)


def fitted(book: Rulebook, bet: Bet, *, value: int = 0) -> Bet:
    """The bet, in chips of another value if given, with as many chips as the table takes and can pay: where the prize
    is half the stake, chips that cannot be halved lie in pairs."""
    value = value or bet.value
    count = min(max(bet.count, -(-least(book, bet.chance) // value)), room(book, bet.spot, value))
    if bet.chance in HALVED and value % (2 * book.table.values[-1]):
        count += count % 2
    return replace(bet, count=count, value=value)


def won_spots(
    draw: Draw, book: Rulebook, difficulty: int, *, number: int, must: Sequence[str], count: int
) -> list[str]:
    """Different spots that cover the number: one of each chance in `must`, the others at random."""
    found = dict.fromkeys(draw.pick(winning(book, number, chance)) for chance in must)
    pool = must if difficulty == 1 and must else CHANCES[difficulty]
    for _ in range(4 * count):
        if len(found) >= max(count, len(must)):
            break
        spots = winning(book, number, draw.pick(pool))
        found.update({draw.pick(spots): None} if spots else {})
    return list(found) or [str(number)]


def winning(book: Rulebook, number: int, chance: str) -> tuple[str, ...]:
    """The spots of a chance that win with a number under this rulebook."""
    if chance in SIMPLE:
        return (chance,) if wins(book, chance, number) else ()
    return layout.around(number, chance)


def lost_spots(draw: Draw, book: Rulebook, number: int, taken: Iterable[str], count: int, difficulty: int) -> list[str]:
    """Spots that miss the number: right beside it, or other dozens, columns and even chances."""
    found: dict[str, None] = {}
    used = set(taken)
    if difficulty == 1:  # one kind of bet at a time
        kinds = [layout.chance(spot) for spot in sorted(used)]
        pool: Sequence[str] = SIMPLE if kinds[0] in SIMPLE else kinds
    else:
        pool = CHANCES[difficulty]
    beside = [n for n in (number - 3, number - 1, number + 1, number + 3) if 0 <= n <= 36]
    for _ in range(6 * count):
        if len(found) >= count:
            break
        chance = draw.pick(pool)
        near = draw.pick(beside) if chance in INSIDE else draw.number(1, 36)
        spot = draw.pick(winning(book, near, chance) or (str(near),))
        if spot not in used and not wins(book, spot, number):
            found[spot] = None
    if count and not found:
        found[str(draw.pick(beside))] = None
    return list(found)


def in_order(bets: Iterable[Bet]) -> tuple[Bet, ...]:
    return in_layout_order(layout.LAYOUT, bets)
