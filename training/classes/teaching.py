"""The record of who has taught whom: written when people join a class or work is set, never deleted."""

from collections import defaultdict
from collections.abc import Iterable

from django.utils import timezone

from training.classes.models import Taught, TrainingClass


def note(teachers: Iterable[int | None], trainees: Iterable[int]) -> None:
    """Record that each teacher has taught each trainee. Nobody teaches themselves."""
    now, pupils = timezone.now(), set(trainees)
    pairs = [(pupil, teacher) for teacher in set(teachers) if teacher is not None for pupil in pupils - {teacher}]
    Taught.objects.bulk_create(
        [Taught(trainee_id=pupil, teacher_id=teacher, since=now) for pupil, teacher in pairs], ignore_conflicts=True
    )


def note_joined(training_class: TrainingClass, trainees: Iterable[int]) -> None:
    """Record who teaches trainees who joined a class: its maker, its instructors, and those who set work still open."""
    set_work = training_class.assignments.filter(for_some=False, due_at__gt=timezone.now())
    teachers = {
        training_class.made_by_id,
        *training_class.instructors.values_list("pk", flat=True),
        *set_work.values_list("set_by_id", flat=True),
    }
    note(teachers, trainees)


def teachers_of(trainees: Iterable[int]) -> defaultdict[int, set[int]]:
    """By trainee: everybody who has ever taught them."""
    found: defaultdict[int, set[int]] = defaultdict(set)
    for trainee, teacher in Taught.objects.filter(trainee__in=trainees).values_list("trainee_id", "teacher_id"):
        found[trainee].add(teacher)
    return found
