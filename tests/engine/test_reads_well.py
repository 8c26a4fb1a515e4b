"""Baccarat cases as they are read: no question twice, none with one answer, no reason twice, and sentences in order."""

import re
from itertools import product

import pytest

from rules_engine import RULEBOOKS, generate, topics
from rules_engine.narration import ask, narrate, reason
from rules_engine.scenario import Scenario

BOOKS = [id for id, book in RULEBOOKS.items() if book.game.id in ("chemin_de_fer", "ponto_banca")]
SEEDS = 4
NESTED = re.compile(r"\([^()]*\(")
SMALL_AFTER_STOP = re.compile(r"(?<!\bart)(?<!\barts)(?<!\bartt)(?<!\bn)(?<!º)(?<!ª)[.?!] [a-zà-ÿ]")


def cases(book: str) -> list[Scenario]:
    return [generate(book, topic, f"read-{seed}", 1 + seed) for topic, seed in product(topics(book), range(SEEDS))]


def twice(texts: list[str]) -> set[str]:
    return {text for text in texts if texts.count(text) > 1}


@pytest.mark.parametrize("book", BOOKS)
def test_a_case_reads_well(book: str) -> None:
    wrong: list[tuple[str, str, object]] = []
    for scenario in cases(book):
        situation, ruling = scenario.situation, scenario.solve()
        for language in {"en", scenario.book.language}:
            asked = [ask(question.key, situation, scenario.book, language) for question in scenario.questions]
            steps = [reason(step, scenario.book, language) for step in ruling.steps]
            told = narrate(situation, scenario.book, language)
            found = {
                "said twice": twice(asked) | twice(steps) | twice(told),
                "one option": {q.key for q in scenario.questions if q.options is not None and len(q.options) == 1},
                "badly written": {
                    text for text in (*asked, *steps, *told) if NESTED.search(text) or SMALL_AFTER_STOP.search(text)
                },
            }
            wrong += [(scenario.topic, what, texts) for what, texts in found.items() if texts]
    assert wrong == []
