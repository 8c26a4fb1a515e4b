"""A trainee's practice as JSON. Never reveals a ruling before the mark."""

from typing import Any

from rest_framework import serializers

from rules_engine import Scenario
from rules_engine.grading import Part
from training.mastery.selectors import KnownRule
from training.people.request import language
from training.platform.engine_json import as_stored
from training.practice import fresh, presentation, second_try, stories
from training.practice.feedback import Feedback, feedback
from training.practice.models import Attempt, Drill, Mark, SecondTry

OPEN = "open"
STATES = [OPEN, *Attempt.State.values]
# Kinds of questions without options.
TYPED_KINDS = ("amount", "number")


class DrillRow(serializers.Serializer[Any]):
    id = serializers.UUIDField()
    mode = serializers.ChoiceField(choices=Drill.Mode.choices)
    rulebook = serializers.CharField()
    topic = serializers.CharField()
    difficulty = serializers.IntegerField()
    moment = serializers.IntegerField(help_text="The number of this moment in its story; 1 for a single scenario")
    moments = serializers.IntegerField(help_text="How many moments the story has; 1 for a single scenario")
    state = serializers.ChoiceField(choices=STATES)
    started_at = serializers.DateTimeField()
    submitted_at = serializers.DateTimeField(allow_null=True)
    points = serializers.IntegerField(allow_null=True)
    of = serializers.IntegerField(allow_null=True)


class CallOut(serializers.Serializer[Any]):
    by = serializers.CharField()
    words = serializers.CharField()
    meaning = serializers.CharField()


class OptionOut(serializers.Serializer[Any]):
    value = serializers.CharField()
    label = serializers.CharField()  # type: ignore[assignment]


class QuestionOut(serializers.Serializer[Any]):
    """`options` are the possible answers; for words those of the easier mode, for an order its possible members.

    They include `does_not_arise` if the question may not arise.
    """

    key = serializers.CharField()
    kind = serializers.ChoiceField(choices=["choice", "score", "amount", "number", "player", "order", "words"])
    text = serializers.CharField()
    unit = serializers.CharField()
    options = OptionOut(many=True)


class PartOut(serializers.Serializer[Any]):
    key = serializers.CharField()
    question = serializers.CharField()
    given = serializers.CharField()
    right = serializers.CharField()
    correct = serializers.BooleanField()
    critical = serializers.BooleanField()
    points = serializers.IntegerField()
    of = serializers.IntegerField()
    reason = serializers.CharField()


class StepOut(serializers.Serializer[Any]):
    cite = serializers.CharField()
    text = serializers.CharField()
    pivot = serializers.BooleanField(help_text="Whether the case turned on it")


class RuledOut(serializers.Serializer[Any]):
    question = serializers.CharField()
    ruling = serializers.CharField()


class ElsewhereOut(serializers.Serializer[Any]):
    rulebooks = serializers.CharField()
    rulings = RuledOut(many=True)


class MarkOut(serializers.Serializer[Any]):
    points = serializers.IntegerField()
    of = serializers.IntegerField()
    perfect = serializers.BooleanField()
    line = serializers.CharField()
    parts = PartOut(many=True)
    steps = StepOut(many=True)
    payments = serializers.ListField(child=serializers.CharField())
    elsewhere = ElsewhereOut(many=True)
    note = serializers.CharField(help_text="The instructor's note as HTML, if any")
    graded_at = serializers.DateTimeField()


class SecondTryOut(serializers.Serializer[Any]):
    answer = serializers.DictField(help_text="The whole answer, including what was right at the first try")
    points = serializers.IntegerField()
    of = serializers.IntegerField()


class MomentMark(serializers.Serializer[Any]):
    drill = serializers.UUIDField()
    points = serializers.IntegerField()
    of = serializers.IntegerField()


class WholeOut(serializers.Serializer[Any]):
    """A story so far: the marks of its moments in order, and their total points."""

    points = serializers.IntegerField()
    of = serializers.IntegerField()
    over = serializers.BooleanField(help_text="Whether every moment is marked")
    marks = MomentMark(many=True)


class DrillOut(DrillRow):
    """`mark` is null until the answer is graded; ask again after a moment. While the solution is `held` it is null too,
    and `missed` holds the keys of the questions to try again."""

    title = serializers.CharField()
    story = serializers.CharField(help_text="The author's text as HTML, if any")
    table = serializers.DictField(
        allow_null=True, help_text="The table of the house: name, currency, chips, limits; null for old cases"
    )
    facts = serializers.ListField(child=serializers.CharField())
    calls = CallOut(many=True)
    questions = QuestionOut(many=True)
    answer = serializers.DictField(allow_null=True, help_text="The answers, by question key")
    mark = MarkOut(allow_null=True)
    held = serializers.BooleanField()
    kept = serializers.BooleanField(help_text="Whether the mark is withheld because an exam uses a similar case")
    missed = serializers.ListField(child=serializers.CharField())
    second_try = SecondTryOut(allow_null=True)
    goes_on = serializers.BooleanField(help_text="Whether the next moment of the story can be started")
    whole = WholeOut(allow_null=True)


