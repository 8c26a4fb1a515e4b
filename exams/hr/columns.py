"""The columns and rows of each kind of export; rows are produced lazily."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import date
from itertools import chain
from typing import Any

from django.utils.translation import gettext as _

from exams import clock
from exams.certificates.lifecycle import Standing, standing
from exams.certificates.printing import parts
from exams.hr import affected, roster, selectors
from exams.hr.models import Export
from exams.hr.selectors import Filters
from rules_engine import GAMES, RULEBOOKS
from rules_engine.narration import book_name
from training.people.request import language

BATCH = 500
LICENCE = ("licence_number", "licence_until")


@dataclass(slots=True)
class Dated:
    """The part of a certificate that its standing depends on."""

    state: str
    valid_from: date
    valid_until: date


@dataclass(frozen=True, slots=True)
class Named:
    """A language-independent code for programs and a name for people."""

    code: str
    name: str


@dataclass(frozen=True)
class Table:
    """`titles` are keyed by the names programs use; each row has a value for each title."""

    titles: dict[str, str]
    rows: Iterator[tuple[Any, ...]]
    total: int


def table(what: str, filters: Filters, on: date | None = None) -> Table:
    """The table of an export, in the active language."""
    if what == Export.What.ROSTER:
        return _roster(on or clock.today(), filters)
    if what == Export.What.AFFECTED:
        return _affected(filters)
    return _people(filters) if what == Export.What.PEOPLE else _certificates(filters)


def _books() -> Callable[[Iterable[str]], Named]:
    """Returns a function that names rulebooks in the language active now; rows are made later, when it may differ."""
    names = {book: book_name(book, language()) for book in RULEBOOKS}

    def named(scope: Iterable[str]) -> Named:
        books = list(scope)
        return Named(" ".join(books), "; ".join(names.get(book, book) for book in books))

    return named


def _certificate_titles() -> dict[str, str]:
    return {
        "number": _("Certificate"),
        "name": _("Name"),
        "email": _("E-mail"),
        "staff_number": _("Staff number"),
        "department": _("Department"),
        "programme": _("Programme"),
        "scope": _("Rulebooks"),
        "standing": _("Status"),
        "valid_from": _("Valid from"),
        "valid_until": _("Valid until"),
        "left_on": _("Left on"),
        **_licence_titles(),
        "theory_on": _("Theory"),
        "practice_on": _("Practical exam"),
    }


def _certificates(filters: Filters) -> Table:
    found, today = selectors.certificates(filters), clock.today()
    words = {value: str(label) for value, label in Standing.choices}
    books, spoken = _books(), language()

    def row(found: dict[str, Any]) -> tuple[Any, ...]:
        dated = Dated(found["state"], found["valid_from"], found["valid_until"])
        code, stands = found["programme_version__programme__code"], standing(dated, today)
        return (
            found["number"],
            found["holder__name"],
            found["holder__email"],
            found["holder__staff_record__staff_number"] or "",
            found["holder__staff_record__department"] or "",
            Named(code, _named(found["programme_version__names"], spoken) or code),
            books(found["scope"]),
            Named(stands, words[stands]),
            dated.valid_from,
            dated.valid_until,
            found["holder__staff_record__left_on"],
            found["holder__staff_record__licence_number"] or "",
            found["holder__staff_record__licence_until"],
            *(parts(found["printed"]) or (None, None)),
        )

    holder = (
        "name",
        "email",
        *(f"staff_record__{name}" for name in ("staff_number", "department", "left_on", *LICENCE)),
    )
    own = ("pk", "number", "scope", "state", "valid_from", "valid_until", "printed")
    programme = ("programme_version__programme__code", "programme_version__names")
    light = found.values(*own, *programme, *(f"holder__{name}" for name in holder))
    return Table(
        _certificate_titles(), map(row, chain.from_iterable(selectors.in_batches(light, BATCH))), found.count()
    )


def _licence_titles() -> dict[str, str]:
    return {"licence_number": _("Licence number"), "licence_until": _("Licence valid until")}


def _named(names: dict[str, str], spoken: str) -> str:
    """The programme's name in this language, or in any it has."""
    return names.get(spoken) or next(filter(None, names.values()), "")


