"""Metrics of waiting: for a web process, and for a turn to sign in.

The proxy says when it passed a request on (`X-Request-Start: t=…`) and for how long it held a sign-in back
(`X-Held`, seconds). Both are believed only behind a trusted proxy.
"""

import re
import socket
import struct
import sys
import time
from collections.abc import Sequence

from django.conf import settings
from django.http import HttpRequest
from prometheus_client import Counter, Histogram

SECONDS = (0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20, 40)
QUEUE = Histogram(
    "sabot_queue_seconds", "From the proxy to a web process: how long requests waited for one.", buckets=SECONDS
)
SIGN_IN_HELD = Histogram("sabot_sign_in_held_seconds", "How long the proxy held sign-ins back.", buckets=SECONDS)
SIGN_IN_TURN = Histogram(
    "sabot_sign_in_turn_seconds", "How long sign-ins waited for a turn in a web process.", buckets=SECONDS
)
PUT_OFF = Counter("sabot_sign_ins_put_off_total", "Sign-ins answered with the page “One moment”.", ["by"])
for by in ("proxy", "web"):
    PUT_OFF.labels(by)
COUNTED = (QUEUE, SIGN_IN_HELD, SIGN_IN_TURN, PUT_OFF)

LONGEST = 60.0  # seconds; clocks that differ by more say nothing
STARTED = re.compile(r"t=(\d{10}\.\d{3})")
HELD = re.compile(r"\d{1,4}\.\d{3}")
UNACKED = struct.Struct("=24xI")  # tcpi_unacked in Linux's tcp_info: of a listening socket, its backlog

# The listening sockets of this web process; set by `training.operations.web_server`.
listening: Sequence[socket.socket] = ()


def observe(request: HttpRequest) -> None:
    """Note how long the request waited before it got here."""
    if not settings.TRUSTED_PROXIES:
        return
    if passed_on := STARTED.fullmatch(request.headers.get("X-Request-Start", "")):
        waited = time.time() - float(passed_on[1])
        if waited < LONGEST:
            QUEUE.observe(max(0.0, waited))
    if request.method == "POST" and HELD.fullmatch(held := request.headers.get("X-Held", "")):
        SIGN_IN_HELD.observe(float(held))


def backlog() -> int | None:
    """How many connections no web process of this machine has accepted yet; None where nobody can say."""
    if not listening or not sys.platform.startswith("linux"):
        return None
    found = 0
    for one in listening:
        if one.family in (socket.AF_INET, socket.AF_INET6):
            info = one.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, UNACKED.size)
            found += UNACKED.unpack(info)[0]
    return found
