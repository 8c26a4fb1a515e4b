"""Scenario files: what goes out can come in; what is wrong is named by row and field; all or nothing."""

import csv
import io
import json
from collections.abc import Callable
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse
from django.utils import translation
from jsonschema import Draft202012Validator

import rules_engine
from tests.library.versions import instructor, make_draft, make_published, make_scenario, make_story_draft
from training.library import import_export
from training.library.file_schema import file_schema
from training.library.models import PendingImport, Version
from training.people.models import Role
from training.platform.engine_json import as_stored
from training.platform.errors import RowError, UnfitList

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("in_english")]


@pytest.fixture
def client(signed_in: Callable[..., Client]) -> Client:
    return signed_in(Role.INSTRUCTOR)


def row(seed: str = "1", **changes: Any) -> dict[str, Any]:
    return as_stored(make_scenario(seed)) | changes


def content(*rows: Any) -> bytes:
    return json.dumps(rows).encode()


def errors_of(file: bytes) -> list[RowError]:
    with pytest.raises(UnfitList) as unfit:
        import_export.read(file)
    return unfit.value.errors


def upload(client: Client, file: bytes) -> Any:
    return client.post(reverse("import_scenarios"), {"file": SimpleUploadedFile("scenarios.json", file)})


def exported(client: Client, name: str, **filters: str) -> bytes:
    return b"".join(client.get(reverse(name), filters).streaming_content)  # type: ignore[attr-defined]


def test_what_goes_out_comes_in_the_same(client: Client) -> None:
    words = {"pt": {"title": "Título", "note": "*nota*"}}
    made = [make_published(seed="1", words=words), make_draft(seed="2", words={})]
    file = exported(client, "export_scenarios_json")
    assert Draft202012Validator(file_schema()).is_valid(json.loads(file))
    assert upload(client, file).status_code == 200
    assert Version.objects.count() == 2
    assert client.post(reverse("confirm_import"), {"known": "yes"}).status_code == 302
    new = Version.objects.filter(author=client.person)  # type: ignore[attr-defined]
    assert {rules_engine.encode(version.scenario) for version in new} == {
        rules_engine.encode(version.scenario) for version in made
    }
    assert {version.state for version in new} == {"draft"}
    assert {version.source for version in new} == {"imported"}
    assert sorted(map(str, (version.words for version in new))) == sorted([str(words), "{}"])


def test_only_the_facts_are_needed_and_questions_are_not_believed() -> None:
    full = row()
    least = {name: full[name] for name in ("rulebook", "topic", "situation")}
    doctored = full | {"questions": [], "engine": "0"}
    read = import_export.read(content(least, doctored))
    assert [entry.scenario.questions for entry in read] == [make_scenario().questions] * 2
    assert read[0].scenario.difficulty == 2


def with_fact(**facts: Any) -> dict[str, Any]:
    found = row()
    return found | {"situation": found["situation"] | facts}


def with_call(says: str) -> dict[str, Any]:
    return with_fact(calls=[*row()["situation"]["calls"], {"by": "croupier", "says": says}])


@pytest.mark.parametrize(
    ("bad", "field", "reason"),
    [
        (lambda: with_fact(bank="much"), "situation.bank", "Expected a whole number, not text."),
        (lambda: with_fact(banker="9i"), "situation.banker", "Nobody is at 9i."),
        (lambda: with_fact(seats=[1, 44]), "situation.seats[1]", "Expected at most 9."),
        (lambda: with_fact(incident={"kind": "poker"}), "situation.incident.kind", "Unknown kind 'poker'."),
        (lambda: with_call("poker"), "situation.calls[4].says", "'poker' is not one of the choices."),
        (lambda: row(situation=3), "situation", "Expected an object with an `incident` object."),
        (lambda: row(rulebook="poker"), "rulebook", "'poker' is not one of pt-chemin-de-fer, "),
        (lambda: row(rulebook=[]), "rulebook", "[] is not one of pt-chemin-de-fer, "),
        (lambda: row(topic="poker"), "topic", "Unknown topic of Portugal · chemin de fer 'poker'."),
        (lambda: row(difficulty=6), "difficulty", "Expected at most 5."),
        (lambda: row(seed="a\x00b"), "seed", "Must be at most 64 plain characters"),
        (lambda: row(colour="green"), "colour", "Unknown field."),
        (lambda: row(words={"fr": {}}), "words.fr", "is not one of the languages"),
        (lambda: {"rulebook": "pt-chemin-de-fer"}, "topic", "Is missing."),
        (lambda: "scenario", "scenario", "Expected an object."),
    ],
)
def test_each_error_names_its_row_and_field(bad: Callable[[], Any], field: str, reason: str) -> None:
    (error,) = errors_of(content(row(), bad(), row("2")))
    assert (error.row, error.field) == (2, field)
    assert error.reason.startswith(reason)


