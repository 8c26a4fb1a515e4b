"""Mock exams. They are part of practice: no exam record, result or certificate comes of them."""

import uuid

from django.db import models
from django.utils.functional import cached_property

import rules_engine
from exams.programmes.models import ProgrammeVersion
from rules_engine import Scenario
from training.people.models import User
from training.practice.models import Drill


class Mock(models.Model):
    """Somebody rehearsing a programme under its time limit; at most one open per person."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    person = models.ForeignKey(User, on_delete=models.CASCADE, related_name="mocks")
    programme_version = models.ForeignKey(ProgrammeVersion, on_delete=models.PROTECT, related_name="mocks")
    started_at = models.DateTimeField()
    deadline_at = models.DateTimeField()
    closed_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["person"], condition=models.Q(closed_at=None), name="one_open_mock_of_a_person"
            ),
            models.CheckConstraint(
                condition=models.Q(closed_at=None) | models.Q(closed_at__lte=models.F("deadline_at")),
                name="mock_closed_by_its_deadline",
            ),
        ]
        indexes = [models.Index(fields=["person", "-started_at"], name="mock_of_person_by_date")]

    def __str__(self) -> str:
        return f"{self.person_id}: {self.programme_version_id}"


class MockItem(models.Model):
    """One case. Once the mock is closed it becomes a drill with its answer, mark and reasoning."""

    mock = models.ForeignKey(Mock, on_delete=models.CASCADE, related_name="items")
    position = models.PositiveSmallIntegerField()  # from 1
    section = models.CharField(max_length=32)
    line = models.PositiveSmallIntegerField()
    scenario_document = models.JSONField()
    answer = models.JSONField(default=dict)  # {"parts": …}
    marked = models.BooleanField(default=False)
    drill = models.OneToOneField(Drill, null=True, blank=True, on_delete=models.SET_NULL, related_name="mock_item")

    class Meta:
        ordering = ["position"]
        constraints = [models.UniqueConstraint(fields=["mock", "position"], name="one_item_at_a_position_of_a_mock")]

    def __str__(self) -> str:
        return f"{self.mock_id} {self.position}"

    @cached_property
    def scenario(self) -> Scenario:
        return rules_engine.scenario_from(self.scenario_document)
