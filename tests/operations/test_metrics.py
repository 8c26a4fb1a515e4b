"""What Prometheus is told, and who may ask."""

import socket
from datetime import timedelta
from ipaddress import ip_network

import pytest
from django.test import Client
from django.utils import timezone
from prometheus_client.parser import text_string_to_metric_families
from pytest_django import Settings

from tests.exams import making
from tests.practice.drills import make_drill
from training.celery import QUEUES, app
from training.operations.metrics import queueing
from training.operations.models import WorkerSeen
from training.platform import hooks
from training.platform.pending import Owed
from training.practice.models import Attempt
from training.practice.services import grade

TOKEN = "a token of this test"
Samples = dict[tuple[str, frozenset[tuple[str, str]]], float]


@pytest.fixture(autouse=True)
def _token(settings: Settings) -> None:
    settings.METRICS_TOKEN = TOKEN


def samples(client: Client) -> Samples:
    response = client.get("/metrics", headers={"Authorization": f"Bearer {TOKEN}"})
    assert response.status_code == 200
    families = text_string_to_metric_families(response.content.decode())
    return {(s.name, frozenset(s.labels.items())): s.value for family in families for s in family.samples}


def value(found: Samples, name: str, **labels: str) -> float | None:
    return found.get((name, frozenset(labels.items())))


def answered(*, ago: timedelta, state: str = Attempt.State.SUBMITTED) -> Attempt:
    drill = make_drill()
    return Attempt.objects.create(
        drill=drill, trainee=drill.trainee, answer={"parts": {}}, submitted_at=timezone.now() - ago, state=state
    )


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("headers", "trusted", "status"),
    [
        ({}, 0, 404),
        ({"Authorization": "Bearer another"}, 0, 404),
        ({"Authorization": f"Basic {TOKEN}"}, 0, 404),
        ({"Authorization": f"Bearer {TOKEN}"}, 0, 200),
        ({"X-Forwarded-For": "192.0.2.7"}, 1, 200),
        ({"X-Forwarded-For": "192.0.2.8"}, 1, 404),
        ({"X-Forwarded-For": "192.0.2.7, 198.51.100.1"}, 1, 404),  # the first is what the visitor says of himself
        ({"X-Forwarded-For": "192.0.2.7"}, 0, 404),
    ],
)
def test_only_those_named_may_read(
    client: Client, settings: Settings, headers: dict[str, str], trusted: int, status: int
) -> None:
    settings.METRICS_ADDRESSES = [ip_network("192.0.2.7/32")]
    settings.TRUSTED_PROXIES = settings.ALLAUTH_TRUSTED_PROXY_COUNT = trusted
    assert client.get("/metrics", headers=headers).status_code == status


@pytest.mark.django_db
def test_a_proxy_that_nobody_vouched_for_opens_nothing(client: Client, settings: Settings) -> None:
    """The scraper's address is often that of the proxy, too: the same machine."""
    settings.METRICS_ADDRESSES = [ip_network("127.0.0.1/32")]
    assert client.get("/metrics").status_code == 200
    assert client.get("/metrics", headers={"X-Forwarded-For": "192.0.2.9"}).status_code == 404
    settings.METRICS_ADDRESSES = []
    settings.METRICS_TOKEN = ""
    assert client.get("/metrics").status_code == 404
    assert client.get("/metrics", headers={"Authorization": "Bearer "}).status_code == 404


@pytest.mark.django_db
def test_requests_are_counted_by_page_and_status_and_no_path_is_told(client: Client) -> None:
    before = samples(client)
    client.get("/account/password/reset/key/1-private-reset-key/")
    client.get("/no-such-page-here")
    client.get("/account/login/")
    after = samples(client)

    def grown(name: str, **labels: str) -> float:
        return (value(after, name, **labels) or 0) - (value(before, name, **labels) or 0)

    assert grown("sabot_requests_total", view="account_login", status="200") == 1
    assert grown("sabot_requests_total", view="none", status="404") == 1
    assert grown("sabot_request_seconds_count", view="account_login") == 1
    assert not [labels for _, labels in after if any("private" in v or "no-such" in v for _, v in labels)]


@pytest.mark.django_db
def test_an_error_that_no_page_caught_is_counted_by_kind(monkeypatch: pytest.MonkeyPatch) -> None:
    client = Client(raise_request_exception=False)
    monkeypatch.setattr("exams.certificates.keys.published", broken)
    before = samples(Client())
    assert client.get("/.well-known/jwks.json").status_code == 500
    grown = {
        key: n for key, n in samples(Client()).items() if key[0] == "sabot_error_kinds_total" and before.get(key) != n
    }
    ((_, labels),) = grown
    assert dict(labels) == {"view": "published_keys", "error": "ZeroDivisionError"}


