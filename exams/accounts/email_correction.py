"""Correcting an account's email address, with an audit entry. For names see `exams.certificates.name_correction`."""

from allauth.account.models import EmailAddress
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.template.loader import render_to_string
from django.utils import translation
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from exams.accounts import administrators
from exams.audit.letters import tell_administrators
from exams.audit.services import record
from training.mail import outbox
from training.mail.outbox import Envelope
from training.people import vouching
from training.people.models import STAFF_ROLES, User


@transaction.atomic
def correct(person: User, *, by: User, email: str) -> None:
    """Correct the address. Raises ValidationError if it cannot be used.

    Whoever reads the new address's mail can set a password, so the former address is notified.
    """
    administrators.verify_acts(by, person)
    current = User.objects.select_for_update(no_key=True).get(pk=person.pk)
    former, current.email = current.email, email.strip().lower()
    if former == current.email:
        return
    current.full_clean(exclude=["password"])
    try:
        with transaction.atomic():
            current.save(update_fields=["email"])
    except IntegrityError:  # taken concurrently
        raise ValidationError({"email": _("Somebody else has this address.")}) from None
    _move_address(current, former, current.email)
    vouching.note(current, vouching.Kind.ADDRESS, by=by)
    entry = record(by, "person.corrected", f"person:{person.pk}", changes={"email": [former, current.email]})
    if not STAFF_ROLES.isdisjoint(current.roles):
        tell_administrators(entry, gettext_lazy("The address of a staff account was changed"), about=current)


def _move_address(person: User, former: str, address: str) -> None:
    if EmailAddress.objects.filter(email__iexact=address).exclude(user=person).exists():
        raise ValidationError({"email": _("Somebody else has this address.")})
    EmailAddress.objects.filter(user=person).delete()
    EmailAddress.objects.create(user=person, email=address, primary=True, verified=True)
    # Unsent mail may contain a link that opens the account, so it must go to the new address only.
    outbox.readdress(person, former)
    with translation.override(person.language):
        facts = {"user": person, "former": former, "address": address}
        body = render_to_string("accounts/letters/address_changed.txt", facts)
        outbox.post([Envelope(person, _("Your e-mail address was changed"), body, address=former)])
