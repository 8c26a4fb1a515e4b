"""The drill a trainee left open is offered again for two weeks."""

from datetime import timedelta

import pytest
from django.utils import timezone

from rules_engine import Answer
from tests.factories import PersonFactory
from tests.practice.drills import make_drill
from training.practice import selectors, services
from training.practice.models import Drill


@pytest.mark.django_db
def test_a_drill_left_open_is_gone_on_with_for_a_fortnight() -> None:
    drill = make_drill(PersonFactory())
    answered = make_drill(drill.trainee)
    services.submit_answer(answered, Answer({}))
    assert selectors.waiting(drill.trainee).unanswered == drill.pk, "an answered one is newer, and over"
    assert selectors.waiting(PersonFactory()).unanswered is None
    for age, there in ((timedelta(days=14, minutes=-1), True), (timedelta(days=14, minutes=1), False)):
        Drill.objects.filter(pk=drill.pk).update(created_at=timezone.now() - age)
        assert (selectors.waiting(drill.trainee).unanswered == drill.pk) is there
