"""Other systems are told of every act on a certificate: signed, again until taken, and nowhere they must not be."""

import hashlib
import hmac
import json
import socket
import time
from collections.abc import Iterator
from contextlib import closing, suppress
from datetime import timedelta
from http.server import BaseHTTPRequestHandler, HTTPServer
from itertools import chain, repeat
from threading import Event, Thread
from typing import Any
from unittest.mock import Mock

import pytest
from django.db import IntegrityError, transaction
from django.test import Client
from django.utils import timezone
from django.utils.translation import override

from exams import clock
from exams.certificates import services as certificates
from exams.webhooks import courier, http_exchange, services
from exams.webhooks.addresses import UnfitAddress
from exams.webhooks.models import Hook, Message
from tests.exams import certifying
from tests.factories import PersonFactory
from training.people.models import Role, User
from training.platform.errors import Refused
from training.platform.outgoing import LEASE, WAITS

pytestmark = pytest.mark.django_db


class System(HTTPServer):
    """Another system of the house, which answers what it is told to and keeps what it gets."""

    def __init__(self) -> None:
        self.got: list[tuple[dict[str, str], bytes]] = []
        self.answer = 200
        super().__init__(("127.0.0.1", 0), Listener)

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.server_port}/sabot?from=casa"


class Listener(BaseHTTPRequestHandler):
    server: System

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.server.got.append(({**self.headers, "path": self.path}, body))
        self.send_response(self.server.answer)
        self.send_header("Location", "http://127.0.0.1:1/")
        self.end_headers()

    def log_message(self, *_args: Any) -> None:
        """Not on the screen of the tests."""


@pytest.fixture
def system(settings: Any) -> Iterator[System]:
    settings.WEBHOOKS_INSIDE = True
    with System() as made:
        thread = Thread(target=made.serve_forever, args=(0.01,))
        thread.start()
        yield made
        made.shutdown()
        thread.join()


@pytest.fixture
def administrator() -> User:
    return PersonFactory(roles=[Role.ADMINISTRATOR], language="en")


def suspend() -> Any:
    return certificates.suspend(
        certificate=certifying.make_certificate(), actor=PersonFactory(roles=[Role.HR]), reason="Falta."
    )


def test_an_act_is_told_signed_and_names_nobody(system: System, administrator: User) -> None:
    _hook, secret = services.add(system.address, by=administrator)
    certificate = suspend()
    assert courier.deliver() == Message.objects.count()
    headers, body = system.got[-1]
    told = json.loads(body)
    assert (told["act"], told["certificate"]["number"]) == ("suspend", certificate.number)
    assert told["certificate"]["state"] == certificate.state
    assert certificate.holder.name not in body.decode()
    at, _comma, given = headers["Sabot-Signature"].removeprefix("t=").partition(",v1=")
    assert hmac.new(secret.encode(), f"{at}.".encode() + body, hashlib.sha256).hexdigest() == given
    assert headers["path"] == "/sabot?from=casa"
    assert courier.deliver() == 0


@pytest.mark.parametrize("answer", [302, 404, 500])
def test_what_is_not_taken_is_sent_again_later_under_the_same_id(
    system: System, administrator: User, monkeypatch: pytest.MonkeyPatch, answer: int
) -> None:
    services.add(system.address, by=administrator)
    suspend()
    system.answer = answer
    assert courier.deliver() == 0
    waiting = Message.objects.order_by("written_at").last()
    assert waiting is not None
    assert (waiting.problem, waiting.reply, waiting.sent_at) == (Message.Problem.REFUSED, answer, None)
    assert courier.deliver() == 0
    before = len(system.got)
    system.answer = 204
    later = timezone.now() + timedelta(minutes=1, seconds=1)
    monkeypatch.setattr(clock, "now", lambda: later)
    assert courier.deliver() == before
    assert {headers["Sabot-Message"] for headers, _body in system.got} == {str(one.pk) for one in Message.objects.all()}


