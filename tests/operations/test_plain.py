"""Whatever is sent, the answer is never “our fault”: unreadable, unstorable and endless things are refused by name."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import pytest
from django.conf import settings
from django.core.cache import cache
from django.test import Client
from rest_framework.throttling import AnonRateThrottle

from exams.sittings.browser import DEVICE_COOKIE
from tests.factories import PersonFactory
from training.people.models import Role
from training.platform.storable import DEEPEST, LARGEST, unplain
from training.practice import services

SignIn = Callable[..., Client]
# A limit that somebody lifts by mistake is noticed here.
LIMIT = 256 * 1024


def nested(depth: int) -> str:
    return "[" * depth + "]" * depth


UNFIT = {
    "deep": '{"mode": ' + nested(6000) + "}",
    "deep enough": '{"mode": ' + nested(DEEPEST + 1) + "}",
    "surrogate": '{"mode": "\\ud800"}',
    "surrogate in a key": '{"\\udfff": "free"}',
    "NUL": '{"mode": "a\\u0000b"}',
    "large": json.dumps({"difficulty": 10**30}),
    "endless": '{"difficulty": 1e999}',
}


@pytest.mark.django_db
@pytest.mark.parametrize("name", UNFIT)
@pytest.mark.parametrize("address", ["drills/", "solve/", "scenarios/"])
@pytest.mark.parametrize("headers", [{}, {"Idempotency-Key": "one"}], ids=["", "with a key"])
def test_what_cannot_be_stored_is_refused_to_programs(
    signed_in: SignIn, name: str, address: str, headers: dict[str, str]
) -> None:
    client = signed_in(Role.TRAINEE, Role.INSTRUCTOR)
    answer = client.post(f"/api/v1/{address}", UNFIT[name], content_type="application/json", headers=headers)
    assert (answer.status_code, answer.json()["error"]["code"]) == (400, "malformed")


@pytest.mark.parametrize(
    ("value", "fits"),
    [(LARGEST, True), (LARGEST + 1, False), (-LARGEST - 1, False), (json.loads(nested(DEEPEST)), True)],
)
def test_the_limits_of_what_fits(value: Any, fits: bool) -> None:
    assert (unplain([value] if isinstance(value, int) else value) == "") == fits


@pytest.mark.django_db
@pytest.mark.parametrize(("size", "status"), [(LIMIT, 422), (LIMIT + 1, 413)])
def test_the_limit_of_a_body_decides(signed_in: SignIn, size: int, status: int) -> None:
    body = '{"mode": "' + "x" * (size - 12) + '"}'
    assert len(body) == size
    answer = signed_in(Role.TRAINEE).post("/api/v1/drills/", body, content_type="application/json")
    assert answer.status_code == status


@pytest.mark.django_db
@pytest.mark.parametrize("address", ["/appeals/?programme=%00", "/practice/history/?topic=a%00b", "/rulebooks/%00/"])
def test_a_nul_in_an_address_is_no_fault_of_ours(signed_in: SignIn, address: str) -> None:
    assert signed_in(Role.TRAINEE, Role.HR).get(address).status_code in (400, 404)


@pytest.mark.django_db
@pytest.mark.parametrize("name", [settings.SESSION_COOKIE_NAME, settings.CSRF_COOKIE_NAME, DEVICE_COOKIE])
def test_a_cookie_that_cannot_be_stored_is_none(client: Client, name: str) -> None:
    """Between quotes a cookie may hold any character by its number."""
    answer = client.get("/account/login/", headers={"Cookie": f'{name}="aaaaaaaaaa\\000bbb"; kept=yes'})
    assert answer.status_code == 200
    assert answer.wsgi_request.COOKIES == {"kept": "yes"}


@pytest.mark.django_db
def test_a_page_that_is_no_address_leads_home(client: Client) -> None:
    """Browsers send the page that a fragment is for; who has not signed in is led back to it after."""
    headers = {"HX-Request": "true", "HX-Current-URL": "http://[nowhere"}
    answer = client.get("/classes/", headers=headers)
    assert answer.headers["HX-Redirect"].endswith("?next=/")


@pytest.mark.django_db
def test_a_nul_in_an_answer_is_refused_and_nothing_is_stored(client: Client) -> None:
    trainee = PersonFactory(roles=[Role.TRAINEE])
    drill = services.start_drill(trainee, rulebook="pt-chemin-de-fer", topic="third_card", difficulty=2)
    client.force_login(trainee)
    answer = client.post(f"/practice/{drill.pk}/", {"q.announcement": "sete\x00"})
    assert answer.status_code == 400
    assert not hasattr(drill, "attempt")


@pytest.mark.django_db
@pytest.mark.parametrize("address", ["/scenarios/{}/", "/api/v1/scenarios/{}/", "/hr/people/{}/", "/figures/flags/{}/"])
def test_a_number_past_every_range_is_not_found(signed_in: SignIn, address: str) -> None:
    client = signed_in(Role.TRAINEE, Role.INSTRUCTOR, Role.HR)
    assert client.get(address.format(10**30)).status_code == 404
    assert client.get(address.format(10**9 - 1)).status_code == 404


@pytest.mark.django_db
def test_who_asks_without_signing_in_is_slowed_down_too(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    cache.clear()
    monkeypatch.setattr(AnonRateThrottle, "THROTTLE_RATES", {"anon": "3/min", "user": "300/min"})
    assert [client.get("/api/v1/drills/").status_code for _ in range(5)] == [401, 401, 401, 429, 429]
    cache.clear()


@pytest.mark.parametrize("proxies", ["0", "2"])
def test_one_setting_says_how_many_proxies_there_are_wherever_addresses_count(proxies: str) -> None:
    asked = (
        "from training import settings as s; "
        "print(s.TRUSTED_PROXIES, s.REST_FRAMEWORK['NUM_PROXIES'], s.ALLAUTH_TRUSTED_PROXY_COUNT)"
    )
    environment = {**os.environ, "TRUSTED_PROXIES": proxies}
    said = subprocess.run([sys.executable, "-c", asked], env=environment, capture_output=True, text=True, check=True)
    assert said.stdout.split() == [proxies] * 3


@pytest.mark.django_db
@pytest.mark.parametrize(("proxies", "counted_alone"), [(0, False), (1, True)])
def test_who_is_slowed_down_is_the_one_before_the_proxy(
    client: Client, monkeypatch: pytest.MonkeyPatch, proxies: int, counted_alone: bool
) -> None:
    cache.clear()
    monkeypatch.setattr(AnonRateThrottle, "THROTTLE_RATES", {"anon": "1/min", "user": "300/min"})
    monkeypatch.setattr("rest_framework.throttling.api_settings.NUM_PROXIES", proxies)
    asked = [
        client.get("/api/v1/drills/", headers={"X-Forwarded-For": f"203.0.113.{host}"}).status_code for host in (1, 2)
    ]
    assert asked == [401, 401 if counted_alone else 429]
    cache.clear()
