"""Mail with a link for setting a password.

The link gives access to the account, so it is never stored: the text has a placeholder, and the link is made when the
mail is sent, so its time does not run while the mail server is down.
"""

import zoneinfo
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from typing import Any

from allauth.account.forms import ResetPasswordForm, ResetPasswordKeyForm
from allauth.account.utils import perform_login, user_pk_to_url_str
from allauth.core import context
from django.conf import settings
from django.db.models import prefetch_related_objects
from django.http import HttpRequest
from django.template.loader import render_to_string
from django.utils import timezone, translation
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from training.house.selectors import current
from training.mail.models import Mail
from training.mail.outbox import Envelope, link_to, one_line, post, waiting, wake
from training.people import links, sign_on
from training.people.models import Role, RoleGrant, User
from training.people.sign_in_forms import OurWording
from training.platform.italian import elided

LINK, UNTIL = "⟦link⟧", "⟦until⟧"


class AskForm(OurWording, ResetPasswordForm):  # type: ignore[misc]  # the library has no types
    """“Forgotten password”. Does not look up the address, so that the answer takes the same time for any."""

    def clean_email(self) -> str:
        return str(self.cleaned_data["email"]).lower()

    def save(self, request: HttpRequest, **_kwargs: Any) -> str:
        asked: str = self.cleaned_data["email"]
        ask(asked)
        return asked


class ChooseForm(OurWording, ResetPasswordKeyForm):  # type: ignore[misc]  # the library has no types
    """The page behind the link. Welcomes a person who was invited and has no password yet, in the language of the
    invitation unless another was chosen in this browser.

    Not if the account was closed since, perhaps because the invitation went to the wrong person.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.invited = self.user is not None and self.user.is_active and not self.user.has_usable_password()
        if self.invited:
            if settings.LANGUAGE_COOKIE_NAME not in context.request.COOKIES:
                translation.activate(self.user.language)
            self.house = current().name
            for name, label in (("password1", _("Password")), ("password2", _("Password (again)"))):
                self.fields[name].label = self.fields[name].widget.attrs["placeholder"] = label

    def save(self) -> None:
        """Store the password. Whoever had none yet is signed in at once."""
        super().save()
        if self.invited:
            context.request.first_password = True  # the adapter's mail says so
            perform_login(context.request, self.user)


def ask(address: str) -> None:
    """Store that a new password was requested for this address."""
    now = timezone.now()
    Mail.objects.create(address=address, written_at=now, due_at=now)
    wake()


def resolve_asked() -> None:
    """Look up who asked for a new password, and write the mail. Requests for unknown addresses, and of
    people who may not use a password, are deleted."""
    for mail in waiting().filter(person=None):
        person = User.objects.filter(email__iexact=mail.address, is_active=True).first()
        if person is None or not sign_on.may_use_password(person):
            mail.delete()
            continue
        with translation.override(person.language):
            subject = _("Choose a new password")
            facts = {"user": person, "password_reset_url": LINK, "until": UNTIL}
            body = render_to_string("account/email/password_reset_key_message.txt", facts)
        waiting().filter(pk=mail.pk, person=None).update(
            person=person, address=person.email, subject=one_line(subject), body=body
        )


def invite(people: Iterable[User], by: User, *, class_name: str) -> None:
    """Invite people who were just added to a class."""
    directory = _directory()
    post([_invitation(person, by, class_name, directory) for person in people])


def _directory() -> dict[str, Any]:
    """The facts of an invitation while local passwords are off: people sign in with the directory, without a link."""
    return {"link": "", "directory": True} if sign_on.passwords_off() else {}


def _invitation(person: User, by: User, class_name: str, directory: dict[str, Any]) -> Envelope:
    with translation.override(person.language):
        facts = {
            "user": person,
            "inviter": by.name,
            "house": current().name,
            "class_name": class_name,
            "link": LINK,
            "until": UNTIL,
            "sign_in": link_to("account_login"),
            **directory,
        }
        subject = _("%(inviter)s invites you to the class “%(name)s”") % {"inviter": by.name, "name": class_name}
        return Envelope(person, subject, render_to_string("mail/letters/invitation.txt", facts))


def invite_to_house(people: Iterable[User], by: User | None) -> None:
    """Welcome people who were just added, with their roles. Without `by` the house itself invites them."""
    prefetch_related_objects(people := list(people), "role_grants")
    house, directory = current().name, _directory()
    post([_welcome(person, by, house, directory) for person in people])


def _welcome(person: User, by: User | None, house: str, directory: dict[str, Any]) -> Envelope:
    inviter = by.name if by else house
    with translation.override(person.language):
        facts = {
            "user": person,
            "inviter": inviter,
            "house": house,
            "roles": [str(Role(grant.role).label) for grant in sorted(person.role_grants.all(), key=_role)],
            "link": LINK,
            "until": UNTIL,
            "sign_in": link_to("account_login"),
            **directory,
        }
        subject = _("%(inviter)s invites you to Sabot") % {"inviter": inviter}
        return Envelope(person, subject, render_to_string("mail/letters/welcome.txt", facts))


def _role(grant: RoleGrant) -> str:
    return grant.role


def filled(mail: Mail, made: int) -> str:
    """The text of a mail sent at that second, with the link filled in.

    Only a mail to the current address of the account gets a link, whatever a name in the text contains.
    """
    if not holds_link(mail) or mail.person is None:
        return mail.body
    token = links.LinkTokens().make_token(mail.person, made)
    link = link_to("account_reset_password_from_key", user_pk_to_url_str(mail.person), token)
    end = datetime.fromtimestamp(made, UTC) + timedelta(seconds=settings.PASSWORD_RESET_TIMEOUT)
    zone = zoneinfo.ZoneInfo(mail.person.time_zone)
    with translation.override(mail.person.language):
        until = date_format(timezone.localtime(end, zone), "DATETIME_FORMAT")
    if mail.person.time_zone != settings.TIME_ZONE:  # name the time zone if it is not that of the house
        until = f"{until} ({mail.person.time_zone})"
    return elided(mail.body.replace(UNTIL, until)).replace(LINK, link)


def went_out(mail: Mail, made: int) -> None:
    """Record that a mail was sent: its link replaces older ones."""
    if holds_link(mail) and mail.person is not None:
        links.went_out(mail.person, made)


def holds_link(mail: Mail) -> bool:
    return LINK in mail.body and mail.person is not None and mail.address.lower() == mail.person.email.lower()
