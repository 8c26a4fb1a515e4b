"""What `deploy/` starts, really started: the units' commands on PostgreSQL and RabbitMQ, with nginx before them."""

import gzip
import http.client
import json
import os
import re
import signal
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from threading import Event

import pytest

from tests.operations.deployed import PROGRAMS, Deployed, deployment, start_all
from tests.operations.deploying import DEPLOY, command_of_unit, compose
from tests.operations.proxying import Proxy, answer, proxied, upstream_to
from tests.running import free_port, until
from training.operations import alive

pytestmark = pytest.mark.services


@pytest.fixture(scope="module")
def deployed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Deployed]:
    with deployment(tmp_path_factory.mktemp("deployed")) as made:
        start_all(made)
        yield made


def metrics(deployed: Deployed) -> str:
    with closing(http.client.HTTPConnection("127.0.0.1", deployed.port, timeout=20)) as connection:
        connection.request("GET", "/metrics")
        response = connection.getresponse()
        assert response.status == 200
        return response.read().decode()


def asked(text: str) -> float:
    return float((re.findall(r'sabot_requests_total\{status="200",view="healthz"\} (\S+)', text) or ["0"])[0])


def test_whichever_web_process_is_asked_answers_for_all(deployed: Deployed) -> None:
    before = asked(metrics(deployed))
    for _ in range(20):
        assert deployed.get("/healthz")[0] == 200
    assert [asked(metrics(deployed)) for _ in range(6)] == [before + 20] * 6
    assert 'sabot_reading_ok{reading="queues"} 1.0' in metrics(deployed)


@pytest.fixture(scope="module")
def proxy(deployed: Deployed, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Proxy]:
    with proxied(tmp_path_factory.mktemp("proxy"), upstream_to(*deployed.ports), log=deployed.log_port) as running:
        yield running


def test_pages_come_through_the_proxy_over_tls_and_compressed(proxy: Proxy) -> None:
    status, headers, page = answer(proxy, "/account/login/")
    assert status == 200  # a redirect would mean that the forwarded scheme is not believed
    assert headers["content-encoding"] == "gzip"
    assert b"csrfmiddlewaretoken" in gzip.decompress(page)
    assert "max-age" in headers["strict-transport-security"]
    assert re.fullmatch("[0-9a-f]{32}", headers["x-request-id"])


def test_the_proxy_keeps_to_itself_what_is_not_for_the_world(proxy: Proxy) -> None:
    assert answer(proxy, "/metrics")[0] == 404
    assert answer(proxy, "/readyz")[0] == 404
    assert answer(proxy, "/account/login/", method="POST", body=b"x" * 7_000_000)[0] == 413
    assert answer(proxy, "/hr/staff/", method="POST", body=b"x" * 14_000_000)[0] == 413
    assert answer(proxy, "/hr/staff/", method="POST", body=b"x" * 7_000_000)[0] != 413


def test_a_key_in_an_address_is_in_no_log_of_the_proxy(proxy: Proxy) -> None:
    """A body that is too large is an error to nginx, of which it writes the whole request line."""
    for address in ("/account/login/", "/account/password/reset/key/1-6a-very-private/"):
        assert answer(proxy, address, method="POST", body=b"x" * 7_000_000)[0] == 413
    written = "".join(file.read_text() for file in proxy.directory.glob("*.log"))
    assert '"status":413' in written
    assert "/account/" not in written


def test_workers_and_beat_show_that_they_are_alive(deployed: Deployed) -> None:
    """The file of the containers' health checks; each container has its own, and here all have one."""
    file = deployed.var / alive.NAME
    for unit in ("sabot-exams@.service", "sabot-beat.service"):
        others = [deployed.started[one] for one in PROGRAMS[1:] if one != unit]
        for process in others:
            os.killpg(process.pid, signal.SIGSTOP)
        try:
            file.unlink(missing_ok=True)
            until(f"{unit} touches its file", file.exists, within=30)
        finally:
            for process in others:
                os.killpg(process.pid, signal.SIGCONT)


