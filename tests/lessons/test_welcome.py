"""A new trainee chooses games and minutes; the placement test finds where practice begins."""

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.test import Client
from django.urls import resolve, reverse
from django.utils import timezone

import rules_engine
from tests.practice.drills import right_answer
from training.lessons.placement import first_unknown
from training.mastery.memory import level
from training.mastery.models import Memory, StudyPlan
from training.mastery.rules_to_learn import rules_to_learn
from training.people.models import Role, User
from training.practice import next_drill, second_try, services
from training.practice.models import Attempt, Drill
from training.practice.study import study_of

BOOK, OTHER = "pt-black-jack", "pt-craps"
ORDER = [f"topic {number}" for number in range(10)]


# ---- where practice begins


def asked(known: int) -> tuple[int, list[str]]:
    """What somebody who knows the first `known` topics is asked, and where they are placed."""
    passed: dict[str, bool] = {}
    while True:
        start, topic = first_unknown(ORDER, passed)
        if topic is None:
            return start, list(passed)
        passed[topic] = ORDER.index(topic) < known


@pytest.mark.parametrize("known", range(len(ORDER) + 1))
def test_the_first_unknown_topic_is_found_with_few_cases(known: int) -> None:
    start, topics = asked(known)
    assert start == known
    assert len(topics) <= 4


def test_a_rulebook_without_topics_needs_no_case() -> None:
    assert first_unknown([], {}) == (0, None)


# ---- the pages


@pytest.fixture
def trainee(signed_in: Callable[..., Client]) -> Client:
    return signed_in(Role.TRAINEE)


def who(client: Client) -> User:
    return client.person  # type: ignore[attr-defined]


@pytest.mark.django_db
def test_a_newcomer_is_asked_on_the_home_page_and_only_once(trainee: Client) -> None:
    asks = "Que jogos dá?"
    assert asks in trainee.get(reverse("home")).content.decode()
    chosen = {"rulebooks": [OTHER, BOOK], "daily_minutes": "20"}
    response = trainee.post(reverse("welcome"), chosen)
    assert response["Location"] == reverse("first_coup", args=[OTHER])
    assert (study_of(who(trainee)).minutes, study_of(who(trainee)).rulebooks) == (20, (OTHER, BOOK))
    assert asks not in trainee.get(reverse("home")).content.decode()


@pytest.mark.django_db
def test_without_a_game_nothing_is_stored_and_the_choice_of_minutes_stays(trainee: Client) -> None:
    response = trainee.post(reverse("welcome"), {"daily_minutes": "30"})
    page = response.content.decode()
    assert response.status_code == 422
    assert "Escolha pelo menos um jogo." in page
    assert 'value="30" required' in page and page.count("checked") == 1
    assert not StudyPlan.objects.exists()
    assert trainee.post(reverse("welcome"), {"rulebooks": ["poker"], "daily_minutes": "7"}).status_code == 422


def sit(client: Client, right: bool, minutes: int = 10) -> int:
    """Take the placement test to its end, two minutes a case. Returns the number of cases."""
    chosen = {"rulebooks": [BOOK], "daily_minutes": str(minutes), "placement": "on"}
    address = client.post(reverse("welcome"), chosen)["Location"]
    cases = 0
    while address != reverse("home"):
        drill = Drill.objects.get(pk=resolve(address).kwargs["drill_id"])
        assert drill.mode == Drill.Mode.PLACEMENT
        assert not second_try.may_hold(drill, {"any": "answer"})
        parts = right_answer(drill.scenario) if right else {}
        attempt = services.submit_answer(drill, rules_engine.answer_from({"parts": parts}))
        Attempt.objects.filter(pk=attempt.pk).update(seconds=120)
        services.grade(attempt.pk)
        assert reverse("placement") in client.get(address).content.decode(), "the next button goes on with the test"
        address = client.post(reverse("placement"))["Location"]
        cases += 1
    return cases


@pytest.mark.django_db
def test_whoever_knows_everything_skips_everything(trainee: Client) -> None:
    assert sit(trainee, right=True) <= 5
    assert Memory.objects.filter(trainee=who(trainee)).count() >= len(rules_to_learn(BOOK))
    taken = Memory.objects.filter(trainee=who(trainee), reviews=0).first()
    assert taken is not None and level(taken.card) >= 3
    assert taken.due > timezone.now() + timedelta(days=14)
    assert not next_drill.today(who(trainee), study_of(who(trainee)), timezone.now()).agenda.new


@pytest.mark.django_db
def test_whoever_knows_nothing_begins_at_the_beginning(trainee: Client) -> None:
    assert sit(trainee, right=False) <= 5
    assert not Memory.objects.filter(trainee=who(trainee), reviews=0).exists()
    begins = trainee.get(reverse("home")).content.decode()
    assert "o treino começa pelo princípio" in begins
    first = next_drill.today(who(trainee), study_of(who(trainee)), timezone.now()).agenda.new[0]
    met = set(Memory.objects.values_list("cite", flat=True))
    assert first == next(rule for rule in rules_to_learn(BOOK) if rule.cite not in met)


@pytest.mark.django_db
def test_a_failed_placement_test_leaves_the_whole_day_and_every_rule_to_be_taught(trainee: Client) -> None:
    """Also with five minutes a day, fewer than the test took: the day is not done before anything was learnt."""
    sit(trainee, right=False, minutes=5)
    person = who(trainee)
    assert not Memory.objects.filter(trainee=person, lapses__gt=0).exists()
    page = trainee.get(reverse("home"))
    planned = page.context["today"]
    assert (planned.scenarios, planned.answered, page.context["mistakes"]) == (5, 0, 0)
    assert "Por hoje está feito." not in page.content.decode()
    started = trainee.post(reverse("start_drill"), {"mode": "scheduled"})
    drill = Drill.objects.get(mode=Drill.Mode.SCHEDULED)
    assert started["Location"] == reverse("rule_card", args=[drill.pk]), "the first rule is taught before it is asked"


@pytest.mark.django_db
def test_home_shows_every_game_with_memories(trainee: Client) -> None:
    trainee.post(reverse("welcome"), {"rulebooks": [BOOK], "daily_minutes": "10"})
    drill = services.start_drill(who(trainee), rulebook=OTHER, topic="payout", difficulty=2)
    answer = rules_engine.answer_from({"parts": right_answer(drill.scenario)})
    services.grade(services.submit_answer(drill, answer).pk)
    progress = trainee.get(reverse("home")).context["progress"]
    assert [book.rulebook for book in progress] == [BOOK, OTHER]
    assert (progress[0].met, progress[1].met > 0) == (0, True)
    assert progress[1].known <= progress[1].met <= progress[1].total