@pytest.mark.parametrize(
    ("bad", "name"),
    [
        (lambda: with_fact(bank="much"), "Bank"),
        (lambda: with_call("poker"), "Said and done, in order, no. 5, says or does"),
        (lambda: row(situation=3), "Facts"),
        (lambda: row(rulebook="poker"), "Rulebook"),
        (lambda: row(difficulty=6), "Difficulty"),
        (lambda: row(tags=3), "Tags"),
        (lambda: row(tags=["x" * 1000]), "Tags"),
        (lambda: row(words={"fr": {}}), "Words"),
        (lambda: row(words={"pt": {"title": 3}}), "Title (pt)"),
        (lambda: row(moments=3), "What happens next"),
        (lambda: row(moments=["x"]), "Moment 2"),
        (lambda: row(moments=[with_fact(bank="much")]), "Moment 2, Facts"),
        (lambda: "scenario", "Scenario"),
        (lambda: row(colour="green"), "colour"),  # as the file calls it
    ],
)
def test_each_error_is_told_by_the_name_of_its_place(bad: Callable[[], Any], name: str) -> None:
    (error,) = errors_of(content(bad()))
    assert error.name == name


def test_errors_are_told_in_the_language_of_whoever_imports() -> None:
    with translation.override("pt"):
        (bank,) = errors_of(content(with_fact(bank="much")))
        (banker,) = errors_of(content(with_fact(banker="9i")))
        (topic,) = errors_of(content(row(topic="poker")))
    assert bank.reason == "Espera-se um número inteiro, não texto."
    assert banker.reason == "Não há ninguém no lugar 9i."
    assert topic.reason == "Portugal · chemin de fer não tem o tema «poker»."


def test_all_errors_are_told_at_once() -> None:
    found = errors_of(content(row(topic="poker"), row(), row(difficulty=0)))
    assert [(error.row, error.field) for error in found] == [(1, "topic"), (3, "difficulty")]


@pytest.mark.parametrize(
    ("file", "reason"),
    [
        (b"", "no scenario"),
        (b"[", "ends too early"),
        (b"\xff\xfe", "no scenario"),  # an empty file in UTF-16
        (b"\xfe", "neither JSON nor a table"),
        (b"[" * 100_000, "not valid JSON"),
        (b"{}", "must contain a list"),
        (b"[]", "no scenario"),
        (b" " * (import_export.MAX_BYTES + 1), "larger than 5 MB"),
        (content(*[{}] * 501), "more than 500"),
    ],
)
def test_a_file_that_is_none_is_refused(client: Client, file: bytes, reason: str) -> None:
    (error,) = errors_of(file)
    assert error.row == 0
    assert reason in error.reason
    assert upload(client, file).status_code == 422


def test_a_dry_run_stores_no_scenario_and_a_bad_row_stops_them_all(client: Client) -> None:
    response = upload(client, content(row(), row("2", topic="poker")))
    shown = response.content.decode()
    assert response.status_code == 422
    assert ">Tema<" in shown and "<code>" not in shown
    assert not PendingImport.objects.exists()
    assert client.post(reverse("confirm_import")).status_code == 302
    assert not Version.objects.exists()


def test_confirming_twice_imports_once(client: Client) -> None:
    upload(client, content(row(), row("2")))
    for _ in range(2):
        assert client.post(reverse("confirm_import")).status_code == 302
    assert Version.objects.count() == 2


def test_a_newer_file_takes_the_place_of_the_older(client: Client) -> None:
    upload(client, content(row(), row("2")))
    upload(client, b"\xef\xbb\xbf" + content(row("3")))
    client.post(reverse("confirm_import"))
    assert Version.objects.get().scenario == make_scenario("3")


