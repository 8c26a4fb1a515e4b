"""What the watchman hears."""

from datetime import datetime, timedelta

import pytest
from django.db.migrations.recorder import MigrationRecorder
from django.test import Client
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries, Settings

from exams.certificates import keys
from rules_engine import Answer
from tests.practice.drills import make_drill
from tests.running import until
from training.celery import QUEUES, app
from training.operations import health
from training.operations.models import Beat, WorkerSeen
from training.operations.tasks import worker_heartbeat
from training.practice import services
from training.practice.models import Attempt

NOW = timezone.now()


def test_healthz_needs_no_database(client: Client, django_assert_num_queries: DjangoAssertNumQueries) -> None:
    response = client.get("/healthz")
    assert (response.status_code, response.json()) == (200, {"status": "up"})
    assert "no-store" in response["Cache-Control"]
    assert client.post("/healthz").status_code == 405


@pytest.fixture
def alive(db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every queue has a worker and beat beats, all just short of being missed, and the clock stands still."""
    monkeypatch.setattr(timezone, "now", lambda: NOW)
    for queue in QUEUES:
        WorkerSeen.objects.create(worker=queue, seen_at=ago(59))
    Beat.objects.create(holder="one", seen_at=ago(59))


def ago(seconds: float) -> datetime:
    return NOW - timedelta(seconds=seconds)


def answered(state: Attempt.State, at: datetime) -> None:
    attempt = services.submit_answer(make_drill(), Answer({}))
    Attempt.objects.filter(pk=attempt.pk).update(state=state, submitted_at=at)


def test_ready_when_every_part_is(client: Client, alive: None) -> None:
    response = client.get("/readyz")
    parts = ("database", "broker", "beat", "workers", "owed", "keys")
    assert response.json() == {"ready": True} | dict.fromkeys(parts, "ok")
    assert response.status_code == 200


def test_not_ready_before_anybody_was_seen(client: Client, db: None) -> None:
    response = client.get("/readyz")
    assert response.status_code == 503
    assert response.json()["workers"] == "none on exams yet; none on practice yet; none on background yet"
    assert response.json()["beat"] == "never seen"


@pytest.mark.parametrize("queue", QUEUES)
def test_a_queue_without_a_worker_is_named_while_the_others_work(client: Client, alive: None, queue: str) -> None:
    WorkerSeen.objects.filter(worker=queue).update(seen_at=ago(86))
    response = client.get("/readyz")
    assert response.status_code == 503
    assert response.json()["workers"] == f"none on {queue} for 86 s"


def test_a_silent_beat_is_named(client: Client, alive: None) -> None:
    Beat.objects.update(seen_at=ago(61))
    response = client.get("/readyz")
    assert response.status_code == 503
    assert response.json()["beat"] == "silent for 61 s"


def test_work_that_waits_too_long_is_named_with_its_age(client: Client, alive: None) -> None:
    answered(Attempt.State.SUBMITTED, ago(119))
    answered(Attempt.State.FAILED, ago(9000))  # set aside for a person to look at
    assert client.get("/readyz").json()["owed"] == "ok"
    answered(Attempt.State.SUBMITTED, ago(121))
    response = client.get("/readyz")
    assert response.status_code == 503
    assert response.json()["owed"] == "waiting too long: answers to be marked for 121 s"


def test_another_secret_key_is_found_out_before_somebody_must_sign(
    client: Client, alive: None, settings: Settings
) -> None:
    keys.key_in_use()
    keys._unsealed.cache_clear()
    first, settings.SECRET_KEY = settings.SECRET_KEY, "another one"
    response = client.get("/readyz")
    assert response.status_code == 503
    assert response.json()["keys"] == "the signing key cannot be opened with this SECRET_KEY"
    settings.SECRET_KEY_FALLBACKS = [first]
    assert client.get("/readyz").json()["keys"] == "ok"
    kid, _ = keys.key_in_use()
    keys.rotate()
    settings.SECRET_KEY_FALLBACKS = []
    assert client.get("/readyz").status_code == 200
    assert keys.key_in_use()[0] != kid
    keys._unsealed.cache_clear()


@pytest.mark.parametrize("host", ["10.0.0.7", "10.0.0.7:8000", "[fd00::7]:8000"])
def test_probes_may_be_asked_by_address_and_nothing_else(
    client: Client, alive: None, settings: Settings, host: str
) -> None:
    settings.ALLOWED_HOSTS = ["sabot.example"]
    settings.SECURE_SSL_REDIRECT = True
    assert client.get("/healthz", headers={"host": host}).status_code == 200
    assert client.get("/readyz", headers={"host": host}).status_code == 200
    assert client.get("/account/login/", headers={"host": host}).status_code == 400
    assert client.get("/healthz/../account/login/", headers={"host": host}).status_code == 400
    assert client.get("/healthz", headers={"host": "elsewhere.example"}).status_code == 400


@pytest.mark.django_db
def test_not_ready_with_migrations_missing(client: Client) -> None:
    MigrationRecorder.Migration.objects.filter(app="people").delete()
    assert client.get("/readyz").json()["database"] == "migrations are missing"


@pytest.mark.django_db
def test_a_dead_broker_is_reported_soon_and_without_its_password(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    url = "amqp://guest:secret@127.0.0.1:1//"
    monkeypatch.setattr(app, "connection_for_read", lambda: app.connection(url, connect_timeout=1))
    response = client.get("/readyz")
    assert response.status_code == 503
    assert response.json()["broker"] == "not reachable"
    assert b"secret" not in response.content


@pytest.mark.django_db
def test_a_broken_database_is_reported(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken() -> None:
        raise OSError("could not connect to 192.0.2.7 as sabot")

    monkeypatch.setitem(health.CHECKS, "database", broken)
    response = client.get("/readyz")
    assert response.status_code == 503
    assert response.json()["database"] == "not reachable"
    assert b"192.0.2.7" not in response.content


@pytest.mark.django_db
def test_the_heartbeat_moves_the_time_of_its_queue_and_makes_no_second_row() -> None:
    worker_heartbeat.apply(("exams",))
    first = WorkerSeen.objects.get(worker="exams")
    worker_heartbeat.apply(("exams",))
    second = WorkerSeen.objects.get()
    assert second.seen_at > first.seen_at


def test_the_heartbeat_runs_through_the_queue(worker: None) -> None:
    worker_heartbeat.delay("background")
    until("the heartbeat", WorkerSeen.objects.filter(worker="background").exists, within=10)


@pytest.mark.parametrize("queue", QUEUES)
def test_the_heartbeat_of_a_queue_goes_to_it(queue: str) -> None:
    (entry,) = [entry for entry in app.conf.beat_schedule.values() if entry["args"] == (queue,)]
    options = app.amqp.router.route({}, entry["task"], args=entry["args"])
    assert options["queue"].name == queue


def test_probes_are_answered_without_https(client: Client, db: None, settings: Settings) -> None:
    settings.SECURE_SSL_REDIRECT = True
    assert client.get("/healthz").status_code == 200
    assert client.get("/account/login/")["Location"] == "https://testserver/account/login/"
