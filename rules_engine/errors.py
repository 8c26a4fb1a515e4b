"""Errors about what the engine is given. Each names the fact and says what is wrong with it.

The message is an English sentence with open values, and the values: `"nobody is at {place}", place="7"`. The sentence
is also the key under which `words/<language>/refusals.toml` has the translation. A value may say how it is shown
(`{who:player}`, `{sum:amount}`), as in every sentence of the engine; `str(error)` shows values unformatted.
"""

import string
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any, Self


class EngineError(ValueError):
    """Something given to the engine cannot be used. `fact` says where it is, if it is anywhere.

    `book` is the rulebook it was given to, `kind` the kind of incident and `currency` that of its sums, if known.
    """

    book = ""
    kind = ""
    currency = ""

    def __init__(self, template: str, /, *, fact: str = "", **values: Any) -> None:
        self.fact = fact
        self.template = template
        self.values = values
        super().__init__(self._plainly())

    @property
    def reason(self) -> str:
        """What is wrong, in English, without the fact."""
        return _PLAIN.vformat(self.template, (), self.values)

    def tell(self, *, book: str, kind: str, currency: str = "") -> None:
        """Add the rulebook and the kind of incident in whose words it is told, and the currency, unless it has them."""
        self.book, self.kind, self.currency = self.book or book, self.kind or kind, self.currency or currency

    def _plainly(self) -> str:
        return f"{self.fact}: {self.reason}" if self.fact else self.reason


class ImpossibleFacts(EngineError):
    """Facts that cannot occur at a real table. They are refused; facts that are merely irregular are ruled on."""

    def __init__(self, fact: str, template: str, /, **values: Any) -> None:
        super().__init__(template, fact=fact, **values)

    def within(self, place: str) -> Self:
        """The same error for a fact that is part of another: `number` within `bets[2]`."""
        return type(self)(f"{place}.{self.fact}", self.template, **self.values)


class NotRegulated(EngineError):
    """The rulebook has no rule for this kind of incident."""


class UnknownName(EngineError):
    """No rulebook, topic, article or question has that name."""

    def __init__(self, what: str, name: str, known: Iterable[object] = (), **values: Any) -> None:
        self.known = tuple(sorted(map(str, known)))
        super().__init__(f"unknown {what} {{name!r}}", name=name, **values)

    def _plainly(self) -> str:
        return super()._plainly() + (f"; known: {', '.join(self.known)}" if self.known else "")


@contextmanager
def given_to(*, book: str = "", kind: str = "", currency: str = "") -> Iterator[None]:
    """Errors raised inside are told in the words of this rulebook and this kind of incident, with sums in this
    currency."""
    try:
        yield
    except EngineError as error:
        error.tell(book=book, kind=kind, currency=currency)
        raise


class _Plain(string.Formatter):
    """Shows values unformatted, whatever the sentence asks for."""

    def format_field(self, value: Any, format_spec: str) -> str:
        return (", ".join(map(str, value)) or "none") if isinstance(value, list | tuple) else str(value)


_PLAIN = _Plain()
