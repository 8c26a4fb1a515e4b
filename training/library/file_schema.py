"""The JSON Schema of scenario files."""

from typing import Any

from rules_engine.schema import schema as engine_schema
from rules_engine.words import LANGUAGES
from training.library import moments, tags
from training.library.author_texts import LIMITS
from training.library.import_export import MAX_SCENARIOS, NEEDED


def file_schema() -> dict[str, Any]:
    """The engine's scenario with fewer required fields, and with texts, tags and later moments."""
    document = engine_schema()
    scenario = document["$defs"]["Scenario"]
    scenario["required"] = list(NEEDED)
    texts = {name: {"type": "string", "maxLength": limit} for name, limit in LIMITS.items()}
    words = {"type": "object", "properties": texts, "additionalProperties": False}
    scenario["properties"]["words"] = {
        "type": "object",
        "propertyNames": {"enum": list(LANGUAGES)},
        "additionalProperties": words,
    }
    tag = {"type": "string", "maxLength": tags.LONGEST}
    scenario["properties"]["tags"] = {"type": "array", "items": tag, "maxItems": tags.MOST}
    scenario["properties"]["situation"] = True
    scenario["additionalProperties"] = False
    later = scenario | {"properties": dict(scenario["properties"]), "required": list(NEEDED[1:])}
    del later["properties"]["tags"]
    document["$defs"]["Moment"] = later | {"title": "Moment"}
    moment = {"$ref": "#/$defs/Moment"}
    scenario["properties"]["moments"] = {"type": "array", "items": moment, "maxItems": moments.MOST - 1}
    del document["$ref"]
    return document | {
        "title": f"Sabot scenario file, {document['title']}",
        "type": "array",
        "minItems": 1,
        "maxItems": MAX_SCENARIOS,
        "items": {"$ref": "#/$defs/Scenario"},
    }
