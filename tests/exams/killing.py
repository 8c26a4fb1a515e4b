"""Exams for a platform that is killed at random: sittings already begun, and a broker that the test may kill too.

`python manage.py shell -c` runs `furnish` inside the started installation, so that the test itself needs no access to
its database but to look at it.
"""

import json
import os
import shutil
import signal
import subprocess
from pathlib import Path

from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.contrib.sessions.backends.db import SessionStore
from kombu import Connection
from redis import Redis

from exams.programmes.rules import Line, Section
from exams.records.models import FormItem, Sitting
from tests.exams.making import BOOK, SPOKEN, enter, make_rules, make_session, make_version, start
from tests.running import free_port, until
from tests.spoken import asked_words
from training.celery import QUEUES
from training.people.accounts import grant_role
from training.people.models import Role, User

BACKEND = "allauth.account.auth_backends.AuthenticationBackend"
RABBITMQ = Path("/usr/lib/rabbitmq/bin/rabbitmq-server")  # without the wrapper that changes to a user of its own


def furnish(sittings: int, items: int, minutes: int = 30) -> None:
    """Begin so many sittings of so many items; print what a browser needs to go on with each, as JSON lines."""
    line = Line(rulebook=BOOK, topic=SPOKEN, difficulty=2, items=items)
    section = Section(key="coup", names={"pt": "O golpe"}, lines=(line,))
    session = make_session(make_version(make_rules(sections=(section,), minutes=minutes)), spare=0)
    questions = [asked_words(item.scenario) for item in session.items.order_by("fingerprint")]
    for number in range(sittings):
        person = User.objects.create_user(f"candidate{number}@sabot.example", name=f"Pessoa {number}")
        grant_role(person, Role.TRAINEE, granted_by=None)
        sitting = start(enter(session, person))
        Sitting.objects.filter(pk=sitting.pk).update(device=f"browser{number}")
        placed = FormItem.objects.filter(form__candidate=sitting.candidate_id).order_by("position")
        told = {
            "sitting": str(sitting.pk),
            "form_items": list(placed.values_list("pk", flat=True)),
            "questions": questions,
            "cookies": {"sessionid": signed_in(person), "exam_browser": f"browser{number}"},
        }
        print(json.dumps(told))  # noqa: T201 (this is how it answers)


def signed_in(person: User) -> str:
    store = SessionStore()
    store[SESSION_KEY], store[BACKEND_SESSION_KEY] = str(person.pk), BACKEND
    store[HASH_SESSION_KEY] = person.get_session_auth_hash()
    store.create()
    return str(store.session_key)


class OwnBroker:
    """A broker server that only this test uses, so that it can be killed."""

    def __init__(self, kind: str, home: Path) -> None:
        self.kind, self.home, self.port, self.epmd = kind, home, free_port(), free_port()
        self.dist = free_port()
        home.mkdir()
        self.process: subprocess.Popen[bytes] | None = None

    @staticmethod
    def can_run(kind: str) -> bool:
        return RABBITMQ.exists() if kind == "rabbitmq" else shutil.which("redis-server") is not None

    @property
    def url(self) -> str:
        if self.kind == "rabbitmq":
            return f"amqp://guest:guest@127.0.0.1:{self.port}//"
        return f"redis://127.0.0.1:{self.port}/0"

    def start(self) -> None:
        command, environment = self._redis() if self.kind == "redis" else self._rabbitmq()
        with (self.home / "log").open("ab") as log:
            self.process = subprocess.Popen(
                command, env=os.environ | environment, stdout=log, stderr=log, start_new_session=True
            )
        until(f"{self.kind} answers", self._answers)

    def pause(self) -> None:
        """It hears and says nothing until it goes on."""
        self._signal(signal.SIGSTOP)

    def go_on(self) -> None:
        self._signal(signal.SIGCONT)

    def _signal(self, number: signal.Signals) -> None:
        if self.process:
            os.killpg(self.process.pid, number)

    def refuse(self, *, everybody: bool) -> None:
        """Let nobody in, and throw out who is, or let everybody in again."""
        if self.kind == "redis":
            with Redis(port=self.port, password="other" if not everybody else None) as server:
                server.config_set("requirepass", "other" if everybody else "")
                server.client_kill_filter(_type="normal", skipme=True)
            return
        self._control("change_password", "guest", "other" if everybody else "guest")
        self._control("close_all_connections", "chaos")

    def _control(self, *words: str) -> None:
        environment = os.environ | self._rabbitmq()[1]
        command = [str(RABBITMQ.with_name("rabbitmqctl")), *words]
        subprocess.run(command, env=environment, capture_output=True, check=True, timeout=60)

    def _redis(self) -> tuple[list[str], dict[str, str]]:
        """It keeps nothing: what it held is lost with it."""
        return [
            "redis-server",
            "--port",
            str(self.port),
            "--bind",
            "127.0.0.1",
            "--save",
            "",
            "--dir",
            str(self.home),
        ], {}

    def _rabbitmq(self) -> tuple[list[str], dict[str, str]]:
        nothing = self.home / "nothing"
        nothing.touch()
        return [str(RABBITMQ)], {
            "HOME": str(self.home),
            "ERL_EPMD_PORT": str(self.epmd),
            "RABBITMQ_NODENAME": f"sabot{self.port}@localhost",
            "RABBITMQ_NODE_IP_ADDRESS": "127.0.0.1",
            "RABBITMQ_NODE_PORT": str(self.port),
            "RABBITMQ_DIST_PORT": str(self.dist),
            "RABBITMQ_MNESIA_BASE": str(self.home),
            "RABBITMQ_LOG_BASE": str(self.home),
            "RABBITMQ_ENABLED_PLUGINS_FILE": str(nothing),
            "RABBITMQ_CONF_ENV_FILE": str(nothing),
            "RABBITMQ_CONFIG_FILE": str(self.home / "none"),
        }

    def _answers(self) -> bool:
        try:
            with Connection(self.url, connect_timeout=1, transport_options={"max_retries": 0}) as connection:
                connection.ensure_connection(max_retries=1, timeout=1)
        except Exception:  # each transport has its own kinds
            return False
        return True

    def kill(self) -> None:
        if self.process:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()
            self.process = None

    def end(self) -> None:
        self.kill()
        if self.kind == "rabbitmq":  # the port mapper that Erlang leaves behind
            subprocess.run(["epmd", "-port", str(self.epmd), "-kill"], capture_output=True, check=False)


class SharedBroker:
    """A broker that others use too: instead of being killed it forgets this test's queues."""

    def __init__(self, url: str, prefix: str) -> None:
        self.url, self.prefix = url, prefix

    def start(self) -> None:
        """It never went away."""

    def kill(self) -> None:
        with Connection(self.url) as connection:
            for queue in QUEUES:
                connection.default_channel.queue_delete(f"{self.prefix}{queue}")  # type: ignore[attr-defined]

    def end(self) -> None:
        self.kill()
