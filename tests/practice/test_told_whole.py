"""What a trainee reads of a case: nothing twice, nothing half said, and every stake of the story at the table."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator

import pytest
from django.utils import translation

from rules_engine import Scenario, generate, topics
from rules_engine.narration import ask, narrate, reason, show
from rules_engine.situation import kind_of
from training.drawing import table_view, words

BOOKS = (
    *("pt-roleta-francesa", "pt-roleta-americana", "pt-banca-francesa"),
    *("pt-black-jack", "pt-craps", "pt-cussec", "pt-maquinas"),
)
SUM = re.compile(r"[\d,]+(?= escudos)")
SENTENCE = re.compile(r"(?<=[.!?]) ")


def met(book: str, each: int) -> Iterator[Scenario]:
    """So many cases of every topic, at every level."""
    for topic in topics(book):
        yield from (generate(book, topic, f"told {seed}", 1 + seed % 5) for seed in range(each))


def twice(lines: Iterable[str]) -> list[str]:
    return [line for line, count in Counter(lines).items() if count > 1]


@pytest.mark.parametrize("book", BOOKS)
def test_a_case_is_told_whole_and_nothing_twice(book: str) -> None:
    for scenario in met(book, 8):
        law, facts, ruling = scenario.book, scenario.situation, scenario.solve()
        for language in {"en", law.language}:
            story = [part for line in narrate(facts, law, language) for part in SENTENCE.split(line)]
            asked = [ask(one.key, facts, law, language) for one in scenario.questions]
            steps = [reason(step, law, language) for step in ruling.steps]
            assert [twice(lines) for lines in (story, asked, steps)] == [[], [], []], (scenario, language)
            for line in (*story, *asked, *steps):
                assert not re.search(r"\([^)]*\(", line), line
                assert not re.search(r"(^|[.!?] )[a-zà-ú]", line), line
        for one in scenario.questions:
            shown = [show(one.key, one.kind, option, law, "en") for option in one.options]
            assert len(one.options) != 1 and not twice(shown), (scenario, one)


@pytest.mark.parametrize("book", BOOKS)
def test_every_stake_of_the_story_is_at_the_table(book: str) -> None:
    for scenario in met(book, 8):
        facts, law = scenario.situation, scenario.book
        with translation.override("en"):
            told = " ".join(table_view(facts, currency=law.currency, asking=True).words)
        lines, opening = narrate(facts, law, "en"), len(facts.opening())
        # What the dealer has collected already is told, and no longer lies there.
        collected, bets = getattr(facts.incident, "left_lying", None), getattr(facts, "bets", ())
        story = "" if collected and len(collected(facts)) < len(bets) else " ".join(lines[:opening])
        if kind_of(facts.incident) in words.OFFERED and kind_of(facts.incident) != "bet_asked":
            story += " ".join(lines[opening:])
        assert set(SUM.findall(story)) <= set(SUM.findall(told)), (scenario, told)
