"""Corrections of what an account says of a person: name and address, on record with what they were."""

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
def correct(person: User, *, by: User, name: str, email: str) -> dict[str, list[str]]:
    """Correct name and address; says what changed. ValidationError where they cannot be.

    What is printed on certificates is not touched by this (`exams.certificates.correction`). Whoever reads the mail
    of an address can set a password, so the former address is told.
    """
    administrators.verify_acts(by, person)
    current = User.objects.select_for_update(no_key=True).get(pk=person.pk)
    wanted = {"name": " ".join(name.split()), "email": email.strip().lower()}
    changes = {field: [getattr(current, field), value] for field, value in wanted.items()}
    changes = {field: pair for field, pair in changes.items() if pair[0] != pair[1]}
    if not changes:
        return {}
    for field, (_before, after) in changes.items():
        setattr(current, field, after)
    current.full_clean(exclude=["password"])
    try:
        with transaction.atomic():
            current.save(update_fields=list(changes))
    except IntegrityError:  # somebody got it at the same moment
        raise ValidationError({"email": _("Somebody else has this address.")}) from None
    if "email" in changes:
        _move_address(current, *changes["email"])
        vouching.note(current, vouching.Kind.ADDRESS, by=by)
    entry = record(by, "person.corrected", f"person:{person.pk}", changes=changes)
    if "email" in changes and not STAFF_ROLES.isdisjoint(current.roles):
        tell_administrators(entry, gettext_lazy("The address of a staff account was changed"), about=current)
    return changes


def _move_address(person: User, former: str, address: str) -> None:
    if EmailAddress.objects.filter(email__iexact=address).exclude(user=person).exists():
        raise ValidationError({"email": _("Somebody else has this address.")})
    EmailAddress.objects.filter(user=person).delete()
    EmailAddress.objects.create(user=person, email=address, primary=True, verified=True)
    # What has not gone out may hold a link that opens the account: it goes to nobody else's hands.
    outbox.readdress(person, former)
    with translation.override(person.language):
        facts = {"user": person, "former": former, "address": address}
        body = render_to_string("accounts/letters/address_changed.txt", facts)
        outbox.post([Envelope(person, _("Your e-mail address was changed"), body, address=former)])
