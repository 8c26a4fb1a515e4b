"""What the tables of all games share: the facts at one moment, the incident to rule on, and how both are read from
data."""

from collections.abc import Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal, TypeVar

import msgspec
from msgspec import Meta, Struct, structs

from rules_engine.errors import EngineError, UnknownName, given_to
from rules_engine.misfits import misfit

if TYPE_CHECKING:
    from rules_engine.ruling import After

Sum = Annotated[int, Meta(ge=0, le=10_000_000)]
# A sentence: the id of its pattern in the words of the game, and the values that fill it.
Sentence = tuple[str, dict[str, Any]]
# What one points at to answer a question: a person, a card, a hand, and on a layout one spot or several in order.
Pointer = Literal["place", "card", "heap", "spot", "spots"]
S = TypeVar("S", bound="Situation")
M = TypeVar("M", bound=Struct)


class Call(Struct, frozen=True, omit_defaults=True):
    """Something said or done in turn. Each game lists who may speak (`by`) and what may be said (`says`)."""

    by: str
    says: str
    amount: int | None = None


class Incident(Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True, tag_field="kind"):
    """What happened and must be ruled on. Each game has its own subclass, and each kind a subclass of that with its
    facts."""

    def check(self, situation: Any) -> None:
        """Raise ImpossibleFacts if these facts cannot occur at this table."""

    def narration(self) -> list[Sentence]:
        """The sentences that tell it. By default one, named after the kind."""
        return [(f"incident.{kind_of(self)}", structs.asdict(self))]

    def narrated(self, situation: Any) -> list[Sentence]:
        """The same sentences at a given table, where the words depend on what lies there or was said."""
        return self.narration()

    def elsewhere(self) -> Mapping[str, str]:
        """The cards it moved away from where they belong, by reference, and where they are: `floor`, `basket`, `used`
        (among the used cards) or `mouth` (partly out of the shoe)."""
        return {}

    def marks(self) -> tuple[str, ...]:
        """What else it put on the cloth: `warning_card`."""
        return ()


