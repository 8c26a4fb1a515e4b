"""Text without case and accents, as people search and sort names."""

import unicodedata


def folded(text: str) -> str:
    bare = unicodedata.normalize("NFKD", text.casefold())
    return "".join(character for character in bare if not unicodedata.combining(character))