@pytest.mark.django_db
def test_errors_are_counted_from_nought_on_every_page_of_an_exam(client: Client) -> None:
    found = samples(client)
    for view in ("save_response", "hand_in", "enter_exam"):
        assert value(found, "sabot_errors_total", view=view) is not None
    assert value(found, "sabot_sign_ins_put_off_total", by="proxy") is not None


@pytest.mark.django_db
def test_connections_that_nobody_has_accepted_are_the_backlog(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    assert value(samples(client), "sabot_backlog") is None  # not a web process of gunicorn
    with socket.create_server(("127.0.0.1", 0)) as listening:
        monkeypatch.setattr(queueing, "listening", [listening])
        assert value(samples(client), "sabot_backlog") == 0
        with socket.create_connection(listening.getsockname()), socket.create_connection(listening.getsockname()):
            assert value(samples(client), "sabot_backlog") == 2


@pytest.mark.django_db
def test_waiting_is_told_only_behind_a_proxy_that_is_trusted(client: Client, settings: Settings) -> None:
    def counted() -> float:
        return value(samples(client), "sabot_queue_seconds_count") or 0

    ago = {"X-Request-Start": f"t={timezone.now().timestamp() - 3:.3f}"}
    before = counted()
    client.get("/healthz", headers=ago)
    assert counted() == before
    settings.TRUSTED_PROXIES = 1
    for headers in (ago, {"X-Request-Start": "t=nan"}, {"X-Request-Start": "t=1000000000.000"}):
        client.get("/healthz", headers=headers)
    assert counted() == before + 1


def broken(*_: object) -> None:
    raise ZeroDivisionError


@pytest.mark.django_db
def test_what_waits_is_told_with_the_age_of_the_oldest(client: Client) -> None:
    kind = {"what": "answers to be marked", "queue": "practice"}
    assert value(samples(client), "sabot_owed", **kind) == 0
    answered(ago=timedelta(seconds=300))
    answered(ago=timedelta(seconds=20))
    answered(ago=timedelta(seconds=900), state=Attempt.State.FAILED)
    found = samples(client)
    assert value(found, "sabot_owed", **kind) == 2
    assert 300 <= (value(found, "sabot_owed_oldest_seconds", **kind) or 0) < 330
    assert value(found, "sabot_given_up", **kind) == 1


@pytest.mark.django_db
def test_how_long_marking_took(client: Client) -> None:
    assert value(samples(client), "sabot_graded_lately", what="answers") == 0
    for seconds in (1, 2, 40):
        grade(answered(ago=timedelta(seconds=seconds)).pk)
    found = samples(client)
    assert value(found, "sabot_graded_lately", what="answers") == 3
    assert 2 <= (value(found, "sabot_grading_seconds", what="answers", quantile="0.5") or 0) < 20
    assert 40 <= (value(found, "sabot_grading_seconds", what="answers", quantile="1") or 0) < 70


@pytest.mark.django_db
def test_sittings_and_workers(client: Client) -> None:
    WorkerSeen.objects.create(worker="practice", seen_at=timezone.now() - timedelta(seconds=70))
    session = making.make_session()
    making.start(making.enter(session))
    making.close(making.start(making.enter(session, skip=1)))
    found = samples(client)
    assert value(found, "sabot_sittings_open") == 1
    assert value(found, "sabot_owed", what="exams to be graded", queue="exams") == 1
    assert 70 <= (value(found, "sabot_worker_silence_seconds", queue="practice") or 0) < 100
    assert all(value(found, "sabot_queue_messages", queue=queue) is not None for queue in QUEUES)


@pytest.mark.django_db
def test_with_the_broker_away_the_rest_is_told(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(app, "connection_for_read", lambda: app.connection("amqp://127.0.0.1:1//", connect_timeout=1))
    found = samples(client)
    assert value(found, "sabot_reading_ok", reading="queues") == 0
    assert value(found, "sabot_reading_ok", reading="owed") == 1
    assert not [name for name, _ in found if name == "sabot_queue_messages"]


@pytest.mark.django_db
def test_another_room_tells_its_own_work_in_one_line(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    owed = Owed("mails to be sent", "background", Attempt.objects.all(), since="submitted_at")
    monkeypatch.setattr(hooks.owed_work, "subscribers", [lambda: [owed]])
    answered(ago=timedelta(seconds=5))
    assert value(samples(client), "sabot_owed", what="mails to be sent", queue="background") == 1
