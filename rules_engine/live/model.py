"""The values of a live table: how it is set up, what happens, what the dealer owes and does, and its state."""

from typing import Annotated, Any, Literal

from msgspec import Meta, Struct

from rules_engine.detection import Trials
from rules_engine.ruling import Adopted, Payment, Utterance
from rules_engine.tables import Table

Chance = Annotated[float, Meta(ge=0, le=1)]
What = Literal[
    "coup",
    "over",
    "people",
    "note",
    "shoe",
    "chips",
    "call",
    "card",
    "ball",
    "dice",
    "number",
    "told",
    "complaint",
    "put_right",
    "stopped",
    "resumed",
]
Outcome = Literal["hit", "miss", "false_alarm", "correct_rejection"]


class Habits(Struct, frozen=True, omit_defaults=True):
    """How the players behave. `chatter` is how often a coup has an incident with nothing wrong in it; `complaints` how
    often a player complains about a fault that the dealer missed, where the law still allows it; `leaves` how often a
    bet that was not lost stays on the cloth for the next coup; `busy` from 1 to 5 is how many play and how much they
    stake."""

    busy: Annotated[int, Meta(ge=1, le=5)] = 2
    chatter: Chance = 0.3
    complaints: Chance = 0.5
    leaves: Chance = 0.4


class Planned(Struct, frozen=True):
    """A fault that an exam plans: one of these kinds, in this coup or in the next one where it can occur."""

    coup: int
    kinds: tuple[str, ...]


