"""The answer form, as every page that puts questions sends it: `q.<question>` is typed, `pick.<question>` picked."""

from django.http import QueryDict
from django.utils.translation import gettext as _

from rules_engine import DOES_NOT_ARISE, Scenario
from rules_engine.grading import in_digits

TYPED, PICKED = "q.", "pick."


def typed(data: QueryDict) -> dict[str, str]:
    """What was typed or chosen, by question."""
    return {name.removeprefix(TYPED): data.get(name, "").strip() for name in data if name.startswith(TYPED)}


def answer_from_form(scenario: Scenario, data: QueryDict) -> tuple[dict[str, str], bool]:
    """The answer to every question. Words may be picked from a list instead of typed, which is the easier mode."""
    given, parts, picked = typed(data), dict[str, str](), False
    for question in scenario.questions:
        parts[question.key] = given.get(question.key, "")
        choice = data.get(f"{PICKED}{question.key}", "")
        if not parts[question.key] and choice:
            parts[question.key], picked = choice, True
    return parts, picked


def no_number(scenario: Scenario, parts: dict[str, str]) -> str:
    """The first thing typed where a number is asked that cannot be read as one: a slip, not an answer."""
    for question in scenario.questions:
        given = parts.get(question.key, "")
        asks_number = question.kind in ("amount", "number") and given not in ("", DOES_NOT_ARISE)
        if asks_number and not isinstance(in_digits(given), int):
            return given
    return ""


def said_no_number(slip: str) -> str:
    return _("Enter a number: “%(typed)s” is not one.") % {"typed": slip}
