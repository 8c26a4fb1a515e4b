"""A ruling: typed decisions and the reasoning that led to them. Each step cites its article."""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Literal, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from rules_engine.citations import combined
from rules_engine.documents import FORMAT
from rules_engine.equipment.cards import Card
from rules_engine.errors import EngineError
from rules_engine.grounds import ground

if TYPE_CHECKING:
    from rules_engine.rulebook import Rulebook

T = TypeVar("T")
Fact = str | int | bool | tuple[str, ...] | None
Kind = Literal["choice", "score", "amount", "number", "player", "order", "words"]
# The right answer to a question that does not arise.
DOES_NOT_ARISE = "does_not_arise"
# What it adds to the work of a case that two provisions meet in it.
MEETING = 4


class Adopted(Struct, frozen=True, omit_defaults=True, gc=False):
    """The reading that a house has adopted of an open question: another one by `choice`, or the recorded one.

    `record` says where the house wrote it down; the engine only passes it on.
    """

    choice: str = ""
    record: str = ""


class Step(Struct, frozen=True, kw_only=True, omit_defaults=True, gc=False):
    """One step of the reasoning. `pivot` marks the rules that the case turns on, as opposed to background.

    Where the text is open, `reading` names the question and `adopted` the reading of the house.
    """

    cite: str
    text: str
    values: dict[str, Fact] = {}
    pivot: bool = False
    reading: str = ""
    adopted: Adopted | None = None


class Utterance(Struct, frozen=True, gc=False):
    """Words to say: a formula of the rulebook with its slots filled."""

    formula: str
    slots: dict[str, int | str] = {}


Value = str | int | tuple[str, ...] | Utterance


class Decision(Struct, frozen=True, kw_only=True, omit_defaults=True, gc=False):
    """One thing the ruling settles, which can be asked and graded on its own. `rests` are the clauses it comes from."""

    key: str
    kind: Kind
    value: Value
    tempting: tuple[str | int | tuple[str, ...] | Utterance, ...] = ()
    critical: bool = False
    weight: int = 1
    rests: tuple[str, ...] = ()


class Payment(Struct, frozen=True, omit_defaults=True, gc=False):
    """Chips that change hands: from a player, the bank ("bank") or the house ("house"), to another.

    On a layout, `spot` is where the bet lies that is paid or collected.
    """

    payer: str
    payee: str
    amount: int
    spot: str = ""


class After(Struct, frozen=True, kw_only=True, omit_defaults=True, gc=False):
    """The table as it should end: cards in named heaps, chips that changed hands, and marks on the cloth.

    Every card that was out of the shoe lies in exactly one heap. A mark says where something stands (`marker`: `17`).
    """

    heaps: dict[str, tuple[Card, ...]] = {}
    payments: tuple[Payment, ...] = ()
    marks: dict[str, str] = {}

    def heap(self, name: str) -> tuple[Card, ...]:
        return self.heaps.get(name, ())


class Ruling(Struct, frozen=True, kw_only=True, gc=False):
    """What follows from the facts. `outcome` has figures of interest, whether or not a decision asks for them: the
    final scores, what the house keeps, the total paid."""

    rulebook: str
    steps: tuple[Step, ...]
    decisions: tuple[Decision, ...]
    after: After | None = None
    exam_safe: bool = True
    outcome: dict[str, int] = {}
    format: int = FORMAT

    def __getitem__(self, key: str) -> Value:
        for decision in self.decisions:
            if decision.key == key:
                return decision.value
        raise KeyError(key)

    def get(self, key: str) -> Value | None:
        return next((decision.value for decision in self.decisions if decision.key == key), None)

    @property
    def results(self) -> dict[str, Value]:
        """Everything decided and every figure, each under its one name."""
        return {**self.outcome, **{decision.key: decision.value for decision in self.decisions}}

    @property
    def cites(self) -> tuple[str, ...]:
        return tuple(step.cite for step in self.steps)

    @property
    def pivots(self) -> tuple[str, ...]:
        """The articles the case turned on: what a trainee who got it right has shown to know."""
        return tuple(dict.fromkeys(step.cite for step in self.steps if step.pivot))

    def rests_on(self, key: str) -> tuple[str, ...]:
        """The clauses that the answer to a question follows from.

        A question that does not arise follows from the case as a whole, and so do the decisions of rulings from earlier
        releases.
        """
        rests = next((decision.rests for decision in self.decisions if decision.key == key), ())
        return rests or self.pivots or tuple(dict.fromkeys(self.cites))

    @property
    def work(self) -> float:
        return work(self.steps, self.decisions)

    @property
    def hardness(self) -> float:
        return hardness(self.steps, self.decisions)


