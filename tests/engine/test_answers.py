"""Whatever fits the schema of an answer is measured and its mark can be shown; no answer breaks the grading."""

import pytest

from rules_engine import RULEBOOKS, Answer, Scenario, generate, grade, rulebook, scenario_of, topics
from rules_engine.grading import Given
from rules_engine.narration import lost, show

SUBJECTS = [(book, topic) for book in RULEBOOKS for topic in topics(book)]
GIVEN: tuple[Given, ...] = (
    *(None, "", " ", "\n", [], 0, -1, 5, 2**70),
    *("²", "٣", "5", "1.000", "€", "x" * 300, "does_not_arise", "1, 2", "4a", "nobody"),
    *(["1", "2"], ["²"], ["nobody"]),
    *("Carte", "Card", "Carta", "7 au ponte, 5 à la banque", "Les jeux sont faits, rien ne va plus"),
)


@pytest.mark.parametrize(("book", "topic"), SUBJECTS)
def test_an_answer_of_any_shape_is_measured_and_shown(book: str, topic: str) -> None:
    for seed in range(5):
        scenario = generate(book, topic, seed, 1 + seed)
        kinds = {question.key: question.kind for question in scenario.questions}
        for given in GIVEN:
            parts = {key: None if kind == "choice" else given for key, kind in kinds.items()}
            for part in grade(scenario, Answer(parts)).parts:
                shown = show(part.key, kinds[part.key], part.given, scenario.book, "pt")
                assert isinstance(shown, str)
                assert bool(lost(part, scenario.book, "pt")) != part.correct


def coup(ponto: str, banker: str, kind: str) -> Scenario:
    facts = {"seats": [1, 2], "banker": "1", "ponto": ["Kh", ponto], "banker_cards": ["Kd", banker]}
    situation = rulebook("pt-chemin-de-fer").game.read(facts | {"incident": {"kind": kind}})
    return scenario_of(situation, rulebook("pt-chemin-de-fer"))


def test_a_reason_may_hold_a_value_called_language() -> None:
    """What was said in French is marked so, and the mark can be shown."""
    scenario = coup("7s", "5c", "coup_finished")
    answer = Answer({"announcement": "7 au ponte, 5 à la banque"})
    (part,) = [part for part in grade(scenario, answer).parts if part.key == "announcement"]
    assert (part.reason, part.values) == ("heard.wrong_language", {"language": "pt"})
    assert lost(part, scenario.book, "en") == "It must be said in the language asked for; another may only follow."


@pytest.mark.parametrize(("given", "right"), [("²", False), ("٣", True), ("3", True), (3, True), (["3"], False)])
def test_a_number_is_read_in_whatever_digits_make_one(given: Given, right: bool) -> None:
    marked = grade(coup("3s", "5c", "scores_to_read"), Answer({"ponto_score": given})).parts
    assert {part.key: part.correct for part in marked}["ponto_score"] is right
