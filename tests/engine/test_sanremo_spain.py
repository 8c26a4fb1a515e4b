"""Sanremo and Spain: what the golden cases cannot say of the readings, the questions and the words."""

import re
from typing import Any

import pytest

from rules_engine import Scenario, generate, rulebook, topics
from rules_engine.games.chemin_de_fer.books import SANREMO, SPAIN
from rules_engine.narration import ask, narrate, reason
from rules_engine.ruling import Ruling
from rules_engine.scenario import scenario_of

CARD = {"holder": "3", "claim": "stake", "calls": [{"by": "ponto", "says": "card"}]}
NO = {"holder": "3", "claim": "stake", "calls": [{"by": "ponto", "says": "no"}]}
SEVERAL = {"kind": "ponto_gets_several", "wish": "stand"}
ADVICE = {"kind": "advice_asked", "asker": "ponto"}


def ruled(book: str, **facts: Any) -> Ruling:
    law = rulebook(book)
    return law.rule(law.game.read({**law.game.ordinary, **facts}))


@pytest.mark.parametrize("given", [["5h", "6c"], ["5h", "6c", "Kc"]])
def test_sanremo_70_more_or_less_favourable_is_a_reading_and_in_no_exam(given: list[str]) -> None:
    ruling = ruled(SANREMO, **CARD, ponto=["2s", "Kd", *given], banker_cards=["3c", "4h"], incident=SEVERAL)
    assert not ruling.exam_safe


def test_sanremo_70_by_the_rule_is_plain() -> None:
    facts = CARD | {"ponto": ["2s", "Kd", "5h", "6c"], "banker_cards": ["3c", "4h"], "by_table": ["banker"]}
    assert ruled(SANREMO, **facts, incident=SEVERAL).exam_safe


@pytest.mark.parametrize(("adviser", "safe"), [("croupier", True), ("inspector", False), ("5", False)])
def test_spain_4_who_the_offender_is_is_a_reading(adviser: str, safe: bool) -> None:
    facts = {
        "holder": "3",
        "claim": "stake",
        "ponto": ["Ks", "4d"],
        "incident": ADVICE | {"adviser": adviser, "answered": True},
    }
    assert ruled(SPAIN, **facts).exam_safe is safe


def test_sanremo_67_offers_nobody_and_not_that_it_does_not_arise() -> None:
    facts = NO | {"ponto": ["3s", "3d"], "banker_cards": ["4s", "2h", "3c"], "next": ["7d"]}
    law = rulebook(SANREMO)
    situation = law.game.read({**law.game.ordinary, **facts, "incident": {"kind": "banker_has_extra_cards"}})
    scenario = scenario_of(situation, law)
    winner = next(question for question in scenario.questions if question.key == "winner")
    assert "nobody" in winner.options
    assert not winner.may_not_arise


def test_nobody_is_not_offered_beside_that_it_does_not_arise() -> None:
    """63 s3: the betting is open, and nobody offers the difference."""
    law = rulebook(SANREMO)
    facts = {
        "ponto": ["Kh", "5d"],
        "banker_cards": ["6c", "Td"],
        "next": ["9c", "Td"],
        "stakes": [{"player": "3", "amount": 300}],
        "incident": {"kind": "ponto_cards_binned", "cards": ["ponto.1"]},
    }
    scenario = scenario_of(law.game.read({**law.game.ordinary, **facts}), law)
    asked = next(question for question in scenario.questions if question.key == "difference_to")
    assert asked.may_not_arise
    assert "nobody" not in asked.options


def told(scenario: Scenario, language: str) -> list[str]:
    book, situation = scenario.book, scenario.situation
    sentences = narrate(situation, book, language)
    sentences += [ask(question.key, situation, book, language) for question in scenario.questions]
    return sentences + [reason(step, book, language) for step in scenario.solve().steps]


@pytest.mark.parametrize(("book", "language"), [(SANREMO, "it"), (SPAIN, "es")])
def test_a_sentence_begins_with_a_capital_and_its_articles_merge(book: str, language: str) -> None:
    wrong = re.compile(r"[.!?] [a-zà-ú]|\b(a|di|de) (il|el) |\b(a|di) l'")
    for topic in topics(book):
        for seed in range(6):
            for sentence in told(generate(book, topic, seed, 1 + seed % 5), language):
                assert not wrong.search(sentence), sentence
