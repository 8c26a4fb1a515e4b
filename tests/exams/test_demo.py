"""The exams of the demo: a house with a past, made by the services, in which every page answers."""

import re
from collections import Counter, deque
from collections.abc import Iterator
from datetime import timedelta

import pytest
from django.db import transaction
from django.db.models import Count
from django.test import Client
from django.urls import resolve
from django.utils import timezone
from pytest_django import DjangoDbBlocker

from exams import clock
from exams.appeals.models import Appeal
from exams.audit.models import Entry
from exams.audit.services import verify
from exams.certificates import issuance, lifecycle
from exams.certificates.models import Certificate
from exams.demo import exam_data
from exams.demo.held_exams import played_at
from exams.hr import roster
from exams.hr.models import StaffRecord
from exams.records.models import Session, Sitting
from exams.results.models import Result
from exams.sittings import timing
from rules_engine import GAMES, rulebook
from training.classes.teaching import teachers_of
from training.people.demo import enter_demo_people, retire_demo_people
from training.people.models import User

pytestmark = pytest.mark.django_db
# Every page of exams and certificates; what is long made elsewhere (documents, files) is tested there.
OURS = re.compile(r"^/(programmes|exams|results|exam-figures|regrades|appeals|certificates|c|hr|audit)(/|$)")
FILES = re.compile(r"(\.pdf|\.jwt|\.csv|\.json|/file/)(\?|$)")
LINK = re.compile(rb'href="(/[^"#]*)')
OF_A_KIND = 3  # so many addresses of one view are opened for each person


@pytest.fixture(scope="module")
def house(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[None]:
    """The demo is furnished once; each test then works in a savepoint on top of it."""
    with django_db_blocker.unblock(), transaction.atomic():
        enter_demo_people()
        assert exam_data.furnish()
        yield
        transaction.set_rollback(True)


@pytest.fixture
def people(house: None) -> dict[str, User]:
    return {user.email.partition("@")[0]: user for user in User.objects.all()}


def pages(client: Client) -> Iterator[tuple[str, int]]:
    """The pages one comes to from the first by links, some of every kind, with their status."""
    seen, waiting, kinds = {"/"}, deque(["/"]), Counter[str]()
    while waiting:
        address = waiting.popleft()
        answer = client.get(address, follow=True)
        yield address, answer.status_code
        for found in LINK.findall(answer.content):
            link = found.decode().replace("&amp;", "&")
            path = link.partition("?")[0]
            if not OURS.match(path) or FILES.search(link) or path in seen:
                continue
            seen.add(path)
            kind = resolve(path).view_name
            kinds[kind] += 1
            if kinds[kind] <= OF_A_KIND:
                waiting.append(link)


def test_the_demo_is_whole_and_every_page_of_its_people_answers(people: dict[str, User], client: Client) -> None:
    for name in ("ines", "duarte", "marta", "amelia", "helena", "rui", "vasco", "teresa", "paulo"):
        client.force_login(people[name])
        walked = dict(pages(client))
        assert {address: status for address, status in walked.items() if status != 200} == {}
        assert len(walked) >= 4, name
    client.force_login(people["vasco"])
    session = Session.objects.annotate(sat=Count("candidates__sitting")).filter(sat__gt=1).earliest("opens_at")
    figures = client.get(f"/exam-figures/sessions/{session.pk}/")
    assert "data:image/svg+xml" in figures.content.decode() or "<svg" in figures.content.decode()


def test_its_results_certificates_and_appeals_are_of_every_kind(people: dict[str, User]) -> None:
    today = timezone.localdate()
    standings = {held.holder.name: lifecycle.standing(held, today) for held in Certificate.objects.all()}
    assert {standing.value for standing in standings.values()} == {"valid", "suspended", "withdrawn", "expired"}
    assert Certificate.objects.filter(
        holder=people["marta"], valid_until__gt=today, valid_until__lte=today + timedelta(days=30)
    ).exists()
    released = Result.objects.filter(released_at__isnull=False)
    failed = set(released.filter(passed=False).values_list("sitting__candidate__person__name", flat=True))
    assert failed == {"Inês Varela", "Clara Seixal", "Bento Farinha"}
    assert released.filter(passed=True).count() == 9
    assert Result.objects.filter(decided_at=None).count() == 1
    assert issuance.waiting().get().sitting.candidate.person == people["marta"]
    assert set(Appeal.objects.values_list("state", flat=True)) == {Appeal.State.LODGED, Appeal.State.REJECTED}
    assert {entry.name for entry in roster.entries(today)} == {"Marta Quintão", "Amélia Torrado", "Bento Farinha"}
    assert StaffRecord.objects.count() >= 10


def test_its_certificates_are_of_more_than_one_game(people: dict[str, User]) -> None:
    tonight = {(entry.name, rulebook(entry.rulebook).game.id) for entry in roster.entries(timezone.localdate())}
    assert {game for name, game in tonight if name == "Amélia Torrado"} > {"chemin_de_fer"}
    assert {game for name, game in tonight if name == "Bento Farinha"} == {
        *("chemin_de_fer", *(game.id for game in GAMES.values() if game.odds))
    }


def test_an_exam_is_open_now_for_those_who_sign_in_first(people: dict[str, User]) -> None:
    now = timezone.now()
    session = Session.objects.get(entry_closes_at__gt=now)
    assert session.state == Session.State.READY
    assert timing.may_begin(session, now)
    assert timing.may_begin(session, now + timedelta(days=6))
    assert {candidate.person.email.partition("@")[0] for candidate in session.candidates.all()} == {
        *("ines", "duarte", "marta")
    }
    assert list(session.invigilators.all()) == [people["rui"]]
    taught_by = teachers_of([candidate.person_id for candidate in session.candidates.all()])
    assert not any(session.created_by_id in teachers for teachers in taught_by.values())


def test_a_sitting_was_ended_by_an_alarm_and_annulled(people: dict[str, User], client: Client) -> None:
    ended = Sitting.objects.get(annulled_at__isnull=False)
    assert (ended.candidate.person, ended.try_back, ended.results.count()) == (people["duarte"], True, 0)
    client.force_login(people["duarte"])
    assert "Alarme de incêndio às 10h05" in client.get(f"/results/{ended.pk}/").content.decode()
    client.force_login(people["vasco"])
    assert "Duarte Salema" in client.get("/results/annulments/").content.decode()


def test_its_log_is_sealed_and_in_the_order_of_time(people: dict[str, User]) -> None:
    assert list(verify()) == []
    moments = list(Entry.objects.order_by("number").values_list("at", flat=True))
    assert moments == sorted(moments)
    assert moments[0] < timezone.now() - timedelta(days=2 * 365)
    assert moments[-1] <= timezone.now()


def test_its_people_are_all_retired_before_production(people: dict[str, User]) -> None:
    assert retire_demo_people() == len(people)


def test_a_time_gone_by_ends_even_where_something_fails() -> None:
    past = timezone.now() - timedelta(days=100)
    with pytest.raises(RuntimeError, match="it fails"), played_at(past):
        assert clock.now() == past
        raise RuntimeError("it fails")
    assert timezone.now() > past + timedelta(days=99)
