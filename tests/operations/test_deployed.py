"""What `deploy/` starts, really started: the units' commands on PostgreSQL and RabbitMQ, with nginx before them."""

import gzip
import http.client
import json
import re
import shutil
import ssl
import subprocess
import uuid
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from pathlib import Path
from threading import Event
from typing import NamedTuple

import pytest
from kombu import Connection

from tests import furnished
from tests.operations.deploying import DEPLOY, command_of_unit, compose, settings_file
from tests.running import PRODUCTION, Installation, free_port, until
from tests.services import BROKERS, empty_database, missing
from training.celery import QUEUES

pytestmark = pytest.mark.services


class Proxy(NamedTuple):
    port: int
    directory: Path


UNITS = ("sabot-web.service", "sabot-exams@.service", "sabot-practice@.service", "sabot-beat.service")


@pytest.fixture(scope="module")
def deployed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Installation]:
    var, prefix, broker = tmp_path_factory.mktemp("deployed"), f"test-{uuid.uuid4().hex[:12]}-", BROKERS["rabbitmq"]
    with empty_database() as database, Connection(broker, connect_timeout=3) as connection:
        try:
            connection.ensure_connection(max_retries=1, timeout=3)
        except Exception as error:  # each transport has its own kinds
            missing("rabbitmq", error)
        own = {
            "SABOT_MODE": "production",
            "SABOT_VAR": str(var),
            "SECRET_KEY": PRODUCTION["SECRET_KEY"],
            "ALLOWED_HOSTS": "sabot.example,127.0.0.1",
            "DATABASE_URL": database,
            "CELERY_BROKER_URL": broker,
            "CELERY_QUEUE_PREFIX": prefix,
            "TMPDIR": str(var),
        }
        installation = Installation(var, **settings_file(DEPLOY / "sabot.env") | own)
        try:
            furnished.with_tables(installation)
            furnished.with_static(installation)
            done = installation.manage("prepare")
            assert done.returncode == 0, done.stderr
            for unit in UNITS:
                installation.start(unit, command_of_unit(unit, prefix=prefix))
            installation.wait_until_ready(within=120)
            yield installation
        finally:
            installation.end()
            for queue in QUEUES:
                connection.default_channel.queue_delete(f"{prefix}{queue}")  # type: ignore[attr-defined]


def metrics(deployed: Installation) -> str:
    with closing(http.client.HTTPConnection("127.0.0.1", deployed.port, timeout=20)) as connection:
        connection.request("GET", "/metrics")
        response = connection.getresponse()
        assert response.status == 200
        return response.read().decode()


def asked(text: str) -> float:
    return float((re.findall(r'sabot_requests_total\{status="200",view="healthz"\} (\S+)', text) or ["0"])[0])


def test_whichever_web_process_is_asked_answers_for_all(deployed: Installation) -> None:
    before = asked(metrics(deployed))
    for _ in range(20):
        assert deployed.get("/healthz")[0] == 200
    assert [asked(metrics(deployed)) for _ in range(6)] == [before + 20] * 6
    assert 'sabot_reading_ok{reading="queues"} 1.0' in metrics(deployed)


@pytest.fixture(scope="module")
def proxy(deployed: Installation, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Proxy]:
    upstream = (DEPLOY / "nginx/upstream.conf").read_text().replace("127.0.0.1:8000", f"127.0.0.1:{deployed.port}")
    with proxied(tmp_path_factory.mktemp("proxy"), upstream) as running:
        yield running


