"""One run: a room signs in, sits an exam and hands in, through the shipped proxy, on the units' commands."""

import argparse
import json
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from multiprocessing import get_context
from multiprocessing.queues import Queue
from multiprocessing.synchronize import Barrier
from pathlib import Path

import psycopg

from tests.operations.deployed import Deployed, deployment, start_all
from tests.operations.proxying import Proxy, proxied, upstream_to
from tests.room.alarms import Watch, watched
from tests.room.browser import Browser, Record, Wrong, trusting
from tests.room.candidate import Candidate
from tests.running import until

WITHIN = 5.0  # seconds in which all arrive, in which all begin, and in which all hand in
OTHERS, THEIR_SAVES = 40, 5.0  # in another exam while the room signs in; seconds between two saves of each
SAVES = 10.0  # seconds between two saves in the exam of the room
SIGNED_IN, HEALTHY, SAVED, GRADED = 20.0, 1.0, 0.5, 600.0  # seconds, the targets and the longest wait for marks
WHILE_SIGNING_IN, IN_THE_EXAM = "save, while the room signs in", "save, in the exam"
FILL = "import json; from tests.room.inside import fill; print(json.dumps(fill({room}, {others})))"
LEFT = "SELECT count(*) FROM records_sitting WHERE closed_at IS NOT NULL AND graded_at IS NULL"

Act = Callable[[Candidate], None]
Play = Callable[["Crowd", Proxy, float], None]


def main() -> int:
    asked = argparse.ArgumentParser(prog="python -m tests.room", description="A room of candidates at once.")
    asked.add_argument("--candidates", type=int, default=300)
    asked.add_argument("--seconds", type=float, default=30.0, help="for which everybody saves; 300 in full")
    given = asked.parse_args()
    with tempfile.TemporaryDirectory(prefix="sabot-room-", ignore_cleanup_errors=True) as home:
        (var := Path(home) / "var").mkdir()
        with deployment(var) as made:
            missed = run(made, Path(home), given.candidates, given.seconds)
    for line in missed:
        say(f"MISSED: {line}")
    return 1 if missed else 0


def say(line: str) -> None:
    print(line, flush=True)  # noqa: T201 (it is a command)


def run(made: Deployed, home: Path, candidates: int, seconds: float) -> list[str]:
    """Play the room. Returns the targets that were missed."""
    people = json.loads(made.run(FILL.format(room=candidates, others=OTHERS)).splitlines()[-1])
    start_all(made)
    (at := home / "proxy").mkdir()
    record = Record()
    with proxied(at, upstream_to(*made.ports), log=made.log_port) as proxy, watched(made.port, home) as watch:
        # Two processes, so that the clocks of those who only watch do not wait for the room's.
        both = get_context("fork")
        ready, told = both.Barrier(2), both.Queue()
        halls = [(the_room, people[:candidates]), (the_others, people[candidates:])]
        started = [
            both.Process(target=hall, args=(play, proxy, told_of, seconds, ready, told)) for play, told_of in halls
        ]
        for process in started:
            process.start()
        for _ in started:
            record.add(told.get())
        for process in started:
            process.join()
        closed = time.perf_counter()
        with psycopg.connect(made.environment["DATABASE_URL"], autocommit=True) as database:
            until("all are graded", lambda: database.execute(LEFT).fetchone() == (0,), within=GRADED)
        record.note("graded, all, from the last hand-in", time.perf_counter() - closed)
        return judged(record, watch)


class Crowd:
    """People who do the same thing, each in a thread of its own; `ready` waits for the other hall."""

    def __init__(self, people: list[Candidate], record: Record, ready: Barrier) -> None:
        self.people, self.record, self.ready = people, record, ready
        self.threads = ThreadPoolExecutor(len(people))

    def all(self, act: Act, *, within: float = 0.0) -> None:
        started = time.perf_counter()

        def one(number: int) -> None:
            time.sleep(max(0.0, started + within * number / len(self.people) - time.perf_counter()))
            try:
                act(self.people[number])
            except (Wrong, AssertionError) as wrong:
                self.record.wrong.append(str(wrong))

        for done in [self.threads.submit(one, number) for number in range(len(self.people))]:
            done.result()


