"""Counts the requests that the proxy refused or gave up on, of which Sabot itself sees nothing.

nginx sends one line about each such request to `PROXY_LOG_PORT` by UDP (`access_log syslog:…` in
`deploy/nginx/sabot.conf`). A line says how it ended and contains no address, path or key.
"""

import contextlib
import json
import socket
import threading

from prometheus_client import Counter

WHYS = ("limit", "no answer", "left", "slow browser")
REFUSED = Counter("sabot_proxy_refused_total", "Requests that the proxy refused or gave up on, by reason.", ["why"])
for why in WHYS:
    REFUSED.labels(why)
LARGEST = 4096  # bytes of a line


def count_from(listening: socket.socket) -> None:
    """Count in the background, until the process ends."""
    threading.Thread(target=_count_all, args=(listening,), name="proxy's refusals", daemon=True).start()


def _count_all(listening: socket.socket) -> None:
    while True:
        with contextlib.suppress(OSError):
            count(listening.recv(LARGEST))


def count(line: bytes) -> None:
    """Count what one line says: syslog's own words, then a JSON object."""
    try:
        told = json.loads(line[line.index(b"{") :])
    except (ValueError, RecursionError):  # anybody on the network of the proxy can send one
        return
    if isinstance(told, dict) and (why := _why(told)):
        REFUSED.labels(why).inc()


def _why(told: dict[str, object]) -> str:
    """The reason; empty if the answer was Sabot's own."""
    if told.get("limited") == "REJECTED":
        return "limit"
    if told.get("status") == 499:
        return "left"
    if told.get("status") == 408:
        return "slow browser"
    tried = str(told.get("upstream_status", "")).replace(",", " ").replace(":", " ").split()
    return "no answer" if {"502", "504"} & set(tried) else ""
