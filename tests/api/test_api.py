"""The API does what the pages do, and says what is wrong in one shape."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from tests.classes.rooms import make_class
from tests.factories import PersonFactory
from tests.house import House, graded
from tests.library.versions import TITLED, instructor, make_draft, make_scenario
from tests.practice.drills import RULEBOOK, TOPIC, right_answer
from training.library import import_export
from training.library.models import Version
from training.people.models import Role
from training.platform.engine_json import as_stored
from training.practice import services
from training.practice.models import Attempt, Drill

SignIn = Callable[..., Client]
FREE = {"mode": "free", "rulebook": RULEBOOK, "topic": TOPIC, "difficulty": 2}


def post(client: Client, address: str, body: Any) -> tuple[int, Any]:
    response = client.post(f"/api/v1/{address}", body, content_type="application/json")
    return response.status_code, response.json()


def code(answer: tuple[int, Any]) -> tuple[int, str]:
    return answer[0], answer[1]["error"]["code"]


@pytest.fixture
def trainee(signed_in: SignIn) -> Client:
    return signed_in(Role.TRAINEE)


@pytest.fixture
def teacher(signed_in: SignIn) -> Client:
    return signed_in(Role.INSTRUCTOR)


def test_a_trainee_starts_answers_and_reads_the_mark(trainee: Client) -> None:
    status, drill = post(trainee, "drills/", FREE)
    assert (status, drill["state"], drill["mark"]) == (201, "open", None)
    answer = {"answer": right_answer(Drill.objects.get().scenario)}
    assert set(answer["answer"]) == {question["key"] for question in drill["questions"]}
    for _again in range(2):
        status, stored = post(trainee, f"drills/{drill['id']}/answer/", answer)
        assert (status, stored["state"]) == (202, "submitted")
    services.grade(Attempt.objects.get().pk)
    mark = trainee.get(f"/api/v1/drills/{drill['id']}/").json()["mark"]
    assert mark["perfect"]
    assert mark["points"] == mark["of"] == sum(part["of"] for part in mark["parts"])
    assert any(step["pivot"] for step in mark["steps"])
    assert trainee.get("/api/v1/drills/").json()["results"][0]["points"] == mark["points"]


def test_another_answer_is_refused_and_the_first_stays(trainee: Client) -> None:
    drill = post(trainee, "drills/", FREE)[1]
    address = f"drills/{drill['id']}/answer/"
    assert post(trainee, address, {"answer": {}})[0] == 202
    other = right_answer(Drill.objects.get().scenario)
    assert code(post(trainee, address, {"answer": other})) == (409, "already_answered")
    assert Attempt.objects.get().answer == {"parts": {}}


def test_what_is_no_answer_is_refused_by_name_and_not_stored(trainee: Client) -> None:
    drill = post(trainee, "drills/", FREE)[1]
    answer = post(trainee, f"drills/{drill['id']}/answer/", {"answer": {"no_such": "1"}})
    assert code(answer) == (422, "bad_answer")
    assert list(answer[1]["error"]["fields"]) == ["answer.no_such"]
    assert not Attempt.objects.exists()


@pytest.mark.parametrize(
    ("body", "fields"),
    [
        ({}, ["mode"]),
        ({"mode": "free"}, ["rulebook", "topic"]),
        (FREE | {"topic": "no_such"}, ["topic"]),
        (FREE | {"difficulty": 6}, ["difficulty"]),
        ({"mode": "assigned"}, ["assignment"]),
    ],
)
def test_a_start_that_cannot_be_names_its_fields(trainee: Client, body: Any, fields: list[str]) -> None:
    answer = post(trainee, "drills/", body)
    assert code(answer) == (422, "invalid")
    assert list(answer[1]["error"]["fields"]) == fields


def test_what_the_scheduler_put_is_put_again_until_answered(trainee: Client) -> None:
    first, second = (post(trainee, "drills/", {"mode": "scheduled"})[1] for _ in range(2))
    assert first["id"] == second["id"]
    assert code(post(trainee, "drills/", {"mode": "replay"})) == (409, "nothing_left")


def test_a_scenario_is_flagged_after_its_mark_and_once(db: None) -> None:
    house = House()
    client = Client()
    client.force_login(house.trainee)
    address, body = f"drills/{house.drill.pk}/flag/", {"text": "Falta uma carta."}
    assert code(post(client, address, body)) == (409, "refused")
    graded(house.drill)
    assert post(client, address, body)[0] == 201
    assert code(post(client, address, body)) == (409, "already_flagged")


def test_a_draft_is_made_reviewed_and_published_by_a_second_person(teacher: Client, signed_in: SignIn) -> None:
    made = as_stored(make_scenario())
    body = {name: made[name] for name in ("rulebook", "topic", "situation", "difficulty")}
    untitled = post(teacher, "scenarios/", body)[1]
    assert code(post(teacher, f"scenarios/{untitled['id']}/acts/", {"act": "submit"})) == (409, "refused")
    status, draft = post(teacher, "scenarios/", body | {"words": TITLED})
    assert (status, draft["state"]) == (201, "draft")
    assert "submit" in draft["acts"]
    address = f"scenarios/{draft['id']}/acts/"
    assert post(teacher, address, {"act": "submit"})[1]["state"] == "in_review"
    assert code(post(teacher, address, {"act": "publish"})) == (409, "refused")
    published = post(signed_in(Role.INSTRUCTOR), address, {"act": "publish"})[1]
    assert published["state"] == "published"
    assert published["ruling"]["decisions"]
    answer = post(teacher, address, {"act": "retire"})
    assert (code(answer), list(answer[1]["error"]["fields"])) == ((422, "invalid"), ["comment"])


def test_impossible_facts_are_named_and_nothing_is_kept(teacher: Client) -> None:
    made = as_stored(make_scenario())
    made["situation"]["ponto"] = ["no such card"]
    body = {name: made[name] for name in ("rulebook", "topic", "situation")}
    answer = post(teacher, "scenarios/", body)
    assert code(answer) == (422, "invalid")
    assert answer[1]["error"]["fields"]
    assert not Version.objects.exists()
    assert code(post(teacher, "solve/", {"rulebook": RULEBOOK, "situation": made["situation"]})) == (
        422,
        "impossible_facts",
    )


def test_what_the_engine_refuses_is_told_in_the_language_asked_for(teacher: Client) -> None:
    made = as_stored(make_scenario())["situation"] | {"banker": "9i"}
    teacher.post("/language/", {"language": "pt", "next": "/"})
    error = post(teacher, "solve/", {"rulebook": RULEBOOK, "situation": made})[1]["error"]
    assert error["message"] == "Banqueiro: não há ninguém no lugar 9i."
    assert error["fields"] == {"situation.banker": ["Não há ninguém no lugar 9i."]}


def test_the_engine_solves_what_it_generated(teacher: Client) -> None:
    body = {"rulebook": RULEBOOK, "topic": TOPIC, "seed": "abc", "count": 2}
    offered = post(teacher, "generate/", body)[1]
    assert len(offered["scenarios"]) == 2
    assert offered == post(teacher, "generate/", body)[1]
    first = offered["scenarios"][0]
    solved = post(teacher, "solve/", {"rulebook": RULEBOOK, "situation": first["scenario"]["situation"]})
    assert solved == (200, first["solution"])


def test_an_import_is_checked_first_and_taken_whole_or_not_at_all(teacher: Client) -> None:
    good, bad = as_stored(make_scenario()), {"rulebook": RULEBOOK, "topic": TOPIC}
    assert post(teacher, "scenarios/import/", {"scenarios": [good]}) == (200, {"checked": 1, "made": []})
    answer = post(teacher, "scenarios/import/", {"scenarios": [good, bad], "dry_run": False})
    assert list(answer[1]["error"]["fields"]) == ["scenarios.1.situation"]
    assert not Version.objects.exists()
    status, done = post(teacher, "scenarios/import/", {"scenarios": [good, good], "dry_run": False})
    assert (status, len(done["made"])) == (200, 2)


def test_an_import_leaves_the_file_alone_that_waits_on_the_page(teacher: Client) -> None:
    """Two at once would have made each other's drafts, or none."""
    import_export.dry_run(teacher.person, json.dumps([as_stored(make_scenario("on the page"))]).encode())  # type: ignore[attr-defined]
    sent = as_stored(make_scenario("by a program"))
    status, done = post(teacher, "scenarios/import/", {"scenarios": [sent], "dry_run": False})
    assert (status, len(done["made"])) == (200, 1)
    [waiting] = import_export.confirm(teacher.person)  # type: ignore[attr-defined]
    assert waiting.scenario_document["situation"] != sent["situation"]


