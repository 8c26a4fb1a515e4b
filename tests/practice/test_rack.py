"""The end of a day: a chip for every rule known, today's apart, and what the day did for the next exam."""

from collections.abc import Callable
from datetime import datetime, timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from fsrs import Rating

from exams.programmes.readiness import readiness_of, readiness_without, rules_asked
from rules_engine import RULEBOOKS
from tests.exams import making
from tests.factories import PersonFactory
from training.mastery.memory import Rule
from training.mastery.models import Memory
from training.mastery.rules_to_learn import rules_to_learn
from training.mastery.selectors import begin_of_day, with_and_without
from training.mastery.services import learn
from training.people.models import Role, User
from training.practice.rack import ROW, ROWS, Rack, rack

pytestmark = pytest.mark.django_db
BOOK, OTHER = "pt-chemin-de-fer", "pt-black-jack"


def cites(book: str, count: int) -> list[str]:
    return [rule.cite for rule in list(rules_to_learn(book))[:count]]


def practise(trainee: User, book: str, *met: str, at: datetime, rating: Rating = Rating.Good) -> None:
    learn(trainee, book, dict.fromkeys(met, rating), at=at)


def racked(trainee: User, now: datetime) -> Rack:
    return rack(with_and_without(trainee, begin_of_day(trainee, now), RULEBOOKS), now, "en")


def test_what_today_brought_is_apart_from_what_was_known() -> None:
    trainee, now = PersonFactory(), timezone.now()
    old, new = cites(BOOK, 3), cites(OTHER, 2)
    for days in (20, 15, 8):
        practise(trainee, BOOK, *old, at=now - timedelta(days=days))
    practise(trainee, OTHER, *new, at=now)
    found = racked(trainee, now)
    assert (found.known, found.gained, found.met) == (5, 2, 5)
    assert [(game.known, game.colour) for game in found.games] == [(3, "game-1")]
    assert [chip.colour for chip in found.chips] == ["game-1"] * 3 + ["gold"] * 2


def test_several_reviews_on_a_day_keep_the_card_of_the_morning() -> None:
    trainee, now, (cite,) = PersonFactory(), timezone.now(), cites(BOOK, 1)
    practise(trainee, BOOK, cite, at=now - timedelta(days=9))
    morning = Memory.objects.get().card
    for _ in range(3):
        practise(trainee, BOOK, cite, at=now, rating=Rating.Again)
    assert Memory.objects.get().card_before == morning
    practise(trainee, BOOK, cite, at=now + timedelta(days=1))
    assert Memory.objects.get().card_before != morning
    [item] = with_and_without(trainee, now + timedelta(days=2), [BOOK])
    assert item.without == item.card, "nothing was practised on that day"


def test_a_full_rack_says_how_many_rules_a_chip_is() -> None:
    trainee, now = PersonFactory(), timezone.now()
    for book in RULEBOOKS:
        practise(trainee, book, *cites(book, 100), at=now)
    found = racked(trainee, now)
    assert found.known > ROW * ROWS
    assert found.worth > 1
    assert len(found.chips) <= ROW * ROWS
    assert len(found.rows) == ROWS


def test_readiness_without_today_and_with_it() -> None:
    trainee, now, rules = PersonFactory(), timezone.now(), making.make_rules()
    exam = now + timedelta(days=5)
    line = rules.lines[0]
    asked = [rule.cite for rule in rules_asked(line.rulebook, line.topic)]
    practise(trainee, line.rulebook, asked[0], at=now - timedelta(days=30))
    before = readiness_of(trainee, rules, exam).percent
    practise(trainee, line.rulebook, *asked, at=now)
    assert readiness_without(trainee, rules, exam, begin_of_day(trainee, now)).percent == before
    assert readiness_of(trainee, rules, exam).percent > before


def test_the_page_names_the_new_rules_and_the_effect_on_the_exam(signed_in: Callable[..., Client]) -> None:
    client = signed_in(Role.TRAINEE)
    trainee: User = client.person  # type: ignore[attr-defined]
    making.enter(making.make_session(), trainee)
    practise(trainee, BOOK, *(rule.cite for rule in rules_asked(BOOK, "third_card")), at=timezone.now())
    context = client.get(reverse("day")).context
    assert context["effect"].without < context["effect"].percent
    assert {one.rule for one in context["summary"].new} == set(map(Rule._make, [(BOOK, c) for c in met_cites(trainee)]))


def met_cites(trainee: User) -> list[str]:
    return list(Memory.objects.filter(trainee=trainee).values_list("cite", flat=True))
