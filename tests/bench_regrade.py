"""How long a regrade in the shadow takes: 100,000 answers by two worker processes, on PostgreSQL.

Part of `make bench`, or alone: `python -m tests.bench_regrade [ANSWERS]`. It makes a database of its own and drops it.
Some marks are stored as a wrong engine would have given them, so that the first run finds and publishes changes; the
second must find none.
"""

import os
import subprocess
import sys
import tempfile
import time
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import Any

import psycopg
from psycopg import sql

from tests.services import POSTGRES

ANSWERS = 100_000
WANTED = 300.0  # seconds
ITEMS, CANDIDATES, POOL = 20, 250, 60  # on a form, in a session, in the pool of a session
WRONG_EVERY = 50  # one item in so many was graded wrongly
WORKERS = 2


def main(answers: int) -> int:
    try:
        server = psycopg.connect(POSTGRES, autocommit=True, connect_timeout=3)
    except psycopg.OperationalError:
        print("no PostgreSQL here: the shadow regrade was not measured")
        return 0
    name = f"sabot_bench_{uuid.uuid4().hex[:8]}"
    with server, tempfile.TemporaryDirectory() as var:
        server.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(name)))
        try:
            os.environ |= {
                "DATABASE_URL": f"{POSTGRES.rpartition('/')[0]}/{name}",
                "SABOT_MODE": "demo",
                "SABOT_VAR": var,
                "DJANGO_SETTINGS_MODULE": "training.settings",
            }
            return measure(answers, Path(var))
        finally:
            server.execute(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(sql.Identifier(name)))


def measure(answers: int, var: Path) -> int:
    import django

    django.setup()
    from django.core.management import call_command
    from django.db import connection

    from exams.regrading import selectors, services

    call_command("migrate", verbosity=0)
    programme, administrator = fill(answers)
    print(f"\nshadow regrade of {answers:,} answers by {WORKERS} workers (wanted: under {WANTED:g} s for {ANSWERS:,}):")
    with workers(var):
        first, seconds = timed_run(administrator, programme)
        found = selectors.totals(first)
        print(f"  first run    {seconds:7.1f} s  {answers / seconds:8,.0f} answers/s  {found.changed} exams change")
        begun = time.monotonic()
        services.publish(first, administrator)
        wait_for(first, "published")
        print(f"  publishing   {time.monotonic() - begun:7.1f} s")
        second, again = timed_run(administrator, programme)
        unchanged = selectors.totals(second).changed == 0
        print(f"  second run   {again:7.1f} s  {'no change' if unchanged else 'CHANGES'}")
    connection.close()
    whole = seconds * ANSWERS / answers
    return 0 if unchanged and found.changed and whole <= WANTED else 1


def timed_run(administrator: Any, programme: Any) -> tuple[Any, float]:
    from exams.regrading import services

    begun = time.monotonic()
    regrade = services.start(administrator, programme, "Medida do tempo de uma nova correção.")
    wait_for(regrade, "ready")
    return regrade, time.monotonic() - begun


def wait_for(regrade: Any, state: str) -> None:
    while regrade.state != state:
        time.sleep(0.1)
        regrade.refresh_from_db()


@contextmanager
def workers(var: Path) -> Iterator[None]:
    """A real worker with as many processes as there are cores to use, on the queue of long work."""
    from tests.running import until

    command = [sys.executable, "-m", "celery", "-A", "training", "worker", "-Q", "background", "-c", str(WORKERS)]
    written = var / "worker.log"
    with written.open("wb") as log:
        process = subprocess.Popen(command, stdout=log, stderr=log)
    try:
        # What it takes to start is not part of what is measured.
        until("the worker is ready", lambda: b"ready" in written.read_bytes())
        yield
    finally:
        process.terminate()
        process.wait()


