"""Errors go to a tracker where the house has one, and nothing private with them."""

import json
from collections.abc import Callable
from typing import Any

from tests.running import Installation

ADDRESS = "http://key@127.0.0.1:9/1"
LOADED = "import sys; print('sentry_sdk' in sys.modules)"
BROKEN = """
import json
import sentry_sdk
from django.test import Client, override_settings
from exams.certificates import keys

plain = {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}
override_settings(STORAGES={"staticfiles": plain}).enable()
caught = []
sentry_sdk.get_client().transport.capture_envelope = caught.append
keys.published = lambda private="private": 1 / 0
page = Client(SERVER_NAME="localhost", raise_request_exception=False, headers={"Cookie": "sessionid=private"})
assert page.get("/.well-known/jwks.json?key=private").status_code == 500
print(json.dumps([item.get_event() for envelope in caught for item in envelope.items], default=str))
"""
MISSING = "import sys; sys.modules['sentry_sdk'] = None; from training.operations import error_tracker; error_tracker.start('http://k@h/1')"


def run(install: Callable[..., Installation], code: str, **environment: str) -> tuple[str, str]:
    done = install(**environment).manage("shell", "-v0", "--no-imports", "-c", code)
    assert done.returncode == 0, done.stderr
    return done.stdout, done.stderr


def test_nothing_is_loaded_unless_it_is_asked_for(install: Callable[..., Installation]) -> None:
    assert run(install, LOADED)[0].strip() == "False"


def test_an_error_is_sent_without_path_cookies_or_values(install: Callable[..., Installation]) -> None:
    events: list[dict[str, Any]] = json.loads(run(install, BROKEN, SENTRY_DSN=ADDRESS)[0].splitlines()[-1])
    errors = [kind["type"] for event in events for kind in event.get("exception", {}).get("values", [])]
    assert "ZeroDivisionError" in errors
    assert not any({"request", "user", "breadcrumbs", "extra", "logentry"} & set(event) for event in events)
    frames = [f for e in events for v in e["exception"]["values"] for f in v["stacktrace"]["frames"]]
    assert frames
    assert not any("vars" in frame for frame in frames)


def test_without_the_package_it_says_so_and_goes_on(install: Callable[..., Installation]) -> None:
    assert "error_tracker_missing" in run(install, MISSING)[1]
