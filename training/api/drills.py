"""A trainee's practice: start a scenario, answer it, read the mark."""

from typing import Any
from uuid import UUID

from django.db.models import QuerySet
from django.http import Http404
from django.utils import timezone
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

import rules_engine
from rules_engine.errors import EngineError
from rules_engine.narration import refusal, refused
from training.api.base import ApiView
from training.api.drill_shapes import DrillOut, DrillRow, FlagOut, RuleOut, write_drill, write_line, write_rule
from training.api.problems import Problem, invalid
from training.classes import selectors as classes
from training.classes import services as class_services
from training.classes.models import Assignment
from training.mastery import selectors as mastery
from training.people.access import allow
from training.people.models import Role, User
from training.people.request import about, language
from training.practice import flags, next_drill, second_try, selectors, services, stories
from training.practice.models import Drill
from training.practice.study import study_of

# Mock exams and placement tests are several drills in a row, which only the pages lead through.
ONLY_ON_PAGES = (Drill.Mode.MOCK, Drill.Mode.PLACEMENT)


class StartIn(serializers.Serializer[Any]):
    """free needs rulebook and topic, and takes a difficulty; assigned needs assignment; others need nothing else."""

    mode = serializers.ChoiceField(choices=[choice for choice in Drill.Mode.choices if choice[0] not in ONLY_ON_PAGES])
    rulebook = serializers.ChoiceField(choices=list(rules_engine.RULEBOOKS), required=False)
    topic = serializers.CharField(required=False)
    difficulty = serializers.IntegerField(min_value=1, max_value=5, default=2)
    assignment = serializers.UUIDField(required=False)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        needed = {Drill.Mode.FREE: ("rulebook", "topic"), Drill.Mode.ASSIGNED: ("assignment",)}
        missing = [name for name in needed.get(attrs["mode"], ()) if name not in attrs]
        if missing:
            raise serializers.ValidationError({name: [_("Required in this mode.")] for name in missing})
        if attrs["mode"] == Drill.Mode.FREE and attrs["topic"] not in rules_engine.topics(attrs["rulebook"]):
            known = ", ".join(rules_engine.topics(attrs["rulebook"]))
            raise serializers.ValidationError({"topic": [_("must be one of: %(known)s") % {"known": known}]})
        return attrs


class AnswerIn(serializers.Serializer[Any]):
    """Missing or empty parts count as not answered. `picked_words`: the words were picked from a list, not typed.

    `hold`: if something is wrong, withhold the solution until it is requested or the missed parts are tried again.
    """

    answer = serializers.DictField(child=serializers.JSONField(), help_text="By question key")
    picked_words = serializers.BooleanField(default=False)
    hold = serializers.BooleanField(default=False)


class AgainIn(serializers.Serializer[Any]):
    """New answers to the missed questions; right answers of the first try stay."""

    answer = serializers.DictField(child=serializers.JSONField(), help_text="By question key")


class FlagIn(serializers.Serializer[Any]):
    text = serializers.CharField(max_length=flags.LONGEST)


class RulesAsked(serializers.Serializer[Any]):
    rulebook = serializers.ChoiceField(choices=list(rules_engine.RULEBOOKS), required=False)


class DrillsAsked(serializers.Serializer[Any]):
    rulebook = serializers.ChoiceField(choices=list(rules_engine.RULEBOOKS), required=False)
    topic = serializers.CharField(required=False)


def drills_of(trainee: User, asked: dict[str, Any]) -> QuerySet[Drill]:
    """A trainee's drills, the newest first, without the large columns that a list does not show."""
    documents = (
        *("scenario_document", "attempt__answer"),
        *("attempt__mark__mark_document", "attempt__mark__ruling_document"),
    )
    found = Drill.objects.filter(trainee=trainee, **asked).select_related("attempt__mark")
    return found.defer(*documents).order_by("-created_at", "-pk")


@allow(Role.TRAINEE)
class DrillsView(ApiView):
    areas = ("practice",)
    refusals = ["refused", "nothing_left"]

    @extend_schema(parameters=[DrillsAsked], responses=DrillRow(many=True))
    def get(self, request: Request) -> Response:
        """List your scenarios, open and answered, the newest first."""
        return self.listed(drills_of(self.person, self.asked(DrillsAsked)), lambda page: map(write_line, page))

    @extend_schema(request=StartIn, responses={201: DrillOut})
    def post(self, request: Request) -> Response:
        """Start a scenario. In scheduled or assigned mode an open one is returned again."""
        drill = self._started(self.sent(StartIn))
        about(request, drill.rulebook)
        return Response(write_drill(selectors.drill_of(self.person, drill.pk)), status=201)

    def _started(self, wanted: dict[str, Any]) -> Drill:
        trainee, mode = self.person, wanted["mode"]
        if mode == Drill.Mode.SCHEDULED:
            return next_drill.start_what_matters(trainee, study_of(trainee), timezone.now())
        if mode == Drill.Mode.ASSIGNED:
            return self._assigned(wanted["assignment"])
        if mode == Drill.Mode.REPLAY:
            again = next_drill.start_replay(trainee)
            if again is None:
                raise Problem("nothing_left", _("There are no mistakes left to go over."))
            return again
        return next_drill.start_free(
            trainee, rulebook=wanted["rulebook"], topic=wanted["topic"], difficulty=wanted["difficulty"]
        )

    def _assigned(self, assignment_id: UUID) -> Drill:
        try:
            return class_services.next_assigned(self.person, classes.assignment_for(self.person, assignment_id))
        except Assignment.DoesNotExist:
            raise invalid({"assignment": [_("You have not been set this work.")]}) from None


