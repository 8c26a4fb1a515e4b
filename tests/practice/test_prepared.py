"""Queries that are written once: whoever asks next gets their own rows, as the ORM would give them."""

from datetime import timedelta

import pytest
from django.db.models import DateTimeField
from django.utils import timezone

from rules_engine import Answer
from tests.factories import PersonFactory
from tests.practice.drills import make_drill
from training.people.models import User
from training.platform.prepared import Given, Prepared
from training.practice import selectors, services
from training.practice.models import Drill


@pytest.mark.django_db
def test_the_values_are_those_of_each_asking() -> None:
    first, second = make_drill(PersonFactory()), make_drill(PersonFactory())
    own = Prepared(
        lambda: Drill.objects.filter(trainee=Given("trainee")).values_list("pk", "scenario_document", "created_at")
    )
    for drill in Drill.objects.filter(pk__in=[first.pk, second.pk]):
        assert own(trainee=drill.trainee_id) == [(drill.pk, drill.scenario_document, drill.created_at)]
    assert own(trainee=User.objects.latest("pk").pk + 1) == []


@pytest.mark.django_db
def test_a_time_is_compared_as_a_time() -> None:
    drill = make_drill(PersonFactory())
    since = Prepared(lambda: Drill.objects.filter(created_at__gt=Given("since", DateTimeField())).values_list("pk"))
    moment = timedelta(microseconds=1)
    assert since(since=drill.created_at - moment) == [(drill.pk,)]
    assert since(since=drill.created_at) == since(since=timezone.now()) == []


def test_a_value_that_is_missing_is_an_error() -> None:
    with pytest.raises(KeyError):
        Given("trainee").of({})


@pytest.mark.django_db
def test_a_drill_left_open_is_gone_on_with_for_a_fortnight() -> None:
    drill = make_drill(PersonFactory())
    answered = make_drill(drill.trainee)
    services.submit_answer(answered, Answer({}))
    assert selectors.unanswered(drill.trainee) == drill.pk, "an answered one is newer, and over"
    assert selectors.unanswered(PersonFactory()) is None
    for age, there in ((timedelta(days=14, minutes=-1), True), (timedelta(days=14, minutes=1), False)):
        Drill.objects.filter(pk=drill.pk).update(created_at=timezone.now() - age)
        assert (selectors.unanswered(drill.trainee) == drill.pk) is there
