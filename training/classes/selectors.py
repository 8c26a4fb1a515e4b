"""Queries of classes: members, instructors, and progress with assigned work."""

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import islice
from uuid import UUID

from django.db.models import Count, Exists, F, OuterRef, Q, QuerySet

from rules_engine.folding import folded
from training.classes.models import Assignment, Enrolment, Extension, TrainingClass
from training.library.models import Version
from training.library.selectors import Filters, practised, versions
from training.people.models import Role, User
from training.platform.folded_text import alphabetical, sort_key
from training.practice.models import Attempt, Drill
from training.practice.next_drill import Study

MOST_FOUND = 20


@dataclass(frozen=True)
class Kind:
    """A kind of scenario to generate."""

    rulebook: str
    topic: str
    difficulty: int


@dataclass(frozen=True)
class SetWork:
    """One trainee's progress with one assignment: what is done, and what is left to do."""

    assignment: Assignment
    assigned: bool  # whether it is this trainee's to do
    due_at: datetime
    done: int
    versions_left: tuple[int, ...]
    fresh_left: tuple[Kind, ...]
    overdue: bool

    @property
    def left(self) -> int:
        return len(self.versions_left) + len(self.fresh_left)

    @property
    def total(self) -> int:
        return self.done + self.left

    @property
    def late(self) -> bool:
        """Whether it is overdue with something left to do."""
        return self.overdue and self.left > 0


def classes_of(trainee: User) -> list[TrainingClass]:
    """The open classes a trainee is in, the newest enrolment first."""
    return [enrolment.training_class for enrolment in _enrolments(trainee).select_related("training_class")]


def study_in_classes(trainee: User) -> list[Study]:
    """The study plan of each of a trainee's classes."""
    return [study_in(room) for room in classes_of(trainee)]


def study_in(room: TrainingClass) -> Study:
    return Study(minutes=room.daily_minutes, rulebooks=tuple(room.rulebooks))


def tables_of_classes(trainee_id: int, rulebook: str) -> list[str]:
    """The keys of the tables that a trainee's classes name for a rulebook."""
    own = Enrolment.objects.filter(trainee_id=trainee_id, left_at=None, training_class__closed_at=None)
    named = own.values_list("training_class__tables", flat=True)
    return [key for tables in named for book, _slash, key in (one.partition("/") for one in tables) if book == rulebook]


def _enrolments(trainee: User) -> QuerySet[Enrolment]:
    own = Enrolment.objects.filter(trainee=trainee, left_at=None, training_class__closed_at=None)
    return own.order_by("-enrolled_at")


def assignments_of(trainee: User, now: datetime) -> list[SetWork]:
    """The trainee's assignments, nearest date first: those with work left, and finished ones until their date."""
    return assignments_in(classes_of(trainee), trainee, now)


def assignments_in(rooms: Collection[TrainingClass], trainee: User, now: datetime) -> list[SetWork]:
    """Like `assignments_of`, from the trainee's classes already read."""
    if not rooms:
        return []
    assigned = Assignment.objects.filter(training_class__in=rooms).select_related("training_class")
    found = work(list(assigned), [trainee], now)
    shown = [item for item in found[trainee.pk] if item.total and (item.left or not item.overdue)]
    return sorted(shown, key=lambda item: (item.due_at, item.assignment.pk))


def assignment_for(trainee: User, assignment_id: UUID) -> Assignment:
    """An assignment of this trainee. Raises Assignment.DoesNotExist for any other."""
    chosen = Assignment.trainees.through.objects.filter(assignment=OuterRef("pk"), user=trainee)
    for_trainee = Assignment.objects.filter(
        Q(for_some=False) | Exists(chosen),
        training_class__closed_at=None,
        training_class__enrolments__trainee=trainee,
        training_class__enrolments__left_at=None,
    )
    return for_trainee.select_related("training_class").get(pk=assignment_id)


def work(assignments: Sequence[Assignment], trainees: Iterable[User], now: datetime) -> dict[int, list[SetWork]]:
    """By trainee id: the progress with each of these assignments, in their order. At most four queries."""
    return _work_of(assignments, [trainee.pk for trainee in trainees], now)


