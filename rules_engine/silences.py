"""Silences: everyday incidents that a regulation does not decide, and the decisions a house may adopt for them.

A silence is a kind of incident like any other. The game's `silences.toml` lists the options of each; its rule reads the
adopted one from `Reasoning.procedure`. As long as the house has adopted none, the answer is to ask the floor manager,
and the case is not fit for exams.
"""

import tomllib
from importlib.resources.abc import Traversable

from msgspec import Struct

from rules_engine.law import Row
from rules_engine.situation import convert

# The question about a silence for which the house has no procedure, and its answer. In the words of a game,
# `procedure.<kind>.<option>` is an option in full, as a house signs it; `option.procedure_<kind>.<option>` is its short
# form.
PROCEDURE = "procedure"
ASK = "floor_manager"
KIND = "silence"
# The topic of all silences of a game.
TOPIC = "procedures"


class Silence(Struct, frozen=True, forbid_unknown_fields=True):
    """An incident that is not regulated. `options` are the decisions a house may adopt; `books` the rulebooks that are
    silent, all if empty."""

    options: tuple[str, ...]
    books: tuple[str, ...] = ()

    def concerns(self, book: str) -> bool:
        return not self.books or book in self.books


def load_silences(source: Traversable) -> dict[str, Silence]:
    """The silences of a game by kind of incident; none if it has no such file."""
    if not source.is_file():
        return {}
    entries = tomllib.loads(source.read_text("utf-8"))
    return {kind: convert(entry, Silence, kind) for kind, entry in entries.items()}


def row(kind: str) -> Row:
    """The row by which a silence is cited. It is on hold until the house adopts a procedure."""
    return Row(cite=kind, article=kind, topic=TOPIC, kind=KIND, text="", hold=True, reading=kind)
