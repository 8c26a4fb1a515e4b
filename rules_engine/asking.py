"""Which questions are asked about an incident: `questions.toml` fixes them by kind of incident, whatever the ruling is.

If a trainee were asked exactly what the ruling decides, the questions would give it away: an annulled coup has no
announcement, a refused request has no consequence. So a kind of incident always asks the same questions, and a question
that may not apply offers the answer that it does not arise.
"""

from collections.abc import Mapping, Sequence

from msgspec import Struct

from rules_engine.rulebook import Rulebook
from rules_engine.situation import Situation, kind_of

EVERY_BOOK = "*"
Terms = tuple[tuple[str, ...], ...]


class Asked(Struct, frozen=True):
    """A question to ask. `open`: it may not arise. `nobody`: the answer may be nobody."""

    key: str
    open: bool
    nobody: bool = False


class Item(Struct, frozen=True):
    """One word of a row: `fate.loose.*?@!hidden|kept`. `never` (a minus before it) means that it is decided but not
    asked."""

    key: str
    open: bool
    never: bool
    nobody: bool
    where: Terms

    def applies(self, facts: set[str]) -> bool:
        return not self.where or any(all(_holds(term, facts) for term in terms) for terms in self.where)


Row = tuple[Item, ...]


class Asking(Struct, frozen=True):
    """What a kind of incident asks about these facts, in order, and the decisions it does not ask about."""

    asked: tuple[Asked, ...]
    unasked: frozenset[str]


def load_rows(table: Mapping[str, str | Mapping[str, str]]) -> dict[str, dict[str, Row]]:
    """The rows of a table of questions: each kind of incident has one row for all rulebooks, or a row for each of
    some."""
    return {
        kind: {book: tuple(map(_item, row.split())) for book, row in _by_book(found).items()}
        for kind, found in table.items()
    }


def questions_for(book: Rulebook, situation: Situation) -> Asking | None:
    """The questions of this situation. None if the table has no row for its kind, or if only the floor manager can
    decide."""
    kind = kind_of(situation.incident)
    row = _row(kind, book)
    if row is None or (kind in book.silences and kind not in book.readings):
        return None
    facts: set[str] | None = None
    asked: list[Asked] = []
    unasked: list[str] = []
    for item in row:
        if item.where:
            facts = situation.plain_facts() if facts is None else facts
            if not item.applies(facts):
                continue
        for key in _expanded(item.key, situation):
            for one in (key, *situation.said_again(key, book)):
                if item.never:
                    unasked.append(one)
                else:
                    asked.append(Asked(one, item.open, item.nobody))
    return Asking(tuple(asked), frozenset(unasked))


def plain_questions(book: Rulebook, kind: str) -> tuple[Asked, ...]:
    """The questions that incidents of a kind ask, whatever the facts are. One that depends on the facts may not arise;
    those about single cards or bets are left out."""
    row = _row(kind, book) or ()
    asked = (item for item in row if not item.never and "*" not in item.key)
    return tuple(Asked(item.key, item.open or bool(item.where), item.nobody) for item in asked)


def _by_book(found: str | Mapping[str, str]) -> Mapping[str, str]:
    return {EVERY_BOOK: found} if isinstance(found, str) else found


def _row(kind: str, book: Rulebook) -> Row | None:
    """A row applies to every rulebook, or to one and those that are like it."""
    rows = book.game.asked.get(kind, {})
    text: Rulebook | None = book
    while text:
        if row := rows.get(text.id):
            return row
        text = text.like
    return rows.get(EVERY_BOOK) or None


def _item(word: str) -> Item:
    name, _, where = word.partition("@")
    terms = tuple(tuple(some.split("&")) for some in where.split("|")) if where else ()
    return Item(name.strip("-?~"), name.endswith("?"), name.startswith("-"), name.endswith("~"), terms)


def _holds(term: str, facts: set[str]) -> bool:
    return term[1:] not in facts if term.startswith("!") else term in facts


def _expanded(key: str, situation: Situation) -> Sequence[str]:
    """A star stands for every card of a heap, everybody who has a bet, or whatever else the table has of that kind."""
    if "*" not in key:
        return (key,)
    stem = key.partition("*")[0]
    return [f"{stem}{one}" for one in situation.every(stem)]
