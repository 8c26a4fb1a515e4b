"""The questions must not tell the ruling: neither which are asked, nor in which order, nor what may be picked."""

from collections import defaultdict
from functools import cache
from typing import Any

import msgspec
import pytest

from rules_engine import (
    DOES_NOT_ARISE,
    GAMES,
    RULEBOOKS,
    Scenario,
    Utterance,
    answer_from,
    decode,
    encode,
    exam_fit,
    generate,
    grade,
    rulebook,
    scenario_of,
)
from rules_engine.announcements import hear
from rules_engine.asking import EVERY_BOOK, load_rows, questions_for
from rules_engine.narration import ask
from rules_engine.situation import kind_of
from rules_engine.topics import cases, topics

PT, SANREMO, SPAIN = "pt-chemin-de-fer", "it-sanremo-chemin-de-fer", "es-chemin-de-fer"
EACH = 15
# What no exam may ask, for every case: cards alike that no rule tells apart, and a text that says too little.
UNFIT = {
    ("banker_takes_two", "banker_takes_two"),
    ("ponto_gets_several", "ponto_gets_two"),
    ("ponto_gets_several", "ponto_gets_three"),
    ("changed_word", "banker_has_baccara"),
}


@pytest.fixture(scope="module", params=RULEBOOKS)
def made(request: pytest.FixtureRequest) -> list[tuple[str, Scenario]]:
    """Scenarios of every case of a rulebook, with the name of the case."""
    book = rulebook(request.param)
    return [
        (case.name, scenario_of(_facts(case, book.id, number), book, topic=case.topic))
        for case in cases(book.id)
        for number in range(EACH)
    ]


def _facts(case: Any, book: str, number: int) -> Any:
    difficulty = 1 + number % 5
    return case.make(rulebook(book).game.draw("questions", book, case.name, number), rulebook(book), difficulty)


def _first(book: str, name: str, **wanted: str) -> Scenario:
    """The first scenario of a case that is ruled as wanted."""
    case = next(case for case in cases(book) if case.name == name)
    for number in range(200):
        scenario = scenario_of(_facts(case, book, number), rulebook(book), topic=case.topic)
        ruling = scenario.solve()
        if all(ruling.get(key) == value for key, value in wanted.items()):
            return scenario
    raise AssertionError(f"{name} is never ruled {wanted}")


def _rights(scenario: Scenario) -> dict[str, Any]:
    """The right answer by question, without its words."""
    ruling = scenario.solve()
    found = {question.key: ruling.get(question.key) for question in scenario.questions}
    return {key: DOES_NOT_ARISE if value is None else value for key, value in found.items()}


def test_the_same_facts_to_see_are_asked_the_same_whatever_the_ruling(made: list[tuple[str, Scenario]]) -> None:
    """Facts that differ in nothing the table of questions looks at get the same questions in the same order."""
    asked: defaultdict[tuple[Any, ...], set[tuple[Any, ...]]] = defaultdict(set)
    for _, scenario in made:
        if exam_fit(scenario):
            situation = scenario.situation
            told = frozenset(situation.plain_facts() & _looked_at(situation.game, kind_of(situation.incident)))
            again = situation.said_again("announcement", scenario.book)
            group = (kind_of(situation.incident), told, _every(scenario), again)
            asked[group].add(tuple((item.key, item.kind, item.may_not_arise) for item in scenario.questions))
    assert {group: sets for group, sets in asked.items() if len(sets) > 1} == {}


def _every(scenario: Scenario) -> tuple[tuple[str, ...], ...]:
    """What every star in the rows of this kind of incident stands for here."""
    rows = scenario.book.game.asked[kind_of(scenario.situation.incident)].values()
    stems = {item.key.partition("*")[0] for row in rows for item in row if "*" in item.key}
    return tuple(tuple(scenario.situation.every(stem)) for stem in sorted(stems))


@cache
def _looked_at(game: str, kind: str) -> frozenset[str]:
    """Every fact by which the rows of this kind of incident tell situations apart."""
    items = [item for row in GAMES[game].asked[kind].values() for item in row]
    return frozenset(term.strip("!") for item in items for terms in item.where for term in terms)


