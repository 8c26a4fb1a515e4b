"""Ordinary rows of machines for generators: which machines there are and who plays, by difficulty."""

from collections.abc import Iterable
from typing import Any

from msgspec import structs

from rules_engine.authoring import Draw, Rulebook
from rules_engine.games.machines.table import Machine, Model

MODELS: tuple[Model, ...] = ("caravela", "sereia", "valete", "dama")
LIMITS = (100, 150, 200, 250, 300, 400)
# How many machines are in the row, from and to, at each difficulty.
MACHINES = {1: (1, 1), 2: (2, 3), 3: (3, 4), 4: (4, 5), 5: (5, 6)}


def stakes(book: Rulebook) -> tuple[int, ...]:
    """What a token is worth at the machines of the house, the least first."""
    return tuple(reversed(book.table.values))


def superjackpot(draw: Draw, book: Rulebook) -> int:
    """What linked machines have collected: thousands of their largest tokens."""
    return draw.number(40, 400) * 100 * max(stakes(book))


def row(draw: Draw, book: Rulebook, difficulty: int, *, least: int = 1) -> list[Machine]:
    """Machines side by side, each with a player."""
    count = max(least, draw.number(*MACHINES[difficulty]))
    return [
        Machine(
            number=number,
            model=draw.pick(MODELS),
            stake=draw.pick(stakes(book)),
            player=str(number),
            pays_up_to=draw.pick(LIMITS),
        )
        for number in range(1, count + 1)
    ]


def facts(machines: Iterable[Machine], **more: Any) -> dict[str, Any]:
    """The facts of a row: whoever plays sits at one of their machines."""
    found = tuple(sorted(machines, key=lambda machine: machine.number))
    return {"machines": found, "seats": tuple(sorted({int(one.player) for one in found if one.player})), **more}


def some(draw: Draw, machines: list[Machine]) -> int:
    """The index of one of them."""
    return draw.number(0, len(machines) - 1)


def changed(machines: list[Machine], index: int, **facts: Any) -> None:
    machines[index] = structs.replace(machines[index], **facts)
