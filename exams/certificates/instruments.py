"""The legal instruments that the house enters for regulations whose text names none."""

from collections.abc import Iterable

from django.db import transaction
from django.utils.translation import gettext as _

from exams import clock
from exams.audit.services import record
from exams.certificates.models import Instrument
from rules_engine import RULEBOOKS
from training.people.models import Role, User
from training.people.plain_names import is_plain
from training.platform.errors import Refused, Unfit

LONGEST = 200


def without_one() -> list[str]:
    """The rulebooks whose text states no day of entry into force and so names no instrument."""
    return [book.id for book in RULEBOOKS.values() if book.law.enacted.in_force is None]


def entered(books: Iterable[str]) -> dict[str, str]:
    """What the house entered for these rulebooks, where their text names none. One query."""
    wanted = set(books) & set(without_one())
    rows = Instrument.objects.filter(rulebook__in=wanted).order_by("pk").values_list("rulebook", "text")
    return {book: text for book, text in dict(rows).items() if text}


@transaction.atomic
def enter(book: str, text: str, *, by: User) -> None:
    """Certificates granted from now on name it; those granted before keep what they say."""
    if Role.ADMINISTRATOR not in by.roles:
        raise Refused(_("Only administrators can enter the legal instrument."))
    if book not in without_one():
        raise Refused(_("The text of this regulation names its instrument."))
    text = " ".join(text.split())
    if len(text) > LONGEST or not is_plain(text):
        raise Unfit(_("is too long, or has a character that cannot be stored"))
    before = entered([book]).get(book, "")
    if text == before:
        return
    Instrument.objects.create(rulebook=book, text=text, entered_by=by, entered_at=clock.now())
    record(by, "instrument.entered", f"rulebook:{book}", rulebook=book, changes={"instrument": [before, text]})