def test_no_two_questions_of_a_scenario_read_the_same(made: list[tuple[str, Scenario]]) -> None:
    for name, scenario in made:
        read = [ask(question.key, scenario.situation, scenario.book, "en") for question in scenario.questions]
        assert len(set(read)) == len(read), (name, read)


def test_two_cards_of_the_same_name_are_told_apart_by_where_they_lie() -> None:
    facts = {
        **rulebook(PT).game.ordinary,
        "ponto": ["Ks", "7d"],
        "banker_cards": ["2h", "Kc"],
        "loose": ["4h", "4h"],
        "calls": [{"by": "ponto", "says": "no"}, {"by": "croupier", "says": "card"}],
        "incident": {"kind": "wrong_word_repeated", "corrected": "after"},
    }
    situation = rulebook(PT).game.read(facts)
    first, second = (ask(f"fate.loose.{number}", situation, rulebook(PT), "pt") for number in (1, 2))
    assert first != second and "4♥" in first and "4♥" in second


def test_almost_every_scenario_that_is_safe_is_fit_for_an_exam(made: list[tuple[str, Scenario]]) -> None:
    unfit = {
        (kind_of(scenario.situation.incident), name)
        for name, scenario in made
        if scenario.solve().exam_safe and not exam_fit(scenario)
    }
    assert unfit <= UNFIT


def test_a_question_that_may_not_arise_sometimes_does_and_sometimes_does_not(
    made: list[tuple[str, Scenario]],
) -> None:
    """One that always arises need not offer that it does not; one that never does need not be asked."""
    seen: defaultdict[tuple[str, str], set[bool]] = defaultdict(set)
    for _, scenario in made:
        decided = {decision.key for decision in scenario.solve().decisions}
        for question in scenario.questions:
            if question.may_not_arise:
                seen[kind_of(scenario.situation.incident), question.key].add(question.key in decided)
    assert {key for key, both in seen.items() if len(both) == 1} == set()


def test_a_question_looks_the_same_whether_it_arises_or_not(made: list[tuple[str, Scenario]]) -> None:
    for _, scenario in made:
        decided = {decision.key: decision for decision in scenario.solve().decisions}
        present = scenario.situation.people()
        for question in scenario.questions:
            if question.may_not_arise:
                assert question.options[-1] == DOES_NOT_ARISE
                assert question.kind == scenario.book.game.kind_of_question(question.key)
                assert question.key not in decided or decided[question.key].kind == question.kind
            if question.kind == "player":
                others = [who for who in question.options if who not in present and who in scenario.book.game.staff]
                assert others == sorted(others), "the order of the others tells nothing"


def test_the_same_staff_may_be_picked_whoever_is_right(made: list[tuple[str, Scenario]]) -> None:
    offered: defaultdict[tuple[str, str], set[tuple[Any, ...]]] = defaultdict(set)
    for _, scenario in made:
        for question in scenario.questions:
            if question.kind == "player":
                staff = tuple(who for who in question.options if who in scenario.book.game.staff)
                offered[kind_of(scenario.situation.incident), question.key].add(staff)
    assert {key: staff for key, staff in offered.items() if len(staff) > 1} == {}


@pytest.mark.parametrize("game", GAMES)
def test_every_rule_has_its_row_and_every_row_its_rule(game: str) -> None:
    rows = GAMES[game].asked
    ruled: defaultdict[str, set[str]] = defaultdict(set)
    for incident, book in GAMES[game].rules:
        ruled[kind_of(incident)].add(book)
    assert set(rows) == set(ruled)
    for kind, row in rows.items():
        own = {book for book in ruled[kind] if not rulebook(book).like or rulebook(book).like.id not in ruled[kind]}
        assert set(row) in ({EVERY_BOOK}, own, ruled[kind]), kind