def work(steps: Sequence[Step], decisions: Iterable[Decision]) -> float:
    """How much there is to think about: steps, rules the case turns on (each a chance to err), wrong answers that
    tempt."""
    pivots = {step.cite for step in steps if step.pivot}
    return len(steps) + 2 * len(pivots) + sum([len(decision.tempting) for decision in decisions]) / 2


def hardness(steps: Sequence[Step], decisions: Iterable[Decision]) -> float:
    """The work of a case at a hard level, where it counts more if two provisions meet."""
    pivots = {step.cite for step in steps if step.pivot}
    tempting = sum([len(decision.tempting) for decision in decisions]) / 2
    return len(steps) + 2 * len(pivots) + tempting + (MEETING if len(pivots) > 1 and combined(pivots) else 0)


def choices(decisions: Iterable[Decision]) -> frozenset[tuple[str, Value]]:
    """The answers that are picked from a list and asked for once: choices, forms of announcement, and what becomes of a
    single card."""
    found: list[tuple[str, Value]] = []
    cards: list[tuple[str, Value]] = []
    for one in decisions:
        if one.kind == "choice":
            if "." not in one.key:
                found.append((one.key, one.value))
            elif one.key.startswith("fate."):
                cards.append(("fate", one.value))
        elif one.kind == "words" and isinstance(one.value, Utterance):
            found.append((one.key, one.value.formula))
    return frozenset(found + cards if len(cards) == 1 else found)


