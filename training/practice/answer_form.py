"""Reads the answer form: `q.<question>` holds what was typed or chosen, `pick.<question>` words picked from a list."""

from django.http import QueryDict
from django.utils.translation import gettext as _

from rules_engine import DOES_NOT_ARISE, Scenario
from rules_engine.grading import sum_in

TYPED, PICKED = "q.", "pick."


def typed(data: QueryDict) -> dict[str, str]:
    """The values of the `q.` fields, by question."""
    return {name.removeprefix(TYPED): data.get(name, "").strip() for name in data if name.startswith(TYPED)}


def answer_from_form(scenario: Scenario, data: QueryDict) -> tuple[dict[str, str], bool]:
    """The answer to every question, and whether any words were picked from a list instead of typed, which is easier."""
    given, parts, picked = typed(data), dict[str, str](), False
    for question in scenario.questions:
        parts[question.key] = given.get(question.key, "")
        choice = data.get(f"{PICKED}{question.key}", "")
        if not parts[question.key] and choice:
            parts[question.key], picked = choice, True
    return parts, picked


def no_number(scenario: Scenario, parts: dict[str, str]) -> str:
    """The first value that should be a number and is not; empty if there is none."""
    for question in scenario.questions:
        given = parts.get(question.key, "")
        asks_number = question.kind in ("amount", "number") and given not in ("", DOES_NOT_ARISE)
        if asks_number and not isinstance(sum_in(given, question.key, scenario.book), int):
            return given
    return ""


def said_no_number(slip: str) -> str:
    return _("Enter a number: “%(typed)s” is not one.") % {"typed": slip}
