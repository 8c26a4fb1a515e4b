"""Mails to candidates: about a result (owed until it is in the outbox) and about an annulment."""

from datetime import timedelta
from uuid import UUID

from django.db import transaction
from django.template.loader import render_to_string
from django.utils import translation
from django.utils.translation import gettext as _

from exams import clock
from exams.results.models import Annulment, Result
from exams.results.words import percent
from training.mail.outbox import Envelope, link_to, post
from training.people.request import language_for
from training.platform import pending

OVERDUE = timedelta(seconds=10)
SWEEP_LIMIT = 50


@transaction.atomic
def send_owed(result_id: UUID) -> bool:
    """Put a result's letter into the outbox if it is still owed. Returns whether it did."""
    unsent = Result.objects.select_for_update(skip_locked=True, no_key=True).filter(
        pk=result_id, letter_owed=True, in_force=True
    )
    if not unsent.exists():
        return False
    result = Result.objects.select_related(
        "programme_version__programme", "sitting__candidate__session", "sitting__candidate__person"
    ).get(pk=result_id)
    post([_letter(result)])
    Result.objects.filter(pk=result_id).update(letter_owed=False)
    return True


def _letter(result: Result) -> Envelope:
    candidate = result.sitting.candidate
    person = candidate.person
    version = result.programme_version
    language = language_for(person.language, version.rules.rulebooks)
    with translation.override(language):
        programme = version.name(language)
        context = {
            "user": person,
            "result": result,
            "score": percent(result.score),
            "programme": programme,
            "session": candidate.session,
            "again": Result.objects.filter(
                sitting=result.sitting_id, number__lt=result.number, released_at__isnull=False
            ).exists(),
            "page": link_to("own_result", result.sitting_id),
            "appeal_days": result.programme_version.rules.appeal_days,
            "contest": link_to("own_objections"),
        }
        subject = _("Your exam result: %(programme)s") % {"programme": programme}
        return Envelope(person, subject, render_to_string("results/letter.txt", context))


def tell_annulled(decided: Annulment) -> None:
    """Tell the candidate what was decided about their sitting and why. Runs in the decision's transaction."""
    candidate = decided.sitting.candidate
    person = candidate.person
    version = candidate.session.programme_version
    language = language_for(person.language, version.rules.rulebooks)
    with translation.override(language):
        programme = version.name(language)
        context = {
            "user": person,
            "decided": decided,
            "programme": programme,
            "session": candidate.session,
            "page": link_to("own_exams"),
            "contest": link_to("own_objections"),
        }
        subject = (
            _("Your exam has been annulled: %(programme)s")
            if decided.annuls
            else _("Your attempt has been given back: %(programme)s")
        )
        post([Envelope(person, subject % {"programme": programme}, render_to_string("results/annulled.txt", context))])


def send_overdue() -> int:
    """Send letters whose message was lost. Returns how many."""
    unsent = Result.objects.filter(letter_owed=True, in_force=True, released_at__lt=clock.now() - OVERDUE)
    waiting = unsent.order_by("released_at").values_list("pk", flat=True)
    return pending.sweep(waiting, send_owed, limit=SWEEP_LIMIT, what="letter of a result")
