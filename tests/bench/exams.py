"""An exam that all candidates begin at once, then saves: the real web server on PostgreSQL, and many candidates.

Times are measured from the moment a request was due, so that a server that falls behind cannot hide it.
"""

import http.client
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any
from urllib.parse import urlencode

from tests.bench.ground import platform, told
from tests.bench.site import WEB
from tests.bench.table import Line, Target
from tests.persistent import CSRF
from tests.running import until

# So many candidates begin within so many seconds; then so many saves a second for so long.
SMALL, FULL, WITHIN = 60, 300, 10
SAVES, SECONDS = {False: 30, True: 100}, 20
BEGIN, SAVE = Target(1000, of="figure"), Target(150, of="figure")  # milliseconds, for 95 of 100
THREADS = 64
BROWSER = "bench"
FILL = "import json; from tests.bench.exams import fill; print(json.dumps(fill({count})))"


def lines(*, rounds: int, full: bool) -> list[Line]:
    count, saves = (FULL if full else SMALL), SAVES[full] * SECONDS
    with platform(WEB_CONCURRENCY="2") as installation:
        *people, other = told(installation, FILL.format(count=count))
        installation.start("web", WEB)
        until("the site answers", lambda: installation.get("/healthz")[0] == 200, within=120)
        port = installation.port
        bare = crowd([partial(insert, port, other) for _ in range(saves)], SAVES[full])
        began = crowd([partial(begin, port, who) for who in people], count / WITHIN)
        saved = crowd([partial(save, port, people[number % count], number) for number in range(saves)], SAVES[full])
    yardstick = p95_of_parts(bare, rounds)
    named = "a form with one INSERT, at the same rate"
    return [
        Line(f"begin, 95th percentile of {count}", "ms", p95_of_parts(began, rounds), named, yardstick, BEGIN),
        Line(f"save, 95th percentile at {SAVES[full]}/s", "ms", p95_of_parts(saved, rounds), named, yardstick, SAVE),
    ]


def p95_of_parts(taken: Sequence[float], parts: int) -> tuple[float, ...]:
    size = len(taken) // parts
    return tuple(p95(taken[start : start + size]) for start in range(0, size * parts, size))


def p95(taken: Sequence[float]) -> float:
    return sorted(taken)[max(0, round(len(taken) * 0.95) - 1)]


# ---- the crowd


def crowd(requests: Sequence[Callable[[], None]], rate: float) -> list[float]:
    """Do each when it is due, `rate` a second, however long those before it take; milliseconds from being due."""
    started = time.perf_counter() + 0.5

    def one(number: int) -> float:
        due = started + number / rate
        time.sleep(max(0.0, due - time.perf_counter()))
        requests[number]()
        return (time.perf_counter() - due) * 1000

    with ThreadPoolExecutor(THREADS) as pool:
        return list(pool.map(one, range(len(requests))))


def ask(port: int, method: str, path: str, who: dict[str, str], **form: Any) -> str:
    """Where the answer leads to."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    cookie = f"sessionid={who['session']}; csrftoken={CSRF}; exam_browser={BROWSER}"
    headers = {"Cookie": cookie, "X-CSRFToken": CSRF, "Content-Type": "application/x-www-form-urlencoded"}
    try:
        connection.request(method, path, urlencode(form) if method == "POST" else None, headers)
        response = connection.getresponse()
        body = response.read()
        assert response.status in (200, 302), f"{path}: {response.status} {body[:300]!r}"
        return response.headers.get("Location", "")
    finally:
        connection.close()


def begin(port: int, who: dict[str, str]) -> None:
    """From the code to the first item on the screen."""
    who["item"] = ask(port, "POST", who["enter"], who, code=who["code"])
    ask(port, "GET", who["item"], who)


def save(port: int, who: dict[str, str], number: int) -> None:
    answer = {f"q.{who['question']}": f"Igualdade a {number % 10}", "sequence": number + 1, "seconds": 1}
    ask(port, "POST", f"{who['item']}save/", who, **answer)


def insert(port: int, who: dict[str, str]) -> None:
    ask(port, "POST", "/bench/insert/", who, text="Igualdade a 4")


# ---- inside the installation


def fill(candidates: int) -> list[dict[str, str]]:
    """A session with so many candidates, signed in, and one person more who sits no exam."""
    from django.db import connection

    from tests.bench.inside import quick_passwords
    from tests.bench.urls import TABLE
    from tests.exams import making
    from tests.exams.killing import signed_in
    from tests.factories import PersonFactory

    quick_passwords()
    connection.cursor().execute(TABLE)
    session = making.make_session(spare=3)
    people = []
    for number in range(candidates):
        candidate = making.enter(session, skip=number % 4)
        first = candidate.form.items.select_related("item").earliest("position").item.scenario
        people.append(
            {
                "session": signed_in(candidate.person),
                "enter": f"/exams/enter/{candidate.pk}/",
                "code": session.access_code,
                "question": next(question.key for question in first.questions if question.kind == "words"),
            }
        )
    return [*people, {"session": signed_in(PersonFactory())}]
