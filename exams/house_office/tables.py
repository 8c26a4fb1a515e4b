"""Acts on the tables of the house, each with an audit entry. Cases, programmes and papers contain their tables, so that
none of these acts changes them."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import Max
from django.utils.translation import gettext_lazy as _

from exams import clock
from exams.audit.services import record
from exams.house_office.rulings import DECIDERS
from rules_engine import RULEBOOKS, EngineError, Rulebook, Table, UnfitTable, table_from
from rules_engine.narration import cited, refused
from training.house import tables
from training.house.models import HouseTable
from training.house.tables import Offered
from training.people.models import User
from training.people.request import language
from training.platform.engine_json import as_stored
from training.platform.errors import ChangedMeanwhile, Refused, Unfit

MOST_TABLES = 40  # of a rulebook


class UnfitSettings(Unfit):
    """Settings that cannot be used. `place` is the part of the table document: `minimum`, `chips[2].value`."""

    def __init__(self, place: str, reason: object) -> None:
        self.field = self.place = place
        super().__init__(str(reason))


def verify_decides(by: User) -> None:
    if not User.objects.filter(pk=by.pk, is_active=True, role_grants__role__in=DECIDERS).exists():
        raise Refused(_("Only instructors and administrators can set up tables."))


def checked(book: Rulebook, settings: Mapping[str, Any]) -> Table:
    """The table with these settings. Raises UnfitSettings, with the article that does not allow them."""
    try:
        table = table_from(dict(settings))
        book.game.check_table(table, book)
    except EngineError as error:
        raise UnfitSettings(error.fact.removeprefix("table."), told(error, book)) from None
    return table


def told(error: EngineError, book: Rulebook) -> str:
    """What is wrong with a table, with the article that says so."""
    reason = refused(error, language())
    if isinstance(error, UnfitTable) and error.cite:
        return f"{reason} ({cited(error.cite, book, language())})"
    return reason


@transaction.atomic
def add(*, by: User, rulebook: str, settings: Mapping[str, Any], alone: bool = False) -> HouseTable:
    """Add a table. `alone`: the tables that come with the rulebook are switched off."""
    verify_decides(by)
    book = _book(rulebook)
    table = checked(book, settings)
    rows = HouseTable.objects.filter(rulebook=rulebook)
    if rows.count() >= MOST_TABLES:
        raise Refused(_("A rulebook has at most %(most)d tables.") % {"most": MOST_TABLES})
    _verify_name(book, table.name)
    last = rows.aggregate(last=Max("position"))["last"] or 0
    found = _stored(by, rulebook=rulebook, name=table.name, document=as_stored(table), position=last + 1)
    if alone:
        for one in tables.listed(rulebook):
            if not one.own and one.active:
                _switch(by, rulebook, one, active=False)
    record(by, "table.added", f"table:{found.pk}", rulebook=rulebook, name=table.name, table=found.document)
    return found


@transaction.atomic
def change(table_id: int, *, by: User, settings: Mapping[str, Any], seen: datetime) -> HouseTable:
    """Change a table of the house. Raises ChangedMeanwhile if it changed since it was `seen`."""
    verify_decides(by)
    found = _locked(table_id)
    if found.changed_at != seen:
        raise ChangedMeanwhile(_("The table has been changed since you opened this page. Look at it again."))
    book = _book(found.rulebook)
    table = checked(book, settings)
    if table.name != found.name:
        _verify_name(book, table.name)
    was, found.document = found.document, as_stored(table)
    if was == found.document:
        return found
    found.name, found.changed_by, found.changed_at = table.name, by, clock.now()
    try:
        with transaction.atomic():
            found.save(update_fields=["name", "document", "changed_by", "changed_at"])
    except IntegrityError:
        raise UnfitSettings("name", _("Another table has this name.")) from None
    changes = {name: [was.get(name), found.document.get(name)] for name in {**was, **found.document}}
    changes = {name: pair for name, pair in changes.items() if pair[0] != pair[1]}
    record(by, "table.changed", f"table:{found.pk}", rulebook=book.id, name=table.name, changes=changes)
    return found


@transaction.atomic
def switch(by: User, rulebook: str, key: str, *, active: bool) -> Offered:
    """Take a table into use or out of it."""
    verify_decides(by)
    _book(rulebook)
    found = next((one for one in tables.listed(rulebook) if one.key == key), None)
    if found is None:
        raise Refused(_("There is no such table."))
    if found.active != active:
        _switch(by, rulebook, found, active=active)
    return found


@transaction.atomic
def move_up(table_id: int, by: User) -> HouseTable:
    """Put a table of the house before the one above it."""
    verify_decides(by)
    found = _locked(table_id)
    above = HouseTable.objects.filter(rulebook=found.rulebook, shipped=False, position__lt=found.position)
    other = above.select_for_update(no_key=True).order_by("-position").first()
    if other is None:
        return found
    found.position, other.position = other.position, found.position
    for row in (found, other):
        row.save(update_fields=["position"])
    record(by, "table.moved", f"table:{found.pk}", rulebook=found.rulebook, name=found.name)
    return found


def _switch(by: User, rulebook: str, found: Offered, *, active: bool) -> None:
    if found.row is None:
        row = _stored(by, rulebook=rulebook, name=found.table.name, shipped=True, active=active)
    else:
        row = HouseTable.objects.select_for_update(no_key=True).get(pk=found.row.pk)
        row.active, row.changed_by, row.changed_at = active, by, clock.now()
        row.save(update_fields=["active", "changed_by", "changed_at"])
    record(by, "table.taken_up" if active else "table.retired", f"table:{row.pk}", rulebook=rulebook, name=row.name)


def _stored(by: User, **values: Any) -> HouseTable:
    now = clock.now()
    try:
        with transaction.atomic():
            return HouseTable.objects.create(**values, created_by=by, created_at=now, changed_by=by, changed_at=now)
    except IntegrityError:
        raise UnfitSettings("name", _("Another table has this name.")) from None


def _verify_name(book: Rulebook, name: str) -> None:
    if name != " ".join(name.split()):
        raise UnfitSettings("name", _("Write the name without spaces around it."))
    held = HouseTable.objects.filter(rulebook=book.id, name=name).exists()
    if held or any(table.name == name for table in book.tables):
        raise UnfitSettings("name", _("Another table has this name."))


def _book(rulebook: str) -> Rulebook:
    if rulebook not in RULEBOOKS:
        raise Refused(_("There is no such rulebook."))
    return RULEBOOKS[rulebook]


def _locked(table_id: int) -> HouseTable:
    found = HouseTable.objects.select_for_update(no_key=True).filter(pk=table_id, shipped=False).first()
    if found is None or found.rulebook not in RULEBOOKS:
        raise Refused(_("There is no such table."))
    return found
