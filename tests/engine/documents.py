"""Situations as documents that fit the engine's JSON Schema, made from the schema itself.

`Documents` makes them fresh, puts an incident to a table where another happened, or alters a few facts of a scenario
that the engine generated. Each comes from the random numbers it is given, so a seed names it; values lean towards what
may be at a table: places where somebody is, sums that belong together, cards that lie there, now and then extremes.
"""

import copy
import json
import re
from collections import defaultdict
from collections.abc import Callable, Iterator
from functools import cache, cached_property
from random import Random
from typing import Any

from rules_engine import GAMES, encode
from rules_engine.equipment.cards import PACK
from rules_engine.schema import schema
from rules_engine.situation import kind_of
from rules_engine.topics import cases

Schema = dict[str, Any]
Document = dict[str, Any]

PLACES = [f"{seat}{letter}" for letter in ("", "a", "b", "i") for seat in range(1, 10)]
# Every text a pattern of the schema may ask for; the last ends in a way that a careless pattern lets pass.
TEXTS = (
    *(*PLACES, *PACK, "", "croupier", "banker", "ponto", "inspector"),
    *(f"{hour:02}:{minute:02}" for hour in (0, 2, 3, 4, 12, 20, 23) for minute in (0, 1, 30, 59)),
    *(spot for game in GAMES.values() for spot in game.spots),
    *("17-18-19", "20-17", "dozen.4", "0-36"),
    *("4\n", "7h\n", "croupier\n", "03:00\n", "\n"),
)
HEAP_NAMES = sorted({heap for game in GAMES.values() for heap in getattr(game.situation, "heap_facts", ())})
REFS = [f"{heap}.{number}" for heap in HEAP_NAMES for number in range(1, 5)]
ODD_REFS = ("", "ponto", "ponto.0", "ponto.01", "banker.-1", "banker.²", "loose.x", "seven.1", ".1", "ponto.1.1")
LENGTHS = (0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 4, 7)
DEALT = (2, 2, 2, 2, 2, 3, 3, 3, 0, 0, 1, 4)
HEAPS = ("ponto", "banker_cards", "bank_cards", "cards")
# The first two do not fit 64 bits, which the schema does not ask of every number.
EXTREMES = (2**64, -(2**65), 2**63 - 1, -1, 0, 1, 10**6)
SEEDS = 5


@cache
def _texts(pattern: str, longest: int) -> tuple[str, ...]:
    found = tuple(text for text in TEXTS if re.search(pattern, text) and len(text) <= longest)
    if not found:
        raise ValueError(f"no text is known for {pattern}")
    return found


