"""gunicorn's settings: `gunicorn -c python:training.operations.web_server training.wsgi`.

Read by the parent of the web processes, which loads the site once; its children share what they do not change.
"""

import gc
import os
import shutil
import socket
import tempfile
from typing import Any

from training.operations import liveness, logs
from training.platform import turns
from training.platform.environment import address, env, mode

SLOTS = (turns.reading, turns.signing_in)
demo = mode() == "demo"  # reports missing settings once, and not in each web process
# Up to three sockets, in this order, whether we bind them or a service manager hands them over: for everybody, for
# candidates in an exam, and for `/healthz`. A web process takes one request from each of the first two in turn, so that
# exams never wait behind people who sign in. A thread answers on the third.
HEALTH = 2
bind = [":".join((address()[0], port)) for port in (address()[1], *env.list("OTHER_PORTS", default=[]))]
proxy_log_port = env.int("PROXY_LOG_PORT", default=0)
proxy_log: list[socket.socket] = []  # at most one, bound in the parent and read by every web process
workers = env.int("WEB_CONCURRENCY", default=2)
timeout = 30
# Longer than the longest request, so that a stopping process finishes what it has begun.
graceful_timeout = timeout + 5
control_socket_disable = True  # it would be created in the home directory
logconfig_dict = logs.config(readable=demo)
logconfig_dict["loggers"]["gunicorn.error"] = {"level": "INFO", "handlers": [], "propagate": True}


def on_starting(server: Any) -> None:
    """Prepare what web processes share: the directory of their metrics, the slots for slow work, and the loaded site.

    prometheus_client reads the variable on import. What is loaded is kept out of the garbage collector, which would
    write to it and so copy it in every child.
    """
    os.environ["PROMETHEUS_MULTIPROC_DIR"] = tempfile.mkdtemp(prefix="sabot-metrics-")
    if proxy_log_port:
        proxy_log.append(socket.socket(socket.AF_INET, socket.SOCK_DGRAM))
        # Shared with the stand-in during an update.
        proxy_log[0].setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
        proxy_log[0].bind((address()[0], proxy_log_port))
    for kind in SLOTS:
        kind.make(max(1, workers - 1))
    server.app.wsgi()
    from django.db import connections

    connections.close_all()  # a connection must not cross the fork
    gc.collect()
    gc.freeze()


def on_exit(_server: Any) -> None:
    shutil.rmtree(os.environ.pop("PROMETHEUS_MULTIPROC_DIR"), ignore_errors=True)
    for kind in SLOTS:
        kind.remove()


def post_fork(_server: Any, worker: Any) -> None:
    worker.liveness = worker.sockets[HEALTH:]
    worker.sockets = worker.sockets[:HEALTH]


def post_worker_init(worker: Any) -> None:
    from training.operations.metrics import proxy, queueing

    queueing.listening = worker.sockets
    for listening in proxy_log:
        proxy.count_from(listening)
    for listening in worker.liveness:
        liveness.answer_on(listening)
