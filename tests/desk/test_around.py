"""What lies around a case: edges, other rulebooks, how hard; for a version and for facts being edited."""

import pytest
from django.test import Client

import rules_engine
from rules_engine.contrast import changed_facts, tried
from tests.exams import making
from tests.library.versions import instructor, make_draft
from training.desk import case_context
from training.library import editor_forms, editor_starts

BOOK = rules_engine.rulebook("pt-chemin-de-fer")


def floor() -> rules_engine.Scenario:
    situation = editor_starts.example(BOOK, "card_on_floor")
    return rules_engine.scenario_of(situation, BOOK, topic="deal_faults", difficulty=2)


@pytest.mark.django_db
def test_an_edge_is_one_changed_fact_that_flips_an_answer() -> None:
    scenario = floor()
    found = case_context.edges(scenario, scenario.solve(), "en", instructor()).found
    assert 1 <= len(found) <= case_context.MOST_EDGES
    for edge in found:
        assert edge.facts
        assert all(would != was for _question, would, was in edge.rulings)


@pytest.mark.django_db
def test_an_edge_tells_no_ruling_of_a_case_that_an_exam_uses() -> None:
    scenario, reader = floor(), instructor()
    before = case_context.edges(scenario, scenario.solve(), "en", reader).found
    asked = [question.key for question in scenario.questions]
    first = tried(scenario.situation, BOOK, scenario.solve(), asked).found[0]
    used = rules_engine.scenario_of(first.situation, BOOK, topic="deal_faults", difficulty=2)
    making.put_in_use(used)
    after = case_context.edges(scenario, scenario.solve(), "en", reader).found
    told = changed_facts(first, scenario.situation, BOOK, "en")
    assert told in [edge.facts for edge in before]
    assert told not in [edge.facts for edge in after]


@pytest.mark.django_db
def test_every_other_rulebook_is_told_and_those_that_differ_come_first() -> None:
    scenario = floor()
    found = case_context.elsewhere(scenario, scenario.solve(), "en")
    assert {one.id for one in found} == {book.id for book in BOOK.game.books} - {BOOK.id}
    order = [2 if one.silent else 0 if one.rulings else 1 for one in found]
    assert order == sorted(order)


@pytest.mark.django_db
def test_what_nobody_has_answered_is_as_hard_as_its_level_says() -> None:
    for level in range(1, 6):
        situation = editor_starts.example(BOOK, "card_on_floor")
        scenario = rules_engine.scenario_of(situation, BOOK, topic="deal_faults", difficulty=level)
        assert case_context.expected(scenario, scenario.solve()).level == level


@pytest.mark.django_db
def test_pages_for_a_version_and_for_facts_that_are_kept_nowhere() -> None:
    author, client = instructor(), Client()
    client.force_login(author)
    page = client.get(f"/figures/around/{make_draft(author).pk}/").content.decode()
    assert "O que muda se…" in page and "Por outros regulamentos" in page
    facts = {"rulebook": BOOK.id, "kind": "card_on_floor", **editor_forms.typed(floor().situation, BOOK)}
    assert "O que muda se…" in client.post("/figures/around/", facts).content.decode()
    assert "não são possíveis" in client.post("/figures/around/", facts | {"ponto": "4h"}).content.decode()
