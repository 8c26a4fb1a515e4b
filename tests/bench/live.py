"""The live table: an act and the next event beside a form with one INSERT, a hall of tables that all deal at once, and
pages with few and with many stored acts. On PostgreSQL, really served."""

import http.client
import json
import os
import statistics
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from itertools import cycle
from pathlib import Path

from tests.bench.ground import platform
from tests.bench.site import WEB, Browser, milliseconds
from tests.bench.table import Line, Target, in_turns
from tests.persistent import CSRF
from tests.running import Installation, until

BOOKS = ("pt-roleta-francesa", "pt-chemin-de-fer", "pt-black-jack")
TABLES, HALL, EVERY, SECONDS = (
    100,
    20,
    2.0,
    20.0,
)  # an act at each table every two seconds; a smaller hall without --full
MANY, FULL = 200_000, 10_000_000  # stored acts
WITHIN, GROWTH = Target(3.0), Target(1.3)
P95 = Target(150.0, of="figure")
# Two cores have 40 ms for each of 50 acts a second; at half of that nobody waits long.
PROCESSOR = Target(20.0, of="figure")
FILL = """
import json
from django.db import connection
from django.utils import timezone
from rules_engine import play
from tests.bench.inside import quick_passwords
from tests.bench.urls import TABLE
from tests.exams.killing import signed_in
from tests.factories import PersonFactory
from training.live_table import services
quick_passwords()
connection.cursor().execute(TABLE)
books, found = {books}, []
for number in range({tables}):
    trainee = PersonFactory()
    setup = play.Setup(rulebook=books[number % len(books)], seed=str(number), coups=5000, faults=0.15)
    session = services.opened(trainee, setup, length="shoe", rung="busy", pace=3, now=timezone.now())
    found.append([signed_in(trainee), f"/practice/table/{{session.pk}}/act/"])
print(json.dumps(found))
"""
STORE = """
from django.db import connection
from training.live_table.models import Session
with connection.cursor() as cursor:
    cursor.execute("SET session_replication_role = replica")
    cursor.execute('''
        INSERT INTO live_table_act (session_id, number, document, received_at, events)
        SELECT md5((n / 500)::text)::uuid, n %% 500 + 1, '{"type": "carry_on"}', now(),
               '[{"what": "chips", "by": "3", "to": "red", "amount": 50}]'
        FROM generate_series(1, %s) AS n''', [COUNT])
    cursor.execute("SET session_replication_role = DEFAULT")
    for table in ("live_table_act", "live_table_session"):
        cursor.execute(f"VACUUM ANALYZE {table}")
    cursor.execute("CHECKPOINT")  # what was written goes to the disk now, not while the pages are measured
"""


