"""The sample proxy before a started platform, on ports of its own, with a certificate made for it."""

import http.client
import os
import re
import shutil
import ssl
import subprocess
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import NamedTuple

from tests.operations.deploying import DEPLOY
from tests.running import free_port, until
from tests.services import missing


class Proxy(NamedTuple):
    port: int
    directory: Path


def upstream_to(*ports: int) -> str:
    """The sample's upstreams, with these ports in place of its own."""
    text = (DEPLOY / "nginx/upstream.conf").read_text()
    for written, port in zip(re.findall(r"127\.0\.0\.1:\d+", text), ports, strict=True):
        text = text.replace(written, f"127.0.0.1:{port}")
    return text


@contextmanager
def proxied(directory: Path, upstream: str, *, site: str = "", log: int = 0) -> Iterator[Proxy]:
    """The sample proxy on ports of the test's own, with a certificate made for it."""
    port = free_port()
    nginx = shutil.which("nginx") or shutil.which("nginx", path="/usr/sbin")
    if nginx is None:
        missing("nginx", FileNotFoundError("nginx"))
    make_certificate(directory)
    site = (site or (DEPLOY / "nginx/sabot.conf").read_text()) + upstream
    for written, meant in {
        "listen [::]:80;": "",
        "listen [::]:443 ssl http2;": "",
        "listen 80;": f"listen 127.0.0.1:{free_port()};",
        "listen 443 ssl": f"listen 127.0.0.1:{port} ssl",
        "/etc/ssl/sabot": str(directory),
        "/var/log/nginx": str(directory),
        "server=127.0.0.1:8003": f"server=127.0.0.1:{log or free_port()}",
        "/var/cache/sabot-static": str(directory / "static"),
    }.items():
        assert written in site
        site = site.replace(written, meant)
    paths = "".join(
        f"{kind}_temp_path {directory}/{kind};" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    config = directory / "nginx.conf"
    who = "user root;" if os.getuid() == 0 else ""  # directories of tests are private
    events = "worker_processes auto; events { worker_connections 4096; }"  # as the manual says
    config.write_text(f"{who} pid {directory}/pid; daemon off; {events} http {{ {paths}\n{site} }}")
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
    kind = ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "1")
    where = ("-keyout", str(directory / "privkey.pem"), "-out", str(directory / "fullchain.pem"))
    command = ["openssl", "req", "-x509", *kind, "-subj", "/CN=sabot.example", *where]
    subprocess.run(command, check=True, capture_output=True)


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