def test_a_system_that_is_never_there_is_given_up_and_can_be_tried_again(
    system: System, administrator: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    services.add(system.address, by=administrator)
    suspend()
    system.answer = 503
    now = timezone.now()
    for _try in range(len(WAITS) + 1):
        monkeypatch.setattr(clock, "now", lambda at=now: at)
        courier.deliver()
        now += timedelta(days=2)
    assert not Message.objects.filter(failed_at=None).exists()
    system.answer = 200
    assert services.try_again(Message.objects.all()) == Message.objects.count()
    assert courier.deliver() == Message.objects.count()


class Killed(BaseException):
    """The worker dies."""


def test_a_message_that_kills_every_worker_fails_in_the_end(
    system: System, administrator: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    services.add(system.address, by=administrator)
    suspend()
    Message.objects.exclude(pk=Message.objects.latest("written_at").pk).delete()
    post = Mock(side_effect=Killed)
    monkeypatch.setattr(courier, "_post", post)
    for _try in range(len(WAITS) + 1):
        with pytest.raises(Killed):
            courier.deliver()
        Message.objects.update(held_at=timezone.now() - LEASE, due_at=timezone.now())
    assert courier.deliver() == 0
    assert post.call_count == len(WAITS) + 1
    message = Message.objects.get()
    assert (message.problem, message.failed_at is not None) == (Message.Problem.UNFINISHED, True)


def test_an_act_that_is_taken_back_is_not_told(system: System, administrator: User) -> None:
    services.add(system.address, by=administrator)
    certificate = suspend()
    told = Message.objects.count()
    with pytest.raises(Refused):
        certificates.suspend(certificate=certificate, actor=PersonFactory(roles=[Role.HR]), reason="Outra vez.")
    assert Message.objects.count() == told


def test_who_is_stopped_is_told_nothing_more(system: System, administrator: User) -> None:
    hook, _secret = services.add(system.address, by=administrator)
    suspend()
    assert services.stop(hook, by=administrator)
    assert not services.stop(hook, by=administrator)
    suspend()
    assert courier.deliver() == 0
    assert system.got == []


@pytest.mark.parametrize(
    "address",
    [
        "http://rh.example.org/", "https://127.0.0.1/", "https://10.0.0.8/x", "https://[::1]/", "https://169.254.169.254/",
        "ftp://example.org/", "https://", "https://a:b@example.org/", "https://example.org:port/", "rh",
        "https://127.1/", "https://2130706433/", "https://0x7f.0.0.1/", "https://[::ffff:10.0.0.8]/", "https://[::10.0.0.8]/",
        "https://[64:ff9b::a00:8]/", "https://[64:ff9b:1::a00:8]/", "https://[2002:a00:8::1]/", "https://[::ffff:0:a00:8]/",
        "https://[2001:0:4136:e378:8000:63bf:f5ff:fff7]/", "https://[2a00:1450::5efe:a00:8]/", "https://[2a00::200:5efe:a00:8]/",
        "https://[fec0::1]/", "https://[fe80::1]/", "https://[fd00::1]/", "https://[ff0e::1]/", "https://224.0.0.1/",
        "https://[2001:db8::1]/", "https://[3fff::1]/", "https://0.0.0.0/", "https://[::]/", "https://100.64.0.1/",
        "https://192.88.99.1/", "https://255.255.255.255/",
        "https://rh..example.org/", f"https://{'r' * 64}.example.org/", "https://rh.example.org/saída",
    ],
)  # fmt: skip
def test_an_address_that_leads_inside_or_nowhere_is_refused(administrator: User, address: str) -> None:
    with pytest.raises(UnfitAddress):
        services.add(address, by=administrator)


@pytest.mark.parametrize(
    "address", ["https://93.184.215.14/", "https://[2a00:1450:4003:80f::200e]/", "https://rh.example.org/"]
)
def test_an_address_of_the_public_network_is_taken(administrator: User, address: str) -> None:
    services.add(address, by=administrator)


@pytest.mark.parametrize("place", ["10.0.0.8", "64:ff9b::a00:8", "2002:a00:8::1", "::ffff:10.0.0.8", "2001::1"])
def test_a_name_that_leads_to_such_a_place_later_is_not_spoken_to(
    administrator: User, monkeypatch: pytest.MonkeyPatch, place: str
) -> None:
    services.add("https://rh.example.org/", by=administrator)
    suspend()
    found = [(socket.AF_INET6, socket.SOCK_STREAM, 6, "", (place, 443))]
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: found)
    reach = Mock(side_effect=AssertionError("spoken to"))
    monkeypatch.setattr(socket, "create_connection", reach)
    courier.deliver()
    assert set(Message.objects.values_list("problem", flat=True)) == {Message.Problem.ADDRESS}
    assert not reach.called


def test_a_name_is_looked_up_once_and_what_was_looked_at_is_spoken_to(
    administrator: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A name server that answers something else the second time changes nothing."""
    services.add("https://rh.example.org/", by=administrator)
    suspend()
    Message.objects.exclude(pk=Message.objects.latest("written_at").pk).delete()
    answers = iter(["93.184.215.14", "127.0.0.1", "127.0.0.1"])
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: [(2, 1, 6, "", (next(answers), 443))])
    reach = Mock(side_effect=ConnectionRefusedError)
    monkeypatch.setattr(socket, "create_connection", reach)
    courier.deliver()
    [call] = reach.call_args_list
    assert call.args[0] == ("93.184.215.14", 443)


# ---- systems that keep us waiting


class Trickling(Thread):
    """A system that takes what it is sent and then says what it is told to, piece by piece, for ever."""

    def __init__(self, pieces: Iterator[bytes]) -> None:
        super().__init__(daemon=True)
        self.pieces, self.over = pieces, Event()
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.address = f"http://127.0.0.1:{self.listener.getsockname()[1]}/"

    def run(self) -> None:
        with suppress(OSError), closing(self.listener.accept()[0]) as near:
            near.recv(65536)
            while not self.over.wait(0.02):
                near.sendall(next(self.pieces))

    def end(self) -> None:
        self.over.set()
        self.listener.close()


@pytest.mark.parametrize(
    ("said", "taken"),
    [
        (chain(b"HTTP/1.1 2", repeat(b"0")), False),  # a first line that never ends
        (repeat(b"HTTP/1.1 100 Continue\r\n\r\n"), False),  # never the answer itself
        (chain([b"HTTP/1.1 200 OK\r\n"], repeat(b"X")), True),  # the first line is all that counts
        (chain([b"HTTP/1.1 103 Early\r\nLink: x\r\n\r\nHTTP/1.1 204 Done\r\n"], repeat(b"X")), True),
        (repeat(b"x" * 4096), False),  # more than anybody reads
        (chain([b"HTTP/1.1 abc\r\n"], repeat(b"X")), False),
    ],
)
def test_a_system_that_trickles_holds_a_worker_for_a_moment_only(
    administrator: User, settings: Any, monkeypatch: pytest.MonkeyPatch, said: Any, taken: bool
) -> None:
    settings.WEBHOOKS_INSIDE = True
    monkeypatch.setattr(http_exchange, "SECONDS", 1.0)
    system = Trickling(bytes([one]) if isinstance(one, int) else one for one in said)
    system.start()
    services.add(system.address, by=administrator)
    suspend()
    Message.objects.exclude(pk=Message.objects.latest("written_at").pk).delete()
    began = time.monotonic()
    assert courier.deliver() == taken
    assert time.monotonic() - began < 3
    system.end()
    assert Message.objects.get().problem == ("" if taken else Message.Problem.AWAY)


def test_a_name_server_that_is_silent_holds_a_worker_for_a_moment_only(
    administrator: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    silent = Event()

    def says_nothing(*_: Any, **__: Any) -> Any:
        silent.wait(20)
        raise socket.gaierror

    monkeypatch.setattr(socket, "getaddrinfo", says_nothing)
    monkeypatch.setattr(http_exchange, "SECONDS", 0.2)
    services.add("https://rh.example.org/", by=administrator)
    suspend()
    began = time.monotonic()
    assert courier.deliver() == 0
    assert time.monotonic() - began < 5
    silent.set()
    assert Message.Problem.AWAY in Message.objects.values_list("problem", flat=True)


def test_a_system_that_is_away_is_not_asked_again_for_each_message(
    administrator: User, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.WEBHOOKS_INSIDE = True
    services.add("http://127.0.0.1:1/", by=administrator)
    for _ in range(3):
        suspend()
    post = Mock(side_effect=ConnectionRefusedError)
    monkeypatch.setattr(courier, "_post", post)
    courier.deliver()
    assert post.call_count == 1
    later = timezone.now() + timedelta(minutes=1, seconds=1)
    monkeypatch.setattr(clock, "now", lambda: later)
    courier.deliver()
    assert post.call_count == 2


def test_a_name_that_leads_inside_is_not_spoken_to(system: System, administrator: User, settings: Any) -> None:
    services.add(system.address.replace("127.0.0.1", "localhost"), by=administrator)
    suspend()
    settings.WEBHOOKS_INSIDE = False
    assert courier.deliver() == 0
    assert system.got == []
    assert set(Message.objects.values_list("problem", flat=True)) == {Message.Problem.ADDRESS}


def test_the_page_shows_the_secret_once(administrator: User) -> None:
    browser = Client()
    browser.force_login(administrator)
    page = browser.post("/systems/", {"address": "https://rh.example.org/sabot"})
    secret = services.secret_of(Hook.objects.get()).decode()
    assert secret in page.content.decode()
    assert secret not in browser.get("/systems/").content.decode()
    again = browser.post("/systems/", {"address": "https://rh.example.org/sabot"})
    assert (again.status_code, "already being notified" in again.content.decode()) == (422, True)
    hook = Hook.objects.get()
    assert browser.get(f"/systems/{hook.pk}/").status_code == 200
    browser.post(f"/systems/{hook.pk}/stop/")
    assert "Stopped on" in browser.get("/systems/").content.decode()


def double(administrator: User) -> Hook:
    """An address as somebody else stores it at the same moment, whatever a service looked at before."""
    hook, _secret = services.add("https://other.example.org/", by=administrator)
    Hook.objects.filter(pk=hook.pk).update(address="https://rh.example.org/")
    return Hook.objects.get(pk=hook.pk)


def test_the_database_keeps_an_address_once_while_it_is_told(administrator: User) -> None:
    first, _secret = services.add("https://rh.example.org/", by=administrator)
    with pytest.raises(IntegrityError), transaction.atomic():
        double(administrator)
    services.stop(first, by=administrator)
    assert double(administrator).stopped_at is None
    with override("pt"), pytest.raises(Refused, match="já é avisado"):
        services.add("https://rh.example.org/", by=administrator)


def test_an_address_that_cannot_be_spoken_holds_up_nobody(system: System, administrator: User) -> None:
    services.add(system.address, by=administrator)
    hook, _secret = services.add("https://rh.example.org/", by=administrator)
    Hook.objects.filter(pk=hook.pk).update(address="https://rh..example.org/")  # stored past the form
    suspend()
    assert courier.deliver() == len(system.got) > 0
    waiting = Message.objects.filter(hook=hook)
    assert waiting.filter(problem=Message.Problem.AWAY).count() == 1
    assert not waiting.exclude(sent_at=None).exists()
