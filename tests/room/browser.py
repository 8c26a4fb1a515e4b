"""One candidate's browser: a connection kept alive, cookies, files asked for one after the other without waiting.

It speaks HTTP itself, because the load and the platform share the machine's cores and the standard library's client
takes as long for an answer as the platform.
"""

import re
import select
import socket
import ssl
import time
from collections import Counter, defaultdict
from collections.abc import Sequence
from typing import IO, NamedTuple
from urllib.parse import urlencode, urljoin

from tests.persistent import CSRF

SITE = "https://sabot.example"
STATIC = re.compile(r'(?:href|src)="(/static/[^"]+)"')
SHOWN = re.compile(r'url\("?([^")#]+)"?\)')
PATIENCE = 60.0  # seconds for one answer


class Wrong(Exception):
    """An answer that a candidate must never get."""


class Record:
    """What all browsers of one process saw."""

    def __init__(self) -> None:
        self.taken: defaultdict[str, list[float]] = defaultdict(list)
        self.statuses: Counter[int] = Counter()
        self.wrong: list[str] = []
        self.put_off = 0

    def note(self, what: str, seconds: float, status: int = 200) -> None:
        self.taken[what].append(seconds)
        self.statuses[status] += 1

    def add(self, other: "Record") -> None:
        for what, taken in other.taken.items():
            self.taken[what] += taken
        self.statuses += other.statuses
        self.wrong += other.wrong
        self.put_off += other.put_off

    def slowest(self, what: str) -> float:
        return max(self.taken[what], default=0.0)

    def p95(self, what: str) -> float:
        taken = sorted(self.taken[what])
        return taken[max(0, round(len(taken) * 0.95) - 1)] if taken else 0.0


class Answer(NamedTuple):
    status: int
    location: str
    cookies: list[str]
    body: bytes
    closes: bool

    @property
    def text(self) -> str:
        return self.body.decode(errors="replace")


def trusting() -> ssl.SSLContext:
    context = ssl.create_default_context()
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    return context


class Browser:
    def __init__(self, port: int, record: Record, context: ssl.SSLContext, **cookies: str) -> None:
        self.port, self.record, self.context = port, record, context
        self.cookies = {"csrftoken": CSRF, **cookies}
        self.kept: set[str] = set()
        self.socket: ssl.SSLSocket | None = None
        self.reading: IO[bytes]

    def ask(self, what: str, method: str, path: str, form: dict[str, str] | None = None) -> tuple[str, str]:
        """Returns the text of the answer and where it redirects to. Raises Wrong unless it is a 200 or 302."""
        (answer,) = self._exchange(what, [self._request(method, path, form)])
        return answer.text, answer.location

    def page(self, what: str, path: str) -> str:
        """A page, where its redirects lead, with everything it shows that this browser does not have yet."""
        body, there = self.ask(what, "GET", path)
        while there:
            body, there = self.ask(what, "GET", there)
        self._show(STATIC.findall(body))
        return body

    def _show(self, wanted: list[str]) -> None:
        while new := [path for path in dict.fromkeys(wanted) if path not in self.kept]:
            self.kept.update(new)
            answers = self._exchange("static file", [self._request("GET", path, None) for path in new])
            sheets = [(path, answer.text) for path, answer in zip(new, answers, strict=True) if path.endswith(".css")]
            wanted = [urljoin(path, one) for path, text in sheets for one in SHOWN.findall(text)]

    def _request(self, method: str, path: str, form: dict[str, str] | None) -> bytes:
        cookies = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        lines = [f"{method} {path} HTTP/1.1", "Host: sabot.example", f"Cookie: {cookies}"]
        body = urlencode(form).encode() if form is not None else b""
        if form is not None:
            lines += [f"Referer: {SITE}/", f"X-CSRFToken: {self.cookies['csrftoken']}"]
            lines += ["Content-Type: application/x-www-form-urlencoded", f"Content-Length: {len(body)}"]
        return "\r\n".join([*lines, "", ""]).encode() + body

    def _exchange(self, what: str, requests: Sequence[bytes]) -> list[Answer]:
        """Send all at once and read the answers; connects first, or anew where the proxy closed the connection."""
        started = time.perf_counter()
        try:
            if self.socket is None or self._ended():
                self._connect()
            assert self.socket is not None
            self.socket.sendall(b"".join(requests))
            answers = [self._read() for _ in requests]
        except (OSError, ValueError) as error:
            self._close()
            self.record.note(what, time.perf_counter() - started, 0)
            raise Wrong(f"{what}: {error!r}") from error
        for answer in answers:
            self.record.note(what, time.perf_counter() - started, answer.status)
            if answer.status not in (200, 302):
                said = " ".join(re.sub("<[^>]+>", " ", answer.text).split())
                raise Wrong(f"{what}: {answer.status} {said[:200]}")
        if answers[-1].closes:
            self._close()
        return answers

    def _connect(self) -> None:
        plain = socket.create_connection(("127.0.0.1", self.port), timeout=PATIENCE)
        self.socket = self.context.wrap_socket(plain, server_hostname="sabot.example")
        self.reading = self.socket.makefile("rb")

    def _ended(self) -> bool:
        """Whether the proxy closed the connection, which it does after a minute without requests."""
        assert self.socket is not None
        waiting = select.poll()
        waiting.register(self.socket, select.POLLIN)
        if not waiting.poll(0):
            return False
        self._close()
        return True

    def _close(self) -> None:
        if self.socket is not None:
            self.reading.close()
            self.socket.close()
            self.socket = None

    def _read(self) -> Answer:
        first = self.reading.readline()
        if not first:
            raise ConnectionResetError("the connection ended before the answer")
        status = int(first.split(b" ", 2)[1])
        location, cookies, length, chunked, closes = "", [], 0, False, False
        while (line := self.reading.readline().rstrip()) != b"":
            name, _, value = line.partition(b": ")
            match name.lower():
                case b"content-length":
                    length = int(value)
                case b"transfer-encoding":
                    chunked = True
                case b"location":
                    location = value.decode()
                case b"set-cookie":
                    cookies.append(value.decode())
                case b"connection":
                    closes = value == b"close"
        for one in cookies:
            name_of, _, given = one.partition(";")[0].partition("=")
            self.cookies[name_of] = given
        return Answer(status, location, cookies, self._chunks() if chunked else self.reading.read(length), closes)

    def _chunks(self) -> bytes:
        found = b""
        while size := int(self.reading.readline(), 16):
            found += self.reading.read(size)
            self.reading.readline()
        self.reading.readline()
        return found