class Situation(Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """The facts at one moment of play. A game adds its equipment and the types of its calls and incident."""

    game: ClassVar[str]

    calls: tuple[Call, ...] = ()
    incident: Incident

    def opening(self) -> list[Sentence]:
        """The sentences that describe the table before anything happens."""
        return []

    def sequel(self) -> list[Sentence]:
        """The sentences that tell what came of it. They come last."""
        return []

    def also_spoken(self) -> tuple[str, ...]:
        """The languages in which an announcement may be repeated at this table."""
        return ()

    def said_again(self, key: str, book: Any) -> tuple[str, ...]:
        """The questions that ask for the words of another question again, each in the language that its key names."""
        return ()

    def conclude(self, reasoning: Any) -> None:
        """Add what follows from the table itself, whatever the incident and its rule."""

    def likely(self, key: str) -> Sequence[Any]:
        """The announcements to choose from, whether or not the question arises."""
        return ()

    def people(self) -> tuple[str, ...]:
        """Everybody at the table, in the fixed order in which they are offered."""
        return ()

    def whereabouts(self, who: str) -> str:
        """Where a speaker is at the table: the place of a role such as the banker, or the speaker's own place."""
        return who

    def candidates(self, name: str) -> Sequence[str]:
        """The people present whom a question may mean."""
        return self.people()

    def offered(self, name: str) -> Sequence[str]:
        """Who or what may be put in the order that a question asks for."""
        return sorted(self.people())

    def figures(self, name: str) -> Sequence[int]:
        """Sums or numbers to choose from where a question does not arise, so that it has as many options as where it
        does."""
        return ()

    def plain_facts(self) -> set[str]:
        """What anybody can see without knowing the rules, in the words that the table of questions uses for its
        conditions."""
        found: set[str] = set()
        for name, default in _defaults(type(self.incident)):
            value = getattr(self.incident, name)
            found |= _of_field(name, value)
            found |= {name} if isinstance(value, tuple) and value != default else set()
        for call in self.calls:
            found |= {f"said:{call.says}", f"{call.by}:{call.says}"}
        return found

    def every(self, stem: str) -> Sequence[str]:
        """What a star after this stem stands for in the table of questions: one question for each."""
        raise UnknownName("group of questions", stem)

    def about(self, name: str, ref: str) -> Sentence:
        """The sentence that asks about one thing, and the values that name it."""
        return f"question.{name}", {"ref": ref}

    def involved(self) -> set[str]:
        """Who is involved, by role and not by name: those the incident names and those who spoke.

        A game adds whatever else makes two cases different for a trainee, such as the kinds of bets on its cloth.
        """
        present = set(self.people())
        named = {(name, getattr(self.incident, name)) for name, _ in _defaults(type(self.incident)) if name != "kind"}
        found = {f"{name}:{self.role(who)}" for name, who in named if isinstance(who, str) and who in present}
        return found | {f"{self.role(call.by)} {call.says}" for call in self.calls}

    def role(self, who: str) -> str:
        """What somebody is at the table, in one word."""
        if who == getattr(self, "banker", None):
            return "banker"
        if who not in self.people():
            return who
        return "seated" if who.isdigit() else "standing"

    def left(self, after: "After") -> dict[str, Any]:
        """The facts of the table that change with the ruling, by name; all others stay as they were."""
        return {}

    def pointed(self, name: str, kind: str, value: Any) -> list[str]:
        """Where at the table a value of a sentence is: places (`4a`), cards (`ponto.3`), spots (`spot:17-20`)."""
        return []


def manner(incident: Incident, people: Sequence[str]) -> set[str]:
    """How it happened, in the words of its facts (`wish=take`, `announced`), without people and figures."""
    told = {name: getattr(incident, name) for name, _ in _defaults(type(incident))}
    return {
        name if value is True else f"{name}={value}"
        for name, value in told.items()
        if value is True or (isinstance(value, str) and value and value not in people)
    }


def kind_of(incident: Struct | type[Struct]) -> str:
    return str(incident.__struct_config__.tag)


@cache
def kinds(base: type[Incident]) -> dict[str, type[Incident]]:
    """Every kind of incident of a game, by name. All of them exist once the engine is imported."""
    found: dict[str, type[Incident]] = {}
    pending = list(base.__subclasses__())
    while pending:
        kind = pending.pop()
        found[kind_of(kind)] = kind
        pending.extend(kind.__subclasses__())
    return found


@cache
def _defaults(incident: type[Struct]) -> tuple[tuple[str, Any], ...]:
    """The fields of a kind of incident with their defaults. Cached: the lookup is slow and every scenario needs it."""
    return tuple((field.name, field.default) for field in structs.fields(incident))


def _of_field(name: str, value: Any) -> set[str]:
    """`refuses`, `order=deal`, `exposed:2`; nothing for an absent value."""
    if value is None or value is False or value in ("", 0):
        return set()
    if isinstance(value, tuple):
        return {f"{name}:{len(value)}"}
    return {name} if value is True else {name, f"{name}={value}"}


def read(data: object, model: type[S], known: Mapping[str, type[Incident]]) -> S:
    """A situation from plain data (parsed JSON). Raises an error that says which fact is wrong."""
    if not isinstance(data, dict) or not isinstance(data.get("incident"), dict):
        raise EngineError("expected an object with an `incident` object", fact="situation")
    kind = data["incident"].get("kind")
    if not isinstance(kind, str) or kind not in known:
        raise EngineError("unknown kind {kind!r}", fact="situation.incident.kind", kind=kind)
    with given_to(kind=kind):
        incident = convert(data["incident"], known[kind], "situation.incident")
        rest = {name: value for name, value in data.items() if name != "incident"}
        facts = convert(rest, _facts(model), "situation")
        return model(**{name: getattr(facts, name) for name in facts.__struct_fields__}, incident=incident)


def convert(data: object, model: type[M], where: str) -> M:
    """Plain data as a struct. Raises an error that names the place."""
    try:
        return msgspec.convert(data, model)
    except msgspec.ValidationError as error:
        raise misfit(str(error), where) from None


@cache
def _facts(model: type[Struct]) -> type[Struct]:
    """The same fields without the incident, whose type depends on its kind."""
    fields = [
        (field.name, field.type, field.default) if field.default is not msgspec.NODEFAULT else (field.name, field.type)
        for field in structs.fields(model)
        if field.name != "incident"
    ]
    return msgspec.defstruct("_Facts", fields, kw_only=True, forbid_unknown_fields=True)
