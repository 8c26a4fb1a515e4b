"""One assignment: for some of a class, with another date for one or all, who did what; and remarks on answers."""

from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from tests.classes.rooms import KIND, answer, instructor, make_class, set_work
from tests.factories import PersonFactory
from tests.house import graded, put
from tests.library.versions import make_published, make_scenario
from training.classes import selectors, services
from training.platform.errors import Refused
from training.practice import instructor_remarks
from training.practice.models import Remark

pytestmark = pytest.mark.django_db
DAY = timedelta(days=1)


def test_set_for_some_it_is_nobody_elses_and_counts_for_nobody_else(client: Client) -> None:
    teacher, one, other = instructor(), PersonFactory(), PersonFactory()
    room = make_class(teacher, one, other)
    work = set_work(room, only=[one])
    now = timezone.now()
    assert [item.assignment for item in selectors.assignments_of(one, now)] == [work]
    assert selectors.assignments_of(other, now) == []
    with pytest.raises(type(work).DoesNotExist):
        selectors.assignment_for(other, work.pk)
    client.force_login(teacher)
    page = client.get(reverse("class_work", args=[room.pk])).content.decode()
    assert "0 de 1" in page
    page = client.get(reverse("class_assignment", args=[room.pk, work.pk])).content.decode()
    assert one.name in page and other.name not in page
    with pytest.raises(Refused, match="não está nesta turma"):
        set_work(room, only=[PersonFactory()])


def test_the_scenarios_of_an_assignment_are_seen_and_changed(client: Client) -> None:
    teacher = instructor()
    room = make_class(teacher, PersonFactory())
    one, other = make_published(seed="1"), make_published(seed="2")
    work = set_work(room, versions=[one])
    client.force_login(teacher)
    page = client.get(reverse("class_assignment", args=[room.pk, work.pk])).content.decode()
    assert reverse("version", args=[one.pk]) in page and "2 × A terceira carta do banqueiro" in page
    change = reverse("work_scenarios", args=[room.pk, work.pk])
    assert f'value="{one.pk}" id="version-{one.pk}" checked' in client.get(change).content.decode()
    assert client.post(change, {"versions": [other.pk]}).status_code == 302
    assert list(work.versions.all()) == [other]
    services.close_class(room, teacher)
    assert client.post(change, {"versions": [one.pk]}).status_code == 422


def test_a_scenario_is_set_for_a_class_from_its_own_page(client: Client) -> None:
    teacher, version = instructor(), make_published()
    room = make_class(teacher, PersonFactory())
    client.force_login(teacher)
    address = reverse("set_scenario", args=[version.pk])
    assert address in client.get(reverse("version", args=[version.pk])).content.decode()
    form = client.get(address, follow=True)
    assert form.redirect_chain[0][0].startswith(reverse("assign", args=[room.pk]))
    assert f'id="version-{version.pk}" checked' in form.content.decode()
    make_class(teacher, PersonFactory(), name="Turma B")
    assert "Turma B" in client.get(address).content.decode(), "with several classes, one is chosen"


def test_another_date_for_one_then_for_all_keeps_the_longer_one() -> None:
    one, other = PersonFactory(), PersonFactory()
    work = set_work(make_class(None, one, other))
    first, by = work.due_at, work.set_by
    assert by
    services.extend(work, by, due_at=first + 5 * DAY, only=[one])

    def dates() -> list[timedelta]:
        found = [selectors.assignments_of(who, timezone.now())[0].due_at - first for who in (one, other)]
        return [timedelta(days=round(each / DAY)) for each in found]

    assert dates() == [5 * DAY, 0 * DAY]
    services.extend(work, by, due_at=first + 2 * DAY)
    assert dates() == [5 * DAY, 2 * DAY]
    services.extend(work, by, due_at=first + 9 * DAY)
    assert dates() == [9 * DAY, 9 * DAY]
    late = selectors.work([work], [one], first + 10 * DAY)[one.pk][0]
    assert late.late
    for refused in ({"due_at": timezone.now()}, {"due_at": first + DAY, "only": []}):
        with pytest.raises(Refused):
            services.extend(work, by, **refused)


def test_the_page_says_who_did_what_and_moves_the_date(client: Client) -> None:
    teacher, done, idle = instructor(), PersonFactory(name="Bento"), PersonFactory(name="Clara")
    room = make_class(teacher, done, idle)
    work = set_work(room, fresh=[(KIND, 1)])
    drill = services.next_assigned(done, work)
    answer(drill)
    client.force_login(teacher)
    address = reverse("class_assignment", args=[room.pk, work.pk])
    page = client.get(address).content.decode()
    assert "1 de 2 acabaram" in page
    assert reverse("class_answer", args=[room.pk, done.pk, drill.pk]) in page
    due = f"{timezone.localdate() + 9 * DAY}"
    extend = reverse("extend_work", args=[room.pk, work.pk])
    assert client.post(extend, {"due": due}).status_code == 422, "for whom?"
    assert "Clara" in client.post(extend, {"due": due, "trainees": idle.pk}, follow=True).content.decode()
    assert [row.trainee for row in work.extensions.all()] == [idle]
    client.post(extend, {"due": due, "everybody": "yes"})
    work.refresh_from_db()
    assert timezone.localdate(work.due_at) == timezone.localdate() + 9 * DAY


def test_a_remark_reaches_its_trainee_on_home_until_it_is_read(client: Client) -> None:
    teacher, trainee = instructor(), PersonFactory()
    room = make_class(teacher, trainee)
    drill = graded(put(trainee, make_scenario("3")))
    address = reverse("remark_answer", args=[room.pk, trainee.pk, drill.pk])
    client.force_login(teacher)
    assert client.post(address, {"text": "Conte as cartas <b>antes</b>."}).status_code == 302
    assert "ainda por ler" in client.get(reverse("class_answer", args=[room.pk, trainee.pk, drill.pk])).content.decode()
    assert client.post(address, {"text": "x" * 2001}).status_code == 422

    reader = Client()
    reader.force_login(trainee)
    said = "Conte as cartas &lt;b&gt;antes&lt;/b&gt;."
    for route in ("home", "history"):
        assert said in reader.get(reverse(route)).content.decode()
    page = reader.get(reverse("drill", args=[drill.pk])).content.decode()
    assert said in page and teacher.name in page
    assert said not in reader.get(reverse("home")).content.decode()
    assert said in reader.get(reverse("history")).content.decode()
    assert Remark.objects.get().read_at

    client.post(address, {"text": " "})
    assert not Remark.objects.exists()
    stranger = Client()
    stranger.force_login(instructor())
    assert stranger.post(address, {"text": "Não é meu."}).status_code == 404


def test_nothing_is_said_about_what_is_not_answered() -> None:
    trainee = PersonFactory()
    drill = services.next_assigned(trainee, set_work(make_class(None, trainee)))
    with pytest.raises(Refused):
        instructor_remarks.say(drill, instructor(), "Depressa.", timezone.now())