def test_what_the_proxy_refuses_is_counted_by_the_platform(deployed: Deployed, tmp_path: Path) -> None:
    """An address that asks too often gets 429 from the proxy, and 503 where nobody answers: no page of Sabot."""

    def refused() -> dict[str, float]:
        told = re.findall(r'sabot_proxy_refused_total\{why="([^"]+)"\} (\S+)', metrics(deployed))
        return {why: float(count) for why, count in told}

    before = refused()
    assert set(before) == {"limit", "no answer", "left", "slow browser"}  # from the beginning
    # One request a minute: even a machine that takes seconds for each is faster.
    site = (DEPLOY / "nginx/sabot.conf").read_text()
    for written, meant in {
        "burst=3000": "burst=1",
        "zone=sabot_requests:10m rate=300r/s": "zone=sabot_requests:10m rate=1r/m",
    }.items():
        assert written in site
        site = site.replace(written, meant)
    closed, *others = free_port(), *deployed.ports[1:]
    with proxied(tmp_path, upstream_to(closed, *others), site=site, log=deployed.log_port) as proxy:
        with ThreadPoolExecutor(8) as visitors:
            list(visitors.map(lambda _: answer(proxy, "/practice/"), range(40)))
        until("the proxy's refusals are counted", lambda: refused()["limit"] > before["limit"])
        assert answer(proxy, "/practice/")[0] in (503, 429)
    until("what nobody answered is counted", lambda: refused()["no answer"] > before["no answer"])


def test_with_two_of_web_nobody_notices_when_they_are_replaced_one_after_the_other(
    deployed: Deployed, tmp_path: Path
) -> None:
    """As containers do it: each is stopped, and only then its successor started at the same address."""
    upstream: str = compose()["configs"]["upstream"]["content"]
    written = re.findall(r"server (\S+) ", upstream)
    ports = dict(zip(written, (free_port() for _ in written), strict=True))
    for address, port in ports.items():
        upstream = upstream.replace(address, f"127.0.0.1:{port}")
    webs = [[port for address, port in ports.items() if address.startswith(f"{host}:")] for host in _hosts(written)]

    def start(own: list[int]) -> None:
        binds = [word for port in own for word in ("--bind", f"127.0.0.1:{port}")]
        deployed.start(f"web-{own[0]}", [*command_of_unit("sabot-web.service"), *binds, "--workers", "1"])
        until("web answers", lambda: status_at(own[-1]) == 200, within=60)

    for own in webs:
        start(own)
    with proxied(tmp_path, upstream) as proxy, ThreadPoolExecutor(4) as visitors:
        replaced, seen = Event(), list[int]()

        def visit() -> None:
            while not replaced.wait(0.2):  # so few requests leave the new ones time to start
                seen.append(answer(proxy, "/account/login/")[0])

        visiting = [visitors.submit(visit) for _ in range(4)]
        for own in webs:
            before = len(seen)
            deployed.started[f"web-{own[0]}"].terminate()
            assert deployed.started[f"web-{own[0]}"].wait(timeout=60) == 0
            start(own)
            until("visitors came meanwhile", lambda before=before: len(seen) > before, within=30)  # type: ignore[misc]
        replaced.set()
        for visitor in visiting:
            visitor.result()
    for own in webs:
        deployed.started[f"web-{own[0]}"].terminate()
        deployed.started[f"web-{own[0]}"].wait(timeout=60)
    assert len(seen) > 20
    assert set(seen) == {200}


def _hosts(addresses: list[str]) -> list[str]:
    return list(dict.fromkeys(address.partition(":")[0] for address in addresses))


def status_at(port: int) -> int:
    with closing(http.client.HTTPConnection("127.0.0.1", port, timeout=20)) as connection:
        try:
            connection.request("GET", "/healthz", headers={"Host": "127.0.0.1"})
            return connection.getresponse().status
        except ConnectionRefusedError:
            return 0


def test_every_line_of_every_program_is_json(deployed: Deployed, proxy: Proxy) -> None:
    assert answer(proxy, "/account/login/")[0] == 200  # its line is written before the answer is sent
    for unit in PROGRAMS:
        lines = deployed.output(unit).splitlines()
        for line in lines:
            assert isinstance(json.loads(line), dict), f"{unit}: {line}"
    spoken = {
        json.loads(line)["logger"].partition(".")[0] for unit in PROGRAMS for line in deployed.output(unit).splitlines()
    }
    assert {"gunicorn", "celery", "training"} <= spoken
    log = proxy.directory / "sabot.log"
    assert all("path" not in json.loads(line) for line in log.read_text().splitlines())


def test_all_end_orderly_when_asked_to(deployed: Deployed) -> None:
    """Last: what is asked to stop stops by itself, and the counts of the web processes are cleared away."""
    assert len(list(deployed.var.glob("sabot-metrics-*"))) == 1
    for unit in PROGRAMS:
        deployed.started[unit].terminate()
    assert [deployed.started[unit].wait(timeout=60) for unit in PROGRAMS] == [0, 0, 0, 0]
    assert list(deployed.var.glob("sabot-metrics-*")) == []
    last = [line for unit in PROGRAMS for line in deployed.output(unit).splitlines()]
    assert all(isinstance(json.loads(line), dict) for line in last)
    assert any("Warm shutdown" in line for line in last)