def _work_of(assignments: Sequence[Assignment], ids: Collection[int], now: datetime) -> dict[int, list[SetWork]]:
    set_versions: dict[UUID, list[int]] = {}
    links = Assignment.versions.through.objects.filter(assignment__in=assignments, version__in=practised())
    for assignment_id, version_id in links.order_by("pk").values_list("assignment_id", "version_id"):
        set_versions.setdefault(assignment_id, []).append(version_id)
    answered: dict[tuple[int, UUID], list[tuple[int | None, Kind]]] = {}
    # A story is done with its last moment.
    drills = Drill.objects.filter(assignment__in=assignments, trainee__in=ids, attempt__isnull=False)
    drills = drills.filter(moment=F("moments"))
    columns = ("trainee_id", "assignment_id", "version_id", "rulebook", "topic", "difficulty")
    for trainee_id, assignment_id, version_id, *kind in drills.values_list(*columns):
        answered.setdefault((trainee_id, assignment_id), []).append((version_id, Kind(*kind)))
    for_some = [item for item in assignments if item.for_some]
    some = Assignment.trainees.through.objects.filter(assignment__in=for_some, user__in=ids)
    chosen = set(some.values_list("user_id", "assignment_id")) if for_some else set()
    later = Extension.objects.filter(assignment__in=assignments, trainee__in=ids)
    own_dates = {(row.trainee_id, row.assignment_id): row.due_at for row in later}
    return {
        pk: [
            _work(
                item,
                set_versions.get(item.pk, []),
                answered.get((pk, item.pk), []),
                assigned=not item.for_some or (pk, item.pk) in chosen,
                due_at=own_dates.get((pk, item.pk), item.due_at),
                now=now,
            )
            for item in assignments
        ]
        for pk in ids
    }


def due_around(
    instructor: User, now: datetime, ahead: timedelta, behind: timedelta
) -> list[tuple[TrainingClass, dict[int, bool]]]:
    """The open classes of an instructor in which trainees have work left that is due around now.

    With each class, by trainee id, whether they are late. A fixed number of queries."""
    rooms = list(
        TrainingClass.objects.filter(instructors=instructor, closed_at=None).order_by(alphabetical("name"), "pk")
    )
    if not rooms:
        return []
    about_now = (now - behind, now + ahead)
    near = Q(due_at__range=about_now) | Q(extensions__due_at__range=about_now)
    assignments = list(Assignment.objects.filter(near, training_class__in=rooms).distinct())
    inside: dict[UUID, list[int]] = {}
    enrolled = Enrolment.objects.filter(training_class__in=rooms, left_at=None)
    for room_id, trainee_id in enrolled.values_list("training_class_id", "trainee_id"):
        inside.setdefault(room_id, []).append(trainee_id)
    progress = _work_of(assignments, {who for people in inside.values() for who in people}, now)
    found = []
    for room in rooms:
        left: dict[int, bool] = {}
        for who in inside.get(room.pk, []):
            own = [
                item
                for item in progress[who]
                if item.assignment.training_class_id == room.pk
                and item.left
                and about_now[0] <= item.due_at <= about_now[1]
            ]
            if own:
                left[who] = any(item.late for item in own)
        if left:
            found.append((room, left))
    return found


def _work(
    assignment: Assignment,
    versions: list[int],
    answered: list[tuple[int | None, Kind]],
    *,
    assigned: bool,
    due_at: datetime,
    now: datetime,
) -> SetWork:
    had = {version for version, _kind in answered if version}
    made = Counter(kind for version, kind in answered if not version)
    fresh_left: list[Kind] = []
    for row in assignment.fresh:
        kind = Kind(row["rulebook"], row["topic"], row["difficulty"])
        fresh_left += [kind] * max(0, row["count"] - made[kind])
    return SetWork(
        assignment=assignment,
        assigned=assigned,
        due_at=due_at,
        done=len(answered),
        versions_left=tuple(pk for pk in versions if pk not in had) if assigned else (),
        fresh_left=tuple(fresh_left) if assigned else (),
        overdue=due_at < now,
    )


