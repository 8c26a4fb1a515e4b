"""Sessions at the live table, the acts of their dealers, faults that instructors asked for, and tables set as work.
Setup and state are secret: they tell what is to come."""

import uuid
from datetime import datetime
from typing import TYPE_CHECKING, Any

from django.db import models
from django.utils.functional import cached_property
from django.utils.translation import gettext_lazy as _

from rules_engine import Rulebook, play
from rules_engine.detection import Trials
from training.classes.models import TrainingClass
from training.people.models import User


class Rung(models.TextChoices):
    """The difficulty ladder."""

    QUIET = "quiet", _("Quiet table")
    BUSY = "busy", _("Busy table")
    BANKER = "banker", _("Difficult players")
    EXAM = "exam", _("Exam pace")


class Length(models.TextChoices):
    TEN = "ten", _("10 coups")
    SHOE = "shoe", _("A shoe")
    TIME = "time", _("20 minutes")


class TableWork(models.Model):
    """A live table that an instructor has set for a class."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    training_class = models.ForeignKey(TrainingClass, on_delete=models.CASCADE, related_name="table_work")
    rulebook = models.CharField(max_length=64)
    rung = models.CharField(max_length=8, choices=Rung)
    length = models.CharField(max_length=8, choices=Length)
    due_at = models.DateTimeField()
    set_by = models.ForeignKey(User, null=True, on_delete=models.SET_NULL, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return f"{self.rulebook} until {self.due_at:%Y-%m-%d}"


class Dealing(models.Model):
    """A running table and what its dealer has seen of it, for training and for exams.

    `setup` and `state` are the engine's. `pending` are events that happened but were not shown yet, `shown` those of
    the coup that were, `base` what everybody saw when it began. `pace` is the seconds from one event to the next; none:
    the dealer says when. `halted_at`: the dealer has stopped the game and is saying what is wrong. `seen_at`: when the
    fault of this coup was in full view. `reactions` are seconds by coup. `seconds` is the time at work.

    `unplanned`: the coup is over and the next one is not planned yet; no act is taken before `rests_until`
    (`planning`). `reckoning`, by coup: duties left undone, overpaid and underpaid. `complete`: dealt to its last coup.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    rulebook = models.CharField(max_length=64)
    rung = models.CharField(max_length=8, choices=Rung)
    pace = models.PositiveSmallIntegerField()
    setup = models.TextField()
    state = models.TextField()
    pending = models.JSONField(default=list)
    shown = models.JSONField(default=list)
    base = models.JSONField(default=dict)
    last_number = models.PositiveIntegerField(default=0)
    unplanned = models.BooleanField(default=False, db_default=False)
    rests_until = models.DateTimeField(null=True, blank=True)
    reckoning = models.JSONField(default=dict, db_default={})
    halted_at = models.DateTimeField(null=True, blank=True)
    seen_at = models.DateTimeField(null=True, blank=True)
    last_act_at = models.DateTimeField()
    reactions = models.JSONField(default=dict)
    seconds = models.FloatField(default=0)
    started_at = models.DateTimeField()
    ended_at = models.DateTimeField(null=True, blank=True)
    acts: Any

    class Meta:
        abstract = True

    @cached_property
    def engine_setup(self) -> play.Setup:
        return play.decode_setup(self.setup)

    @cached_property
    def book(self) -> Rulebook:
        return play.book_of(self.engine_setup)

    if TYPE_CHECKING:

        def close(self, state: play.State, now: datetime) -> None:
            """End the session in this state. The caller saves it."""


class Session(Dealing):
    """A trainee deals at a table. A person has at most one open."""

    trainee = models.ForeignKey(User, on_delete=models.CASCADE, related_name="live_sessions")
    length = models.CharField(max_length=8, choices=Length)
    work = models.ForeignKey(TableWork, null=True, blank=True, on_delete=models.SET_NULL, related_name="sessions")
    # The result, once it has ended.
    hits = models.PositiveIntegerField(default=0)
    misses = models.PositiveIntegerField(default=0)
    false_alarms = models.PositiveIntegerField(default=0)
    correct_rejections = models.PositiveIntegerField(default=0)
    complete = models.BooleanField(default=False, db_default=False)
    totals = models.JSONField(default=dict)
    coups = models.JSONField(default=list)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["trainee"], condition=models.Q(ended_at=None), name="one_open_live_session_of_a_person"
            )
        ]
        indexes = [models.Index(fields=["trainee", "-ended_at"], name="live_session_by_end")]

    def __str__(self) -> str:
        return f"{self.trainee_id}: {self.rulebook} {self.started_at:%Y-%m-%d}"

    @property
    def trials(self) -> Trials:
        return Trials(self.hits, self.misses, self.false_alarms, self.correct_rejections)

    def close(self, state: play.State, now: datetime) -> None:
        from training.live_table import results

        results.close(self, state, now)


class DealerAct(models.Model):
    """One act of the dealer, the events that it made visible, and what everybody saw if a coup began with it."""

    number = models.PositiveIntegerField()  # from 1
    document = models.JSONField()
    received_at = models.DateTimeField()
    events = models.JSONField(default=list)
    base = models.JSONField(null=True, blank=True)

    class Meta:
        abstract = True
        ordering = ["number"]


class Act(DealerAct):
    session = models.ForeignKey(Session, on_delete=models.CASCADE, related_name="acts")

    class Meta(DealerAct.Meta):
        constraints = [models.UniqueConstraint(fields=["session", "number"], name="one_act_at_a_number_of_a_session")]

    def __str__(self) -> str:
        return f"{self.session_id} {self.number}"


class Injection(models.Model):
    """An instructor asked for a fault in a coup. It took effect after the dealer's act `after`, before the next one; it
    has no number of its own among the acts, so the trainee cannot tell."""

    session = models.ForeignKey(Session, on_delete=models.CASCADE, related_name="injections")
    after = models.PositiveIntegerField()
    coup = models.PositiveIntegerField()
    kind = models.CharField(max_length=64)
    by = models.ForeignKey(User, null=True, on_delete=models.SET_NULL, related_name="+")
    at = models.DateTimeField()

    class Meta:
        ordering = ["pk"]

    def __str__(self) -> str:
        return f"{self.session_id} {self.coup}: {self.kind}"
