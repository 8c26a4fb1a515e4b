"""Settings from the environment: safe when nothing is said, clear when something is wrong."""

import stat
from collections.abc import Callable
from http.cookies import Morsel

import pytest
from django.conf import settings
from django.test import Client

from tests.factories import PersonFactory
from tests.running import Installation

Install = Callable[..., Installation]
SHOW = """
from django.conf import settings as s
print(s.MODE, s.SESSION_COOKIE_SECURE, s.CSRF_COOKIE_SECURE, s.SECURE_SSL_REDIRECT, s.SECURE_HSTS_SECONDS > 0,
      s.DATABASES["default"]["ENGINE"], s.ALLOWED_HOSTS, s.CELERY_BROKER_URL, s.DEBUG)
"""


def test_without_any_word_it_is_production_and_asks_for_a_key(install: Install) -> None:
    installation = install()
    del installation.environment["SABOT_MODE"]
    done = installation.manage("check")
    assert done.returncode != 0
    assert "SECRET_KEY is not set" in done.stderr.splitlines()[-1]


def test_an_unknown_mode_is_refused(install: Install) -> None:
    done = install().manage("check", SABOT_MODE="prod")
    assert done.returncode != 0
    assert "SABOT_MODE is “prod”" in done.stderr.splitlines()[-1]


def test_production_is_strict_and_takes_its_servers_from_urls(install: Install) -> None:
    done = install().manage(
        "shell",
        "--no-imports",
        "--command",
        SHOW,
        SABOT_MODE="production",
        SECRET_KEY="k" * 60,
        ALLOWED_HOSTS="sabot.example",
        DATABASE_URL="postgres://user:pw@db.example/sabot",
        CELERY_BROKER_URL="amqp://broker.example//",
    )
    assert done.stdout.strip() == (
        "production True True True True django.db.backends.postgresql ['sabot.example'] amqp://broker.example// False"
    ), done.stderr


def test_production_passes_djangos_own_deployment_check(install: Install) -> None:
    done = install().manage(
        "check",
        "--deploy",
        "--fail-level=WARNING",
        SABOT_MODE="production",
        SECRET_KEY="".join(chr(33 + n % 90) for n in range(60)),
        ALLOWED_HOSTS="sabot.example",
    )
    assert done.returncode == 0, done.stderr


def test_the_demo_key_is_made_once_and_nobody_else_can_read_it(install: Install) -> None:
    installation = install()
    keys = []
    for _ in range(2):
        assert installation.manage("check").returncode == 0
        keys.append((installation.var / "secret_key").read_text())
    assert keys[0] == keys[1]
    assert len(keys[0]) >= 50
    assert stat.S_IMODE((installation.var / "secret_key").stat().st_mode) == 0o600


def test_every_page_carries_a_strict_policy(client: Client, db: None) -> None:
    for address in ("/account/login/", "/no-such-page/", "/healthz"):
        response = client.get(address)
        policy = dict(part.strip().split(" ", 1) for part in response["Content-Security-Policy"].split(";"))
        assert policy["default-src"] == "'none'"
        assert policy["script-src"] == policy["style-src"] == "'self'"
        assert policy["frame-ancestors"] == "'none'"
        assert "unsafe" not in response["Content-Security-Policy"]
        assert response["X-Frame-Options"] == "DENY"
        assert response["X-Content-Type-Options"] == "nosniff"
        assert response["Referrer-Policy"] == "same-origin"
        assert response["Cross-Origin-Opener-Policy"] == "same-origin"


def test_an_oversized_form_is_refused_politely(client: Client, db: None) -> None:
    login = {"login": PersonFactory().email, "password": "x" * (settings.DATA_UPLOAD_MAX_MEMORY_SIZE + 1)}
    assert client.post("/account/login/", login, content_type="application/x-www-form-urlencoded").status_code == 400


def test_cookies_are_out_of_scripts_reach(client: Client, db: None) -> None:
    client.get("/account/login/")
    cookie: Morsel[str] = client.cookies["csrftoken"]
    assert cookie["httponly"]
    assert cookie["samesite"] == "Lax"


@pytest.mark.parametrize("name", ["sqlite3"])
def test_the_embedded_database_lets_readers_and_writers_work_at_once(name: str) -> None:
    options = settings.DATABASES["default"]["OPTIONS"]
    assert "journal_mode=WAL" in options["init_command"]
    assert options["transaction_mode"] == "IMMEDIATE"
