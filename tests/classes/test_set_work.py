"""Work set for a class, from setting it to its last answer."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from tests.classes.rooms import KIND, answer, instructor, make_class, set_work
from tests.factories import PersonFactory
from tests.library.versions import make_published
from training.classes import selectors, services
from training.classes.models import Assignment
from training.classes.selectors import Kind
from training.library import services as library
from training.people.models import Role
from training.platform.errors import Refused
from training.practice.models import Drill

pytestmark = pytest.mark.django_db


def test_versions_come_once_each_then_fresh_ones_until_all_is_done() -> None:
    trainee = PersonFactory()
    versions = [make_published(seed="1"), make_published(seed="2")]
    work = set_work(make_class(None, trainee), versions=versions, fresh=[(KIND, 1)])
    put = []
    for left in (3, 2, 1):
        [line] = selectors.assignments_of(trainee, timezone.now())
        assert (line.left, line.done, line.total) == (left, 3 - left, 3)
        drill = services.next_assigned(trainee, work)
        assert (drill.mode, drill.assignment) == (Drill.Mode.ASSIGNED, work)
        put.append(drill)
        answer(drill)
    assert [drill.version for drill in put] == [*versions, None]
    assert (put[2].rulebook, put[2].topic, put[2].difficulty) == (KIND.rulebook, KIND.topic, KIND.difficulty)
    with pytest.raises(services.NothingLeft, match="Terceira carta"):
        services.next_assigned(trainee, work)


def test_one_left_open_is_put_again() -> None:
    trainee = PersonFactory()
    work = set_work(make_class(None, trainee))
    assert services.next_assigned(trainee, work) == services.next_assigned(trainee, work)
    assert Drill.objects.count() == 1


def test_a_version_taken_out_is_no_longer_left_and_not_put_again() -> None:
    trainee = PersonFactory()
    version = make_published()
    work = set_work(make_class(None, trainee), versions=[version], fresh=[(KIND, 1)])
    opened = services.next_assigned(trainee, work)
    assert opened.version == version
    library.suspend(version, ruling=None, comment="another ruling")
    again = services.next_assigned(trainee, work)
    assert again.version is None
    [line] = selectors.assignments_of(trainee, timezone.now())
    assert line.total == 1


def test_another_trainee_has_their_own_count() -> None:
    one, other = PersonFactory(), PersonFactory()
    work = set_work(make_class(None, one, other))
    answer(services.next_assigned(one, work))
    [of_one], [of_other] = (selectors.assignments_of(who, timezone.now()) for who in (one, other))
    assert (of_one.left, of_other.left) == (1, 2)


def test_late_is_after_the_date_with_work_left() -> None:
    trainee = PersonFactory()
    work = set_work(make_class(None, trainee), fresh=[(KIND, 1)])
    assert not selectors.assignments_of(trainee, work.due_at)[0].late
    after = work.due_at + timedelta(seconds=1)
    assert selectors.assignments_of(trainee, after)[0].late
    answer(services.next_assigned(trainee, work))
    assert selectors.assignments_of(trainee, work.due_at)[0].left == 0
    assert selectors.assignments_of(trainee, after) == []


def test_nothing_is_set_for_who_left_or_whose_class_is_closed() -> None:
    gone, stays = PersonFactory(), PersonFactory()
    room = make_class(None, gone, stays)
    set_work(room)
    services.remove(room, gone, room.instructors.get())
    assert selectors.assignments_of(gone, timezone.now()) == []
    assert len(selectors.assignments_of(stays, timezone.now())) == 1
    services.close_class(room, room.instructors.get())
    assert selectors.assignments_of(stays, timezone.now()) == []
    assert selectors.classes_of(stays) == []


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"fresh": []}, "at least one"),
        ({"fresh": [(KIND, services.MOST_SET + 1)]}, "at most 100"),
        ({"fresh": [(Kind("pt-chemin-de-fer", "no_such", 2), 1)]}, "no_such"),
        ({"due_at": timezone.now() - timedelta(days=1)}, "future"),
    ],
)
def test_what_cannot_be_set(changes: dict[str, object], reason: str) -> None:
    from django.utils import translation

    room = make_class()
    with translation.override("en"), pytest.raises(Refused, match=reason):
        set_work(room, **changes)
    assert not Assignment.objects.exists()


def test_the_limit_itself_can_be_set_and_equal_kinds_are_one() -> None:
    work = set_work(make_class(), fresh=[(KIND, services.MOST_SET - 1), (KIND, 1)])
    assert [row["count"] for row in work.fresh] == [services.MOST_SET]


def test_only_published_versions_can_be_set() -> None:
    version = library.retire(make_published(), instructor(), "old")
    with pytest.raises(Refused, match=r"Só se podem marcar cenários publicados\."):
        set_work(make_class(), versions=[version])


def test_the_trainee_goes_from_the_list_to_the_scenario_and_back(signed_in: Callable[..., Client]) -> None:
    client = signed_in(Role.TRAINEE)
    work = set_work(make_class(None, client.person), fresh=[(KIND, 1)])  # type: ignore[attr-defined]
    assert "Terceira carta" in client.get("/assigned/").content.decode()
    response = client.post(f"/assigned/{work.pk}/next/")
    drill = Drill.objects.get()
    assert response.url == f"/practice/{drill.pk}/"  # type: ignore[attr-defined]
    answer(drill)
    done = client.post(f"/assigned/{work.pk}/next/", follow=True)
    assert done.redirect_chain[-1][0] == "/assigned/"
    assert Drill.objects.count() == 1


def test_work_of_another_class_does_not_exist(signed_in: Callable[..., Client]) -> None:
    client = signed_in(Role.TRAINEE)
    work = set_work(make_class())
    assert client.post(f"/assigned/{work.pk}/next/").status_code == 404
    assert not Drill.objects.exists()


def test_the_list_takes_the_same_queries_for_one_and_for_many(
    signed_in: Callable[..., Client], django_assert_num_queries: Callable[..., Any]
) -> None:
    trainee = PersonFactory()
    room = make_class(None, trainee)
    for count in (1, 8):
        for number in range(count):
            work = set_work(room, title=f"{count}.{number}", versions=[make_published(seed=f"{count}{number}")])
            answer(services.next_assigned(trainee, work))
        with django_assert_num_queries(5):
            selectors.assignments_of(trainee, timezone.now())
