"""Queries for people and certificates, with the same filters for pages, exports and the API."""

from collections.abc import Iterator
from datetime import date, timedelta
from typing import Any, TypeVar

import msgspec
from django.db.models import Exists, F, OuterRef, Prefetch, Q, QuerySet, Subquery, TextField
from django.db.models.functions import Cast, Lower
from django.utils.translation import gettext_lazy as _

from exams import clock
from exams.certificates.lifecycle import LIVE, Standing, State
from exams.certificates.models import Act, Certificate
from exams.hr.models import StaffRecord
from rules_engine.folding import folded
from training.people.models import User
from training.platform.folded_text import Folded, alphabetical

Row = TypeVar("Row")
LAPSED = "lapsed"
STANDINGS = [*Standing.choices, (LAPSED, _("lapsed and not replaced"))]
SORTS = {"name": _("name"), "number": _("staff number"), "until": _("end of validity")}
AT_WORK, LEFT, ALL = "", "left", "all"
STAFF = [(AT_WORK, _("working here")), (LEFT, _("who left")), (ALL, _("everybody"))]


class Filters(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Plain values, usable in a URL and in a stored export. `within` is days until the end."""

    q: str = ""
    rulebook: str = ""
    standing: str = ""
    within: int | None = None
    department: str = ""
    shift: str = ""  # for the roster only
    staff: str = AT_WORK
    sort: str = "name"

    @property
    def about_certificates(self) -> bool:
        return bool(self.rulebook or self.standing or self.within is not None)


def certificates(filters: Filters, on: date | None = None) -> QuerySet[Certificate]:
    """Matching certificates. Words are searched in their number and the holder's name, staff number and address."""
    on = on or clock.today()
    found = _scoped().filter(_certificate_fits(filters, on), _staff_fits(filters, on, "holder__"))
    for number, word in enumerate(_words(filters)):
        names = {f"{name}_{number}": Folded(path) for name, path in _searched("holder__").items()}
        found = found.alias(**names, **{f"own_{number}": Folded("number")})
        found = found.filter(_any_has([*names, f"own_{number}"], word))
    order: tuple[Any, ...] = (alphabetical("holder__name"),)
    if filters.sort == "number":
        order = (F("holder__staff_record__staff_number").asc(nulls_last=True),)
    elif filters.sort == "until":
        order = ("valid_until",)
    shown = found.select_related("holder__staff_record", "programme_version__programme")
    return shown.order_by(*order, "holder_id", "-granted_at", "pk")


def people(filters: Filters, on: date | None = None) -> QuerySet[User]:
    """Matching people. Filters about certificates must all match the same certificate."""
    on = on or clock.today()
    found = User.objects.filter(_staff_fits(filters, on, ""))
    if filters.about_certificates:
        found = found.filter(pk__in=_scoped().filter(_certificate_fits(filters, on)).values("holder"))
    for number, word in enumerate(_words(filters)):
        names = {f"{name}_{number}": Folded(path) for name, path in _searched("").items()}
        theirs = Certificate.objects.alias(own=Folded("number")).filter(own__contains=word)
        found = found.alias(**names).filter(_any_has(list(names), word) | Q(pk__in=theirs.values("holder")))
    order: Any = alphabetical("name")
    if filters.sort == "number":
        order = F("staff_record__staff_number").asc(nulls_last=True)
    elif filters.sort == "until":
        # The earliest end that is still to come, of the certificates that the filters ask for.
        ends = _scoped().filter(_certificate_fits(filters, on), holder=OuterRef("pk"), state__in=LIVE)
        ends = ends.filter(valid_until__gte=on).order_by("valid_until")
        order = Subquery(ends.values("valid_until")[:1]).asc(nulls_last=True)
    return found.select_related("staff_record").order_by(order, "pk")


def with_certificates(found: QuerySet[User]) -> QuerySet[User]:
    shown = Certificate.objects.select_related("programme_version__programme").order_by("-granted_at", "pk")
    return found.prefetch_related(Prefetch("certificates", shown))


def stands(standing: str, on: date) -> Q:
    """`lifecycle.standing` as a database condition; a test checks that both agree."""
    if standing == Standing.VALID:
        return Q(state=State.GRANTED, valid_from__lte=on, valid_until__gte=on)
    if standing == Standing.NOT_YET:
        return Q(state=State.GRANTED, valid_from__gt=on, valid_until__gte=on)
    if standing == Standing.SUSPENDED:
        return Q(state=State.SUSPENDED, valid_until__gte=on)
    if standing == Standing.EXPIRED:
        return Q(state=State.EXPIRED) | Q(state__in=LIVE, valid_until__lt=on)
    if standing == LAPSED:
        # Match by holder, which has few rows; hiding the state from SQLite keeps it from scanning all valid ones.
        newer = Certificate.objects.alias(now=Lower("state")).filter(
            now=State.GRANTED,
            valid_from__lte=on,
            valid_until__gte=on,
            holder=OuterRef("holder"),
            programme_version__programme=OuterRef("programme_version__programme"),
        )
        return stands(Standing.EXPIRED, on) & ~Q(Exists(newer))
    return Q(state=standing)


def entitles(rulebook: str, scope: str = "books") -> Q:
    """Whether a scope, as text, contains a rulebook. Both databases can search text; the quotes delimit names."""
    return Q(**{f"{scope}__contains": f'"{rulebook}"'})


def works_on(on: date, path: str) -> Q:
    """Whether somebody works here on a date. People without a record count as working here."""
    record = f"{path}staff_record"
    return ~(Q(**{f"{record}__left_on__lt": on}) | Q(**{f"{record}__joined_on__gt": on}))


def in_batches(found: QuerySet[Any, Row], size: int) -> Iterator[list[Row]]:
    """Yields a long list batch by batch, in order. Rows are models or `values` that include `pk`.

    Keeps no cursor open, because SQLite would refuse progress updates once somebody else has written.
    """
    ids = list(found.values_list("pk", flat=True))
    unordered = found.order_by()
    for start in range(0, len(ids), size):
        wanted = ids[start : start + size]
        rows = {_pk(row): row for row in unordered.filter(pk__in=wanted)}
        yield [rows[each] for each in wanted if each in rows]


def _pk(row: Any) -> Any:
    return row["pk"] if isinstance(row, dict) else row.pk


def valid_scopes(people: list[int], on: date) -> dict[int, dict[str, date]]:
    """Maps each person who may deal anything to the rulebooks, each with its last day. People who do not work here that
    day are left out."""
    found: dict[int, dict[str, date]] = {}
    valid = Certificate.objects.filter(stands(Standing.VALID, on), works_on(on, "holder__"), holder__in=people)
    for holder, scope, until in valid.values_list("holder_id", "scope", "valid_until"):
        held = found.setdefault(holder, {})
        held |= {book: max(until, held.get(book, until)) for book in scope}
    return found


def departments() -> list[str]:
    return _named("department")


def shifts() -> list[str]:
    return _named("shift")


def _named(field: str) -> list[str]:
    named = StaffRecord.objects.exclude(**{field: ""}).order_by(field).values_list(field, flat=True)
    return list(named.distinct())


def acts_of(certificates: list[Certificate]) -> dict[Any, list[Act]]:
    """The full history of each certificate, oldest first."""
    found: dict[Any, list[Act]] = {certificate.pk: [] for certificate in certificates}
    for act in Act.objects.filter(certificate__in=certificates).select_related("actor").order_by("number"):
        found[act.certificate_id].append(act)
    return found


def _scoped() -> QuerySet[Certificate]:
    return Certificate.objects.alias(books=Cast("scope", TextField()))


def _certificate_fits(filters: Filters, on: date) -> Q:
    fits = Q()
    if filters.rulebook:
        fits &= entitles(filters.rulebook)
    if filters.standing:
        fits &= stands(filters.standing, on)
    if filters.within is not None:
        fits &= stands(Standing.VALID, on) & Q(valid_until__lte=on + timedelta(days=filters.within))
    return fits


def _staff_fits(filters: Filters, on: date, path: str) -> Q:
    record = f"{path}staff_record"
    fits = Q(**{f"{record}__department": filters.department}) if filters.department else Q()
    if filters.staff == LEFT:
        fits &= Q(**{f"{record}__left_on__lt": on})
    elif filters.staff == AT_WORK:
        fits &= ~Q(**{f"{record}__left_on__lt": on})
    return fits


def _searched(path: str) -> dict[str, str]:
    return {"name": f"{path}name", "email": f"{path}email", "staff": f"{path}staff_record__staff_number"}


def _words(filters: Filters) -> list[str]:
    return folded(filters.q).split()[:8]


def _any_has(names: list[str], word: str) -> Q:
    fits = Q()
    for name in names:
        fits |= Q(**{f"{name}__contains": word})
    return fits
