"""Queries for sessions. Nothing here reads items or forms, which are secret until the exam is over."""

from datetime import datetime

from django.db.models import Count, Exists, OuterRef, Q, QuerySet

from exams.records.models import Candidate, Session, Sitting
from rules_engine.folding import folded
from training.classes.models import Enrolment, TrainingClass
from training.classes.selectors import MOST_FOUND
from training.people.models import Role, User
from training.platform.folded_text import alphabetical, sort_key


def sessions_for(person: User) -> QuerySet[Session]:
    """The sessions a person holds or invigilates; all for administrators and auditors. Never one they sit."""
    found = Session.objects.select_related("programme_version__programme", "created_by")
    if person.roles.isdisjoint({Role.ADMINISTRATOR, Role.AUDITOR}):
        invigilates = Session.invigilators.through.objects.filter(session=OuterRef("pk"), user=person)
        found = found.filter(Q(created_by=person) | Exists(invigilates))
    return found.exclude(Exists(Candidate.objects.filter(session=OuterRef("pk"), person=person)))


def counted(sessions: QuerySet[Session]) -> QuerySet[Session]:
    return sessions.annotate(entered=Count("candidates", distinct=True))


def _under_way() -> Exists:
    return Exists(Sitting.objects.filter(candidate__session=OuterRef("pk"), closed_at=None))


def current(sessions: QuerySet[Session], now: datetime) -> QuerySet[Session]:
    """Upcoming sessions and those in progress, next first."""
    found = sessions.filter(Q(entry_closes_at__gt=now) | _under_way()).exclude(state=Session.State.CANCELLED)
    return found.order_by("opens_at", "pk")


def past(sessions: QuerySet[Session], now: datetime) -> QuerySet[Session]:
    """Sessions that are over or cancelled, latest first."""
    over = Q(entry_closes_at__lte=now) & ~_under_way()
    return sessions.filter(over | Q(state=Session.State.CANCELLED)).order_by("-opens_at", "pk")


def begun(session: Session) -> bool:
    return Sitting.objects.filter(candidate__session=session).exists()


def candidates_of(session: Session) -> list[Candidate]:
    """All candidates sorted by name, with their sitting if they have begun."""
    found = session.candidates.select_related("person", "entered_by", "sitting")
    return sorted(found, key=lambda candidate: (sort_key(candidate.person.name), candidate.person.email))


def classes_to_enter() -> list[TrainingClass]:
    """Open classes that are not empty, by name, with their instructors."""
    inside = Enrolment.objects.filter(training_class=OuterRef("pk"), left_at=None)
    found = TrainingClass.objects.filter(Exists(inside), closed_at=None).prefetch_related("instructors")
    return list(found.order_by(alphabetical("name"), "pk"))


def found_staff(words: str, roles: frozenset[Role]) -> list[User]:
    """People with one of these roles, found by parts of name or email."""
    staff = (
        User.objects.filter(is_active=True, role_grants__role__in=roles).distinct().order_by(alphabetical("name"), "pk")
    )
    wanted = folded(words).split()
    matching = [who for who in staff if all(word in folded(f"{who.name} {who.email}") for word in wanted)]
    return matching[:MOST_FOUND]
