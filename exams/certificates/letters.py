"""Mails about acts on certificates: to the holder at once, in the act's transaction; to HR collected, a few minutes
later.

A renewal or correction ends one certificate and grants another; only the new one is mentioned, with what it replaces.
"""

from collections.abc import Sequence
from datetime import timedelta
from typing import Any

from django.conf import settings
from django.db import transaction
from django.template.loader import render_to_string
from django.utils import translation
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from exams import clock
from exams.certificates.models import Act, Certificate, Notice
from rules_engine.narration import book_name
from training.house.selectors import current
from training.mail.outbox import Envelope, link_to, post
from training.people.models import Role, User
from training.people.request import language_for

Kind = Act.Kind
GATHERED_FOR = timedelta(minutes=5)  # so that an exam with forty candidates sends one mail
MOST = 200  # acts in one mail
# The subject of the holder's mail, by act.
SUBJECTS: dict[str, Promise] = {
    Kind.GRANT: _("Your certificate %(number)s has been issued"),
    Kind.SUSPEND: _("Your certificate %(number)s has been suspended"),
    Kind.REINSTATE: _("Your certificate %(number)s has been reinstated"),
    Kind.REDUCE: _("Your certificate %(number)s now covers less"),
    Kind.EXTEND: _("Your certificate %(number)s now covers more"),
    Kind.WITHDRAW: _("Your certificate %(number)s has been withdrawn"),
    Kind.EXPIRE: _("Your certificate %(number)s has expired"),
}


def write(act: Act) -> None:
    """Put the holder's mail into the outbox and note that HR must be informed."""
    if act.kind not in SUBJECTS:
        return
    Notice.objects.create(act=act, made_at=clock.now())
    # No mail to people who have left.
    if act.certificate.holder.is_active:
        post([_to_holder(act)])


def own_page(certificate: Certificate) -> str:
    """The page where the holder finds this certificate."""
    return f"{link_to('own_certificates')}#c-{certificate.pk}"


def _to_holder(act: Act) -> Envelope:
    certificate = act.certificate
    holder = certificate.holder
    language = language_for(holder.language, act.scope_after)
    with translation.override(language):
        facts = {
            "act": act,
            "certificate": certificate,
            "programme": certificate.programme_version.name(language),
            "books": [book_name(book, language) for book in act.scope_after],
            "address": own_page(certificate),
            "contest": link_to("own_objections"),
            "check": f"{settings.PUBLIC_URL}/c/{certificate.code}",
            "issuer": current().name,
        }
        subject = str(SUBJECTS[act.kind]) % {"number": certificate.number}
        return Envelope(holder, subject, render_to_string("certificates/mail/act.txt", facts))


# ---- human resources


def people_of_hr() -> list[User]:
    return list(User.objects.filter(is_active=True, role_grants__role=Role.HR).order_by("email"))


@transaction.atomic
def tell_hr() -> int:
    """Mail HR about recent acts once the oldest has waited long enough; returns how many. While nobody is in HR, acts
    wait for the first person there."""
    people = people_of_hr()
    unsent = Notice.objects.filter(told_at=None)
    if not people or not unsent.filter(made_at__lte=clock.now() - GATHERED_FOR).exists():
        return 0
    # A second run waits here and finds nothing left; skipping locked rows, the two could share them in two mails.
    mine = list(unsent.select_for_update(no_key=True).order_by("made_at", "pk")[:MOST])
    acts = (
        Act.objects.filter(notice__in=mine)
        .order_by("at", "pk")
        .select_related(
            "actor", "certificate__holder", "certificate__replaces", "certificate__programme_version__programme"
        )
    )
    post(_to_hr(person, list(acts)) for person in people if acts)
    Notice.objects.filter(pk__in=[notice.pk for notice in mine]).update(told_at=clock.now())
    return len(mine)


def _to_hr(person: User, acts: Sequence[Act]) -> Envelope:
    with translation.override(person.language):
        subject = ngettext("%(count)d certificate changed", "%(count)d changes to certificates", len(acts)) % {
            "count": len(acts)
        }
        facts = {"rows": [_row(act, person.language) for act in acts], "issuer": current().name}
        return Envelope(person, subject, render_to_string("certificates/mail/acts.txt", facts))


def _row(act: Act, language: str) -> dict[str, Any]:
    return {
        "act": act,
        "certificate": act.certificate,
        "programme": act.certificate.programme_version.name(language),
        "address": link_to("hr_person", act.certificate.holder_id),
    }
