"""The rack at the end of a day: a chip for every rule known, those that the day brought in gold."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from rules_engine import GAMES, RULEBOOKS
from training.mastery.memory import AHEAD, KNOWN
from training.mastery.selectors import Practised

ROW, ROWS = 40, 4  # chips
STEP, HIGH = 8, 45  # from one chip or row to the next, in units of the drawing
LEFT, TOP = 16, 20


@dataclass(frozen=True)
class Chip:
    x: int
    y: int
    colour: str  # a class of day.css: `gold` for today's, else that of the game


@dataclass(frozen=True)
class Game:
    name: str
    known: int  # without what today brought
    colour: str


@dataclass(frozen=True)
class Rack:
    games: list[Game]
    known: int
    gained: int  # rules that are known thanks to today
    met: int
    worth: int  # rules that one chip stands for

    @property
    def chips(self) -> list[Chip]:
        colours = [game.colour for game in self.games for _ in range(_chips(game.known, self.worth))]
        colours += ["gold"] * _chips(self.gained, self.worth)
        return [
            Chip(LEFT + STEP * (at % ROW), TOP + HIGH * (at // ROW), colour)
            for at, colour in enumerate(colours[-ROW * ROWS :])
        ]

    @property
    def rows(self) -> list[int]:
        """Where the rows begin; one is always waiting to be filled, as far as there is room."""
        return [TOP + HIGH * row for row in range(min(ROWS, len(self.chips) // ROW + 2))]

    @property
    def height(self) -> int:
        return self.rows[-1] + HIGH + 6


def _chips(rules: int, worth: int) -> int:
    return -(-rules // worth)


def rack(memories: Iterable[Practised], now: datetime, language: str) -> Rack:
    """What is known for tomorrow, by game, and how much of it only thanks to today."""
    found: dict[str, list[tuple[bool, bool]]] = {}
    met = 0
    for item in memories:
        met += 1
        without, after = item.retentions(now + AHEAD)
        found.setdefault(RULEBOOKS[item.rule.rulebook].game.id, []).append((without >= KNOWN, after >= KNOWN))
    kept = {game: sum(without and after for without, after in both) for game, both in found.items()}
    gained = sum(after and not without for both in found.values() for without, after in both)
    games = [
        Game(GAMES[game].name(language), kept[game], f"game-{number}")
        for number, game in enumerate((game for game in GAMES if kept.get(game)), start=1)
    ]
    known = sum(game.known for game in games) + gained
    return Rack(games, known, gained, met, max(1, -(-known // (ROW * ROWS - len(games)))))