class Documents:
    """Makes documents of one game's situations."""

    def __init__(self, game: str) -> None:
        self.game = game
        self.definitions: dict[str, Schema] = schema()["$defs"]
        book = GAMES[game].books[0]
        options = [option["properties"] for option in self.definitions["Scenario"]["oneOf"]]
        (facts,) = [option["situation"] for option in options if book.id in option["rulebook"]["enum"]]
        self.model = self._resolved(facts)

    @cached_property
    def kinds(self) -> dict[str, Schema]:
        """The definition of every incident, by its kind."""
        found = [self._resolved(option) for option in self.model["properties"]["incident"]["anyOf"]]
        return {definition["properties"]["kind"]["enum"][0]: definition for definition in found}

    @cached_property
    def generated(self) -> dict[str, list[Document]]:
        """Situations that the engine makes by itself, under every rulebook of the game, by the kind of incident."""
        found: dict[str, list[Document]] = defaultdict(list)
        for book in GAMES[self.game].books:
            for case in cases(book.id):
                for number in range(SEEDS):
                    situation = case.make(book.game.draw("document", book.id, case.name, number), book, 1 + number % 5)
                    found[kind_of(situation.incident)].append(json.loads(encode(situation)))
        return found

    def any(self, random: Random, kind: str) -> Document:
        """A document with an incident of a kind, made in one of the ways there are."""
        way, like = random.random(), self.generated[kind]
        if way < 0.2 or not like:
            return self.fresh(random, kind)
        if way < 0.4:
            return self.at_table(random, self._some_table(random), kind)
        if way < 0.5:
            return self._some_table(random) | {"incident": random.choice(like)["incident"]}
        return self.altered(random, random.choice(like))

    def fresh(self, random: Random, kind: str) -> Document:
        """A table and an incident of a kind that fit the schema, whether or not they fit one another."""
        return _Writer(self, random).situation(kind)

    def at_table(self, random: Random, table: Document, kind: str) -> Document:
        """An incident of a kind at a table where something else happened."""
        writer = _Writer(self, random, table)
        return table | {"incident": writer.filled(self.kinds[kind])}

    def altered(self, random: Random, document: Document) -> Document:
        """The same with one to three facts added, taken away, replaced, repeated or moved."""
        changed = copy.deepcopy(document)
        writer = _Writer(self, random, document)
        for _ in range(random.choice((1, 1, 1, 2, 3))):
            there, absent = list(self.facts(changed)), list(self.absent(changed))
            writer.alter(random.choice(absent if absent and random.random() < 0.25 else there))
        return changed

    def _some_table(self, random: Random) -> Document:
        return random.choice(self.generated[random.choice(list(self.generated))])

    def facts(self, document: Document) -> Iterator["Fact"]:
        """Every fact of a document, with the part of the schema that it fits."""
        yield from self._within(document, self.model)
        incident = document["incident"]
        yield from self._within(incident, self.kinds[incident["kind"]])

    def absent(self, document: Document) -> Iterator["Fact"]:
        """Every fact that could be told of the table or the incident and is not."""
        incident = document["incident"]
        for holder, definition in ((document, self.model), (incident, self.kinds[incident["kind"]])):
            for name, part in definition["properties"].items():
                if name not in holder:
                    yield Fact(holder, name, part, spare=True)

    def _within(self, holder: Any, definition: Schema) -> Iterator["Fact"]:
        if isinstance(holder, list):
            members = definition.get("prefixItems") or [definition["items"]] * len(holder)
            spare = not definition.get("prefixItems") and len(holder) > definition.get("minItems", 0)
            inside = [(index, members[index], spare) for index in range(len(holder))]
        else:
            required = definition.get("required", ())
            known = definition["properties"]
            inside = [(name, known[name], name not in required) for name in holder if name not in ("kind", "incident")]
        for key, part, spare in inside:
            yield Fact(holder, key, part, spare)
            plain = self.plain(part)
            if isinstance(holder[key], dict | list) and ("items" in plain or "properties" in plain):
                yield from self._within(holder[key], plain)

    def plain(self, definition: Schema) -> Schema:
        """A definition without its reference and without the choice to be null."""
        options = [option for option in definition.get("anyOf", ()) if option.get("type") != "null"]
        return self._resolved(options[0] if options else definition)

    def _resolved(self, definition: Schema) -> Schema:
        while "$ref" in definition:
            definition = self.definitions[definition["$ref"].removeprefix("#/$defs/")]
        return definition


class Fact:
    """One fact in a document: where it stands, what the schema says of it, and whether it may be left out."""

    def __init__(self, holder: Any, key: Any, part: Schema, spare: bool) -> None:
        self.holder, self.key, self.part, self.spare = holder, key, part, spare


