"""A whole class is entered at once, and who may not examine it is told so before the session is made."""

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from exams import impartiality
from exams.exam_sessions import candidacy, setup
from exams.programmes.models import Examiner
from exams.records.models import Session
from tests.classes import rooms
from tests.exams import making
from tests.factories import PersonFactory
from training.people.models import Role, User
from training.platform.errors import Refused

pytestmark = pytest.mark.django_db
STRICT = {"taught_may_examine": False}


def facts(version: Any) -> dict[str, Any]:
    opens = timezone.now() + timedelta(days=7)
    times = {"opens_at": opens, "entry_closes_at": opens + timedelta(hours=1)}
    return {"version": version, "title": "Novembro", "place": ""} | times


def form(version: Any, room: Any) -> dict[str, str]:
    told = facts(version)
    moments = {name: f"{timezone.localtime(told[name]):%Y-%m-%dT%H:%M}" for name in ("opens_at", "entry_closes_at")}
    return {"programme": str(version.pk), "title": "Novembro", "room": str(room.pk) if room else ""} | moments


def test_everybody_who_may_is_entered_and_the_others_are_named_with_the_reason() -> None:
    holder, taught, new, inside = rooms.instructor(), PersonFactory(), PersonFactory(), PersonFactory()
    rooms.make_class(holder, taught)
    room = rooms.make_class(None, taught, new, inside)
    version = making.make_version(making.make_rules(**STRICT))
    session = setup.create_session(holder, **facts(version))
    candidacy.enter(session, inside, holder)
    entry = candidacy.enter_class(session, room, holder)
    assert [candidate.person for candidate in entry.made] == [new]
    assert [error.field for error in entry.kept_out] == [taught.name]
    assert holder.name in entry.kept_out[0].reason
    assert holder not in entry.instead and room.made_by not in entry.instead and version.published_by in entry.instead
    assert candidacy.enter_class(session, room, holder).made == []
    with pytest.raises(Refused):
        candidacy.enter_class(session, room, rooms.instructor())


def test_who_could_knows_appointments_teachers_and_the_judged() -> None:
    version = making.make_version(making.make_rules(examiners="appointed", **STRICT))
    appointed, unknown, teacher, judged = (rooms.instructor() for _ in range(4))
    for person in (appointed, teacher):
        Examiner.objects.create(programme=version.programme, person=person)
    trainee = PersonFactory()
    rooms.make_class(teacher, trainee)
    found = impartiality.who_could(version, [trainee.pk, judged.pk])
    assert appointed in found and version.published_by in found, "administrators examine everywhere"
    assert not {unknown, teacher, judged} & set(found)


@pytest.mark.parametrize("strict", [True, False])
def test_a_conflict_is_told_when_the_session_is_made(client: Client, strict: bool) -> None:
    teacher, trainee = rooms.instructor(), PersonFactory()
    other = rooms.instructor(name="Olga Prates")
    room = rooms.make_class(teacher, trainee)
    version = making.make_version(making.make_rules(taught_may_examine=not strict))
    client.force_login(teacher)
    response = client.post(reverse("new_session"), form(version, room))
    if strict:
        assert response.status_code == 422 and not Session.objects.exists()
        assert trainee.name in response.content.decode() and other.name in response.content.decode()
    else:
        assert [candidate.person for candidate in Session.objects.get().candidates.all()] == [trainee]


def test_made_without_a_class_one_hears_which_are_closed(client: Client) -> None:
    teacher = rooms.instructor()
    rooms.make_class(teacher, PersonFactory(), name="Turma da noite")
    client.force_login(teacher)
    version = making.make_version(making.make_rules(**STRICT))
    page = client.post(reverse("new_session"), form(version, None), follow=True).content.decode()
    assert "ninguém destas turmas: Turma da noite" in page


def test_a_class_one_made_is_closed_even_while_it_is_empty_and_others_teach_it() -> None:
    maker = rooms.instructor()
    room = rooms.make_class(maker)
    room.instructors.set([rooms.instructor()])
    assert candidacy.classes_closed_to(maker, making.make_version(making.make_rules(**STRICT))) == [room]


def test_the_page_of_candidates_enters_a_class_and_says_what_came_of_it(client: Client) -> None:
    holder: User = rooms.instructor()
    room = rooms.make_class(None, PersonFactory(), PersonFactory())
    closed = PersonFactory(roles=[Role.TRAINEE], is_active=False)
    session = setup.create_session(holder, **facts(making.make_version()))
    client.force_login(holder)
    assert room.name in client.get(reverse("session_candidates", args=[session.pk])).content.decode()
    page = client.post(reverse("enter_class", args=[session.pk]), {"class": str(room.pk)}, follow=True)
    assert "2 candidatos inscritos." in page.content.decode()
    assert closed.pk not in session.candidates.values_list("person", flat=True)
