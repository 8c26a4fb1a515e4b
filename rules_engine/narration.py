"""Tells a situation, its questions and its ruling in words, in the same way for every topic."""

import re
from collections.abc import Iterable
from string import Formatter
from typing import Any

import msgspec
from msgspec import Struct

from rules_engine.citations import citation as citation
from rules_engine.errors import EngineError, UnknownName
from rules_engine.game import GAMES, RULEBOOKS, rulebook
from rules_engine.grading import Part, in_order, sum_in
from rules_engine.rulebook import Rulebook
from rules_engine.ruling import DOES_NOT_ARISE, Step, Utterance
from rules_engine.situation import Situation
from rules_engine.spots import spot_name
from rules_engine.tables import Table
from rules_engine.words import FALLBACK, SHARED


class CallLine(Struct, frozen=True):
    """A line of the call log: who, the words in the language of the rulebook, and in the reader's language if that
    differs."""

    by: str
    words: str
    meaning: str

    @property
    def spoken(self) -> bool:
        """Whether it was said. Actions are in brackets and not quoted."""
        return not self.words.startswith("(")


def narrate(situation: Situation, book: Rulebook, language: str) -> list[str]:
    """The facts as one croupier would tell another: the table, what happened, and what came of it."""
    told = [*situation.opening(), *situation.incident.narrated(situation), *situation.sequel()]
    return [_say(id, values, book, language) for id, values in told]


def call_log(situation: Situation, book: Rulebook, language: str) -> list[CallLine]:
    """What was said and done, in order."""
    lines = []
    for call in situation.calls:
        values = {"amount": call.amount}
        words = _say(f"say.{call.says}", values, book, book.language)
        meaning = _say(f"say.{call.says}", values, book, language)
        by = _say("table.by", {"by": call.by}, book, language)
        lines.append(CallLine(by, words, "" if meaning == words else meaning))
    return lines


def ask(key: str, situation: Situation, book: Rulebook, language: str) -> str:
    """The text of a question. Questions about one thing at the table share a sentence that names it."""
    name, _, ref = key.partition(".")
    id, values = situation.about(name, ref)
    return _say(id, values, book, language)


def show(key: str, kind: str, value: Any, book: Rulebook, language: str) -> str:
    """A value of a decision for the reader. An answer that names nothing at the table is shown as it was given."""
    try:
        return _shown(key, kind, value, book, language)
    except UnknownName:
        return ", ".join(map(str, value)) if isinstance(value, list | tuple) else str(value)


def _shown(key: str, kind: str, value: Any, book: Rulebook, language: str) -> str:
    if value is None or value == "":
        return "–"
    if value == DOES_NOT_ARISE:
        own = f"option.{key.partition('.')[0]}.{DOES_NOT_ARISE}"  # where a game has words of its own for it
        return book.text(own if book.words.has(own) else "value.does_not_arise", language)
    if isinstance(value, Utterance):
        return book.say(value, book.language_of(key))
    if kind == "choice":
        return book.text(_option(key, value, book), language)
    if isinstance(value, str):
        value = _as_meant(key, kind, value, book)
    if kind in ("score", "amount", "player"):
        form = kind if kind != "amount" or isinstance(value, int) else ""
        if kind == "score" and not isinstance(value, int):
            return str(value)
        value = str(value) if kind == "player" else value
        return _say(f"value.{form or 'plain'}", {"value": value}, book, language)
    if kind == "number" and isinstance(value, int):
        return _say("value.number", {"value": value}, book, language)
    if kind == "order" and isinstance(value, list | tuple):
        plain = f"numbers_of.{key.partition('.')[0]}"  # where a game means the numbers and not the bets on them
        if book.words.has(plain):
            return _say(plain, {"value": value}, book, language)
        if book.game.asks_for_spots(key):
            return ", ".join(spot_name(str(spot), book, language) for spot in value)
        return _say("value.players", {"value": tuple(map(str, value))}, book, language)
    return str(value)


def _option(key: str, value: Any, book: Rulebook) -> str:
    """The sentence of an option. A game may word it differently for one thing than for another (`fate_loose`)."""
    name, _, ref = key.partition(".")
    own = f"option.{name}_{ref.partition('.')[0]}.{value}"
    return own if book.words.has(own) else f"option.{name}.{value}"


def _as_meant(key: str, kind: str, given: str, book: Rulebook) -> Any:
    """Typed text as a number or as players in order, if it can be read as such."""
    if kind in ("score", "amount", "number"):
        number = sum_in(given, key, book)
        return number if isinstance(number, int) else given
    if kind == "order" and not book.game.asks_for_spots(key):
        return in_order(given)
    return given


def reason(step: Step, book: Rulebook, language: str) -> str:
    """The sentence of one step of the reasoning, without its citation."""
    return _say(f"step.{step.text}", step.values, book, language)


def turned_on(step: Step, situation: Situation, book: Rulebook) -> tuple[str, ...]:
    """What a step of the reasoning names at the table: places (`4a`), cards (`ponto.3`), the `bank`."""
    pattern = book.words.pattern(f"step.{step.text}", FALLBACK)
    kinds = {name: kind or "" for _, name, kind, _ in Formatter().parse(pattern) if name}
    found = [ref for name, value in step.values.items() for ref in situation.pointed(name, kinds.get(name, ""), value)]
    return tuple(dict.fromkeys(found))


