"""Confirming an account: an uninvolved administrator vouches that its owner is a separate person."""

import secrets

from django.db import transaction
from django.template.loader import render_to_string
from django.utils import translation
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from exams.accounts import administrators, roles
from exams.audit.letters import tell_administrators
from exams.audit.services import record
from training.api import tokens
from training.mail import outbox
from training.mail.outbox import Envelope
from training.people import second_signature, sign_on, vouching
from training.people.models import User
from training.platform.errors import Refused, passes


def verify_confirm(person: User, by: User) -> None:
    administrators.verify_acts(by, person)
    if vouching.is_its_owners(person.pk):
        raise Refused(_("This account needs no confirmation: nobody but its owner controls it."))
    try:
        second_signature.verify(asked_by=person, signer=by)
    except second_signature.NotASecondPerson:
        raise Refused(
            _(
                "You cannot confirm this account: you created it, changed its e-mail address or removed its "
                "two-step verification, or one person alone vouches for you both. Another administrator must "
                "do it."
            )
        ) from None


def may_confirm(person: User, by: User) -> bool:
    return passes(verify_confirm, person, by)


@transaction.atomic
def confirm(person: User, *, by: User) -> None:
    """Vouch for an account. It then counts as a second person for everybody who once controlled it, but never for the
    person who created it. If somebody took control of it, their sessions, password and tokens end."""
    current = User.objects.select_for_update(no_key=True).get(pk=person.pk)
    verify_confirm(current, by)
    if vouching.controlled(current.pk):
        _give_back(current, by)
    vouching.note(person, vouching.Kind.CONFIRMED, by=by)
    entry = record(by, "account.confirmed", f"person:{person.pk}")
    tell_administrators(entry, _("An account was confirmed"), about=person)


def _give_back(person: User, by: User) -> None:
    """End the password, sessions, tokens and sign-on set up under somebody else's control, and tell the owner."""
    if sign_on.disconnect_unvouched(person):
        roles.take_from_directory(person, keep=())
    person.set_password(secrets.token_urlsafe())
    person.sessions_ended += 1
    person.save(update_fields=["password", "sessions_ended"])
    tokens.revoke_all_of([person], by=by)
    with translation.override(person.language):
        facts = {"user": person, "by": by.name, "choose": outbox.link_to("account_reset_password")}
        body = render_to_string("accounts/letters/given_back.txt", facts)
        outbox.post([Envelope(person, gettext("Your account was confirmed"), body)])
