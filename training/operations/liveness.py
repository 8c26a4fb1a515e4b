"""Answers `/healthz` on a socket of its own, from a thread of each web process, so that it never waits behind requests.

Imports no Django. A web process that is stuck is killed by its parent (`web_server.timeout`), and its thread with it.
"""

import contextlib
import socket
import threading

PATIENCE = 2.0  # seconds for a client to send its request
UP = b'{"status": "up"}'
KNOWN = b"/healthz"


def answer_on(listening: socket.socket) -> threading.Thread:
    """Start to answer in the background, until the process ends."""
    listening.setblocking(True)
    thread = threading.Thread(target=_answer_all, args=(listening,), name="liveness", daemon=True)
    thread.start()
    return thread


def _answer_all(listening: socket.socket) -> None:
    while True:
        with contextlib.suppress(OSError):
            client, _ = listening.accept()
            with client:
                client.settimeout(PATIENCE)
                client.sendall(_response(client.recv(4096)))
                client.shutdown(socket.SHUT_WR)


def _response(request: bytes) -> bytes:
    method, _, rest = request.partition(b" ")
    path = rest.partition(b" ")[0].partition(b"?")[0]
    if path != KNOWN:
        return _with_status(b"404 Not Found", b"")
    if method not in (b"GET", b"HEAD"):
        return _with_status(b"405 Method Not Allowed", b"")
    return _with_status(b"200 OK", b"" if method == b"HEAD" else UP)


def _with_status(status: bytes, body: bytes) -> bytes:
    head = b"HTTP/1.1 %b\r\nContent-Type: application/json\r\nCache-Control: no-store\r\nContent-Length: %d\r\n"
    return head % (status, len(body)) + b"Connection: close\r\n\r\n" + body
