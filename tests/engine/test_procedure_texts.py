"""The decisions of a house in full: every language that has the short form has the whole text too."""

import pytest

from rules_engine import RULEBOOKS
from rules_engine.words import LANGUAGES

OPTIONS = {
    (book.game.id, kind, option): book.id
    for book in RULEBOOKS.values()
    for kind, silence in book.silences.items()
    for option in silence.options
}


def test_every_silence_is_looked_at() -> None:
    assert len({(game, kind) for game, kind, _option in OPTIONS}) >= 31


@pytest.mark.parametrize(("game", "kind", "option"), OPTIONS)
def test_a_decision_stands_in_full_beside_its_short_form(game: str, kind: str, option: str) -> None:
    """A house signs whole sentences; answers on a phone are a few words."""
    words = RULEBOOKS[OPTIONS[game, kind, option]].game.words
    for language in LANGUAGES:
        known = words.catalogue(language)
        short, full = known.get(f"option.procedure_{kind}.{option}"), known.get(f"procedure.{kind}.{option}")
        assert (short is None) == (full is None) and (full or language not in ("pt", "en")), language
        if short and full:
            assert len(full) > len(short) and full[0].isupper() and full.endswith("."), language
