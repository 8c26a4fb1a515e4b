"""Which subject of the directory is whose account. Never found out by an e-mail address."""

from allauth.socialaccount.models import SocialAccount
from django.db import IntegrityError, transaction
from django.db.models import F
from django.template.loader import render_to_string
from django.utils import translation
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from exams.accounts import administrators, open_exams, roles
from exams.audit.letters import tell_administrators
from exams.audit.models import Entry
from exams.audit.services import record
from exams.hr.models import StaffRecord
from exams.sign_on.id_token import MAX_SUBJECT
from training.api import tokens
from training.mail import outbox
from training.mail.outbox import Envelope
from training.people import sign_on, vouching
from training.people.models import STAFF_ROLES, User
from training.platform.errors import Refused


class UnfitSubject(Refused):
    field = "subject"


def owner_of(subject: str) -> User | None:
    found = SocialAccount.objects.select_related("user").filter(provider=sign_on.provider_key(), uid=subject).first()
    return found.user if found else None


@transaction.atomic
def connect_own(person: User, subject: str) -> None:
    """Connect one's own account, after confirming it with a password or a code."""
    _store(_locked(person), subject)
    record(person, "sign_on.connected", f"person:{person.pk}")
    _tell(person)


@transaction.atomic
def connect(person: User, *, by: User, subject: str) -> None:
    """Connect somebody else's account. Whoever does it could be behind it from now on (`people.vouching`)."""
    administrators.verify_acts(by, person)
    subject = subject.strip()
    if not 0 < len(subject) <= MAX_SUBJECT or not subject.isprintable():
        raise UnfitSubject(_("Enter the subject as the directory shows it."))
    current = _locked(person)
    _store(current, subject)
    vouching.note(current, vouching.Kind.DIRECTORY, by=by)
    entry = record(by, "sign_on.connected", f"person:{person.pk}")
    _tell(current)
    if not STAFF_ROLES.isdisjoint(current.roles):
        tell_administrators(entry, _("A staff account was connected to the directory"), about=current)


@transaction.atomic
def connect_by_number(staff_number: str, subject: str) -> User | None:
    """Connect the account that the staff list entered for this number, if nobody has ever used it.

    Only trainees: whoever edits staff numbers must not reach an account that can do more.
    """
    kept = StaffRecord.objects.select_related("person").filter(staff_number=staff_number).first()
    if not staff_number or kept is None:
        return None
    person = _locked(kept.person)
    used = person.has_usable_password() or person.last_login is not None
    if used or not person.is_active or not STAFF_ROLES.isdisjoint(person.roles) or sign_on.binding_of(person):
        return None
    _store(person, subject)
    if (by := _who_gave_number(person)) is not None:
        vouching.note(person, vouching.Kind.DIRECTORY, by=by)
    record(None, "sign_on.connected", f"person:{person.pk}")
    return person


def _who_gave_number(person: User) -> User | None:
    """Who decided by the staff number whose account it is, unless they entered the account with it.

    It could be their own number: their groups would then give them a second account with a staff role.
    """
    changes = Entry.objects.filter(act="staff.changed", subject=f"person:{person.pk}")
    last = changes.filter(details__changes__has_key="staff_number").order_by("-number").first()
    if last is None or last.actor is None or last.actor_id == person.pk:
        return None
    former = last.details["changes"]["staff_number"][0]
    entered = person.acts_on_account.filter(kind=vouching.Kind.ENTERED, by=last.actor).exists()
    return None if entered and not former else last.actor


@transaction.atomic
def disconnect(person: User, *, by: User) -> None:
    """Take the subject away, with the roles from the directory, every session and every token."""
    administrators.verify_acts(by, person)
    current = _locked(person)
    open_exams.verify_none(current)
    if not SocialAccount.objects.filter(user=current).delete()[0]:
        raise Refused(_("This account is not connected to the directory."))
    roles.take_from_directory(current, keep=())
    User.objects.filter(pk=current.pk).update(sessions_ended=F("sessions_ended") + 1)
    tokens.revoke_all(current, by=by)
    record(by, "sign_on.disconnected", f"person:{person.pk}")


def _locked(person: User) -> User:
    return User.objects.select_for_update(no_key=True).get(pk=person.pk)


def _store(person: User, subject: str) -> None:
    if sign_on.binding_of(person) is not None:
        raise UnfitSubject(_("This account is connected to the directory already."))
    try:
        with transaction.atomic():
            SocialAccount.objects.create(user=person, provider=sign_on.provider_key(), uid=subject)
    except IntegrityError:
        raise UnfitSubject(_("This subject of the directory belongs to another account.")) from None


def _tell(person: User) -> None:
    with translation.override(person.language):
        body = render_to_string("sign_on/letters/connected.txt", {"user": person})
        outbox.post([Envelope(person, gettext("Your account was connected to the directory"), body)])
