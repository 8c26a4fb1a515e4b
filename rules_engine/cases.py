"""Cases: the generators that make the facts of situations, and the rows of tables of similar cases."""

from collections.abc import Callable, Mapping
from functools import wraps
from typing import Any

from msgspec import Struct

from rules_engine.draw import Draw, Drawn
from rules_engine.rulebook import Rulebook
from rules_engine.situation import Situation

Make = Callable[[Any, Rulebook, int], Situation]
# By rulebook: one article or several.
Articles = Mapping[str, str | tuple[str, ...]]


class Case(Struct, frozen=True):
    """One way to make facts. `turns_on` promises, for each rulebook, articles that all or some of these situations turn
    on; the coverage report checks the promise."""

    name: str
    topic: str
    turns_on: Mapping[str, tuple[str, ...]]
    make: Make


class Variant(Struct, frozen=True):
    """A row of a case table."""

    name: str
    turns_on: Articles
    arguments: Mapping[str, Any]

    def generator(self, make: Callable[..., Situation]) -> Make:
        """`make` with the arguments of this row."""

        @wraps(make)
        def made(draw: Draw, book: Rulebook, level: int) -> Situation:
            values = {
                name: value.value(draw, book, level) if isinstance(value, Drawn) else value
                for name, value in self.arguments.items()
            }
            return make(draw, book, level, **values)

        return made


def variant(name: str, turns_on: Articles, /, **arguments: Any) -> Variant:
    """A row of a case table: the name of the case, the articles it turns on, and the arguments for the generator. An
    argument may be `one_of`, `between`, `chance` or any other `Drawn`: it is drawn anew for every situation."""
    return Variant(name, turns_on, arguments)
