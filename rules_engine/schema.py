"""The JSON Schema of what goes in and out of the engine: scenarios with every incident, rulings, answers and marks.

It is made from the same types that check the data, so it cannot say anything else than they do.
"""

from functools import reduce
from operator import or_
from typing import Any

import msgspec
from msgspec import Struct

from rules_engine.chemin_de_fer.table import Situation as CheminDeFerSituation
from rules_engine.chemin_de_fer.table import incidents as chemin_de_fer_incidents
from rules_engine.grading import Answer, Mark
from rules_engine.ponto_banca.table import Situation as PontoBancaSituation
from rules_engine.ponto_banca.table import incidents as ponto_banca_incidents
from rules_engine.rulebook import RULEBOOKS
from rules_engine.ruling import Ruling
from rules_engine.scenario import Scenario
from rules_engine.version import VERSION

DIALECT = "https://json-schema.org/draft/2020-12/schema"


def schema() -> dict[str, Any]:
    """One document with a definition for each type; `Scenario`, `Ruling`, `Answer` and `Mark` are where to start."""
    situations = {
        "chemin_de_fer": _with_incidents("CheminDeFerSituation", CheminDeFerSituation, chemin_de_fer_incidents()),
        "ponto_banca": _with_incidents("PontoBancaSituation", PontoBancaSituation, ponto_banca_incidents()),
    }
    types = [Scenario, Ruling, Answer, Mark, *situations.values()]
    _, definitions = msgspec.json.schema_components(types, ref_template="#/$defs/{name}")
    scenario = definitions["Scenario"]
    # Which game's facts a scenario holds follows from its rulebook.
    scenario["properties"]["rulebook"] = {"enum": list(RULEBOOKS)}
    del scenario["properties"]["situation"]
    scenario["oneOf"] = [
        {
            "properties": {
                "rulebook": {"enum": [book.id for book in RULEBOOKS.values() if book.game == game]},
                "situation": {"$ref": f"#/$defs/{model.__name__}"},
            }
        }
        for game, model in situations.items()
    ]
    return {
        "$schema": DIALECT,
        "title": f"Sabot rules engine {VERSION}",
        "$ref": "#/$defs/Scenario",
        "$defs": dict(sorted(definitions.items())),
    }


def _with_incidents(name: str, model: type[Struct], kinds: dict[str, Any]) -> type[Struct]:
    """The type of a game's facts with its incident spelt out: one of the kinds known by their `kind`."""
    incident = reduce(or_, kinds.values())
    fields: list[Any] = []
    for field in msgspec.structs.fields(model):
        kind = incident if field.name == "incident" else field.type
        required = field.default is msgspec.NODEFAULT
        fields.append((field.name, kind) if required else (field.name, kind, field.default))
    facts = msgspec.defstruct(name, fields, kw_only=True, forbid_unknown_fields=True)
    facts.__doc__ = model.__doc__
    return facts
