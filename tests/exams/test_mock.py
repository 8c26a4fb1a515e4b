"""Mock exams: a programme's blueprint and clock with fresh cases, called what they are, and leaving no exam record."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from exams import clock
from exams.certificates.models import Certificate
from exams.mock import selectors, services
from exams.mock.models import Mock, MockItem
from exams.papers.knowledge import fingerprint_of
from exams.programmes.models import ProgrammeVersion
from exams.records.models import Candidate, ExamItem, Sitting
from exams.results.models import Result
from tests.exams import making
from tests.factories import PersonFactory
from tests.practice.drills import form, right_answer
from training.mastery.models import Memory
from training.people.models import Role, User
from training.platform.errors import Refused
from training.practice import services as practice
from training.practice.models import Attempt, Drill

pytestmark = pytest.mark.django_db


@pytest.fixture
def client(signed_in: Callable[..., Client]) -> Client:
    return signed_in(Role.TRAINEE)


@pytest.fixture
def version(db: None) -> ProgrammeVersion:
    return making.make_version()


def who(client: Client) -> User:
    return client.person  # type: ignore[attr-defined]


def begin(client: Client, version: ProgrammeVersion) -> Mock:
    client.post(reverse("mocks"), {"programme": str(version.programme_id)})
    return Mock.objects.get(closed_at=None)


def graded() -> None:
    for attempt in Attempt.objects.all():
        practice.grade(attempt.pk)


def test_it_follows_the_blueprint_with_fresh_different_cases_fit_for_an_exam(client: Client) -> None:
    version = making.make_version(making.mixed_rules())
    mock = begin(client, version)
    lines = version.rules.lines
    assert [item.line for item in mock.items.all()].count(0) == lines[0].items
    assert mock.items.count() == version.rules.items
    assert len({fingerprint_of(item.scenario) for item in mock.items.all()}) == version.rules.items
    for item in mock.items.all():
        asked = lines[item.line]
        made = item.scenario
        assert (made.rulebook, made.topic, made.difficulty) == (asked.rulebook, asked.topic, asked.difficulty)
        assert made.solve().exam_safe
    assert mock.deadline_at - mock.started_at == timedelta(minutes=version.rules.minutes)
    assert [item.section for item in mock.items.all()] == sorted(
        (item.section for item in mock.items.all()), key=[section.key for section in version.rules.sections].index
    )


def test_no_case_of_a_session_in_use_is_in_it(client: Client, version: ProgrammeVersion) -> None:
    making.enter(making.make_session(version), PersonFactory())
    secret = set(ExamItem.objects.values_list("fingerprint", flat=True))
    for _ in range(3):
        mock = begin(client, version)
        assert not secret & {fingerprint_of(item.scenario) for item in mock.items.all()}
        services.close(mock, clock.now())


def test_answering_all_rightly_would_have_passed_and_leaves_practice_but_no_exam(
    client: Client, version: ProgrammeVersion
) -> None:
    mock = begin(client, version)
    for item in mock.items.all():
        data = form(right_answer(item.scenario)) | {"go": str(item.position + 1)}
        assert client.post(reverse("mock_item", args=[mock.pk, item.position]), data).status_code == 302
    page = client.get(reverse("mock", args=[mock.pk])).content.decode()
    assert "Exame de ensaio" in page
    client.post(reverse("mock", args=[mock.pk]))
    assert "A corrigir" in client.get(reverse("mock", args=[mock.pk])).content.decode()
    graded()
    page = client.get(reverse("mock", args=[mock.pk])).content.decode()
    assert "Teria passado." in page
    assert "Não conta para nada" in page
    assert reverse("drill", args=[mock.items.get(position=1).drill_id]) in page
    left = [model.objects.count() for model in (Candidate, Sitting, Result, Certificate, ExamItem)]
    assert left == [0] * 5
    assert set(Drill.objects.values_list("mode", flat=True)) == {Drill.Mode.MOCK}
    assert Memory.objects.filter(trainee=who(client)).exists()


def test_an_empty_one_would_not_have_passed_and_says_what_to_practise(
    client: Client, version: ProgrammeVersion
) -> None:
    mock = begin(client, version)
    client.post(reverse("mock", args=[mock.pk]))
    graded()
    told = selectors.summarise(Mock.objects.get(pk=mock.pk), "pt")
    assert told is not None
    assert (told.passed, told.percent) == (False, "0")
    assert [weak.subject for weak in told.weak] == ["pt-chemin-de-fer/third_card", "pt-chemin-de-fer/banco_priority"]
    page = client.get(reverse("mock", args=[mock.pk])).content.decode()
    assert "Ainda não teria passado." in page
    faults = sum(mark.critical_missed for _item, _topic, mark in told.items)
    assert (page.count("em branco"), page.count("falta crítica</span>")) == (len(told.items), faults)
    assert faults
    assert not Attempt.objects.exclude(seconds=0).exists(), "what was left lying takes no minutes of the day"


def test_the_list_says_how_each_one_went_in_as_many_queries_however_many_there_are(
    client: Client, version: ProgrammeVersion, django_assert_num_queries: Callable[..., Any]
) -> None:
    mock = begin(client, version)
    for item in mock.items.all():
        client.post(reverse("mock_item", args=[mock.pk, item.position]), form(right_answer(item.scenario)))
    services.close(mock, clock.now())
    with CaptureQueriesContext(connection) as of_one:
        page = " ".join(client.get(reverse("mocks")).content.decode().split())
    queries = len(of_one)
    assert "aprovado</span>" not in page, "nothing is said until all of it is marked"
    services.close(begin(client, version), clock.now())
    graded()
    begin(client, version)
    with django_assert_num_queries(queries):
        page = " ".join(client.get(reverse("mocks")).content.decode().split())
    assert page.count('<span class="badge accent">aberto</span>') == 1
    assert '✕</span> não aprovado</span> <span class="number">0 %</span>' in page
    assert '✓</span> aprovado</span> <span class="number">100 %</span>' in page


def test_its_time_ends_it_whoever_looks(client: Client, version: ProgrammeVersion) -> None:
    mock = begin(client, version)
    item = mock.items.get(position=1)
    now = clock.now()
    Mock.objects.update(started_at=now - timedelta(hours=2), deadline_at=now - timedelta(hours=1))
    mock.refresh_from_db()
    with pytest.raises(services.MockOver):
        services.save(mock, 1, right_answer(item.scenario), marked=False, now=now)
    client.post(reverse("mock_item", args=[mock.pk, 1]), form(right_answer(item.scenario)))
    mock.refresh_from_db()
    assert mock.closed_at == mock.deadline_at
    assert MockItem.objects.get(pk=item.pk).answer == {}
    assert Attempt.objects.count() == version.rules.items, "closed once"
    client.get(reverse("mock", args=[mock.pk]))
    assert Attempt.objects.count() == version.rules.items


def test_one_is_open_at_a_time_and_as_many_as_wanted_after_each_other(
    client: Client, version: ProgrammeVersion
) -> None:
    first = begin(client, version)
    assert begin(client, making.make_version()) == first
    services.close(first, clock.now())
    second = begin(client, version)
    assert {fingerprint_of(item.scenario) for item in second.items.all()} != {
        fingerprint_of(item.scenario) for item in first.items.all()
    }


def test_who_has_one_open_is_led_back_to_it_and_begins_no_other(client: Client, version: ProgrammeVersion) -> None:
    begun = "Começar o exame de ensaio"
    assert begun in client.get(reverse("mocks")).content.decode()
    mock = begin(client, version)
    page = client.get(reverse("mocks")).content.decode()
    assert begun not in page
    assert f'class="button full" href="{reverse("mock", args=[mock.pk])}"' in page


def test_what_was_typed_comes_back_and_no_ruling_is_told(client: Client, version: ProgrammeVersion) -> None:
    mock = begin(client, version)
    address = reverse("mock_item", args=[mock.pk, 1])
    item = mock.items.get(position=1)
    choice = next(question for question in item.scenario.questions if question.kind == "choice")
    client.post(address, {f"q.{choice.key}": choice.options[0], "marked": "1", "go": "1"})
    page = client.get(address).content.decode()
    assert " checked" in page
    assert "Porquê" not in page
    assert client.post(address, {f"q.{choice.key}": "nonsense"}).status_code == 422
    assert not Drill.objects.exists(), "a case is a drill only once it is over"


def test_somebody_elses_does_not_exist_and_a_real_exam_closes_it(client: Client, version: ProgrammeVersion) -> None:
    other = services.start(PersonFactory(), version, clock.now())
    assert client.get(reverse("mock", args=[other.pk])).status_code == 404
    making.start(making.enter(making.make_session(version), who(client)))
    assert client.get(reverse("mocks")).status_code == 403
    assert client.post(reverse("mocks"), {"programme": str(version.programme_id)}).status_code == 403


def test_a_blueprint_that_cannot_be_filled_is_refused_whole(
    client: Client, version: ProgrammeVersion, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("exams.mock.services.TRIES", 0)
    with pytest.raises(Refused):
        services.start(who(client), version, clock.now())
    assert not Mock.objects.exists()


def test_what_is_typed_is_saved_without_leaving_the_page(client: Client, version: ProgrammeVersion) -> None:
    mock = begin(client, version)
    item = mock.items.get(position=1)
    answer = right_answer(item.scenario)
    page = client.post(reverse("mock_item", args=[mock.pk, 1]), form(answer) | {"keep": "1", "marked": "1"})
    assert page.status_code == 204
    item.refresh_from_db()
    assert (item.answer["parts"], item.marked) == (answer, True)
