"""What changes if one fact changes: situations that differ from a given one in a single fact and are ruled differently.
If there are none, two facts together.

One fact is varied at a time, first in the incident, then at the table: yes or no, another option, another player, a
number one up or down, a card worth one more or less. Impossible facts, facts the rulebook does not regulate, and
changes that alter no answer are left out.
"""

from collections.abc import Iterable, Iterator
from itertools import combinations, islice
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
# How many pairs of facts are tried at most, and how many that change the ruling are enough to stop.
MOST_PAIRS, ENOUGH = 900, 4


class Change(Struct, frozen=True):
    """A decision that changes."""

    key: str
    was: Decision
    would: Decision


class Contrast(Struct, frozen=True):
    """A situation that differs in one fact (`path`) or two, and its ruling. `cards` are the old and the new card if the
    only fact is a card."""

    path: str
    situation: Situation
    changes: tuple[Change, ...]
    cards: tuple[str, str] | None = None


def contrasts(situation: Situation, book: Rulebook, ruling: Ruling, asked: Iterable[str]) -> Iterator[Contrast]:
    """Every possible change of one fact that changes an answer, facts of the incident first."""
    yield from tried(situation, book, ruling, asked, pairs=False).found


class _Variant(Struct, frozen=True):
    """Another value of one fact."""

    where: str
    name: str
    encoded: str
    value: Any
    cards: tuple[str, str] | None = None

    @property
    def path(self) -> str:
        return f"{self.where}.{self.name}".lstrip(".")


class Tried(Struct, frozen=True):
    """How many possible changes of one fact and of two were tried, and those that change the ruling."""

    single: int
    double: int
    found: tuple[Contrast, ...]


def tried(situation: Situation, book: Rulebook, ruling: Ruling, asked: Iterable[str], *, pairs: bool = True) -> Tried:
    """Try every change of one fact and, if none changes an answer, every two together until one does."""
    keys, plain = set(asked), msgspec.to_builtins(situation)
    variants = list(islice(_variants(situation), MOST_TRIED))
    single, found = _try(((one,) for one in variants), plain, book, ruling, keys)
    if found or not pairs:
        return Tried(single, 0, tuple(found))
    both = ((one, two) for one, two in combinations(variants, 2) if one.path != two.path)
    double, found = _try(islice(both, MOST_PAIRS), plain, book, ruling, keys, enough=ENOUGH)
    return Tried(single, double, tuple(found))


def _try(
    changes: Iterable[tuple[_Variant, ...]],
    plain: dict[str, Any],
    book: Rulebook,
    ruling: Ruling,
    keys: set[str],
    enough: int = 0,
) -> tuple[int, list[Contrast]]:
    """How many of these changes are possible, and those that change an answer; stops after `enough` of them."""
    count, found = 0, list[Contrast]()
    for variants in changes:
        data = plain
        for one in variants:
            data = _with(data, one.where, one.encoded, one.value)
        try:
            other = book.read(data)
            changed = tuple(_changes(ruling, book.rule(other), keys))
        except EngineError:
            continue
        count += 1
        if changed:
            cards = variants[0].cards if len(variants) == 1 else None
            found.append(Contrast(" ".join(one.path for one in variants), other, changed, cards))
            if len(found) == enough:
                break
    return count, found


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


def _variants(situation: Situation) -> Iterator[_Variant]:
    people = situation.people()
    for where, facts in (("incident", situation.incident), ("", situation)):
        for field in msgspec.structs.fields(type(facts)):
            value = getattr(facts, field.name)
            for other in _others(field.type, value, people):
                yield _Variant(where, field.name, field.encode_name, other)
    for field in msgspec.structs.fields(type(situation)):
        cards = getattr(situation, field.name)
        if isinstance(cards, tuple) and len(cards) in (2, 3) and all(_is_card(card) for card in cards):
            for card in _near_cards(cards[-1]):
                yield _Variant("", field.name, field.encode_name, [*cards[:-1], card], (cards[-1], card))


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
