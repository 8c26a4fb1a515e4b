"""The engine's doors: rulebooks, generation, grading, documents and the command line."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import rules_engine
from rules_engine import GAMES, RULEBOOKS, answer_from, decode, encode, generate, grade, readings
from rules_engine.__main__ import main
from rules_engine.errors import EngineError, ImpossibleFacts, UnknownName
from rules_engine.narration import citation

THIRD_CARD = ("pt-chemin-de-fer", "third_card")


@pytest.fixture
def scenario() -> rules_engine.Scenario:
    return generate(*THIRD_CARD, 7, article="67 d")


def facts(scenario: rules_engine.Scenario) -> dict[str, Any]:
    return dict(json.loads(encode(scenario)))


def test_every_open_reading_named_in_a_checklist_is_recorded() -> None:
    recorded = readings()
    for book in RULEBOOKS.values():
        for row in book.law.rows.values():
            assert not row.reading or row.reading in recorded, (book.id, row.cite)
            assert not row.hold or row.reading, f"{book.id} {row.cite} is held without a reading"


def test_every_number_of_a_rulebook_names_its_article() -> None:
    for book in RULEBOOKS.values():
        for name, entry in book.law.numbers.items():
            assert entry.get("cite"), (book.id, name)


@pytest.mark.parametrize("game", GAMES)
def test_portuguese_has_every_sentence(game: str) -> None:
    words = GAMES[game].words
    assert set(words.catalogue("en")) == set(words.catalogue("pt"))


@pytest.mark.parametrize("game", GAMES)
def test_a_sentence_that_is_none_is_an_error(game: str) -> None:
    with pytest.raises(UnknownName, match=r"sentence 'no\.such'"):
        GAMES[game].words.text("no.such", "en")


@pytest.mark.parametrize(
    ("cite", "shown"),
    [
        ("104 e", "104 e)"),
        ("104 f-1", "104 f)"),
        ("2 s2", "2"),
        ("96 c-10", "96 c)"),
        ("3 p4-1", "3 §4"),
        ("113 T-3", "113"),
    ],
)
def test_citations_are_shown_as_the_regulation_counts(cite: str, shown: str) -> None:
    assert citation(cite) == shown


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"rulebook": "pt-poker"}, "unknown rulebook 'pt-poker'; known: es-chemin-de-fer"),
        ({"difficulty": 6}, "scenario.difficulty: expected at most 5"),
        ({"topic": None}, "scenario.topic: expected str, not null"),
    ],
)
def test_a_document_that_is_no_scenario_is_refused(
    scenario: rules_engine.Scenario, change: dict[str, Any], complaint: str
) -> None:
    with pytest.raises(EngineError) as refused:
        rules_engine.scenario_from(facts(scenario) | change)
    assert str(refused.value).startswith(complaint)


def test_no_card_is_there_more_often_than_the_packs_have_it(scenario: rules_engine.Scenario) -> None:
    document = facts(scenario)
    document["situation"] |= {"next": ["As"] * 7}
    with pytest.raises(EngineError, match=r"^cards: [789] copies of As in 6 packs"):
        rules_engine.scenario_from(document)


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"seats": [1, 1, 2, 3]}, "seats: a seat is listed twice"),
        ({"seats": [1, 2, 3, 12]}, "situation.seats[3]: expected at most 9"),
        ({"banker": "9"}, "banker: nobody is at 9"),
        ({"next": ["Zs"]}, "situation.next[0]: this is not how it is written"),
        ({"incident": {"kind": "earthquake"}}, "situation.incident.kind: unknown kind 'earthquake'"),
        ({"weather": "fine"}, "situation: `weather` is not known here"),
    ],
)
def test_facts_that_cannot_be_are_refused_by_name(
    scenario: rules_engine.Scenario, change: dict[str, Any], complaint: str
) -> None:
    document = facts(scenario)
    document["situation"] |= {
        "seats": [1, 2, 3, 4],
        "banker": "1",
        "holder": "2",
        "stakes": [],
        "standing": [],
    } | change
    with pytest.raises(EngineError) as refused:
        rules_engine.scenario_from(document)
    assert str(refused.value).startswith(complaint)


def test_difficulty_and_topic_must_exist() -> None:
    with pytest.raises(EngineError, match="difficulty: 6 is not from 1 to 5"):
        generate(*THIRD_CARD, 1, 6)
    with pytest.raises(UnknownName, match="unknown topic of pt-chemin-de-fer 'poker'"):
        generate("pt-chemin-de-fer", "poker", 1)
    with pytest.raises(UnknownName, match="unknown practised article of pt-chemin-de-fer '999'"):
        generate("pt-chemin-de-fer", None, 1, article="999")


def test_an_article_can_be_asked_for() -> None:
    for seed in range(20):
        assert "102 s2" in generate("pt-chemin-de-fer", None, seed, article="102 s2").solve().pivots


def test_an_empty_answer_loses_every_point_and_says_so(scenario: rules_engine.Scenario) -> None:
    mark = grade(scenario, answer_from({"parts": {}}))
    assert (mark.points, mark.of) == (0, 4)
    assert {part.reason for part in mark.parts} == {"lost.unanswered"}
    assert mark.critical_missed


def test_every_lost_point_has_a_reason(scenario: rules_engine.Scenario) -> None:
    ruling = scenario.solve()
    wrong = {
        question.key: "9 no ponto, 9 na banca"
        if question.kind == "words"
        else next(option for option in question.options if option != ruling[question.key])
        for question in scenario.questions
    }
    mark = grade(scenario, answer_from({"parts": wrong}))
    assert [(part.points, bool(part.reason)) for part in mark.parts] == [(0, True)] * 3


def test_an_answer_to_another_question_is_no_answer(scenario: rules_engine.Scenario) -> None:
    with pytest.raises(EngineError, match=r"answer.weather: there is no such question"):
        grade(scenario, answer_from({"parts": {"weather": "fine"}}))


def test_impossible_facts_are_an_engine_error() -> None:
    assert issubclass(ImpossibleFacts, EngineError)
    with pytest.raises(EngineError, match="not JSON"):
        decode(b"{")


def run(*arguments: str) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run([sys.executable, "-m", "rules_engine", *arguments], capture_output=True, check=False)


GENERATE = ("generate", "--rulebook", "pt-chemin-de-fer", "--topic", "third_card", "--seed", "7")


def test_the_command_line_makes_the_same_bytes_again_and_solves_them(tmp_path: Path) -> None:
    first, second = run(*GENERATE), run(*GENERATE)
    assert first.returncode == 0
    assert first.stdout == second.stdout
    path = tmp_path / "scenario.json"
    path.write_bytes(first.stdout)
    solved = run("solve", str(path))
    assert solved.returncode == 0
    ruling = decode(first.stdout).solve()
    for step in ruling.steps:
        assert f"[{step.cite}]" in solved.stdout.decode()
    assert json.loads(run("solve", str(path), "--json").stdout)["rulebook"] == "pt-chemin-de-fer"


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        (b"", "scenario: not JSON"),
        (b"{}", "scenario: `rulebook` is missing"),
        (b"[1, 2", "scenario: not JSON"),
        (b"\xff\xfe", "scenario: not JSON"),
    ],
)
def test_a_broken_file_is_one_line_on_stderr_and_status_2(tmp_path: Path, content: bytes, complaint: str) -> None:
    path = tmp_path / "broken.json"
    path.write_bytes(content)
    done = run("solve", str(path))
    assert (done.returncode, done.stdout) == (2, b"")
    (line,) = done.stderr.decode().splitlines()
    assert line.startswith(f"rules_engine: {complaint}")


def test_a_missing_file_is_one_line_too(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["solve", str(tmp_path / "none.json")]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert "No such file" in line


def test_the_lists_and_the_mark_come_as_json_too(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], scenario: rules_engine.Scenario
) -> None:
    question, answer = tmp_path / "q.json", tmp_path / "a.json"
    question.write_bytes(encode(scenario))
    answer.write_text('{"parts": {"winner": "ponto"}}')
    for arguments in (
        ["rulebooks"],
        ["topics", "--rulebook", "pt-chemin-de-fer"],
        ["grade", str(question), str(answer)],
        ["compare", str(question)],
    ):
        assert main([*arguments, "--json"]) == 0
        assert json.loads(capsys.readouterr().out)
        assert main(arguments) == 0
        assert capsys.readouterr().out
