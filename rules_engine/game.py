"""A game: everything the rest of the engine and the platform ask of it. One line in `games` enrols it."""

import tomllib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from importlib.resources import files
from typing import Any, Generic, Literal, TypeVar

import msgspec
from msgspec import Struct

from rules_engine.asking import Row, load_rows
from rules_engine.cases import Articles, Case, Make, Variant
from rules_engine.documents import Sort, Upgrade, up_to_date
from rules_engine.draw import Draw
from rules_engine.equipment.layout import Spot
from rules_engine.errors import UnknownName, given_to
from rules_engine.grounds import Speaks
from rules_engine.law import Reading
from rules_engine.odds import Odds
from rules_engine.rulebook import Rule, Rulebook
from rules_engine.ruling import Kind
from rules_engine.silences import ASK, PROCEDURE, load_silences, row
from rules_engine.situation import Incident, Pointer, Situation, kinds, read
from rules_engine.standard import Standard
from rules_engine.tables import Table, UnfitTable, check_chips
from rules_engine.words import CORE, FALLBACK, Words

S = TypeVar("S", bound=Situation)
R = TypeVar("R", bound=Callable[..., Any])
C = TypeVar("C", bound=Callable[..., Situation])
T = TypeVar("T", bound=Callable[[Table, Rulebook], None])
GroupName = Literal["people", "money", "said", "cards", "table"]
# The guided first coup: with a player as banker, with the house as bank and a drawing table, or one for any game.
GuidedCoup = Literal["player_bank", "house_bank", "general"]
SprintKind = Literal["scores", "third_card", "payouts"]


LEVELS = (1, 2, 3, 4, 5)


