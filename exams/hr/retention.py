"""Deleting data: the practice of people who left long ago and, on request, everything that is not evidence.

`docs/privacy.md` says what is kept for how long. Exams, appeals, certificates, name corrections, authored scenarios and
the audit log are evidence: they stay and keep the person's name.
"""

from collections.abc import Iterable
from datetime import date, timedelta
from typing import Any

from django.apps import apps
from django.db import transaction
from django.db.models import F, Q, QuerySet
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import translation
from django.utils.functional import Promise
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from exams import clock
from exams.accounts import administrators
from exams.accounts.models import Closure
from exams.appeals.models import Appeal, Objection
from exams.audit.models import Entry
from exams.audit.services import record
from exams.certificates.models import Certificate
from exams.certificates.services import fit_reason
from exams.hr.models import StaffRecord
from exams.records.models import Candidate
from training.house.selectors import current as current_house
from training.house.selectors import practice_kept_days
from training.library.models import Act, CoAuthor, Origin, Version
from training.mail import outbox
from training.people.models import User
from training.platform.errors import Refused

# Practice data; dependent rows are deleted too.
PRACTICE = {
    "practice.Drill": "trainee",
    "practice.DayPlan": "trainee",
    "practice.Reminder": "trainee",
    "mock.Mock": "person",
    "sprint.Sprint": "trainee",
    "sprint.OnBoard": "trainee",
    "live_table.Session": "trainee",
    "mastery.Memory": "trainee",
    "house.ChosenTable": "trainee",
    "mastery.StudyPlan": "trainee",
    "figures.TopicTally": "trainee",
    "figures.DayTally": "trainee",
}
# What else is deleted when a person is erased.
ACCOUNT = {
    "classes.Enrolment": "trainee",  # who taught them is kept separately, because an exam may be judged again
    "classes.Extension": "trainee",
    "certificates.Registration": "holder",
    "mail.Mail": "person",
    "home.WorkMail": "person",
    "api.ApiToken": "owner",
    "api.KeptAnswer": "owner",
    "hr.Export": "owner",
    "hr.Schedule": "owner",
    "hr.StaffImport": "importer",
    "library.PendingImport": "importer",
    "people.RoleGrant": "user",
    "mfa.Authenticator": "user",
    "account.EmailAddress": "user",
    "socialaccount.SocialAccount": "user",
}
NOWHERE = "@erased.invalid"  # a domain that can never exist


# ---- practice of people who left


def due(today: date, days: int) -> QuerySet[User]:
    """People who left more than this many days ago and still have practice data. Administrators who left keep
    everything until another one closes their account."""
    gone = User.objects.filter(is_active=False, staff_record__left_on__lt=today - timedelta(days=days))
    left = Q(drills__isnull=False) | Q(memories__isnull=False) | Q(live_sessions__isnull=False)
    return gone.filter(left).distinct().order_by("pk")


def forget_due(days: int | None = None) -> int:
    """Delete the practice of people who left longer ago than the house keeps it. Returns how many people."""
    kept = practice_kept_days() if days is None else days
    return 0 if kept is None else sum(_forget_practice(person) for person in due(clock.today(), kept))


@transaction.atomic
def _forget_practice(person: User) -> bool:
    rows = _delete(person, PRACTICE)
    record(None, "person.practice_forgotten", f"person:{person.pk}", rows=rows)
    return True


def _delete(person: User, tables: dict[str, str]) -> int:
    return sum(
        apps.get_model(label)._default_manager.filter(**{way: person}).delete()[0] for label, way in tables.items()
    )


# ---- one person


def is_erased(person: User) -> bool:
    return person.email.endswith(NOWHERE)


def evidence(person: User) -> bool:
    """Whether any remaining evidence names this person or was made by them."""
    stays: Iterable[QuerySet[Any]] = (
        Candidate.objects.filter(person=person),
        Certificate.objects.filter(holder=person),
        Version.objects.filter(author=person),
        CoAuthor.objects.filter(person=person),
        Origin.objects.filter(person=person),
        Act.objects.filter(actor=person),
        Objection.objects.filter(person=person),
        Entry.objects.filter(actor=person),
    )
    return any(rows.exists() for rows in stays)


class InTheWay(Refused):
    """Something else must be done first: on `page`, which is called `named`."""

    def __init__(self, reason: Promise, page: str, named: Promise) -> None:
        super().__init__(reason)
        self.page, self.named = page, named


def verify_erase(person: User, by: User | None) -> None:
    """Raises Refused if the person cannot be erased. `by` is None on the command line."""
    if by is not None:
        administrators.verify_acts(by, person)
    if is_erased(person):
        raise Refused(_("This person has already been erased."))
    if person.is_active:
        page = reverse("close_account", args=[person.pk])
        raise InTheWay(_("The account is open: close it first."), page, _("Close the account"))
    if Appeal.objects.filter(appellant=person, state=Appeal.State.LODGED).exists():
        # Link to all pending appeals, never to this one: reviewers must not learn whose it is.
        page = f"{reverse('appeals')}?state={Appeal.State.LODGED}"
        reason = _("An appeal of this person is awaiting a decision: decide it first.")
        raise InTheWay(reason, page, _("Appeals to decide"))
    if Objection.objects.filter(person=person, state=Objection.State.LODGED).exists():
        reason = _("An appeal of this person is awaiting a decision: decide it first.")
        raise InTheWay(reason, reverse("objections"), _("Appeals and complaints"))


@transaction.atomic
def erase(person: User, *, by: User | None, reason: str) -> User:
    """Delete everything about a person except evidence. If evidence names them, their name stays."""
    current = User.objects.select_for_update(no_key=True).get(pk=person.pk)
    verify_erase(current, by)
    reason = fit_reason(reason)
    letter = _letter(current)
    rows = _delete(current, PRACTICE | ACCOUNT)
    _blank_record(current)
    Closure.objects.filter(person=current).update(reason="", return_reason="")
    current.email = f"erased-{current.pk}{NOWHERE}"
    if not evidence(current):
        current.name = f"#{current.pk}"
    current.set_unusable_password()
    current.last_login = current.link_sent_at = None
    current.save(update_fields=["email", "name", "password", "last_login", "link_sent_at"])
    User.objects.filter(pk=current.pk).update(sessions_ended=F("sessions_ended") + 1)
    outbox.post([letter])
    record(by, "person.erased", f"person:{current.pk}", rows=rows, reason=reason)
    return current


def _letter(person: User) -> outbox.Envelope:
    """The last mail to a person: what is deleted and what stays. Not kept after it is sent."""
    with translation.override(person.language):
        facts = {"user": person, "house": current_house().name, "name_stays": evidence(person)}
        body = render_to_string("hr/letters/erased.txt", facts)
        subject = gettext("Your data in Sabot has been erased")
    return outbox.Envelope(person, subject, body, address=person.email, leaves_no_line=True)


def _blank_record(person: User) -> None:
    """Reduce the record to the fact that the person left: without a record they would be on the roster again."""
    former = StaffRecord.objects.filter(person=person).first()
    left = former.left_on if former and former.left_on else clock.today() - timedelta(days=1)
    blank = {"staff_number": f"#{person.pk}", "department": "", "shift": "", "joined_on": None, "left_on": left}
    blank |= {"licence_number": "", "licence_until": None}
    StaffRecord.objects.update_or_create(person=person, defaults=blank)
