"""Confirming an account: an administrator who had no part in making it vouches that its owner is a separate person."""

from django.db import transaction
from django.utils.translation import gettext_lazy as _

from exams.accounts import administrators
from exams.audit.letters import tell_administrators
from exams.audit.services import record
from training.people import second_signature, vouching
from training.people.models import User
from training.refusal import Refused


def verify_confirm(person: User, by: User) -> None:
    administrators.verify_acts(by, person)
    if len(vouching.behind_each([person.pk])[person.pk]) == 1:
        raise Refused(_("This account needs no confirmation: nobody but its owner controls it."))
    try:
        second_signature.verify(asked_by=person, signer=by)
    except second_signature.NotASecondPerson:
        raise Refused(
            _(
                "You cannot confirm this account: you entered it, changed its e-mail address or removed its two-step "
                "verification, or one person alone vouches for you both. Another administrator must."
            )
        ) from None


def may_confirm(person: User, by: User) -> bool:
    try:
        verify_confirm(person, by)
    except Refused:
        return False
    return True


@transaction.atomic
def confirm(person: User, *, by: User) -> None:
    """Vouch for an account. It then counts as a second person for everybody who once controlled it, but never for
    whoever entered it."""
    User.objects.select_for_update(no_key=True).get(pk=person.pk)
    verify_confirm(person, by)
    vouching.note(person, vouching.Kind.CONFIRMED, by=by)
    entry = record(by, "account.confirmed", f"person:{person.pk}")
    tell_administrators(entry, _("An account was confirmed"), about=person)
