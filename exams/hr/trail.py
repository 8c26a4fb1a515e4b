"""A certificate traced back: everything the audit log has about it, the exams behind it, and the people who acted."""

from collections.abc import Iterator
from typing import Any
from uuid import UUID

from django.db.models import Q, QuerySet

from exams.appeals.models import Appeal, Objection
from exams.audit.models import Entry
from exams.certificates.models import Act, Certificate
from exams.programmes import duties
from exams.programmes.models import Relaxation
from exams.records.models import Candidate, KeptOut
from exams.regrading.models import Regrade
from exams.results.models import Annulment, Result

Kind = Objection.Kind


def certificate(certificate_id: UUID) -> Certificate:
    """Raises Certificate.DoesNotExist."""
    found = Certificate.objects.select_related("holder__staff_record", "programme_version__programme", "replaces")
    return found.get(pk=certificate_id)


def exams_behind(of: Certificate) -> list[Result]:
    """Theory and practice, with every earlier result of the same sittings, oldest first."""
    sittings = [part.sitting_id for part in (of.result, of.practice) if part]
    found = Result.objects.filter(sitting__in=sittings).order_by("pk")
    return list(found.select_related("sitting__candidate__session", "decided_by"))


def objections(of: Certificate) -> list[Objection]:
    """The holder's objections to acts on the certificate, to its exams and to earlier ones of the same programme."""
    own = Candidate.objects.filter(person=of.holder_id, session__programme_version__programme=_programme(of))
    kept_out = KeptOut.objects.filter(person=of.holder_id, session__programme_version__programme=_programme(of))
    exams = {"sitting__candidate__in": own}
    by_kind: dict[str, Any] = {
        Kind.DECISION: Result.objects.filter(**exams),
        Kind.ANNULMENT: Annulment.objects.filter(**exams),
    }
    by_kind |= dict.fromkeys((Kind.SUSPENSION, Kind.WITHDRAWAL), Act.objects.filter(certificate__in=_replaced(of)))
    about = Q(kind=Kind.REFUSED_ENTRY, about_key__in=[str(row.pk) for rows in (own, kept_out) for row in rows])
    for kind, rows in by_kind.items():
        about |= Q(kind=kind, about_key__in=[str(key) for key in rows.values_list("pk", flat=True)])
    found = Objection.objects.filter(about, person=of.holder_id)
    return list(found.select_related("reviewer", "done_by").order_by("number"))


def waived(of: Certificate) -> list[Relaxation]:
    """The duties that the house had waived at some time since the programme was put in force."""
    return duties.lifted_since(of.programme_version.published_at or of.granted_at)


def _programme(of: Certificate) -> UUID:
    return of.programme_version.programme_id


def _replaced(of: Certificate) -> list[UUID]:
    """The certificate and those it replaced, one after the other."""
    found: list[UUID] = []
    key: UUID | None = of.pk
    while key and key not in found:
        found.append(key)
        key = Certificate.objects.values_list("replaces_id", flat=True).get(pk=key)
    return found


def entries(of: Certificate) -> QuerySet[Entry]:
    """Every act on the certificate and on what it rests on, oldest first, with the actor."""
    return Entry.objects.filter(subject__in=set(_subjects(of))).select_related("actor").order_by("number")


def _subjects(of: Certificate) -> Iterator[str]:
    yield from (f"certificate:{key}" for key in _replaced(of))
    yield f"person:{of.holder_id}"
    yield from (f"objection:{one.pk}" for one in objections(of))
    yield from (f"duty:{one.line}" for one in waived(of))
    for result in exams_behind(of):
        candidate = result.sitting.candidate
        yield f"result:{result.pk}"
        yield f"sitting:{result.sitting_id}"
        yield f"candidate:{candidate.pk}"
        yield f"session:{candidate.session_id}"
        for appeal in Appeal.objects.filter(form_item__form__candidate=candidate).values_list("pk", flat=True):
            yield f"appeal:{appeal}"
    programme = _programme(of)
    yield f"programme:{programme}"
    for regrade in Regrade.objects.filter(programme=programme).values_list("pk", flat=True):
        yield f"regrade:{regrade}"
