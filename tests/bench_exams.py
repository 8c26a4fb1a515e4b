"""How an exam stands up to everybody at once: the real web server on PostgreSQL, and a crowd of candidates.

Part of `make bench`, or alone: `python -m tests.bench_exams [candidates] [seconds]`. It makes a database of its own and
drops it. Times are measured from the moment a request was due, so that a server that falls behind cannot hide it. The
yardstick, a bare Django view that inserts one row, is measured in the same run behind the same web server.
"""

import http.client
import json
import os
import socket
import statistics
import subprocess
import sys
import tempfile
import time
import uuid
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import psycopg
from psycopg import sql

from tests.services import POSTGRES

ROOT = Path(__file__).resolve().parent.parent
CANDIDATES, WITHIN = 300, 10  # so many begin within so many seconds
SAVES, SECONDS = 100, 20  # so many saves a second, for so long
WANTED_START, WANTED_SAVE = 1.0, 0.150  # seconds, for 95 of 100
THREADS = 64
SECRET = "c" * 32
BROWSER = "bench"


@dataclass(frozen=True)
class Sample:
    status: int
    spent: float


def main(candidates: int = CANDIDATES, seconds: int = SECONDS) -> int:
    try:
        server = psycopg.connect(POSTGRES, autocommit=True, connect_timeout=3)
    except psycopg.OperationalError:
        print("no PostgreSQL here: an exam with everybody at once was not measured")
        return 0
    name = f"sabot_bench_exams_{uuid.uuid4().hex[:8]}"
    with server, tempfile.TemporaryDirectory() as var:
        server.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(name)))
        environment = os.environ | {
            "DATABASE_URL": f"{POSTGRES.rpartition('/')[0]}/{name}",
            "SABOT_MODE": "demo",
            "SABOT_VAR": var,
            "SECRET_KEY": SECRET,
            "DJANGO_SETTINGS_MODULE": "training.settings",
            "WEB_CONCURRENCY": "2",
        }
        try:
            return measure(environment, candidates, seconds)
        finally:
            server.execute(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(sql.Identifier(name)))


def measure(environment: dict[str, str], candidates: int, seconds: int) -> int:
    command = [sys.executable, "-m", "tests.bench_exams", "fill", str(candidates)]
    filled = subprocess.run(command, env=environment, cwd=ROOT, capture_output=True, text=True, check=False)
    if filled.returncode:
        print(f"the exam could not be set up:\n{filled.stderr[-2000:]}")
        return 1
    people: list[dict[str, str]] = json.loads(filled.stdout.splitlines()[-1])
    saves = SAVES * seconds
    with served("bare()", environment) as port:
        bare = crowd([partial(insert, port, number) for number in range(saves)], SAVES)
    with served("platform()", environment) as port:
        began = crowd([partial(begin, port, who) for who in people], candidates / WITHIN)
        saved = crowd([partial(save, port, people[number % candidates], number) for number in range(saves)], SAVES)
    print(f"\nan exam with {candidates} candidates who begin within {WITHIN} s, then {SAVES} saves/s for {seconds} s:")
    tell("bare insert", bare)
    fine = tell("begin", began, WANTED_START)
    fine = tell("save", saved, WANTED_SAVE) and fine
    print(f"  a save takes {p95(saved) / p95(bare):.1f} × the bare insert (95 of 100)")
    return 0 if fine else 1


def tell(what: str, samples: Sequence[Sample], wanted: float | None = None) -> bool:
    errors = sum(sample.status >= 400 or not sample.status for sample in samples)
    middle = statistics.median(sample.spent for sample in samples)
    asked = f" (wanted {wanted * 1000:.0f})" if wanted else ""
    print(
        f"  {what:14}{len(samples):6} requests{errors:4} errors"
        f"   median {middle * 1000:7.1f} ms   p95 {p95(samples) * 1000:7.1f} ms{asked}"
    )
    return not errors and (wanted is None or p95(samples) <= wanted)


def p95(samples: Sequence[Sample]) -> float:
    return sorted(sample.spent for sample in samples)[max(0, round(len(samples) * 0.95) - 1)]


# ---------- the crowd ----------


def crowd(requests: Sequence[Callable[[], int]], rate: float) -> list[Sample]:
    """Do each when it is due, `rate` a second, however long the ones before it take."""
    started = time.perf_counter() + 0.5

    def one(number: int) -> Sample:
        due = started + number / rate
        time.sleep(max(0.0, due - time.perf_counter()))
        try:
            status = requests[number]()
        except OSError:
            status = 0
        return Sample(status, time.perf_counter() - due)

    with ThreadPoolExecutor(THREADS) as pool:
        return list(pool.map(one, range(len(requests))))


