"""The public register: holders who choose to be listed with name, programme and standing, until they leave."""

from collections.abc import Iterable
from dataclasses import dataclass

from django.db import transaction
from django.db.models import QuerySet

from exams import clock
from exams.audit.services import record
from exams.certificates import lifecycle
from exams.certificates.lifecycle import Standing, State
from exams.certificates.models import Certificate, Registration
from exams.certificates.printing import in_words, parts
from exams.certificates.selectors import TONES
from rules_engine.folding import folded
from training.people.models import User
from training.platform.folded_text import Folded, alphabetical


@dataclass(frozen=True)
class Line:
    """All that the register shows of a certificate."""

    name: str
    programme: str
    standing: Standing
    tone: str
    laws: list[str]
    both: bool  # it rests on theory and practice


def has_joined(holder: User) -> bool:
    return Registration.objects.filter(holder=holder).exists()


@transaction.atomic
def join(holder: User) -> None:
    _row, joined = Registration.objects.get_or_create(holder=holder, defaults={"joined_at": clock.now()})
    if joined:
        record(holder, "register.joined", f"person:{holder.pk}")


@transaction.atomic
def leave(holder: User) -> None:
    if Registration.objects.filter(holder=holder).delete()[0]:
        record(holder, "register.left", f"person:{holder.pk}")


def holders(asked: str) -> QuerySet[Certificate]:
    """The certificates of listed holders, by printed name, without replaced ones. Closed accounts are left out, because
    they cannot leave the register any more."""
    found = Certificate.objects.filter(holder__registration__isnull=False, holder__is_active=True)
    found = found.exclude(state=State.REPLACED).alias(folded_name=Folded("holder_name"))
    for word in folded(asked).split():
        found = found.filter(folded_name__contains=word)
    return found.select_related("programme_version__programme").order_by(
        alphabetical("holder_name"), "-granted_at", "pk"
    )


def lines(found: Iterable[Certificate], language: str) -> list[Line]:
    standings = [(one, lifecycle.standing(one, clock.today())) for one in found]
    return [
        Line(
            one.holder_name,
            one.programme_version.name(language),
            standing,
            TONES[standing],
            in_words(one.printed, one.scope),
            parts(one.printed) is not None,
        )
        for one, standing in standings
    ]
