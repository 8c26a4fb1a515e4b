"""Logs that can be followed and that give nothing away."""

import json
import logging
from collections.abc import Callable
from io import StringIO
from typing import Any
from unittest.mock import patch

import pytest
import structlog
from celery import shared_task
from django.test import Client

from tests.factories import PASSWORD, PersonFactory
from tests.running import until
from training.operations import logs
from training.people.models import Role

log = structlog.get_logger(__name__)
done: list[str] = []


@shared_task
def speak(word: str) -> None:
    log.info("spoken", word=word)
    done.append(word)


def events(caplog: pytest.LogCaptureFixture, name: str) -> list[dict[str, Any]]:
    return [r.msg for r in caplog.records if isinstance(r.msg, dict) and r.msg.get("event") == name]


@pytest.mark.parametrize("given", ["", "short", "a" * 65, "with spaces in it", "line\tbreak-here", "ünicode-letters"])
def test_a_request_without_a_sane_id_gets_one(client: Client, given: str) -> None:
    seen = {client.get("/healthz", headers={"X-Request-ID": given})["X-Request-ID"] for _ in range(2)}
    assert len(seen) == 2
    assert all(len(request_id) == 32 and request_id != given for request_id in seen)


def test_the_proxys_request_id_is_kept(client: Client) -> None:
    assert client.get("/healthz", headers={"X-Request-ID": "proxy-1234.5"})["X-Request-ID"] == "proxy-1234.5"


def test_a_request_is_one_line_with_id_route_and_person(
    signed_in: Callable[..., Client], caplog: pytest.LogCaptureFixture
) -> None:
    client = signed_in(Role.TRAINEE)
    client.get("/account/2fa/?token=secret", headers={"X-Request-ID": "proxy-1234"})
    (line,) = events(caplog, "request")
    assert {key: line[key] for key in ("request_id", "route", "status", "method", "user_id")} == {
        "request_id": "proxy-1234",
        "route": "account/2fa/",
        "status": 200,
        "method": "GET",
        "user_id": client.person.pk,  # type: ignore[attr-defined]
    }
    assert "secret" not in caplog.text


def test_what_one_request_bound_does_not_reach_the_next(
    signed_in: Callable[..., Client], caplog: pytest.LogCaptureFixture
) -> None:
    signed_in(Role.TRAINEE).get("/account/2fa/")
    Client().get("/account/login/")
    first, second = events(caplog, "request")
    assert "user_id" in first
    assert "user_id" not in second


@pytest.mark.django_db
def test_passwords_and_reset_keys_are_not_logged(client: Client, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    user = PersonFactory()
    client.post("/account/login/", {"login": user.email, "password": "mistyped-secret"})
    client.post("/account/login/", {"login": user.email, "password": PASSWORD})
    client.get("/account/password/reset/key/1-private-reset-key/")
    assert len(events(caplog, "request")) == 3
    for secret in ("mistyped-secret", PASSWORD, "private-reset-key"):
        assert secret not in caplog.text


@pytest.fixture
def written(monkeypatch: pytest.MonkeyPatch) -> StringIO:
    """What the platform's own handler writes, as an operator reads it."""
    out = StringIO()
    [handler] = [one for one in logging.getLogger().handlers if one.get_name() == "stderr"]
    monkeypatch.setattr(handler, "stream", out)
    return out


@pytest.mark.django_db
def test_an_error_is_logged_by_its_route_and_never_by_its_path(written: StringIO) -> None:
    path = "/account/password/reset/key/1-private-reset-key/"
    with patch("allauth.account.views.UserTokenForm.is_valid", side_effect=RuntimeError("carta a mais")):
        assert Client(raise_request_exception=False).get(path).status_code == 500
    assert Client(enforce_csrf_checks=True).post(path).status_code == 403
    logging.getLogger("gunicorn.error").error("Error handling request %s", path + "?token=secret")
    told = written.getvalue()
    assert "Internal Server Error: account/" in told and "carta a mais" in told and "Forbidden" in told
    assert "Error handling request a path" in told
    for secret in ("private-reset-key", "token=secret"):
        assert secret not in told


def test_a_foreign_host_is_one_warning_without_a_traceback(written: StringIO) -> None:
    assert (
        Client(raise_request_exception=False).get("/account/login/", headers={"Host": "evil.example"}).status_code
        == 400
    )
    told = [line for line in written.getvalue().splitlines() if "evil.example" in line]
    assert len(told) == 1 and "warning" in told[0]
    assert "Traceback" not in written.getvalue() and "error" not in written.getvalue()


@pytest.mark.django_db
def test_probes_are_quiet_while_all_is_well(client: Client, caplog: pytest.LogCaptureFixture) -> None:
    client.get("/healthz")
    assert events(caplog, "request") == []
    assert client.get("/readyz").status_code == 503
    assert len(events(caplog, "request")) == 1


def test_the_request_id_follows_into_the_task(worker: None, caplog: pytest.LogCaptureFixture) -> None:
    done.clear()
    with structlog.contextvars.bound_contextvars(request_id="proxy-1234"):
        speak.delay("bancô")
    speak.delay("suivi")
    until("both are spoken", lambda: len(done) == 2, within=10)
    first, second = events(caplog, "spoken")
    assert (first["word"], first["request_id"], first["task"]) == ("bancô", "proxy-1234", speak.name)
    assert "request_id" not in second


@pytest.mark.parametrize("readable", [True, False])
def test_every_line_is_json_in_production(readable: bool, capsys: pytest.CaptureFixture[str]) -> None:
    formatter = logging.config.DictConfigurator(logs.config(readable=readable)).configure_formatter(
        logs.config(readable=readable)["formatters"]["structured"]
    )
    try:
        raise ValueError("carta a mais")
    except ValueError:
        record = logging.LogRecord("kombu", logging.ERROR, "f.py", 1, "failed %s", ("badly",), None)
        record.exc_info = __import__("sys").exc_info()
    line = formatter.format(record)
    assert "failed badly" in line
    assert "carta a mais" in line
    if not readable:
        parsed = json.loads(line)
        assert (parsed["event"], parsed["level"], parsed["logger"]) == ("failed badly", "error", "kombu")
