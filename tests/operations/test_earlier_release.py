"""A database of the release in which games shared one set of names is brought along, whatever guards its rows."""

import importlib
import json
from pathlib import Path

import pytest
from django.apps import apps
from django.db import connection
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from django.utils.html import escape

from exams.papers.knowledge import fingerprint_of
from exams.programmes.guard import GUARDS as OF_PROGRAMMES
from exams.programmes.models import ProgrammeVersion
from exams.programmes.rules import Line, Section
from exams.records.guard import GUARDS as OF_ITEMS
from exams.records.models import ExamItem
from rules_engine.narration import ask
from tests.classes.rooms import make_class, set_work
from tests.exams import making
from tests.library.versions import make_published
from tests.practice.drills import make_drill
from training.classes.models import Assignment
from training.figures.models import ItemTally, TopicTally, WrongAnswer
from training.library import reruling
from training.library.guard import GUARDS as OF_VERSIONS
from training.library.models import Version
from training.platform.guards import lift
from training.practice.models import Attempt, Drill, Mark

BOOK = "pt-ponto-banca-macau"
KEPT = {
    record["scenario"]["topic"]: record
    for record in json.loads((Path(__file__).parent.parent / "documents/format_1" / f"{BOOK}.json").read_text("utf-8"))
}
MIGRATIONS = (
    "training.migrations.0003_topics_of_games",
    "training.figures.migrations.0002_topics_of_games",
    "training.library.migrations.0004_topics_of_games",
    "training.classes.migrations.0003_topics_of_games",
    "exams.programmes.migrations.0002_topics_of_games",
    "exams.records.migrations.0002_topics_of_games",
    "exams.appeals.migrations.0002_questions_of_games",
)


def migrate() -> None:
    with connection.schema_editor(atomic=False) as editor:
        for name in MIGRATIONS:
            importlib.import_module(name).forwards(apps, editor)


def old_drill(topic: str) -> Drill:
    record = KEPT[topic]
    drill = make_drill()
    Drill.objects.filter(pk=drill.pk).update(rulebook=BOOK, topic=topic, scenario_document=record["scenario"])
    attempt = Attempt.objects.create(
        drill=drill,
        trainee=drill.trainee,
        answer=record["answer"],
        state=Attempt.State.GRADED,
        submitted_at=drill.created_at,
    )
    mark = record["mark"]
    Mark.objects.create(
        attempt=attempt,
        engine=mark["engine"],
        points=mark["points"],
        of=mark["of"],
        critical_missed=mark["critical_missed"],
        mark_document=mark,
        ruling_document=record["ruling"],
    )
    return Drill.objects.get(pk=drill.pk)


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("topic", KEPT)
def test_an_answer_of_old_is_shown_with_its_mark(client: Client, topic: str) -> None:
    drill = old_drill(topic)
    migrate()
    client.force_login(drill.trainee)
    page = client.get(reverse("drill", args=[drill.pk]))
    assert page.status_code == 200
    mark = drill.attempt.mark.engine_mark
    shown = page.content.decode()
    assert f"Pontos: {mark.points} de {mark.of}" in shown
    asked = [ask(part.key, drill.scenario.situation, drill.scenario.book, "pt") for part in mark.parts]
    assert asked
    assert all(escape(question) in shown for question in asked)
    assert "pb_" not in shown


@pytest.mark.django_db(transaction=True)
def test_topics_and_figures_lose_their_prefix() -> None:
    drill = old_drill("pb_payout")
    TopicTally.objects.create(trainee=drill.trainee, rulebook=BOOK, topic="pb_payout", last_at=timezone.now())
    ItemTally.objects.create(item=f"{BOOK}/pb_payout/2")
    WrongAnswer.objects.create(item=f"{BOOK}/pb_payout/2", question="pb_then", given="x", times=1)
    migrate()
    assert Drill.objects.get(pk=drill.pk).topic == "payout"
    assert TopicTally.objects.get(trainee=drill.trainee).topic == "payout"
    assert ItemTally.objects.filter(item=f"{BOOK}/payout/2").exists()
    assert WrongAnswer.objects.filter(item=f"{BOOK}/payout/2", question="then").exists()


@pytest.mark.django_db(transaction=True)
def test_a_programme_in_force_and_its_items_are_brought_along() -> None:
    line = Line(rulebook=BOOK, topic="payout", difficulty=2, items=1)
    rules = making.make_rules(rulebooks=(BOOK,), sections=(Section(key="a", names={"en": "A"}, lines=(line,)),))
    version = making.make_version(rules)
    session = making.make_session(version)
    item = ExamItem.objects.filter(session=session).first()
    assert item is not None
    _as_it_was(version, item)
    migrate()
    version, item = ProgrammeVersion.objects.get(pk=version.pk), ExamItem.objects.get(pk=item.pk)
    assert [line.topic for line in version.rules.lines] == ["payout"]
    assert (item.topic, item.corrections) == ("payout", {"then": ["another_coup"]})
    assert fingerprint_of(item.scenario) == item.fingerprint


def _as_it_was(version: ProgrammeVersion, item: ExamItem) -> None:
    """Put the rows back into the words of the earlier release."""
    with connection.schema_editor(atomic=False) as editor:
        lift(editor, [*OF_PROGRAMMES, *OF_ITEMS])
    document = json.loads(json.dumps(version.rules_document).replace('"payout"', '"pb_payout"'))
    ProgrammeVersion.objects.filter(pk=version.pk).update(rules_document=document)
    ExamItem.objects.filter(pk=item.pk).update(
        topic="pb_payout",
        scenario_document=KEPT["pb_payout"]["scenario"],
        fingerprint="0" * 64,
        corrections={"pb_then": ["another_coup"]},
    )


def published(topic: str) -> Version:
    version = make_published()
    record = KEPT[topic]
    with connection.schema_editor(atomic=False) as editor:
        lift(editor, OF_VERSIONS)
    Version.objects.filter(pk=version.pk).update(
        rulebook=BOOK, topic=topic, scenario_document=record["scenario"], ruling_document=record["ruling"]
    )
    return version


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("topic", KEPT)
def test_what_was_published_stays_published(topic: str) -> None:
    version = published(topic)
    migrate()
    assert Version.objects.get(pk=version.pk).topic == topic.removeprefix("pb_")
    assert reruling.check_published() == []


@pytest.mark.django_db(transaction=True)
def test_set_work_names_its_topic_without_prefix() -> None:
    work = set_work(make_class())
    Assignment.objects.filter(pk=work.pk).update(
        fresh=[{"rulebook": BOOK, "topic": "pb_payout", "difficulty": 2, "count": 1}]
    )
    migrate()
    assert Assignment.objects.get(pk=work.pk).fresh[0]["topic"] == "payout"
