"""The rules engine and item figures, for instructors."""

import secrets
from typing import Any

from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

import rules_engine
from rules_engine import RULEBOOKS, Rulebook, Ruling, Scenario, UnfitTable
from rules_engine.errors import EngineError, ImpossibleFacts, NotRegulated
from rules_engine.narration import refusal, refused
from rules_engine.topics import cases
from training.api.base import ApiView
from training.api.problems import Problem, invalid
from training.desk.views import SORTS
from training.figures import selectors as figures
from training.house.readings import as_practised
from training.library import generated, guarded_cases, presentation
from training.people.access import allow
from training.people.models import Role
from training.people.request import about, language
from training.platform.engine_json import as_stored


class DecidedOut(serializers.Serializer[Any]):
    question = serializers.CharField()
    answer = serializers.CharField()
    critical = serializers.BooleanField()


class ReasonedOut(serializers.Serializer[Any]):
    cite = serializers.CharField()
    text = serializers.CharField()
    pivot = serializers.BooleanField()


class SolutionOut(serializers.Serializer[Any]):
    """A ruling, as the engine's document and in words in the caller's language."""

    rulebook = serializers.CharField()
    engine = serializers.CharField()
    facts = serializers.ListField(child=serializers.CharField())
    decisions = DecidedOut(many=True)
    steps = ReasonedOut(many=True)
    ruling = serializers.DictField()


class SolveIn(serializers.Serializer[Any]):
    rulebook = serializers.ChoiceField(choices=list(RULEBOOKS))
    situation = serializers.DictField()
    table = serializers.DictField(
        required=False,
        help_text="The table at which it is played; without one, sums are in the money of the regulation",
    )


class GenerateIn(serializers.Serializer[Any]):
    """The same seed generates the same scenarios with the same engine version."""

    rulebook = serializers.ChoiceField(choices=list(RULEBOOKS))
    topic = serializers.CharField(required=False)
    article = serializers.CharField(required=False)
    difficulty = serializers.IntegerField(min_value=1, max_value=5, default=2)
    count = serializers.IntegerField(min_value=1, max_value=generated.MOST, default=1)
    seed = serializers.RegexField("^[A-Za-z0-9]+$", max_length=32, required=False)


class GeneratedOut(serializers.Serializer[Any]):
    scenario = serializers.DictField()
    solution = SolutionOut()


class GenerateOut(serializers.Serializer[Any]):
    seed = serializers.CharField()
    scenarios = GeneratedOut(many=True)


class WrongOut(serializers.Serializer[Any]):
    question = serializers.CharField()
    given = serializers.CharField()
    times = serializers.IntegerField()


class ItemOut(serializers.Serializer[Any]):
    item = serializers.CharField(help_text="`version:<id>`, or `<rulebook>/<topic>/<difficulty>` if generated")
    answers = serializers.IntegerField()
    facility = serializers.FloatField(allow_null=True, help_text="Mean share of the points; null if too few answers")
    discrimination = serializers.FloatField(allow_null=True)
    mean_seconds = serializers.FloatField()
    wrong = WrongOut(many=True, help_text="The most frequent wrong answers")


class ItemsAsked(serializers.Serializer[Any]):
    rulebook = serializers.ChoiceField(choices=list(RULEBOOKS), default="")
    sort = serializers.ChoiceField(choices=list(SORTS), default="-answers")


def write_solution(scenario: Scenario, ruling: Ruling) -> dict[str, Any]:
    told = presentation.told(scenario, ruling, language())
    return {
        "rulebook": scenario.rulebook,
        "engine": scenario.version,
        "facts": told.sentences,
        "decisions": DecidedOut(told.decisions, many=True).data,
        "steps": ReasonedOut(told.steps, many=True).data,
        "ruling": as_stored(ruling),
    }


@allow(Role.INSTRUCTOR)
class SolveView(ApiView):
    areas = ("teaching",)
    refusals = ["impossible_facts", "not_regulated", "kept_for_exams"]

    @extend_schema(request=SolveIn, responses=SolutionOut)
    def post(self, request: Request) -> Response:
        """Rule on a situation by a rulebook, or name the impossible fact."""
        sent = self.sent(SolveIn)
        book = RULEBOOKS[sent["rulebook"]]
        about(request, book.id)
        topic = rules_engine.topics(book.id)[0]  # a scenario needs a topic; the ruling does not depend on it
        try:
            book = _at(book, sent.get("table"))
            situation = book.read(sent["situation"])
            scenario = as_practised(rules_engine.scenario_of(situation, book, topic=topic))
            ruling = scenario.solve()
        except UnfitTable as error:
            told = {f"table.{error.fact}": [refused(error, language())]}
            raise Problem("impossible_facts", refusal(error, language()), told) from None
        except ImpossibleFacts as error:
            told = {f"situation.{error.fact}": [refused(error, language())]}
            raise Problem("impossible_facts", refusal(error, language()), told) from None
        except NotRegulated as error:
            raise Problem("not_regulated", refusal(error, language())) from None
        except EngineError as error:
            told = {error.fact or "situation": [refused(error, language())]}
            raise Problem("impossible_facts", refusal(error, language()), told) from None
        guarded_cases.verify_open(self.person, scenario)
        return Response(write_solution(scenario, ruling))


def _at(book: Rulebook, table: dict[str, Any] | None) -> Rulebook:
    """The rulebook at the table that was sent, if one was. Raises UnfitTable if the law does not allow it."""
    if table is None:
        return book
    found = rules_engine.table_from(table)
    book.game.check_table(found, book)
    return book.at(found)


@allow(Role.INSTRUCTOR)
class GenerateView(ApiView):
    areas = ("teaching",)

    @extend_schema(request=GenerateIn, responses=GenerateOut)
    def post(self, request: Request) -> Response:
        """Generate scenarios with their rulings; fewer than requested if there are no more of a kind."""
        sent = self.sent(GenerateIn)
        book, topic, article = sent["rulebook"], sent.get("topic"), sent.get("article")
        if topic is not None and topic not in rules_engine.topics(book):
            known = ", ".join(rules_engine.topics(book))
            raise invalid({"topic": [_("must be one of: %(known)s") % {"known": known}]})
        try:
            cases(book, topic, article)
        except EngineError:
            known = ", ".join(generated.articles(book, topic))
            raise invalid({"article": [_("must be one of: %(known)s") % {"known": known}]}) from None
        about(request, book)
        seed = sent.get("seed") or secrets.token_hex(8)
        offered = generated.offer(generated.Wish(book, topic, article, sent["difficulty"], seed), sent["count"])
        made = [
            {"scenario": as_stored(item.scenario), "solution": write_solution(item.scenario, item.scenario.solve())}
            for item in offered
        ]
        return Response({"seed": seed, "scenarios": made})


@allow(Role.INSTRUCTOR)
class ItemsView(ApiView):
    areas = ("teaching",)

    @extend_schema(parameters=[ItemsAsked], responses=ItemOut(many=True))
    def get(self, request: Request) -> Response:
        """List item figures: facility, discrimination, time, and frequent wrong answers."""
        found = figures.items(**self.asked(ItemsAsked))
        return self.listed(found, lambda page: ItemOut(figures.figures_of(page), many=True).data)