def hall(
    play: Play, proxy: Proxy, people: list[dict[str, str]], seconds: float, ready: Barrier, told: "Queue[Record]"
) -> None:
    """One process: its people play their part; what they saw is put into the queue."""
    record, context = Record(), trusting()
    crowd = Crowd([Candidate(proxy.port, record, context, one) for one in people], record, ready)
    try:
        play(crowd, proxy, seconds)
    except BaseException as error:
        ready.abort()
        record.wrong.append(f"the load itself failed: {error!r}")
    told.put(record)


def the_room(crowd: Crowd, _proxy: Proxy, seconds: float) -> None:
    crowd.ready.wait()
    began = time.perf_counter()
    crowd.all(Candidate.sign_in, within=WITHIN)
    crowd.record.note("signed in, all", time.perf_counter() - began)
    crowd.ready.wait()
    crowd.all(Candidate.begin, within=WITHIN)
    _finish(crowd, seconds)


def the_others(crowd: Crowd, proxy: Proxy, seconds: float) -> None:
    with probing(proxy, crowd.record):
        crowd.all(Candidate.begin, within=WITHIN)
        crowd.ready.wait()
        over = time.perf_counter() + WITHIN + SIGNED_IN
        crowd.all(lambda one: one.go_on(WHILE_SIGNING_IN, over, THEIR_SAVES))
        crowd.ready.wait()
        _finish(crowd, seconds)


def _finish(crowd: Crowd, seconds: float) -> None:
    crowd.ready.wait()
    over = time.perf_counter() + seconds
    crowd.all(lambda one: one.go_on(IN_THE_EXAM, over, SAVES))
    crowd.all(Candidate.hand_in, within=WITHIN)


@contextmanager
def probing(proxy: Proxy, record: Record) -> Iterator[None]:
    """A balancer that asks whether the platform is up, several times a second."""
    over = threading.Event()
    balancer = Browser(proxy.port, record, trusting())

    def probe() -> None:
        while not over.wait(0.2):
            try:
                balancer.ask("/healthz", "GET", "/healthz")
            except Wrong as wrong:
                record.wrong.append(str(wrong))

    prober = threading.Thread(target=probe)
    prober.start()
    try:
        yield
    finally:
        over.set()
        prober.join()


def judged(record: Record, watch: Watch | None) -> list[str]:
    """Print what was measured. Returns the targets that were missed."""
    say(f"{'':36} {'count':>6} {'median':>8} {'95 %':>8} {'slowest':>8}  (seconds)")
    for what, taken in record.taken.items():
        middle = sorted(taken)[len(taken) // 2]
        say(f"{what:36} {len(taken):6} {middle:8.3f} {record.p95(what):8.3f} {record.slowest(what):8.3f}")
    say(f"answers by status: {dict(sorted(record.statuses.items()))}; put off by “One moment”: {record.put_off}")
    if watch:
        say(f"alarms: {', '.join(watch.fired()) or 'none'}")
        say(f"largest backlog that was seen: {watch.number('max(max_over_time(sabot_backlog[1h]))'):.0f}")
    else:
        say("alarms: not watched, prometheus is not installed")
    wanted = {
        f"all signed in within {SIGNED_IN:g} s": record.slowest("signed in, all") <= SIGNED_IN,
        f"/healthz within {HEALTHY:g} s": record.slowest("/healthz") <= HEALTHY,
        f"p95 of saves while the room signs in ≤ {SAVED:g} s": record.p95(WHILE_SIGNING_IN) <= SAVED,
        f"p95 of saves in the exam ≤ {SAVED:g} s": record.p95(IN_THE_EXAM) <= SAVED,
        "no answer but 200 and 302": set(record.statuses) <= {200, 302},
    }
    return [what for what, met in wanted.items() if not met] + [
        f"{times} times {wrong}" for wrong, times in Counter(record.wrong).most_common(10)
    ]
