"""A certificate traced back: everything the audit log has about it, the exams behind it, and the people who acted."""

from collections.abc import Iterator
from uuid import UUID

from django.db.models import QuerySet

from exams.appeals.models import Appeal
from exams.audit.models import Entry
from exams.certificates.models import Certificate
from exams.regrading.models import Regrade
from exams.results.models import Result


def certificate(certificate_id: UUID) -> Certificate:
    """Raises Certificate.DoesNotExist."""
    found = Certificate.objects.select_related("holder__staff_record", "programme_version__programme", "replaces")
    return found.get(pk=certificate_id)


def exams_behind(of: Certificate) -> list[Result]:
    """Theory and practice, with every earlier result of the same sittings, oldest first."""
    sittings = [part.sitting_id for part in (of.result, of.practice) if part]
    found = Result.objects.filter(sitting__in=sittings).order_by("pk")
    return list(found.select_related("sitting__candidate__session", "decided_by"))


def entries(of: Certificate) -> QuerySet[Entry]:
    """Every act on the certificate and on what it rests on, oldest first, with the actor."""
    return Entry.objects.filter(subject__in=set(_subjects(of))).select_related("actor").order_by("number")


def _subjects(of: Certificate) -> Iterator[str]:
    yield f"certificate:{of.pk}"
    yield f"person:{of.holder_id}"
    if of.replaces_id:
        yield f"certificate:{of.replaces_id}"
    for result in exams_behind(of):
        candidate = result.sitting.candidate
        yield f"result:{result.pk}"
        yield f"sitting:{result.sitting_id}"
        yield f"candidate:{candidate.pk}"
        yield f"session:{candidate.session_id}"
        for appeal in Appeal.objects.filter(form_item__form__candidate=candidate).values_list("pk", flat=True):
            yield f"appeal:{appeal}"
    programme = of.programme_version.programme_id
    yield f"programme:{programme}"
    for regrade in Regrade.objects.filter(programme=programme).values_list("pk", flat=True):
        yield f"regrade:{regrade}"
