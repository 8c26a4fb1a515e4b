"""Creates and changes classes, enrols trainees, sets assignments and starts their drills."""

from collections.abc import Iterable, Sequence
from datetime import datetime

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

import rules_engine
from training.classes import selectors, teaching
from training.classes.models import Assignment, Enrolment, TrainingClass
from training.library.models import Version
from training.people.models import Role, User
from training.platform.errors import Refused
from training.practice import fresh, stories
from training.practice import services as practice
from training.practice.models import Drill

MOST_TRAINEES = 200
MOST_SET = 100  # scenarios in one assignment


class NothingLeft(Refused):
    """Every scenario of the assignment is answered."""

    code = "nothing_left"


@transaction.atomic
def make_class(
    instructor: User, *, name: str, daily_minutes: int, rulebooks: Sequence[str], tables: Sequence[str] = ()
) -> TrainingClass:
    """Make a class, taught by its maker."""
    _verify_rulebooks(rulebooks)
    made = TrainingClass.objects.create(
        name=name,
        daily_minutes=daily_minutes,
        rulebooks=list(rulebooks),
        tables=_of_books(tables, rulebooks),
        made_by=instructor,
    )
    made.instructors.add(instructor)
    return made


def change_class(
    training_class: TrainingClass,
    *,
    name: str,
    daily_minutes: int,
    rulebooks: Sequence[str],
    tables: Sequence[str] = (),
) -> TrainingClass:
    _verify_rulebooks(rulebooks)
    training_class.name = name
    training_class.daily_minutes = daily_minutes
    training_class.rulebooks = list(rulebooks)
    training_class.tables = _of_books(tables, rulebooks)
    training_class.save(update_fields=["name", "daily_minutes", "rulebooks", "tables"])
    return training_class


def _of_books(tables: Sequence[str], rulebooks: Sequence[str]) -> list[str]:
    """Those of the tables that belong to one of the rulebooks."""
    return [table for table in tables if table.partition("/")[0] in rulebooks]


def _verify_rulebooks(rulebooks: Sequence[str]) -> None:
    if not rulebooks:
        raise Refused(_("Choose at least one rulebook."))
    for book in rulebooks:
        if book not in rules_engine.RULEBOOKS:
            raise Refused(_("There is no rulebook “%(book)s”.") % {"book": book})


def close_class(training_class: TrainingClass, by: User) -> None:
    """Close a class: its assignments end, and its record stays."""
    TrainingClass.objects.filter(pk=training_class.pk, closed_at=None).update(closed_at=timezone.now(), closed_by=by)


def reopen_class(training_class: TrainingClass) -> None:
    TrainingClass.objects.filter(pk=training_class.pk).update(closed_at=None, closed_by=None)


@transaction.atomic
def add_instructor(training_class: TrainingClass, instructor: User) -> None:
    """Add an instructor, and record that they have taught everybody in the class."""
    # Lock out concurrent enrolments, which also record who teaches whom.
    TrainingClass.objects.select_for_update().get(pk=training_class.pk)
    if Role.INSTRUCTOR not in instructor.roles or not instructor.is_active:
        raise Refused(_("%(name)s is not an instructor.") % {"name": instructor.name})
    training_class.instructors.add(instructor)
    teaching.note([instructor.pk], selectors.trainees_of(training_class).values_list("pk", flat=True))


@transaction.atomic
def remove_instructor(training_class: TrainingClass, instructor: User) -> None:
    """Remove an instructor. Raises Refused for the last one."""
    TrainingClass.objects.select_for_update().get(pk=training_class.pk)
    if not training_class.instructors.exclude(pk=instructor.pk).exists():
        raise Refused(_("A class needs at least one instructor."))
    training_class.instructors.remove(instructor)


@transaction.atomic
def enrol(training_class: TrainingClass, trainees: Iterable[User], by: User) -> list[User]:
    """Enrol trainees in a class, all or none. Returns those who were not in it already."""
    _verify_open(TrainingClass.objects.select_for_update().get(pk=training_class.pk))
    known = {row.trainee_id: row for row in training_class.enrolments.all()}
    inside = {pk for pk, row in known.items() if row.left_at is None}
    new = [trainee for trainee in trainees if trainee.pk not in inside]
    if len(inside) + len(new) > MOST_TRAINEES:
        raise Refused(too_many())
    grants = User.objects.filter(pk__in=[trainee.pk for trainee in new], is_active=True, role_grants__role=Role.TRAINEE)
    fit = set(grants.values_list("pk", flat=True))
    for trainee in new:
        if trainee.pk not in fit:
            raise Refused(_("%(name)s is not a trainee.") % {"name": trainee.name})
        row = known.get(trainee.pk) or Enrolment(training_class=training_class, trainee=trainee)
        row.enrolled_by, row.enrolled_at, row.left_at, row.removed_by = by, timezone.now(), None, None
        row.save()
    teaching.note_joined(training_class, [trainee.pk for trainee in new])
    return new


def too_many() -> str:
    return _("A class can have at most %(limit)d trainees.") % {"limit": MOST_TRAINEES}


def remove(training_class: TrainingClass, trainee: User, by: User) -> None:
    """Remove a trainee from a class. Their answers stay."""
    inside = training_class.enrolments.filter(trainee=trainee, left_at=None)
    inside.update(left_at=timezone.now(), removed_by=by)


