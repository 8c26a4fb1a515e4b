"""Questions: what is asked about a situation and what may be picked in answer, so that neither tells the ruling."""

from collections.abc import Collection
from contextlib import suppress
from functools import cached_property
from hashlib import sha256
from typing import Any

import msgspec
from msgspec import Struct

from rules_engine.asking import Asking, questions_for
from rules_engine.errors import ImpossibleFacts, NotRegulated
from rules_engine.rulebook import Rulebook
from rules_engine.ruling import DOES_NOT_ARISE, Decision, Kind, Ruling, Utterance
from rules_engine.situation import Situation

MAX_ALTERNATIVES = 4


class Question(Struct, frozen=True, omit_defaults=True):
    """A decision without its value. `options` are what may be picked; for words they are only the easier mode."""

    key: str
    kind: Kind
    options: tuple[str | int | tuple[str, ...], ...] = ()

    @property
    def may_not_arise(self) -> bool:
        return DOES_NOT_ARISE in self.options


def questions_about(situation: Situation, ruling: Ruling, book: Rulebook) -> tuple[Question, ...]:
    """What the table of questions asks of this kind of incident; facts it does not foresee are asked as ruled."""
    decided = {decision.key: decision for decision in ruling.decisions}
    table = questions_for(book, situation)
    elsewhere = _Elsewhere(situation, book)
    if table is None or not _foreseen(table, decided.keys()):
        return tuple(_question(decision, situation, book, elsewhere) for decision in ruling.decisions)
    found: list[Question] = []
    for asked in table.asked:
        decision = decided.get(asked.key)
        question = (
            _question(decision, situation, book, elsewhere) if decision else _idle_question(asked.key, situation, book)
        )
        found.append(_may_not_arise(question) if asked.open else question)
    return tuple(found)


def _foreseen(table: Asking, decided: Collection[str]) -> bool:
    """Whether all that is decided is in the table, and all that it says is always decided is."""
    known = {item.key for item in table.asked} | table.unasked
    return known.issuperset(decided) and all(item.open or item.key in decided for item in table.asked)


def tell_nothing(questions: tuple[Question, ...], situation: Situation, ruling: Ruling, book: Rulebook) -> bool:
    """Whether these questions are those of the kind of incident, neither more nor fewer for the ruling at hand."""
    table = questions_for(book, situation)
    decided = [decision.key for decision in ruling.decisions]
    asked = [(question.key, question.may_not_arise) for question in questions]
    return table is not None and _foreseen(table, decided) and asked == [(item.key, item.open) for item in table.asked]


def _may_not_arise(question: Question) -> Question:
    return msgspec.structs.replace(question, options=(*question.options, DOES_NOT_ARISE))


def _idle_question(key: str, situation: Situation, book: Rulebook) -> Question:
    """A question that comes to nothing, looking like one that does not. Places in order are typed."""
    kind = book.game.kind_of_question(key)
    if kind == "choice":
        return Question(key, kind, book.game.options(key))
    if kind == "score":
        return Question(key, kind, book.game.scores)
    if kind == "player":
        return Question(key, kind, _players(situation, book, ()))
    if kind == "words":
        return Question(key, kind, _mixed(_common_formulas(book), key, situation)[: MAX_ALTERNATIVES + 1])
    if kind in ("amount", "number"):
        figures = tuple(dict.fromkeys(situation.figures(key)))[: MAX_ALTERNATIVES + 1]
        return Question(key, kind, _mixed(figures, key, situation))
    return Question(key, kind)


def _common_formulas(book: Rulebook) -> tuple[str, ...]:
    """What a croupier of this rulebook says in the same words every time."""
    said = [item for item in book.formulas.values() if item.by == "croupier" and "{" not in item.text[book.language]]
    return tuple(book.say(Utterance(item.name)) for item in said)


def _question(decision: Decision, situation: Situation, book: Rulebook, elsewhere: "_Elsewhere") -> Question:
    if decision.kind == "choice":
        return Question(decision.key, decision.kind, book.game.options(decision.key))
    if decision.kind == "score":
        return Question(decision.key, decision.kind, book.game.scores)
    if decision.kind == "player":
        meant = (str(decision.value), *map(str, decision.tempting))
        return Question(decision.key, decision.kind, _players(situation, book, meant))
    wrong = [*decision.tempting, *elsewhere.answers(decision.key)]
    if decision.kind == "amount" and isinstance(decision.value, int):
        wrong += [decision.value * 2, decision.value // 2]
    candidates = [decision.value, *wrong]
    shown = [_shown(value, book) for value in candidates]
    # Nought is only worth offering where a rule means it.
    meant_nought = 0 in (decision.value, *decision.tempting)
    worth = [option for option in shown if option != "" and (option != 0 or meant_nought)]
    options = tuple(dict.fromkeys(worth))[: MAX_ALTERNATIVES + 1]
    return Question(decision.key, decision.kind, _mixed(options, decision.key, situation))


def _players(situation: Situation, book: Rulebook, meant: tuple[str, ...]) -> tuple[str, ...]:
    """Everybody at the table, in the order of the seats, and then whoever else the rule may have meant."""
    present = situation.people()
    others = sorted({*meant, "nobody"} - set(present), key=lambda who: (who in book.game.staff, who))
    return (*present, *others)


class _Elsewhere:
    """What the other rulebooks of the game rule on these facts: the most tempting mistakes of a well-read dealer."""

    def __init__(self, situation: Situation, book: Rulebook) -> None:
        self._situation = situation
        self._book = book

    @cached_property
    def _rulings(self) -> list[Ruling]:
        found = []
        for other in self._book.game.books:
            if other is not self._book and other.regulates(type(self._situation.incident)):
                with suppress(ImpossibleFacts, NotRegulated):
                    found.append(other.rule(self._situation))
        return found

    def answers(self, key: str) -> list[Any]:
        values = [ruling.get(key) for ruling in self._rulings]
        return [value for value in values if value is not None and not isinstance(value, Utterance)]


def _shown(value: Any, book: Rulebook) -> Any:
    if isinstance(value, Utterance):
        return book.say(value)
    return value


def _mixed(options: tuple[Any, ...], key: str, situation: Situation) -> tuple[Any, ...]:
    """The options in an order that says nothing about which is right."""
    if all(isinstance(option, int) for option in options):
        return tuple(sorted(options))
    salt = key.encode() + msgspec.json.encode(situation, order="sorted")
    return tuple(sorted(options, key=lambda option: sha256(salt + repr(option).encode()).digest()))
