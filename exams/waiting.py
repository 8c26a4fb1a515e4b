"""What waits for members of staff in exams: on their home, and in the mails they ask for."""

from collections.abc import Sequence
from datetime import datetime, timedelta

from django.db.models import Q
from django.urls import reverse
from django.utils.translation import gettext as _

from exams import clock
from exams.appeals.models import Appeal
from exams.appeals.reviewers import partial_people
from exams.certificates import issuance
from exams.certificates.lifecycle import Standing
from exams.certificates.models import NameCorrection
from exams.hr.roster import LAPSING_DAYS
from exams.hr.selectors import Filters, certificates
from exams.programmes.models import ProgrammeVersion
from exams.records.models import Session
from exams.regrading.models import Regrade
from exams.results import annulment
from exams.results.grading import set_aside
from exams.results.models import Result
from exams.results.waiting import to_decide, to_release
from exams.sessions.selectors import sessions_for
from exams.webhooks import selectors as webhooks
from training.home.waiting import STAFF, Waiting
from training.mail import selectors as mail
from training.people.models import Role, User

SOON = timedelta(days=7)


def work_of_exams(person: User, now: datetime) -> list[Waiting]:
    found: list[Waiting] = []
    if not person.roles.isdisjoint(STAFF):
        found += _sessions(person, now)
    if not person.roles.isdisjoint({Role.INSTRUCTOR, Role.ADMINISTRATOR}):
        found += _examining(person, now)
    if Role.HR in person.roles:
        found += _certifying()
    if not person.roles.isdisjoint({Role.HR, Role.ADMINISTRATOR}):
        found += _house(person)
    if Role.ADMINISTRATOR in person.roles:
        found += _administering()
    return found


def _sessions(person: User, now: datetime) -> list[Waiting]:
    """What the person holds or watches over: open now, and what is soon and not ready."""
    own = sessions_for(person).filter(Q(created_by=person) | Q(invigilators=person)).distinct()
    open_now = list(own.filter(state=Session.State.READY, opens_at__lte=now, entry_closes_at__gt=now))
    soon = list(own.filter(state=Session.State.DRAFT, entry_closes_at__gt=now, opens_at__lte=now + SOON))
    return [
        Waiting(
            "sessions_open", _("Exam sessions open now"), len(open_now), _one("live_session", open_now, "sessions")
        ),
        Waiting(
            "sessions_soon",
            _("Exam sessions still being set up"),
            len(soon),
            _one("session", soon, "sessions"),
            late=sum(session.opens_at <= now for session in soon),
            about=_("They open within a week."),
        ),
    ]


def _one(route: str, sessions: Sequence[Session], otherwise: str) -> str:
    return reverse(route, args=[sessions[0].pk]) if len(sessions) == 1 else reverse(otherwise)


def _examining(person: User, now: datetime) -> list[Waiting]:
    lodged = list(Appeal.objects.filter(state=Appeal.State.LODGED))
    partial = partial_people(lodged)
    appeals = [appeal for appeal in lodged if person.pk not in partial[appeal]]
    decide, release = to_decide(person), to_release(person)
    drafts = ProgrammeVersion.objects.filter(state=ProgrammeVersion.State.DRAFT).exclude(author=person)
    return [
        Waiting(
            "appeals",
            _("Appeals to decide"),
            len(appeals),
            f"{reverse('appeals')}?state={Appeal.State.LODGED}",
            late=sum(appeal.decide_by < now for appeal in appeals),
        ),
        Waiting("results_to_decide", _("Results to decide"), len(decide), _results(decide)),
        Waiting("results_to_release", _("Results to release"), len(release), _results(release)),
        Waiting("annulments", _("Annulments to confirm"), annulment.to_decide(person), reverse("annulments")),
        Waiting(
            "programmes", _("Programmes that a second person puts in force"), drafts.count(), reverse("programmes")
        ),
    ]


def _results(results: list[Result]) -> str:
    sessions = {result.sitting.candidate.session_id for result in results}
    return reverse("session_results", args=[sessions.pop()]) if len(sessions) == 1 else reverse("results")


def _certifying() -> list[Waiting]:
    ending = certificates(Filters(standing=Standing.VALID, within=LAPSING_DAYS), clock.today())
    return [
        Waiting("to_issue", _("Certificates to issue"), issuance.waiting().count(), reverse("hr_waiting")),
        Waiting(
            "expiring",
            _("Certificates about to end"),
            ending.count(),
            f"{reverse('hr_desk')}?within={LAPSING_DAYS}&sort=until",
            about=_("Within %(days)d days.") % {"days": LAPSING_DAYS},
        ),
    ]


def _house(person: User) -> list[Waiting]:
    names = NameCorrection.objects.filter(decided_at=None).exclude(asked_by=person).exclude(holder=person)
    return [
        Waiting("names", _("Printed names to confirm"), names.count(), reverse("name_corrections")),
        Waiting("mail", _("Mails that could not be sent"), mail.given_up(), f"{reverse('mail')}?state={mail.FAILED}"),
    ]


def _administering() -> list[Waiting]:
    ready = Regrade.objects.filter(state=Regrade.State.READY)
    return [
        Waiting("ungraded", _("Exams that could not be graded"), set_aside().count(), reverse("results")),
        Waiting("regrades", _("Regrades to look at"), ready.count(), reverse("regrades")),
        Waiting("systems", _("Messages no other system took"), webhooks.given_up(), reverse("webhooks")),
    ]