def _people(filters: Filters) -> Table:
    found, today = selectors.people(filters), clock.today()
    titles = {
        "name": _("Name"),
        "email": _("E-mail"),
        "staff_number": _("Staff number"),
        "department": _("Department"),
        "joined_on": _("Joined on"),
        "left_on": _("Left on"),
        **_licence_titles(),
        "may_deal": _("May deal"),
        "valid_until": _("First to end"),
    }
    games = {game.id: {book.id for book in game.books} for game in GAMES.values()}
    titles |= {f"until_{game}": _("%(game)s until") % {"game": GAMES[game].name(language())} for game in games}

    books = _books()

    def rows() -> Iterator[tuple[Any, ...]]:
        names = ("staff_number", "department", "joined_on", "left_on", *LICENCE)
        record = tuple(f"staff_record__{name}" for name in names)
        for batch in selectors.in_batches(found.values("pk", "name", "email", *record), BATCH):
            held = selectors.valid_scopes([row["pk"] for row in batch], today)
            for row in batch:
                number, department, joined, left, licence, licensed = (row[name] for name in record)
                ends = held.get(row["pk"], {})
                until = {
                    game: max((ends[book] for book in own if book in ends), default=None) for game, own in games.items()
                }
                person = (row["name"], row["email"], number or "", department or "", joined, left)
                first = min(filter(None, until.values()), default=None)
                yield (*person, licence or "", licensed, books(sorted(ends)), first, *until.values())

    return Table(titles, rows(), found.count())


def _affected(filters: Filters) -> Table:
    """The holders of valid certificates on an earlier version than `filters.rulebook`."""
    new = RULEBOOKS.get(filters.rulebook)
    titles = {
        "number": _("Certificate"),
        "name": _("Name"),
        "email": _("E-mail"),
        "staff_number": _("Staff number"),
        "department": _("Department"),
        "holds": _("Version held"),
        "valid_until": _("Valid until"),
        "new_version": _("New version"),
        "in_force_since": _("In force since"),
        "passed_on": _("Exam on the new version passed on"),
    }
    if new is None:
        return Table(titles, iter(()), 0)
    books, found = _books(), affected.holders(new, filters)
    older, named = affected.older(new), books([new.id])

    def row(held: dict[str, Any]) -> tuple[Any, ...]:
        record = (held["holder__staff_record__staff_number"] or "", held["holder__staff_record__department"] or "")
        holds = books(book for book in held["scope"] if book in older)
        person = (held["number"], held["holder__name"], held["holder__email"], *record)
        return (*person, holds, held["valid_until"], named, new.law.enacted.in_force, affected.day(held["passed_at"]))

    staff = ("holder__staff_record__staff_number", "holder__staff_record__department")
    light = found.values("pk", "number", "scope", "valid_until", "passed_at", "holder__name", "holder__email", *staff)
    return Table(titles, map(row, chain.from_iterable(selectors.in_batches(light, BATCH))), found.count())


def _roster(on: date, filters: Filters) -> Table:
    titles = {
        "rulebook": _("Rulebook"),
        "name": _("Name"),
        "staff_number": _("Staff number"),
        "department": _("Department"),
        "shift": _("Shift"),
        "certificate": _("Certificate"),
        "until": _("Valid until"),
        **_licence_titles(),
        "lapses_soon": _("Lapses soon"),
    }
    books = _books()

    def row(entry: roster.Entry) -> tuple[Any, ...]:
        return (books([entry.rulebook]), *(getattr(entry, name) for name in list(titles)[1:]))

    found = roster.entries(on, filters.rulebook, filters.shift, batch=BATCH)
    return Table(titles, map(row, found), roster.count(on, filters.rulebook, filters.shift))
