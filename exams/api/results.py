"""API for the user's own released exam results."""

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from exams.results.selectors import own_results
from training.api.base import ApiView
from training.people.access import allow
from training.people.models import Role


class ResultOut(serializers.Serializer[Any]):
    id = serializers.UUIDField()
    programme = serializers.CharField(source="programme_version.programme.code")
    session = serializers.CharField(source="sitting.candidate.session.title")
    sat_at = serializers.DateTimeField(source="sitting.started_at")
    score = serializers.DecimalField(max_digits=7, decimal_places=4, help_text="Percent, rounded down")
    passed = serializers.BooleanField()
    released_at = serializers.DateTimeField()


@allow(Role.TRAINEE)
class ResultsView(ApiView):
    areas = ("exams",)

    @extend_schema(responses=ResultOut(many=True))
    def get(self, request: Request) -> Response:
        """The latest released result of each of the user's exams, newest first."""
        return self.listed(own_results(self.person), lambda page: ResultOut(page, many=True).data)
