"""The mails of an appeal: stored with the act they report, sent by a worker in the recipient's language."""

import zoneinfo
from collections.abc import Iterable
from datetime import timedelta

from django.db import transaction
from django.template.loader import render_to_string
from django.utils import timezone, translation
from django.utils.translation import gettext_lazy as _

from exams import clock
from exams.appeals.models import Appeal, Letter
from training.mail.outbox import Envelope, link_to, post
from training.people.models import Role, User
from training.people.request import language_for
from training.platform import pending
from training.platform.broker import send_on_commit

# A message without a letter after this time counts as lost.
OVERDUE = timedelta(seconds=10)
SWEEP_LIMIT = 50
SUBJECTS = {
    Letter.Kind.RECEIVED: _("Appeal %(number)d: received"),
    Letter.Kind.LODGED: _("Appeal %(number)d: lodged"),
    Letter.Kind.DECIDED: _("Appeal %(number)d: decided"),
    Letter.Kind.INFORMED: _("Appeal %(number)d: decided"),
    Letter.Kind.AUTHOR: _("Appeal %(number)d: a scenario of yours to review"),
}


def examining_side(appeal: Appeal) -> list[User]:
    """The creator of the session, and the administrators, who make sure somebody impartial decides in time."""
    administrators = User.objects.filter(role_grants__role=Role.ADMINISTRATOR, is_active=True)
    return [appeal.form_item.form.candidate.session.created_by, *administrators]


def write(appeal: Appeal, kind: Letter.Kind, recipients: Iterable[User]) -> None:
    """Store one letter per recipient and wake a worker. The appellant only gets the kinds meant for them."""
    from exams.appeals import tasks

    people = {person.pk: person for person in recipients}
    if kind not in (Letter.Kind.RECEIVED, Letter.Kind.DECIDED):
        people.pop(appeal.appellant_id, None)
    now = clock.now()
    Letter.objects.bulk_create(
        Letter(appeal=appeal, kind=kind, recipient=person, written_at=now) for person in people.values()
    )
    send_on_commit(tasks.send_letters, str(appeal.pk))


def send(appeal: Appeal) -> int:
    """Put an appeal's unsent letters into the outbox. Returns how many."""
    unsent = Letter.objects.filter(appeal=appeal, sent_at=None).order_by("pk").values_list("pk", flat=True)
    return sum(_send(pk) for pk in list(unsent))


@transaction.atomic
def _send(letter_id: int) -> bool:
    """Send one letter, unless another worker is sending or has sent it."""
    letter = Letter.objects.select_for_update(skip_locked=True, no_key=True).filter(pk=letter_id, sent_at=None).first()
    if letter is None:
        return False
    post([_written(letter)])
    letter.sent_at = clock.now()
    letter.save(update_fields=["sent_at"])
    return True


def _written(letter: Letter) -> Envelope:
    person, appeal = letter.recipient, letter.appeal
    session = appeal.form_item.form.candidate.session
    version = session.programme_version
    language = language_for(person.language, version.rules.rulebooks)
    here = timezone.override(zoneinfo.ZoneInfo(person.time_zone))
    with translation.override(language), here:
        context = {
            "user": person,
            "appeal": appeal,
            "session": session,
            "position": appeal.form_item.position,
            "page": _page(letter),
            "programme": version.name(language),
        }
        body = render_to_string(f"appeals/letters/{letter.kind}.txt", context)
        subject = str(SUBJECTS[Letter.Kind(letter.kind)]) % {"number": appeal.number}
    return Envelope(person, subject, body)


def _page(letter: Letter) -> str:
    """The link for the recipient: the scenario for its author, the appeal for everybody else."""
    version = letter.appeal.form_item.item.version_id
    if letter.kind == Letter.Kind.AUTHOR and version:
        return link_to("version", version)
    return link_to("appeal", letter.appeal_id)


def send_overdue() -> int:
    """Send letters whose message was lost. Returns how many."""
    unsent = Letter.objects.filter(sent_at=None, written_at__lt=clock.now() - OVERDUE)
    waiting = unsent.order_by("written_at").values_list("pk", flat=True)
    return pending.sweep(waiting, _send, limit=SWEEP_LIMIT, what="letter of an appeal")
