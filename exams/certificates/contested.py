"""The suspensions and withdrawals that a holder may contest (`appeals.objections`)."""

from collections.abc import Iterator

from django.db.models import Q

from exams.appeals.doers import annulled, regraded
from exams.appeals.hooks import Contestable, people
from exams.appeals.models import Objection
from exams.certificates.models import Act, Certificate
from exams.certificates.withdrawal import subject
from exams.records.models import ActRequest
from training.people.models import User

KINDS = {Act.Kind.SUSPEND: Objection.Kind.SUSPENSION, Act.Kind.WITHDRAW: Objection.Kind.WITHDRAWAL}


def contestable(person: User) -> Iterator[Contestable]:
    """The suspensions and withdrawals that are still in effect, with everybody who asked for or signed one."""
    lasting = Q(kind=Act.Kind.SUSPEND, certificate__state=Certificate.State.SUSPENDED)
    lasting |= Q(kind=Act.Kind.WITHDRAW, certificate__state=Certificate.State.WITHDRAWN)
    for act in Act.objects.filter(lasting, certificate__holder=person).select_related("certificate"):
        kind, certificate = KINDS[Act.Kind(act.kind)], act.certificate
        asked = ActRequest.objects.filter(subject=subject(certificate)).values_list("asked_by_id", "decided_by_id")
        doers = people(act.actor_id, *(one for pair in asked for one in pair))
        if act.actor_id is None:  # it followed from what somebody did to the exam
            doers |= annulled(person) | regraded(person)
        yield Contestable(kind, str(act.pk), certificate.number, act.at, doers)
