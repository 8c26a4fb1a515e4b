"""Sends the mail of django-allauth through the outbox."""

from typing import Any

from django.template.loader import render_to_string
from django.utils import translation

from training.mail.outbox import Envelope, link_to, post
from training.people.accounts import HouseAccountAdapter
from training.people.models import User

RESET, SET = "account/email/password_reset", "account/email/password_set"


class PostingAccountAdapter(HouseAccountAdapter):
    def send_notification_mail(
        self, template_prefix: str, user: User, context: dict[str, Any] | None = None, email: str | None = None
    ) -> None:
        if template_prefix == RESET and getattr(self.request, "first_password", False):
            template_prefix = SET
        told = {**(context or {}), "user": user, "change_password": link_to("account_change_password")}
        super().send_notification_mail(template_prefix, user, told, email)

    def send_mail(self, template_prefix: str, email: str, context: dict[str, Any]) -> None:
        """Put the mail into the outbox, in the recipient's language."""
        person = context["user"]
        with translation.override(person.language):
            subject = render_to_string(f"{template_prefix}_subject.txt", context)
            body = render_to_string(f"{template_prefix}_message.txt", context).strip()
        post([Envelope(person, subject, body)])
