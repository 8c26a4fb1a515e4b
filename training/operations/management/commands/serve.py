"""`manage.py serve`: web server, queue workers and beat in one foreground command."""

import socket
import sys
import urllib.error
import urllib.request
from contextlib import suppress
from typing import Any

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.core.management.base import BaseCommand, CommandError
from django.db import OperationalError, connections

from training.operations.old_database import refuse_old_database
from training.operations.supervisor import Supervisor
from training.people.demo import PASSWORD, PEOPLE, refuse_in_production
from training.platform import environment
from training.platform.file_modes import make_private

PYTHON_MODULE = [sys.executable, "-m"]
WORKER = [*PYTHON_MODULE, "celery", "--quiet", "-A", "training", "worker"]


def programs(prefix: str) -> dict[str, list[str]]:
    """The commands of the platform by name; `prefix` comes before the names of the queues."""
    return {
        "web": [*PYTHON_MODULE, "gunicorn", "-c", "python:training.operations.web_server", "training.wsgi"],
        "exams": [*WORKER, "--queues", f"{prefix}exams", "--concurrency=1", "--hostname=exams@%h"],
        "worker": [
            *WORKER,
            "--queues",
            f"{prefix}practice,{prefix}background",
            "--concurrency=2",
            "--hostname=worker@%h",
        ],
        "beat": [*PYTHON_MODULE, "celery", "--quiet", "-A", "training", "beat"],
    }


class Command(BaseCommand):
    help = "Run web server, workers and beat until Ctrl-C. Listens on HOST (127.0.0.1) and PORT (8000)."

    def handle(self, **_: Any) -> None:
        if settings.DEMO:
            make_private()
        host, port = environment.address()[0], chosen_port()
        require_free(host, port)
        with suppress(OperationalError):  # where the database is away everything starts all the same, to say so
            refuse_old_database()
        try:
            refuse_in_production()
        except ImproperlyConfigured as refusal:
            raise CommandError(str(refusal)) from refusal
        connections.close_all()  # a database connection must not cross the fork
        supervisor = Supervisor(programs(settings.CELERY_QUEUE_PREFIX))
        address = f"http://{'127.0.0.1' if host == '0.0.0.0' else host}:{port}/"  # noqa: S104 (only compared)
        status = supervisor.run(on_start=lambda: announce(supervisor, address))
        if status:
            sys.exit(status)


def chosen_port() -> int:
    given = environment.address()[1]
    if not (given.isascii() and given.isdecimal()) or not 1 <= int(given) <= 65535:
        raise CommandError(f"PORT is “{given}”; it must be a number from 1 to 65535.")
    return int(given)


def require_free(host: str, port: int) -> None:
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError as error:
            raise CommandError(
                f"Port {port} on {host} cannot be used ({error.strerror}). Choose another: PORT={port + 1} make run"
            ) from error


def announce(supervisor: Supervisor, address: str) -> bool:
    """Print the address once the web server answers; False if it does not answer yet."""
    if not answers(f"{address}healthz"):
        return False
    supervisor.say(f"Ready: {address}  (Ctrl-C stops everything)")
    if settings.DEMO:
        supervisor.say(f"Demo people, all with the password {PASSWORD}")
        for person in PEOPLE:
            supervisor.say(f"  {person.email:24} {', '.join(str(role.value) for role in person.roles)}")
    return True


def answers(url: str) -> bool:
    try:
        with urllib.request.urlopen(url, timeout=1) as response:  # noqa: S310 (our own http address)
            return bool(response.status == 200)
    except (urllib.error.URLError, OSError):
        return False
