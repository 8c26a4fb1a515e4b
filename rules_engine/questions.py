"""Questions: what is asked about a situation and which options are offered, without giving the ruling away."""

from collections.abc import Collection, Sequence
from functools import lru_cache
from hashlib import sha256
from typing import Any

import msgspec
from msgspec import Struct

from rules_engine.announcements import heard_as
from rules_engine.asking import Asking, questions_for
from rules_engine.rulebook import Rulebook
from rules_engine.ruling import DOES_NOT_ARISE, Decision, Kind, Ruling, Utterance
from rules_engine.situation import Situation

MAX_ALTERNATIVES = 4
MAX_PHRASES = 6  # announcements to choose from
NOBODY = "nobody"


class Question(Struct, frozen=True, omit_defaults=True):
    """A decision without its value. `options` may be picked; announcements offer them only in the easier mode."""

    key: str
    kind: Kind
    options: tuple[str | int | tuple[str, ...], ...] = ()

    @property
    def may_not_arise(self) -> bool:
        return DOES_NOT_ARISE in self.options


def questions_about(situation: Situation, ruling: Ruling, book: Rulebook) -> tuple[Question, ...]:
    """What the table of questions asks about this kind of incident. Facts that it does not cover are asked as they are
    ruled."""
    decided = {decision.key: decision for decision in ruling.decisions}
    table = questions_for(book, situation)
    if table is None or not _foreseen(table, decided.keys()):
        return tuple(_question(decision, situation, book) for decision in ruling.decisions)
    found: list[Question] = []
    for asked in table.asked:
        decision = decided.get(asked.key)
        question = _question(decision, situation, book) if decision else _idle_question(asked.key, situation, book)
        if asked.open:
            question = _may_not_arise(question)
        elif not asked.nobody and (decision is None or decision.value != NOBODY):
            question = _somebody(question)
        found.append(question)
    return tuple(found)


def _foreseen(table: Asking, decided: Collection[str]) -> bool:
    """Whether every decision is in the table, and everything that the table says is always decided was decided."""
    known: set[str] = set(table.unasked)
    for item in table.asked:
        if not item.open and item.key not in decided:
            return False
        known.add(item.key)
    return known.issuperset(decided)


def tell_nothing(
    questions: tuple[Question, ...],
    situation: Situation,
    ruling: Ruling,
    book: Rulebook,
    *,
    left_out: Collection[str] = (),
) -> bool:
    """Whether these are exactly the questions of the kind of incident, but for those left out, so that they reveal
    nothing about the ruling."""
    table = questions_for(book, situation)
    decided = [decision.key for decision in ruling.decisions]
    asked = [(question.key, question.may_not_arise) for question in questions]
    return (
        table is not None
        and _foreseen(table, decided)
        and asked == [(item.key, item.open) for item in table.asked if item.key not in left_out]
    )


def _may_not_arise(question: Question) -> Question:
    """The question with the option that it does not arise. That replaces nobody, because both would be right."""
    named = _somebody(question)
    return msgspec.structs.replace(named, options=(*named.options, DOES_NOT_ARISE))


def _somebody(question: Question) -> Question:
    """The question without the option nobody, where that is never the answer."""
    if question.kind != "player":
        return question
    return msgspec.structs.replace(question, options=tuple(one for one in question.options if one != NOBODY))


def _idle_question(key: str, situation: Situation, book: Rulebook) -> Question:
    """A question that does not arise, made to look like one that does. Orders of places are typed."""
    kind = book.game.kind_of_question(key)
    if kind == "choice":
        return Question(key, kind, book.game.options(key, book.coded_as))
    if kind == "score":
        return Question(key, kind, book.game.scores)
    if kind == "player":
        return Question(key, kind, _players(key, situation, book, ()))
    if kind == "words":
        if listed := _listed(key, situation, book):
            return Question(key, kind, listed)
        said = _common_formulas(book, book.language_of(key))
        return Question(key, kind, _mixed(said, key, situation)[: MAX_ALTERNATIVES + 1])
    if kind in ("amount", "number"):
        figures = list(situation.figures(key))
        figures += _further(figures) if kind == "amount" else []
        return Question(key, kind, _mixed(tuple(dict.fromkeys(figures))[: MAX_ALTERNATIVES + 1], key, situation))
    if kind == "order" and book.game.pointing.get(name := key.partition(".")[0]) == "spot":
        spots = tuple(_shown((spot,), key, book) for spot in situation.offered(name))
        return Question(key, kind, _mixed(spots, key, situation)[: MAX_ALTERNATIVES + 1])
    return Question(key, kind)


def _listed(key: str, situation: Situation, book: Rulebook, right: Any = None) -> tuple[Any, ...]:
    """The announcements that the game lists for these facts, whatever the ruling is; empty if it lists none or not the
    right one."""
    listed = tuple(dict.fromkeys(_shown(said, key, book) for said in situation.likely(key)))[:MAX_PHRASES]
    return _mixed(listed, key, situation) if right is None or _shown(right, key, book) in listed else ()


def _common_formulas(book: Rulebook, language: str) -> tuple[str, ...]:
    """What a croupier of this rulebook says in the same words every time."""
    said = [item for item in book.formulas.values() if item.by == "croupier" and "{" not in item.text[book.language]]
    return tuple(dict.fromkeys(book.say(Utterance(item.name), language) for item in said))


