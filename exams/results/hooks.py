"""Hooks that results declare for higher packages."""

from dataclasses import dataclass
from uuid import UUID

from django.db.models import QuerySet

from exams.records.models import Sitting
from training.platform.hooks import Event, OneAnswer


@Event
def result_decided(result_id: UUID) -> None:
    """A result in force was decided, for the first time or again after a regrade. Called in that transaction."""


@Event
def result_annulled(result_id: UUID) -> None:
    """A result is no longer in force because its sitting was annulled. Called in that transaction."""


@dataclass(frozen=True)
class Certified:
    """The part of a certificate that result pages show; `standing` is in the reader's language."""

    pk: UUID
    number: str
    code: str
    standing: str
    tone: str


@OneAnswer
def certificate_of(sitting_id: UUID) -> Certified | None:
    """The certificate that a sitting led to. Called by the pages of a result."""
    return None


@OneAnswer
def contested_sittings() -> QuerySet[Sitting]:
    """Sittings whose marks may change because of a pending appeal, or one upheld but not carried out yet. Called to
    list what can be decided, and in the transaction of a decision."""
    return Sitting.objects.none()
