"""No text that somebody types or uploads makes a regular expression work for long."""

import re
from types import SimpleNamespace
from typing import Any

import pytest

import training.urls  # noqa: F401 (addresses name their converters before modules of them are imported)
from rules_engine import RULEBOOKS, rulebook
from rules_engine.announcements import _pattern
from tests.regular_expressions import MOST, Expression, all_expressions, growth

# What is put together at run time, by the file it is in: what its names stand for.
SAMPLES: dict[str, dict[str, Any]] = {
    "training/library/editor_forms.py": {"name": "stakes", "kind": SimpleNamespace(pattern="^[1-9][a-i]?$")},
    "rules_engine/likeness.py": {"pattern": "^[1-9][a-i]?$", "value": "9a"},
    "rules_engine/guessing.py": {"words": "oito de abate|bacará|nove"},
    "rules_engine/amendments.py": {"was": 5, "SPELT": {5: "five"}},
    "rules_engine/changes.py": {"name": "104"},
    "rules_engine/golden.py": {"expected": "nobody is at"},
    "rules_engine/misfits.py": {"pattern": "Expected `(.+)`, got `(.+)`"},
    "training/platform/italian.py": {"date": r"(?:8|11) (?:gennaio|febbraio)\b|11/\d\d/\d{4}"},
    "rules_engine/announcements.py": {"pieces": [r"banca (?:de )?(?P<amount>\d+) "]},
}
# How the heading of an article and a place at the table were found once: the square and the cube of the text's length.
FORMER_HEAD = (
    r"^\W{0,6}(?:<[^>]*>)?\s*(?:art(?:igo|icolo|[íi]culo|icle|\.)?\s*(?:n\.?\s*[ºo°]\s*)?)?"
    r"(?P<number>\d{1,3}(?:\.\d{1,2})?)\s*\.?[ºª°]?\.?\s*(?:[-–—.):]+(?!\d)|$)\s*(?P<rest>.*)$"
)
FORMER_PLACE = r"(?P<seat>[1-9])(?P<standing>(?:\s*,?\s*(?:em|de|in|en)?\s*(?:pe|standing))(?![a-z]))?"


def test_the_work_of_every_expression_grows_with_its_text_and_no_faster() -> None:
    found = list(all_expressions(SAMPLES))
    assert len({one.place for one in found}) > 70, "they are no longer found"
    steep = [(one.place, one.use) for one in found if growth(one) > MOST]
    assert steep == []


def test_so_does_that_of_every_formula_to_pronounce() -> None:
    formulas = [formula for id in RULEBOOKS for formula in rulebook(id).formulas.values()]
    forms = {(form, language) for one in formulas for language in one.text for form in one.forms(language)}
    patterns = sorted({_pattern(*form).pattern for form in forms}, key=len)
    drawn = patterns[:: max(1, len(patterns) // 30)]  # they are all of one make
    assert len(drawn) >= 30
    assert [one for one in drawn if growth(Expression(one, 0, "fullmatch", "")) > MOST] == []


@pytest.mark.parametrize(
    ("pattern", "use"),
    [
        (FORMER_HEAD, "match"),
        (FORMER_PLACE, "finditer"),
        (r"\s+$", "sub"),
        (r"\(.*?\)", "sub"),
        (r"\{[^}]*\}", "split"),
        (r"(a+)+b", "match"),
        (r"^(\w+\s?)*$", "fullmatch"),
    ],
)
def test_those_that_would_work_for_long_are_noticed(pattern: str, use: str) -> None:
    assert growth(Expression(pattern, re.IGNORECASE, use, "")) > MOST
