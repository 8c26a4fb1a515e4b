"""What the watchman hears."""

from datetime import timedelta

import pytest
from django.db.migrations.recorder import MigrationRecorder
from django.test import Client
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries, Settings

from tests.running import until
from training import health
from training.celery import app
from training.models import WorkerSeen
from training.tasks import worker_heartbeat


def test_healthz_needs_no_database(client: Client, django_assert_num_queries: DjangoAssertNumQueries) -> None:
    response = client.get("/healthz")
    assert (response.status_code, response.json()) == (200, {"status": "up"})
    assert "no-store" in response["Cache-Control"]
    assert client.post("/healthz").status_code == 405


@pytest.mark.django_db
def test_ready_when_every_part_is(client: Client) -> None:
    WorkerSeen.objects.create(worker="one", seen_at=timezone.now() - timedelta(seconds=59))
    response = client.get("/readyz")
    assert response.json() == {"ready": True, "database": "ok", "broker": "ok", "worker": "ok"}
    assert response.status_code == 200


@pytest.mark.django_db
def test_not_ready_before_a_worker_was_seen(client: Client) -> None:
    response = client.get("/readyz")
    assert response.status_code == 503
    assert response.json()["worker"] == "no worker has been seen yet"


@pytest.mark.django_db
def test_not_ready_when_the_worker_has_been_silent(client: Client) -> None:
    WorkerSeen.objects.create(worker="one", seen_at=timezone.now() - timedelta(seconds=61))
    response = client.get("/readyz")
    assert response.status_code == 503
    assert response.json()["worker"] == "no worker seen in the last minute"


@pytest.mark.django_db
def test_not_ready_with_migrations_missing(client: Client) -> None:
    MigrationRecorder.Migration.objects.filter(app="training").delete()
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
def test_the_heartbeat_moves_the_time_of_its_worker_and_makes_no_second_row() -> None:
    worker_heartbeat.apply()
    first = WorkerSeen.objects.get()
    worker_heartbeat.apply()
    second = WorkerSeen.objects.get()
    assert second.seen_at > first.seen_at


def test_the_heartbeat_runs_through_the_queue(worker: None) -> None:
    worker_heartbeat.delay()
    until("the heartbeat", WorkerSeen.objects.exists, within=10)


def test_probes_are_answered_without_https(client: Client, db: None, settings: Settings) -> None:
    settings.SECURE_SSL_REDIRECT = True
    assert client.get("/healthz").status_code == 200
    assert client.get("/account/login/")["Location"] == "https://testserver/account/login/"
