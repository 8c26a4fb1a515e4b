"""How sessions develop from week to week."""

from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from tests.live_table.test_session import opened, who
from training.live_table import services
from training.live_table.models import Session
from training.live_table.trends import WEEKS, interval, trends


def test_an_interval_of_a_share() -> None:
    low, high = interval(8, 10)
    assert (round(low, 3), round(high, 3)) == (0.49, 0.943)  # as published for 8 of 10
    assert interval(0, 0) == (0.0, 1.0)
    assert interval(20, 20)[1] == 1.0


@pytest.mark.django_db
def test_weeks_are_counted_apart_and_sensitivity_needs_twenty_faults(client: Client) -> None:
    now = timezone.now()

    def week(ago: int, hits: int, misses: int) -> None:
        session = services.leave(who(client), opened(who(client)).pk, now)
        counts = {"hits": hits, "misses": misses, "false_alarms": 3, "correct_rejections": 97}
        Session.objects.filter(pk=session.pk).update(ended_at=now - timedelta(weeks=ago), seconds=3600, **counts)

    assert trends(who(client), now) is None
    week(0, 3, 1)
    assert trends(who(client), now) is None  # one week is no trend
    week(2, 12, 3)
    week(2, 4, 2)
    week(WEEKS + 1, 9, 9)
    found = trends(who(client), now)
    assert found is not None
    assert [(one.tables, one.trials.hits, one.caught) for one in found.weeks] == [(1, 3, 75), (2, 16, 76)]
    few, many = found.weeks
    assert few.eye is None
    assert many.eye is not None
    assert many.eye.low < many.eye.value < many.eye.high
    assert few.high - few.low > many.high - many.low
    assert many.an_hour == 110  # 221 coups in two hours
    assert len(found.marks) == 2
    assert all(mark.top <= mark.y <= mark.bottom <= found.height for mark in found.marks)
    page = client.get(reverse("live_tables")).content.decode()
    assert "trend-chart" in page
    assert page.count("<tr>") >= 3
