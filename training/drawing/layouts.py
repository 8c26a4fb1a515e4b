"""What the tables with a betting layout share: roulette, craps, cussec and banca francesa."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from rules_engine.rulebook import Rulebook
from rules_engine.spots import spot_name
from training.drawing.chip_designs import of_colour
from training.drawing.disputed import touched
from training.drawing.geometry import Box
from training.drawing.people import Person
from training.drawing.primitives import Group, Label, Part, Path, Rect
from training.drawing.scene import Scene
from training.drawing.texts import width
from training.drawing.tokens import Target, Token, short

HOUSE = "house"
SEATS = 8
SIDE = 46  # the room for people beside the layout
RAIL = 14  # the width of the rail
PRIZE = 14  # the size of winnings
Point = tuple[int, int]


def bet_results(scene: Scene) -> dict[int, int]:
    """What each bet earned or lost, by its index. A player's payments on one spot go to his bets there in order."""
    results: dict[int, int] = {}
    for payment in scene.after.payments if scene.after else ():
        won = payment.payer == HOUSE
        player = payment.payee if won else payment.payer
        for index, bet in enumerate(scene.situation.bets):
            if index not in results and (bet.player, bet.spot) == (player, payment.spot):
                results[index] = payment.amount if won else -payment.amount
                break
    return results


# ---------- the table ----------


def table_top(felt: Box, wood: Box | None = None, corner: int = 10) -> list[Part]:
    """A cloth with its wooden rail, lit by the lamp."""
    wood = wood or Box(felt.left - RAIL, felt.top - RAIL, felt.right + RAIL, felt.bottom + RAIL)
    shine = Box(wood.left + 3, wood.top + 3, wood.right - 3, wood.bottom - 3)
    return [
        Rect.of("rail", wood, corner + RAIL),
        Rect.of("rail-shine", shine, corner + RAIL - 3),
        Rect.of("felt", felt, corner),
        Rect.of("nap", felt, corner),
        Rect.of("felt-light", felt, corner),
    ]


# ---------- people ----------


def places(scene: Scene) -> list[str]:
    """Every seat, taken or empty, each followed by the people standing behind it."""
    seats = [str(seat) for seat in range(1, scene.seats(SEATS) + 1)]
    return sorted([*seats, *scene.situation.standing], key=lambda place: (int(place.rstrip("abcdefghi")), place))


def spread(scene: Scene, length: float, start: int = 0) -> dict[str, float]:
    """How far along an edge of this length each place is, at equal distances."""
    found = places(scene)
    step = length / len(found)
    return {place: start + step * (index + 0.5) for index, place in enumerate(found)}


def people(scene: Scene, points: Mapping[str, Point], *, upright: bool, ringed: str | None = None) -> Iterator[Person]:
    """The plates of everyone on the rail. An upright layout has less room at its side."""
    for place, (x, y) in points.items():
        taken = not place.isdigit() or int(place) in scene.situation.seats
        percent = 55 if upright or not place.isdigit() else 58
        yield Person(
            place, x, y, taken=taken, lit=place in scene.lit, ring=place == ringed, percent=percent, plain=True
        )


def winnings(scene: Scene) -> dict[str, int]:
    """What the house pays each player in total."""
    won: dict[str, int] = {}
    for payment in scene.after.payments if scene.after else ():
        if payment.payer == HOUSE:
            won[payment.payee] = won.get(payment.payee, 0) + payment.amount
    return won


def prizes(
    scene: Scene, points: Mapping[str, Point], *, dy: int, column: int | None, room: int = SIDE - 8
) -> Iterator[Label]:
    """Write each player's winnings at their place, or in the narrow column at this x beside an upright layout."""
    for place, amount in winnings(scene).items():
        x, y = points[place]
        text = f"+{short(amount, scene.language)}"
        wide = room if column is not None and width(text, PRIZE, bold=True) > room else 0
        yield Label("prize", x if column is None else column, y + dy, text, wide=wide)


# ---------- chips ----------


def bet_token(
    scene: Scene,
    bet: Any,
    at: Point,
    size: tuple[int, int],
    result: int | None,
    *,
    colour: str = "",
    marked: bool = False,
    partly: bool = False,
    within: bool = False,
) -> Token:
    """A bet, in the player's own `colour` if he has one. Once it has won, it shows what it earned.

    Where only part of a losing bet is collected (`partly`), it shows how much. `within` keeps a high pile in its room.
    """
    worth = short(bet.value if result is None else abs(result), scene.language)
    if result is not None and result > 0:
        worth = f"+{worth}"
    elif result is not None:
        worth = f"\N{MINUS SIGN}{worth}" if partly else short(bet.value, scene.language)
    ended = "" if result is None else "won" if result > 0 else "lost"
    kinds = ("token", ended, "marked" * marked, "offered" * touched(scene, bet.player, bet.spot))
    design = of_colour(colour) if colour else scene.kit.design(bet.value)
    return Token(
        bet.player, *at, *size, bet.count, worth, design, " ".join(filter(None, kinds)),
        bet.player in scene.lit, bet.spot, own=bool(colour), within=within, kit=scene.kit,
    )  # fmt: skip


def spot_group(scene: Scene, key: str, parts: Sequence[Part], kind: str = "spot") -> Group:
    return Group(kind, parts, f"spot:{key}", f"spot:{key}" in scene.lit)


def tie(spot: Point, chips: Point) -> Path:
    """A line that ties chips lying elsewhere to their spot."""
    return Path("tie", f"M{spot[0]} {spot[1]}L{chips[0]} {chips[1]}")


def targets(boxes: Iterable[tuple[str, Box]], book: Rulebook, language: str) -> list[Part]:
    """A target to point at for every spot."""
    return [
        Target(f"spot:{key}", spot_name(key, book, language), box.left, box.top, box.width, box.height, first=not index)
        for index, (key, box) in enumerate(boxes)
    ]