def _question(decision: Decision, situation: Situation, book: Rulebook) -> Question:
    if decision.kind == "choice":
        known = book.game.options(decision.key, book.coded_as)
        options = known if decision.value in known else book.game.options(decision.key)
        return Question(decision.key, decision.kind, options)
    if decision.kind == "score":
        return Question(decision.key, decision.kind, book.game.scores)
    if decision.kind == "player":
        meant = (str(decision.value), *map(str, decision.tempting))
        return Question(decision.key, decision.kind, _players(decision.key, situation, book, meant))
    if decision.kind == "words" and (listed := _listed(decision.key, situation, book, decision.value)):
        return Question(decision.key, decision.kind, listed)
    wrong = [*decision.tempting, *situation.likely(decision.key)]
    worth = _worth_offering(decision, [*wrong, *_invented(decision, wrong, situation, book)], book)
    if len(worth) == 1:
        worth += [option for option in _others_like(decision, book) if not _also_right(option, decision, book)]
    offered = tuple(dict.fromkeys(worth))[: MAX_ALTERNATIVES + 1]
    return Question(decision.key, decision.kind, _mixed(offered, decision.key, situation))


def _invented(decision: Decision, wrong: list[Any], situation: Situation, book: Rulebook) -> list[Any]:
    """More wrong amounts, or more orders where the right order has one member."""
    if decision.kind == "amount" and isinstance(decision.value, int):
        return _further([decision.value] if decision.value else [one for one in wrong if isinstance(one, int)])
    if decision.kind == "order" and isinstance(decision.value, tuple) and len(decision.value) == 1:
        name, only = decision.key.partition(".")[0], decision.value[0]
        others = [other for other in situation.offered(name) if other != only]
        return [(other,) for other in others] if book.game.pointing.get(name) == "spot" else _beside(only, others)
    return []


def _worth_offering(decision: Decision, wrong: list[Any], book: Rulebook) -> list[Any]:
    """The right option and the wrong ones as they are shown, without those that are right too, empty or negative. Zero
    is offered only where the rule mentions it."""
    right, *others = [_shown(value, decision.key, book) for value in (decision.value, *wrong)]
    shown = [right, *(option for option in dict.fromkeys(others) if not _also_right(option, decision, book))]
    zero = 0 in (decision.value, *decision.tempting)
    worth = [option for option in shown if option != "" and (option != 0 or zero) and not _negative(option)]
    return list(dict.fromkeys(worth))


def _others_like(decision: Decision, book: Rulebook) -> list[Any]:
    """More options where nothing tempts, so that there is a choice."""
    right = decision.value
    if decision.kind == "order" and isinstance(right, tuple) and len(right) > 1:
        return [right[::-1], (*right[1:], right[0]), (right[1], right[0], *right[2:])]
    if decision.kind == "words":
        return [one for one in _common_formulas(book, book.language_of(decision.key)) if one]
    return []


def _beside(only: str, others: Sequence[str]) -> list[tuple[str, ...]]:
    """Orders to choose from where the right one has one member: with the next at the table, or that one instead."""
    return [(only, others[0]), (others[0], only), (others[0],)] if others else []


def _also_right(option: Any, decision: Decision, book: Rulebook) -> bool:
    """Whether the listener would accept these words too, so that they cannot be a wrong option."""
    said = decision.value
    if not isinstance(said, Utterance):
        return False
    return _heard(book, said.formula, tuple(said.slots.items()), str(option), book.language_of(decision.key))


@lru_cache(maxsize=10_000)
def _heard(book: Rulebook, formula: str, slots: tuple[tuple[str, int | str], ...], text: str, language: str) -> bool:
    return heard_as(book.formula(formula), Utterance(formula, dict(slots)), text, language)


def _negative(option: Any) -> bool:
    return isinstance(option, int) and option < 0


def _further(sums: list[int]) -> list[int]:
    """More sums besides the tempting ones, so that the number of options is the same whether or not something is
    due."""
    most = max(sums, default=0)
    return [most * 2, most // 2, most * 3 // 2, most * 3] if most else []


def _players(key: str, situation: Situation, book: Rulebook, meant: tuple[str, ...]) -> tuple[str, ...]:
    """Everybody at the table in the order of the seats, then whoever else the rule may have meant."""
    present = situation.candidates(key.partition(".")[0])
    others = sorted({*meant, NOBODY} - set(present), key=lambda who: (who in book.game.staff, who))
    return (*present, *others)


def _shown(value: Any, key: str, book: Rulebook) -> Any:
    if isinstance(value, Utterance):
        return _said(book, value.formula, tuple(value.slots.items()), book.language_of(key))
    return value


@lru_cache(maxsize=10_000)
def _said(book: Rulebook, formula: str, slots: tuple[tuple[str, int | str], ...], language: str) -> str:
    return book.say(Utterance(formula, dict(slots)), language)


def _mixed(options: tuple[Any, ...], key: str, situation: Situation) -> tuple[Any, ...]:
    """The options in an order that does not reveal the right one."""
    if all(isinstance(option, int) for option in options):
        return tuple(sorted(options))
    salted = sha256(key.encode() + msgspec.json.encode(situation, order="sorted"))

    def place(option: Any) -> bytes:
        digest = salted.copy()
        digest.update(repr(option).encode())
        return digest.digest()

    return tuple(sorted(options, key=place))
