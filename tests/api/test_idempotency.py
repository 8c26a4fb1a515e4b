"""A write with an Idempotency-Key is carried out once, whatever happens on the way."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from tests.practice.drills import RULEBOOK, TOPIC
from training.api import idempotency
from training.api.models import KeptAnswer
from training.people.models import Role
from training.practice.models import Drill

FREE = {"mode": "free", "rulebook": RULEBOOK, "topic": TOPIC}
KEY = "0b9f2c1e"


@pytest.fixture
def trainee(signed_in: Callable[..., Client]) -> Client:
    return signed_in(Role.TRAINEE)


def start(client: Client, body: Any = FREE, key: str = KEY) -> Any:
    headers = {"Idempotency-Key": key}
    return client.post("/api/v1/drills/", body, content_type="application/json", headers=headers)


def refusal(response: Any) -> tuple[int, str]:
    return response.status_code, response.json()["error"]["code"]


def aged(by: timedelta) -> None:
    KeptAnswer.objects.update(began_at=timezone.now() - by)


def test_the_same_request_again_gets_the_same_answer_and_does_nothing(trainee: Client) -> None:
    first, second = start(trainee), start(trainee)
    assert (first.status_code, second.status_code) == (201, 201)
    assert first.content == second.content
    assert ("Idempotent-Replayed" in first, second["Idempotent-Replayed"]) == (False, "true")
    assert second["Content-Type"] == "application/json"
    assert Drill.objects.count() == 1


def test_the_order_of_the_fields_does_not_make_another_request(trainee: Client) -> None:
    start(trainee)
    assert start(trainee, dict(reversed(FREE.items()))).status_code == 201
    assert Drill.objects.count() == 1


def test_without_a_key_or_with_another_it_is_another_request(trainee: Client) -> None:
    start(trainee)
    start(trainee, key="another")
    trainee.post("/api/v1/drills/", FREE, content_type="application/json")
    assert Drill.objects.count() == 3


@pytest.mark.parametrize("other", [FREE | {"difficulty": 3}, {}])
def test_the_same_key_with_another_body_is_refused(trainee: Client, other: Any) -> None:
    start(trainee)
    assert refusal(start(trainee, other)) == (422, "key_reused")
    assert Drill.objects.count() == 1


def test_the_same_key_at_another_address_is_refused(trainee: Client) -> None:
    drill = start(trainee).json()
    address = f"/api/v1/drills/{drill['id']}/answer/"
    answer = trainee.post(address, FREE, content_type="application/json", headers={"Idempotency-Key": KEY})
    assert refusal(answer) == (422, "key_reused")


def test_while_it_is_carried_out_the_second_is_told_to_wait(trainee: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    inner: list[tuple[int, str]] = []

    def meanwhile(*args: Any, **kwargs: Any) -> Any:
        if not inner:
            inner.append((0, ""))
            inner[0] = refusal(start(trainee))
        return real(*args, **kwargs)

    real = idempotency.JSONRenderer.render  # type: ignore[attr-defined]
    monkeypatch.setattr(idempotency.JSONRenderer, "render", meanwhile)  # type: ignore[attr-defined]
    assert start(trainee).status_code == 201
    assert inner == [(409, "in_progress")]
    assert Drill.objects.count() == 1


def test_a_request_that_was_cut_off_may_be_sent_again_after_a_while(trainee: Client) -> None:
    start(trainee)
    KeptAnswer.objects.update(status=None)
    aged(idempotency.CUT_OFF - timedelta(seconds=10))
    assert refusal(start(trainee)) == (409, "in_progress")
    aged(idempotency.CUT_OFF)
    assert start(trainee).status_code == 201


def test_what_was_refused_frees_its_key(trainee: Client) -> None:
    assert refusal(start(trainee, {})) == (422, "invalid")
    assert start(trainee).status_code == 201


def test_a_fault_of_ours_leaves_nothing_behind(trainee: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("training.api.drills.write_drill", lambda _drill: 1 / 0)
    trainee.raise_request_exception = False
    assert start(trainee).status_code == 500
    assert not Drill.objects.exists()
    assert not KeptAnswer.objects.exists()


def test_keys_of_two_people_are_two_keys(trainee: Client, signed_in: Callable[..., Client]) -> None:
    start(trainee)
    assert start(signed_in(Role.TRAINEE)).status_code == 201
    assert Drill.objects.count() == 2


@pytest.mark.parametrize(("key", "status"), [("x" * 255, 201), ("x" * 256, 422), ("", 422), ("chave\u00e9", 422)])
def test_a_key_is_short_and_plain(trainee: Client, key: str, status: int) -> None:
    assert start(trainee, key=key).status_code == status


def test_an_answer_is_kept_for_a_day(trainee: Client) -> None:
    start(trainee)
    aged(idempotency.KEPT_FOR - timedelta(minutes=1))
    assert idempotency.forget_old() == 0
    start(trainee)
    assert Drill.objects.count() == 1
    aged(idempotency.KEPT_FOR)
    start(trainee)
    assert Drill.objects.count() == 2
    aged(idempotency.KEPT_FOR)
    assert idempotency.forget_old() == 1


def test_reading_takes_no_notice_of_a_key(trainee: Client) -> None:
    assert trainee.get("/api/v1/drills/", headers={"Idempotency-Key": ""}).status_code == 200
    assert not KeptAnswer.objects.exists()


def test_the_schema_tells_of_the_header_where_something_is_written(trainee: Client) -> None:
    schema = trainee.get("/api/schema/", headers={"Accept": "application/vnd.oai.openapi+json"}).json()
    drills = schema["paths"]["/api/v1/drills/"]
    named = {way: [part["name"] for part in drills[way].get("parameters", [])] for way in ("get", "post")}
    assert "Idempotency-Key" in named["post"]
    assert "Idempotency-Key" not in named["get"]
