"""What changes if one fact changes: situations that differ from a given one in a single fact and are ruled differently.

One fact is varied at a time, first in the incident, then at the table: yes or no, another option, another player, a
number one up or down, a card worth one more or less. Impossible facts, facts the rulebook does not regulate, and
changes that alter no answer are left out.
"""

from collections.abc import Iterable, Iterator
from typing import Any, Literal, get_args, get_origin

import msgspec
from msgspec import Struct

from rules_engine.errors import EngineError
from rules_engine.narration import narrate
from rules_engine.rulebook import Rulebook
from rules_engine.ruling import Decision, Ruling
from rules_engine.situation import Situation
from rules_engine.words import FALLBACK

RANKS = "A23456789TJQK"
# From this size on, a number that is one higher or lower does not make a different case.
FEW = 20
MOST_TRIED = 60


class Change(Struct, frozen=True):
    """A decision that changes."""

    key: str
    was: Decision
    would: Decision


class Contrast(Struct, frozen=True):
    """A situation that differs in one fact (`path`), and its ruling. `cards` are the old and the new card if the fact
    is a card."""

    path: str
    situation: Situation
    changes: tuple[Change, ...]
    cards: tuple[str, str] | None = None


def contrasts(situation: Situation, book: Rulebook, ruling: Ruling, asked: Iterable[str]) -> Iterator[Contrast]:
    """Every possible change of one fact that changes an answer, facts of the incident first."""
    keys = set(asked)
    plain = msgspec.to_builtins(situation)
    for number, (path, data, cards) in enumerate(_variants(plain, situation)):
        if number >= MOST_TRIED:
            return
        try:
            other = book.read(data)
            changes = tuple(_changes(ruling, book.rule(other), keys))
        except EngineError:
            continue
        if changes:
            yield Contrast(path, other, changes, cards)


def most_telling(
    situation: Situation, book: Rulebook, ruling: Ruling, asked: Iterable[str], *, missed: Iterable[str] = ()
) -> Contrast | None:
    """The contrast that teaches most: about what was missed, told in one sentence, with as few other changes as
    possible."""
    wanted = set(missed)
    before = set(narrate(situation, book, FALLBACK))

    def worth(found: Contrast) -> tuple[int, ...]:
        told = 1 if found.cards else len(set(narrate(found.situation, book, FALLBACK)) - before)
        on_it = any(change.key in wanted for change in found.changes)
        # Sums and scores change with any card or chip, which teaches little.
        ruled = any(change.was.kind not in ("score", "amount", "number") for change in found.changes)
        return (told != 1, not on_it, not ruled, len(found.changes))

    best = min(contrasts(situation, book, ruling, asked), key=worth, default=None)
    return best if best and not worth(best)[0] else None


def changed_facts(found: Contrast, situation: Situation, book: Rulebook, language: str) -> list[str]:
    """The changed fact in sentences."""
    if found.cards:
        old, new = found.cards
        return [book.words.sentence("contrast.card", language, old=old, new=new)]
    before = set(narrate(situation, book, language))
    return [sentence for sentence in narrate(found.situation, book, language) if sentence not in before]


def _changes(here: Ruling, there: Ruling, keys: set[str]) -> Iterator[Change]:
    would = {decision.key: decision for decision in there.decisions}
    for was in here.decisions:
        if was.key in keys and was.kind != "words" and was.key in would and would[was.key].value != was.value:
            yield Change(was.key, was, would[was.key])


Variant = tuple[str, Any, tuple[str, str] | None]


def _variants(plain: dict[str, Any], situation: Situation) -> Iterator[Variant]:
    people = situation.people()
    for where, facts in (("incident", situation.incident), ("", situation)):
        for field in msgspec.structs.fields(type(facts)):
            value = getattr(facts, field.name)
            for other in _others(field.type, value, people):
                yield f"{where}.{field.name}".lstrip("."), _with(plain, where, field.encode_name, other), None
    for field in msgspec.structs.fields(type(situation)):
        cards = getattr(situation, field.name)
        if isinstance(cards, tuple) and len(cards) in (2, 3) and all(_is_card(card) for card in cards):
            for card in _near_cards(cards[-1]):
                changed = [*cards[:-1], card]
                yield field.name, _with(plain, "", field.encode_name, changed), (cards[-1], card)


def _others(kind: Any, value: Any, people: tuple[str, ...]) -> Iterator[Any]:
    """Other possible values of a fact; none for facts that consist of other facts."""
    if isinstance(value, bool):
        yield not value
    elif isinstance(value, str) and (options := _options(kind)):
        yield from (option for option in options if option != value)
    elif isinstance(value, str) and value in people:
        yield from (other for other in people if other != value)
    elif isinstance(value, int) and 0 < value < FEW:
        yield value + 1
        yield value - 1


def _options(kind: Any) -> tuple[str, ...]:
    """The values of a text fact whose type is a closed list."""
    if get_origin(kind) is Literal:
        return tuple(option for option in get_args(kind) if isinstance(option, str))
    return tuple(option for part in get_args(kind) for option in _options(part))


def _with(plain: dict[str, Any], where: str, name: str, value: Any) -> dict[str, Any]:
    return plain | {where: plain[where] | {name: value}} if where else plain | {name: value}


def _is_card(value: Any) -> bool:
    return isinstance(value, str) and len(value) == 2 and value[0] in RANKS and value[1] in "shdc"


def _near_cards(card: str) -> Iterator[str]:
    at = RANKS.index(card[0])
    yield from (f"{RANKS[near]}{card[1]}" for near in (at - 1, at + 1) if 0 <= near < len(RANKS))