def fill(answers: int) -> tuple[Any, Any]:
    """Sessions with pools of their own, forms drawn from them, and everything answered and graded."""
    from exams.programmes.models import Programme, ProgrammeVersion
    from exams.programmes.rules import Line, Rules, Section
    from tests.exams.making import BOOK, make_version
    from tests.factories import PersonFactory
    from training.people.models import Role

    lines = (Line(rulebook=BOOK, topic="third_card", items=ITEMS, points=1),)
    rules = Rules(
        rulebooks=(BOOK,),
        sections=(Section(key="coup", names={"pt": "O golpe"}, lines=lines),),
        minutes=60,
        pass_mark=50,
        critical_allowed=None,
    )
    version: ProgrammeVersion = make_version(rules)
    left = answers // ITEMS
    while left > 0:
        hold(version, min(left, CANDIDATES))
        left -= CANDIDATES
    programme: Programme = version.programme
    return programme, PersonFactory(roles=[Role.ADMINISTRATOR])


def hold(version: Any, candidates: int) -> None:
    """One session, sat by so many: each form a window of the pool, half of the answers right."""
    from django.utils import timezone

    from exams.records.models import Candidate, ExamItem, Form, FormItem, Response, Sitting
    from tests.exams.making import make_session, right_answer
    from training.people.models import User

    session = make_session(version, spare=POOL - ITEMS)
    pool = list(ExamItem.objects.filter(session=session).order_by("fingerprint"))
    right = {item.pk: right_answer(item.scenario) for item in pool}
    now = timezone.now()
    people = User.objects.bulk_create(
        User(email=f"{uuid.uuid4().hex}@casino.example", name="Pessoa", password="!") for _ in range(candidates)
    )
    entered = Candidate.objects.bulk_create(Candidate(session=session, person=person) for person in people)
    forms = Form.objects.bulk_create(Form(candidate=candidate, seed="seed", predicted=0.7) for candidate in entered)
    sittings = Sitting.objects.bulk_create(
        Sitting(
            candidate=candidate,
            name="Pessoa",
            started_at=now,
            deadline_at=now,
            closed_at=now,
            closed_by="candidate",
            graded_at=now,
        )
        for candidate in entered
    )
    placed = FormItem.objects.bulk_create(
        FormItem(form=form, position=position + 1, item=pool[(number + position) % POOL])
        for number, form in enumerate(forms)
        for position in range(ITEMS)
    )
    of_form = {form.pk: sitting for form, sitting in zip(forms, sittings, strict=True)}
    responses = Response.objects.bulk_create(
        Response(
            sitting=of_form[one.form_id],
            form_item=one,
            answer={"parts": right[one.item_id] if number % 2 else {}},
            saved_at=now,
        )
        for number, one in enumerate(placed)
    )
    grade(version, sittings, placed, responses)


def grade(version: Any, sittings: Any, placed: Any, responses: Any) -> None:
    """Marks and results as grading would have written them, but for the items that were graded wrongly."""
    from django.utils import timezone

    from exams.results.decision import decide
    from exams.results.marking import MarkValues, mark_item, marked
    from exams.results.models import Mark, Result
    from training.stored import document

    now, known = timezone.now(), dict[tuple[Any, bool], MarkValues]()
    values = []
    for form_item, response in zip(placed, responses, strict=True):
        key = (form_item.item_id, bool(response.answer["parts"]))
        if key not in known:
            known[key] = mark_item(form_item.item, response.answer)
            if len(known) % WRONG_EVERY == 0:
                known[key] = _wrongly(known[key])
        values.append((form_item, known[key]))
    Mark.objects.bulk_create(
        [Mark(form_item=form_item, graded_at=now, **document(value)) for form_item, value in values], batch_size=1000
    )
    paper, results = iter(values), []
    for sitting in sittings:
        outcome = decide(version.rules, [marked(one.item, value) for one, value in islice(paper, ITEMS)])
        results.append(
            Result(
                sitting=sitting,
                programme_version=version,
                score=outcome.score.percent,
                passed=outcome.passed,
                outcome=document(outcome),
                computed_at=now,
                decided_at=now,
                released_at=now,
            )
        )
    Result.objects.bulk_create(results)


def _wrongly(value: Any) -> Any:
    from msgspec.structs import replace

    return replace(value, points=value.of - value.points)


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else ANSWERS))
