"""What annulling a sitting means for its certificates.

The sitting's certificate is suspended until HR withdraws it. A later certificate that renewed it has an exam of its
own; it is suspended, once, only if its end date was computed from the annulled one's.
"""

from datetime import timedelta

from django.db.models import DateTimeField, Exists, ExpressionWrapper, OuterRef, Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.utils.translation import override

from exams.certificates import both_parts, lifecycle, services
from exams.certificates.lifecycle import Kind, State
from exams.certificates.models import Act, Certificate
from exams.results.models import Result
from training.platform.errors import Refused

OWN = _("The exam behind this certificate was annulled.")
BEFORE = _("The end of this certificate was counted from the end of an earlier one, whose exam was annulled.")


def suspend(result: Result) -> Certificate | None:
    """Suspend the certificate affected by the annulled sitting; None if nothing is left to do."""
    certificate = Certificate.objects.filter(both_parts.rests_on(result.sitting_id), state=State.GRANTED).first()
    reason = OWN
    if certificate is None:
        certificate, reason = _renewed(result), BEFORE
    if certificate is None:
        return None
    with override(certificate.language):
        words = str(reason)
    try:
        return services.suspend(certificate=certificate, actor=None, reason=words)
    except Refused:  # it has just ended, or was suspended concurrently
        return None


def _renewed(result: Result) -> Certificate | None:
    """The valid certificate that follows the annulled one, if it lasts longer because of it."""
    last = Certificate.objects.filter(result__sitting=result.sitting_id).order_by("-granted_at", "-pk").first()
    while last and (follows := Certificate.objects.filter(replaces=last).select_related("result").first()):
        last = follows
    if last is None or last.state != State.GRANTED or not last.result or last.result.sitting_id == result.sitting_id:
        return None
    met = Act.objects.filter(certificate=last, kind=Kind.SUSPEND, actor=None, at__gte=result.sitting.annulled_at)
    return last if _lasts_longer(last, last.result) and not met.exists() else None


def _lasts_longer(certificate: Certificate, result: Result) -> bool:
    rules = result.programme_version.rules
    decided_on = timezone.localdate(result.decided_at, timezone.get_default_timezone())
    alone = lifecycle.validity(decided_on, months=rules.valid_months, renewal_days=0, former_end=None)
    return certificate.valid_until > alone[1]


def waiting(results: QuerySet[Result], skew: timedelta) -> QuerySet[Result]:
    """Results of annulled sittings with a certificate, or its renewal, that is still valid."""
    since = ExpressionWrapper(OuterRef("sitting__annulled_at") - skew, DateTimeField())
    met = Act.objects.filter(
        certificate__replaces__result__sitting=OuterRef("sitting"), kind=Kind.SUSPEND, actor=None, at__gte=since
    )
    renewed = Q(certificates__replaced_by__state=State.GRANTED) & ~Exists(met)
    found = results.filter(sitting__annulled_at__isnull=False)
    own = Q(certificates__state=State.GRANTED) | Q(certificates_of_practice__state=State.GRANTED)
    return found.filter(own | renewed).distinct()