class Dealer:
    """Deals at one table: every act says that the game goes on. Between two coups an act is sent again, as the page
    does."""

    def __init__(self, port: int, session: str, path: str) -> None:
        self.port, self.path, self.number = port, path, 1
        self.headers = {
            "Cookie": f"sessionid={session}; csrftoken={CSRF}",
            "X-CSRFToken": CSRF,
            "Content-Type": "application/json",
        }

    def act(self) -> bool:
        """Whether the act was taken; one between two coups is not."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        body = json.dumps({"number": self.number, "act": {"type": "carry_on"}})
        connection.request("POST", self.path, body, self.headers)
        response = connection.getresponse()
        told = response.read()
        connection.close()
        if response.status == 425:
            return False
        assert response.status == 200, f"{self.path}: {response.status} {told[:300]!r}"
        self.number += 1
        return True


def lines(*, rounds: int, full: bool) -> list[Line]:
    with platform(WEB_CONCURRENCY="2") as installation:
        filled = FILL.format(books=BOOKS, tables=TABLES)
        printed = json.loads(installation.run(filled).splitlines()[-1])
        web = installation.start("web", WEB)
        until("the site answers", lambda: installation.get("/healthz")[0] == 200, within=120)
        dealers = [Dealer(installation.port, *one) for one in printed]
        anybody = Browser(installation.port, {"sessionid": printed[0][0]})
        found = [*_acts(dealers, anybody, rounds), *_hall(dealers if full else dealers[:HALL], anybody, web.pid)]
        return [*found, *_growth(installation, dealers, anybody, FULL if full else MANY, rounds)]


def _acts(dealers: list[Dealer], anybody: Browser, rounds: int) -> list[Line]:
    """An act at a table of each game in turn, beside a form with one INSERT."""
    works: dict[str, Callable[[], object]] = {
        "insert": lambda: anybody.ask("POST", "/bench/insert/", {"text": "Igualdade a 4"})
    }
    for number, book in enumerate(BOOKS):
        works[book] = taken(iter(cycle(dealers[number :: len(BOOKS)])))
    found = in_turns({name: milliseconds(work) for name, work in works.items()}, rounds)
    insert = found.pop("insert")
    return [
        Line(f"act and next event, {book}", "ms", spent, "a form with one INSERT", insert, WITHIN)
        for book, spent in found.items()
    ]


def taken(dealers: Iterator[Dealer]) -> Callable[[], None]:
    """An act at the next table that takes one now."""

    def act() -> None:
        while not next(dealers).act():
            pass

    return act


def processor(group: int) -> float:
    """Seconds that the processes of a group have used of the processors."""
    used = 0
    for path in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            fields = path.read_text().rpartition(")")[2].split()
            if int(fields[2]) == group:
                used += int(fields[11]) + int(fields[12])
    return used / os.sysconf("SC_CLK_TCK")


def _hall(dealers: list[Dealer], anybody: Browser, web: int) -> list[Line]:
    """All tables at once, evenly spread over two seconds: how long the slowest acts take, and what an act costs. The
    latter holds on a machine that does other things too."""
    spent: list[float] = []
    before = processor(web)
    until_when = time.monotonic() + SECONDS

    def deal(dealer: Dealer, first: float) -> None:
        due = time.monotonic() + first
        while due < until_when:
            time.sleep(max(0.0, due - time.monotonic()))
            started = time.perf_counter()
            if dealer.act():
                spent.append((time.perf_counter() - started) * 1000)
            due += EVERY

    threads = [
        threading.Thread(target=deal, args=(dealer, EVERY * number / len(dealers)))
        for number, dealer in enumerate(dealers)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    each = (processor(web) - before) / len(spent) * 1000
    alone = milliseconds(lambda: anybody.ask("POST", "/bench/insert/", {"text": "Igualdade a 4"}))()
    p95 = statistics.quantiles(spent, n=20)[-1]
    name = f"{len(dealers)} tables, {len(spent) / SECONDS:.0f} acts a second, 95th percentile"
    form = "a form with one INSERT, alone"
    return [
        Line(name, "ms", (p95,), form, (alone,), P95),
        Line("processor time of an act, plans included", "ms", (each,), form, (alone,), PROCESSOR),
    ]


def _growth(installation: Installation, dealers: list[Dealer], anybody: Browser, many: int, rounds: int) -> list[Line]:
    """The same pages before and after many acts of other sessions are stored. The form with one INSERT is measured both
    times too: by as much as it has become slower or faster, the machine has."""
    first = dealers[0]
    page = first.path.removesuffix("act/")
    works = {
        # Nobody deals at the first table meanwhile: its page has the same to show both times.
        "act": milliseconds(taken(iter(cycle(dealers[len(BOOKS) :: len(BOOKS)])))),
        "table": milliseconds(lambda: anybody.ask("GET", page)),
        "tables": milliseconds(lambda: anybody.ask("GET", "/practice/table/")),
        "insert": milliseconds(lambda: anybody.ask("POST", "/bench/insert/", {"text": "Igualdade a 4"})),
    }
    few = in_turns(works, rounds)
    installation.run(STORE.replace("COUNT", str(many)))
    more = in_turns(works, rounds)
    pace = statistics.median(more.pop("insert")) / statistics.median(few.pop("insert"))
    few = {name: tuple(one * pace for one in spent) for name, spent in few.items()}
    return [
        Line(f"{name}, {many:,} stored acts", "ms", more[name], "with few stored acts", few[name], GROWTH)
        for name in few
    ]