def test_a_class_is_enrolled_set_work_and_looked_at(teacher: Client) -> None:
    room, newcomer = make_class(teacher.person), PersonFactory()  # type: ignore[attr-defined]
    base = f"classes/{room.pk}"
    people = [{"email": newcomer.email}, {"email": "nobody@casino.example"}]
    answer = post(teacher, f"{base}/enrolments/", {"people": people})
    assert list(answer[1]["error"]["fields"]) == ["people.1.email"]
    assert post(teacher, f"{base}/enrolments/", {"people": people[:1]})[1]["enrolled"] == [newcomer.email]
    work = {"title": "Terceira carta", "due_at": timezone.now() + timezone.timedelta(days=2)}  # type: ignore[attr-defined]
    fresh = [{"rulebook": RULEBOOK, "topic": TOPIC, "count": 3}]
    assert post(teacher, f"{base}/assignments/", work | {"fresh": fresh})[0] == 201
    assert code(post(teacher, f"{base}/assignments/", work)) == (409, "refused")
    draft = make_draft(instructor())
    assert code(post(teacher, f"{base}/assignments/", work | {"versions": [draft.pk]})) == (422, "invalid")
    (line,) = teacher.get(f"/api/v1/{base}/grid/").json()["results"]
    assert line["trainee"]["email"] == newcomer.email
    assert not line["ready"]
    newcomers = Client()
    newcomers.force_login(newcomer)
    (set_work,) = newcomers.get("/api/v1/assigned/").json()["results"]
    assert set_work["left"] == 3
    assert post(newcomers, "drills/", {"mode": "assigned", "assignment": set_work["id"]})[1]["topic"] == TOPIC


