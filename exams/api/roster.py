"""API for the roster: who may deal on a date."""

from typing import Any

import msgspec
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from exams import clock
from exams.hr import roster
from rules_engine import RULEBOOKS
from training.api.base import ApiView
from training.people.access import allow
from training.people.models import Role


class RosterEntry(serializers.Serializer[Any]):
    rulebook = serializers.CharField()
    person = serializers.IntegerField()
    name = serializers.CharField()
    staff_number = serializers.CharField()
    department = serializers.CharField()
    shift = serializers.CharField()
    certificate = serializers.CharField()
    licence_number = serializers.CharField(help_text="Of the gaming authority's licence, as HR recorded it")
    licence_until = serializers.DateField(allow_null=True)
    until = serializers.DateField()
    lapses_soon = serializers.BooleanField(
        help_text=f"The certificate or the licence ends within {roster.LAPSING_DAYS} days of that date"
    )
    licence_over = serializers.BooleanField(help_text="The licence ended before that date")


class RosterOut(serializers.Serializer[Any]):
    on = serializers.DateField()
    entries = RosterEntry(many=True)


class RosterAsked(serializers.Serializer[Any]):
    on = serializers.DateField(required=False, help_text="Default: today", validators=[clock.verify_day])
    rulebook = serializers.ChoiceField(choices=list(RULEBOOKS), required=False)
    shift = serializers.CharField(required=False, max_length=40)


@allow(Role.HR)
class RosterView(ApiView):
    areas = ("roster",)
    refusals = ["invalid"]

    @extend_schema(parameters=[RosterAsked], responses=RosterOut)
    def get(self, request: Request) -> Response:
        """Who may deal which game on a date, by name. Certificates count from their first to their last day. Past dates
        use the decisions made by then, future dates those known now."""
        asked = self.asked(RosterAsked)
        on = asked.get("on") or clock.today()
        found = roster.entries(on, asked.get("rulebook", ""), asked.get("shift", ""))
        return Response({"on": on, "entries": [msgspec.structs.asdict(entry) for entry in found]})
