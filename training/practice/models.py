"""Models of practice. A drill, its answer and its mark never change once written."""

import uuid

from django.db import models
from django.utils.functional import cached_property
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

import rules_engine
from rules_engine import Mark as EngineMark
from rules_engine import Ruling, Scenario
from training.figures import items
from training.library.moments import Moment, moment
from training.people.models import User


class Drill(models.Model):
    """A scenario given to one trainee, stored exactly as it was."""

    class Mode(models.TextChoices):
        SCHEDULED = "scheduled", _("what matters now")
        FREE = "free", _("free choice")
        REPLAY = "replay", _("replay of a mistake")
        ASSIGNED = "assigned", _("set by an instructor")
        MOCK = "mock", _("mock exam")
        PLACEMENT = "placement", _("placement test")

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    trainee = models.ForeignKey(User, on_delete=models.CASCADE, related_name="drills")
    mode = models.CharField(max_length=16, choices=Mode.choices, default=Mode.FREE)
    # The rule it was chosen for, if any.
    aim = models.CharField(max_length=32, blank=True)
    version = models.ForeignKey(
        "library.Version", null=True, blank=True, on_delete=models.PROTECT, related_name="drills"
    )
    # Of a story: which of its moments this is, how many it has, and the drill of the moment before.
    moment = models.PositiveSmallIntegerField(default=1, db_default=1)
    moments = models.PositiveSmallIntegerField(default=1, db_default=1)
    before = models.OneToOneField("self", null=True, blank=True, on_delete=models.CASCADE, related_name="after")
    assignment = models.ForeignKey(
        "classes.Assignment", null=True, blank=True, on_delete=models.SET_NULL, related_name="drills"
    )
    rulebook = models.CharField(max_length=64)
    topic = models.CharField(max_length=64)
    difficulty = models.PositiveSmallIntegerField()
    # Equal for drills that differ only in names and amounts (`fresh.structure_of`).
    structure = models.CharField(max_length=16, blank=True, default="", db_default="")
    scenario_document = models.JSONField()
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        indexes = [models.Index(fields=["trainee", "-created_at"], name="drill_of_trainee_by_date")]

    def __str__(self) -> str:
        return f"{self.rulebook} {self.topic} {self.id}"

    @cached_property
    def scenario(self) -> Scenario:
        return rules_engine.scenario_from(self.scenario_document)

    @property
    def told(self) -> Moment | None:
        """The moment of the library version it comes from, if any."""
        return moment(self.version, self.moment) if self.version else None

    @property
    def came_by(self) -> str:
        """The mode in words; a free drill on a rule is a lesson."""
        lesson = self.mode == self.Mode.FREE and self.aim
        return gettext("lesson") if lesson else self.get_mode_display()

    @property
    def is_current(self) -> bool:
        """Whether the game has not changed since it was made, so that it can be given again."""
        return bool(self.scenario_document.get("version") == rules_engine.rulebook(self.rulebook).game.version)

    @property
    def item(self) -> str:
        """The key of its statistics: the moment of the library version, or the kind of generated scenario."""
        if self.version_id:
            return items.version_key(self.version_id, self.moment)
        return items.kind_key(self.rulebook, self.topic, self.difficulty)


class Attempt(models.Model):
    """A trainee's answer. Each drill has one: the first counts."""

    class State(models.TextChoices):
        SUBMITTED = "submitted", _("waiting to be graded")
        GRADED = "graded", _("graded")
        FAILED = "failed", _("could not be graded")

    drill = models.OneToOneField(Drill, on_delete=models.CASCADE, related_name="attempt")
    # Also stored here, so that a trainee's history needs no join with the drills.
    trainee = models.ForeignKey(User, on_delete=models.CASCADE, related_name="attempts")
    answer = models.JSONField()
    picked_words = models.BooleanField(default=False)
    state = models.CharField(max_length=16, choices=State.choices, default=State.SUBMITTED)
    failures = models.PositiveSmallIntegerField(default=0)
    submitted_at = models.DateTimeField()
    # From the start of the drill to the answer; long pauses are cut off.
    seconds = models.PositiveIntegerField(default=0)
    # The solution is held back until the trainee asks for it or tries again.
    held = models.BooleanField(default=False, db_default=False)

    class Meta:
        indexes = [
            models.Index(fields=["trainee", "-submitted_at"], name="attempt_of_trainee_by_date"),
            # The sweep looks only for what still waits: a handful of rows among millions.
            models.Index(fields=["submitted_at"], name="attempt_waiting", condition=models.Q(state="submitted")),
        ]

    def __str__(self) -> str:
        return f"{self.drill_id}: {self.state}"

    @property
    def withheld(self) -> bool:
        """Whether the solution is still held back."""
        return self.held and self.state == self.State.GRADED and self.mark.points < self.mark.of


