"""The published schema accepts what the engine makes and refuses what the engine refuses."""

import json
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from rules_engine import RULEBOOKS, encode, generate, grade, scenario_from, topics
from rules_engine.__main__ import main
from rules_engine.errors import EngineError
from rules_engine.grading import Answer
from rules_engine.schema import schema

SCHEMA = schema()
ALL = [(book, topic) for book in RULEBOOKS for topic in topics(book)]


def of(name: str) -> Draft202012Validator:
    return Draft202012Validator({"$ref": f"#/$defs/{name}", "$defs": SCHEMA["$defs"]})


def plain(value: Any) -> Any:
    return json.loads(encode(value))


def test_the_schema_is_one() -> None:
    Draft202012Validator.check_schema(SCHEMA)


@pytest.mark.parametrize(("book", "topic"), ALL)
def test_it_accepts_what_the_engine_makes(book: str, topic: str) -> None:
    for seed in range(3):
        scenario = generate(book, topic, seed, 1 + seed)
        of("Scenario").validate(plain(scenario))
        of("Ruling").validate(plain(scenario.solve()))
        answer = Answer({question.key: None for question in scenario.questions})
        of("Answer").validate(plain(answer))
        of("Mark").validate(plain(grade(scenario, answer)))


@pytest.mark.parametrize(
    ("change", "where"),
    [
        ({"bank": "200"}, "situation.bank: expected int"),
        ({"seats": [10]}, "situation.seats[0]: expected at most 9"),
        ({"incident": {"kind": "poker"}}, "situation.incident.kind"),
        ({"colour": "green"}, "situation: `colour` is not known here"),
    ],
)
def test_it_refuses_what_the_engine_refuses(change: dict[str, Any], where: str) -> None:
    document = plain(generate("pt-chemin-de-fer", "third_card", 1))
    document["situation"] |= change
    assert not of("Scenario").is_valid(document)
    with pytest.raises(EngineError) as error:
        scenario_from(document)
    assert str(error.value).startswith(where)


def test_a_fault_inside_the_incident_is_placed_there() -> None:
    document = plain(generate("pt-chemin-de-fer", "third_card", 1))
    document["situation"]["incident"]["colour"] = "green"
    assert not of("Scenario").is_valid(document)
    with pytest.raises(EngineError, match=r"^situation\.incident: `colour` is not known here"):
        scenario_from(document)


def test_a_situation_of_another_game_is_refused() -> None:
    document = plain(generate("pt-chemin-de-fer", "third_card", 1))
    assert not of("Scenario").is_valid(document | {"rulebook": "pt-ponto-banca-macau"})


def test_every_kind_of_incident_is_described() -> None:
    described = {
        definition["properties"]["kind"]["enum"][0]
        for definition in SCHEMA["$defs"].values()
        if "kind" in definition.get("properties", {}) and "enum" in definition["properties"]["kind"]
    }
    made = {generate(book, topic, 1).situation.incident.__struct_config__.tag for book, topic in ALL}
    assert made <= described


def test_it_is_printed_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["schema"]) == 0
    assert json.loads(capsys.readouterr().out)["title"].startswith("Sabot rules engine: chemin_de_fer ")
