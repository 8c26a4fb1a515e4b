"""What `deploy/` starts, really started: the units' commands on PostgreSQL and RabbitMQ, with the unit's sockets."""

import re
import socket
import subprocess
import sys
import uuid
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from kombu import Connection

from tests import furnished
from tests.operations.deploying import DEPLOY, UNITS, command_of_unit, settings_file
from tests.running import PRODUCTION, Installation, free_port
from tests.services import BROKERS, empty_database, missing
from training.celery import QUEUES

WEB = "sabot-web.service"
PROGRAMS = (WEB, "sabot-exams@.service", "sabot-practice@.service", "sabot-beat.service")
# As a service manager hands over sockets that it keeps itself.
GIVEN_SOCKETS = """
import fcntl, os, sys
given = [fcntl.fcntl(int(one), fcntl.F_DUPFD, 100) for one in sys.argv[1].split(",")]
for place, one in enumerate(given, 3):
    os.dup2(one, place)
told = {"LISTEN_FDS": str(len(given)), "LISTEN_PID": str(os.getpid())}
os.execve(sys.argv[2], sys.argv[2:], os.environ | told)
"""


class Deployed(Installation):
    """The installation with the sockets of `sabot-web.socket`, open from the beginning, on ports of its own."""

    sockets: list[socket.socket]

    @property
    def ports(self) -> list[int]:
        return [int(one.getsockname()[1]) for one in self.sockets]

    @property
    def log_port(self) -> int:
        return int(self.environment["PROXY_LOG_PORT"])

    def start_web(self, name: str = WEB, command: list[str] | None = None) -> "subprocess.Popen[bytes]":
        numbers = [one.fileno() for one in self.sockets]
        given = ",".join(map(str, numbers))
        return self.start(
            name, [sys.executable, "-c", GIVEN_SOCKETS, given, *(command or self.command(WEB))], keep=numbers
        )

    def command(self, unit: str) -> list[str]:
        return command_of_unit(unit, prefix=self.environment["CELERY_QUEUE_PREFIX"])


@contextmanager
def deployment(var: Path, **changes: str) -> Iterator[Deployed]:
    """Tables and static files, and nothing started."""
    prefix, broker = f"test-{uuid.uuid4().hex[:12]}-", BROKERS["rabbitmq"]
    with ExitStack() as stack:
        database = stack.enter_context(empty_database())
        connection = stack.enter_context(Connection(broker, connect_timeout=3))
        try:
            connection.ensure_connection(max_retries=1, timeout=3)
        except Exception as error:  # each transport has its own kinds
            missing("rabbitmq", error)
        own = {
            "SABOT_MODE": "production",
            "SABOT_VAR": str(var),
            "SECRET_KEY": PRODUCTION["SECRET_KEY"],
            "ALLOWED_HOSTS": "sabot.example,127.0.0.1",
            "DATABASE_URL": database,
            "CELERY_BROKER_URL": broker,
            "CELERY_QUEUE_PREFIX": prefix,
            "PROXY_LOG_PORT": str(free_port()),
            "TMPDIR": str(var),
        }
        made = Deployed(var, **settings_file(DEPLOY / "sabot.env") | own | changes)
        listening = re.findall(r"^ListenStream=", (UNITS / "sabot-web.socket").read_text(), re.M)
        made.sockets = [stack.enter_context(socket.create_server(("127.0.0.1", 0), backlog=2048)) for _ in listening]
        made.port = made.ports[0]
        made.url = f"http://127.0.0.1:{made.port}"
        try:
            furnished.with_tables(made)
            furnished.with_static(made)
            done = made.manage("prepare")
            assert done.returncode == 0, done.stderr
            yield made
        finally:
            made.end()
            for queue in QUEUES:
                connection.default_channel.queue_delete(f"{prefix}{queue}")  # type: ignore[attr-defined]


def start_all(made: Deployed) -> None:
    made.start_web()
    for unit in PROGRAMS[1:]:
        made.start(unit, made.command(unit))
    made.wait_until_ready(within=120)
