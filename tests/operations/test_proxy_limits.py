"""The sample proxy's limits, by a real nginx before a server that only counts: a room behind one address is let in."""

import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest

from tests.operations.deploying import DEPLOY
from tests.operations.proxying import Proxy, answer, proxied, upstream_to
from tests.running import free_port

pytestmark = pytest.mark.services
LOGIN = "/account/login/"
seen: Counter[str] = Counter()


class Counting(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        full = self.headers.get("X-Sign-In-Queue")
        seen[f"full {body.decode()}" if full else self.command] += 1
        self.send_response(200)
        self.send_header("Content-Length", "0")
        self.end_headers()

    do_POST = do_GET  # noqa: N815 (named by the library)

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@pytest.fixture(scope="module")
def proxy(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Proxy]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), Counting)
    Thread(target=server.serve_forever, daemon=True).start()
    with proxied(tmp_path_factory.mktemp("limits"), upstream_to(*[server.server_port] * 3)) as running:
        yield running
    server.shutdown()
    server.server_close()


def statuses(proxy: Proxy, paths: list[str], *, method: str = "GET") -> Counter[int]:
    with ThreadPoolExecutor(16) as room:
        return Counter(room.map(lambda path: answer(proxy, path, method=method, body=b"login=a")[0], paths))


def test_a_room_with_empty_caches_is_refused_nothing(proxy: Proxy) -> None:
    paths = ["/", "/static/a.css", "/static/b.js", LOGIN, "/exams/"] * 150
    assert statuses(proxy, paths) == {200: len(paths)}


def test_sign_ins_pass_at_a_steady_pace(proxy: Proxy) -> None:
    started = time.monotonic()
    assert statuses(proxy, [LOGIN] * 21, method="POST") == {200: 21}
    assert time.monotonic() - started > 0.9  # twenty a second


def test_when_too_many_wait_the_form_goes_to_the_page_that_tries_again(tmp_path: Path) -> None:
    site = (DEPLOY / "nginx/sabot.conf").read_text()
    assert "limit_req zone=sabot_sign_ins burst=400;" in site
    assert "zone=sabot_sign_ins:1m rate=20r/s;" in site
    # One every five seconds: even a machine that is slow to send them sends more.
    site = site.replace("sign_ins burst=400", "sign_ins burst=1").replace(":1m rate=20r/s;", ":1m rate=12r/m;")
    server = ThreadingHTTPServer(("127.0.0.1", 0), Counting)
    Thread(target=server.serve_forever, daemon=True).start()
    with proxied(tmp_path, upstream_to(*[server.server_port] * 3), site=site) as small:
        assert statuses(small, [LOGIN] * 12, method="POST") == {200: 12}
    server.shutdown()
    server.server_close()
    assert seen["full login=a"] >= 5


def test_one_address_has_a_share_of_the_sign_ins_which_is_enough_for_a_room(tmp_path: Path) -> None:
    """What goes beyond it is told to try again, and does not stand in the queue of everybody."""
    site = (DEPLOY / "nginx/sabot.conf").read_text()
    share = "limit_req zone=sabot_sign_ins_of_address burst=320 nodelay;"
    assert share in site, "300 browsers of a room sign in at once"
    site = site.replace(share, share.replace("320", "5"))
    server = ThreadingHTTPServer(("127.0.0.1", 0), Counting)
    Thread(target=server.serve_forever, daemon=True).start()
    before = seen["full login=a"]
    with proxied(tmp_path, upstream_to(*[server.server_port] * 3), site=site) as small:
        assert statuses(small, [LOGIN] * 60, method="POST") == {200: 60}
    server.shutdown()
    server.server_close()
    assert seen["full login=a"] - before >= 30


def test_nobody_home_is_told_to_wait_and_a_form_is_never_sent_twice(tmp_path: Path) -> None:
    """A page that is only read retries by itself after 502 and 504; a submitted form gets the error."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), Counting)
    Thread(target=server.serve_forever, daemon=True).start()
    with proxied(tmp_path, upstream_to(free_port(), server.server_port, server.server_port)) as alone:
        status, headers, page = answer(alone, "/practice/")
        assert (status, headers["retry-after"]) == (503, "5")
        assert b'http-equiv="refresh"' in page
        assert answer(alone, "/practice/", method="POST", body=b"typed=words")[0] == 504
        assert answer(alone, "/exams/sittings/1/2/save/", method="POST", body=b"q=1")[0] == 200
    server.shutdown()
    server.server_close()
