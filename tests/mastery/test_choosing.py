"""Which scenario comes next, and what a day holds where the trainee is."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.utils import timezone
from fsrs import Rating

import rules_engine
from tests.factories import PersonFactory
from tests.library.versions import make_published
from tests.practice.drills import make_drill, right_answer, wrong_answer
from training.figures.models import DayTally
from training.mastery.memory import Rule
from training.mastery.models import Memory
from training.mastery.rules_to_learn import rules_to_learn
from training.mastery.selectors import day_of, end_of_day
from training.mastery.services import learn
from training.people.models import User
from training.practice import next_drill, services
from training.practice.models import Attempt, Drill
from training.practice.next_drill import Study
from training.practice.selectors import recent

pytestmark = pytest.mark.django_db
BOOK = "pt-chemin-de-fer"
NOW = datetime(2026, 3, 2, 12, tzinfo=UTC)
STUDY = Study()


@pytest.fixture
def trainee() -> User:
    return PersonFactory(time_zone="Europe/Lisbon")


def spend(trainee: User, day: Any, *, answers: int, seconds: int) -> None:
    DayTally.objects.create(trainee=trainee, day=day, answers=answers, seconds=seconds, of=answers, points=answers)


def learnt(trainee: User, cite: str, *, days_ago: float, points: int = 3, now: datetime = NOW) -> None:
    rating = {0: Rating.Again, 3: Rating.Good}.get(points, Rating.Hard)
    learn(trainee, BOOK, {cite: rating}, at=now - timedelta(days=days_ago))


def answer(drill: Drill, *, right: bool) -> None:
    parts = (right_answer if right else wrong_answer)(drill.scenario)
    services.grade(services.submit_answer(drill, rules_engine.answer_from({"parts": parts})).pk)


# ---- the day


def test_a_newcomers_day_is_their_minutes_at_an_ordinary_pace(trainee: User) -> None:
    day = next_drill.today(trainee, Study(minutes=12), NOW)
    assert (day.scenarios, day.minutes, day.answered) == (12, 12, 0)
    assert day.agenda.new == tuple(rules_to_learn(BOOK))[:12]


def test_the_pace_is_the_trainees_own_within_reason(trainee: User) -> None:
    spend(trainee, NOW.date() - timedelta(days=1), answers=10, seconds=1200)
    assert next_drill.today(trainee, Study(minutes=10), NOW).scenarios == 5
    DayTally.objects.update(seconds=10_000)
    assert next_drill.today(trainee, Study(minutes=10), NOW).pace == next_drill.SLOWEST


def test_what_is_done_today_is_taken_off(trainee: User) -> None:
    spend(trainee, NOW.date(), answers=8, seconds=480)
    day = next_drill.today(trainee, Study(minutes=10), NOW)
    assert (day.scenarios, day.minutes_done, day.answered) == (2, 8, 8)
    DayTally.objects.update(seconds=900)
    assert next_drill.today(trainee, Study(minutes=10), NOW).agenda.today == ()


def test_after_a_holiday_the_day_is_still_the_day(trainee: User) -> None:
    for rule in list(rules_to_learn(BOOK))[:40]:
        learnt(trainee, rule.cite, days_ago=90)
    day = next_drill.today(trainee, Study(minutes=10), NOW)
    assert (len(day.agenda.refresh), day.agenda.new, day.minutes) == (10, (), 10)


def test_only_the_rulebooks_of_the_study_count(trainee: User) -> None:
    learnt(trainee, "67 d", days_ago=30)
    day = next_drill.today(trainee, Study(rulebooks=("es-chemin-de-fer",)), NOW)
    assert {rule.rulebook for rule in day.agenda.today} == {"es-chemin-de-fer"}


@pytest.mark.parametrize(
    ("zone", "at", "day", "hours_left"),
    [
        ("Europe/Lisbon", datetime(2026, 1, 10, 23, 59, tzinfo=UTC), "2026-01-10", 1 / 60),
        ("Europe/Lisbon", datetime(2026, 7, 10, 23, 1, tzinfo=UTC), "2026-07-11", 24 - 1 / 60),
        ("Atlantic/Azores", datetime(2026, 1, 11, 0, 30, tzinfo=UTC), "2026-01-10", 0.5),
        ("Asia/Macau", datetime(2026, 1, 10, 16, 0, tzinfo=UTC), "2026-01-11", 24),
        # The clocks go forward at one in the morning of 29 March and back at two of 25 October 2026.
        ("Europe/Lisbon", datetime(2026, 3, 29, 0, 0, tzinfo=UTC), "2026-03-29", 23),
        ("Europe/Lisbon", datetime(2026, 10, 24, 23, 0, tzinfo=UTC), "2026-10-25", 25),
    ],
)
def test_the_day_is_that_of_the_trainees_calendar(zone: str, at: datetime, day: str, hours_left: float) -> None:
    trainee = PersonFactory(time_zone=zone)
    assert day_of(trainee, at).isoformat() == day
    assert (end_of_day(trainee, at) - at).total_seconds() == pytest.approx(hours_left * 3600)


def test_what_is_due_before_midnight_there_is_for_today_and_after_it_for_tomorrow() -> None:
    moment = datetime(2026, 3, 28, 23, 30, tzinfo=UTC)  # half past eleven in Lisbon, the night the clocks change
    dues = {}
    for zone in ("Europe/Lisbon", "America/New_York"):
        trainee = PersonFactory(time_zone=zone)
        learnt(trainee, "67 d", days_ago=2, now=moment)
        Memory.objects.filter(trainee=trainee).update(due=moment + timedelta(hours=1))
        day = next_drill.today(trainee, STUDY, moment)
        dues[zone] = (len(day.agenda.refresh), day.tomorrow)
    assert dues == {"Europe/Lisbon": (0, 1), "America/New_York": (1, 0)}


def test_minutes_spent_before_midnight_belong_to_yesterday(trainee: User) -> None:
    before, after = datetime(2026, 7, 10, 22, 59, tzinfo=UTC), datetime(2026, 7, 10, 23, 1, tzinfo=UTC)
    spend(trainee, day_of(trainee, before), answers=10, seconds=600)
    assert next_drill.today(trainee, STUDY, before).scenarios == 0
    assert next_drill.today(trainee, STUDY, after).scenarios == 10


# ---- what matters now


def test_the_drill_turns_on_the_rule_that_is_most_forgotten(trainee: User) -> None:
    learnt(trainee, "67 d", days_ago=40)
    learnt(trainee, "104 e", days_ago=5)
    drill = next_drill.start_what_matters(trainee, STUDY, NOW)
    assert (drill.mode, drill.aim, drill.rulebook) == (Drill.Mode.SCHEDULED, "67 d", BOOK)
    assert "67 d" in drill.scenario.solve().pivots


def test_a_rule_that_rarely_decides_still_decides_the_drill_chosen_for_it(trainee: User) -> None:
    """Of the cases made for art. 13 about one in ten turns on its first sentence."""
    for _ in range(3):
        drill = next_drill.put_rule(trainee, Rule(BOOK, "13 s1"), difficulty=3, mode=Drill.Mode.SCHEDULED)
        assert "13 s1" in drill.scenario.solve().pivots


def test_facts_are_fresh_each_time(trainee: User) -> None:
    rule = Rule(BOOK, "67 d")
    made = [next_drill.put_rule(trainee, rule, difficulty=3, mode=Drill.Mode.SCHEDULED) for _ in range(4)]
    assert len({str(drill.scenario_document["situation"]) for drill in made}) == 4


def test_a_settled_rule_is_practised_on_harder_cases(trainee: User) -> None:
    for days in (60, 57, 45, 20):
        learnt(trainee, "67 d", days_ago=days)
    Memory.objects.update(due=NOW)
    assert next_drill.start_what_matters(trainee, STUDY, NOW).difficulty >= 4


def test_pressing_again_puts_the_same_open_drill(trainee: User) -> None:
    first = next_drill.start_what_matters(trainee, STUDY, NOW)
    assert next_drill.start_what_matters(trainee, STUDY, NOW) == first
    answer(first, right=True)
    assert next_drill.start_what_matters(trainee, STUDY, NOW) != first


def test_an_open_drill_of_another_engine_is_left_alone(trainee: User) -> None:
    first = next_drill.start_what_matters(trainee, STUDY, NOW)
    first.scenario_document["version"] = "0"
    first.save()
    assert next_drill.start_what_matters(trainee, STUDY, NOW) != first


def test_a_rule_waiting_for_its_mark_is_not_put_again(trainee: User) -> None:
    first = next_drill.start_what_matters(trainee, STUDY, NOW)
    services.submit_answer(first, rules_engine.answer_from({"parts": right_answer(first.scenario)}))
    assert Attempt.objects.get().state == Attempt.State.SUBMITTED
    assert next_drill.start_what_matters(trainee, STUDY, NOW).aim != first.aim


def test_when_the_day_is_used_up_there_is_still_something_to_practise(trainee: User) -> None:
    spend(trainee, NOW.date(), answers=30, seconds=3600)
    assert next_drill.start_what_matters(trainee, STUDY, NOW).aim


def test_a_published_scenario_on_the_rule_comes_first_and_once(trainee: User) -> None:
    version = make_published()
    learnt(trainee, "67 d", days_ago=40)
    drill = next_drill.start_what_matters(trainee, STUDY, NOW)
    assert drill.version == version
    assert drill.scenario_document == version.scenario_document
    again = next_drill.put_rule(trainee, Rule(BOOK, "67 d"), difficulty=2, mode=Drill.Mode.SCHEDULED)
    assert again.version is None


# ---- free choice and mistakes


def test_free_choice_gives_published_scenarios_of_that_topic_first(trainee: User) -> None:
    version = make_published()
    chosen: dict[str, Any] = {"rulebook": BOOK, "topic": version.topic, "difficulty": version.difficulty}
    assert next_drill.start_free(trainee, **chosen | {"difficulty": 5}).version is None
    assert next_drill.start_free(trainee, **chosen).version == version
    assert next_drill.start_free(trainee, **chosen).version is None


def test_nothing_to_replay(trainee: User) -> None:
    answer(make_drill(trainee), right=True)
    assert next_drill.mistakes(recent(trainee)) == []
    assert next_drill.start_replay(trainee) is None


def test_a_mistake_is_replayed_with_other_facts_until_it_is_put_right(trainee: User) -> None:
    missed = make_drill(trainee)
    answer(missed, right=False)
    drill = next_drill.start_replay(trainee)
    assert drill is not None
    assert (drill.mode, drill.topic) == (Drill.Mode.REPLAY, missed.topic)
    assert drill.aim in missed.scenario.solve().rests_on("banker_draw")
    assert drill.aim in drill.scenario.solve().pivots
    assert drill.scenario_document["situation"] != missed.scenario_document["situation"]
    answer(drill, right=True)
    assert drill.aim not in {mistake.rule.cite for mistake in next_drill.mistakes(recent(trainee))}


def test_the_mistake_that_waits_longest_comes_first(trainee: User) -> None:
    old, new = make_drill(trainee), make_drill(trainee, article="67 c")
    answer(old, right=False)
    answer(new, right=False)
    order = [mistake.rule.cite for mistake in next_drill.mistakes(recent(trainee))]
    assert order[-1] in new.scenario.solve().pivots
    assert set(order) >= set(new.scenario.solve().pivots)


def test_somebody_elses_mistakes_are_not_mine(trainee: User) -> None:
    answer(make_drill(), right=False)
    assert next_drill.mistakes(recent(trainee)) == []


# ---- in the same sitting


def test_a_missed_rule_comes_back_in_the_same_sitting_with_other_facts(trainee: User) -> None:
    now = timezone.now()
    missed = make_drill(trainee)
    answer(missed, right=False)
    broken = missed.scenario.solve().rests_on("banker_draw")
    others = [make_drill(trainee, topic="card_values", article=None) for _ in range(next_drill.COMES_BACK_AFTER)]
    for drill in others[:-1]:
        answer(drill, right=True)
    assert not next_drill._missed_in_this_sitting(trainee, STUDY, now)  # too soon
    answer(others[-1], right=True)
    again = next_drill.start_what_matters(trainee, STUDY, now)
    assert again.aim in broken
    assert again.scenario_document["situation"] != missed.scenario_document["situation"]
    # Put right, it does not come back; tomorrow the agenda knows of it.
    answer(again, right=True)
    for _ in range(next_drill.COMES_BACK_AFTER):
        answer(make_drill(trainee, topic="card_values", article=None), right=True)
    assert not next_drill._missed_in_this_sitting(trainee, STUDY, now)
    assert not next_drill._missed_in_this_sitting(trainee, STUDY, now + timedelta(days=1))


def test_a_rule_missed_again_and_again_is_left_for_another_day(trainee: User) -> None:
    now = timezone.now()
    for _ in range(next_drill.COMES_BACK + 1):
        answer(make_drill(trainee, mode=Drill.Mode.SCHEDULED), right=False)
    for _ in range(next_drill.COMES_BACK_AFTER):
        answer(make_drill(trainee, topic="card_values", article=None), right=True)
    found = next_drill._missed_in_this_sitting(trainee, STUDY, now)
    assert found is None or found.rule.cite != "67 d"


def test_the_next_case_exercises_more_than_the_rule_it_was_made_for(trainee: User) -> None:
    """With everything half forgotten, the chosen cases exercise more rules than cases made for one rule do."""
    for rule in rules_to_learn(BOOK):
        learnt(trainee, rule.cite, days_ago=20)
    drill = next_drill.start_what_matters(trainee, STUDY, NOW)
    alone = [
        services.start_drill(trainee, rulebook=BOOK, topic=None, difficulty=3, article=drill.aim) for _ in range(20)
    ]

    def exercised(one: Drill) -> int:
        ruling = one.scenario.solve()
        return len({cite for question in one.scenario.questions for cite in ruling.rests_on(question.key)})

    assert exercised(drill) > sum(map(exercised, alone)) / len(alone)
