"""Small pictures of the cloths, to recognise a game by. They are decoration and carry no information."""

from django.templatetags.static import static

from rules_engine import RULEBOOKS

# Rulebooks whose cloth differs from the other rulebooks of their game.
OWN_CLOTH = {"pt-roleta-francesa": "roulette-french"}


def picture(book: str) -> str:
    """The URL of the picture of a rulebook's cloth."""
    return static(f"sabot/felts/{OWN_CLOTH.get(book, RULEBOOKS[book].game.id)}.svg")
