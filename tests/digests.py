"""One digest per game and version over what the engine makes from fixed seeds: facts, questions, options, rulings.

`python -m tests.digests` adds the digest of every version that has none yet. It never changes a stored one: once a
version is stored, the same seed must give the same scenario and ruling for as long as that version lasts.
"""

import tomllib
from hashlib import sha256
from pathlib import Path

from rules_engine import GAMES, encode, generate, topics

STORED = Path(__file__).parent / "digests.toml"
SEEDS = range(20)


def digest(game: str) -> str:
    """Over the scenarios of all topics and levels of a game, and the rulings on them."""
    found = sha256()
    for book in GAMES[game].books:
        for topic in topics(book.id):
            for seed in SEEDS:
                scenario = generate(book.id, topic, f"digest {seed}", 1 + seed % 5)
                found.update(encode(scenario))
                found.update(encode(scenario.solve()))
    return found.hexdigest()


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
