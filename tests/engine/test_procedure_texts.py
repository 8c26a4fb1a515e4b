"""The decisions of a house in full: each language has the short form and the whole text."""

import pytest

from rules_engine import GAMES

OPTIONS = [
    (game.id, kind, option)
    for game in GAMES.values()
    for kind, silence in game.silences.items()
    for option in silence.options
]


def test_every_silence_is_looked_at() -> None:
    assert len({(game, kind) for game, kind, _option in OPTIONS}) >= 31


@pytest.mark.parametrize(("game", "kind", "option"), OPTIONS)
def test_a_decision_stands_in_full_beside_its_short_form(game: str, kind: str, option: str) -> None:
    """A house signs whole sentences; answers on a phone are a few words."""
    for language in GAMES[game].languages:
        known = GAMES[game].words.catalogue(language)
        short, full = known.get(f"option.procedure_{kind}.{option}"), known.get(f"procedure.{kind}.{option}")
        assert short and full and len(full) > len(short) and full[0].isupper() and full.endswith("."), language