class OwnDrillView(ApiView):
    areas = ("practice",)

    def own(self, drill_id: UUID) -> Drill:
        try:
            found = selectors.drill_of(self.person, drill_id)
        except Drill.DoesNotExist:
            raise Http404 from None
        about(self.request, found.rulebook)
        return found


@allow(Role.TRAINEE)
class DrillView(OwnDrillView):
    @extend_schema(responses=DrillOut)
    def get(self, request: Request, drill_id: UUID) -> Response:
        """Get a scenario: facts and questions and, once graded, the mark with the reasoning."""
        return Response(write_drill(self.own(drill_id)))


@allow(Role.TRAINEE)
class AnswerView(OwnDrillView):
    refusals = ["already_answered", "bad_answer"]

    @extend_schema(request=AnswerIn, responses={202: DrillRow})
    def post(self, request: Request, drill_id: UUID) -> Response:
        """Answer a scenario; it is graded soon after. Repeating the answer has no effect, another one is refused."""
        drill, sent = self.own(drill_id), self.sent(AnswerIn)
        try:
            answer = rules_engine.answer_from({"parts": sent["answer"]})
            hold = sent["hold"] and second_try.may_hold(drill, sent["answer"])
            drill.attempt = services.submit_answer(drill, answer, picked_words=sent["picked_words"], hold=hold)
        except EngineError as error:
            raise _bad_answer(error) from None
        return Response(write_line(drill), status=202)


def _bad_answer(error: EngineError) -> Problem:
    return Problem("bad_answer", refusal(error, language()), {error.fact: [refused(error, language())]})


@allow(Role.TRAINEE)
class SecondTryView(OwnDrillView):
    refusals = ["already_answered", "nothing_to_try", "bad_answer"]

    @extend_schema(request=AgainIn, responses=DrillOut)
    def post(self, request: Request, drill_id: UUID) -> Response:
        """Try the missed questions again while the solution is held. It does not count; the solution follows."""
        drill, sent = self.own(drill_id), self.sent(AgainIn)
        try:
            second_try.try_again(drill, sent["answer"])
        except EngineError as error:
            raise _bad_answer(error) from None
        return Response(write_drill(self.own(drill_id)))


@allow(Role.TRAINEE)
class SolutionView(OwnDrillView):
    @extend_schema(request=None, responses=DrillOut)
    def post(self, request: Request, drill_id: UUID) -> Response:
        """Show a held solution without another try."""
        drill = self.own(drill_id)
        if hasattr(drill, "attempt"):
            second_try.show_solution(drill.attempt)
        return Response(write_drill(drill))


@allow(Role.TRAINEE)
class NextMomentView(OwnDrillView):
    refusals = ["refused"]

    @extend_schema(request=None, responses={201: DrillOut})
    def post(self, request: Request, drill_id: UUID) -> Response:
        """Start the next moment of a story, once the ruling of this one is shown. Idempotent."""
        put = stories.go_on(self.own(drill_id))
        return Response(write_drill(self.own(put.pk)), status=201)


@allow(Role.TRAINEE)
class FlagView(OwnDrillView):
    refusals = ["already_flagged", "refused"]

    @extend_schema(request=FlagIn, responses={201: FlagOut})
    def post(self, request: Request, drill_id: UUID) -> Response:
        """Report a problem with a scenario after its mark."""
        drill, sent = self.own(drill_id), self.sent(FlagIn)
        return Response(FlagOut(flags.raise_flag(drill, sent["text"])).data, status=201)


@allow(Role.TRAINEE)
class MasteryView(ApiView):
    areas = ("practice",)

    @extend_schema(parameters=[RulesAsked], responses=RuleOut(many=True))
    def get(self, request: Request) -> Response:
        """List every rule of the rulebooks you study, in teaching order, with how well you know it."""
        asked = self.asked(RulesAsked).get("rulebook")
        books = [asked] if asked else study_of(self.person).rulebooks
        return self.listed(mastery.rules(self.person, books, timezone.now()), lambda page: map(write_rule, page))
