"""Sends one message to another system and reads its answer, within limits on time and size."""

import http.client
import ipaddress
import socket
import ssl
import threading
import time
from urllib.parse import urlsplit

from exams.webhooks import addresses

SECONDS = 10.0  # for the whole exchange: lookup, connection, request and answer
LONGEST = 16 * 1024  # bytes of the answer to read; only its first line counts


def post(address: str, body: bytes, headers: dict[str, str]) -> int:
    """Send the message and return the answer's status. Raises OSError or HTTPException if none comes in time, and
    Forbidden if the name resolves to a forbidden address."""
    deadline = time.monotonic() + SECONDS
    parts = urlsplit(address)
    host, port = parts.hostname or "", parts.port or (443 if parts.scheme == "https" else 80)
    connection = http.client.HTTPConnection(host, port)
    connection.sock = _connected(host, port, deadline)
    try:
        if parts.scheme == "https":
            connection.sock = ssl.create_default_context().wrap_socket(connection.sock, server_hostname=host)
        target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
        connection.sock.settimeout(_left(deadline))
        connection.request("POST", target, body=body, headers=headers)
        return _status(connection.sock, deadline)
    finally:
        connection.close()


def _connected(host: str, port: int, deadline: float) -> socket.socket:
    """Connects to the address that was checked: a second lookup of the name could return another one."""
    place = _looked_up(host, port, deadline)
    addresses.verify_place(ipaddress.ip_address(place))
    made = socket.create_connection((place, port), timeout=_left(deadline))
    made.settimeout(_left(deadline))
    return made


def _looked_up(host: str, port: int, deadline: float) -> str:
    """Resolve the name in a thread, because the system's resolver has no timeout."""
    found: list[str] = []
    errors: list[BaseException] = []

    def ask() -> None:
        try:
            found.append(str(socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][4][0]))
        except (OSError, UnicodeError) as error:
            errors.append(error)

    asking = threading.Thread(target=ask, daemon=True)
    asking.start()
    asking.join(_left(deadline))
    if errors:
        raise errors[0]
    if not found:
        raise TimeoutError("the name was not looked up in time")
    return found[0]


def _status(sock: socket.socket, deadline: float) -> int:
    """The status of the answer. Interim answers (100 to 199) are skipped."""
    heard = b""
    while len(heard) < LONGEST:
        sock.settimeout(_left(deadline))
        got = sock.recv(4096)
        heard += got
        status, heard = _parsed(heard)
        if status:
            return status
        if not got:
            break
    raise http.client.BadStatusLine(heard[:100].decode("latin-1"))


def _parsed(heard: bytes) -> tuple[int, bytes]:
    """The final status, or 0 if it has not come yet, and the part of the answer that was not skipped."""
    while True:
        line, end, _rest = heard.partition(b"\n")
        if not end:
            return 0, heard
        version, _space, rest = line.partition(b" ")
        digits = rest[:3]
        if not version.startswith(b"HTTP/") or not digits.isdigit() or len(digits) < 3:
            raise http.client.BadStatusLine(line[:100].decode("latin-1"))
        if not digits.startswith(b"1"):
            return int(digits), heard
        _early, blank, after = heard.partition(b"\r\n\r\n")
        if not blank:
            return 0, heard
        heard = after


def _left(deadline: float) -> float:
    """Seconds until the deadline. Raises TimeoutError if it has passed."""
    left = deadline - time.monotonic()
    if left <= 0:
        raise TimeoutError("the other system took too long")
    return left
