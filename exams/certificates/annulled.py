"""What annulling a sitting means for the certificates that came of it: none keeps its force by itself.

The certificate of the annulled sitting is suspended until HR withdraws it. One that renewed it stands on an exam of its
own; only where its end was reckoned from the annulled one's is it suspended too, once, for HR to look at.
"""

from datetime import timedelta

from django.db.models import DateTimeField, Exists, ExpressionWrapper, OuterRef, Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.utils.translation import override

from exams.certificates import lifecycle, services
from exams.certificates.lifecycle import Kind, State
from exams.certificates.models import Act, Certificate
from exams.results.models import Result
from training.platform.errors import Refused

OWN = _("The exam behind this certificate was annulled.")
BEFORE = _("The end of this certificate was counted from the end of an earlier one, whose exam was annulled.")


def suspend(result: Result) -> Certificate | None:
    """What has to be suspended because the result's sitting was annulled; nothing where all is done."""
    certificate = Certificate.objects.filter(result__sitting=result.sitting_id, state=State.GRANTED).first()
    reason = OWN
    if certificate is None:
        certificate, reason = _renewed(result), BEFORE
    if certificate is None:
        return None
    with override(certificate.language):
        told = str(reason)
    try:
        return services.suspend(certificate=certificate, actor=None, reason=told)
    except Refused:  # it has just ended, or somebody was quicker
        return None


def _renewed(result: Result) -> Certificate | None:
    """The certificate in force that follows the annulled one, if it lasts longer because of it."""
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
    """Results of annulled sittings of which a certificate, or one that renewed it, still has force."""
    since = ExpressionWrapper(OuterRef("sitting__annulled_at") - skew, DateTimeField())
    met = Act.objects.filter(
        certificate__replaces__result__sitting=OuterRef("sitting"), kind=Kind.SUSPEND, actor=None, at__gte=since
    )
    renewed = Q(certificates__replaced_by__state=State.GRANTED) & ~Exists(met)
    found = results.filter(sitting__annulled_at__isnull=False)
    return found.filter(Q(certificates__state=State.GRANTED) | renewed).distinct()
