"""Pages and answers of the really served platform, beside a page with one SELECT and a form with one INSERT of the same
site: same web server, same middleware, same frame, signed in alike."""

import http.client
import json
import time
from collections.abc import Callable, Iterator, Mapping
from itertools import cycle
from urllib.parse import urlencode

from tests.bench.ground import platform
from tests.bench.table import Line, Target, in_turns
from tests.persistent import CSRF
from tests.running import Installation, until
from training.operations.management.commands.serve import PYTHON_MODULE

WEB = [*PYTHON_MODULE, "gunicorn", "-c", "python:training.operations.web_server", "tests.bench.wsgi"]
REQUESTS = 25  # of each kind in each round
REDIRECT = 302
NOTHING: Mapping[str, str] = {}
FORMS = ("drill answer", "exam save", "exam start", "editor ruling", "sign-in")
TARGETS = {
    **dict.fromkeys(("drill", "certificate check"), Target(2.0)),
    **dict.fromkeys(("home", "instructor home", "map of the rules", *FORMS[:2]), Target(3.0)),
}
FILL = """
import json
from django.db import connection
from django.contrib.auth.hashers import make_password
from tests.bench.inside import quick_passwords
from tests.bench.urls import TABLE
from tests.classes.rooms import make_class, set_work
from tests.exams.certifying import make_certificate
from tests.exams.killing import furnish, signed_in
from tests.exams.making import enter, make_session
from tests.factories import PASSWORD, PersonFactory
from tests.library.test_editor_pages import fields
from tests.library.versions import make_draft, make_in_review
from tests.practice.drills import make_drill
from training.people.models import Role
from training.practice import services
from rules_engine import Answer
stored = make_password(PASSWORD)
quick_passwords()
connection.cursor().execute(TABLE)
trainee = PersonFactory()
for _ in range(40):
    services.grade(services.submit_answer(make_drill(trainee), Answer({{}})).pk)
drills = [str(make_drill(trainee).pk) for _ in range({count})]
certificate = make_certificate()
furnish(1, 5, minutes=300)
session = make_session(spare=3)
entered = [enter(session, skip=number % 4) for number in range({count})]
entering = [[signed_in(one.person), f"/exams/enter/{{one.pk}}/"] for one in entered]
teacher = PersonFactory(roles=[Role.INSTRUCTOR])
teacher.password = stored
teacher.save()
for name in ("A", "B"):
    set_work(make_class(teacher, *[PersonFactory() for _ in range(20)], name=name))
make_draft(teacher)
make_in_review(PersonFactory(roles=[Role.INSTRUCTOR]))
print(json.dumps({{
    "session": signed_in(trainee), "drills": drills, "entering": entering, "code": certificate.code,
    "teaching": signed_in(teacher), "signing_in": {{"login": teacher.email, "password": PASSWORD}}, "facts": fields(),
}}))
"""


class Browser:
    """One signed-in person; a request is over when its answer is read."""

    def __init__(self, port: int, cookies: dict[str, str]) -> None:
        self.port = port
        cookie = "; ".join(f"{name}={value}" for name, value in {**cookies, "csrftoken": CSRF}.items())
        self.headers = {"Cookie": cookie, "X-CSRFToken": CSRF, "Content-Type": "application/x-www-form-urlencoded"}

    def ask(
        self, method: str, path: str, form: Mapping[str, str] = NOTHING, headers: Mapping[str, str] = NOTHING
    ) -> int:
        """The status of the answer. Pages and parts of pages must be shown, forms may also lead elsewhere."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        sent = {**self.headers, **headers}
        connection.request(method, path, urlencode(form) if method == "POST" else None, sent)
        response = connection.getresponse()
        body = response.read()
        connection.close()
        done = (200,) if method == "GET" or headers else (200, REDIRECT)
        assert response.status in done, f"{path}: {response.status} {body[:300]!r}"
        return response.status


def milliseconds(each: Callable[[], object]) -> Callable[[], float]:
    def measure() -> float:
        started = time.perf_counter()
        for _ in range(REQUESTS):
            each()
        return (time.perf_counter() - started) / REQUESTS * 1000

    return measure


def lines(*, rounds: int, full: bool) -> list[Line]:
    with platform(WEB_CONCURRENCY="1", CHECK_RATE="1000000000") as installation:
        printed = installation.run(FILL.format(count=(rounds + 1) * REQUESTS)).splitlines()
        installation.start("web", WEB)
        until("the site answers", lambda: installation.get("/healthz")[0] == 200, within=120)
        found = in_turns(_measures(installation, printed), rounds)
    select, insert = found.pop("select"), found.pop("insert")
    page, form = "a page with one SELECT", "a form with one INSERT"
    return [
        Line(name, "ms", taken, *((form, insert) if name in FORMS else (page, select)), TARGETS.get(name))
        for name, taken in found.items()
    ]


def _measures(installation: Installation, printed: list[str]) -> dict[str, Callable[[], float]]:
    sitting, one = (json.loads(line) for line in printed if line.startswith("{"))
    trainee = Browser(installation.port, {"sessionid": one["session"]})
    teacher = Browser(installation.port, {"sessionid": one["teaching"]})
    anybody = Browser(installation.port, {})
    candidate = Browser(installation.port, sitting["cookies"])
    drills: Iterator[str] = iter(one["drills"])
    sequence = iter(range(1, 10**6))

    def answer() -> None:
        trainee.ask("POST", f"/practice/{next(drills)}/", {"q.announcement": "Igualdade a 4", "q.winner": "tie"})

    def save() -> None:
        number = next(sequence)
        words = {f"q.{sitting['questions'][0]}": f"Igualdade a {number % 10}", "sequence": str(number), "seconds": "1"}
        candidate.ask("POST", f"/exams/sittings/{sitting['sitting']}/1/save/", words)

    def begin() -> None:
        """The code is right; the first page of the exam is another request."""
        session, address = next(entering)
        Browser(installation.port, {"sessionid": session, "exam_browser": "bench"}).ask(
            "POST", address, {"code": "SABOT-7"}
        )

    def rule() -> None:
        """What the editor asks for after every change of a fact."""
        part = {"HX-Request": "true", "HX-Target": "ruled"}
        teacher.ask("POST", "/scenarios/new/", one["facts"], part)

    def sign_in() -> None:
        assert anybody.ask("POST", "/account/login/", one["signing_in"]) == REDIRECT

    # Tables differ in what lies on them, so several are opened in turn; they are answered in the last round at most.
    kept, entering = cycle(one["drills"][-10:]), iter(one["entering"])
    works = {
        "select": lambda: trainee.ask("GET", "/bench/select/"),
        "insert": lambda: trainee.ask("POST", "/bench/insert/", {"text": "Igualdade a 4"}),
        "drill": lambda: trainee.ask("GET", f"/practice/{next(kept)}/"),
        "home": lambda: trainee.ask("GET", "/"),
        "instructor home": lambda: teacher.ask("GET", "/"),
        "editor ruling": rule,
        "sign-in": sign_in,
        "map of the rules": lambda: trainee.ask("GET", "/practice/rules/"),
        "certificate check": lambda: anybody.ask("GET", f"/c/{one['code']}"),
        "drill answer": answer,
        "exam save": save,
        "exam start": begin,
    }
    return {name: milliseconds(work) for name, work in works.items()}
