"""Every game has its own version: changing one leaves the scenarios of all others as they are, byte for byte."""

import pytest

from rules_engine import GAMES, encode, generate, topics
from tests import digests

SEEDS = range(4)


def made(game: str) -> list[bytes]:
    """Some scenarios of every topic of a game."""
    return [
        encode(generate(book.id, topic, seed, 1 + seed))
        for book in GAMES[game].books
        for topic in topics(book.id)
        for seed in SEEDS
    ]


@pytest.mark.parametrize("changed", GAMES)
def test_a_new_version_of_one_game_moves_no_other(changed: str, monkeypatch: pytest.MonkeyPatch) -> None:
    before = {game: made(game) for game in GAMES}
    monkeypatch.setattr(GAMES[changed], "version", "99.0.0")
    after = {game: made(game) for game in GAMES}
    assert {game for game in GAMES if before[game] != after[game]} == {changed}
    # Not only the version is written otherwise: other facts are drawn.
    plain = [document.replace(b"99.0.0", GAMES[changed].version.encode()) for document in after[changed]]
    assert len(set(plain) & set(before[changed])) < len(plain) / 2


@pytest.mark.parametrize("game", GAMES)
def test_what_a_version_makes_never_changes(game: str) -> None:
    """Facts, questions, options or rulings changed: give the game a new version, then `python -m tests.digests`."""
    assert digests.stored()[game].get(GAMES[game].version) == digests.digest(game)
