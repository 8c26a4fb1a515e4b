"""The grid of a class: cells, who is stuck, who is ready, and the same queries for one trainee and for 200."""

import csv
import io
import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from html import unescape
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from rules_engine import topics
from tests.classes.rooms import KIND, RULEBOOK, TOPIC, answer, make_class, set_work
from tests.factories import PersonFactory
from training.classes import grid, services, views
from training.classes.grid import Knowledge, Progress, progress
from training.classes.models import Assignment, TrainingClass
from training.figures.models import DayTally, TopicTally
from training.mastery.memory import AHEAD
from training.mastery.models import Memory, StudyPlan
from training.mastery.rules_to_learn import rules_to_learn
from training.people.models import Role, User

pytestmark = pytest.mark.django_db

SANREMO = "it-sanremo-chemin-de-fer"
NOW = datetime(2026, 3, 10, 12, tzinfo=UTC)


def practised(trainee: User, *, answers: int, points: int, of: int, at: datetime = NOW) -> None:
    sums = {"answers": answers, "points": points, "of": of}
    TopicTally.objects.create(trainee=trainee, rulebook=RULEBOOK, topic=TOPIC, last_at=at, **sums)
    DayTally.objects.create(trainee=trainee, day=at.date(), **sums)


def remembers(trainee: User, rules: Any, due: datetime) -> None:
    Memory.objects.bulk_create(
        Memory(trainee=trainee, rulebook=rule.rulebook, cite=rule.cite, card={}, due=due, last_review=NOW)
        for rule in rules
    )


def standing(room: TrainingClass, now: datetime = NOW) -> Progress:
    [found] = progress(room, [room.enrolments.get().trainee], now)
    return found


@pytest.fixture
def room() -> TrainingClass:
    made = make_class(None, PersonFactory())
    made.enrolments.update(enrolled_at=NOW)
    return made


@pytest.fixture
def trainee(room: TrainingClass) -> User:
    return room.enrolments.get().trainee


def test_a_cell_for_every_topic_in_teaching_order(room: TrainingClass, trainee: User) -> None:
    practised(trainee, answers=4, points=3, of=4)
    line = grid.cells([trainee], RULEBOOK)[trainee.pk]
    assert [cell.topic for cell in line] == list(topics(RULEBOOK))
    filled = [cell for cell in line if cell.answers]
    assert [(cell.topic, cell.answers, cell.percent, cell.last_at) for cell in filled] == [(TOPIC, 4, 75, NOW)]


@pytest.mark.parametrize(("points", "level"), [(59, "low"), (60, "middle"), (79, "middle"), (80, "high")])
def test_shades_change_at_their_limits(trainee: User, points: int, level: str) -> None:
    practised(trainee, answers=5, points=points, of=100)
    cell = next(cell for cell in grid.cells([trainee], RULEBOOK)[trainee.pk] if cell.answers)
    assert (cell.level, cell.percent) == (level, points)


def test_few_answers_are_pale(trainee: User) -> None:
    practised(trainee, answers=4, points=3, of=4)
    cell = next(cell for cell in grid.cells([trainee], RULEBOOK)[trainee.pk] if cell.answers)
    assert cell.level == "middle few"


@pytest.mark.parametrize(("answers", "points", "low"), [(10, 59, True), (10, 60, False), (9, 10, False)])
def test_low_needs_enough_recent_answers(
    room: TrainingClass, trainee: User, answers: int, points: int, low: bool
) -> None:
    practised(trainee, answers=answers, points=points, of=100)
    assert (standing(room).low, standing(room).stuck) == (low, low)


@pytest.mark.parametrize(("days", "counted"), [(13, True), (14, False)])
def test_recent_is_fourteen_days(room: TrainingClass, trainee: User, days: int, counted: bool) -> None:
    practised(trainee, answers=20, points=0, of=20, at=NOW - timedelta(days=days))
    assert standing(room).low is counted


@pytest.mark.parametrize(("hours", "idle"), [(7 * 24 - 1, False), (7 * 24, True)])
def test_idle_after_seven_days(room: TrainingClass, trainee: User, hours: int, idle: bool) -> None:
    practised(trainee, answers=1, points=1, of=1)
    assert standing(room, NOW + timedelta(hours=hours)).idle is idle


def test_a_newcomer_is_not_idle_before_they_had_seven_days(room: TrainingClass) -> None:
    assert not standing(room, NOW + timedelta(days=6)).stuck
    assert standing(room, NOW + timedelta(days=7)).idle


