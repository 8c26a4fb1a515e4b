"""The sample proxy's limits, by a real nginx before a server that only counts: a room behind one address is let in."""

import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest

from tests.operations.test_deployed import Proxy, answer, proxied

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
    upstream = f"upstream sabot {{ server 127.0.0.1:{server.server_port}; }}"
    with proxied(tmp_path_factory.mktemp("limits"), upstream) as running:
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
    from tests.operations import test_deployed

    site = (test_deployed.DEPLOY / "nginx/sabot.conf").read_text()
    assert "limit_req zone=sabot_sign_ins burst=400;" in site
    (tmp_path / "nginx").mkdir()
    (tmp_path / "nginx/sabot.conf").write_text(site.replace("sign_ins burst=400", "sign_ins burst=1"))
    server = ThreadingHTTPServer(("127.0.0.1", 0), Counting)
    Thread(target=server.serve_forever, daemon=True).start()
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(test_deployed, "DEPLOY", tmp_path)
        upstream = f"upstream sabot {{ server 127.0.0.1:{server.server_port}; }}"
        with proxied(tmp_path, upstream) as small:
            assert statuses(small, [LOGIN] * 12, method="POST") == {200: 12}
    server.shutdown()
    server.server_close()
    assert seen["full login=a"] >= 5
