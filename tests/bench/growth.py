"""The same pages with few answers and with many, on PostgreSQL: the number of queries must not change, the time hardly.

By processes that each fill a database of their own and measure in turns."""

import json
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import ExitStack

from tests.bench.ground import platform
from tests.bench.table import Line, Target, in_turns
from tests.running import MANAGE, ROOT, Installation

FEW, MANY, FULL = 1_000, 50_000, 1_000_000
OWN = 300  # answers of the trainee who is looked at, in both; the others share the rest
OTHERS, CLASS, DAYS = 400, 30, 90
GROWTH = Target(1.3)


def lines(*, rounds: int, full: bool) -> list[Line]:
    many = FULL if full else MANY
    with ExitStack() as stack:
        seen = {size: _Seen(start(stack.enter_context(platform()), size)) for size in (FEW, many)}
        pages = list(seen[FEW].asked())
        found = in_turns({f"{size} {page}": seen[size].time(page) for page in pages for size in (FEW, many)}, rounds)
        counts = {page: (seen[FEW].queries[page], seen[many].queries[page]) for page in pages}
    return [
        Line(
            f"{page}, {few} → {more} queries",
            "ms",
            found[f"{many} {page}"],
            f"with {FEW:,} answers instead of {many:,}",
            found[f"{FEW} {page}"],
            GROWTH if few == more else Target(0.0),
            gap="" if few == more else "the number of queries must not grow",
        )
        for page, (few, more) in counts.items()
    ]


class _Seen:
    """One of the processes: it measures every page once for each line that it is sent."""

    def __init__(self, process: "subprocess.Popen[str]") -> None:
        self.process = process
        self.left: dict[str, float] = {}
        self.queries: dict[str, int] = {}

    def asked(self) -> dict[str, float]:
        assert self.process.stdin and self.process.stdout
        self.process.stdin.write("\n")
        self.process.stdin.flush()
        told = self.process.stdout.readline()
        if not told:
            raise RuntimeError("the pages could not be measured")
        pages = json.loads(told)
        self.queries = {page: queries for page, (queries, _) in pages.items()}
        return {page: spent * 1000 for page, (_, spent) in pages.items()}

    def time(self, page: str) -> Callable[[], float]:
        """Of one page: all were measured when the first of a round was asked for."""

        def measure() -> float:
            if page not in self.left:
                self.left = self.asked()
            return self.left.pop(page)

        return measure


def start(installation: Installation, size: int) -> "subprocess.Popen[str]":
    order = f"from tests.bench.growth import serve; serve({size})"
    with installation.log("pages").open("wb") as log:
        return subprocess.Popen(
            [*MANAGE, "shell", "-v0", "--no-imports", "-c", order],
            cwd=ROOT,
            env=installation.environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=log,
            text=True,
        )


def serve(size: int) -> None:
    """Inside the installation: fill it, then measure every page once for each line."""
    from tests.bench.inside import quick_passwords

    quick_passwords()
    people = enter_people()
    fill(size, people)
    for _line in sys.stdin:
        print(json.dumps(pages(people)), flush=True)


def enter_people() -> dict[str, object]:
    from tests.factories import PersonFactory
    from training.classes.models import Enrolment, TrainingClass
    from training.people.models import Role

    trainees = [PersonFactory() for _number in range(1 + OTHERS)]
    instructor = PersonFactory(roles=[Role.INSTRUCTOR])
    group = TrainingClass.objects.create(name="Turma", rulebooks=["pt-chemin-de-fer"])
    group.instructors.add(instructor)
    Enrolment.objects.bulk_create(Enrolment(training_class=group, trainee=trainee) for trainee in trainees[:CLASS])
    return {"trainees": trainees, "instructor": instructor, "class": group}