def test_one_cannot_confirm_the_file_of_another(client: Client) -> None:
    import_export.dry_run(instructor(), content(row()))
    client.post(reverse("confirm_import"))
    assert not Version.objects.exists()
    assert PendingImport.objects.exists()


def test_all_or_nothing_when_the_engine_changes_between_check_and_confirm(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    upload(client, content(row(), row("2")))
    monkeypatch.setattr(rules_engine, "topics", lambda book: ())
    response = client.post(reverse("confirm_import"))
    assert response.status_code == 409
    assert not Version.objects.exists()


def test_the_csv_list_opens_safely_in_a_spreadsheet(client: Client) -> None:
    author = instructor(name="@Nome")
    make_draft(author, words={"pt": {"title": '=HYPERLINK("https://elsewhere.example")'}})
    make_draft(author, "2", words={"pt": {"title": "Título, com vírgula"}})
    text = exported(client, "export_scenarios_csv").decode("utf-8-sig")
    rows = list(csv.DictReader(io.StringIO(text), delimiter=";"))
    assert {row["Título"] for row in rows} == {
        '\'=HYPERLINK("https://elsewhere.example")',
        "Título, com vírgula",
    }
    assert {row["Autor"] for row in rows} == {"'@Nome"}
    assert {row["Estado"] for row in rows} == {"rascunho"}


@pytest.mark.parametrize("name", ["export_scenarios_json", "export_scenarios_csv", "export_scenarios_xlsx"])
def test_every_export_comes_in_unchanged(client: Client, name: str) -> None:
    words = {"pt": {"title": "-5 €, e agora?", "story": "Linha\noutra; «mais»"}, "en": {"note": "=Why"}}
    made = [make_draft(words=words), make_story_draft(seed="2"), make_draft(seed="3", words={})]
    answer = client.get(reverse(name))
    file = b"".join(answer.streaming_content) if answer.streaming else answer.content  # type: ignore[attr-defined]
    taker = instructor()
    import_export.dry_run(taker, file)
    taken = import_export.confirm(taker)
    facts = [(one.scenario_document["situation"], one.words, one.moments) for one in reversed(made)]
    assert [(one.scenario_document["situation"], one.words, one.moments) for one in taken] == facts


def test_a_list_without_scenarios_is_refused_with_the_reason() -> None:
    listed = "Number,Scenario,Version,State,Rulebook,Topic,Difficulty,Title,Tags,Source,Author\n"
    row = "1,abc,1,draft,Portugal · chemin de fer,The banker's third card,2,Night,,generated,Alda\n"
    [error] = errors_of((listed + row).encode())
    assert "does not contain them" in error.reason


def test_what_is_wrong_with_json_is_said_in_the_language_of_the_reader() -> None:
    with translation.override("pt"):
        [cut] = errors_of(content(row())[:-20])
        [broken] = errors_of(b'[\n  {"rulebook": pt}]')
    assert "falta uma parte" in cut.reason
    assert "linha 2, coluna 16" in broken.reason


def test_a_library_larger_than_an_import_goes_out_in_parts(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(import_export, "MAX_SCENARIOS", 2)
    made = [make_draft(seed=str(number)) for number in range(3)]
    parts = [json.loads(exported(client, "export_scenarios_json", part=part)) for part in ("1", "2", "3", "x")]
    assert [len(part) for part in parts] == [2, 1, 0, 2]
    assert parts[1][0]["situation"] == made[0].scenario_document["situation"]


def test_exports_follow_the_filters(client: Client) -> None:
    make_published(seed="1")
    make_draft(seed="2")
    assert len(json.loads(exported(client, "export_scenarios_json", state="published"))) == 1
    assert len(json.loads(exported(client, "export_scenarios_json", q="nothing like it"))) == 0


def test_the_schema_refuses_what_the_import_refuses() -> None:
    schema = Draft202012Validator(file_schema())
    assert schema.is_valid([row(), {name: row()[name] for name in import_export.NEEDED}])
    for bad in (with_fact(bank="much"), row(colour="green"), row(words={"fr": {}}), row(difficulty=6), {}):
        assert not schema.is_valid([bad])
    assert not schema.is_valid([])
