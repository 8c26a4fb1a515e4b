"""What a program finds in `rules_engine` alone: facts built by hand, rulings, words and figures, typed all the way."""

import inspect
import json
from typing import Any, get_type_hints

import pytest

import rules_engine
from rules_engine import RULEBOOKS, EngineError, ImpossibleFacts, decode, encode, generate, rulebook, topics
from rules_engine.__main__ import main

FACTS: dict[str, Any] = {
    "seats": [1, 2, 3],
    "banker": "1",
    "bank": 100,
    "holder": "2",
    "stakes": [{"player": "2", "amount": 100}],
    "calls": [{"by": "ponto", "says": "no"}],
    "ponto": ["Ks", "5h"],
    "banker_cards": ["2s", "2h"],
    "next": ["4s"],
    "incident": {"kind": "banker_to_decide", "wish": "draw"},
}


def test_facts_are_built_ruled_on_and_said_from_the_package_alone() -> None:
    book = rulebook("pt-chemin-de-fer")
    ruling = book.rule(book.situation(**FACTS))
    assert ruling["winner"] == "banker"
    assert (ruling.results["ponto_score"], ruling.results["banker_score"]) == (5, 8)
    assert book.say(ruling["announcement"]) == "5 no ponto, 8 na banca"
    assert ruling.after.heap("banker") == ("2s", "2h", "4s")
    assert [(paid.payer, paid.payee, paid.amount) for paid in ruling.after.payments] == [("2", "bank", 100)]


@pytest.mark.parametrize(
    ("winner", "cards", "deduction", "paid"),
    [
        ("banker", {"ponto": ["Ks", "7h"], "banker_cards": ["Kh", "8s"]}, 50, 950),
        ("ponto", {"ponto": ["Ks", "8h"], "banker_cards": ["Kh", "7s"]}, 0, 500),
        ("tie", {"ponto": ["Ks", "8h"], "banker_cards": ["Kh", "8s"]}, 0, 0),
    ],
)
def test_what_the_house_keeps_is_read_under_one_name(
    winner: str, cards: dict[str, Any], deduction: int, paid: int
) -> None:
    book = rulebook("pt-ponto-banca-1995")
    bets = [{"player": "1", "on": "banker", "amount": 1000}, {"player": "2", "on": "ponto", "amount": 500}]
    ruling = book.rule(book.situation(seats=[1, 2], minimum=20, bets=bets, **cards, incident={"kind": "coup_over"}))
    results = ruling.results
    assert (results["winner"], results["deduction"], results["paid"]) == (winner, deduction, paid)


def test_a_fact_that_cannot_be_is_named() -> None:
    with pytest.raises(ImpossibleFacts, match="holder: nobody is at 7"):
        rulebook("pt-chemin-de-fer").situation(**FACTS | {"holder": "7"})
    with pytest.raises(EngineError, match=r"^situation\.calls\[0\]\.says: 'bancoo' is not one"):
        rulebook("pt-chemin-de-fer").situation(**FACTS | {"calls": [{"by": "2", "says": "bancoo"}]})


def test_a_bare_rulebook_and_situation_are_enough_to_be_solved(
    tmp_path: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "facts.json"
    file.write_text(json.dumps({"rulebook": "pt-chemin-de-fer", "topic": "third_card", "situation": FACTS}))
    assert main(["solve", str(file)]) == 0
    assert "Who wins the coup? bank" in capsys.readouterr().out
    bare = decode(json.dumps({"rulebook": "pt-chemin-de-fer", "situation": FACTS}))
    assert [question.key for question in bare.questions] == ["banker_draw", "winner", "announcement"]
    assert decode(encode(bare)) == bare


@pytest.mark.parametrize("book_id", RULEBOOKS)
def test_results_hold_every_decision_and_contradict_none(book_id: str) -> None:
    for topic in topics(book_id):
        for seed in range(5):
            ruling = generate(book_id, topic, seed, 1 + seed).solve()
            for decision in ruling.decisions:
                assert ruling.results[decision.key] == decision.value
                assert ruling.outcome.get(decision.key, decision.value) == decision.value, (topic, seed, decision.key)


def test_no_public_function_takes_a_situation_of_any_type() -> None:
    # The check of an incident is written by each game for its own facts.
    functions = [getattr(rules_engine, name) for name in rules_engine.__all__ if name != "Incident"]
    methods = [method for found in functions if inspect.isclass(found) for method in vars(found).values()]
    for function in (*functions, *methods):
        if inspect.isfunction(function) and "situation" in inspect.signature(function).parameters:
            assert get_type_hints(function)["situation"] is not Any, function
