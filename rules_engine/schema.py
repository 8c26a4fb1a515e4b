"""The JSON Schema of what goes in and out of the engine: scenarios with every incident, rulings, answers and marks.

It is made from the types that check the data, so the two always agree.
"""

from functools import reduce
from operator import or_
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import FieldInfo

from rules_engine.game import GAMES, RULEBOOKS, Game
from rules_engine.grading import Answer, Mark
from rules_engine.ruling import Ruling
from rules_engine.scenario import Scenario

DIALECT = "https://json-schema.org/draft/2020-12/schema"
SITUATION = "Situation"
# The required parts of a scenario document; the engine makes the rest.
NEEDED = ["rulebook", "situation"]


def schema() -> dict[str, Any]:
    """One document with a definition for each type. Start from `Scenario`, `Ruling`, `Answer` and `Mark`.

    Types of a game are defined under its id: `roulette.Bet`.
    """
    shared = [_without_situation(), Ruling, Answer, Mark]
    _, definitions = msgspec.json.schema_components(shared, ref_template="#/$defs/{name}")
    for game in GAMES.values():
        _, own = msgspec.json.schema_components([_situation(game)], ref_template=f"#/$defs/{game.id}.{{name}}")
        definitions |= {f"{game.id}.{name}": definition for name, definition in own.items()}
    scenario = definitions["Scenario"]
    scenario["properties"] |= {"rulebook": {"enum": list(RULEBOOKS)}, "situation": {}}
    scenario["required"] = NEEDED
    # The rulebook of a scenario determines which game's facts it holds.
    scenario["oneOf"] = [
        {
            "properties": {
                "rulebook": {"enum": [book.id for book in game.books]},
                "situation": {"$ref": f"#/$defs/{game.id}.{SITUATION}"},
            }
        }
        for game in GAMES.values()
    ]
    return {
        "$schema": DIALECT,
        "title": "Sabot rules engine: " + ", ".join(f"{game.id} {game.version}" for game in GAMES.values()),
        "$ref": "#/$defs/Scenario",
        "$defs": dict(sorted(definitions.items())),
    }


def _without_situation() -> type[Struct]:
    fields = [field for field in msgspec.structs.fields(Scenario) if field.name != "situation"]
    return _defined(Scenario, [(field, field.type) for field in fields])


def _situation(game: Game[Any]) -> type[Struct]:
    """The type of a game's facts with its incident written out: one of the types identified by `kind`."""
    incident = reduce(or_, game.kinds.values())
    fields = msgspec.structs.fields(game.situation)
    return _defined(game.situation, [(field, incident if field.name == "incident" else field.type) for field in fields])


def _defined(model: type[Struct], fields: list[tuple[FieldInfo, Any]]) -> type[Struct]:
    """The same struct with these fields."""
    written: list[Any] = [
        (field.name, kind) if field.required else (field.name, kind, field.default) for field, kind in fields
    ]
    made = msgspec.defstruct(model.__name__, written, kw_only=True, forbid_unknown_fields=True)
    made.__doc__ = model.__doc__
    return made
