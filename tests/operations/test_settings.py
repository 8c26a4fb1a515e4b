"""Settings from the environment: safe when nothing is said, clear when something is wrong."""

import importlib
import re
import secrets
import stat
from collections.abc import Callable
from http.cookies import Morsel
from pathlib import Path

import pytest
from django.conf import settings
from django.test import Client

from tests.factories import PersonFactory
from tests.running import PRODUCTION, ROOT, Installation, free_port
from training.platform import environment, file_modes

Install = Callable[..., Installation]
SHOW = """
from django.conf import settings as s
print(s.MODE, s.SESSION_COOKIE_SECURE, s.CSRF_COOKIE_SECURE, s.SECURE_SSL_REDIRECT, s.SECURE_HSTS_SECONDS > 0,
      s.SECURE_HSTS_PRELOAD, s.DATABASES["default"]["ENGINE"], s.ALLOWED_HOSTS, s.CELERY_BROKER_URL, s.DEBUG)
"""


def test_without_any_word_it_is_production_and_names_all_that_is_missing(install: Install) -> None:
    installation = install()
    del installation.environment["SABOT_MODE"]
    done = installation.manage("check")
    assert done.returncode != 0
    (line,) = done.stderr.splitlines()
    for name in environment.NEEDED:
        assert name in line
    assert "docs/operating.md" in line


@pytest.mark.parametrize("name", environment.NEEDED)
@pytest.mark.parametrize("given", ["", "  "])
def test_each_missing_setting_is_named_alone(monkeypatch: pytest.MonkeyPatch, name: str, given: str) -> None:
    for key, value in PRODUCTION.items():
        monkeypatch.setenv(key, value)
    assert environment.mode() == "production"
    monkeypatch.setenv(name, given)
    with pytest.raises(SystemExit, match=rf"^Sabot cannot start: {name} not set\. .*docs/operating\.md"):
        environment.mode()


WEAK = [
    ("x", "has 1 characters and needs at least 40"),
    ("k" * 39, "has 39 characters and needs at least 40"),
    ("short", "has 5 characters"),
    ("changeme", "has 8 characters"),
    ("changeme-" * 8, "looks like an example"),
    ("django-insecure-8f3h9f8h3f98h3f98hf39h8f39hf83h9f83h9f8h", "looks like an example"),
    ("your-SECRET-key-goes-here-and-is-long-enough-9f8h3f98", "looks like an example"),
    ("k" * 64, "is not random"),
    ("abcabcabc" * 8, "is not random"),
    ("".join(chr(60 + n) for n in range(60)), "is not random"),
    ("onetwothree" * 5, "is not random"),
]


@pytest.mark.parametrize(("key", "why"), WEAK)
def test_production_does_not_start_with_a_weak_key(monkeypatch: pytest.MonkeyPatch, key: str, why: str) -> None:
    for name, value in PRODUCTION.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setenv("SECRET_KEY", key)
    with pytest.raises(SystemExit, match=rf"^Sabot cannot start: SECRET_KEY {why}.*docs/operating\.md") as told:
        environment.mode()
    assert key == "x" or key not in str(told.value)
    monkeypatch.setenv("SABOT_MODE", "demo")
    assert environment.mode() == "demo"


@pytest.mark.parametrize("make", [secrets.token_urlsafe, secrets.token_hex])
@pytest.mark.parametrize("size", [32, 48])
def test_a_random_key_of_any_usual_kind_is_taken(
    monkeypatch: pytest.MonkeyPatch, make: Callable[[int], str], size: int
) -> None:
    for name, value in PRODUCTION.items():
        monkeypatch.setenv(name, value)
    for _ in range(50):
        monkeypatch.setenv("SECRET_KEY", make(size))
        assert environment.mode() == "production"


def test_production_does_not_start_with_the_key_of_the_demonstration(install: Install) -> None:
    installation = install()
    assert installation.manage("check").returncode == 0
    key = (installation.var / "secret_key").read_text()
    installation.environment.update({**PRODUCTION, "SECRET_KEY": key})
    done = installation.manage("check", "--deploy")
    assert done.returncode != 0
    (line,) = done.stderr.splitlines()
    assert line.startswith("Sabot cannot start: SECRET_KEY is the key of the demo.")


@pytest.mark.parametrize("command", [("check", "--deploy"), ("migrate",), ("serve",)])
def test_every_command_ends_with_one_line_that_names_the_weak_key(install: Install, command: tuple[str, ...]) -> None:
    done = install(**PRODUCTION | {"SECRET_KEY": "x"}).manage(*command)
    assert done.returncode != 0
    (line,) = done.stderr.splitlines()
    assert line.startswith("Sabot cannot start: SECRET_KEY has 1 characters")


UNREADABLE = [
    ("DATABASE_URL", "postgres://sabot:pa/ss@db.example/sabot"),
    ("DATABASE_URL", "postgres://sabot:pa?ss@db.example/sabot"),
    ("DATABASE_URL", "postgres://sabot:pass@db.example"),
    ("DATABASE_URL", "mysql://sabot:pass@db.example/sabot"),
    ("DATABASE_URL", "db.example/sabot"),
    ("CELERY_BROKER_URL", "amqp://sabot:pa#ss@broker.example/sabot"),
    ("CELERY_BROKER_URL", "broker.example"),
    ("EMAIL_URL", "smtp://sabot:pa/ss@mail.example:587"),
    ("EMAIL_URL", "smpt://mail.example"),
    ("EMAIL_URL", "mail.example:25"),
    ("EMAIL_URL", "smtp://"),
]


