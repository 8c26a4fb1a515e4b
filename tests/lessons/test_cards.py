"""Taught before tested: the card of a new rule, and its example."""

from collections.abc import Callable

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from fsrs import Rating

import rules_engine
from rules_engine import RULEBOOKS
from tests.exams import making
from tests.factories import PersonFactory
from tests.library.versions import make_published
from tests.practice.drills import make_drill, right_answer
from training.lessons import examples
from training.lessons.rule_cards import card
from training.mastery.memory import Rule
from training.mastery.rules_to_learn import rules_to_learn
from training.mastery.services import learn
from training.people.models import Role
from training.practice import fresh, next_drill, services
from training.practice.models import Drill
from training.practice.new_words import new_words

BOOK = "pt-chemin-de-fer"
pytestmark = pytest.mark.django_db


@pytest.fixture
def trainee(signed_in: Callable[..., Client]) -> Client:
    return signed_in(Role.TRAINEE)


@pytest.mark.parametrize("book", RULEBOOKS)
def test_rules_have_an_example_at_level_one_that_turns_on_them(book: str) -> None:
    rules = list(rules_to_learn(book))
    for rule in rules[:: max(1, len(rules) // 8)]:
        found = examples.example(rule)
        if found is not None:
            assert rule.cite in found.solve().pivots
            assert found.difficulty == 1
    assert sum(examples.example(rule) is None for rule in rules[:5]) == 0


def test_the_example_is_never_the_case_asked_nor_one_of_an_exam() -> None:
    rule = Rule(BOOK, "67 d")
    usual = examples.example(rule)
    assert usual is not None
    other = examples.example(rule, other_than=usual)
    assert other is not None
    assert other.situation != usual.situation
    assert fresh.structure_of(other, other.solve()) != fresh.structure_of(usual, usual.solve())
    making.put_in_use(usual)
    instead = examples.example(rule)
    assert instead is not None
    assert instead.situation != usual.situation


def test_the_card_has_rule_words_table_and_worked_example() -> None:
    shown = card(Rule(BOOK, "67 d"), "pt")
    assert shown.text.startswith("Banqueiro com 3, 4, 5 ou 6")
    (table,) = shown.tables
    assert [cell.letter for cell in table.rows[5][1]] == [*"FFFFOTTTFF", "T"]
    assert shown.worked is not None
    assert any(step.pivot and step.cite == "67 d" for step in shown.worked.steps)
    assert [words.text for words in card(Rule(BOOK, "96 b-3"), "pt").words] == ["… no ponto, … na banca"]


def test_the_day_puts_a_new_rule_with_its_card_and_a_known_one_without(trainee: Client) -> None:
    response = trainee.post(reverse("start_drill"), {"mode": "scheduled"})
    drill = Drill.objects.get()
    assert response["Location"] == reverse("rule_card", args=[drill.pk])
    page = trainee.get(response["Location"]).content.decode()
    assert reverse("drill", args=[drill.pk]) in page
    assert "Percebi: experimentar" in page
    worked = card(Rule(BOOK, drill.aim), "pt", asked=drill.scenario).worked
    assert worked is not None
    assert worked.scenario.situation != drill.scenario.situation
    taught = dict.fromkeys([drill.aim, *new_words(drill)], Rating.Good)
    learn(trainee.person, BOOK, taught, at=timezone.now())  # type: ignore[attr-defined]
    assert trainee.get(response["Location"])["Location"] == reverse("drill", args=[drill.pk])
    again = trainee.post(reverse("start_drill"), {"mode": "scheduled"})
    assert again["Location"] == reverse("drill", args=[drill.pk])


def test_no_card_once_answered_without_a_rule_or_for_another(trainee: Client) -> None:
    aimless = make_drill(trainee.person, article=None, topic="banco_priority")  # type: ignore[attr-defined]
    assert trainee.get(reverse("rule_card", args=[aimless.pk])).status_code == 302
    answered = make_drill(trainee.person)  # type: ignore[attr-defined]
    services.submit_answer(answered, rules_engine.answer_from({"parts": right_answer(answered.scenario)}))
    assert trainee.get(reverse("rule_card", args=[answered.pk])).status_code == 302
    assert trainee.get(reverse("rule_card", args=[make_drill().pk])).status_code == 404


def test_a_rule_just_taught_is_not_met_in_a_hard_case_because_one_is_published() -> None:
    version = make_published()
    assert version.difficulty > 1
    drill = next_drill.put_rule(PersonFactory(), Rule(BOOK, "67 d"), difficulty=1, mode=Drill.Mode.SCHEDULED)
    assert (drill.version, drill.difficulty) == (None, 1)
