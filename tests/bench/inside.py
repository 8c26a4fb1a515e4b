"""What the bench does inside an installation, by `manage.py shell`."""

from django.test import override_settings
from django.utils import timezone

from exams.programmes.rules import Line, Section
from rules_engine import generate, topics
from tests.exams import making
from tests.factories import PersonFactory, _People
from tests.practice.drills import RULEBOOK
from training.celery import app, queue_name
from training.people.models import User
from training.platform.engine_json import document
from training.practice.models import Attempt, Drill


def quick_passwords() -> None:
    """Hundreds of people are entered: nobody measures how long their passwords take. Their numbers go on from those who
    are there already."""
    _People.reset_sequence(User.objects.count())
    override_settings(PASSWORD_HASHERS=["django.contrib.auth.hashers.MD5PasswordHasher"]).enable()


def answers(count: int, trainees: int) -> list[int]:
    """So many answers that wait for their marks, of many trainees and topics, as an evening of practice leaves them."""
    quick_passwords()
    people = [PersonFactory() for _ in range(trainees)]
    subjects = topics(RULEBOOK)
    made = [generate(RULEBOOK, subjects[seed % len(subjects)], seed, 1 + seed % 5) for seed in range(min(count, 200))]
    kept = [document(scenario) for scenario in made]
    drills = Drill.objects.bulk_create(
        Drill(
            trainee=people[number % trainees],
            mode=Drill.Mode.FREE,
            rulebook=RULEBOOK,
            topic=made[number % len(made)].topic,
            difficulty=made[number % len(made)].difficulty,
            scenario_document=kept[number % len(made)],
        )
        for number in range(count)
    )
    stored = Attempt.objects.bulk_create(
        Attempt(drill=drill, trainee_id=drill.trainee_id, answer={"parts": {}}, submitted_at=timezone.now())
        for drill in drills
    )
    return [attempt.pk for attempt in stored]


def closed_sittings(count: int, items: int) -> list[str]:
    """So many exams that were handed in and wait for their marks."""
    quick_passwords()
    line = Line(rulebook=RULEBOOK, topic="third_card", difficulty=2, items=items)
    section = Section(key="coup", names={"pt": "O golpe"}, lines=(line,))
    session = making.make_session(making.make_version(making.make_rules(sections=(section,))), spare=0)
    sittings = [making.start(making.enter(session)) for _ in range(count)]
    for sitting in sittings:
        making.answer(sitting, right=items)
        making.close(sitting)
    return [str(sitting.pk) for sitting in sittings]


def send(task: str, keys: list[int] | list[str], *, queue: str = "practice") -> None:
    with app.producer_or_acquire() as producer:
        for key in keys:
            app.send_task(task, (key,), queue=queue_name(queue), producer=producer)