class Setup(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Everything that determines a session besides the dealer's acts. `readings` are those the house has adopted. With
    a `plan`, its faults occur and no others."""

    rulebook: str
    seed: str
    coups: Annotated[int, Meta(ge=1, le=100_000)]
    faults: Chance = 0.1
    habits: Habits = Habits()
    table: Table | None = None
    readings: dict[str, Adopted] = {}
    plan: tuple[Planned, ...] = ()


class Event(Struct, frozen=True, omit_defaults=True):
    """Something everybody at the table can see or hear. A card without a face is face down.

    - `coup`: a coup begins (`amount` is its number). `over`: the session ends.
    - `people`: somebody sits down, stands behind a seat or gets up. `note`: something known about a player.
    - `chips`: chips lie on a place or spot, or move (`to`). `call`: words or an act. `card`, `ball`, `number`.
    - `dice`: the dice lie still; `values` has what they show.
    - `told`: something happens; `says` is the id of its sentence and `values` fill it.
    - `complaint`: a player says that something was wrong. `put_right`: the inspector corrects a payment.
    - `stopped`, `resumed`: the dealer stops the game, or it goes on.
    """

    what: What
    by: str = ""
    says: str = ""
    to: str = ""
    card: str = ""
    amount: int | None = None
    values: dict[str, Any] = {}


class Duty(Struct, frozen=True, omit_defaults=True):
    """What the dealer owes now, and the article that says so. `say` has words, `pay` a payment; of the others (`give`
    the cards or the shoe, `do` something) `key` names the decision and `value` its answer. What the text asks for is
    `open` where its ruling rests on a reading that the house has not adopted: no exam counts it."""

    act: Literal["say", "pay", "give", "do"]
    cite: str
    key: str = ""
    words: Utterance | None = None
    payment: Payment | None = None
    value: str | int = ""
    open: bool = False


class Say(Struct, frozen=True, tag="say", omit_defaults=True):
    """The dealer says a formula of the rulebook with its slots filled, or other words (`text`, typed or spoken)."""

    formula: str = ""
    slots: dict[str, int | str] = {}
    text: Annotated[str, Meta(max_length=300)] = ""


class Give(Struct, frozen=True, tag="give"):
    """The dealer passes the cards or the shoe to somebody (`key` as in the duty)."""

    key: str
    to: str


class Do(Struct, frozen=True, tag="do"):
    """The dealer does something else, such as burning cards (`key` as in the duty)."""

    key: str
    value: str | int


class Pay(Struct, frozen=True, tag="pay", omit_defaults=True):
    """The dealer moves chips from one to another."""

    payer: str
    payee: str
    amount: Annotated[int, Meta(ge=1, le=10_000_000)]
    spot: str = ""


class CarryOn(Struct, frozen=True, tag="carry_on"):
    """The dealer lets the game go on."""


class Stop(Struct, frozen=True, tag="stop", omit_defaults=True):
    """The dealer stops the game and says what is wrong (a kind of incident), with answers as in a drill."""

    kind: str = ""
    answers: dict[str, str | int | list[str] | None] = {}


class Resume(Struct, frozen=True, tag="resume"):
    """The dealer continues after a stop."""


Act = Say | Give | Do | Pay | CarryOn | Stop | Resume


class Moment(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One moment of a coup, private to the server until it is reached.

    `draws` are the cards that leave the shoe on reaching it, `moves` the chips that players move themselves. `facts` is
    the situation to rule on, if the moment has one. `kind` is the incident of a fault or of chatter, `wrong` tells them
    apart. From the moment that `settles` on, a missed fault is past correcting, unless it `lasts`. `shuffled` is the
    pack of a new shoe. `void` is the clause by which the missed fault of this coup makes a throw void. `table` replaces
    the facts that last; the last moment of a coup has it.
    """

    events: tuple[Event, ...] = ()
    duties: tuple[Duty, ...] = ()
    draws: tuple[str, ...] = ()
    moves: tuple[Payment, ...] = ()
    facts: dict[str, Any] | None = None
    kind: str = ""
    wrong: bool = False
    settles: bool = False
    lasts: bool = False
    void: str = ""
    complaint: bool = False
    shuffled: tuple[str, ...] = ()
    table: dict[str, Any] | None = None

    @property
    def silent(self) -> bool:
        """Whether nobody can tell that it has been reached."""
        return not (self.events or self.draws or self.moves or self.kind or self.shuffled)


class Trial(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A finished coup for the debrief. `kind` is its fault. `named`: the dealer said what was wrong, with `points` of
    `of` for the ruling. `stands`: nobody complained in time, so the coup counted as played. `void`: the clause by which
    the fault made a throw void, besides those that its ruling cites."""

    coup: int
    outcome: Outcome
    kind: str = ""
    seen_at: int | None = None
    stopped_at: int | None = None
    named: bool = False
    points: int = 0
    of: int = 0
    complained: bool = False
    stands: bool = False
    void: str = ""
    facts: dict[str, Any] | None = None


class Totals(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What the session adds up to, apart from the trials."""

    events: int = 0
    acts: int = 0
    duties: int = 0
    kept: int = 0
    missed: int = 0
    needless: int = 0
    overpaid: int = 0
    underpaid: int = 0


class State(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A live table at one moment. Only the server may hold it: it knows what is coming and what is wrong.

    `table` are the facts that last from one coup to the next; each game has its own. `moments` is the coup as it will
    be if the dealer does not stop it, `at` the moment reached. `kept` numbers the duties of this moment already done,
    `paid` what the dealer has paid in it. `shoe`, `out` and `used` hold every card once. `purses` are the chips of
    everybody; they always add up to zero, because chips come from and go back to `outside`. `fault` is the moment at
    which the fault of this coup becomes visible, `wanted` the kind of fault that the next coup shall have. `placed`
    numbers the planned faults that have occurred.
    """

    setup: Setup
    table: dict[str, Any]
    coup: int = 0
    moments: tuple[Moment, ...] = ()
    at: int = -1
    kept: tuple[int, ...] = ()
    paid: tuple[Payment, ...] = ()
    shoe: tuple[str, ...] = ()
    out: tuple[str, ...] = ()
    used: tuple[str, ...] = ()
    purses: dict[str, int] = {}
    stopped: bool = False
    wanted: str = ""
    fault: int | None = None
    stop_at: int | None = None
    alarm: bool = False
    named: bool = False
    points: int = 0
    of: int = 0
    trials: tuple[Trial, ...] = ()
    totals: Totals = Totals()
    over: bool = False
    placed: tuple[int, ...] = ()

    @property
    def moment(self) -> Moment:
        return self.moments[self.at]

    @property
    def due(self) -> tuple[Duty, ...]:
        """The duties of this moment that are still open."""
        return tuple(duty for number, duty in enumerate(self.moment.duties) if number not in self.kept)


def trials_of(state: State) -> Trials:
    """The finished coups by outcome."""
    outcomes = [trial.outcome for trial in state.trials]
    return Trials(
        hits=outcomes.count("hit"),
        misses=outcomes.count("miss"),
        false_alarms=outcomes.count("false_alarm"),
        correct_rejections=outcomes.count("correct_rejection"),
    )
