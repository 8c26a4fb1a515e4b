"""What is odd about facts that can be: ruled on all the same, but said, so that an author means it."""

from collections.abc import Callable, Iterable
from typing import Any

import msgspec
from msgspec import Struct

from rules_engine.rulebook import Rulebook
from rules_engine.situation import Situation


class Remark(Struct, frozen=True, omit_defaults=True):
    """One oddity: a sentence of the game (`remark.<id>`) with its values, the fact it is about, and the article."""

    id: str
    fact: str
    values: dict[str, Any] = {}
    cite: str = ""

    @property
    def key(self) -> str:
        """The same for the same oddity: accepted once, it comes back as soon as a value differs."""
        return " ".join([self.id, *(f"{name}={value}" for name, value in sorted(self.values.items()))])


Remarking = Callable[[Any, Rulebook], Iterable[Remark]]


def remarks(situation: Situation, book: Rulebook) -> list[Remark]:
    """Everything that the game finds odd about these facts, each thing once."""
    found = [remark for look in book.game.remarking for remark in look(situation, book)]
    return list({remark.key: remark for remark in found}.values())


def told(remark: Remark, book: Rulebook, language: str) -> str:
    values = {name: msgspec.to_builtins(value) for name, value in remark.values.items()}
    return book.game.words.sentence(f"remark.{remark.id}", language, currency=book.currency, **values)