@pytest.mark.parametrize(
    ("method", "address", "sent", "expected"),
    [
        ("get", "/api/v1/no-such/", {}, (404, "not_found")),
        ("get", "/api/v1/rulebooks/no-such/", {}, (404, "not_found")),
        ("put", "/api/v1/drills/", {}, (405, "method_not_allowed")),
        ("post", "/api/v1/drills/", {"data": "{", "content_type": "application/json"}, (400, "malformed")),
        ("post", "/api/v1/drills/", {"data": {"mode": "free"}}, (415, "unsupported_media_type")),
        (
            "post",
            "/api/v1/drills/",
            {"data": " " * (256 * 1024 + 1), "content_type": "application/json"},
            (413, "too_large"),
        ),
        ("get", "/api/v1/drills/?page=99", {}, (404, "not_found")),
    ],
)
def test_every_refusal_has_the_same_shape(
    trainee: Client, method: str, address: str, sent: Any, expected: tuple[int, str]
) -> None:
    response = getattr(trainee, method)(address, **sent)
    assert response["Content-Type"] == "application/json"
    body = response.json()
    assert (response.status_code, body["error"]["code"]) == expected
    assert set(body) == {"error"}
    assert set(body["error"]) == {"code", "message", "fields"}


@pytest.mark.parametrize("address", ["drills/", "drills/?size=2"])
def test_a_list_comes_in_pages_with_constant_queries(
    trainee: Client, address: str, django_assert_max_num_queries: Any
) -> None:
    for _ in range(3):
        post(trainee, "drills/", FREE)
    with django_assert_max_num_queries(6):
        body = trainee.get(f"/api/v1/{address}").json()
    assert body["count"] == 3
    assert len(body["results"]) == (2 if "size" in address else 3)


def test_the_docs_page_relaxes_the_policy_for_styles_only(trainee: Client) -> None:
    # The order of the directives is the library's and changes from process to process.
    policy = {part.strip() for part in trainee.get("/api/docs/")["Content-Security-Policy"].split(";")}
    assert {"style-src 'self' 'unsafe-inline'", "script-src 'self'"} <= policy
    assert "unsafe-inline" not in trainee.get("/")["Content-Security-Policy"]


def test_the_schema_names_every_address_and_every_error_code(trainee: Client) -> None:
    schema = trainee.get("/api/schema/", headers={"Accept": "application/vnd.oai.openapi+json"}).json()
    assert {"/api/v1/drills/{drill_id}/answer/", "/api/v1/solve/"} <= set(schema["paths"])
    told = schema["paths"]["/api/v1/drills/{drill_id}/answer/"]["post"]["responses"]
    assert "already_answered" in told["409"]["description"]
    assert "bad_answer" in told["422"]["description"]
