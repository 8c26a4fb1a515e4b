"""One digest per game and version over what the engine makes from fixed seeds: facts, questions, options, rulings.

`python -m tests.digests` adds the digest of every version that has none yet. It never changes a stored one: once a
version is stored, the same seed must give the same scenario and ruling for as long as that version lasts.
"""

import tomllib
from hashlib import sha256
from pathlib import Path

from rules_engine import GAMES, Adopted, Rulebook, encode, generate, topics
from rules_engine.silences import TOPIC as SILENCES

STORED = Path(__file__).parent / "digests.toml"
SEEDS = range(20)


def digest(game: str) -> str:
    """Over the scenarios of all topics and levels of a game, and the rulings on them."""
    found = sha256()
    for book in GAMES[game].books:
        for topic in topics(book.id):
            for seed in SEEDS:
                readings = _procedures(book, seed) if topic == SILENCES else None
                scenario = generate(book.id, topic, f"digest {seed}", 1 + seed % 5, readings=readings)
                found.update(encode(scenario))
                found.update(encode(scenario.solve()))
    return found.hexdigest()


def _procedures(book: Rulebook, seed: int) -> dict[str, Adopted]:
    """Where the law is silent, one decision that a house may adopt after the other."""
    return {kind: Adopted(one.options[seed % len(one.options)]) for kind, one in book.silences.items()}


def stored() -> dict[str, dict[str, str]]:
    """The digests by game and version."""
    return tomllib.loads(STORED.read_text("utf-8")) if STORED.exists() else {}


def store() -> None:
    found = stored()
    for name, game in GAMES.items():
        versions = found.setdefault(name, {})
        versions.setdefault(game.version, digest(name))
    lines = ["# Written by `python -m tests.digests`; a line that is here never changes.\n"]
    for name, versions in found.items():
        lines += [f"\n[{name}]\n", *(f'"{version}" = "{value}"\n' for version, value in versions.items())]
    STORED.write_text("".join(lines), encoding="utf-8")


if __name__ == "__main__":
    store()
