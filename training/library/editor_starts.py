"""Where a situation to edit starts from: an ordinary one of the kind of incident that was chosen."""

import re
from functools import cache
from typing import Any

from rules_engine import Rulebook, rulebook
from rules_engine.cases import Case
from rules_engine.draw import Draw
from rules_engine.errors import UnknownName
from rules_engine.situation import kind_of
from rules_engine.topics import cases, topics

# A case may make several kinds of incident by chance: enough tries to meet each of them.
TRIES = 12
PLAIN = "plain"
SLOT = re.compile(r"\{[^{}]*\}")
OPEN = re.compile(r"…(\s*…)+")  # values that follow one another


@cache
def _makers(book_id: str) -> dict[str, tuple[Case, ...]]:
    """The cases that can make each kind of incident."""
    book, found = rulebook(book_id), dict[str, dict[str, Case]]()
    for case in cases(book_id):
        for number in range(TRIES):
            kind = kind_of(_make(case, book, f"{PLAIN}-{number}", 2).incident)
            found.setdefault(kind, {})[case.name] = case
    return {kind: tuple(makers.values()) for kind, makers in found.items()}


def _make(case: Case, book: Rulebook, seed: str, difficulty: int) -> Any:
    return case.make(book.game.draw("editor", book.id, case.name, seed, difficulty), book, difficulty)


def example(book: Rulebook, kind: str, seed: str = PLAIN, *, topic: str = "", difficulty: int = 2) -> Any:
    """An ordinary situation with this kind of incident, of a topic where one is wished for."""
    made = _makers(book.id).get(kind)
    if not made:
        raise UnknownName("kind of incident of {book:rulebook}", kind, book=book.id)
    draw = Draw("editor", book.id, kind, seed)
    makers = draw.shuffled([case for case in made if case.topic == topic] or list(made))
    for number in range(TRIES):
        for case in makers:
            situation = _make(case, book, f"{seed}-{number}", difficulty)
            if kind_of(situation.incident) == kind:
                return situation
    # The chance that met it before meets it again.
    return next(
        situation
        for case in makers
        for number in range(TRIES)
        if kind_of((situation := _make(case, book, f"{PLAIN}-{number}", 2)).incident) == kind
    )


def topics_of(book: Rulebook, kind: str) -> list[str]:
    """The topics under which this kind of incident is practised; there is always one."""
    practised = {case.topic for case in _makers(book.id).get(kind, ())}
    return [topic for topic in topics(book.id) if topic in practised]


def articles_of(book: Rulebook, kind: str, topic: str) -> tuple[str, ...]:
    """The clauses that such incidents turn on, as far as their generators promise."""
    made = [case for case in _makers(book.id).get(kind, ()) if case.topic == topic]
    turned_on = {cite for case in made for cite in case.turns_on.get(book.id, ())}
    return tuple(cite for cite in book.law.clauses if cite in turned_on)


def kinds_by_topic(book: Rulebook) -> dict[str, list[str]]:
    """Every kind of incident that the rulebook regulates, under each of its topics in teaching order."""
    return {topic: [kind for kind in book.kinds() if topic in topics_of(book, kind)] for topic in topics(book.id)}


def opened(sentence: str) -> str:
    """A sentence of the catalogue with its values left open."""
    return OPEN.sub("…", SLOT.sub("…", sentence)).replace("….", "…")


@cache
def plain_name(book: Rulebook, kind: str, language: str) -> str:
    """What happens in an incident of this kind, in a sentence or two, with its values left open."""
    shown = example(book, kind, difficulty=1)
    told = shown.incident.narrated(shown)
    sentences = [book.game.words.pattern(id, language) for id, _values in told]
    words = " ".join(dict.fromkeys(opened(sentence) for sentence in sentences))
    return words[:1].upper() + words[1:]