@pytest.mark.parametrize(("name", "given"), UNREADABLE)
def test_an_address_that_cannot_be_read_is_named_without_its_password(
    monkeypatch: pytest.MonkeyPatch, name: str, given: str
) -> None:
    for key, value in PRODUCTION.items():
        monkeypatch.setenv(key, value)
    monkeypatch.setenv(name, given)
    with pytest.raises(SystemExit, match=rf"^Sabot cannot start: {name} cannot be read\. .*docs/operating\.md") as told:
        environment.mode()
    assert "ss@" not in str(told.value) and "'pa'" not in str(told.value)


@pytest.mark.parametrize(
    ("name", "given"),
    [
        ("DATABASE_URL", "postgres://sabot:p%40%2Fss@db.example:6432/sabot"),
        ("DATABASE_URL", "sqlite:////srv/sabot.sqlite3"),
        ("CELERY_BROKER_URL", "amqp://a:b@one.example:5672//;amqp://a:b@two.example:5672//"),
        ("CELERY_BROKER_URL", "sentinel://one.example:26379;sentinel://two.example:26379"),
        ("EMAIL_URL", "smtp+tls://sabot%40mail.example:p%2Fw@mail.example:587"),
        ("EMAIL_URL", "consolemail://"),
    ],
)
def test_an_address_that_can_be_read_is_taken(monkeypatch: pytest.MonkeyPatch, name: str, given: str) -> None:
    for key, value in PRODUCTION.items():
        monkeypatch.setenv(key, value)
    monkeypatch.setenv(name, given)
    assert environment.mode() == "production"


def test_a_number_that_is_none_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WEB_CONCURRENCY", "two")
    with pytest.raises(SystemExit, match=r"^Sabot cannot start: WEB_CONCURRENCY must be a number"):
        environment.env.int("WEB_CONCURRENCY", default=2)


@pytest.mark.parametrize("program", ["web", "beat"])
def test_what_cannot_be_read_is_one_line_of_each_program(install: Install, program: str) -> None:
    installation = install(**PRODUCTION | {"EMAIL_URL": "smtp://sabot:pa/ss@mail.example:587"})
    assert installation.start(program).wait(timeout=60) != 0
    (line,) = installation.output(program).splitlines()
    assert "EMAIL_URL cannot be read" in line


def test_a_command_without_a_database_ends_with_one_line(install: Install) -> None:
    nowhere = f"postgres://sabot:secret-word@127.0.0.1:{free_port()}/sabot"
    done = install().manage("verify_audit", **PRODUCTION | {"DATABASE_URL": nowhere})
    assert done.returncode != 0
    (line,) = done.stderr.splitlines()
    assert "DATABASE_URL" in line and "refused" in line and "secret-word" not in line


@pytest.mark.parametrize("program", ["web", "exams", "worker", "beat"])
def test_no_program_starts_on_what_production_was_not_given(install: Install, program: str) -> None:
    installation = install(**PRODUCTION | {"DATABASE_URL": "", "CELERY_BROKER_URL": ""})
    assert installation.start(program).wait(timeout=60) != 0
    (line,) = installation.output(program).splitlines()
    assert "DATABASE_URL, CELERY_BROKER_URL not set" in line
    assert not (installation.var / "broker.sqlite3").exists()


def test_an_unknown_mode_is_refused(install: Install) -> None:
    done = install().manage("check", SABOT_MODE="prod")
    assert done.returncode != 0
    (line,) = done.stderr.splitlines()
    assert "SABOT_MODE is “prod”" in line


def test_every_setting_is_described_in_one_table() -> None:
    importlib.import_module("training.operations.web_server")  # the rest was asked for when the settings were loaded
    text = (ROOT / "docs/operating.md").read_text()
    table = re.findall(r"^\| `([A-Z_]+)` \|", text.partition("## Settings")[2].partition("\n## ")[0], re.MULTILINE)
    assert sorted(table) == sorted(environment.env.asked)


def test_nothing_reads_the_environment_past_the_one_place() -> None:
    reading = re.compile(r"os\.getenv|os\.environ\.get\(|os\.environ\[[^]]+\](?! =)|environ\.Env\(")
    packages = [ROOT / name for name in ("training", "exams", "rules_engine")]
    files = [path for package in packages for path in package.rglob("*.py")]
    assert [path.name for path in files if reading.search(path.read_text())] == []


def test_production_is_strict_and_takes_its_servers_from_urls(install: Install) -> None:
    done = install().manage("shell", "--no-imports", "--command", SHOW, **PRODUCTION)
    assert done.stdout.strip() == (
        "production True True True True False django.db.backends.postgresql ['sabot.example'] "
        "amqp://broker.example// False"
    ), done.stderr


def test_production_passes_djangos_own_deployment_check(install: Install) -> None:
    done = install().manage("check", "--deploy", "--fail-level=WARNING", **PRODUCTION)
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


def test_a_folder_that_is_everybodys_stays_so(tmp_path: Path) -> None:
    everybodys = tmp_path / "tmp"
    everybodys.mkdir()
    everybodys.chmod(0o1777)
    file_modes.repair(everybodys)
    assert stat.S_IMODE(everybodys.stat().st_mode) == 0o1777
