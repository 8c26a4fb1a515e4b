"""What is odd about possible facts. They are ruled on, but the author is told, to confirm that they are meant."""

from collections.abc import Callable, Iterable
from typing import Any

import msgspec
from msgspec import Struct

from rules_engine.rulebook import Rulebook
from rules_engine.situation import Situation


class Remark(Struct, frozen=True, omit_defaults=True):
    """Something odd: a sentence of the game (`remark.<id>`) with its values, the fact it is about, and the article."""

    id: str
    fact: str
    values: dict[str, Any] = {}
    cite: str = ""

    @property
    def key(self) -> str:
        """The same for the same oddity. Once accepted, it comes back only if a value changes."""
        return " ".join([self.id, *(f"{name}={value}" for name, value in sorted(self.values.items()))])


Remarking = Callable[[Any, Rulebook], Iterable[Remark]]


def remarks(situation: Situation, book: Rulebook) -> list[Remark]:
    """Everything the game finds odd about these facts, each once."""
    found = [remark for look in book.game.remarking for remark in look(situation, book)]
    return list({remark.key: remark for remark in found}.values())


def told(remark: Remark, book: Rulebook, language: str) -> str:
    values = {name: msgspec.to_builtins(value) for name, value in remark.values.items()}
    return book.words.sentence(f"remark.{remark.id}", language, currency=book.currency, **values)