@pytest.mark.parametrize(
    ("book", "case", "outcomes"),
    [
        (PT, "stuck_order_unknown", ("annulled",)),
        (PT, "stuck_order_known", ("restored",)),
        (SANREMO, "ponto_gets_several_by_rule", ("annulled",)),
        (SANREMO, "croupier_mixes", ("annulled",)),
        (SANREMO, "croupier_mixes_but_order_known", ("restored",)),
    ],
)
def test_an_annulled_coup_asks_what_a_coup_that_stands_asks(book: str, case: str, outcomes: tuple[str, ...]) -> None:
    for outcome in outcomes:
        scenario = _first(book, case, coup=outcome)
        asked = questions_for(scenario.book, scenario.situation)
        assert asked is not None
        assert [question.key for question in scenario.questions] == [item.key for item in asked.asked]


def test_pt_104_c_the_cards_of_an_annulled_coup_are_burned_and_nothing_else_arises() -> None:
    rights = _rights(_first(PT, "stuck_order_unknown"))
    assert rights == {
        "coup": "annulled",
        "banker_draw": DOES_NOT_ARISE,
        "fate.loose.1": "burned",
        "fate.loose.2": "burned",
        "ponto_score": DOES_NOT_ARISE,
        "winner": "nobody",
    }


def test_what_does_not_arise_weighs_together_as_one_decision() -> None:
    scenario = _first(PT, "stuck_order_unknown")
    mark = grade(scenario, answer_from({"parts": _rights(scenario)}))
    assert mark.perfect
    idle = [part for part in mark.parts if part.right == DOES_NOT_ARISE]
    assert sum(part.of for part in idle) == 2 == next(part.of for part in mark.parts if part.key == "coup")


@pytest.mark.parametrize(
    ("given", "reason"),
    [(DOES_NOT_ARISE, ""), ("must_draw", "lost.does_not_arise"), ("", "lost.unanswered"), (None, "lost.unanswered")],
)
def test_a_question_that_does_not_arise_is_answered_by_saying_so(given: str | None, reason: str) -> None:
    scenario = _first(PT, "stuck_order_unknown")
    mark = grade(scenario, answer_from({"parts": _rights(scenario) | {"banker_draw": given}}))
    part = next(part for part in mark.parts if part.key == "banker_draw")
    assert (part.reason, part.points, part.critical) == (reason, 0 if reason else 1, False)


@pytest.mark.parametrize("key", ["banker_draw", "ponto_score"])
def test_that_a_question_does_not_arise_is_wrong_where_it_does(key: str) -> None:
    scenario = _first(PT, "stuck_order_known")
    mark = grade(scenario, answer_from({"parts": {key: DOES_NOT_ARISE}}))
    part = next(part for part in mark.parts if part.key == key)
    assert (part.points, part.reason) == (0, "lost.arises")


def test_a_scenario_stored_before_asks_and_counts_what_it_asked() -> None:
    """Questions are graded as they were put: nothing arises that was not asked."""
    scenario = _first(PT, "stuck_order_unknown")
    asked = [question for question in scenario.questions if question.key in ("coup", "winner")]
    stored = decode(encode(msgspec.structs.replace(scenario, version="1.0.0", questions=tuple(asked))))
    mark = grade(stored, answer_from({"parts": {"coup": "annulled", "winner": "nobody"}}))
    assert (mark.points, mark.of, [part.key for part in mark.parts]) == (2, 2, ["coup", "winner"])
    assert not exam_fit(stored)


def test_a_clause_on_hold_is_not_fit_for_an_exam() -> None:
    held = next(s for n in range(200) if not (s := generate(PT, "draw_faults", n, 3)).solve().exam_safe)
    assert not exam_fit(held)


