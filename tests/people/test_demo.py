"""The demo people, and why they cannot slip into production."""

from datetime import timedelta
from io import StringIO
from unittest.mock import Mock
from zoneinfo import ZoneInfo

import pytest
from django.core import checks
from django.core.exceptions import ImproperlyConfigured
from django.core.management import CommandError, call_command
from django.db import OperationalError
from django.db.backends.postgresql.base import DatabaseWrapper
from django.db.backends.signals import connection_created
from django.db.models import F
from django.test import Client
from django.utils import timezone
from pytest_django import Settings

from rules_engine import GAMES, rulebook
from training.classes.models import TrainingClass
from training.classes.selectors import assignments_of
from training.demo import training_data
from training.figures.models import DayTally, ItemTally
from training.library.models import Version
from training.mastery.models import Memory
from training.people import demo, second_signature
from training.people.models import Role, User
from training.practice.models import Attempt, Drill, Mark

pytestmark = pytest.mark.django_db


def enter(*options: str) -> str:
    out = StringIO()
    call_command("demo_data", *options, stdout=out)
    return out.getvalue()


@pytest.fixture
def people() -> list[User]:
    return demo.enter_demo_people()


def test_every_role_has_somebody_and_all_can_sign_in(people: list[User]) -> None:
    assert {role for person in people for role in person.roles} == set(Role)
    assert sum(Role.TRAINEE in person.roles for person in people) >= 3
    for person in people:
        client = Client(REMOTE_ADDR=f"192.0.2.{person.pk % 250}")
        assert client.post("/account/login/", {"login": person.email, "password": demo.PASSWORD}).status_code == 302


def test_its_staff_count_as_people_of_their_own(people: list[User]) -> None:
    staff = [person for person in people if person.roles - {Role.TRAINEE}]
    assert len(staff) >= 3
    for person in staff:
        others = [other.pk for other in staff if other != person]
        assert second_signature.refusals(person, others) == {}


def test_entering_again_changes_nobody_and_adds_no_work() -> None:
    assert demo.PASSWORD in enter()
    work = [model.objects.count() for model in (Version, TrainingClass, Drill, Attempt)]
    User.objects.filter(email="ines@sabot.example").update(language="en")
    assert enter().startswith("0 demo people")
    assert User.objects.get(email="ines@sabot.example").language == "en"
    assert [model.objects.count() for model in (Version, TrainingClass, Drill, Attempt)] == work


def test_a_house_at_work_is_left_as_it_is(people: list[User]) -> None:
    TrainingClass.objects.create(name="Turma da casa")
    assert not training_data.furnish()
    assert not Drill.objects.exists()


def test_the_demo_is_alive_and_its_counts_are_those_of_its_marks() -> None:
    enter()
    ines, marta = (User.objects.get(email=f"{name}@sabot.example") for name in ("ines", "marta"))
    states = {state: Version.objects.filter(state=state).count() for state in ("published", "in_review", "draft")}
    written = (*training_data.PUBLISHED, *training_data.RESERVED)
    assert states == {"published": len(written), "in_review": 1, "draft": 1}
    for version, one in zip(Version.objects.order_by("pk"), written, strict=False):
        assert one.article in version.scenario.solve().pivots
        assert version.reserved == (one in training_data.RESERVED)
    mixed = TrainingClass.objects.get(name="Jogos bancados")
    assert {rulebook(book).game.id for book in mixed.books} == {game.id for game in GAMES.values() if game.odds}
    [work] = assignments_of(marta, timezone.now())
    assert work.done == 2
    assert timedelta(days=6) < work.assignment.due_at - timezone.now() < timedelta(days=8)

    assert not Attempt.objects.exclude(state=Attempt.State.GRADED).exists()
    days = DayTally.objects.filter(trainee=ines)
    assert days.count() == len(training_data.HABITS[0].days)
    today = timezone.now().astimezone(ZoneInfo(ines.time_zone)).date()
    assert all(tally.day < today for tally in days)
    assert Attempt.objects.filter(trainee=ines).count() == sum(tally.answers for tally in days)
    right = Mark.objects.filter(attempt__trainee=ines, points=F("of")).count()
    assert right == sum(tally.perfect for tally in days) < Attempt.objects.filter(trainee=ines).count()
    assert not Memory.objects.filter(last_review__gt=timezone.now()).exists()
    before = list(ItemTally.objects.order_by("item").values())
    call_command("recount", stdout=StringIO())
    after = list(ItemTally.objects.order_by("item").values())
    assert [row["item"] for row in after] == [row["item"] for row in before]
    assert [(row["answers"], row["points"]) for row in after] == [(row["answers"], row["points"]) for row in before]


def test_a_database_with_people_is_not_new() -> None:
    User.objects.create_user("ana@casino.example", name="Ana")
    assert enter("--if-new") == ""
    assert User.objects.count() == 1


def test_production_takes_no_demo_people(settings: Settings) -> None:
    settings.DEMO = False
    with pytest.raises(CommandError, match="demo mode"):
        enter()
    assert not User.objects.exists()


def test_production_refuses_to_start_until_they_are_retired(people: list[User], settings: Settings) -> None:
    demo.refuse_in_production()  # in demo mode they are welcome
    settings.DEMO = False
    with pytest.raises(ImproperlyConfigured, match="demo_data --retire"):
        demo.refuse_in_production()
    assert [found.id for found in checks.run_checks(databases=["default"])] == ["training.W001"]

    assert enter("--retire").startswith("8 demo accounts closed")
    demo.refuse_in_production()
    assert checks.run_checks(databases=["default"]) == []
    assert User.objects.count() == 8


def test_what_starts_without_a_database_refuses_them_when_it_is_there(
    people: list[User], settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.DEMO = False
    made, begun = Mock(), Mock()
    with monkeypatch.context() as away:
        away.setattr(demo, "demo_people_can_sign_in", out_of_reach)
        away.setattr(demo, "connections", {"default": begun})
        demo.refuse_in_production()  # starts, so that /readyz can say what is missing
        assert begun.close.called, "a connection whose question failed is not found open by the first request"
        with pytest.raises(OperationalError):
            connection_created.send(DatabaseWrapper, connection=made)
        assert made.close.call_count == 1, "nor one that could not be asked later"
    for times in (2, 3):
        with pytest.raises(ImproperlyConfigured, match="demo_data --retire"):
            connection_created.send(DatabaseWrapper, connection=made)
        assert made.close.call_count == times, "nobody goes on with it"

    enter("--retire")
    connection_created.send(DatabaseWrapper, connection=made)
    assert made.close.call_count == 3
    assert not connection_created.disconnect(demo._refuse_late), "it is asked once and no more"


def out_of_reach() -> bool:
    raise OperationalError("connection refused")


def test_a_retired_person_cannot_sign_in_even_with_an_open_session(people: list[User], client: Client) -> None:
    client.force_login(User.objects.get(email="ines@sabot.example"))
    enter("--retire")
    assert client.get("/")["Location"] == "/account/login/?next=/"
    again = Client()
    again.post("/account/login/", {"login": "ines@sabot.example", "password": demo.PASSWORD})
    assert "_auth_user_id" not in again.session
