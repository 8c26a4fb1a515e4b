"""Work waiting for staff in exams, for their home page and the mails they subscribe to."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

from django.db.models import Q, QuerySet
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from exams import clock
from exams.appeals.models import Appeal
from exams.appeals.reviewers import why_not
from exams.appeals.waiting import objections_waiting
from exams.certificates import issuance, name_correction, unconfirmed_identity
from exams.certificates.lifecycle import Standing
from exams.exam_sessions import preparation
from exams.exam_sessions.selectors import sessions_for
from exams.hr.roster import LAPSING_DAYS
from exams.hr.selectors import Filters, certificates
from exams.papers import guarded_requests
from exams.programmes.models import ProgrammeVersion
from exams.records.models import Session
from exams.regrading.models import Regrade
from exams.results import annulment
from exams.results.grading import set_aside
from exams.results.models import Annulment, Result
from exams.results.undecided import to_decide, to_release
from exams.webhooks import selectors as webhooks
from rules_engine.narration import book_name
from training.home.hooks import Waiting
from training.home.worklist import STAFF
from training.house import readings
from training.house.models import House, HouseRuling
from training.mail import selectors as mail
from training.people import second_signature
from training.people.models import Role, User
from training.people.request import language
from training.people.second_signature import Asked
from training.platform.presence import present

SOON = timedelta(days=7)

# What the list needs to know of a session.
OF_A_SESSION = ("pk", "state", "opens_at", "entry_closes_at", "programme_version__rules_document")


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
        found += _administering(person)
    if not person.roles.isdisjoint({Role.INSTRUCTOR, Role.HR, Role.ADMINISTRATOR}):
        found += objections_waiting(person, now)
    return found


def _sessions(person: User, now: datetime) -> list[Waiting]:
    """Sessions the person holds or invigilates that are open now, or open soon but are not ready."""
    own = sessions_for(person).filter(state__in=(Session.State.READY, Session.State.DRAFT))
    if Role.ADMINISTRATOR in person.roles:  # for whom it has all
        own = own.filter(Q(created_by=person) | Q(invigilators=person)).distinct()
    own = own.select_related(None).select_related("programme_version").only(*OF_A_SESSION)
    ahead = list(own.filter(entry_closes_at__gt=now))
    blocked = [session for session in ahead if preparation.is_blocked(session, now)]
    coming = [session for session in ahead if session.opens_at <= now + SOON and session not in blocked]
    open_now = [session for session in coming if session.state == Session.State.READY and session.opens_at <= now]
    soon = [session for session in coming if session.state == Session.State.DRAFT]
    late = sum(session.opens_at <= now for session in soon)
    return [
        _blocked(blocked, now),
        Waiting(
            "sessions_open",
            ngettext("Exam session open now", "Exam sessions open now", len(open_now)),
            len(open_now),
            _one("live_session", open_now, "sessions"),
        ),
        Waiting(
            "sessions_soon",
            ngettext("Exam session still being set up", "Exam sessions still being set up", len(soon)),
            len(soon),
            _one("session", soon, "sessions"),
            late=late,
            about=_opening(len(soon), late),
        ),
    ]


def _blocked(sessions: list[Session], now: datetime) -> Waiting:
    """Sessions whose papers are about another law than the one in force when they are sat."""
    count = len(sessions)
    return Waiting(
        "sessions_blocked",
        ngettext("Exam session with papers on another law", "Exam sessions with papers on another law", count),
        count,
        _one("session", sessions, "sessions"),
        late=sum(session.opens_at <= now for session in sessions),
        about=_("The law has changed since the papers were made: nobody can begin until they are made again."),
    )


def _opening(count: int, late: int) -> str:
    if not late:
        return ngettext("It opens within a week.", "They open within a week.", count)
    if late == count:
        return _("The opening time has passed.")
    return _("They open within a week, or should be open already.")


def _one(route: str, sessions: Sequence[Session], otherwise: str) -> str:
    return reverse(route, args=[sessions[0].pk]) if len(sessions) == 1 else reverse(otherwise)


def _examining(person: User, now: datetime) -> list[Waiting]:
    there = _there()
    lodged = list(Appeal.objects.filter(state=Appeal.State.LODGED)) if there["appeals"] else []
    refused = why_not(person, lodged)
    appeals = [appeal for appeal in lodged if not refused[appeal]]
    decide = to_decide(person) if there["undecided"] else []
    release = to_release(person) if there["unreleased"] else []
    annulments = annulment.to_decide(person) if there["annulments"] else 0
    return [
        Waiting(
            "appeals",
            ngettext("Appeal to decide", "Appeals to decide", len(appeals)),
            len(appeals),
            f"{reverse('appeals')}?state={Appeal.State.LODGED}",
            late=sum(appeal.decide_by < now for appeal in appeals),
        ),
        Waiting(
            "results_to_decide",
            ngettext("Result to decide", "Results to decide", len(decide)),
            len(decide),
            _results(decide),
        ),
        Waiting(
            "results_to_release",
            ngettext("Result to release", "Results to release", len(release)),
            len(release),
            _results(release),
        ),
        Waiting(
            "annulments",
            ngettext("Annulment to confirm", "Annulments to confirm", annulments),
            annulments,
            reverse("annulments"),
        ),
        *(_second_signatures(person) if there["unsigned"] or there["drafts"] else ()),
    ]


@present
def _there() -> dict[str, QuerySet[Any]]:
    """What may wait for anybody. Usually most of it does not, and needs no other query."""
    in_force = Result.objects.filter(in_force=True)
    return {
        "appeals": Appeal.objects.filter(state=Appeal.State.LODGED),
        "undecided": in_force.filter(decided_at=None),
        "unreleased": in_force.filter(decided_at__isnull=False, released_at=None),
        "annulments": Annulment.objects.filter(decided_at=None),
        "unsigned": readings.signed_once(),
        "drafts": ProgrammeVersion.objects.filter(state=ProgrammeVersion.State.DRAFT),
    }


def _where(ruling: HouseRuling) -> str:
    return reverse("house_procedures" if ruling.is_procedure else "house_readings", args=[ruling.rulebook])


def _second_signatures(person: User) -> list[Waiting]:
    """House rulings to adopt or withdraw, and programmes, that need a second person, if this person counts as one."""
    written = _drafts()
    awaiting = [(one, one.first_signature) for one in readings.awaiting_signature()]
    recorded = [(ruling, Asked(first.by, first.at)) for ruling, first in awaiting if first]
    not_second = second_signature.refused(person, [*written, *(asked for _ruling, asked in recorded)])
    unsigned = [ruling for ruling, asked in recorded if asked not in not_second]
    drafts = sum(asked not in not_second for asked in written)
    return [
        Waiting(
            "readings",
            ngettext(
                "House ruling waiting for a second signature",
                "House rulings waiting for a second signature",
                len(unsigned),
            ),
            len(unsigned),
            _where(unsigned[0]) if unsigned else "",
            about=", ".join(book_name(id, language()) for id in sorted({ruling.rulebook for ruling in unsigned})),
        ),
        Waiting(
            "programmes",
            ngettext(
                "Programme waiting for a second person to put it in force",
                "Programmes waiting for a second person to put them in force",
                drafts,
            ),
            drafts,
            reverse("programmes"),
        ),
    ]


def _drafts() -> list[Asked]:
    """The authors of drafts waiting to be published, and since when."""
    drafts = ProgrammeVersion.objects.filter(state=ProgrammeVersion.State.DRAFT)
    return [Asked(*row) for row in drafts.values_list("author_id", "created_at")]


def _results(results: list[Result]) -> str:
    sessions = {result.sitting.candidate.session_id for result in results}
    return reverse("session_results", args=[sessions.pop()]) if len(sessions) == 1 else reverse("results")


def _certifying() -> list[Waiting]:
    issue = issuance.waiting().count()
    ending = certificates(Filters(standing=Standing.VALID, within=LAPSING_DAYS), clock.today()).count()
    return [
        Waiting(
            "to_issue",
            ngettext("Certificate to issue", "Certificates to issue", issue),
            issue,
            reverse("hr_waiting"),
        ),
        Waiting(
            "expiring",
            ngettext("Certificate about to expire", "Certificates about to expire", ending),
            ending,
            f"{reverse('hr_desk')}?within={LAPSING_DAYS}&sort=until",
            about=_("Within %(days)d days.") % {"days": LAPSING_DAYS},
        ),
    ]


def _house(person: User) -> list[Waiting]:
    names = _to_sign(name_correction.waiting().exclude(holder=person), person)
    issues = _to_sign(unconfirmed_identity.waiting().exclude(result__sitting__candidate__person=person), person)
    unsent = mail.given_up()
    return [
        Waiting(
            "names",
            ngettext("Name to confirm", "Names to confirm", names),
            names,
            reverse("name_corrections"),
        ),
        Waiting(
            "issues",
            ngettext(
                "Certificate without a confirmed identity to sign",
                "Certificates without a confirmed identity to sign",
                issues,
            ),
            issues,
            reverse("name_corrections"),
        ),
        Waiting(
            "mail",
            ngettext("E-mail that could not be sent", "E-mails that could not be sent", unsent),
            unsent,
            f"{reverse('mail')}?state={mail.FAILED}",
        ),
    ]


def _to_sign(requests: QuerySet[Any], person: User) -> int:
    """How many of these requests this person counts as a second person for."""
    asked = [Asked(*row) for row in requests.values_list("asked_by_id", "asked_at")]
    refused = second_signature.refused(person, asked)
    return sum(one not in refused for one in asked)


def _administering(person: User) -> list[Waiting]:
    asked = guarded_requests.to_look_at(person).count()
    ungraded, undelivered = set_aside().count(), webhooks.given_up()
    ready = Regrade.objects.filter(state=Regrade.State.READY).count()
    return [
        Waiting(
            "house",
            _("The house has not been described yet"),
            int(not House.objects.exists()),
            reverse("house_settings"),
            about=_("Its name, its logo and who signs: they appear on e-mails and certificates."),
        ),
        Waiting(
            "ungraded",
            ngettext("Exam that could not be graded", "Exams that could not be graded", ungraded),
            ungraded,
            reverse("results"),
        ),
        Waiting(
            "rulings_asked",
            ngettext("Ruling requested on an exam case", "Rulings requested on exam cases", asked),
            asked,
            reverse("rulings_asked"),
            about=_("Every request was refused. See who asked, and when."),
        ),
        Waiting("regrades", ngettext("Regrade to review", "Regrades to review", ready), ready, reverse("regrades")),
        Waiting(
            "systems",
            ngettext("Message that no other system accepted", "Messages that no other system accepted", undelivered),
            undelivered,
            reverse("webhooks"),
        ),
    ]