def fill(size: int, people: dict[str, object]) -> None:
    """So many answers, spread evenly; every one has its drill and its mark, and the counts are as if counted."""
    from django.db import connection

    import rules_engine
    from rules_engine import answer_from, generate, topics
    from training.platform.engine_json import document

    trainees = [trainee.pk for trainee in people["trainees"]]  # type: ignore[attr-defined]
    book = "pt-chemin-de-fer"
    scenario = generate(book, "third_card", 7, article="67 d")
    mark = rules_engine.grade(scenario, answer_from({"parts": {}}))
    documents = [json.dumps(document(value)) for value in (scenario, mark, scenario.solve())]
    with connection.cursor() as cursor:
        cursor.execute("SET session_replication_role = replica")  # the rows are right; checking each takes minutes
        cursor.execute("TRUNCATE practice_mark, practice_attempt, practice_drill, practice_flag CASCADE")
        for table in ("topictally", "daytally", "ruletally", "itemtally", "wronganswer"):
            cursor.execute(f"TRUNCATE figures_{table}")
        # Whole documents only for the trainee who is looked at; the others' are never opened here.
        cursor.execute(
            """
            INSERT INTO practice_drill
                (id, trainee_id, mode, aim, rulebook, topic, difficulty, scenario_document, created_at)
            SELECT md5(n::text)::uuid,
                   (%(trainees)s::bigint[])[CASE WHEN n %% %(own)s = 0 THEN 1 ELSE 2 + n %% %(others)s END],
                   'free', '', %(book)s,
                   (%(topics)s::text[])[1 + n %% %(topic_count)s], 1 + n %% 5,
                   CASE WHEN n %% %(own)s = 0 THEN %(scenario)s ELSE '{}' END::jsonb,
                   now() - make_interval(secs => (%(size)s - n) * %(step)s)
            FROM generate_series(1, %(size)s) AS n
            """,
            {
                "trainees": trainees,
                "own": size // OWN,
                "others": OTHERS,
                "book": book,
                "topics": list(topics(book)),
                "topic_count": len(topics(book)),
                "size": size,
                "scenario": documents[0],
                "step": DAYS * 86_400 / size,
            },
        )
        cursor.execute(
            """
            INSERT INTO practice_attempt
                (drill_id, trainee_id, answer, picked_words, state, failures, submitted_at, seconds)
            SELECT id, trainee_id, '{"parts": {}}', false, 'graded', 0, created_at + interval '40 seconds', 40
            FROM practice_drill
            """
        )
        cursor.execute(
            """
            INSERT INTO practice_mark
                (attempt_id, engine, points, "of", critical_missed, mark_document, ruling_document, graded_at)
            SELECT a.id, '1.0.0', CASE WHEN d.scenario_document = '{}' THEN a.id %% 5 ELSE 2 END, 4, a.id %% 5 = 0,
                   CASE WHEN d.scenario_document = '{}' THEN '{}' ELSE %s END::jsonb,
                   CASE WHEN d.scenario_document = '{}' THEN '{}' ELSE %s END::jsonb, a.submitted_at
            FROM practice_attempt a JOIN practice_drill d ON d.id = a.drill_id
            """,
            documents[1:],
        )
        _count(cursor)
        cursor.execute("SET session_replication_role = DEFAULT")
        cursor.execute("VACUUM ANALYZE")


def _count(cursor: object) -> None:
    sums = "count(*), count(*) FILTER (WHERE m.points = m.of), sum(m.points), sum(m.of), sum(a.seconds)"
    source = (
        "FROM practice_mark m JOIN practice_attempt a ON a.id = m.attempt_id JOIN practice_drill d ON d.id = a.drill_id"
    )
    columns = 'answers, perfect, points, "of", seconds'
    statements = [
        f"INSERT INTO figures_topictally ({columns}, trainee_id, rulebook, topic, last_at) "
        f"SELECT {sums}, a.trainee_id, d.rulebook, d.topic, max(a.submitted_at) {source} GROUP BY 6, 7, 8",
        f"INSERT INTO figures_daytally ({columns}, trainee_id, day) "
        f"SELECT {sums}, a.trainee_id, a.submitted_at::date {source} GROUP BY 6, 7",
        f"INSERT INTO figures_itemtally ({columns}, item, compared, share_sum, share_squares, ability_sum, "
        f"ability_squares, product_sum) SELECT {sums}, d.rulebook || '/' || d.topic || '/' || d.difficulty, "
        f"count(*), count(*) * 0.5, count(*) * 0.4, count(*) * 0.5, count(*) * 0.3, count(*) * 0.3 {source} GROUP BY 6",
        f"INSERT INTO figures_ruletally ({columns}, rulebook, cite) "
        f"SELECT {sums}, d.rulebook, '67 d' {source} GROUP BY 6, 7",
    ]
    for statement in statements:
        cursor.execute(statement)  # type: ignore[attr-defined]


def pages(people: dict[str, object]) -> dict[str, tuple[int, float]]:
    from django.urls import reverse

    from training.practice.models import Drill

    trainee, instructor = people["trainees"][0], people["instructor"]  # type: ignore[index]
    newest = Drill.objects.filter(trainee=trainee).latest("created_at")
    looked_at = {
        "trainee home": (trainee, reverse("home")),
        "history": (trainee, reverse("history")),
        "drill": (trainee, reverse("drill", args=[newest.pk])),
        "class grid": (instructor, reverse("class", args=[people["class"].pk])),  # type: ignore[attr-defined]
        "item figures": (instructor, reverse("item_figures")),
    }
    return {page: _time(person, address) for page, (person, address) in looked_at.items()}


def _time(person: object, address: str) -> tuple[int, float]:
    from django.db import connection
    from django.test import Client
    from django.test.utils import CaptureQueriesContext

    client = Client(SERVER_NAME="localhost")
    client.force_login(person)  # type: ignore[arg-type]
    with CaptureQueriesContext(connection) as queries:
        started = time.perf_counter()
        response = client.get(address)
        spent = time.perf_counter() - started
    assert response.status_code == 200, (address, response.status_code)
    return len(queries), spent