def cited(cite: str, book: Rulebook, language: str) -> str:
    """A citation in full: the number of the article, or its heading if the regulation does not number its articles."""
    return book.text("value.cited", language, value=book.law.numbered(cite))


def printed(cites: Iterable[str], book: Rulebook, language: str) -> list[tuple[str, str]]:
    """Clauses with their full citations. Clauses that print the same are listed once, under the first of them."""
    found: dict[str, str] = {}
    for cite in cites:
        found.setdefault(cited(cite, book, language), cite)
    return [(cite, shown) for shown, cite in found.items()]


def lost(part: Part, book: Rulebook, language: str) -> str:
    """One line that says why a point was lost."""
    values = part.values | ({"cite": cited(part.values["cite"], book, language)} if "cite" in part.values else {})
    if (kind := values.get("kind")) in ("score", "amount"):
        slots = {name: values[name] for name in ("said", "right") if isinstance(values[name], int)}
        values |= {name: book.text(f"value.{kind}", language, value=value) for name, value in slots.items()}
    return _say(part.reason, values, book, language) if part.reason else ""


def refusal(error: EngineError, language: str) -> str:
    """The whole error as a sentence: the fact it names, and what is wrong with it."""
    fact = fact_name(error, language)
    return _sentence(f"{fact}: {_wrong(error, language)}" if fact else _wrong(error, language))


def refused(error: EngineError, language: str) -> str:
    """What is wrong, as a sentence, for places where the fact is obvious."""
    return _sentence(_wrong(error, language))


def _sentence(words: str) -> str:
    return words[:1].upper() + words[1:] + ("" if words.endswith((".", "?", "!")) else ".")


def _wrong(error: EngineError, language: str) -> str:
    book = _book(error)
    words, currency = (book.words, error.currency or book.currency) if book else (SHARED, "EUR")
    values = {name: msgspec.to_builtins(value) for name, value in error.values.items()}
    try:
        told = words.refusal(error.template, language, currency=currency, **values)
    except UnknownName:  # a value that has no name in this game is shown as it was given
        told = error.reason
    known = error.known if isinstance(error, UnknownName) else ()
    return told + words.refusal("; known: {known}", language, known=known) if known else told


def _book(error: EngineError) -> Rulebook | None:
    """The rulebook whose words tell an error: the one it was given to, or the one it is about."""
    return RULEBOOKS.get(error.book or str(error.values.get("book", "")))


FACT = re.compile(r"([a-z_]+)(?:\[(\d+)\])?")


def fact_name(error: EngineError, language: str) -> str:
    """The name of the fact in an error: `Stakes, no. 2, player`; empty if it has none."""
    book = _book(error)
    words = book.words if book else SHARED
    path = error.fact.removeprefix("situation.")
    tables = (f"field.{error.kind}", "field", "fact") if path.startswith("incident.") else ("fact", "field")
    parts: list[str] = []
    for name, index in FACT.findall(path.removeprefix("incident.")):
        id = next((id for table in tables if words.has(id := f"{table}.{name}", language)), None)
        if id is None:
            break
        called = words.text(id, language)
        parts.append(called[:1].lower() + called[1:] if parts else called)
        parts += [words.text("fact.numbered", language, number=int(index) + 1)] if index else []
    return ", ".join(parts)


def _say(id: str, values: dict[str, Any], book: Rulebook, language: str) -> str:
    plain = {name: msgspec.to_builtins(value) for name, value in values.items()}
    return book.words.sentence(id, language, currency=book.currency, **plain)


def languages_of(book: Rulebook) -> tuple[str, ...]:
    """The languages of a rulebook's texts: those of its game; for an amendment, only those in which it has a name."""
    named = book.law.enacted.name
    return tuple(language for language in book.game.languages if not named or language in named)


def book_name(book_id: str, language: str) -> str:
    """The name of a rulebook on its own, which always includes its game."""
    book = rulebook(book_id)
    name, game = book.name(language), book.game.name(language)
    return name if game.casefold() in name.casefold() else f"{game}: {name}"


def table_name(table: Table, language: str) -> str:
    """The name of a table: as the house gave it or, if it comes with the rulebook, in the language."""
    return SHARED.catalogue(language).get(f"table_name.{table.name}", table.name)


def books_by_game(language: str, books: Iterable[str] | None = None) -> list[tuple[str, list[tuple[str, str]]]]:
    """Rulebooks as they are listed everywhere: each game by name, with the ids and names of the rulebooks asked for."""
    wanted = None if books is None else set(books)
    found = (
        (game.name(language), [(b.id, b.name(language)) for b in game.books if wanted is None or b.id in wanted])
        for game in GAMES.values()
    )
    return [(name, listed) for name, listed in found if listed]


def chance_name(book_id: str, chance: str, language: str) -> str:
    """The name of a bet: that of its chance or, if it has none, that of the spot it is laid on."""
    book = rulebook(book_id)
    words = book.words
    if words.has(f"chance.{chance}"):
        return words.sentence(f"chance.{chance}", language)
    if chance in book.game.spots:
        name = spot_name(chance, book, language)
        return name[0].upper() + name[1:]
    return words.sentence(f"spot.{chance}", language)


def topic_name(book_id: str, topic: str, language: str) -> str:
    return rulebook(book_id).topic_name(topic, language)
