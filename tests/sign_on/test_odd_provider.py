"""A provider that is slow, endless, out of order, or answers nonsense: a clear page, and nobody else waits."""

import socket
import threading
import time
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest
from django.core.cache import cache
from django.test import Client
from joserfc import jws

from exams.sign_on import provider_documents
from tests.directory import Directory, left_for, path_of, sign_in
from tests.factories import PersonFactory
from tests.sign_on.conftest import connected
from tests.sign_on.test_forged_tokens import MINE, answers, own_keys, signed
from training.people.models import User

__all__ = ["answers", "own_keys"]  # fixtures
BEGIN = "/account/directory/"
Answers = Callable[[BaseHTTPRequestHandler], None]


@pytest.fixture(autouse=True)
def _forgotten(db: None) -> Iterator[None]:
    cache.clear()
    yield
    cache.clear()


@pytest.fixture
def odd(directory: Directory, settings: Any) -> Iterator[Callable[[Answers], str]]:
    """Answer every GET and POST in the way of the test. Returns the address."""
    running: list[ThreadingHTTPServer] = []

    def started(way: Answers) -> str:
        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                way(self)

            do_POST = do_GET  # noqa: N815 (the library's name)

            def log_message(self, *_about: Any) -> None:
                pass

        server = ThreadingHTTPServer(("localhost", 0), Handler)
        server.daemon_threads = True
        threading.Thread(target=server.serve_forever, daemon=True).start()
        running.append(server)
        return f"http://localhost:{server.server_port}"

    yield started
    for server in running:
        server.shutdown()
        server.server_close()


def says(body: bytes, status: int = 200, **headers: str) -> Answers:
    def way(handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(status)
        for name, value in ({"Content-Type": "application/json"} | headers).items():
            handler.send_header(name, value)
        handler.end_headers()
        handler.wfile.write(body)

    return way


def drips(handler: BaseHTTPRequestHandler) -> None:
    """A byte now and then, so that no single wait is too long."""
    handler.send_response(200)
    handler.end_headers()
    try:
        while True:
            handler.wfile.write(b" " * 70_000)
            time.sleep(0.1)
    except OSError:
        pass


NONSENSE = [b"", b"<html>", b"[]", b"null", b"7", b"[" * 100_000, b"\xff", b" " * 600_000]


@pytest.mark.parametrize("body", NONSENSE, ids=range(len(NONSENSE)))
def test_a_configuration_that_is_nonsense(odd: Any, settings: Any, body: bytes) -> None:
    settings.SIGN_ON_ISSUER = odd(says(body))
    assert Client().post(BEGIN).status_code == 503


@pytest.mark.parametrize("address", ["http://[", "https://[::1", 7, None, ["https://a"], "javascript:alert(1)"])
def test_an_address_that_is_nonsense(directory: Directory, monkeypatch: pytest.MonkeyPatch, address: Any) -> None:
    real = provider_documents._read
    monkeypatch.setattr(provider_documents, "_read", lambda *of: real(*of) | {"authorization_endpoint": address})
    assert Client().post(BEGIN).status_code == 503


def back_from(directory: Directory, monkeypatch: pytest.MonkeyPatch, token_endpoint: str) -> int:
    """The status after the provider, whose address for the code is another."""
    real = provider_documents.configuration
    changed = real() | {"token_endpoint": token_endpoint}
    monkeypatch.setattr(provider_documents, "configuration", lambda: changed)
    connected(PersonFactory(), "s-odd")
    directory.knows("s-odd", "croupiers")
    return int(sign_in(Client(), directory, "s-odd").status_code)


@pytest.mark.parametrize("body", [*NONSENSE, b'["access_token"]', b'{"access_token": [' + b"[" * 90_000])
def test_a_code_that_is_exchanged_for_nonsense(
    odd: Any, directory: Directory, mapper: User, monkeypatch: pytest.MonkeyPatch, body: bytes
) -> None:
    assert back_from(directory, monkeypatch, odd(says(body))) == 403


def test_an_endless_answer_is_not_read(
    odd: Any, directory: Directory, mapper: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun = time.monotonic()
    assert back_from(directory, monkeypatch, odd(drips)) == 403
    assert time.monotonic() - begun < 5


@pytest.mark.parametrize("status", [500, 503])
def test_a_provider_out_of_order_when_the_browser_is_back(
    odd: Any, directory: Directory, mapper: User, monkeypatch: pytest.MonkeyPatch, status: int
) -> None:
    """Not “the answer could not be trusted”."""
    assert back_from(directory, monkeypatch, odd(says(b"{}", status))) == 503


def test_a_redirect_of_the_code_is_not_followed(
    odd: Any, directory: Directory, mapper: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []
    elsewhere = odd(lambda handler: asked.append(handler.path))
    assert back_from(directory, monkeypatch, odd(says(b"{}", 307, Location=elsewhere))) == 403
    assert asked == []


def test_only_the_first_wait_for_a_provider_that_does_not_answer(
    directory: Directory, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Otherwise a shift that presses the button would hold every worker, and with them those who need no directory."""
    monkeypatch.setattr(provider_documents, "SECONDS", 1)
    with socket.create_server(("localhost", 0)) as silent:
        settings.SIGN_ON_ISSUER = f"http://localhost:{silent.getsockname()[1]}"
        assert Client().post(BEGIN).status_code == 503
        begun = time.monotonic()
        for _ in range(5):
            assert Client().post(BEGIN).status_code == 503
        assert time.monotonic() - begun < 1
    assert Client().get("/account/login/").status_code == 200


@pytest.mark.parametrize("groups", [["croupiers", "\0"], ["croupiers", "a\x1f"]])
def test_groups_and_numbers_that_no_database_takes(
    directory: Directory, mapper: User, settings: Any, answers: Any, own_keys: None, groups: list[str]
) -> None:
    settings.SIGN_ON_STAFF_NUMBER_CLAIM = "number"
    connected(PersonFactory(), "s-nul")
    answers(signed(groups=groups, number="\0"))
    assert sign_in(Client(), directory, "s-nul").status_code == 302
    assert sign_in(Client(), directory, "s-nobody").status_code == 403


def test_claims_that_are_nested_without_end(directory: Directory, mapper: User, answers: Any, own_keys: None) -> None:
    header = {"alg": "RS256", "kid": "the-providers"}
    answers(lambda _claims: jws.serialize_compact(header, b"[" * 12_000, MINE))
    back = Client()
    address = left_for(back.post(BEGIN))
    assert back.get(path_of(directory.comes_back(address, "s-deep"))).status_code == 403


@pytest.mark.parametrize("methods", [7, None, "client_secret_basic", {}, [None], [["x"]]])
def test_ways_of_signing_that_are_nonsense(
    directory: Directory, mapper: User, monkeypatch: pytest.MonkeyPatch, methods: Any
) -> None:
    real = provider_documents._read
    more = {"token_endpoint_auth_methods_supported": methods}
    monkeypatch.setattr(provider_documents, "_read", lambda *of: real(*of) | more)
    connected(PersonFactory(), "s-ways")
    directory.knows("s-ways", "croupiers")
    client = Client(raise_request_exception=False)
    page = client.post(BEGIN)
    if page.status_code == 200:
        back = path_of(directory.comes_back(left_for(page), "s-ways"))
        assert client.get(back).status_code in {302, 403, 503}
    else:
        assert page.status_code == 503
