"""How much the tests that draw samples try: enough to notice a mistake every time, and far more with SABOT_FULL=1."""

import os

FULL = bool(os.environ.get("SABOT_FULL"))


def sample(default: int, full: int) -> int:
    """How many examples to try."""
    return full if FULL else default
