"""Words that were said or prescribed are marked with their language, since the page around them may be in another."""

from types import SimpleNamespace

import pytest
from django.template.loader import render_to_string

import rules_engine
from rules_engine import Scenario
from tests.practice.drills import right_answer
from tests.spoken import TOPIC, asked_words, spoken
from training.practice.feedback import Feedback, feedback


def told(scenario: Scenario, **changes: str) -> Feedback:
    answer = rules_engine.answer_from({"parts": right_answer(scenario) | changes})
    graded = SimpleNamespace(engine_mark=rules_engine.grade(scenario, answer), ruling=scenario.solve())
    return feedback(scenario, graded, "it")


@pytest.fixture(scope="module")
def scenario() -> Scenario:
    return spoken("pt-chemin-de-fer", TOPIC)


def test_prescribed_words_have_their_own_language_and_choices_that_of_the_page(scenario: Scenario) -> None:
    key = asked_words(scenario)
    parts = {part.key: part for part in told(scenario).parts}
    assert (parts[key].given_language, parts[key].right_language) == ("pt", "pt")
    assert all(part.given_language == part.right_language == "" for part in parts.values() if not part.is_words)
    unanswered = {part.key: part for part in told(scenario, **{key: ""}).parts}[key]
    assert (unanswered.given_language, unanswered.right_language) == ("", "pt")


def test_the_page_marks_them(scenario: Scenario) -> None:
    key = asked_words(scenario)
    for answer in (right_answer(scenario)[key], "parole sbagliate"):
        page = render_to_string("practice/parts.html", {"feedback": told(scenario, **{key: answer}), "plain": True})
        assert 'lang="pt"' in page
