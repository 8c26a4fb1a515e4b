"""Values of the engine in JSON columns."""

from typing import Any

import msgspec


def document(value: Any) -> Any:
    """An engine value as plain data for a JSON column."""
    return msgspec.to_builtins(value)


def as_stored(value: Any) -> Any:
    """An engine value exactly as it comes back from a JSON column, to be compared with what is there."""
    return msgspec.json.decode(msgspec.json.encode(value))