@contextmanager
def proxied(directory: Path, upstream: str) -> Iterator[Proxy]:
    """The sample proxy on ports of the test's own, with a certificate made for it."""
    port = free_port()
    nginx = shutil.which("nginx") or shutil.which("nginx", path="/usr/sbin")
    if nginx is None:
        missing("nginx", FileNotFoundError("nginx"))
    make_certificate(directory)
    site = (DEPLOY / "nginx/sabot.conf").read_text() + upstream
    for written, meant in {
        "listen [::]:80;": "",
        "listen [::]:443 ssl http2;": "",
        "listen 80;": f"listen 127.0.0.1:{free_port()};",
        "listen 443 ssl": f"listen 127.0.0.1:{port} ssl",
        "/etc/ssl/sabot": str(directory),
        "/var/log/nginx": str(directory),
    }.items():
        assert written in site
        site = site.replace(written, meant)
    paths = "".join(
        f"{kind}_temp_path {directory}/{kind};" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    config = directory / "nginx.conf"
    config.write_text(f"pid {directory}/pid; daemon off; events {{}} http {{ {paths}\n{site} }}")
    command = [str(nginx), "-p", str(directory), "-e", str(directory / "error.log"), "-c", str(config)]
    checked = subprocess.run([*command, "-t"], capture_output=True, text=True, check=False)
    assert checked.returncode == 0, checked.stderr
    running = subprocess.Popen(command)
    try:
        until("the proxy answers", lambda: answer(Proxy(port, directory), "/healthz")[0] == 200, within=30)
        yield Proxy(port, directory)
    finally:
        running.terminate()
        running.wait()


def make_certificate(directory: Path) -> None:
    subprocess.run(
        [
            *("openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1", "-subj", "/CN=sabot.example"),
            *("-keyout", str(directory / "privkey.pem"), "-out", str(directory / "fullchain.pem")),
        ],
        check=True,
        capture_output=True,
    )


def answer(proxy: Proxy, path: str, *, method: str = "GET", body: bytes = b"") -> tuple[int, dict[str, str], bytes]:
    context = ssl.create_default_context()
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    with closing(http.client.HTTPSConnection("127.0.0.1", proxy.port, timeout=20, context=context)) as connection:
        try:
            connection.request(method, path, body, {"Host": "sabot.example", "Accept-Encoding": "gzip"})
            response = connection.getresponse()
            return response.status, {name.lower(): value for name, value in response.getheaders()}, response.read()
        except ConnectionRefusedError:
            return 0, {}, b""


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


def test_a_key_in_an_address_is_in_no_log_of_the_proxy(proxy: Proxy) -> None:
    """A body that is too large is an error to nginx, of which it writes the whole request line."""
    for address in ("/account/login/", "/account/password/reset/key/1-6a-very-private/"):
        assert answer(proxy, address, method="POST", body=b"x" * 7_000_000)[0] == 413
    written = "".join(file.read_text() for file in proxy.directory.glob("*.log"))
    assert '"status":413' in written
    assert "/account/" not in written


def test_with_two_of_web_nobody_notices_when_they_are_replaced_one_after_the_other(
    deployed: Installation, tmp_path: Path
) -> None:
    """As containers do it: each is stopped, and only then its successor started at the same address."""
    upstream: str = compose()["configs"]["upstream"]["content"]
    ports = dict(zip(re.findall(r"server (\S+) ", upstream), (free_port(), free_port()), strict=True))
    for written, port in ports.items():
        upstream = upstream.replace(written, f"127.0.0.1:{port}")

    def start(port: int) -> None:
        command = [*command_of_unit("sabot-web.service"), "--bind", f"127.0.0.1:{port}", "--workers", "1"]
        deployed.start(f"web-{port}", command)
        until("web answers", lambda: status_at(port) == 200, within=60)

    for port in ports.values():
        start(port)
    with proxied(tmp_path, upstream) as proxy, ThreadPoolExecutor(4) as visitors:
        replaced, seen = Event(), list[int]()

        def visit() -> None:
            while not replaced.wait(0.2):  # so few requests leave the new ones time to start
                seen.append(answer(proxy, "/account/login/")[0])

        visiting = [visitors.submit(visit) for _ in range(4)]
        for port in ports.values():
            before = len(seen)
            deployed.started[f"web-{port}"].terminate()
            assert deployed.started[f"web-{port}"].wait(timeout=60) == 0
            start(port)
            until("visitors came meanwhile", lambda before=before: len(seen) > before, within=30)  # type: ignore[misc]
        replaced.set()
        for visitor in visiting:
            visitor.result()
    for port in ports.values():
        deployed.started[f"web-{port}"].terminate()
        deployed.started[f"web-{port}"].wait(timeout=60)
    assert len(seen) > 20
    assert set(seen) == {200}


def status_at(port: int) -> int:
    with closing(http.client.HTTPConnection("127.0.0.1", port, timeout=20)) as connection:
        try:
            connection.request("GET", "/healthz", headers={"Host": "127.0.0.1"})
            return connection.getresponse().status
        except ConnectionRefusedError:
            return 0


def test_every_line_of_every_program_is_json(deployed: Installation, proxy: Proxy) -> None:
    assert answer(proxy, "/account/login/")[0] == 200  # its line is written before the answer is sent
    for unit in UNITS:
        lines = deployed.output(unit).splitlines()
        for line in lines:
            assert isinstance(json.loads(line), dict), f"{unit}: {line}"
    spoken = {
        json.loads(line)["logger"].partition(".")[0] for unit in UNITS for line in deployed.output(unit).splitlines()
    }
    assert {"gunicorn", "celery", "training"} <= spoken
    log = proxy.directory / "sabot.log"
    assert all("path" not in json.loads(line) for line in log.read_text().splitlines())


def test_all_end_orderly_when_asked_to(deployed: Installation) -> None:
    """Last: what is asked to stop stops by itself, and the counts of the web processes are cleared away."""
    assert len(list(deployed.var.glob("sabot-metrics-*"))) == 1
    for unit in UNITS:
        deployed.started[unit].terminate()
    assert [deployed.started[unit].wait(timeout=60) for unit in UNITS] == [0, 0, 0, 0]
    assert list(deployed.var.glob("sabot-metrics-*")) == []
