"""Engine values in JSON columns."""

from typing import Any

import msgspec


def document(value: Any) -> Any:
    """Convert an engine value to plain data for a JSON column."""
    return msgspec.to_builtins(value)


def as_stored(value: Any) -> Any:
    """Convert an engine value to exactly what a JSON column returns, to compare it with a stored one."""
    return msgspec.json.decode(msgspec.json.encode(value))
