"""gunicorn's settings: `gunicorn -c python:training.operations.web_server training.wsgi`.

Read by the parent of the web processes, which survives updates of the code: imports no Django.
"""

import contextlib
import os
import shutil
import signal
import tempfile
from typing import Any

from gunicorn.systemd import sd_notify

from training.operations import logs
from training.platform import turns
from training.platform.environment import address, env, mode

SLOTS = (turns.reading, turns.signing_in)
demo = mode() == "demo"  # reports missing settings once, and not in each web process
bind = ":".join(address())
workers = env.int("WEB_CONCURRENCY", default=2)
timeout = 30
# Longer than the longest request, so that a stopping process finishes what it has begun.
graceful_timeout = timeout + 5
control_socket_disable = True  # it would be created in the home directory
logconfig_dict = logs.config(readable=demo)
logconfig_dict["loggers"]["gunicorn.error"] = {"level": "INFO", "handlers": [], "propagate": True}


def on_starting(_server: Any) -> None:
    """Create the directory in which web processes share their metrics, and the slots for slow work.

    prometheus_client reads the variable on import, which the web processes do after this.
    """
    os.environ["PROMETHEUS_MULTIPROC_DIR"] = tempfile.mkdtemp(prefix="sabot-metrics-")
    for kind in SLOTS:
        kind.make(max(1, workers - 1))


def on_exit(_server: Any) -> None:
    shutil.rmtree(os.environ.pop("PROMETHEUS_MULTIPROC_DIR"), ignore_errors=True)
    for kind in SLOTS:
        kind.remove()


# An update: SIGUSR2 makes the parent start a successor on the same socket. As soon as one of its web processes can
# answer, it asks the old parent to finish; until then both answer, so no request is refused.


def pre_fork(server: Any, worker: Any) -> None:
    worker.predecessor = server.master_pid if server.master_pid == os.getppid() else 0


def post_worker_init(worker: Any) -> None:
    from training.operations.metrics import queueing  # imports Django, so not in the parent

    queueing.listening = worker.sockets
    if worker.predecessor:
        worker.log.info("Taking over from %s", worker.predecessor)
        sd_notify(f"MAINPID={worker.ppid}", worker.log)  # so that the service manager follows the new parent
        with contextlib.suppress(ProcessLookupError):
            os.kill(worker.predecessor, signal.SIGTERM)
