"""What is read of the audit log."""

from dataclasses import dataclass

from django.db.models import QuerySet

from exams.audit.models import Entry, Head
from exams.audit.services import GENESIS, HEAD
from training.folding import folded
from training.people.models import User


@dataclass(frozen=True)
class Filters:
    """What the log is narrowed to: an act, words of a person's name or e-mail, the beginning of a subject."""

    act: str = ""
    person: str = ""
    subject: str = ""


def entries(filters: Filters) -> QuerySet[Entry]:
    """The entries that fit, the last one first, each with who did it."""
    found = Entry.objects.select_related("actor").order_by("-number")
    if filters.act:
        found = found.filter(act=filters.act)
    if filters.person:
        found = found.filter(actor__in=_people(filters.person))
    if filters.subject:
        found = found.filter(subject__startswith=filters.subject)
    return found


def _people(words: str) -> list[int]:
    """Everybody the words may mean, whatever the case and accents; also those who have left."""
    wanted = folded(words).split()
    everybody = User.objects.values_list("pk", "name", "email")
    return [pk for pk, name, email in everybody if all(word in folded(f"{name} {email}") for word in wanted)]


def acts() -> list[str]:
    """Every kind of act on the log."""
    return list(Entry.objects.order_by("act").values_list("act", flat=True).distinct())


def end() -> Head:
    """The last entry's number and seal."""
    return Head.objects.filter(pk=HEAD).first() or Head(number=0, digest=GENESIS)