class Mark(models.Model):
    """The one mark of an attempt, with the ruling it was measured against."""

    attempt = models.OneToOneField(Attempt, on_delete=models.CASCADE, related_name="mark")
    engine = models.CharField(max_length=32)
    points = models.PositiveSmallIntegerField()
    of = models.PositiveSmallIntegerField()
    critical_missed = models.BooleanField()
    mark_document = models.JSONField()
    ruling_document = models.JSONField()
    # What it says of each rule, by clause, as the scheduler rates it.
    ratings = models.JSONField()
    graded_at = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return f"{self.points}/{self.of}"

    @cached_property
    def engine_mark(self) -> EngineMark:
        return rules_engine.mark_from(self.mark_document)

    @cached_property
    def ruling(self) -> Ruling:
        return rules_engine.ruling_from(self.ruling_document)


class SecondTry(models.Model):
    """A trainee's second answer, before the solution is shown. It is marked but does not count."""

    attempt = models.OneToOneField(Attempt, on_delete=models.CASCADE, related_name="second_try")
    answer = models.JSONField()
    mark_document = models.JSONField()
    submitted_at = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return f"{self.attempt_id}: second try"

    @cached_property
    def engine_mark(self) -> EngineMark:
        return rules_engine.mark_from(self.mark_document)


class DayPlan(models.Model):
    """The plan of a trainee's day, made when the day begins. `rules` are pairs of rulebook and clause."""

    class Changed(models.TextChoices):
        STUDY = "study", _("the study plan was changed")

    trainee = models.ForeignKey(User, on_delete=models.CASCADE, related_name="day_plans")
    day = models.DateField()
    rules = models.JSONField(default=list)
    # The study plan it was made for; if that changes, the rest of the day is planned again.
    minutes = models.PositiveSmallIntegerField()
    rulebooks = models.JSONField(default=list)
    changed = models.CharField(max_length=16, choices=Changed.choices, blank=True)
    made_at = models.DateTimeField()
    # When the trainee saw the end of it.
    ended_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["trainee", "day"], name="one_plan_of_a_day")]

    def __str__(self) -> str:
        return f"{self.trainee_id}: {self.day}"


class Reminder(models.Model):
    """A trainee's wish for a daily mail at an hour in their time zone, if something is due."""

    trainee = models.OneToOneField(User, on_delete=models.CASCADE, related_name="reminder")
    hour = models.PositiveSmallIntegerField()
    # The day of the last one, so that nobody gets two on one day.
    last_on = models.DateField(null=True, blank=True)

    class Meta:
        constraints = [
            models.CheckConstraint(condition=models.Q(hour__range=(0, 23)), name="reminder_at_an_hour_of_the_day")
        ]

    def __str__(self) -> str:
        return f"{self.trainee_id}: {self.hour} h"


class Note(models.Model):
    """A trainee's private note on a drill, or that it is a favourite."""

    drill = models.OneToOneField(Drill, on_delete=models.CASCADE, related_name="note")
    text = models.TextField(max_length=2000, blank=True)
    favourite = models.BooleanField(default=False)
    changed_at = models.DateTimeField(auto_now=True)

    def __str__(self) -> str:
        return f"{self.drill_id}: {self.text[:40]}"


class Remark(models.Model):
    """An instructor's remark on an answer. It is listed on the home page until the trainee reads it."""

    drill = models.OneToOneField(Drill, on_delete=models.CASCADE, related_name="remark")
    author = models.ForeignKey(User, null=True, on_delete=models.SET_NULL, related_name="+")
    text = models.TextField(max_length=2000)
    said_at = models.DateTimeField()
    read_at = models.DateTimeField(null=True, blank=True)

    def __str__(self) -> str:
        return f"{self.drill_id}: {self.text[:40]}"


class Flag(models.Model):
    """A trainee's report that something is wrong with a scenario."""

    drill = models.OneToOneField(Drill, on_delete=models.CASCADE, related_name="flag")
    text = models.TextField(max_length=2000)
    raised_at = models.DateTimeField(auto_now_add=True)
    settled_by = models.ForeignKey(User, null=True, blank=True, on_delete=models.SET_NULL, related_name="+")
    settled_at = models.DateTimeField(null=True, blank=True)
    reply = models.TextField(blank=True)

    class Meta:
        indexes = [models.Index(fields=["raised_at"], name="flag_open", condition=models.Q(settled_at=None))]

    def __str__(self) -> str:
        return f"{self.drill_id}: {self.text[:40]}"
