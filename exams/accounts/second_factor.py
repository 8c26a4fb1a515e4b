"""Removing a lost second factor, so that the person can set up another."""

from allauth.mfa.models import Authenticator
from django.db import transaction
from django.db.models import F
from django.template.loader import render_to_string
from django.utils import translation
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from exams.accounts import administrators
from exams.audit.letters import tell_administrators
from exams.audit.services import record
from exams.certificates.services import fit_reason
from training.api import tokens
from training.mail import outbox
from training.mail.outbox import Envelope
from training.people import vouching
from training.people.models import STAFF_ROLES, User
from training.platform.errors import Refused


def is_set_up(person: User) -> bool:
    return bool(Authenticator.objects.filter(user=person).exists())


@transaction.atomic
def remove(person: User, *, by: User, reason: str) -> None:
    """Remove it with all recovery codes, end every session and notify the person. Never one's own: signed-in users
    remove it with a code."""
    administrators.verify_acts(by, person)
    reason = fit_reason(reason)
    current = User.objects.select_for_update(no_key=True).get(pk=person.pk)
    if not Authenticator.objects.filter(user=current).delete()[0]:
        raise Refused(gettext_lazy("There is no two-step verification to remove."))
    User.objects.filter(pk=current.pk).update(sessions_ended=F("sessions_ended") + 1)
    tokens.revoke_all(current, by=by)
    vouching.note(current, vouching.Kind.SECOND_FACTOR, by=by)
    with translation.override(current.language):
        facts = {"user": current, "by": by.name, "sign_in": outbox.link_to("account_login")}
        body = render_to_string("accounts/letters/second_factor_removed.txt", facts)
        outbox.post([Envelope(current, _("Your two-step verification was removed"), body)])
    entry = record(by, "second_factor.removed", f"person:{current.pk}", reason=reason)
    if not STAFF_ROLES.isdisjoint(current.roles):
        subject = gettext_lazy("The two-step verification of a staff account was removed")
        tell_administrators(entry, subject, about=current)
