"""Web server, worker and broker killed at random while candidates answer: every acknowledged answer is in its mark.

Small in the suite; `SABOT_KILL_ANSWERS=10000` runs it in full.
"""

import json
import os
import queue
import signal
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random

import psycopg
import pytest

from tests import furnished
from tests.exams.killing import OwnBroker, SharedBroker
from tests.persistent import Candidate
from tests.running import Installation, until
from tests.services import BROKERS

pytestmark = pytest.mark.services

ANSWERS = int(os.environ.get("SABOT_KILL_ANSWERS", "240"))
ITEMS = 10
BROWSERS = 6
# How often something is killed: often enough that hardly a sitting is spared.
ANSWERS_BETWEEN_KILLS = 60 if ANSWERS < 1000 else 250
SEED = 20261116
TO_START = 30  # seconds until a worker that was just started is at work


class Disaster:
    """Kills what it is told at moments drawn from a seed, and starts it again."""

    def __init__(self, installation: Installation, broker: OwnBroker | SharedBroker) -> None:
        self.installation, self.broker = installation, broker
        self.draw = Random(SEED)
        self.victims: list[str] = []

    def strike(self) -> None:
        if not self.victims:  # each in turn, in any order
            self.victims = self.draw.sample(["web", "exams", "broker"], 3)
        victim = self.victims.pop()
        if victim == "broker":
            self.broker.kill()
            self.broker.start()
            return
        process = self.installation.started.pop(victim)
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        self.installation.start(victim)

    def revive(self) -> None:
        """Start again what ended by itself, as a service manager does: on Redis a worker may not survive its broker."""
        for name, process in list(self.installation.started.items()):
            if process.poll() is not None:
                self.installation.start(name)


@pytest.fixture(params=sorted(BROKERS))
def broker(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[OwnBroker | SharedBroker]:
    found: OwnBroker | SharedBroker
    if OwnBroker.can_run(request.param):
        found = OwnBroker(request.param, tmp_path / "broker")
    else:
        found = SharedBroker(BROKERS[request.param], f"test-{tmp_path.name}-")
    found.start()
    yield found
    found.end()


@pytest.fixture
def platform(install: Callable[..., Installation], postgres_url: str, broker: OwnBroker | SharedBroker) -> Installation:
    return install(
        DATABASE_URL=postgres_url, CELERY_BROKER_URL=broker.url, CELERY_QUEUE_PREFIX=getattr(broker, "prefix", "")
    )


def seated(installation: Installation) -> list[Candidate]:
    furnished.with_tables(installation)
    printed = installation.run(f"from tests.exams.killing import furnish; furnish({ANSWERS // ITEMS}, {ITEMS})")
    told = [json.loads(line) for line in printed.splitlines() if line.startswith("{")]
    return [Candidate(installation.url, one) for one in told]


def everybody_answers(candidates: list[Candidate], disaster: Disaster) -> None:
    """The browsers work through the candidates side by side, and after every so many answers something is killed."""
    work: queue.SimpleQueue[Candidate] = queue.SimpleQueue()
    for candidate in candidates:
        work.put(candidate)
    answered, failures = threading.Semaphore(0), list[BaseException]()

    def browse() -> None:
        try:
            while True:
                candidate = work.get_nowait()
                for position in range(1, ITEMS + 1):
                    candidate.answer(position)
                    answered.release()
                if not late(candidate):
                    candidate.hand_in()
        except queue.Empty:
            return
        except BaseException as failure:
            failures.append(failure)

    browsers = [threading.Thread(target=browse) for _ in range(BROWSERS)]
    for browser in browsers:
        browser.start()
    for number in range(len(candidates) * ITEMS):
        while not answered.acquire(timeout=1):
            assert any(browser.is_alive() for browser in browsers), failures
        disaster.revive()
        if disaster.draw.random() < 1 / ANSWERS_BETWEEN_KILLS and number:
            disaster.strike()
    for browser in browsers:
        browser.join()
    assert not failures


def late(candidate: Candidate) -> bool:
    """Whether this one does not hand in and is closed by its time."""
    return candidate.told["sitting"].startswith(("0", "1"))


def test_every_acknowledged_answer_is_in_its_one_mark(platform: Installation, broker: OwnBroker | SharedBroker) -> None:
    candidates = seated(platform)
    for name in ("web", "exams", "beat"):
        platform.start(name)
    disaster = Disaster(platform, broker)
    everybody_answers(candidates, disaster)
    disaster.strike()
    disaster.revive()
    expected = {item: words for candidate in candidates for item, words in candidate.acknowledged.items()}
    assert len(expected) == ANSWERS
    with psycopg.connect(platform.environment["DATABASE_URL"], autocommit=True) as database:

        def count(what: str) -> int:
            row = database.execute(f"SELECT count(*) FROM {what}").fetchone()
            assert row
            return int(row[0])

        database.execute("UPDATE records_sitting SET deadline_at = now() WHERE closed_at IS NULL")
        waiting = "records_sitting WHERE graded_at IS NULL"
        until("all are graded", lambda: disaster.revive() or not count(waiting), within=TO_START + 60)
        until("all letters are sent", lambda: not count("results_result WHERE letter_owed"), within=60)
        marks = database.execute("SELECT form_item_id, mark_document FROM results_mark").fetchall()
        assert len(marks) == len(dict(marks)) == ANSWERS
        given = {item: {part["given"] for part in document["parts"]} for item, document in marks}
        assert [item for item, words in expected.items() if words not in given[item]] == []
        assert count("results_result") == count("records_sitting") == len(candidates)
        assert count("audit_entry WHERE act = 'sitting.graded'") == len(candidates)
    chain = platform.manage("verify_audit")
    assert chain.returncode == 0, chain.stdout + chain.stderr