@dataclass(eq=False, repr=False, kw_only=True)
class Game(Generic[S]):
    """One game: its facts, law, words and questions, and what the platform asks of it.

    - `version`: change it whenever the same arguments would give another scenario or ruling.
    - `situation`: the type of its facts. Its package also holds the law, words and questions.
    - `topics`: in teaching order, what a newcomer should meet first comes first.
    - `ordinary`: the facts of an ordinary table, for golden cases and authors.
    - `staff`: who may be named in an answer besides those at the table.
    - `scores`: the possible scores.
    - `groups`: which facts an author finds together; a fact of no group is listed with `money`.
    - `shares`: packages whose words it uses besides its own, such as those of a family of games.
    - `spots`: the places of its layout that take chips, in the order of the cloth, by key.
    - `pointing`: which questions are answered by pointing, and at what. `keys`: which letter picks which option.
    - `names`: the sentences that name its players, in place of the usual ones (`player.seat`, `player.standing`).
    - `upgrades`: convert stored documents of one format to the next, where ids of the game changed.
    - `guided_coup`: which guided first coup teaches it.
    - `banker_is_player`: whether a player holds the bank, and not the house.
    - `sprints`: the rulebooks and topics that supply each kind of sprint.
    - `states_bank`: the calls that state the amount of the bank.
    - `paid`: the questions for sums that the dealer pays in chips.
    - `languages`: in which all of it is told; of a game with fewer, the others have its names only.
    - `table_limits`: the kinds of bets for which its tables may have limits of their own.
    - `flow`: how its coups run at the live table (`live.flow.Flow`), if it can be played there.
    """

    id: str = field(kw_only=False)
    version: str
    situation: type[S]
    incident: type[Incident]
    books: tuple[Rulebook, ...]
    topics: tuple[str, ...]
    ordinary: Mapping[str, Any]
    languages: tuple[str, ...] = ("en", "pt")
    draw: Callable[..., Draw] = Draw
    staff: tuple[str, ...] = ("croupier", "inspector", "nobody")
    scores: tuple[int, ...] = ()
    groups: Mapping[GroupName, tuple[str, ...]] = field(default_factory=dict)
    shares: tuple[str, ...] = ()
    spots: Mapping[str, Spot] = field(default_factory=dict)
    pointing: Mapping[str, Pointer] = field(default_factory=dict)
    keys: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    names: Mapping[str, str] = field(default_factory=dict)
    upgrades: Mapping[int, Upgrade] = field(default_factory=dict)
    odds: Callable[..., Odds] | None = None
    guided_coup: GuidedCoup = "general"
    banker_is_player: bool = False
    sprints: Mapping[SprintKind, tuple[tuple[str, str], ...]] = field(default_factory=dict)
    states_bank: tuple[str, ...] = ()
    paid: tuple[str, ...] = ()
    table_limits: tuple[str, ...] = ()
    flow: Any = None

    def __post_init__(self) -> None:
        self.rules: dict[tuple[type[Struct], str], Rule] = {}
        self.cases: list[Case] = []
        self.remarking: list[Callable[[Any, Rulebook], Iterable[Any]]] = []
        self.domains: dict[str, tuple[str, ...]] = {}
        self.unknown_options: dict[tuple[str, str], tuple[str, ...]] = {}
        self._options: dict[tuple[str, str], tuple[str, ...]] = {}
        self._package = self.situation.__module__.rpartition(".")[0]
        folders = (files(package) / "words" for package in (*self.shares, self._package))
        self.words = Words(CORE, *folders, names=self.names)
        self.domain("allowed", "allowed", "refused")
        self.silences = load_silences(files(self._package) / "silences.toml")
        self.table_checks: list[Callable[[Table, Rulebook], None]] = []
        for book in self.books:
            self.adopt(book)

    def adopt(self, book: Rulebook) -> None:
        """Make it a rulebook of this game, which knows on what its text is silent."""
        book.game = self
        book.law.silences = {kind: row(kind) for kind, one in self.silences.items() if one.concerns(book.coded_as)}
        book.law.left_open = self.left_open

    def __repr__(self) -> str:
        return f"<Game {self.id} {self.version}>"

    def name(self, language: str) -> str:
        return self.words.text("game", language)

    # Registered by its modules when they are imported.

    def rule(self, incident: type[Incident], *books: str) -> Callable[[Rule], Rule]:
        """Register the function (situation, incident, reasoning) that rules on an incident under these rulebooks."""

        def register(function: Rule) -> Rule:
            for book in books:
                if self.rules.setdefault((incident, book), function) is not function:
                    raise RuntimeError(f"two rules for {incident.__name__} in {book}")
            return function

        return register

    def case(self, topic: str, turns_on: Articles) -> Callable[[Make], Make]:
        """Register a generator. A promise for a rulebook also holds for those that are like it, for the articles they
        have."""

        def register(make: Make) -> Make:
            self._register(make.__name__, topic, turns_on, make)
            return make

        return register

    def case_table(self, topic: str, *variants: Variant) -> Callable[[C], C]:
        """Register a generator for each variant: the decorated function, called with the draw, the rulebook, the level
        and the arguments of the variant."""

        def register(make: C) -> C:
            for variant in variants:
                self._register(variant.name, topic, variant.turns_on, variant.generator(make))
            return make

        return register

    def _register(self, name: str, topic: str, turns_on: Articles, make: Make) -> None:
        found = {book: (cite,) if isinstance(cite, str) else cite for book, cite in turns_on.items()}
        for book in self.books:
            if book.id not in found and book.like is not None and book.like.id in found:
                found[book.id] = tuple(cite for cite in found[book.like.id] if cite in book.law)
        promised = {book: articles for book, articles in found.items() if articles}
        self.cases.append(Case(name=name, topic=topic, turns_on=promised, make=make))

    def remark(self, look: R) -> R:
        """Register a function (situation, rulebook) that reports what is odd about possible facts (`remarks.py`)."""
        self.remarking.append(look)
        return look

    def table_check(self, check: T) -> T:
        """Register a function (table, rulebook) that raises UnfitTable if the law does not allow such a table."""
        self.table_checks.append(check)
        return check

    def domain(self, key: str, *options: str, unknown: Mapping[str, tuple[str, ...]] | None = None) -> None:
        """Declare the options of a choice. `key` is the key of the decision, or the part before its first dot.

        `unknown` lists options that a rulebook does not know; they are not offered there.
        """
        if self.domains.setdefault(key, options) != options:
            raise RuntimeError(f"two sets of options for {key}")
        for book, strange in (unknown or {}).items():
            self.unknown_options[key, book] = strange

    # Asked by the engine and the platform.

    def options(self, key: str, book: str = "") -> tuple[str, ...]:
        """The options of a choice; for a rulebook, only those it knows."""
        found = self._options.get((key, book))
        if found is None:
            name, _, ref = key.partition(".")
            strange = self.unknown_options.get((name, book), ())
            known = (*self.silences[ref].options, ASK) if name == PROCEDURE else self.domains[name]
            found = self._options[key, book] = tuple(one for one in known if one not in strange)
        return found

    def check_table(self, table: Table, book: Rulebook) -> None:
        """Raise UnfitTable if such a table cannot be used under this rulebook; the error names the article."""
        with given_to(book=book.id, currency=table.currency):
            check_chips(table)
            unknown = [limit.bet for limit in table.limits if limit.bet not in self.table_limits]
            if unknown:
                raise UnfitTable("limits", "a table of this game has no limit of that kind")
            for check in self.table_checks:
                check(table, book)

    def left_open(self, silence: str, language: str) -> str:
        """What the law does not say, in words."""
        return self.words.text(f"silence.{silence}.open", language)

    def spot(self, key: str) -> Spot:
        try:
            return self.spots[key]
        except KeyError:
            raise UnknownName("spot of the layout", key) from None

    def asks_for_spots(self, key: str) -> bool:
        """Whether a question is answered with spots of a layout."""
        return self.pointing.get(key.partition(".")[0]) in ("spot", "spots")

    @cached_property
    def kinds(self) -> dict[str, type[Incident]]:
        """Every kind of incident by name. All of them exist once the engine is imported."""
        return kinds(self.incident)

    def read(self, data: object) -> S:
        """A situation from plain data (parsed JSON). Raises an error that says which fact is wrong."""
        return read(data, self.situation, self.kinds)

    @cached_property
    def _questions(self) -> dict[str, Any]:
        return tomllib.loads((files(self._package) / "questions.toml").read_text("utf-8"))

    @cached_property
    def asked(self) -> dict[str, dict[str, Row]]:
        """The rows of its table of questions: by kind of incident and rulebook."""
        return load_rows(self._questions["asked"])

    @cached_property
    def speaks(self) -> Speaks:
        """Sentences of the reasoning that concern only certain questions."""
        return Speaks(self._questions.get("speaks", {}))

    def kind_of_question(self, key: str) -> Kind:
        """The kind of a question that does not arise."""
        name = key.partition(".")[0]
        if name in self.domains:
            return "choice"
        found: dict[Kind, list[str]] = self._questions.get("kinds", {})
        for kind, names in found.items():
            if name in names:
                return kind
        raise UnknownName("kind of question", name)

    @cached_property
    def standard(self) -> Standard:
        """What its scenarios must meet. Every game has the file: without it the same seed would give another
        scenario."""
        return msgspec.toml.decode((files(self._package) / "quality.toml").read_bytes(), type=Standard)

    def levels(self, topic: str | None) -> tuple[int, ...]:
        """The levels of difficulty of a topic."""
        return self.standard.levels.get(topic or "", LEVELS)

    def level(self, topic: str | None, wanted: int) -> int:
        """The highest level of a topic up to the one wanted, or its lowest."""
        levels = self.levels(topic)
        for level in reversed(levels):
            if level <= wanted:
                return level
        return levels[0]

    def readings(self, language: str) -> dict[str, Reading]:
        """The open questions of its texts by id, in a language."""
        ids = dict.fromkeys(id.split(".")[1] for id in self.words.catalogue(FALLBACK) if id.startswith("reading."))
        return {
            id: Reading(
                id,
                where=self.words.text(f"reading.{id}.where", language),
                question=self.words.text(f"reading.{id}.question", language),
                reading=self.words.text(f"reading.{id}.reading", language),
                others={other: self.words.text(f"reading.{id}.other.{other}", language) for other in self.others(id)},
            )
            for id in ids
        }

    def others(self, reading: str) -> tuple[str, ...]:
        """The names of the readings that a house may adopt instead of the recorded one
        (`reading.<id>.other.<name>`)."""
        return self._others.get(reading, ())

    @cached_property
    def _others(self) -> dict[str, tuple[str, ...]]:
        """The other readings by the id of the recorded one."""
        found: dict[str, tuple[str, ...]] = {}
        for id in self.words.catalogue(FALLBACK):
            if id.startswith("reading.") and ".other." in id:
                reading, _other, name = id.removeprefix("reading.").partition(".other.")
                found[reading] = (*found.get(reading, ()), name)
        return found


GAMES: dict[str, Game[Any]] = {}
RULEBOOKS: dict[str, Rulebook] = {}


def enrol(*games: Game[Any]) -> None:
    """Register games and their rulebooks with the engine."""
    for game in games:
        GAMES[game.id] = game
        for book in game.books:
            RULEBOOKS[book.id] = book
            book.law.settle()


def game(id: str) -> Game[Any]:
    try:
        return GAMES[id]
    except KeyError:
        raise UnknownName("game", id, GAMES) from None


def rulebook(id: str) -> Rulebook:
    try:
        return RULEBOOKS[id]
    except KeyError:
        raise UnknownName("rulebook", id, RULEBOOKS) from None


def present_format(sort: Sort, data: Any) -> Any:
    """A document that names its rulebook, converted to the current format."""
    book = data.get("rulebook") if isinstance(data, dict) else None
    return up_to_date(sort, data, rulebook(book).game.upgrades if isinstance(book, str) else {})


def readings(language: str = FALLBACK) -> dict[str, Reading]:
    """The open questions of all the texts, by id, told in a language."""
    return {id: reading for game in GAMES.values() for id, reading in game.readings(language).items()}
