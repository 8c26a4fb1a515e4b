"""Documents of earlier releases, in which the ids of this game had a prefix."""

from typing import Any

from rules_engine.authoring import Document, Sort

PREFIX = "pb_"
STEP_PREFIX = "pb."


def without_prefix(sort: Sort, data: Document) -> Document:
    """Removes `pb_` from topics, kinds of incident, calls and questions, and `pb.` from the sentences of the
    reasoning."""
    found = dict(data)
    if isinstance(found.get("topic"), str):
        found["topic"] = found["topic"].removeprefix(PREFIX)
    if isinstance(found.get("situation"), dict):
        found["situation"] = _situation(found["situation"])
    if sort == "answer" and isinstance(found.get("parts"), dict):
        found["parts"] = {_plain(key): value for key, value in found["parts"].items()}
    for name in ("questions", "decisions", "parts", "steps"):
        if isinstance(found.get(name), list):
            found[name] = [_item(item) for item in found[name]]
    return found


def _situation(facts: Document) -> Document:
    found = dict(facts)
    incident = found.get("incident")
    if isinstance(incident, dict):
        found["incident"] = {**incident, "kind": _plain(incident.get("kind"))}
    if isinstance(found.get("calls"), list):
        found["calls"] = [
            {**call, "says": _plain(call.get("says"))} if isinstance(call, dict) else call for call in found["calls"]
        ]
    return found


def _item(item: Any) -> Any:
    if not isinstance(item, dict):
        return item
    found = dict(item)
    if "key" in found:
        found["key"] = _plain(found["key"])
    if isinstance(found.get("text"), str):
        found["text"] = found["text"].removeprefix(STEP_PREFIX)
    return found


def _plain(id: Any) -> Any:
    return id.removeprefix(PREFIX) if isinstance(id, str) else id