def test_facts_the_table_does_not_foresee_are_asked_as_ruled_and_kept_out_of_exams(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    situation = _first(PT, "banker_has_baccara").situation
    rows = load_rows({"changed_word": "banker_option winner"})
    monkeypatch.setitem(GAMES["chemin_de_fer"].asked, "changed_word", rows["changed_word"])
    scenario = scenario_of(situation, rulebook(PT))
    assert [question.key for question in scenario.questions] == ["banker_option"]
    assert not exam_fit(scenario)


@pytest.mark.parametrize("book", ["pt-banca-francesa", "pt-black-jack", "pt-craps", "pt-cussec", "pt-maquinas"])
def test_how_many_sums_are_offered_does_not_tell_that_nothing_is_due(book: str) -> None:
    offered: dict[bool, list[int]] = {True: [], False: []}
    for topic in topics(book):
        for seed in range(20):
            scenario = generate(book, topic, seed, 3)
            ruling = scenario.solve()
            for question in scenario.questions:
                if question.kind == "amount":
                    offered[ruling.get(question.key) == 0].append(len(question.options))
    nothing, something = (sum(counts) / len(counts) for counts in (offered[True], offered[False]))
    assert abs(nothing - something) < 0.3


@pytest.mark.parametrize("calls", [[("4", "banco")], [("2", "banco"), ("4", "suivi")]])
def test_no_order_is_asked_where_one_alone_can_have_the_right(calls: list[tuple[str, str]]) -> None:
    changes: dict[str, Any] = {
        "calls": [{"by": by, "says": says} for by, says in calls],
        "incident": {"kind": "claims_open", "lost": "4", "lost_by": "banco"},
    }
    scenario = scenario_of(GAMES["chemin_de_fer"].read({**GAMES["chemin_de_fer"].ordinary, **changes}), rulebook(PT))
    assert "priority" not in {question.key for question in scenario.questions}
    assert scenario.solve()["priority"] == ("4",)


def test_one_player_in_an_order_is_offered_beside_others() -> None:
    changes: dict[str, Any] = {
        "calls": [{"by": "4", "says": "banco"}],
        "stakes": [{"player": "2", "amount": 100}, {"player": "4", "amount": 1000}],
        "incident": {"kind": "claims_open"},
    }
    facts = {**GAMES["chemin_de_fer"].ordinary, **changes}
    asked = {
        question.key: question for question in scenario_of(GAMES["chemin_de_fer"].read(facts), rulebook(PT)).questions
    }
    assert ("4",) in asked["priority"].options
    assert len(asked["priority"].options) > 1


@pytest.mark.parametrize("said", ["Bancô", "Bancô com prioridade", "Bancô sozinho"])
def test_words_that_the_text_leaves_open_are_all_right_and_are_not_asked(said: str) -> None:
    """Portugal 96 a) fixes no words for a bancô after another kind of call (PT96)."""
    changes: dict[str, Any] = {
        "calls": [{"by": "2", "says": "banco_table"}, {"by": "6", "says": "banco"}],
        "incident": {"kind": "claims_open"},
    }
    facts = {**GAMES["chemin_de_fer"].ordinary, **changes}
    scenario = scenario_of(GAMES["chemin_de_fer"].read(facts), rulebook(PT))
    assert "announcement" not in [question.key for question in scenario.questions]
    assert exam_fit(scenario)
    words = scenario.solve()["announcement"]
    assert isinstance(words, Utterance)
    assert hear(rulebook(PT).formulas, words, said, ["pt"]).ok


@pytest.mark.parametrize("seed", range(12))
def test_nobody_is_offered_a_sum_below_nought(seed: int) -> None:
    for book in (PT, SANREMO):
        scenario = generate(book, "payment", seed, 5)
        assert all(option >= 0 for q in scenario.questions for option in q.options if isinstance(option, int))


def test_what_a_rulebook_has_no_word_of_is_no_option_there() -> None:
    """Sanremo 6 and 7 do not exchange the parts of the pack after the cut, Portugal 13 does."""
    cut = GAMES["chemin_de_fer"].read(
        {**GAMES["chemin_de_fer"].ordinary, "incident": {"kind": "shoe_in_making", "done": "cut"}}
    )
    offered = {book: scenario_of(cut, rulebook(book)).questions[0].options for book in (PT, SANREMO)}
    assert "exchange_parts" in offered[PT]
    assert "exchange_parts" not in offered[SANREMO] and "warning_card" in offered[SANREMO]
