"""gunicorn's settings: `gunicorn -c python:training.operations.web_server training.wsgi`.

Read by the parent of the web processes, which outlives their code: nothing of Django is loaded here.
"""

import contextlib
import os
import shutil
import signal
import tempfile
from typing import Any

from gunicorn.systemd import sd_notify

from training.operations import logs
from training.platform.environment import address, env, mode
from training.platform.uploads import slots

demo = mode() == "demo"  # what is missing is told here, once, and not by each web process
bind = ":".join(address())
workers = env.int("WEB_CONCURRENCY", default=2)
timeout = 30
# Longer than the longest request may take: whoever is asked to stop finishes what it has begun.
graceful_timeout = timeout + 5
control_socket_disable = True  # it would be made in the home directory
logconfig_dict = logs.config(readable=demo)
logconfig_dict["loggers"]["gunicorn.error"] = {"level": "INFO", "handlers": [], "propagate": True}


def on_starting(_server: Any) -> None:
    """Make the directory in which web processes share their counters. prometheus_client reads this variable when it is
    imported, which the worker processes do after this."""
    os.environ["PROMETHEUS_MULTIPROC_DIR"] = tempfile.mkdtemp(prefix="sabot-metrics-")
    # At least one web process never waits for an uploaded file, so pages are answered whatever people upload.
    slots.make(max(1, workers - 1))


def on_exit(_server: Any) -> None:
    shutil.rmtree(os.environ.pop("PROMETHEUS_MULTIPROC_DIR"), ignore_errors=True)
    slots.remove()


# An update: SIGUSR2 makes the parent start a successor on the same socket. As soon as a web process of that can answer,
# it asks the old parent to finish; until then both answer, so that nobody is refused and nobody waits.


def pre_fork(server: Any, worker: Any) -> None:
    worker.predecessor = server.master_pid if server.master_pid == os.getppid() else 0


def post_worker_init(worker: Any) -> None:
    if worker.predecessor:
        worker.log.info("Taking over from %s", worker.predecessor)
        sd_notify(f"MAINPID={worker.ppid}", worker.log)  # the service manager must not miss the one that goes
        with contextlib.suppress(ProcessLookupError):
            os.kill(worker.predecessor, signal.SIGTERM)