class Reasoning:
    """Collects steps and decisions while a rule runs. Raises an error if a rule cites an article that the rulebook
    lacks."""

    __slots__ = (
        "_after",
        "_by_hand",
        "_outcome",
        "_rows",
        "_steps_before",
        "book",
        "decisions",
        "disputed",
        "exam_safe",
        "procedure",
        "steps",
    )

    def __init__(self, book: "Rulebook") -> None:
        self.book = book
        self.steps: list[Step] = []
        self.decisions: dict[str, Decision] = {}
        self.exam_safe = True
        # Whether it rests on an open question of the text that the house has not settled.
        self.disputed = False
        # The decision that the house has adopted for an incident on which the regulation is silent.
        self.procedure = ""
        self._rows = book.law.clauses
        # For each decision, how many steps there were before it.
        self._steps_before: list[int] = []
        self._by_hand: dict[str, tuple[str, ...]] = {}
        self._after: After | None = None
        self._outcome: dict[str, int] = {}

    def step(self, cite: str, text: str, *, pivot: bool = False, **values: Fact) -> None:
        """Add a step: the article, the catalogue id of its sentence, and the values it turned on."""
        self._step(cite, text, pivot, values)

    def pivot(self, cite: str, text: str, **values: Fact) -> None:
        """Add a step that the case turns on."""
        self._step(cite, text, True, values)

    def _step(self, cite: str, text: str, pivot: bool, values: dict[str, Fact]) -> None:
        row = self._rows.get(cite) or self.book.law.row(cite)
        if not row.reading and not row.hold:
            self.steps.append(Step(cite=cite, text=text, values=values, pivot=pivot))
            return
        adopted = self.book.readings.get(row.reading) if row.reading else None
        if row.hold and adopted is None:
            self.exam_safe = False
            self.disputed = self.disputed or row.tested
        self.steps.append(Step(cite=cite, text=text, values=values, pivot=pivot, reading=row.reading, adopted=adopted))

    def choice(self, key: str, value: str, *, tempting: Iterable[str] = (), critical: bool = False) -> None:
        """Decide for one of the options of the key. `tempting` are the options that a nearby rule would give."""
        options = self.book.game.options(key)
        if value not in options:
            raise EngineError("{given!r} is not one of {known}", fact=key, given=value, known=options)
        wrong = _others(value, tempting) if tempting else ()
        self._add(Decision(key=key, kind="choice", value=value, tempting=wrong, critical=critical))

    def fate(self, ref: str, value: str) -> None:
        """What happens to one card, named by where it lies: `loose.1`, `banker.3`."""
        self.choice(f"fate.{ref}", value)

    def score(self, key: str, value: int, *, tempting: Iterable[int] = ()) -> None:
        self._add(Decision(key=key, kind="score", value=value, tempting=_others(value, tempting)))

    def amount(self, key: str, value: int, *, tempting: Iterable[int] = (), critical: bool = False) -> None:
        wrong = _others(value, tempting)
        self._add(Decision(key=key, kind="amount", value=value, tempting=wrong, critical=critical))

    def number(self, key: str, value: int, *, tempting: Iterable[int] = ()) -> None:
        """A count that is not money: cards to burn, coups, minutes."""
        self._add(Decision(key=key, kind="number", value=value, tempting=_others(value, tempting)))

    def player(self, key: str, value: str, *, tempting: Iterable[str] = (), critical: bool = False) -> None:
        """A player by place (`4`, `4a`) or one of `nobody`, `inspector`, `croupier`, `banker`."""
        wrong = _others(value, tempting)
        self._add(Decision(key=key, kind="player", value=value, tempting=wrong, critical=critical))

    def order(self, key: str, value: Iterable[str], *, tempting: Iterable[tuple[str, ...]] = ()) -> None:
        """Players in the order in which they are served, offered or paid."""
        right = tuple(value)
        self._add(Decision(key=key, kind="order", value=right, tempting=_others(right, tempting)))

    def words(
        self,
        formula: str | Utterance,
        *,
        key: str = "announcement",
        tempting: Iterable[Utterance] = (),
        **slots: int | str,
    ) -> None:
        """The announcement to make, as a formula with its slots or whole. The formula must exist in the rulebook."""
        said = formula if isinstance(formula, Utterance) else Utterance(formula, slots)
        self.book.formula(said.formula)
        self._add(Decision(key=key, kind="words", value=said, tempting=_others(said, tempting)))

    def rests(self, key: str, *cites: str) -> None:
        """State what a decision rests on, where the order of the steps does not show it."""
        self._by_hand[key] = tuple(self.book.law.row(cite).cite for cite in cites)

    def decided(self, key: str) -> Decision | None:
        """What has been decided so far under a key."""
        return self.decisions.get(key)

    def told(self, text: str) -> bool:
        """Whether there is already a step with this sentence."""
        return any(step.text == text for step in self.steps)

    def again(self, key: str, decision: Decision) -> None:
        """The same decision under another key, such as the same words in another language."""
        self._add(replace(decision, key=key))

    def after(self, after: After) -> None:
        self._after = after

    def outcome(self, **figures: int) -> None:
        """Figures to read from the ruling, under the names that all rulings use."""
        self._outcome |= figures

    @property
    def work(self) -> float:
        return work(self.steps, self.decisions.values())

    @property
    def hardness(self) -> float:
        return hardness(self.steps, self.decisions.values())

    @property
    def choices(self) -> frozenset[tuple[str, Value]]:
        return choices(self.decisions.values())

    def ruling(self) -> Ruling:
        self._ground()
        return Ruling(
            rulebook=self.book.id,
            steps=tuple(self.steps),
            decisions=tuple(self.decisions.values()),
            after=self._after,
            exam_safe=self.exam_safe,
            outcome=self._outcome,
        )

    def _add(self, decision: Decision) -> None:
        if decision.key in self.decisions:
            raise EngineError("decided twice: {key}", key=decision.key)
        self._steps_before.append(len(self.steps))
        self.decisions[decision.key] = decision

    def _ground(self) -> None:
        """Add to each decision what it rests on. Done last, because most rulings are only compared with others."""
        ground(self.steps, self.decisions.values(), self._steps_before, self.book, self._by_hand)


def _others(right: T, wrong: Iterable[T]) -> tuple[T, ...]:
    found: list[T] = []
    for item in wrong:
        if item != right and item not in found:
            found.append(item)
    return tuple(found)
