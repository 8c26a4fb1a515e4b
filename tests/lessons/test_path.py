"""A rulebook as a path of lessons: all of it, in short lessons, with how one stands."""

import re
from collections.abc import Callable
from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from fsrs import Rating

from rules_engine import RULEBOOKS
from training.lessons import path
from training.mastery.memory import Rule
from training.mastery.rules_to_learn import rules_to_learn
from training.mastery.selectors import KnownRule
from training.mastery.services import learn
from training.people.models import Role
from training.practice.models import Drill

BOOK = "pt-chemin-de-fer"
NOW = timezone.now()


@pytest.fixture
def trainee(signed_in: Callable[..., Client]) -> Client:
    return signed_in(Role.TRAINEE)


@pytest.mark.parametrize("book", RULEBOOKS)
def test_every_rule_is_in_one_short_lesson_and_says_what_it_is_about(book: str) -> None:
    chapters = path.path([KnownRule(rule, topic, None) for rule, topic in rules_to_learn(book).items()], "pt", NOW)
    lessons = [lesson for chapter in chapters for lesson in chapter.lessons]
    assert [taught.rule for lesson in lessons for taught in lesson.rules] == list(rules_to_learn(book))
    assert all(1 <= len(lesson.rules) <= path.MOST_RULES and lesson.state == "new" for lesson in lessons)
    assert all(taught.text and taught.language == "pt" for lesson in lessons for taught in lesson.rules)
    assert path.current(chapters) == lessons[0]


def test_a_lesson_says_how_one_stands_and_puts_what_needs_it_most() -> None:
    rules = list(rules_to_learn(BOOK))[:4]
    later, before = NOW + timedelta(days=9), NOW - timedelta(days=1)

    def lesson(*known: KnownRule) -> path.Lesson:
        (chapter,) = path.path(known, "pt", NOW)
        return chapter.lessons[0]

    sure = [KnownRule(rule, "card_values", 0.95, due=later) for rule in rules]
    weak = KnownRule(rules[3], "card_values", 0.4, 1, later)
    assert lesson(*sure).state == "known"
    assert lesson(*sure).finished
    assert lesson(*sure[:3], weak).state == "learning"
    assert lesson(*sure[:3], weak).next_rule().rule == rules[3]
    due = KnownRule(rules[1], "card_values", 0.95, due=before)
    assert lesson(sure[0], due, *sure[2:]).state == "due"
    assert not lesson(sure[0], due, *sure[2:]).finished
    new = KnownRule(rules[2], "card_values", None)
    assert lesson(sure[0], due, new, weak).next_rule().rule == rules[2]


def test_the_page_is_the_path_and_opens_where_one_is(trainee: Client) -> None:
    learn(trainee.person, BOOK, {"67 d": Rating.Good}, at=timezone.now())  # type: ignore[attr-defined]
    page = " ".join(trainee.get(reverse("rules")).content.decode().split())
    assert len(re.findall(r'<details class="chapter \w+" open>', page)) == 1
    assert "O ás vale 1." in page
    assert "<strong>1</strong> vistas" in page and "<strong>1</strong> conhecidas" in page
    assert f"de {len(rules_to_learn(BOOK))}<" in page
    other = trainee.get(reverse("rules"), {"rulebook": "es-chemin-de-fer"}).content.decode()
    assert 'href="/rulebooks/es-chemin-de-fer/' in other


def test_each_chapter_shows_its_lessons_when_it_is_opened(trainee: Client) -> None:
    learn(trainee.person, BOOK, {"67 d": Rating.Good}, at=timezone.now())  # type: ignore[attr-defined]
    chapters = list(dict.fromkeys(rules_to_learn(BOOK).values()))

    def opened(topic: str, **headers: str) -> str:
        return trainee.get(reverse("rules"), {"rulebook": BOOK, "chapter": topic}, headers=headers).content.decode()

    bodies = [opened(topic, HX_Request="true") for topic in chapters]
    assert sum(body.count('class="rule-line ') for body in bodies) == len(rules_to_learn(BOOK))
    assert sum(body.count('class="rule-line known"') for body in bodies) == 1
    assert not any("<html" in body for body in bodies)
    without_script = opened(chapters[-1])  # the link in a closed chapter
    assert "<html" in without_script
    assert bodies[-1].split('<ol class="lesson-list">')[1].count("<li") == without_script.count('<li class="')


def test_a_lesson_is_gone_through_rule_by_rule_to_its_end(trainee: Client) -> None:
    first = next(iter(rules_to_learn(BOOK)))
    response = trainee.post(reverse("learn"), {"lesson": f"{BOOK}/{first.cite}"})
    drill = Drill.objects.get()
    assert response["Location"] == reverse("rule_card", args=[drill.pk])
    assert (drill.aim, drill.difficulty, drill.mode) == (first.cite, 1, Drill.Mode.FREE)
    again = trainee.post(reverse("learn"), {"lesson": f"{BOOK}/{first.cite}"})
    assert again["Location"] == response["Location"]
    for rule in list(rules_to_learn(BOOK))[: path.MOST_RULES]:
        learn(trainee.person, BOOK, {rule.cite: Rating.Good}, at=timezone.now())  # type: ignore[attr-defined]
    over = trainee.post(reverse("learn"), {"lesson": f"{BOOK}/{first.cite}", "going_on": ""}, follow=True)
    assert "está feita" in over.content.decode()
    assert trainee.post(reverse("learn"), {"lesson": f"{BOOK}/1"}).status_code == 404
    assert trainee.post(reverse("learn"), {"lesson": "poker/1"}).status_code == 404


def test_a_rule_asked_for_by_name_is_the_one_that_is_put(trainee: Client) -> None:
    trainee.post(reverse("learn"), {"lesson": f"{BOOK}/67 d", "this_rule": ""})
    assert Drill.objects.get().aim == Rule(BOOK, "67 d").cite