class FlagOut(serializers.Serializer[Any]):
    text = serializers.CharField()
    raised_at = serializers.DateTimeField()
    reply = serializers.CharField()


class RuleOut(serializers.Serializer[Any]):
    rulebook = serializers.CharField()
    cite = serializers.CharField()
    topic = serializers.CharField()
    retention = serializers.FloatField(allow_null=True, help_text="Predicted retention tomorrow; null if never met")
    known = serializers.BooleanField()
    weak = serializers.BooleanField()
    lapses = serializers.IntegerField()


def write_line(drill: Drill) -> dict[str, Any]:
    attempt = getattr(drill, "attempt", None)
    mark: Mark | None = getattr(attempt, "mark", None)
    return {
        "id": drill.pk,
        "mode": drill.mode,
        "rulebook": drill.rulebook,
        "topic": drill.topic,
        "difficulty": drill.difficulty,
        "moment": drill.moment,
        "moments": drill.moments,
        "state": attempt.state if attempt else OPEN,
        "started_at": drill.created_at,
        "submitted_at": attempt.submitted_at if attempt else None,
        "points": mark.points if mark else None,
        "of": mark.of if mark else None,
    }


def write_drill(drill: Drill) -> dict[str, Any]:
    """A drill as the trainee may see it: the facts in words, never the situation, which includes cards face down."""
    scenario, attempt = drill.scenario, getattr(drill, "attempt", None)
    mark: Mark | None = getattr(attempt, "mark", None)
    kept = mark is not None and fresh.is_kept_out(scenario)
    held = attempt is not None and attempt.withheld and not kept
    mark = None if held or kept else mark
    told = presentation.story(scenario, language(), version=drill.told)
    return write_line(drill) | {
        "title": told.title,
        "story": str(told.authored),
        "table": as_stored(scenario.table) if scenario.table else None,
        "facts": told.sentences,
        "calls": [{"by": call.by, "words": call.words, "meaning": call.meaning} for call in told.calls],
        "questions": [_question(question) for question in presentation.questions(scenario, language(), {})],
        "answer": attempt.answer["parts"] if attempt else None,
        "mark": _mark(mark, scenario, feedback(scenario, mark, language(), version=drill.told)) if mark else None,
        "held": held,
        "kept": kept,
        "missed": second_try.missed(attempt) if attempt and held else [],
        "second_try": None if kept else _second_try(getattr(attempt, "second_try", None)),
        "goes_on": stories.goes_on(drill),
        "whole": _whole(stories.whole(drill)),
    }


def _whole(story: stories.Whole | None) -> dict[str, Any] | None:
    if story is None:
        return None
    marks = [{"drill": one.pk, "points": one.attempt.mark.points, "of": one.attempt.mark.of} for one in story.marked]
    return {"points": story.points, "of": story.of, "over": story.over, "marks": marks}


def _second_try(tried: SecondTry | None) -> dict[str, Any] | None:
    if tried is None:
        return None
    return {"answer": tried.answer["parts"], "points": tried.engine_mark.points, "of": tried.engine_mark.of}


def _question(question: presentation.AskedQuestion) -> dict[str, Any]:
    offered = [] if question.kind in TYPED_KINDS else question.options
    if question.idle and question.typed:
        offered = [*offered, question.idle]
    return {
        "key": question.key,
        "kind": question.kind,
        "text": question.text,
        "unit": question.unit,
        "options": [{"value": option.value, "label": option.label} for option in offered],
    }


def _mark(mark: Mark, scenario: Scenario, shown: Feedback) -> dict[str, Any]:
    by_question = list(zip(_as_asked(mark, scenario), shown.parts, strict=True))
    return {
        "points": shown.points,
        "of": shown.of,
        "perfect": shown.perfect,
        "line": shown.line,
        "parts": [
            {
                "key": part.key,
                "question": told.question,
                "given": told.given,
                "right": told.right,
                "correct": told.correct,
                "critical": told.critical,
                "points": part.points,
                "of": part.of,
                "reason": told.reason,
            }
            for part, told in by_question
        ],
        "steps": [{"cite": step.cite, "text": step.text, "pivot": step.pivot} for step in shown.steps],
        "payments": shown.payments,
        "elsewhere": [
            {
                "rulebooks": other.rulebooks,
                "rulings": [{"question": question, "ruling": ruling} for question, ruling in other.rulings],
            }
            for other in shown.elsewhere
        ],
        "note": str(shown.note),
        "graded_at": mark.graded_at,
    }


def _as_asked(mark: Mark, scenario: Scenario) -> list[Part]:
    """The parts of a mark in the order of the questions, words first."""
    kinds = {question.key: question.kind for question in scenario.questions}
    return sorted(mark.engine_mark.parts, key=lambda part: kinds[part.key] != "words")


def write_rule(known: KnownRule) -> dict[str, Any]:
    return {
        "rulebook": known.rule.rulebook,
        "cite": known.rule.cite,
        "topic": known.topic,
        "retention": known.retention,
        "known": known.known,
        "weak": known.weak,
        "lapses": known.lapses,
    }