@transaction.atomic
def assign(
    training_class: TrainingClass,
    by: User,
    *,
    title: str,
    due_at: datetime,
    versions: Iterable[Version] = (),
    fresh: Iterable[tuple[selectors.Kind, int]] = (),
    only: Iterable[User] = (),
) -> Assignment:
    """Set work for a class, or `only` for some trainees: published scenarios, and kinds to generate with counts."""
    _verify_open(training_class)
    some = list(only)
    _verify_inside(training_class, some)
    chosen = list(versions)
    counts: dict[selectors.Kind, int] = {}
    for kind, count in fresh:
        counts[kind] = counts.get(kind, 0) + count
    _verify_set(chosen, counts)
    if due_at <= timezone.now():
        raise Refused(_("The date must be in the future."))
    made = Assignment.objects.create(
        training_class=training_class,
        title=title,
        due_at=due_at,
        set_by=by,
        for_some=bool(some),
        fresh=[
            {"rulebook": kind.rulebook, "topic": kind.topic, "difficulty": kind.difficulty, "count": count}
            for kind, count in counts.items()
        ],
    )
    made.versions.set(chosen)
    made.trainees.set(some)
    set_for = [who.pk for who in some] or selectors.trainees_of(training_class).values_list("pk", flat=True)
    teaching.note([by.pk], set_for)
    return made


@transaction.atomic
def change_scenarios(assignment: Assignment, versions: Iterable[Version]) -> None:
    """Replace the published scenarios of an assignment. Answers already given stay."""
    _verify_open(assignment.training_class)
    chosen = list(versions)
    fresh = {
        selectors.Kind(kind["rulebook"], kind["topic"], kind["difficulty"]): kind["count"] for kind in assignment.fresh
    }
    _verify_set(chosen, fresh)
    assignment.versions.set(chosen)


def _verify_inside(training_class: TrainingClass, people: Iterable[User]) -> None:
    inside = set(selectors.trainees_of(training_class).values_list("pk", flat=True))
    for person in people:
        if person.pk not in inside:
            raise Refused(_("%(name)s is not in this class.") % {"name": person.name})


@transaction.atomic
def extend(assignment: Assignment, by: User, *, due_at: datetime, only: Iterable[User] | None = None) -> None:
    """Change the due date for everybody or, with `only`, for some trainees."""
    if due_at <= timezone.now():
        raise Refused(_("The date must be in the future."))
    _verify_open(assignment.training_class)
    if only is None:
        Assignment.objects.filter(pk=assignment.pk).update(due_at=due_at)
        # Longer extensions stay.
        assignment.extensions.filter(due_at__lte=due_at).delete()
        return
    some = list(only)
    if not some:
        raise Refused(_("Choose at least one trainee."))
    _verify_inside(assignment.training_class, some)
    for trainee in some:
        assignment.extensions.update_or_create(trainee=trainee, defaults={"due_at": due_at, "given_by": by})


def _verify_set(versions: list[Version], fresh: dict[selectors.Kind, int]) -> None:
    total = len(versions) + sum(fresh.values())
    if not total:
        raise Refused(_("Choose at least one scenario."))
    if total > MOST_SET:
        raise Refused(_("One assignment can have at most %(limit)d scenarios.") % {"limit": MOST_SET})
    if any(version.state != Version.State.PUBLISHED for version in versions):
        raise Refused(_("Only published scenarios can be set."))
    if any(version.reserved for version in versions):
        raise Refused(_("What is reserved for exams cannot be set as work."))
    for kind in fresh:
        if kind.rulebook not in rules_engine.RULEBOOKS or kind.topic not in rules_engine.topics(kind.rulebook):
            raise Refused(_("There is no topic “%(topic)s”.") % {"topic": f"{kind.rulebook}/{kind.topic}"})


def _verify_open(training_class: TrainingClass) -> None:
    if training_class.closed_at:
        raise Refused(_("The class is closed."))


def withdraw(assignment: Assignment) -> None:
    """Delete an assignment. Answers stay in the trainees' history."""
    assignment.delete()


@transaction.atomic
def next_assigned(trainee: User, assignment: Assignment) -> Drill:
    """The next drill of an assignment. One left open comes first, so that nobody skips to an easier one.

    Raises NothingLeft if all are done, and Refused if the rest is kept for an exam."""
    # Two concurrent requests must not create two drills.
    User.objects.select_for_update().get(pk=trainee.pk)
    [work] = selectors.work([assignment], [trainee], timezone.now())[trainee.pk]
    if not work.left:
        raise NothingLeft(_("All of “%(title)s” is done.") % {"title": assignment.title})
    if left_open := _left_open(trainee, work):
        return left_open
    own = Drill.objects.filter(trainee=trainee, assignment=assignment)
    if further := stories.further(own):
        return further
    if version := _next_version(work, begun=set(stories.in_the_middle(own).values_list("version_id", flat=True))):
        return practice.put_drill(
            trainee, version.scenario, mode=Drill.Mode.ASSIGNED, version=version, assignment_id=assignment.pk
        )
    if not work.fresh_left:
        raise Refused(_("What is left is being used in an exam that is not over yet. Come back after it."))
    kind = work.fresh_left[0]
    return practice.start_drill(
        trainee,
        rulebook=kind.rulebook,
        topic=kind.topic,
        difficulty=kind.difficulty,
        mode=Drill.Mode.ASSIGNED,
        assignment_id=assignment.pk,
    )


def _next_version(work: selectors.SetWork, *, begun: set[int | None]) -> Version | None:
    """The next assigned version that is not kept out of practice now and not a story already begun."""
    found = (Version.objects.get(pk=pk) for pk in work.versions_left if pk not in begun)
    return next((version for version in found if not fresh.is_kept_out_of(version)), None)


def _left_open(trainee: User, work: selectors.SetWork) -> Drill | None:
    """The drill left unanswered, unless its version was withdrawn or the engine has changed since."""
    opened = Drill.objects.filter(trainee=trainee, assignment=work.assignment, attempt=None).order_by("-created_at")
    for drill in opened:
        if drill.version_id in work.versions_left if drill.version_id else drill.is_current:
            return drill
    return None
