"""Enrols a list of people from CSV: checks all rows first, then enrols everybody or nobody."""

import csv
import io
from dataclasses import dataclass, replace

from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models.functions import Lower
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from rules_engine.folding import folded
from training.classes import selectors, services
from training.classes.models import TrainingClass
from training.mail import password
from training.people.accounts import NewPerson, enter_people
from training.people.models import Role, User
from training.people.plain_names import is_plain, one_spaced
from training.platform.errors import RowError, UnfitList
from training.platform.spreadsheet_input import DELIMITERS, titles_in_every_language
from training.platform.spreadsheet_input import unfit as _unfit

MAX_BYTES = 64 * 1024
MAX_ROWS = services.MOST_TRAINEES
# Accepted column titles besides those of FIELD_NAMES in every language, without case and accents.
COLUMNS = {
    **dict.fromkeys(("email", "e-mail", "correio eletronico"), "email"),
    **dict.fromkeys(("name", "nome"), "name"),
}
FIELD_NAMES = {"email": gettext_lazy("E-mail"), "name": gettext_lazy("Name")}


@dataclass(frozen=True)
class Row:
    number: int
    email: str
    name: str


@dataclass(frozen=True)
class Plan:
    """What enrolling a list will do: whom it enrols, who already is enrolled, and who needs an account first."""

    enrol: tuple[User, ...]
    already: tuple[User, ...]
    enter: tuple[Row, ...]


def decode(content: bytes) -> str:
    """The text of an uploaded file. Raises UnfitList if it is too large or not UTF-8."""
    if len(content) > MAX_BYTES:
        raise _unfit(_("The list is larger than %(limit)d KB.") % {"limit": MAX_BYTES // 1024})
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise _unfit(_("The file is not in UTF-8. Save it as “CSV UTF-8” and choose it again.")) from None


def read(text: str) -> list[Row]:
    """The rows of a list with the columns email and name, separated by commas, semicolons or tabs.

    Raises UnfitList if the list cannot be read."""
    if len(text.encode()) > MAX_BYTES:
        raise _unfit(_("The list is larger than %(limit)d KB.") % {"limit": MAX_BYTES // 1024})
    if "\x00" in text:
        raise _unfit(_("The list has a character that cannot be stored."))
    lines = text.lstrip("\N{BYTE ORDER MARK}").splitlines()
    titles = next((line for line in lines if line.strip()), "")
    delimiter = max(DELIMITERS, key=titles.count)
    reader = csv.reader(io.StringIO("\n".join(lines)), delimiter=delimiter, strict=True)
    try:
        records = [(number, [cell.strip() for cell in record]) for number, record in enumerate(reader, 1)]
    except csv.Error as error:
        raise UnfitList([RowError(reader.line_num, "", _("cannot be read: %(why)s") % {"why": error})]) from None
    filled = [(number, record) for number, record in records if any(record)]
    if not filled:
        raise _unfit(_("The list is empty."))
    columns = _columns(filled[0][1])
    if len(filled) == 1:
        raise _unfit(_("The list has column titles but nobody under them."))
    if len(filled) - 1 > MAX_ROWS:
        raise _unfit(_("The list has more than %(limit)d rows.") % {"limit": MAX_ROWS})
    return [
        Row(number, _cell(record, columns["email"]).lower(), one_spaced(_cell(record, columns.get("name"))))
        for number, record in filled[1:]
    ]


def _columns(titles: list[str]) -> dict[str, int]:
    accepted = COLUMNS | titles_in_every_language(FIELD_NAMES)
    found: dict[str, int] = {}
    for place, title in enumerate(titles):
        if known := accepted.get(folded(title)):
            found.setdefault(known, place)
    if "email" not in found:
        raise UnfitList([RowError(1, "", _("The first row must name the columns: e-mail, name"))])
    return found


def _cell(record: list[str], place: int | None) -> str:
    return record[place] if place is not None and place < len(record) else ""


def plan(training_class: TrainingClass, text: str, *, enter_unknown: bool) -> Plan:
    """What enrolling a list would do, without doing it. Raises UnfitList with the errors of all rows."""
    rows = read(text)
    people = User.objects.annotate(address=Lower("email")).filter(address__in=[row.email for row in rows])
    known = {person.email.lower(): person for person in people.prefetch_related("role_grants")}
    inside = set(selectors.trainees_of(training_class).values_list("pk", flat=True))
    errors: list[RowError] = []
    first: dict[str, int] = {}
    found: list[User] = []
    enter: list[Row] = []
    for row in rows:
        wrong = _wrong(row, known.get(row.email), first, enter_unknown=enter_unknown)
        first.setdefault(row.email, row.number)
        if wrong:
            errors.append(wrong)
        elif person := known.get(row.email):
            found.append(person)
        else:
            enter.append(row)
    new = [person for person in found if person.pk not in inside]
    if not errors and len(inside) + len(new) + len(enter) > services.MOST_TRAINEES:
        errors.append(RowError(0, "", services.too_many()))
    if errors:
        raise UnfitList([replace(error, name=str(FIELD_NAMES.get(error.field, ""))) for error in errors])
    return Plan(tuple(new), tuple(person for person in found if person.pk in inside), tuple(enter))


def _wrong(row: Row, person: User | None, first: dict[str, int], *, enter_unknown: bool) -> RowError | None:
    """The first error of a row, if any."""
    if not row.email:
        return RowError(row.number, "email", _("is missing"))
    if row.email in first:
        return RowError(row.number, "email", _("is already in row %(row)d") % {"row": first[row.email]})
    if person is None:
        return _unenterable(row, enter_unknown=enter_unknown)
    if not person.is_active:
        return RowError(row.number, "email", _("this person may no longer sign in"))
    if Role.TRAINEE not in {grant.role for grant in person.role_grants.all()}:
        return RowError(row.number, "email", _("%(name)s is not a trainee") % {"name": person.name})
    return None


def _unenterable(row: Row, *, enter_unknown: bool) -> RowError | None:
    """Why no account can be made for an unknown person: an invalid field, or that was not asked for."""
    try:
        User(email=row.email, name=row.name).clean_fields(exclude=["password"] if row.name else ["password", "name"])
    except ValidationError as error:
        field, reasons = next(iter(error.message_dict.items()))
        return RowError(row.number, field, reasons[0])
    if not is_plain(row.name):
        return RowError(row.number, "name", _("has a character that cannot be printed"))
    if not enter_unknown:
        return RowError(row.number, "email", _("nobody here has this address"))
    if not row.name:
        return RowError(row.number, "name", _("is missing, and a new trainee needs one"))
    return None


@transaction.atomic
def enrol_list(training_class: TrainingClass, text: str, by: User, *, enter_unknown: bool) -> tuple[Plan, list[User]]:
    """Make accounts for new people, invite them, and enrol everybody, or nobody. Returns the plan and the accounts."""
    # Check again under the lock: others may have enrolled people since the dry run.
    TrainingClass.objects.select_for_update().get(pk=training_class.pk)
    planned = plan(training_class, text, enter_unknown=enter_unknown)
    listed = [NewPerson(row.email, row.name) for row in planned.enter]
    entered = enter_people(listed, role=Role.TRAINEE, granted_by=by)
    services.enrol(training_class, [*planned.enrol, *entered], by)
    password.invite(entered, by, class_name=training_class.name)
    return planned, entered
