"""The instructor's pages: making and changing a class, setting work, reading answers, and who may not."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from tests.classes.rooms import RULEBOOK, TOPIC, answer, instructor, make_class, set_work
from tests.factories import PersonFactory
from tests.library.versions import make_published
from tests.practice.drills import make_drill, right_answer
from training.classes.models import Assignment, TrainingClass
from training.library.models import Version
from training.people.models import Role, User
from training.practice import services as practice
from training.practice.models import Drill

pytestmark = pytest.mark.django_db

FACTS = {"name": "Turma do outono", "rulebooks": [RULEBOOK], "daily_minutes": "20"}


@pytest.fixture
def teacher(signed_in: Callable[..., Client]) -> Client:
    return signed_in(Role.INSTRUCTOR)


def person(client: Client) -> User:
    return client.person  # type: ignore[attr-defined]


def graded(trainee: User) -> Drill:
    drill = make_drill(trainee)
    answer(drill, **right_answer(drill.scenario))
    practice.grade(drill.attempt.pk)
    return drill


def test_make_change_close_and_open_again(teacher: Client) -> None:
    made = teacher.post("/classes/new/", FACTS)
    room = TrainingClass.objects.get()
    assert made.url == f"/classes/{room.pk}/people/"  # type: ignore[attr-defined]
    assert (list(room.instructors.all()), room.made_by) == ([person(teacher)], person(teacher))
    teacher.post(f"/classes/{room.pk}/settings/", FACTS | {"name": "Turma B", "daily_minutes": "5"})
    room.refresh_from_db()
    assert (room.name, room.daily_minutes) == ("Turma B", 5)
    teacher.post(f"/classes/{room.pk}/close/")
    room.refresh_from_db()
    assert (room.closed_at is not None, room.closed_by) == (True, person(teacher))
    assert "Turma B" in teacher.get("/classes/").content.decode()
    teacher.post(f"/classes/{room.pk}/close/", {"open": "yes"})
    room.refresh_from_db()
    assert room.closed_at is None


@pytest.mark.parametrize(
    ("wrong", "field"),
    [
        ({"name": " "}, "name"),
        ({"name": "x" * 121}, "name"),
        ({"rulebooks": []}, "rulebooks"),
        ({"rulebooks": ["no-such"]}, "rulebooks"),
        ({"daily_minutes": "4"}, "daily_minutes"),
        ({"daily_minutes": "121"}, "daily_minutes"),
    ],
)
def test_bad_facts_come_back_with_what_was_typed(teacher: Client, wrong: dict[str, Any], field: str) -> None:
    response = teacher.post("/classes/new/", FACTS | wrong)
    assert response.status_code == 422
    assert list(response.context["form"].errors) == [field]
    assert "Turma do outono" in response.content.decode() or field == "name"
    assert not TrainingClass.objects.exists()


def test_a_colleague_teaches_too_and_the_last_one_stays(teacher: Client) -> None:
    room, colleague = make_class(person(teacher)), instructor(name="Bento Lousã")
    found = teacher.get(f"/classes/{room.pk}/settings/?q=lousa")
    assert found.context["found"] == [colleague]
    teacher.post(f"/classes/{room.pk}/instructors/", {"add": colleague.pk})
    assert set(room.instructors.all()) == {person(teacher), colleague}
    teacher.post(f"/classes/{room.pk}/instructors/", {"remove": colleague.pk})
    last = teacher.post(f"/classes/{room.pk}/instructors/", {"remove": person(teacher).pk})
    assert last.status_code == 409
    assert list(room.instructors.all()) == [person(teacher)]


def test_a_trainee_cannot_be_made_an_instructor_of_a_class(teacher: Client) -> None:
    room = make_class(person(teacher))
    response = teacher.post(f"/classes/{room.pk}/instructors/", {"add": PersonFactory().pk})
    assert response.status_code == 404


def fresh(**changes: str) -> dict[str, Any]:
    lines = {
        f"fresh{n}-{name}": value
        for n in range(3)
        for name, value in (("topic", ""), ("difficulty", "2"), ("count", "5"))
    }
    day = (timezone.localdate() + timedelta(days=2)).isoformat()
    return lines | {"title": "Semana 1", "due": day, "fresh0-topic": f"{RULEBOOK}/{TOPIC}"} | changes


def test_setting_work_with_a_published_scenario_and_fresh_ones(teacher: Client) -> None:
    room, version = make_class(person(teacher), PersonFactory()), make_published()
    teacher.post(f"/classes/{room.pk}/assignments/new/", fresh(**{"fresh0-count": "3"}) | {"versions": [version.pk]})
    made = Assignment.objects.get()
    # Level 2 was asked for; the topic has 1, 3 and 5.
    assert made.fresh == [{"rulebook": RULEBOOK, "topic": TOPIC, "difficulty": 1, "count": 3}]
    assert list(made.versions.all()) == [version]
    assert made.set_by == person(teacher)
    assert timezone.localtime(made.due_at).strftime("%H:%M") == "23:59"
    [row] = teacher.get(f"/classes/{room.pk}/assignments/").context["rows"]
    assert (row["scenarios"], row["finished"], row["trainees"], row["late"]) == (4, 0, 1, 0)


def test_looking_for_scenarios_keeps_everything_typed_and_chosen(teacher: Client) -> None:
    room = make_class(person(teacher))
    chosen = make_published(seed="1", words={"pt": {"title": "A escolhida"}})
    make_published(seed="2", words={"pt": {"title": "Achada à procura"}})
    asked = fresh(title="", q="achada", look="yes") | {"versions": [chosen.pk]}
    response = teacher.post(f"/classes/{room.pk}/assignments/new/", asked)
    assert response.status_code == 200
    found = [(item["title"], item["chosen"]) for item in response.context["offered"]]
    assert found == [("A escolhida", True), ("Achada à procura", False)]
    page = response.content.decode()
    assert f'value="{asked["due"]}"' in page
    assert f'value="{RULEBOOK}/{TOPIC}" selected' in page
    assert not Assignment.objects.exists()


@pytest.mark.parametrize(
    "wrong",
    [
        {"title": ""},
        {"due": "2020-01-01"},
        {"due": "soon"},
        {"fresh0-topic": ""},
        {"fresh0-topic": "it-sanremo-chemin-de-fer/third_card"},
        {"fresh0-count": "0"},
        {"fresh0-count": "101"},
        {"fresh0-difficulty": "6"},
        {"versions": "9" * 17},
    ],
)
def test_work_that_cannot_be_set_comes_back_as_typed(teacher: Client, wrong: dict[str, str]) -> None:
    room = make_class(person(teacher))
    response = teacher.post(f"/classes/{room.pk}/assignments/new/", fresh(**wrong))
    assert response.status_code == 422
    assert wrong.get("title", "Semana 1") in response.content.decode()
    assert not Assignment.objects.exists()


def test_withdrawn_work_leaves_the_answers(teacher: Client) -> None:
    trainee = PersonFactory()
    work = set_work(make_class(person(teacher), trainee))
    drill = make_drill(trainee, assignment_id=work.pk)
    teacher.post(f"/classes/{work.training_class_id}/assignments/{work.pk}/withdraw/")
    assert not Assignment.objects.exists()
    drill.refresh_from_db()
    assert drill.assignment is None


def test_from_the_grid_down_to_the_answer_and_into_the_library(teacher: Client) -> None:
    trainee = PersonFactory(name="Inês Varela")
    room = make_class(person(teacher), trainee)
    drill = graded(trainee)
    base = f"/classes/{room.pk}/trainees/{trainee.pk}/"
    assert f'{base}?rulebook={RULEBOOK}&amp;topic={TOPIC}"' in teacher.get(f"/classes/{room.pk}/").content.decode()
    listed = teacher.get(f"{base}?rulebook={RULEBOOK}&topic={TOPIC}")
    assert f"{base}answers/{drill.pk}/" in listed.content.decode()
    other = teacher.get(f"{base}?rulebook={RULEBOOK}&topic=payment")
    assert other.context["answers"] == []
    page = teacher.get(f"{base}answers/{drill.pk}/")
    assert page.context["feedback"].perfect
    # What only the trainee may do is not offered.
    assert "data-next" not in page.content.decode()
    assert f"/practice/{drill.pk}/flag/" not in page.content.decode()
    teacher.post(f"{base}answers/{drill.pk}/scenario/")
    draft = Version.objects.get()
    assert (draft.source, draft.author) == ("mistake", person(teacher))
    assert draft.scenario.situation == drill.scenario.situation


def test_an_answer_still_waiting_for_its_mark_says_so(teacher: Client) -> None:
    trainee = PersonFactory()
    room, drill = make_class(person(teacher), trainee), make_drill(trainee)
    where = f"/classes/{room.pk}/trainees/{trainee.pk}/answers/{drill.pk}/"
    assert teacher.get(where).status_code == 404  # not answered yet
    answer(drill)
    assert teacher.get(where).context["feedback"] is None


@pytest.mark.parametrize("count", [1, 30])
def test_a_trainee_with_many_answers_takes_no_more_queries(
    teacher: Client, count: int, django_assert_num_queries: Any
) -> None:
    trainee = PersonFactory()
    room = make_class(person(teacher), trainee)
    for _ in range(count):
        answer(make_drill(trainee))
    with django_assert_num_queries(16):
        teacher.get(f"/classes/{room.pk}/trainees/{trainee.pk}/")


def addresses(room: TrainingClass, trainee: User, work: Assignment, drill: Drill) -> list[tuple[str, str]]:
    base, who = f"/classes/{room.pk}/", f"/classes/{room.pk}/trainees/{trainee.pk}/"
    return [
        *(("get", base + page) for page in ("", "export.csv", "settings/", "people/", "people/list/", "assignments/")),
        *(("get", page) for page in (f"{base}assignments/new/", who, f"{who}answers/{drill.pk}/")),
        *(("post", base + page) for page in ("settings/", "instructors/", "close/", "people/enrol/", "people/remove/")),
        *(("post", base + page) for page in ("people/list/", "assignments/new/", f"assignments/{work.pk}/withdraw/")),
        ("post", f"{who}answers/{drill.pk}/scenario/"),
    ]


@pytest.mark.parametrize(
    ("role", "status"), [(Role.INSTRUCTOR, 404), (Role.TRAINEE, 403), (Role.HR, 403), (Role.ADMINISTRATOR, 403)]
)
def test_nobody_else_sees_or_touches_a_class(signed_in: Callable[..., Client], role: Role, status: int) -> None:
    trainee = PersonFactory()
    room = make_class(None, trainee)
    work, drill = set_work(room), graded(trainee)
    outsider = signed_in(role)
    data = FACTS | {"trainee": trainee.pk, "remove": trainee.pk}
    for method, where in addresses(room, trainee, work, drill):
        assert getattr(outsider, method)(where, data).status_code == status, where
    assert Assignment.objects.exists()
    assert room.enrolments.filter(left_at=None).exists()


def test_answers_of_who_is_not_in_the_class_do_not_exist(teacher: Client) -> None:
    """Neither through another class of the same instructor, nor after leaving."""
    outsider, room = PersonFactory(), make_class(person(teacher), PersonFactory())
    drill = graded(outsider)
    own = room.enrolments.get().trainee
    for where in (f"trainees/{outsider.pk}/", f"trainees/{outsider.pk}/answers/{drill.pk}/"):
        assert teacher.get(f"/classes/{room.pk}/{where}").status_code == 404
    assert teacher.get(f"/classes/{room.pk}/trainees/{own.pk}/answers/{drill.pk}/").status_code == 404
    mine = graded(own)
    where = f"/classes/{room.pk}/trainees/{own.pk}/answers/{mine.pk}/"
    assert teacher.get(where).status_code == 200
    teacher.post(f"/classes/{room.pk}/people/remove/", {"trainee": own.pk})
    assert teacher.get(where).status_code == 404
