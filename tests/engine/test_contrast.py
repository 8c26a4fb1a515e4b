"""One changed fact that is ruled otherwise."""

from itertools import islice, product

import msgspec
import pytest

from rules_engine import RULEBOOKS, generate, topics
from rules_engine.contrast import changed_facts, contrasts, most_telling, tried
from rules_engine.narration import languages_of


@pytest.mark.parametrize("book", RULEBOOKS)
def test_a_contrast_is_possible_differs_in_one_fact_and_changes_what_is_asked(book: str) -> None:
    found = 0
    for topic, seed in product(topics(book), range(2)):
        scenario = generate(book, topic, seed, 3)
        ruling, asked = scenario.solve(), [question.key for question in scenario.questions]
        for contrast in islice(contrasts(scenario.situation, scenario.book, ruling, asked), 4):
            found += 1
            here, there = map(msgspec.to_builtins, (scenario.situation, contrast.situation))
            name, _, inner = contrast.path.partition(".")
            differing = {key for key in here.keys() | there.keys() if here.get(key) != there.get(key)}
            assert differing == {name}
            if inner:
                here, there = here[name], there[name]
                assert {key for key in here.keys() | there.keys() if here.get(key) != there.get(key)} == {inner}
            then = scenario.book.rule(contrast.situation)
            for change in contrast.changes:
                assert change.key in asked
                assert then[change.key] == change.would.value != ruling[change.key]
    assert found


def test_the_most_telling_is_about_what_was_missed_and_told_in_one_sentence() -> None:
    told = 0
    for seed in range(20):
        scenario = generate("pt-chemin-de-fer", "third_card", seed, 3, article="67 d")
        ruling, asked = scenario.solve(), [question.key for question in scenario.questions]
        found = most_telling(scenario.situation, scenario.book, ruling, asked, missed=["banker_draw"])
        if found is None:
            continue
        told += any(change.key == "banker_draw" for change in found.changes)
        for language in ("pt", "en", "it", "es"):
            (fact,) = changed_facts(found, scenario.situation, scenario.book, language)
            assert fact.endswith(".") and "{" not in fact
    assert told >= 10


def test_it_is_told_in_every_language_of_every_book() -> None:
    for book in RULEBOOKS.values():
        for topic in topics(book.id)[:4]:
            scenario = generate(book.id, topic, "contrast", 3)
            asked = [question.key for question in scenario.questions]
            found = most_telling(scenario.situation, book, scenario.solve(), asked)
            if found:
                assert all(changed_facts(found, scenario.situation, book, language) for language in languages_of(book))


def test_where_no_single_fact_changes_a_ruling_two_are_tried_and_counted() -> None:
    double = 0
    for book in ("pt-chemin-de-fer", "pt-black-jack", "pt-craps"):
        for seed in range(40):
            scenario = generate(book, None, seed, 2)
            asked = [question.key for question in scenario.questions]
            made = tried(scenario.situation, scenario.book, scenario.solve(), asked)
            if made.double and made.found:
                double += 1
                one, two = made.found[0].path.split(" ")
                assert one != two
    assert double, "some rulings turn on two facts only"
