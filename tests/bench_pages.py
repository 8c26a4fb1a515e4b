"""How pages stand up to many answers: the same pages with a thousand and with a million, on PostgreSQL.

Part of `make bench`, or alone: `python -m tests.bench_pages`. It makes a database of its own and drops it. The number
of queries must not change; the time may at most double.
"""

import json
import os
import statistics
import subprocess
import sys
import time
import uuid

import psycopg
from psycopg import sql

from tests.services import POSTGRES

SIZES = (1_000, 1_000_000)
OWN = 300  # answers of the trainee who is looked at, in both; the others share the rest
OTHERS, CLASS, DAYS, ROUNDS = 400, 30, 90, 15
WANTED = 2.0


def main() -> int:
    try:
        server = psycopg.connect(POSTGRES, autocommit=True, connect_timeout=3)
    except psycopg.OperationalError:
        print("no PostgreSQL here: pages with a million answers were not measured")
        return 0
    names = {size: f"sabot_bench_{size}_{uuid.uuid4().hex[:8]}" for size in SIZES}
    with server:
        for name in names.values():
            server.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(name)))
        try:
            return compare({size: start(name, size) for size, name in names.items()})
        finally:
            for name in names.values():
                server.execute(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(sql.Identifier(name)))


def start(database: str, size: int) -> subprocess.Popen[str]:
    """A process that fills a database, then measures every page once for each line it is sent."""
    environment = os.environ | {
        "DATABASE_URL": f"{POSTGRES.rpartition('/')[0]}/{database}",
        "SABOT_MODE": "demo",
        "DJANGO_SETTINGS_MODULE": "training.settings",
    }
    command = [sys.executable, "-m", "tests.bench_pages", str(size)]
    return subprocess.Popen(
        command, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    )


def compare(processes: dict[int, subprocess.Popen[str]]) -> int:
    """Measure in turns, so that whatever else the machine does falls on both alike."""
    seen: dict[int, list[dict[str, tuple[int, float]]]] = {size: [] for size in processes}
    for number in range(ROUNDS + 1):
        for size, process in processes.items():
            assert process.stdin and process.stdout
            process.stdin.write("\n")
            process.stdin.flush()
            told = process.stdout.readline()
            if not told:
                print("the pages could not be measured; see `python -m tests.bench_pages SIZE`")
                return 1
            if number:  # the first round warms up
                seen[size].append(json.loads(told))
    for process in processes.values():
        process.communicate()
    print(f"\npages with {SIZES[0]:,} and with {SIZES[1]:,} answers (queries equal, time within {WANTED:g} ×):")
    flat = True
    for page in seen[SIZES[0]][0]:
        (few, quick), (many, longer) = (
            (rounds[0][page][0], statistics.median(one[page][1] for one in rounds)) for rounds in seen.values()
        )
        flat = flat and few == many and longer / quick <= WANTED
        print(
            f"  {page:16}{few:4} → {many:<4} queries"
            f"{quick * 1000:8.1f} → {longer * 1000:6.1f} ms{longer / quick:8.2f} ×"
        )
    return 0 if flat else 1


def serve(size: int) -> None:
    """In a process of its own, whose database is the new one."""
    import django

    from training import settings

    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]  # type: ignore[attr-defined]
    settings.STORAGES["staticfiles"] = {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}
    django.setup()
    from django.core.management import call_command

    call_command("migrate", verbosity=0)
    call_command("createcachetable", verbosity=0)
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
    from training.stored import document

    trainees = [trainee.pk for trainee in people["trainees"]]  # type: ignore[attr-defined]
    book = "pt-chemin-de-fer"
    scenario = generate(book, "third_card", 7, article="67 d")
    mark = rules_engine.grade(scenario, answer_from({"parts": {}}))
    documents = [json.dumps(document(value)) for value in (scenario, mark, scenario.solve())]
    with connection.cursor() as cursor:
        cursor.execute("SET session_replication_role = replica")  # the rows are right; checking each takes minutes
        cursor.execute("TRUNCATE training_mark, training_attempt, training_drill, training_flag CASCADE")
        for table in ("topictally", "daytally", "ruletally", "itemtally", "wronganswer"):
            cursor.execute(f"TRUNCATE figures_{table}")
        # Whole documents only for the trainee who is looked at; the others' are never opened here.
        cursor.execute(
            """
            INSERT INTO training_drill
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
            INSERT INTO training_attempt
                (drill_id, trainee_id, answer, picked_words, state, failures, submitted_at, seconds)
            SELECT id, trainee_id, '{"parts": {}}', false, 'graded', 0, created_at + interval '40 seconds', 40
            FROM training_drill
            """
        )
        cursor.execute(
            """
            INSERT INTO training_mark
                (attempt_id, engine, points, "of", critical_missed, mark_document, ruling_document, graded_at)
            SELECT a.id, '1.0.0', a.id %% 5, 4 , a.id %% 5 = 0,
                   CASE WHEN d.scenario_document = '{}' THEN '{}' ELSE %s END::jsonb,
                   CASE WHEN d.scenario_document = '{}' THEN '{}' ELSE %s END::jsonb, a.submitted_at
            FROM training_attempt a JOIN training_drill d ON d.id = a.drill_id
            """,
            documents[1:],
        )
        _count(cursor)
        connection.commit()
    with psycopg.connect(os.environ["DATABASE_URL"], autocommit=True) as database:
        database.execute("VACUUM ANALYZE")


def _count(cursor: object) -> None:
    sums = "count(*), count(*) FILTER (WHERE m.points = m.of), sum(m.points), sum(m.of), sum(a.seconds)"
    source = (
        "FROM training_mark m JOIN training_attempt a ON a.id = m.attempt_id JOIN training_drill d ON d.id = a.drill_id"
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


if __name__ == "__main__":
    if sys.argv[1:]:
        serve(int(sys.argv[1]))
    else:
        sys.exit(main())
