"""What a browser gets of a session: an explicit list, made of the events that were shown and nothing else."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import msgspec

from rules_engine import play
from rules_engine.words import money
from training.drawing import Drawing, Said, table_view
from training.live_table.acts import people
from training.live_table.lines import Line, lines, name, spot
from training.live_table.models import Dealing

LOG = 30  # lines


@dataclass(frozen=True)
class Pile:
    """Chips that lie on the table, to be collected or paid."""

    player: str
    spot: str
    amount: int
    keeper: str
    label: str
    sum: str


@dataclass(frozen=True)
class View:
    """A table as its dealer sees it. `number` is that of the next act."""

    number: int
    coup: int
    halted: bool
    over: bool
    table: Drawing
    log: list[Line]
    piles: list[Pile]
    places: list[tuple[str, str]]


def view(session: Dealing, language: str) -> View:
    """The table now."""
    return seen(session, session.base, msgspec.convert(session.shown, list[play.Event]), language)


def seen(session: Dealing, base: dict[str, Any], events: Sequence[play.Event], language: str) -> View:
    """The table after these events of a coup, which began with `base`."""
    book, scene = session.book, play.scene(session.engine_setup, base, events)
    log = lines(events, book, language)
    return View(
        number=session.last_number + 1,
        coup=next((event.amount or 0 for event in events if event.what == "coup"), 1),
        halted=session.halted_at is not None,
        over=session.ended_at is not None,
        table=table_view(
            scene.situation,
            currency=book.currency,
            rulebook=session.rulebook,
            table=book.given_table,
            said=_bubbles(log),
        ),
        log=log[-LOG:],
        piles=[_pile(one, scene.keeper, session, language) for one in scene.stacks],
        places=[(place, name(place, book, language)) for place in people(session)],
    )


def _bubbles(log: list[Line]) -> list[Said]:
    """The words that were said last, if nothing has happened since."""
    return [Said(1, log[-1].place, log[-1].words)] if log and log[-1].spoken and log[-1].place else []


def _pile(one: play.Stack, keeper: str, session: Dealing, language: str) -> Pile:
    where = spot(one.spot, session.book, language) if one.spot != f"seat{one.player}" else ""
    label = name(one.player, session.book, language)
    return Pile(
        player=one.player,
        spot=one.spot,
        amount=one.amount,
        keeper=keeper,
        label=f"{label} · {where}" if where else label,
        sum=money(one.amount, session.book.currency, language),
    )