def ask(port: int, method: str, path: str, cookie: str = "", **form: Any) -> tuple[int, str]:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    headers = {"Cookie": cookie, "X-CSRFToken": SECRET, "Content-Type": "application/x-www-form-urlencoded"}
    try:
        connection.request(method, path, urlencode(form) if method == "POST" else None, headers)
        response = connection.getresponse()
        response.read()
        return response.status, response.headers.get("Location", "")
    finally:
        connection.close()


def cookie_of(who: dict[str, str]) -> str:
    return f"sessionid={who['session']}; csrftoken={SECRET}; exam_browser={BROWSER}"


def begin(port: int, who: dict[str, str]) -> int:
    """From the code to the first item on the screen."""
    status, item = ask(port, "POST", who["enter"], cookie_of(who), code=who["code"])
    if status != 302:
        return status if status >= 400 else 500
    who["item"] = item
    return ask(port, "GET", item, cookie_of(who))[0]


def save(port: int, who: dict[str, str], number: int) -> int:
    answer = {f"q.{who['question']}": f"Igualdade a {number % 10}", "sequence": number + 1, "seconds": 1}
    return ask(port, "POST", f"{who['item']}save/", cookie_of(who), **answer)[0]


def insert(port: int, number: int) -> int:
    return ask(port, "POST", "/", text=f"Igualdade a {number % 10}")[0]


# ---------- the servers ----------


@contextmanager
def served(application: str, environment: dict[str, str]) -> Iterator[int]:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = int(probe.getsockname()[1])
    command = [sys.executable, "-m", "gunicorn", "-c", "python:training.web_server", f"tests.bench_exams:{application}"]
    quiet = subprocess.DEVNULL
    with subprocess.Popen(
        command, cwd=ROOT, env=environment | {"PORT": str(port)}, stdout=quiet, stderr=quiet
    ) as process:
        try:
            while not answers(port):
                if process.poll() is not None:
                    raise RuntimeError(f"{application} did not start")
                time.sleep(0.1)
            yield port
        finally:
            process.terminate()
            process.wait()


def answers(port: int) -> bool:
    try:
        return ask(port, "GET", "/healthz")[0] == 200
    except OSError:
        return False


def platform() -> Any:
    """The whole platform; only its static files keep their plain names, since none are collected here."""
    from training import settings

    settings.STORAGES["staticfiles"] = {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}
    from training.wsgi import application

    return application


def bare() -> Any:
    """Django with one view and nothing around it: what an insert costs here at least."""
    import environ
    from django.conf import settings
    from django.core.wsgi import get_wsgi_application

    database = environ.Env().db("DATABASE_URL") | {"CONN_MAX_AGE": 600}
    settings.configure(
        SECRET_KEY=SECRET, ALLOWED_HOSTS=["*"], ROOT_URLCONF="tests.bench_exams", DATABASES={"default": database}
    )
    return get_wsgi_application()


def insert_one(request: Any) -> Any:
    from django.db import connection
    from django.http import HttpResponse

    if request.method == "POST":
        with connection.cursor() as cursor:
            cursor.execute("INSERT INTO bench_bare (text) VALUES (%s)", [request.POST["text"]])
    return HttpResponse("stored")


def __getattr__(name: str) -> Any:
    """`urlpatterns` of the bare application; Django must be set up before they can be made."""
    if name != "urlpatterns":
        raise AttributeError(name)
    from django.urls import path

    return [path("", insert_one), path("healthz", insert_one)]


# ---------- the exam ----------


def fill(candidates: int) -> None:
    """In a process of its own, whose database is the new one: a session with so many candidates, signed in."""
    import django

    from training import settings

    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]  # type: ignore[attr-defined]
    django.setup()
    from django.core.management import call_command
    from django.db import connection
    from django.test import Client

    call_command("migrate", verbosity=0)
    call_command("createcachetable", verbosity=0)
    from tests.exams import making

    with connection.cursor() as cursor:
        cursor.execute("CREATE TABLE bench_bare (id bigserial PRIMARY KEY, text text NOT NULL)")
    session = making.make_session(spare=3)
    people = []
    for number in range(candidates):
        candidate = making.enter(session, skip=number % 4)
        first = candidate.form.items.select_related("item").earliest("position").item.scenario
        client = Client()
        client.force_login(candidate.person)
        people.append(
            {
                "session": client.cookies["sessionid"].value,
                "enter": f"/exams/enter/{candidate.pk}/",
                "code": session.access_code,
                "question": next(question.key for question in first.questions if question.kind == "words"),
            }
        )
    connection.commit()
    print(json.dumps(people))


if __name__ == "__main__":
    if sys.argv[1:2] == ["fill"]:
        fill(int(sys.argv[2]))
    else:
        sys.exit(main(*map(int, sys.argv[1:3])))
