"""Mails all administrators about an act that concerns them, in the words of the log."""

from django.template.loader import render_to_string
from django.utils import translation
from django.utils.functional import Promise

from exams.audit.models import Entry
from exams.audit.words import describe
from training.mail import outbox
from training.people.models import Role, User


def tell_administrators(entry: Entry, subject: Promise, *, about: User | None = None) -> None:
    """Mail every active administrator, even the one who acted, because somebody may have acted in their name, but not
    the person it is `about`. Call it in the act's transaction."""
    readers = User.objects.filter(is_active=True, role_grants__role=Role.ADMINISTRATOR)
    outbox.post([_letter(entry, subject, reader) for reader in readers if reader != about])


def _letter(entry: Entry, subject: Promise, reader: User) -> outbox.Envelope:
    with translation.override(reader.language):
        facts = {"user": reader, "told": describe([entry])[0], "at": entry.at, "log": outbox.link_to("audit")}
        return outbox.Envelope(reader, str(subject), render_to_string("audit/letters/administrators.txt", facts))
