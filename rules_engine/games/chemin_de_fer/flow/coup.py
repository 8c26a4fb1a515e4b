"""A chemin de fer coup in the making: its facts so far, and the moments that led to them."""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any, get_args

from rules_engine.authoring import EngineError, Payment, Rulebook
from rules_engine.games.baccarat.draw import Draw
from rules_engine.games.chemin_de_fer.order import from_right
from rules_engine.games.chemin_de_fer.table import Call, Incident, Says, Situation, Stake
from rules_engine.live.flow import plain
from rules_engine.live.model import Duty, Event, Moment, State
from rules_engine.ruling import Ruling

Facts = dict[str, Any]
# What the croupier says, by the name that the log of calls has for it.
LOGGED = {"banco_closed": "closed", "banco_priority": "banco"}
SAYS = frozenset(get_args(Says))
UP_NEXT = 4
HANDS = {"ponto": "ponto", "banker": "banker_cards", "loose": "loose"}


def limits(book: Rulebook) -> tuple[int, int]:
    """The smallest bank of the table and its smallest stake."""
    return book.table.limit("bank").minimum, book.table.minimum


class Coup:
    """The facts of a coup while it is planned. Phases add moments to it, in the order of play."""

    def __init__(self, state: State, book: Rulebook, draw: Draw) -> None:
        self.state, self.book, self.draw = state, book, draw
        self.table: Facts = dict(state.table)
        self.minimum, self.unit = limits(book)
        self.shoe = list(state.shoe)
        self.busy = state.setup.habits.busy
        self.calls: list[Call] = []
        self.stakes: tuple[Stake, ...] = ()
        self.holder: str | None = None
        self.claim: Any = None
        self.by_table: tuple[Any, ...] = ()
        self.ponto: tuple[str, ...] = ()
        self.banker_cards: tuple[str, ...] = ()
        self.loose: tuple[str, ...] = ()
        self.hidden: tuple[str, ...] = ()
        self.moments: list[Moment] = []
        self.base: tuple[str, ...] = ()
        self.last_of_shoe = False
        self.drawn_out = False
        self.passed = False
        self.put_up: int | None = None
        self.winner = ""

    # The table.

    @property
    def banker(self) -> str:
        return str(self.table["banker"])

    @property
    def bank(self) -> int:
        return int(self.table["bank"])

    @property
    def closed(self) -> bool:
        return any(call.says == "closed" for call in self.calls)

    def pontos(self) -> list[str]:
        """Who can stake, the seated first. Nobody behind the banker's own seat does: the texts do not rank him."""
        seated = [str(seat) for seat in self.table["seats"] if str(seat) != self.banker]
        standing = [place for place in self.table["standing"] if place[0] != self.banker[0]]
        return [*from_right(self.banker, seated), *from_right(self.banker, standing)]

    def seated_pontos(self) -> list[str]:
        return [place for place in self.pontos() if place.isdigit()]

    def facts(self) -> Facts:
        return {
            "seats": tuple(self.table["seats"]),
            "standing": tuple(self.table["standing"]),
            "banker": self.banker,
            "bank": self.bank,
            "minimum": self.minimum,
            "unit": self.unit,
            "wins": self.table["coups"].count("won"),
            "stakes": self.stakes,
            "holder": self.holder,
            "claim": self.claim,
            "by_table": self.by_table,
            "calls": tuple(self.calls),
            "ponto": self.ponto,
            "banker_cards": self.banker_cards,
            "loose": self.loose,
            "hidden": self.hidden,
            "next": tuple(self.shoe[:UP_NEXT]),
        }

    def rule(self, incident: Incident, **other: Any) -> Ruling | None:
        """The ruling on these facts, or None where the text gives none."""
        if not self.book.regulates(type(incident)):
            return None
        try:
            return self.book.rule(Situation(**self.facts() | other, incident=incident))
        except EngineError:
            return None

    # What happens.

    def moment(self, *events: Event, duties: Iterable[Duty] = (), **other: Any) -> None:
        """Add a moment, unless nothing happens in it."""
        found = Moment(events=events, duties=tuple(duties), **other)
        if found != Moment():
            self.moments.append(found)

    def said(self, by: str, says: Any, amount: int | None = None) -> Event:
        """Somebody other than the croupier speaks."""
        self.calls.append(Call(by, says, amount))
        return Event("call", by=by, says=says, amount=amount)

    def repeated(self, duties: Sequence[Duty]) -> None:
        """The facts go on as if the croupier had said what is due."""
        for duty in duties:
            if duty.words and "." not in duty.key:
                amount = duty.words.slots.get("amount")
                words: Any = LOGGED.get(duty.words.formula, duty.words.formula)
                if words in SAYS:
                    self.calls.append(Call("croupier", words, amount if isinstance(amount, int) else None))

    def drawn(self, count: int) -> tuple[str, ...]:
        """Cards that leave the shoe."""
        if len(self.shoe) < count:
            raise RuntimeError(f"the shoe has only {len(self.shoe)} cards")
        cards, self.shoe = tuple(self.shoe[:count]), self.shoe[count:]
        return cards

    def turned(self, *heaps: str) -> list[Event]:
        """These hands are turned up."""
        events = [Event("card", to=ref, card=self.card(ref)) for ref in self.hidden if ref.partition(".")[0] in heaps]
        self.hidden = tuple(ref for ref in self.hidden if ref.partition(".")[0] not in heaps)
        return events

    def card(self, ref: str) -> str:
        heap, _, number = ref.partition(".")
        return str(getattr(self, HANDS[heap])[int(number) - 1])

    def facts_of(self, situation: Situation) -> Facts:
        """The facts of an incident as the state stores them."""
        return plain(situation)


def missing(cards: Iterable[str], out: Iterable[str]) -> tuple[str, ...]:
    """Which of these cards are not out yet."""
    left, found = Counter(out), []
    for card in cards:
        if left[card]:
            left[card] -= 1
        else:
            found.append(card)
    return tuple(found)


def transfer(payer: str, payee: str, amount: int) -> tuple[Payment, ...]:
    return (Payment(payer, payee, amount),) if amount else ()
