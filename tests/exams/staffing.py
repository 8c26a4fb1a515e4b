"""Staff and certificates of chosen dates for tests of the HR desk."""

from datetime import date, datetime, time, timedelta
from typing import Any

from django.conf import settings
from django.utils import timezone

from exams.certificates import issuance
from exams.certificates.models import Act, Certificate
from exams.hr.models import StaffRecord
from exams.programmes.models import ProgrammeVersion
from tests.exams import making
from tests.factories import PersonFactory
from training.people.models import User

BOOK, OTHER = "pt-chemin-de-fer", "pt-ponto-banca-1995"
TODAY = date(2026, 11, 16)
NOON = datetime.combine(TODAY, time(12), timezone.get_default_timezone())
_count = iter(range(1, 10**9))


def at(day: date) -> datetime:
    return datetime.combine(day, time(12), timezone.get_default_timezone())


def days(number: int) -> date:
    return TODAY + timedelta(days=number)


def staff(name: str = "", *, number: str = "", **changes: Any) -> User:
    kept = ("department", "shift", "joined_on", "left_on", "licence_number", "licence_until")
    record = {name: changes.pop(name) for name in kept if name in changes}
    person = PersonFactory(**({"name": name} if name else {}), **changes)
    StaffRecord.objects.create(person=person, staff_number=number or f"S{next(_count):05d}", **record)
    return person


def certify(
    holder: User | None = None,
    *,
    version: ProgrammeVersion | None = None,
    scope: tuple[str, ...] = (BOOK,),
    begins: date = TODAY,
    ends: date | None = None,
    state: str = "granted",
    **changes: Any,
) -> Certificate:
    """A certificate with these dates, straight in the database, with the act that granted it."""
    number = next(_count)
    holder = holder or staff()
    made = {
        "number": f"CDF-2026-{number:06d}",
        "code": issuance.new_code(),
        "holder": holder,
        "holder_name": holder.name,
        "language": "pt",
        "programme_version": version or ProgrammeVersion.objects.first() or making.make_version(),
        "scope": list(scope),
        "granted_at": at(begins),
        "valid_from": begins,
        "valid_until": ends or begins + timedelta(days=730),
        "status_index": number,
        "printed": {"issuer": settings.ISSUER_NAME},
    } | changes
    certificate = Certificate.objects.create(**made)
    act(certificate, Act.Kind.GRANT, begins, after="granted")
    if state != certificate.state:
        Certificate.objects.filter(pk=certificate.pk).update(state=state)
        certificate.state = state
    return certificate


def act(certificate: Certificate, kind: str, day: date, *, after: str, scope: tuple[str, ...] = ()) -> Act:
    last = certificate.acts.order_by("number").last()
    return Act.objects.create(
        certificate=certificate,
        number=last.number + 1 if last else 1,
        state_before=last.state_after if last else "",
        kind=kind,
        at=at(day),
        state_after=after,
        scope_before=last.scope_after if last else [],
        scope_after=list(scope or certificate.scope),
    )
