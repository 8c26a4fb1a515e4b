"""A regrade in the shadow by two worker processes, beside the engine alone marking as many answers.

Some marks are stored as a wrong engine would have given them, so that the first run finds and publishes changes; those
after it must find none.
"""

import time
import uuid
from itertools import islice
from typing import Any

from tests.bench.ground import platform, told
from tests.bench.table import Line, Target
from tests.running import until
from training.operations.management.commands.serve import WORKER

SMALL, FULL = 2_000, 100_000  # answers
WANTED = Target(FULL / 300, of="figure", at_least=True)  # a second: all in five minutes
ITEMS, CANDIDATES, POOL = 20, 250, 60  # on a form, in a session, in the pool of a session
WRONG_EVERY = 50  # one item in so many was graded wrongly
MEASURE = "import json; from tests.bench.regrade import measure; print(json.dumps(measure({answers}, {rounds})))"


def lines(*, rounds: int, full: bool) -> list[Line]:
    answers = FULL if full else SMALL
    with platform() as installation:
        queue = f"{installation.environment['CELERY_QUEUE_PREFIX']}background"
        installation.start("worker", [*WORKER, "--queues", queue, "--concurrency=2"])
        until("the worker is ready", lambda: "ready." in installation.output("worker"), within=180)
        found = told(installation, MEASURE.format(answers=answers, rounds=min(rounds, 3)))
    regraded, alone = map(tuple, zip(*found, strict=True))
    return [Line(f"answers regraded, of {answers:,}", "/s", regraded, "the engine alone, on one core", alone, WANTED)]


# ---- inside the installation


def measure(answers: int, rounds: int) -> list[tuple[float, float]]:
    """Answers a second of the regrade and of the engine alone, in turns."""
    from exams.regrading import selectors, services
    from tests.bench.inside import quick_passwords

    quick_passwords()
    programme, administrator = fill(answers)
    found = []
    for number in range(rounds):
        started = time.perf_counter()
        regrade = services.start(administrator, programme, "Medida do tempo de uma nova correção.")
        wait_for(regrade, "ready")
        found.append((answers / (time.perf_counter() - started), alone()))
        assert bool(selectors.totals(regrade).changed) == (number == 0)
        if number == 0:
            services.publish(regrade, administrator)
            wait_for(regrade, "published")
        else:
            services.discard(regrade, administrator)  # the next is not begun before this one is settled
    return found


def alone() -> float:
    """Answers that the engine marks in a second, without any database."""
    from exams.records.models import ExamItem
    from training.platform.measure import measure

    items = [item.scenario for item in ExamItem.objects.all()[:POOL]]
    started = time.perf_counter()
    for scenario in items:
        measure(scenario, {"parts": {}})
    return len(items) / (time.perf_counter() - started)


def wait_for(regrade: Any, state: str) -> None:
    while regrade.state != state:
        time.sleep(0.05)
        regrade.refresh_from_db()


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
    from training.platform.engine_json import document

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
