"""Telling a situation, its questions and its ruling in words, the same for every topic."""

import re
from string import Formatter
from typing import Any

import msgspec
from msgspec import Struct

from rules_engine.announcements import speak
from rules_engine.errors import UnknownName
from rules_engine.grading import Part
from rules_engine.rulebook import Rulebook
from rules_engine.ruling import DOES_NOT_ARISE, Step, Utterance
from rules_engine.words import FALLBACK, catalogue, sentence, text


class CallLine(Struct, frozen=True):
    """A line of the call log: who, the words in the rulebook's language, and in the reader's where they differ."""

    by: str
    words: str
    meaning: str


def narrate(situation: Any, book: Rulebook, language: str) -> list[str]:
    """The facts as one croupier would tell another: the table, then what happened."""
    return [_say(id, values, book, language) for id, values in [*situation.opening(), *situation.incident.narration()]]


def call_log(situation: Any, book: Rulebook, language: str) -> list[CallLine]:
    """What was said and done, in order, as it was said at that table."""
    lines = []
    for call in situation.calls:
        values = {"amount": call.amount}
        words = _say(f"say.{call.says}", values, book, book.language)
        meaning = _say(f"say.{call.says}", values, book, language)
        by = _say("table.by", {"by": call.by}, book, language)
        lines.append(CallLine(by, words, "" if meaning == words else meaning))
    return lines


def ask(key: str, situation: Any, book: Rulebook, language: str) -> str:
    """The text of a question. Questions about one card share a sentence that names it, or where it lies face down."""
    name, _, ref = key.partition(".")
    if name == "fate" and ref in situation.hidden:
        heap, _, number = ref.partition(".")
        return _say("question.fate_hidden", {"heap": heap, "number": number}, book, language)
    values = {"card": situation.card(ref), "ref": ref} if name == "fate" and ref else {"ref": ref}
    return _say(f"question.{name}", values, book, language)


def show(key: str, kind: str, value: Any, book: Rulebook, language: str) -> str:
    """A value of a decision as the reader should see it; an answer that names nothing at the table, as it was given."""
    try:
        return _shown(key, kind, value, book, language)
    except UnknownName:
        return ", ".join(map(str, value)) if isinstance(value, list | tuple) else str(value)


def _shown(key: str, kind: str, value: Any, book: Rulebook, language: str) -> str:
    if value is None or value == "":
        return "–"
    if value == DOES_NOT_ARISE:
        return text("value.does_not_arise", language)
    if isinstance(value, Utterance):
        return speak(book.formula(value.formula), value, book.language)
    if kind == "choice":
        return text(f"option.{key.partition('.')[0]}.{value}", language)
    if kind in ("score", "amount", "player"):
        form = kind if kind != "amount" or isinstance(value, int) else ""
        if kind == "score" and not isinstance(value, int):
            return str(value)
        value = str(value) if kind == "player" else value
        return _say(f"value.{form or 'plain'}", {"value": value}, book, language)
    if kind == "order" and isinstance(value, list | tuple):
        return _say("value.players", {"value": tuple(map(str, value))}, book, language)
    return str(value)


def reason(step: Step, book: Rulebook, language: str) -> str:
    """The sentence of one step of the reasoning, without its citation."""
    return _say(f"step.{step.text}", step.values, book, language)


def turned_on(step: Step, situation: Any) -> tuple[str, ...]:
    """What a step of the reasoning names, by where it is at the table: places (`4a`), cards (`ponto.3`), the `bank`."""
    kinds = {name: kind for _, name, kind, _ in Formatter().parse(catalogue(FALLBACK)[f"step.{step.text}"]) if name}
    found: list[str] = []
    for name, value in step.values.items():
        kind = kinds.get(name, "")
        if kind in ("player", "players"):
            found += _places(value, situation)
        elif kind in ("card", "cards"):
            found += _refs((value,) if isinstance(value, str) else value, situation)
        elif name in ("ponto", "banker") and isinstance(value, int) and kind in ("score", ""):
            found += [f"{name}.{number}" for number in range(1, len(situation.heap(name)) + 1)]
        elif kind == "amount" and name == "bank":
            found.append(name)
    return tuple(dict.fromkeys(found))


def _places(value: Any, situation: Any) -> list[str]:
    parts = {"banker": getattr(situation, "banker", None), "ponto": getattr(situation, "holder", None)}
    people = [value] if isinstance(value, (str, int)) else value or ()
    return [place for who in people if (place := parts.get(str(who), str(who))) and place[0].isdigit()]


def _refs(cards: Any, situation: Any) -> list[str]:
    """Where these cards lie: together where they are a whole heap, else wherever each of them is first found."""
    heaps = {name: situation.heap(name) for name in ("ponto", "banker", "loose", "next")}
    for name, heap in heaps.items():
        if heap and tuple(cards) == heap:
            return [f"{name}.{number}" for number in range(1, len(heap) + 1)]
    lying = [(f"{name}.{number}", card) for name, heap in heaps.items() for number, card in enumerate(heap, start=1)]
    found: list[str] = []
    for card in cards or ():
        found += [ref for ref, other in lying if other == card and ref not in found][:1]
    return found


def citation(cite: str) -> str:
    """A citation as the regulation counts: letters and paragraphs; our own division of a paragraph is left out."""
    article, _, clause = cite.partition(" ")
    letter = re.fullmatch(r"([a-z])(-\d+)?", clause)
    paragraph = re.fullmatch(r"p(\d+)(-\d+)?", clause)
    if letter:
        return f"{article} {letter[1]})"
    return f"{article} §{paragraph[1]}" if paragraph else article


def cited(cite: str, language: str) -> str:
    """A citation in full: the article by its number, or the heading where the regulation does not count."""
    article = cite.partition(" ")[0]
    if article[:1].isdigit():
        return text("cited.article", language, cite=citation(cite))
    return text("cited.heading", language, name=text(f"cited.headings.{article}", language))


def lost(part: Part, book: Rulebook, language: str) -> str:
    """One line on why a point was lost."""
    values = part.values | ({"cite": citation(part.values["cite"])} if "cite" in part.values else {})
    return _say(part.reason, values, book, language) if part.reason else ""


def _say(id: str, values: dict[str, Any], book: Rulebook, language: str) -> str:
    plain = {name: msgspec.to_builtins(value) for name, value in values.items()}
    return sentence(id, language, currency=book.currency, **plain)


def languages_of(book: Rulebook) -> tuple[str, ...]:
    """The languages a rulebook is told in: Portuguese and English, and its own."""
    return tuple(dict.fromkeys(("en", "pt", book.language)))


def missing_sentences(language: str) -> list[str]:
    """Sentences that English has and a language lacks."""
    return sorted(set(catalogue("en")) - set(catalogue(language)))
