"""API for certificates: one's own or, for HR, everybody's, and HR's acts on them."""

from collections.abc import Callable
from datetime import date
from typing import Any
from uuid import UUID

from django.db.models import QuerySet
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from exams import clock
from exams.certificates import services
from exams.certificates.lifecycle import Standing, standing
from exams.certificates.models import Act, Certificate
from exams.certificates.printing import parts
from exams.hr import selectors
from exams.hr.selectors import ALL, Filters
from rules_engine import RULEBOOKS
from training.api.base import ApiView
from training.people.access import allow
from training.people.models import Role, User

ACTS: dict[str, Callable[..., Certificate]] = {
    "suspend": services.suspend,
    "reinstate": services.reinstate,
    "reduce": services.reduce,
    "extend": services.extend,
    "withdraw": services.withdraw,
}
WITH_SCOPE = ("reduce", "extend")
STANDINGS = [*Standing.values, selectors.LAPSED]


class HolderOut(serializers.Serializer[Any]):
    id = serializers.IntegerField()
    name = serializers.CharField()
    staff_number = serializers.SerializerMethodField()

    def get_staff_number(self, person: User) -> str:
        record = getattr(person, "staff_record", None)
        return record.staff_number if record else ""


class CertificateRow(serializers.Serializer[Any]):
    id = serializers.UUIDField()
    number = serializers.CharField()
    holder = HolderOut()
    programme = serializers.CharField(source="programme_version.programme.code")
    scope = serializers.ListField(child=serializers.CharField(), help_text="Rulebooks it entitles to deal")
    standing = serializers.SerializerMethodField(help_text="What it is worth today")
    granted_at = serializers.DateTimeField()
    valid_from = serializers.DateField()
    valid_until = serializers.DateField(help_text="The last day it is valid")
    theory_on = serializers.SerializerMethodField(help_text="Day of the theory, if there was a practical exam too")
    practice_on = serializers.SerializerMethodField(help_text="Day of the practical exam, if there was one")

    def get_theory_on(self, certificate: Certificate) -> date | None:
        days = parts(certificate.printed)
        return days.theory if days else None

    def get_practice_on(self, certificate: Certificate) -> date | None:
        days = parts(certificate.printed)
        return days.practice if days else None

    @extend_schema_field(serializers.ChoiceField(choices=Standing.values))
    def get_standing(self, certificate: Certificate) -> str:
        return str(standing(certificate, clock.today()))


class CertificateActOut(serializers.Serializer[Any]):
    kind = serializers.ChoiceField(choices=Act.Kind.choices)
    reason = serializers.CharField()
    at = serializers.DateTimeField()
    scope = serializers.ListField(child=serializers.CharField(), source="scope_after")


class CertificateOut(CertificateRow):
    acts = serializers.SerializerMethodField(help_text="Acts you may perform now")
    history = serializers.SerializerMethodField()

    def get_acts(self, certificate: Certificate) -> list[str]:
        return services.allowed_acts(certificate, self.context["person"])

    @extend_schema_field(CertificateActOut(many=True))
    def get_history(self, certificate: Certificate) -> list[dict[str, Any]]:
        return list(CertificateActOut(certificate.acts.order_by("number"), many=True).data)


class CertificatesAsked(serializers.Serializer[Any]):
    q = serializers.CharField(required=False, max_length=100, help_text="Words of the name, email or number")
    rulebook = serializers.ChoiceField(choices=list(RULEBOOKS), required=False)
    standing = serializers.ChoiceField(choices=STANDINGS, required=False)
    within = serializers.IntegerField(
        required=False, min_value=0, max_value=3660, help_text="Valid certificates that end within this many days"
    )
    department = serializers.CharField(required=False, max_length=80)
    staff = serializers.ChoiceField(choices=["left", "all"], required=False, help_text="Default: current staff")
    sort = serializers.ChoiceField(choices=list(selectors.SORTS), required=False)


class CertificateActIn(serializers.Serializer[Any]):
    act = serializers.ChoiceField(choices=list(ACTS))
    reason = serializers.CharField(max_length=services.MAX_REASON)
    scope = serializers.ListField(
        child=serializers.CharField(max_length=64),
        required=False,
        help_text="Only for `reduce` and `extend`: the complete new scope",
    )

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        wanted = attrs["act"] in WITH_SCOPE
        if wanted != ("scope" in attrs):
            message = _("Required for this action.") if wanted else _("Not accepted for this action.")
            raise serializers.ValidationError({"scope": [message]})
        return attrs


def seen_by(person: User, filters: Filters) -> QuerySet[Certificate]:
    """HR sees all certificates, everybody else their own."""
    if Role.HR in person.roles:
        return selectors.certificates(filters)
    return selectors.certificates(Filters(sort=filters.sort, staff=ALL)).filter(holder=person)


def one_of(person: User, certificate_id: UUID) -> Certificate:
    return get_object_or_404(seen_by(person, Filters(staff=ALL)), pk=certificate_id)


@allow(Role.HR, Role.TRAINEE)
class CertificatesView(ApiView):
    areas = ("certificates",)
    refusals = ["invalid"]

    @extend_schema(parameters=[CertificatesAsked], responses=CertificateRow(many=True))
    def get(self, request: Request) -> Response:
        """Certificates by the HR desk's filters. Others get their own, unfiltered."""
        found = seen_by(self.person, Filters(**self.asked(CertificatesAsked)))
        return self.listed(found, lambda page: CertificateRow(page, many=True).data)


@allow(Role.HR, Role.TRAINEE)
class CertificateView(ApiView):
    areas = ("certificates",)

    @extend_schema(responses=CertificateOut)
    def get(self, request: Request, certificate_id: UUID) -> Response:
        """One certificate with its full history."""
        return Response(write(one_of(self.person, certificate_id), self.person))


@allow(Role.HR)
class CertificateActsView(ApiView):
    areas = ("certificates",)
    refusals = ["refused"]

    @extend_schema(request=CertificateActIn, responses=CertificateOut)
    def post(self, request: Request, certificate_id: UUID) -> Response:
        """Suspend, reinstate, reduce, extend or withdraw a certificate. The reason is kept."""
        certificate, sent = one_of(self.person, certificate_id), self.sent(CertificateActIn)
        ACTS[sent.pop("act")](certificate=certificate, actor=self.person, **sent)
        return Response(write(one_of(self.person, certificate_id), self.person))


def write(certificate: Certificate, person: User) -> dict[str, Any]:
    return dict(CertificateOut(certificate, context={"person": person}).data)
