"""The letters and numbered paragraphs of an article in the official wording."""

import re
from typing import NamedTuple

# An item begins a line: `m) …`, `2. …`, `2 — …`, `§ 1.º …`.
ITEM = re.compile(r"^\W{0,2}(?P<label>[a-z]{1,2}|\d{1,2})\s{0,3}\.?[ºo°]?\s{0,3}(?:\)|[.—–-])\s", re.IGNORECASE)
LETTER = re.compile(r"^(?:.* )?(?P<letter>[a-z])(?:-\w+)?$")


class Part(NamedTuple):
    """A paragraph of an article. `label` is its letter or number; empty if it has none of its own."""

    label: str
    text: str


def parts(text: str) -> list[Part]:
    """The paragraphs of an article, each with its letter or number."""
    found = []
    for line in text.split("\n"):
        if line.strip():
            item = ITEM.match(line)
            found.append(Part(item["label"].lower() if item else "", line.strip()))
    return found


def label_of(cite: str) -> str:
    """The letter of a clause, as the official wording prints it; empty if the clause is not one."""
    found = LETTER.match(cite.partition(" ")[2])
    return found["letter"] if found else ""
