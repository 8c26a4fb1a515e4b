"""How ready somebody is: from memory and blueprint, growing with practice and falling with forgetting."""

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse
from fsrs import Rating

from exams import clock
from exams.programmes.readiness import readiness, readiness_of, rules_asked
from tests.exams import making
from training.mastery.memory import Rule
from training.mastery.services import learn
from training.people.models import Role

RULES = making.make_rules()


def test_it_is_the_mean_of_what_the_lines_ask_by_their_points() -> None:
    lines = RULES.lines
    assert len({(line.rulebook, line.topic) for line in lines}) > 1
    known = set(rules_asked(lines[0].rulebook, lines[0].topic))
    found = readiness(RULES, lambda rule: float(rule in known))
    assert found.lines[0].share == 1
    weight = sum(line.weight for line in found.lines)
    assert weight == pytest.approx(1)
    assert found.percent == int(100 * sum(line.weight * line.share for line in found.lines))
    assert found.lines[0] not in found.to_practise
    assert [line.lost for line in found.to_practise] == sorted((line.lost for line in found.to_practise), reverse=True)


def test_nothing_known_is_nothing_and_everything_known_is_all() -> None:
    assert readiness(RULES, lambda rule: 0.0).percent == 0
    assert readiness(RULES, lambda rule: 1.0).percent == 100
    assert readiness(RULES, lambda rule: 1.0).to_practise == []


@pytest.mark.django_db
def test_it_grows_with_practice_and_falls_with_forgetting(person: Callable[..., object]) -> None:
    trainee, now = person(), clock.now()
    exam, after = now + timedelta(days=6), [readiness_of(trainee, RULES, now).percent]  # type: ignore[arg-type]
    for days_ago in (4, 2, 0):
        for line in RULES.lines:
            cites = [rule.cite for rule in rules_asked(line.rulebook, line.topic)]
            learn(trainee, line.rulebook, dict.fromkeys(cites, Rating.Good), at=now - timedelta(days=days_ago))  # type: ignore[arg-type]
        after.append(readiness_of(trainee, RULES, exam).percent)  # type: ignore[arg-type]
    assert after == sorted(set(after)), "every round of practice shows"
    later = [readiness_of(trainee, RULES, exam + timedelta(days=days)).percent for days in (0, 60, 300)]  # type: ignore[arg-type]
    assert later == sorted(set(later), reverse=True)


def test_home_tells_of_the_exam_that_is_open_first_and_of_readiness(signed_in: Callable[..., Client]) -> None:
    client, other = signed_in(Role.TRAINEE), signed_in(Role.TRAINEE)
    candidate = making.enter(making.make_session(), client.person)  # type: ignore[attr-defined]
    page = client.get(reverse("home")).content.decode()
    assert page.index(reverse("enter_exam", args=[candidate.pk])) < page.index("today-title")
    assert "Preparação para o exame de" in page
    assert "0\u00a0%" in page
    nothing = other.get(reverse("home")).content.decode()
    assert "Preparação para o exame" not in nothing
    assert reverse("enter_exam", args=[candidate.pk]) not in nothing


def test_rules_of_a_topic_are_those_its_cases_turn_on() -> None:
    assert Rule("pt-chemin-de-fer", "67 d") in rules_asked("pt-chemin-de-fer", "third_card")