def answers_to(assignment: Assignment) -> dict[int, list[Attempt]]:
    """By trainee id: the answers to an assignment, oldest first. One query."""
    found = Attempt.objects.filter(drill__assignment=assignment).select_related("drill", "mark")
    found = found.defer("answer", "drill__scenario_document", "mark__mark_document", "mark__ruling_document")
    answers: dict[int, list[Attempt]] = {}
    for attempt in found.order_by("submitted_at", "pk"):
        answers.setdefault(attempt.trainee_id, []).append(attempt)
    return answers


def taught_by(instructor: User) -> QuerySet[TrainingClass]:
    """The classes an instructor teaches, open ones first, with the number of trainees."""
    current = Count("enrolments", filter=Q(enrolments__left_at=None))
    found = TrainingClass.objects.filter(
        Exists(TrainingClass.instructors.through.objects.filter(trainingclass=OuterRef("pk"), user=instructor))
    )
    return found.annotate(trainees=current).order_by("closed_at", alphabetical("name"), "pk")


def class_of(instructor: User, class_id: UUID) -> TrainingClass:
    """A class that the instructor teaches. Raises TrainingClass.DoesNotExist for any other."""
    return TrainingClass.objects.get(pk=class_id, instructors=instructor)


def trainees_of(training_class: TrainingClass) -> QuerySet[User]:
    """The current trainees of the class, by name."""
    inside = Enrolment.objects.filter(training_class=training_class, left_at=None)
    return User.objects.filter(pk__in=inside.values("trainee")).order_by(alphabetical("name"), "pk")


def roster(training_class: TrainingClass) -> list[User]:
    """The current trainees of the class, sorted in Python because not every database puts Álvaro before Beatriz."""
    return sorted(trainees_of(training_class), key=lambda who: (sort_key(who.name), who.pk))


def trainee_of(training_class: TrainingClass, trainee_id: int) -> User:
    return trainees_of(training_class).get(pk=trainee_id)


def people(role: Role) -> QuerySet[User]:
    """Active people with a role, by name."""
    return User.objects.filter(is_active=True, role_grants__role=role).order_by(alphabetical("name"), "pk")


def found_people(words: str, role: Role) -> list[User]:
    """Active people with a role whose name or e-mail contains all the words, ignoring case and accents.

    Filtered in Python, because databases treat accents differently.
    """
    wanted = folded(words).split()
    matching = (who for who in people(role) if all(word in folded(f"{who.name} {who.email}") for word in wanted))
    return list(islice(matching, MOST_FOUND))


def published(rulebooks: Iterable[str], words: str, chosen: Iterable[int]) -> list[Version]:
    """Published scenarios of these rulebooks to assign: those already chosen, then those that match the words."""
    found = versions(Filters(states=[Version.State.PUBLISHED], text=words, reserved=False)).filter(
        rulebook__in=list(rulebooks)
    )
    found = found.defer("scenario_document", "ruling_document")
    kept = published_versions(chosen)
    return kept + [version for version in found[:MOST_FOUND] if version not in kept]


def published_versions(numbers: Iterable[int]) -> list[Version]:
    found = practised().filter(pk__in=list(numbers))
    return list(found.defer("scenario_document", "ruling_document").order_by("pk"))


def answers_of(trainee: User, *, rulebook: str = "", topic: str = "") -> QuerySet[Attempt]:
    """A trainee's answers, newest first, optionally of one rulebook or topic."""
    found = Attempt.objects.filter(trainee=trainee).select_related("drill", "mark").order_by("-submitted_at", "-pk")
    found = found.defer("answer", "drill__scenario_document", "mark__mark_document", "mark__ruling_document")
    if rulebook:
        found = found.filter(drill__rulebook=rulebook)
    return found.filter(drill__topic=topic) if topic else found


def answered_drill(trainee: User, drill_id: UUID) -> Drill:
    """An answered drill of a trainee with its mark. Raises Drill.DoesNotExist if it is not answered yet."""
    found = Drill.objects.select_related("attempt__mark", "version", "flag", "remark__author")
    return found.get(pk=drill_id, trainee=trainee, attempt__isnull=False)
