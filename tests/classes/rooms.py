"""Classes for tests, made by the services."""

from datetime import timedelta
from typing import Any

from django.utils import timezone

from tests.factories import PersonFactory
from tests.practice.drills import RULEBOOK, TOPIC
from training.classes import services
from training.classes.models import Assignment, TrainingClass
from training.classes.selectors import Kind
from training.people.models import Role, User
from training.practice import services as practice
from training.practice.models import Drill

KIND = Kind(RULEBOOK, TOPIC, 2)


def instructor(**fields: Any) -> User:
    return PersonFactory(roles=[Role.INSTRUCTOR], **fields)


def make_class(by: User | None = None, *trainees: User, **changes: Any) -> TrainingClass:
    teacher = by or instructor()
    usual: dict[str, Any] = {"name": "Turma A", "daily_minutes": 15, "rulebooks": [RULEBOOK]}
    made = services.make_class(teacher, **usual | changes)
    services.enrol(made, trainees, teacher)
    return made


def set_work(training_class: TrainingClass, **changes: Any) -> Assignment:
    due = timezone.now() + timedelta(days=3)
    usual: dict[str, Any] = {"title": "Terceira carta", "due_at": due, "fresh": [(KIND, 2)]}
    return services.assign(training_class, training_class.instructors.get(), **usual | changes)


def answer(drill: Drill, **parts: str) -> None:
    """Submit without sending anything to a queue: the answer is what counts here."""
    from rules_engine import answer_from

    practice.submit_answer(drill, answer_from({"parts": parts}))
