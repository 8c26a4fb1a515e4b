"""Checks the strength of SECRET_KEY. It signs sessions and seals secrets, so guessing it gives full access."""

import itertools
import zlib
from pathlib import Path

SHORTEST = 40  # characters: 20 random bytes in hexadecimal
PLAINEST = 36  # least size in bytes when compressed; repetitions and sequences get much smaller
# Words from examples and templates. A random key contains one about once in a hundred million.
WELL_KNOWN = ("changeme", "change-me", "change_me", "secret", "insecure", "password", "example", "qwerty", "01234567")
HOW = "python3 -c 'import secrets; print(secrets.token_urlsafe(48))' makes a good one"


def weakness(key: str, *, of_demo: Path) -> str:
    """Why production must not start with this key; empty if it may. `of_demo` is the file with the demo's key."""
    if len(key) < SHORTEST:
        return f"has {len(key)} characters and needs at least {SHORTEST}"
    if any(word in key.lower() for word in WELL_KNOWN):
        return "looks like an example"
    steps = bytes((ord(after) - ord(before)) % 256 for before, after in itertools.pairwise(key))
    if min(len(zlib.compress(key.encode(), 9)), len(zlib.compress(steps, 9))) < PLAINEST:
        return "is not random"
    if of_demo.exists() and of_demo.read_text().strip() == key:
        return "is the key of the demo"
    return ""
