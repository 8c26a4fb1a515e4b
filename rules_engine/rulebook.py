"""One version of a regulation of a game: its law as data, the announcements of its dealers, and its rules."""

from collections.abc import Callable, Mapping
from copy import copy
from functools import cached_property, wraps
from hashlib import sha256
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec import Struct

from rules_engine.announcements import Formula, ScoreName, load_formulas, speak
from rules_engine.errors import EngineError, NotRegulated, UnknownName, given_to
from rules_engine.law import Law
from rules_engine.ruling import Adopted, Reasoning, Ruling, Utterance, Value
from rules_engine.silences import ASK, PROCEDURE, Silence
from rules_engine.situation import Incident, Situation, kind_of
from rules_engine.tables import Table, load_tables
from rules_engine.words import Words

if TYPE_CHECKING:
    from rules_engine.game import Game

Rule = Callable[[Any, Any, Reasoning], None]
# The readings a house has adopted, by the id of the open question.
Readings = Mapping[str, Adopted]
# So many tables of a rulebook are kept ready; a house has fewer.
MOST_TABLES = 64


class Rulebook:
    """One version of a regulation. `package` is that of its game; its law is in `books/<id>/`.

    `coded_as` is the id by which the code of the game knows it: its own, or that of the text it amends. A rulebook that
    is `like` another inherits its clauses, numbers, formulas, rules and cases, apart from its own. `scores` have a name
    in its announcements. `readings` are those that a house has adopted (`under`).
    """

    game: "Game[Any]"
    law: Law

    def __init__(
        self,
        id: str,
        *,
        package: str = "",
        language: str,
        currency: str,
        like: "Rulebook | None" = None,
        scores: tuple[ScoreName, ...] = (),
        folder: Traversable | None = None,
    ) -> None:
        self.id = self.coded_as = id
        self.like = like
        self._scores = scores
        self.language = language
        self.currency = self._own_currency = currency
        self._folder = folder or files(package) / "books" / id
        self.law = Law(id, self._folder, like.law if like else None)
        self._rules: dict[type[Struct], Rule | None] = {}
        self.readings: Readings = {}
        self.given_table: Table | None = None
        self._at: dict[Table, Rulebook] = {}
        self._words: Words | None = None

    @property
    def words(self) -> Words:
        """The sentences of its game, with those that an amendment words itself."""
        return self._words or self.game.words

    def amended(self, id: str, folder: Traversable) -> "Rulebook":
        """A later version of the same regulation, from a folder with only what differs. It follows the same code."""
        found = Rulebook(
            id, language=self.language, currency=self.currency, like=self, scores=self._scores, folder=folder
        )
        found.coded_as = self.coded_as
        found._words = self.words.amended(folder / "words") if (folder / "words").is_dir() else self._words
        self.game.adopt(found)
        return found

    @property
    def lineage(self) -> "list[Rulebook]":
        """The texts that it is like, nearest first."""
        return [self.like, *self.like.lineage] if self.like else []

    def under(self, readings: Readings) -> "Rulebook":
        """The same regulation with the readings that a house has adopted."""
        for id, adopted in readings.items():
            if silence := self.silences.get(id):
                if adopted.choice not in silence.options:
                    raise UnknownName("procedure", adopted.choice, silence.options)
                continue
            if id not in self.open_questions:
                raise UnknownName("open question of {book:rulebook}", id, self.open_questions, book=self.id)
            if adopted.choice and adopted.choice not in self.game.others(id):
                raise UnknownName("reading", adopted.choice, self.game.others(id))
        if readings == self.readings:
            return self
        found = self._copied()
        found.readings = readings
        return found

    def counted_in(self, currency: str) -> "Rulebook":
        """The same regulation with its sums in another currency, for the table of another rulebook."""
        if currency == self.currency:
            return self
        found = self._copied()
        found.currency = currency
        return found

    @cached_property
    def tables(self) -> tuple[Table, ...]:
        """The tables that are offered to every house: its own, or those of the regulation it repeats."""
        source = self._folder / "tables.toml"
        if source.is_file():
            return tuple(load_tables(source))
        return self.like.tables if self.like else ()

    @cached_property
    def usual_tables(self) -> tuple[Table, ...]:
        """The tables at which cases are played unless another one is chosen."""
        return tuple(table for table in self.tables if not table.historical) or self.tables

    @property
    def table(self) -> Table:
        """The table at which cases are made: the given one, or the first of the usual ones."""
        return self.given_table or self.usual_tables[0]

    @cached_property
    def at_usual_tables(self) -> "tuple[Rulebook, ...]":
        """The same regulation at each of its usual tables."""
        return tuple(self.at(table) for table in self.usual_tables)

    def at(self, table: Table) -> "Rulebook":
        """The same regulation at a table of the house, with sums in its currency."""
        if table == self.given_table:
            return self
        found = self._at.get(table)
        if found is None:
            if len(self._at) >= MOST_TABLES:
                self._at.clear()
            found = self._at[table] = self._copied()
            found.given_table, found.currency = table, table.currency
            found.formulas = self._formulas_in(table.currency)
        return found

    def _formulas_in(self, currency: str) -> dict[str, Formula]:
        """Its announcements at a table in this currency. Where a regulation repeats another except for the money, sums
        are announced in the words of the one whose money it is."""
        other = next((book for book in self.lineage if book.currency == currency), None)
        if other is None or currency == self._own_currency:
            return self._text_formulas
        spoken = {name: item for name, item in other.formulas.items() if "{amount:" in item.text[self.language]}
        return self._text_formulas | spoken

    def _copied(self) -> "Rulebook":
        self.formulas, self.tables, self.edition  # noqa: B018 - read before it is copied: once, and of the plain text
        found = copy(self)
        found._at = {}
        return found

    @cached_property
    def silences(self) -> dict[str, Silence]:
        """The incidents that it does not decide, by kind."""
        return {kind: found for kind, found in self.game.silences.items() if kind in self.law.silences}

    @cached_property
    def open_questions(self) -> tuple[str, ...]:
        """The open questions in its clauses, in their order."""
        return tuple(dict.fromkeys(row.reading for row in self.law.clauses.values() if row.reading))

    def reads(self, question: str, choice: str) -> bool:
        """Whether the house has adopted this other reading of an open question."""
        adopted = self.readings.get(question)
        return adopted is not None and adopted.choice == choice

    def __repr__(self) -> str:
        return f"<Rulebook {self.id}>"

    @cached_property
    def own_formulas(self) -> dict[str, Formula]:
        source = self._folder / "formulas.toml"
        return load_formulas(source, self._scores) if source.is_file() or not self.like else {}

    @cached_property
    def formulas(self) -> dict[str, Formula]:
        """Its announcements by name; at a table, in the money of the table."""
        return self._text_formulas

    @cached_property
    def _text_formulas(self) -> dict[str, Formula]:
        return (self.like.formulas if self.like else {}) | self.own_formulas

    @cached_property
    def edition(self) -> str:
        """Identifies the wording of the regulation: a digest of its clauses, numbers and formulas."""
        wording = (self.law.clauses, self.law.numbers, self.formulas)
        return sha256(msgspec.json.encode(wording, order="deterministic")).hexdigest()[:12]

    def formula(self, name: str) -> Formula:
        try:
            return self.formulas[name]
        except KeyError:
            raise UnknownName("formula of {book:rulebook}", name, self.formulas, book=self.id) from None

    def say(self, said: Value, language: str = "") -> str:
        """The words of an announcement, in the language of the table or another in which its formula exists."""
        if not isinstance(said, Utterance):
            raise EngineError("{said!r} is no words to pronounce", fact="announcement", said=said)
        return speak(self.formula(said.formula), said, language or self.language, self.currency)

    def language_of(self, key: str) -> str:
        """The language in which words are asked for: that of the table, or the one named in the key
        (`announcement.fr`)."""
        return key.partition(".")[2] or self.language

    def number(self, name: str) -> int:
        return int(self.law.numbers[name]["value"])

    def param(self, name: str) -> Any:
        """A value of the regulation that is not a single number: a drawing table, a scale of prizes."""
        return self.law.numbers[name]["value"]

    def text(self, id: str, language: str, /, **values: Any) -> str:
        """A sentence of the game, with sums in the currency of this rulebook."""
        return self.words.text(id, language, currency=self.currency, **values)

    def name(self, language: str) -> str:
        return self.text(f"rulebook.{self.id}", language)

    def topic_name(self, topic: str, language: str) -> str:
        return self.text(f"topic.{topic}", language)

    def topic_of_game(self, topic: str, language: str) -> str:
        """The name of a topic where the game has been named already."""
        name = self.topic_name(topic, language).removeprefix(f"{self.game.name(language)}: ")
        return name[0].upper() + name[1:]

    def situation(self, **facts: Any) -> Situation:
        """Facts at a table of this game, from plain values. Raises ImpossibleFacts if they cannot occur."""
        return self.read(facts)

    def read(self, data: object) -> Situation:
        """The same from plain data (parsed JSON)."""
        with given_to(book=self.id, currency=self.currency):
            found: Situation = self.game.read(data)
            return found

    def handler(self, incident: type[Struct]) -> Rule | None:
        """The function that rules on a kind of incident: its own, or that of the regulation it repeats."""
        if incident not in self._rules:
            own = self.game.rules.get((incident, self.id))
            if own and kind_of(incident) in self.silences:
                own = _by_procedure(kind_of(incident), own)
            self._rules[incident] = own or (self.like.handler(incident) if self.like else None)
        return self._rules[incident]

    def regulates(self, incident: type[Struct]) -> bool:
        return self.handler(incident) is not None

    def kinds(self) -> dict[str, type[Incident]]:
        """Every kind of incident it has a rule for, by name."""
        return {kind: model for kind, model in self.game.kinds.items() if self.regulates(model)}

    def rule(self, situation: Situation) -> Ruling:
        """The ruling on these facts under this rulebook."""
        return self.reason(situation).ruling()

    def reason(self, situation: Situation) -> Reasoning:
        """The steps and decisions of the ruling, before it is worked out what each decision rests on."""
        incident = situation.incident
        handler = self._rules.get(type(incident)) or self.handler(type(incident))
        try:
            if handler is None:
                raise NotRegulated("{book:rulebook} has no rule for such an incident", book=self.id)
            reasoning = Reasoning(self)
            handler(situation, incident, reasoning)
            situation.conclude(reasoning)
        except EngineError as error:
            error.tell(book=self.id, kind=kind_of(incident), currency=self.currency)
            raise
        return reasoning


def _by_procedure(kind: str, rule: Rule) -> Rule:
    """A rule for what the regulation does not decide: the procedure of the house decides, or else the floor manager."""

    @wraps(rule)
    def ruled(situation: Any, incident: Any, reasoning: Reasoning) -> None:
        adopted = reasoning.book.readings.get(kind)
        if adopted is None:
            reasoning.pivot(kind, "no_procedure")
            reasoning.choice(f"{PROCEDURE}.{kind}", ASK)
        else:
            reasoning.procedure = adopted.choice
            rule(situation, incident, reasoning)

    return ruled
