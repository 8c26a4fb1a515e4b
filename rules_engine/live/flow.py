"""What a game adds to the live table: how its coups run, and which incidents can occur in them (`flow.toml`)."""

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

import msgspec
from msgspec import Struct

from rules_engine.live.model import Event, Moment, Setup, State
from rules_engine.live.scene import DealerAct, Scene
from rules_engine.rulebook import Rulebook
from rules_engine.ruling import Payment, Ruling

# What a coup may be asked to have, besides a certain kind of fault.
FAULT, CHATTER = "fault", "chatter"
ALWAYS, NEVER = "always", "never"


class Incidents(Struct, frozen=True, forbid_unknown_fields=True):
    """How the kinds of incident of a game occur at its live table. Every kind is in exactly one of the groups.

    - `ordinary`: a phase of every coup, from which the dealer's duties come.
    - `faults`: something the dealer must stop the game for, if the ruling says so: `always`, or one of
      `decision=value|value`. With another ruling nothing is wrong; `never` for what is only chatter.
    - `outside`: cannot occur while coups are played, or not yet, with the reason.
    - `chatter`: those faults that may also occur with nothing wrong.
    - `after`: those faults that occur when the stakes are settled.
    - `complaints`: by rulebook, the clause that lets a player complain until the coup is settled; `correctable` are the
      faults it is about, `only` those of a rulebook whose clause is about fewer.
    - `finished`: those faults that occur when no more cards are drawn.
    - `unfit`: faults (`rulebook kind`) that cannot occur under one of the texts, with the reason.
    """

    ordinary: dict[str, str]
    faults: dict[str, str]
    outside: dict[str, str]
    chatter: tuple[str, ...] = ()
    after: tuple[str, ...] = ()
    complaints: dict[str, str] = {}
    correctable: tuple[str, ...] = ()
    only: dict[str, tuple[str, ...]] = {}
    unfit: dict[str, str] = {}
    finished: tuple[str, ...] = ()

    def known(self, book: Rulebook) -> list[str]:
        """The kinds of fault that can occur under a text."""
        return [kind for kind in self.possible(book) if self.faults[kind] != NEVER]

    def possible(self, book: Rulebook) -> list[str]:
        """The kinds of fault and chatter that can occur under a text."""
        kinds = book.kinds()
        return [kind for kind in self.faults if kind in kinds and f"{book.id} {kind}" not in self.unfit]

    def complaint(self, book: Rulebook, kind: str) -> str:
        """The clause by which a player may still complain of a missed fault; empty if there is none."""
        among = self.only.get(book.id, self.correctable)
        return self.complaints.get(book.id, "") if kind in among else ""

    def wished(self, book: Rulebook, wish: str) -> list[str]:
        """The kinds that fulfil a wish: any fault, one kind of fault, or chatter."""
        if wish == CHATTER:
            return [kind for kind in self.possible(book) if kind in self.chatter]
        known = self.known(book)
        return [wish] if wish in known else known if wish == FAULT else []

    def wrong(self, kind: str, ruling: Ruling) -> bool:
        """Whether something is wrong, by the ruling on an incident of this kind."""
        tests = self.faults[kind]
        return tests == ALWAYS or any(_holds(test, ruling) for test in tests.split("; "))


def _holds(test: str, ruling: Ruling) -> bool:
    name, _, values = test.partition("=")
    wanted = values.split("|")
    return any(one.value in wanted for one in ruling.decisions if one.key.partition(".")[0] == name)


def read_incidents(document: bytes) -> Incidents:
    return msgspec.toml.decode(document, type=Incidents)


class Opening(Struct, frozen=True):
    """A table before its first coup."""

    table: dict[str, Any]
    moves: tuple[Payment, ...] = ()
    shoe: tuple[str, ...] = ()


class Coup(Struct, frozen=True):
    """The plan of a coup. `shoe` is the shoe as it must lie for it, with the cards that a fault needs on top."""

    moments: tuple[Moment, ...]
    shoe: tuple[str, ...] = ()


class Flow(Protocol):
    """The coups of one game. Draws and situations are those of the game."""

    @property
    def incidents(self) -> Incidents: ...

    @property
    def acts(self) -> tuple[DealerAct, ...]:
        """What the dealer can do besides speaking and paying, the same at all times."""

    @property
    def seen(self) -> tuple[str, ...]:
        """Which of the lasting facts (`State.table`) everybody can see when a coup begins."""

    @property
    def cards_a_coup(self) -> int:
        """How many cards a coup takes on average; none in games without cards."""

    def scene(self, base: Mapping[str, Any], events: Sequence[Event], book: Rulebook) -> Scene:
        """The table as everybody sees it, from what was seen when the coup began and the events since."""

    def opening(self, setup: Setup, book: Rulebook, draw: Any) -> Opening:
        """The players, their chips and the cards at the beginning of a session."""

    def coup(self, state: State, book: Rulebook, draw: Any, wish: str) -> Coup:
        """The next coup. `wish` is a kind of fault, `fault` for any, `chatter` for an incident with nothing wrong, or
        nothing. A fault that the facts do not allow is left out."""

    def ruled(self, state: State, book: Rulebook, situation: Any, draw: Any) -> tuple[Moment, ...]:
        """The rest of a coup after a ruling on its fault."""


def article(ruling: Ruling, key: str = "") -> str:
    """The clause that a decision of a ruling rests on; the first it turned on, if no decision is named."""
    found = ruling.rests_on(key) if key else ruling.pivots or ruling.cites
    turned_on = [cite for cite in ruling.pivots if cite in found]
    return (*turned_on, *found, "")[0]


def plain(facts: Any) -> dict[str, Any]:
    """Facts as they come back from JSON."""
    found: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(facts))
    return found
