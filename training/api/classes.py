"""Classes for their instructors: trainees, progress and assignments."""

import csv
import io
from typing import Any
from uuid import UUID

from django.http import Http404
from django.utils import timezone
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from rules_engine import RULEBOOKS
from training.api.base import ApiView
from training.api.problems import invalid
from training.classes import enrolment, selectors, services
from training.classes.grid import Progress, cells, progress
from training.classes.models import Assignment, TrainingClass
from training.people.access import allow
from training.people.models import Role
from training.platform.errors import UnfitList


class ClassOut(serializers.Serializer[Any]):
    id = serializers.UUIDField()
    name = serializers.CharField()
    daily_minutes = serializers.IntegerField()
    rulebooks = serializers.ListField(child=serializers.CharField())
    created_at = serializers.DateTimeField()
    closed_at = serializers.DateTimeField(allow_null=True)


class PersonOut(serializers.Serializer[Any]):
    id = serializers.IntegerField()
    name = serializers.CharField()
    email = serializers.EmailField()


class CellOut(serializers.Serializer[Any]):
    topic = serializers.CharField()
    answers = serializers.IntegerField()
    share = serializers.FloatField(allow_null=True, help_text="Share of the points, from 0 to 1")
    last_at = serializers.DateTimeField(allow_null=True)


class GridRow(serializers.Serializer[Any]):
    trainee = PersonOut()
    answers = serializers.IntegerField(help_text="In the last two weeks")
    share = serializers.FloatField(allow_null=True)
    last_at = serializers.DateTimeField(allow_null=True)
    idle_days = serializers.IntegerField()
    late = serializers.IntegerField(help_text="Overdue assignments")
    topics_held = serializers.IntegerField()
    topics = serializers.IntegerField()
    stuck = serializers.BooleanField()
    ready = serializers.BooleanField()
    cells = CellOut(many=True)


class GridAsked(serializers.Serializer[Any]):
    rulebook = serializers.ChoiceField(choices=list(RULEBOOKS), required=False)


class PersonIn(serializers.Serializer[Any]):
    email = serializers.CharField(max_length=254)
    name = serializers.CharField(max_length=120, default="", allow_blank=True)


class EnrolIn(serializers.Serializer[Any]):
    """Enrols all people or none. With `enter_unknown`, unknown people are added and invited by mail."""

    people = PersonIn(many=True, allow_empty=False)
    enter_unknown = serializers.BooleanField(default=False)
    dry_run = serializers.BooleanField(default=False)


class EnrolOut(serializers.Serializer[Any]):
    enrolled = serializers.ListField(child=serializers.EmailField())
    already = serializers.ListField(child=serializers.EmailField())
    entered = serializers.ListField(child=serializers.EmailField())


class FreshIn(serializers.Serializer[Any]):
    rulebook = serializers.ChoiceField(choices=list(RULEBOOKS))
    topic = serializers.CharField()
    difficulty = serializers.IntegerField(min_value=1, max_value=5, default=2)
    count = serializers.IntegerField(min_value=1, max_value=services.MOST_SET)


class AssignmentIn(serializers.Serializer[Any]):
    title = serializers.CharField(max_length=120)
    due_at = serializers.DateTimeField()
    versions = serializers.ListField(
        child=serializers.IntegerField(min_value=1), default=list, help_text="Ids of published scenarios"
    )
    fresh = FreshIn(many=True, default=list)


class AssignmentOut(serializers.Serializer[Any]):
    id = serializers.UUIDField()
    title = serializers.CharField()
    due_at = serializers.DateTimeField()
    fresh = FreshIn(many=True)
    trainees = serializers.IntegerField()
    finished = serializers.IntegerField(help_text="Trainees who have finished")
    late = serializers.IntegerField(help_text="Trainees who are overdue")


class SetWorkOut(serializers.Serializer[Any]):
    id = serializers.UUIDField()
    title = serializers.CharField()
    due_at = serializers.DateTimeField()
    done = serializers.IntegerField()
    left = serializers.IntegerField()
    late = serializers.BooleanField()


class TaughtView(ApiView):
    areas = ("teaching",)

    def room(self, class_id: UUID) -> TrainingClass:
        try:
            return selectors.class_of(self.person, class_id)
        except TrainingClass.DoesNotExist:
            raise Http404 from None


@allow(Role.INSTRUCTOR)
class ClassesView(ApiView):
    areas = ("teaching",)

    @extend_schema(responses=ClassOut(many=True))
    def get(self, request: Request) -> Response:
        """List the classes you teach, open ones first."""
        return self.listed(selectors.taught_by(self.person), lambda page: ClassOut(page, many=True).data)


@allow(Role.INSTRUCTOR)
class ClassView(TaughtView):
    @extend_schema(responses=ClassOut)
    def get(self, request: Request, class_id: UUID) -> Response:
        """Get a class."""
        return Response(ClassOut(self.room(class_id)).data)


@allow(Role.INSTRUCTOR)
class GridView(TaughtView):
    @extend_schema(parameters=[GridAsked], responses=GridRow(many=True))
    def get(self, request: Request, class_id: UUID) -> Response:
        """List every trainee with their results by topic in one rulebook, and who is stuck or ready."""
        room, asked = self.room(class_id), self.asked(GridAsked).get("rulebook")
        if asked and asked not in room.books:
            raise invalid({"rulebook": [_("This class does not study it.")]})
        book = asked or next(iter(room.books), None)

        def write(page: list[Any]) -> list[dict[str, Any]]:
            lines = cells(page, book) if book else {}
            return [_line(standing, lines) for standing in progress(room, page, timezone.now())]

        return self.listed(selectors.trainees_of(room), write)