def test_overdue_work_is_being_stuck(room: TrainingClass, trainee: User) -> None:
    work = set_work(room, fresh=[(KIND, 1)])
    after = work.due_at + timedelta(minutes=1)
    practised(trainee, answers=1, points=1, of=1, at=work.due_at)
    assert (standing(room, after).late, standing(room, after).stuck) == (1, True)
    answer(services.next_assigned(trainee, work))
    assert (standing(room, after).late, standing(room, after).stuck) == (0, False)


def test_ready_is_holding_enough_rules_of_every_topic(room: TrainingClass, trainee: User) -> None:
    by_topic: dict[str, list[Any]] = {}
    for rule, topic in rules_to_learn(RULEBOOK).items():
        by_topic.setdefault(topic, []).append(rule)
    last = max(by_topic, key=lambda topic: len(by_topic[topic]))
    for topic, rules in by_topic.items():
        if topic != last:
            remembers(trainee, rules, NOW + AHEAD)
    size = len(by_topic[last])
    needed = -(-size * 8 // 10)
    remembers(trainee, by_topic[last][: needed - 1], NOW + AHEAD)
    assert not standing(room).ready
    assert standing(room).topics_held == standing(room).topics - 1
    remembers(trainee, by_topic[last][needed - 1 : needed], NOW + AHEAD)
    assert standing(room).ready
    # A day later nothing is sure to outlive the next shift.
    assert not standing(room, NOW + timedelta(seconds=1)).ready


@pytest.mark.parametrize(
    ("known", "rules", "interval"),
    # Wilson's interval at 95 %, worked out by hand and rounded outwards.
    [(80, 100, (71, 87)), (8, 10, (49, 95)), (0, 20, (0, 17)), (20, 20, (83, 100)), (0, 0, (0, 100))],
)
def test_the_interval_narrows_with_the_number_of_rules(known: int, rules: int, interval: tuple[int, int]) -> None:
    place = (RULEBOOK, TOPIC)
    found = Knowledge({place: rules}, {place: known}) if rules else Knowledge({}, {})
    assert found.interval == interval
    assert found.readiness == (100 * known // rules if rules else 0)


def test_what_raises_readiness_most_is_the_topic_with_most_to_learn() -> None:
    small, large = (RULEBOOK, "small"), (RULEBOOK, "large")
    sizes = {small: 10, large: 30}
    # The weaker topic in per cent is not the one with most to gain.
    assert Knowledge(sizes, {small: 4, large: 20}).raises_most == (large, 25)
    assert Knowledge(sizes, {small: 4, large: 25}).raises_most == (small, 15)
    assert Knowledge(sizes, sizes).raises_most is None


@pytest.mark.parametrize(
    ("planned", "counted"),
    [
        (None, [RULEBOOK, SANREMO]),
        ([], [RULEBOOK, SANREMO]),
        ([SANREMO], [SANREMO]),
        ([SANREMO, "pt-craps"], [SANREMO]),
        (["pt-craps"], [RULEBOOK, SANREMO]),
    ],
)
def test_ready_is_ready_for_the_rulebooks_that_one_is_to_deal(planned: list[str] | None, counted: list[str]) -> None:
    trainee = PersonFactory()
    room = make_class(None, trainee, rulebooks=[RULEBOOK, SANREMO])
    if planned is not None:
        StudyPlan.objects.create(trainee=trainee, rulebooks=planned)
    remembers(trainee, rules_to_learn(SANREMO), NOW + AHEAD)
    found = standing(room)
    assert sorted({book for book, _topic in found.knowledge.topics}) == sorted(counted)
    assert found.ready is (counted == [SANREMO])
    assert (found.knowledge.readiness == 100) is found.ready
    assert (found.knowledge.raises_most is None) is found.ready


def test_the_weakest_come_first_and_the_mean_is_that_of_the_class(
    signed_in: Callable[..., Client], monkeypatch: pytest.MonkeyPatch
) -> None:
    client = signed_in(Role.INSTRUCTOR)
    strong, weak = PersonFactory(name="Ana"), PersonFactory(name="Zeca")
    made = make_class(client.person, strong, weak)  # type: ignore[attr-defined]
    rules = list(rules_to_learn(RULEBOOK))
    remembers(strong, rules, timezone.now() + AHEAD + timedelta(hours=1))
    remembers(weak, rules[:2], timezone.now() + AHEAD + timedelta(hours=1))
    for who, points in ((strong, 10), (weak, 4)):
        practised(who, answers=10, points=points, of=10, at=timezone.now())
    place = topics(RULEBOOK).index(TOPIC)
    monkeypatch.setattr(views, "GRID_PAGE", 1)
    for query, names in (("", ["Zeca"]), ("?page=2", ["Ana"]), ("?show=stuck", ["Zeca"])):
        found = client.get(f"/classes/{made.pk}/{query}")
        assert [line.trainee.name for line, _cells, _raising in found.context["rows"]] == names
        assert found.context["means"][place] == 70, "of both, whoever is on the page"
    shown = client.get(f"/classes/{made.pk}/?page=2").content.decode()
    assert "knows every rule" in shown or "sabe todas as regras" in shown


def test_work_is_set_from_a_trainees_page_with_trainee_and_weakest_topic_filled_in(
    signed_in: Callable[..., Client],
) -> None:
    client = signed_in(Role.INSTRUCTOR)
    who, other = PersonFactory(), PersonFactory()
    made = make_class(client.person, who, other)  # type: ignore[attr-defined]
    gaps = [rule for rule, topic in rules_to_learn(RULEBOOK).items() if topic != TOPIC]
    remembers(who, gaps, timezone.now() + AHEAD + timedelta(hours=1))
    page = client.get(f"/classes/{made.pk}/trainees/{who.pk}/").content.decode()
    link = re.search(f'href="(/classes/{made.pk}/[^"?]*[?]trainee=[^"]*)"', page)
    assert link
    form = client.get(unescape(link[1]))
    assert [(person.pk, ticked) for person, ticked in form.context["people"] if ticked] == [(who.pk, True)]
    assert f'<option value="{RULEBOOK}/{TOPIC}" selected>' in form.content.decode()


def teach(client: Client, count: int) -> TrainingClass:
    trainees = [PersonFactory(password="!") for _ in range(count)]
    made = make_class(client.person, *trainees)  # type: ignore[attr-defined]
    rules = list(rules_to_learn(RULEBOOK))
    for who in trainees:
        practised(who, answers=12, points=6, of=12)
        remembers(who, rules[:20], timezone.now() + timedelta(days=5))
    Assignment.objects.create(training_class=made, title="T", due_at=NOW, fresh=[KIND.__dict__ | {"count": 1}])
    return made


@pytest.mark.parametrize("count", [1, 200])
def test_pages_take_the_same_queries_for_one_trainee_and_for_two_hundred(
    signed_in: Callable[..., Client], count: int, django_assert_num_queries: Any
) -> None:
    client = signed_in(Role.INSTRUCTOR)
    made = teach(client, count)
    with django_assert_num_queries(17):
        page = client.get(f"/classes/{made.pk}/")
    assert page.context["count"] == page.context["stuck"] == count
    with django_assert_num_queries(11):
        client.get(f"/classes/{made.pk}/assignments/")
    with django_assert_num_queries(6):
        client.get(f"/classes/{made.pk}/people/")
    with django_assert_num_queries(17):
        exported = b"".join(client.get(f"/classes/{made.pk}/export.csv"))
    assert len(exported.splitlines()) == count + 1


def test_the_list_is_narrowed_to_who_is_stuck_or_ready(signed_in: Callable[..., Client]) -> None:
    client = signed_in(Role.INSTRUCTOR)
    made = make_class(client.person, PersonFactory(name="Nova"), PersonFactory(name="Parado"))  # type: ignore[attr-defined]
    made.enrolments.filter(trainee__name="Parado").update(enrolled_at=timezone.now() - timedelta(days=8))
    shown = {show: client.get(f"/classes/{made.pk}/?show={show}").context["rows"] for show in ("", "stuck", "ready")}
    found = {show: [line.trainee.name for line, _cells, _raising in rows] for show, rows in shown.items()}
    assert found == {"": ["Nova", "Parado"], "stuck": ["Parado"], "ready": []}


def test_the_export_runs_no_formula(signed_in: Callable[..., Client]) -> None:
    client = signed_in(Role.INSTRUCTOR)
    evil = PersonFactory(name="=HYPERLINK(A1)")
    made = make_class(client.person, evil)  # type: ignore[attr-defined]
    practised(evil, answers=4, points=3, of=4)
    response = client.get(f"/classes/{made.pk}/export.csv")
    text = b"".join(response).decode("utf-8-sig")
    titles, row = csv.reader(io.StringIO(text), delimiter=";")
    assert row[0] == "'=HYPERLINK(A1)"
    assert row[1] == evil.email
    assert len(titles) == len(row) == 8 + 2 * len(topics(RULEBOOK))
    place = 8 + 2 * topics(RULEBOOK).index(TOPIC)
    assert row[place : place + 2] == ["4", "75"]
