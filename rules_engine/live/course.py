"""A coup in the making: what the flows of all games collect while they plan one."""

from collections.abc import Iterable
from typing import Any

from msgspec import structs

from rules_engine.live import flow
from rules_engine.live.model import Duty, Event, Moment, State
from rules_engine.rulebook import Rulebook


class Course:
    """The moments of a coup so far, and the facts that last from one coup to the next."""

    def __init__(self, state: State, book: Rulebook, draw: Any) -> None:
        self.state, self.book, self.draw = state, book, draw
        self.table: dict[str, Any] = dict(state.table)
        self.busy = state.setup.habits.busy
        self.moments: list[Moment] = []
        self.returned: list[Event] = []  # chips that are given back before the bets are settled

    @property
    def minimum(self) -> int:
        return self.book.table.minimum

    def moment(self, *events: Event, duties: Iterable[Duty] = (), **other: Any) -> None:
        """Add a moment, unless nothing happens in it."""
        found = Moment(events=events, duties=tuple(duties), **other)
        if found != Moment():
            self.moments.append(found)


class Dealt(Course):
    """A coup with cards. `base` is the shoe as it must lie for it."""

    def __init__(self, state: State, book: Rulebook, draw: Any) -> None:
        super().__init__(state, book, draw)
        self.shoe = list(state.shoe)
        self.base: tuple[str, ...] = ()
        self.first: tuple[str, ...] = ()  # the cards of a new shoe that are burned before it is used

    def drawn(self, count: int) -> tuple[str, ...]:
        """The next cards of the shoe."""
        if len(self.shoe) < count:
            raise RuntimeError(f"the shoe has only {len(self.shoe)} cards")
        cards, self.shoe = tuple(self.shoe[:count]), self.shoe[count:]
        return cards

    def plan(self) -> flow.Coup:
        """The plan with the shoe it needs: as it lies, or as it is shuffled in this coup."""
        first = self.moments[0]
        if not first.shuffled:
            return flow.Coup(tuple(self.moments), self.base)
        self.moments[0] = structs.replace(first, shuffled=(*(first.draws or self.first), *self.base))
        return flow.Coup(tuple(self.moments))