def _line(standing: Progress, lines: dict[int, Any]) -> dict[str, Any]:
    names = ("answers", "share", "last_at", "idle_days", "late", "topics_held", "topics", "stuck", "ready")
    return {
        "trainee": PersonOut(standing.trainee).data,
        **{name: getattr(standing, name) for name in names},
        "cells": CellOut(lines.get(standing.trainee.pk, []), many=True).data,
    }


@allow(Role.INSTRUCTOR)
class EnrolmentsView(TaughtView):
    refusals = ["refused"]

    @extend_schema(responses=PersonOut(many=True))
    def get(self, request: Request, class_id: UUID) -> Response:
        """List the trainees of the class."""
        return self.listed(selectors.trainees_of(self.room(class_id)), lambda page: PersonOut(page, many=True).data)

    @extend_schema(request=EnrolIn, responses=EnrolOut)
    def post(self, request: Request, class_id: UUID) -> Response:
        """Enrol people by e-mail address, all or none."""
        room, sent = self.room(class_id), self.sent(EnrolIn)
        listed, unknown = _as_list(sent["people"]), sent["enter_unknown"]
        try:
            if sent["dry_run"]:
                plan = enrolment.plan(room, listed, enter_unknown=unknown)
            else:
                plan, _entered = enrolment.enrol_list(room, listed, self.person, enter_unknown=unknown)
        except UnfitList as error:
            raise invalid(_fields(error)) from None
        return Response(
            {
                "enrolled": [person.email for person in plan.enrol],
                "already": [person.email for person in plan.already],
                "entered": [row.email for row in plan.enter],
            }
        )


def _as_list(people: list[dict[str, str]]) -> str:
    """The people as a CSV, so that they are checked like an uploaded list."""
    lines = io.StringIO()
    writer = csv.writer(lines)
    writer.writerow(["email", "name"])
    writer.writerows([" ".join(row["email"].split()), " ".join(row["name"].split())] for row in people)
    return lines.getvalue()


def _fields(error: UnfitList) -> dict[str, list[str]]:
    """The errors by field. Rows of a CSV count from 1 with the titles; people in the body count from 0."""
    found: dict[str, list[str]] = {}
    for row in error.errors:
        place = f"people.{row.row - 2}.{row.field}" if row.row > 1 else "people"
        found.setdefault(place, []).append(row.reason)
    return found


@allow(Role.INSTRUCTOR)
class AssignmentsView(TaughtView):
    refusals = ["refused"]

    @extend_schema(responses=AssignmentOut(many=True))
    def get(self, request: Request, class_id: UUID) -> Response:
        """List the assignments of the class with their progress, the latest due date first."""
        room = self.room(class_id)
        return self.listed(room.assignments.order_by("-due_at", "pk"), lambda page: _with_progress(room, page))

    @extend_schema(request=AssignmentIn, responses={201: AssignmentOut})
    def post(self, request: Request, class_id: UUID) -> Response:
        """Create an assignment of published scenarios and a number of generated ones."""
        room, sent = self.room(class_id), self.sent(AssignmentIn)
        wanted = set(sent["versions"])
        chosen = selectors.published_versions(wanted)
        if missing := wanted - {version.pk for version in chosen}:
            numbers = ", ".join(map(str, sorted(missing)))
            raise invalid({"versions": [_("Not published: %(numbers)s") % {"numbers": numbers}]})
        fresh = [
            (selectors.Kind(row["rulebook"], row["topic"], row["difficulty"]), row["count"]) for row in sent["fresh"]
        ]
        made = services.assign(
            room, self.person, title=sent["title"], due_at=sent["due_at"], versions=chosen, fresh=fresh
        )
        return Response(_with_progress(room, [made])[0], status=201)


def _with_progress(room: TrainingClass, assignments: list[Assignment]) -> list[dict[str, Any]]:
    progress = selectors.work(assignments, selectors.trainees_of(room), timezone.now())
    lines = []
    for place, assignment in enumerate(assignments):
        each = [works[place] for works in progress.values() if works[place].assigned]
        lines.append(
            {
                "id": assignment.pk,
                "title": assignment.title,
                "due_at": assignment.due_at,
                "fresh": assignment.fresh,
                "trainees": len(each),
                "finished": sum(not item.left for item in each),
                "late": sum(item.late for item in each),
            }
        )
    return lines


@allow(Role.TRAINEE)
class SetWorkView(ApiView):
    areas = ("practice",)

    @extend_schema(responses=SetWorkOut(many=True))
    def get(self, request: Request) -> Response:
        """List your assignments, the nearest due date first. Start one with the mode `assigned`."""
        found = selectors.assignments_of(self.person, timezone.now())
        return self.listed(found, lambda page: map(_set_work, page))


def _set_work(work: selectors.SetWork) -> dict[str, Any]:
    return {
        "id": work.assignment.pk,
        "title": work.assignment.title,
        "due_at": work.due_at,
        "done": work.done,
        "left": work.left,
        "late": work.late,
    }
