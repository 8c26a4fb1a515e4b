"""Portugal 66 and 96: where foreigners play, the croupier says it in Portuguese and then in French or in English."""

from typing import Any

import pytest

from rules_engine import RULEBOOKS, Answer, generate, grade, rulebook
from rules_engine.narration import ask, narrate, show
from rules_engine.scenario import Scenario, exam_fit, scenario_of

PT, SANREMO = "pt-chemin-de-fer", "it-sanremo-chemin-de-fer"
CALLS = [{"by": "6", "says": "banco"}, {"by": "2", "says": "banco"}]


def table(book: str = PT, **facts: Any) -> Scenario:
    ordinary: dict[str, Any] = {
        "seats": [1, 2, 3, 4, 5, 6],
        "banker": "1",
        "bank": 1000,
        "minimum": 100,
        "unit": 10,
        "foreigners": True,
    }
    found = rulebook(book)
    ordinary["incident"] = {"kind": "coup_over", "result": "lost", "shoe_ends": True}
    return scenario_of(found.situation(**ordinary | facts), found)


def reason(scenario: Scenario, key: str, said: str) -> str:
    parts = {part.key: part for part in grade(scenario, Answer({key: said})).parts}
    return parts[key].reason


@pytest.mark.parametrize(
    ("language", "said", "other"),
    [("fr", "La main passe", "La main reste"), ("en", "The hand passes", "The hand stays")],
)
def test_pt_cdf_96_the_words_are_asked_and_heard_in_their_language(language: str, said: str, other: str) -> None:
    scenario = table(foreign_language=language)
    key = f"announcement.{language}"
    assert [question.key for question in scenario.questions][-2:] == ["announcement", key]
    assert reason(scenario, key, said) == ""
    assert reason(scenario, key, "A mão passa") == "heard.wrong_language"
    assert reason(scenario, key, other) == "heard.wrong_moment"
    assert exam_fit(scenario) and "96 s0" in scenario.solve().cites


def test_pt_cdf_96_the_portuguese_is_still_asked_by_itself() -> None:
    scenario = table(foreign_language="fr")
    assert reason(scenario, "announcement", "A mão passa") == ""
    assert reason(scenario, "announcement", "A mão passa. La main passe") == ""
    assert reason(scenario, "announcement", "La main passe") == "heard.wrong_language"


def test_pt_cdf_96_what_is_offered_and_shown_is_in_that_language() -> None:
    scenario = table(foreign_language="fr")
    question = next(one for one in scenario.questions if one.key == "announcement.fr")
    assert set(question.options) == {"La main passe", "La main reste"}
    right = scenario.solve()["announcement.fr"]
    assert show("announcement.fr", "words", right, scenario.book, "pt") == "La main passe"
    assert "francês" in ask("announcement.fr", scenario.situation, scenario.book, "pt")
    assert any("falam francês" in line for line in narrate(scenario.situation, scenario.book, "pt"))


SPOKEN: dict[str, Any] = {
    "holder": "3",
    "claim": "stake",
    "ponto": ["Ks", "4d"],
    "banker_cards": ["2c", "3h"],
    "hidden": ["banker.1", "banker.2"],
    "stakes": [{"player": "3", "amount": 100}],
    "calls": [{"by": "ponto", "says": "card"}],
    "incident": {"kind": "coup_goes_on"},
}


def test_pt_cdf_66_where_all_is_in_order_the_foreigners_have_heard_the_word() -> None:
    repeated = SPOKEN | {"calls": [*SPOKEN["calls"], {"by": "croupier", "says": "card"}]}
    told = [table(**facts, foreign_language="en") for facts in (SPOKEN, repeated)]
    heard = ["também na língua deles" in " ".join(narrate(one.situation, one.book, "pt")) for one in told]
    assert heard == [False, True]


def test_pt_cdf_66_the_pontos_word_is_repeated_in_english() -> None:
    scenario = table(**SPOKEN | {"incident": {"kind": "word_spoken"}}, foreign_language="en")
    assert reason(scenario, "announcement.en", "Card") == ""
    assert reason(scenario, "announcement.en", "No") == "heard.wrong_moment"


def test_the_other_texts_do_not_ask_for_it() -> None:
    stakes = [{"player": place, "amount": 1000} for place in ("2", "6")]
    facts = {"calls": CALLS, "stakes": stakes, "foreign_language": "fr", "incident": {"kind": "claims_open"}}
    keys = {question.key for question in table(SANREMO, **facts).questions}
    assert not any(key.startswith("announcement") for key in keys)


def test_every_formula_of_portugal_is_known_in_both_languages() -> None:
    for book in (PT, "pt-chemin-de-fer-1995"):
        assert all({"pt", "fr", "en"} <= formula.text.keys() for formula in RULEBOOKS[book].formulas.values())


def test_generated_tables_ask_for_it_now_and_then() -> None:
    asked = {question.key for seed in range(200) for question in generate(PT, "bank_passing", seed, 3).questions}
    assert {"announcement.fr", "announcement.en"} <= asked