class _Writer:
    """Writes one document: knows who is at its table and which sums belong to it."""

    def __init__(self, documents: Documents, random: Random, table: Document | None = None) -> None:
        self.documents, self.random = documents, random
        self.often = random.choice((0.2, 0.6, 0.95))
        if table is None:
            seats = sorted(random.sample(range(1, 10), random.choice((0, 1, 2, 3, 4, 5, 6, 7, 8, 9))))
            behind = [seat for seat in random.choice((seats, seats, range(1, 10))) if random.random() < 0.2]
            table = {"seats": seats, "standing": [f"{seat}a" for seat in behind]}
            table["standing"] += [f"{seat}b" for seat in behind if random.random() < 0.3]
        self.seats, self.standing = table["seats"], table.get("standing", [])
        self.people = [*map(str, self.seats), *self.standing]
        minimum = table.get("minimum") or random.choice((100, 100, 20, 1, 7, 20_000))
        bank = table.get("bank") or minimum * random.choice((1, 2, 4, 10))
        self.sums = [minimum, bank, minimum * 2, minimum * 3, bank * 2, bank // 2, bank // 4, minimum // 10, bank - 1]
        self.sums = [min(sum, 10_000_000) for sum in self.sums]

    def situation(self, kind: str) -> Document:
        document: Document = self.filled(self.documents.model)
        document["seats"] = self.seats
        if self.standing:
            document["standing"] = self.standing
        if "banker" in document and self.random.random() < 0.9 and self.people:
            document["banker"] = self.random.choice(self.people)
        document["incident"] = self.filled(self.documents.kinds[kind])
        return document

    def filled(self, definition: Schema) -> Document:
        """An object with what is required, and some of the rest."""
        required = definition.get("required", ())
        return {
            name: self.value(part, name)
            for name, part in definition["properties"].items()
            if name != "incident" and (name in required or self.random.random() < self.often)
        }

    def alter(self, fact: Fact) -> None:
        how = self.random.random()
        if isinstance(fact.holder, dict) and fact.key not in fact.holder:
            how = 1.0
        if isinstance(fact.holder, list) and how < 0.3:
            fact.holder.insert(self.random.randrange(len(fact.holder) + 1), copy.deepcopy(fact.holder[fact.key]))
            if not fact.spare or self.random.random() < 0.5:
                fact.holder.pop(self.random.randrange(len(fact.holder)))
        elif fact.spare and how < 0.6:
            del fact.holder[fact.key]
        else:
            fact.holder[fact.key] = self.value(fact.part, str(fact.key))

    def value(self, definition: Schema, name: str = "") -> Any:
        if "anyOf" in definition and self.random.random() < 0.4:
            return None
        plain = self.documents.plain(definition)
        if "enum" in plain:
            return self.random.choice(plain["enum"])
        write: Callable[[Schema, str], Any] = getattr(self, f"_{plain['type']}")
        return write(plain, name)

    def _null(self, definition: Schema, name: str) -> None:
        return None

    def _boolean(self, definition: Schema, name: str) -> bool:
        return self.random.random() < 0.5

    def _object(self, definition: Schema, name: str) -> Document:
        return self.filled(definition)

    def _array(self, definition: Schema, name: str) -> list[Any]:
        if "prefixItems" in definition:
            return [self.value(part) for part in definition["prefixItems"]]
        length = self.random.choice(DEALT if name in HEAPS else LENGTHS)
        length = min(max(length, definition.get("minItems", 0)), definition.get("maxItems", length))
        return [self.value(definition["items"]) for _ in range(length)]

    def _integer(self, definition: Schema, name: str) -> int:
        low, high = definition.get("minimum"), definition.get("maximum")
        if high == 10_000_000:
            return max(low or 0, int(self.random.choice((0, 1, high, *self.sums, *self.sums))))
        if high is None and self.random.random() < 0.1:
            extreme = self.random.choice(EXTREMES)
            return extreme if low is None else max(low, extreme)
        least = -1 if low is None else low
        most = 12 if high is None else high
        top = min(most, least + 9) if self.random.random() < 0.6 else most
        return int(self.random.choice((least, top, *(self.random.randint(least, top) for _ in range(4)))))

    def _string(self, definition: Schema, name: str) -> str:
        pattern = definition.get("pattern")
        if pattern is None:
            return self.random.choice(REFS if self.random.random() < 0.9 else ODD_REFS)
        here = [place for place in self.people if re.search(pattern, place)]
        if here and self.random.random() < 0.8:
            return self.random.choice(here)
        return self.random.choice(_texts(pattern, definition.get("maxLength", 99)))


def smallest(document: Document, documents: Documents, fails: Callable[[Document], bool]) -> Document:
    """The document with every fact left out that does not matter to the failure."""
    again = True
    while again:
        again = False
        for number in range(len(list(documents.facts(document)))):
            less = copy.deepcopy(document)
            fact = list(documents.facts(less))[number]
            if fact.spare:
                del fact.holder[fact.key]
                if fails(less):
                    document, again = less, True
                    break
    return document
