"""Models: an exam session, the forms made for it, and what happened during the sittings.

Times are stored in UTC. The columns only say what was recorded; to find out whether a sitting is open now, ask
`timing.py`.
"""

import uuid
from datetime import datetime

from django.db import models
from django.utils import timezone
from django.utils.functional import cached_property
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

import rules_engine
from exams.obstacles import describe
from exams.programmes.models import ProgrammeVersion
from rules_engine import Scenario
from training.library.models import Version
from training.people.models import User


class Session(models.Model):
    """An exam date or an open window: candidates may begin from `opens_at` until `entry_closes_at`."""

    class State(models.TextChoices):
        DRAFT = "draft", _("being set up")
        PREPARING = "preparing", _("papers being made")
        READY = "ready", pgettext_lazy("session", "ready")
        CANCELLED = "cancelled", _("cancelled")

    class Part(models.TextChoices):
        THEORY = "theory", _("theory")
        PRACTICE = "practice", _("practical exam")

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    programme_version = models.ForeignKey(ProgrammeVersion, on_delete=models.PROTECT, related_name="sessions")
    part = models.CharField(max_length=8, choices=Part.choices, default=Part.THEORY, db_default=Part.THEORY)
    title = models.CharField(max_length=120)
    place = models.CharField(max_length=120, blank=True)
    opens_at = models.DateTimeField()
    entry_closes_at = models.DateTimeField()
    # Everybody begins at the same time, so candidates may share cases; otherwise no two get similar ones.
    common_start = models.BooleanField(default=False, db_default=False)
    access_code = models.CharField(max_length=16)
    state = models.CharField(max_length=16, choices=State.choices, default=State.DRAFT)
    # Why the forms could not be made (`exams.obstacles`).
    obstacle = models.JSONField(null=True, blank=True)
    # While the forms are being made: progress in percent, and when a worker last reported.
    progress = models.PositiveSmallIntegerField(default=0)
    worked_at = models.DateTimeField(null=True, blank=True)
    cancelled_because = models.TextField(blank=True)
    created_by = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)
    invigilators = models.ManyToManyField(User, blank=True, related_name="invigilates")

    class Meta:
        ordering = ["-opens_at"]
        constraints = [
            models.CheckConstraint(
                condition=models.Q(entry_closes_at__gt=models.F("opens_at")), name="session_closes_after_it_opens"
            )
        ]

    def __str__(self) -> str:
        return self.title

    @property
    def is_practical(self) -> bool:
        return self.part == self.Part.PRACTICE

    @property
    def why_no_forms(self) -> str:
        return describe(self.obstacle) if self.obstacle else ""


class Candidate(models.Model):
    """A person entered for a session. Graders and deciders never see `extra_minutes`."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    session = models.ForeignKey(Session, on_delete=models.PROTECT, related_name="candidates")
    person = models.ForeignKey(User, on_delete=models.PROTECT, related_name="candidacies")
    # The account's name at entry; `names.printed` says what a certificate prints.
    name = models.CharField(max_length=120)
    extra_minutes = models.PositiveSmallIntegerField(default=0)
    extra_because = models.CharField(max_length=500, default="", db_default="", blank=True)  # never of health
    entered_by = models.ForeignKey(User, null=True, on_delete=models.PROTECT, related_name="+")
    entered_at = models.DateTimeField(auto_now_add=True)
    # Wrong access codes entered, to stop guessing.
    wrong_codes = models.PositiveSmallIntegerField(default=0)
    # When the invitation mail was sent.
    told_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["session", "person"], name="candidate_once_in_a_session")]

    def __str__(self) -> str:
        return f"{self.session_id}: {self.person_id}"


class KeptOut(models.Model):
    """Somebody was removed from a session, or refused entry at the door, and may contest it. Lifted if they are entered
    again or let in after all."""

    class Kind(models.TextChoices):
        REMOVED = "removed", _("removed")
        REFUSED = "refused", _("entry refused")

    session = models.ForeignKey(Session, on_delete=models.PROTECT, related_name="kept_out")
    person = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")
    kind = models.CharField(max_length=8, choices=Kind.choices)
    reason = models.TextField(blank=True)
    by = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField()
    lifted_by = models.ForeignKey(User, null=True, blank=True, on_delete=models.PROTECT, related_name="+")
    lifted_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["session", "person"],
                condition=models.Q(lifted_at=None),
                name="kept_out_of_a_session_once_at_a_time",
            )
        ]

    def __str__(self) -> str:
        return f"{self.session_id}: {self.person_id} {self.kind}"


class ExamItem(models.Model):
    """A scenario in a session's pool. It is on several candidates' forms only if everybody begins at once.

    `corrections` holds answers that an appeal also accepted: `{question key: [value, …]}`. A voided item counts for
    nobody. The scenario itself never changes.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    session = models.ForeignKey(Session, on_delete=models.PROTECT, related_name="items")
    section = models.CharField(max_length=32)
    line = models.PositiveSmallIntegerField()  # the blueprint line it is for, counted across all sections
    points = models.PositiveSmallIntegerField()
    rulebook = models.CharField(max_length=64)
    topic = models.CharField(max_length=64)
    difficulty = models.PositiveSmallIntegerField()
    scenario_document = models.JSONField()
    # Hash of the rulebook and the facts: items with the same fingerprint are the same case.
    fingerprint = models.CharField(max_length=64)
    # Items of one model ask the same about other facts (`programmes.likeness`); empty for items of earlier releases.
    model = models.CharField(max_length=160, default="", db_default="", blank=True)
    version = models.ForeignKey(Version, null=True, blank=True, on_delete=models.PROTECT, related_name="exam_items")
    # The share of its points that a candidate is expected to get, from 0 to 1.
    predicted = models.FloatField()
    corrections = models.JSONField(default=dict)
    voided_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["session", "fingerprint"], name="exam_item_once_in_a_session")]
        indexes = [models.Index(fields=["model"], name="exam_item_by_model")]

    def __str__(self) -> str:
        return f"{self.rulebook} {self.topic} {self.id}"

    @cached_property
    def scenario(self) -> Scenario:
        return rules_engine.scenario_from(self.scenario_document)


class Form(models.Model):
    """One candidate's paper, made and checked before the session opens."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    candidate = models.OneToOneField(Candidate, on_delete=models.PROTECT, related_name="form")
    seed = models.CharField(max_length=64)  # secret; reproduces the draw from the pool
    predicted = models.FloatField()  # the expected score, from 0 to 1
    made_at = models.DateTimeField(auto_now_add=True)
    # The candidate's practice was checked for cases of this form up to this time.
    looked_at = models.DateTimeField(default=timezone.now)

    def __str__(self) -> str:
        return f"{self.candidate_id}"


class FormItem(models.Model):
    form = models.ForeignKey(Form, on_delete=models.PROTECT, related_name="items")
    position = models.PositiveSmallIntegerField()  # from 1
    item = models.ForeignKey(ExamItem, on_delete=models.PROTECT, related_name="placements")

    class Meta:
        ordering = ["position"]
        constraints = [
            models.UniqueConstraint(fields=["form", "position"], name="one_item_at_a_position"),
            models.UniqueConstraint(fields=["form", "item"], name="item_once_on_a_form"),
        ]

    def __str__(self) -> str:
        return f"{self.form_id} {self.position}"


class Sitting(models.Model):
    """One candidate sitting the exam. `deadline_at` moves only when time is added; `closed_at` is never after it."""

    class ClosedBy(models.TextChoices):
        CANDIDATE = "candidate", _("handed in")
        TIME = "time", _("time ran out")
        INVIGILATOR = "invigilator", _("closed by the invigilator")

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    candidate = models.OneToOneField(Candidate, on_delete=models.PROTECT, related_name="sitting")
    name = models.CharField(max_length=120)  # the candidate's
    started_at = models.DateTimeField()
    deadline_at = models.DateTimeField()
    closed_at = models.DateTimeField(null=True, blank=True)
    closed_by = models.CharField(max_length=16, choices=ClosedBy.choices, blank=True)
    # The browser in use: another one needs the access code, or the invigilator's release, which clears this field.
    device = models.CharField(max_length=64, blank=True)
    last_seen_at = models.DateTimeField(null=True, blank=True)
    position = models.PositiveSmallIntegerField(default=1)
    graded_at = models.DateTimeField(null=True, blank=True)
    grading_failures = models.PositiveSmallIntegerField(default=0)
    # An annulled sitting has no result. With `try_back` it does not count as an attempt. Never undone.
    annulled_at = models.DateTimeField(null=True, blank=True)
    try_back = models.BooleanField(default=False, db_default=False)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=models.Q(closed_at=None) | models.Q(closed_at__lte=models.F("deadline_at")),
                name="sitting_closed_by_its_deadline",
            ),
            models.CheckConstraint(
                condition=models.Q(annulled_at=None) | models.Q(closed_at__isnull=False),
                name="sitting_annulled_once_closed",
            ),
        ]
        indexes = [
            models.Index(fields=["deadline_at"], name="sitting_open", condition=models.Q(closed_at=None)),
            models.Index(
                fields=["closed_at"],
                name="sitting_to_grade",
                condition=models.Q(closed_at__isnull=False, graded_at=None),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.candidate_id}"


class Response(models.Model):
    """The last saved answer to one item. `sequence` grows with every change, so late changes can be detected."""

    sitting = models.ForeignKey(Sitting, on_delete=models.PROTECT, related_name="responses")
    form_item = models.OneToOneField(FormItem, on_delete=models.PROTECT, related_name="response")
    answer = models.JSONField(default=dict)  # {"parts": {question key: given}}
    marked = models.BooleanField(default=False)  # flagged by the candidate for review
    sequence = models.PositiveBigIntegerField(default=0)
    saved_at = models.DateTimeField()
    seconds = models.PositiveIntegerField(default=0)  # time on the page, as reported by the browser

    def __str__(self) -> str:
        return f"{self.sitting_id} {self.form_item_id}"


class Event(models.Model):
    """Something that happened during a sitting. It helps people understand what happened and accuses nobody."""

    class Kind(models.TextChoices):
        STARTED = "started", _("began")
        IDENTITY = "identity", _("identity checked")
        IDENTITY_UNDONE = "identity_undone", _("identity check taken back")
        RESUMED = "resumed", _("continued after a break")
        ASKED = "asked", _("another browser asked to continue")
        RELEASED = "released", _("released for another browser")
        DEVICE = "device", _("continued in another browser")
        BLURRED = "blurred", _("left the page")
        FOCUSED = "focused", _("came back to the page")
        OFFLINE = "offline", _("connection lost")
        ONLINE = "online", _("connection back")
        TIME_ADDED = "time_added", _("time was added")
        NOTE = "note", _("invigilator's note")
        LATE = "late", _("a change arrived after the end")
        CLOSED = "closed", pgettext_lazy("sitting", "closed")

    sitting = models.ForeignKey(Sitting, on_delete=models.PROTECT, related_name="events")
    kind = models.CharField(max_length=16, choices=Kind.choices)
    at = models.DateTimeField()
    by = models.ForeignKey(User, null=True, blank=True, on_delete=models.PROTECT, related_name="+")
    minutes = models.PositiveSmallIntegerField(default=0)  # of added time
    text = models.TextField(blank=True)

    class Meta:
        ordering = ["at", "pk"]
        indexes = [models.Index(fields=["sitting", "at"], name="event_of_sitting")]

    def __str__(self) -> str:
        return f"{self.sitting_id}: {self.kind}"


class TwoPersonRequest(models.Model):
    """A request with a reason that a second person must accept or refuse."""

    reason = models.TextField()
    asked_by = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")
    asked_at = models.DateTimeField()
    decided_by = models.ForeignKey(User, null=True, blank=True, on_delete=models.PROTECT, related_name="+")
    decided_at = models.DateTimeField(null=True, blank=True)
    accepted = models.BooleanField(null=True, blank=True)

    class Meta:
        abstract = True
        ordering = ["-asked_at", "-pk"]

    def decide(self, by: User, *, accepted: bool, at: datetime) -> None:
        self.decided_by, self.decided_at, self.accepted = by, at, accepted
        self.save(update_fields=["decided_by", "decided_at", "accepted"])


SECOND_PERSON = ~models.Q(accepted=True) | (
    models.Q(decided_by__isnull=False) & ~models.Q(decided_by=models.F("asked_by"))
)


class NameCorrection(TwoPersonRequest):
    """A request to change the name on an account and on all its valid certificates."""

    holder = models.ForeignKey(User, on_delete=models.PROTECT, related_name="name_corrections")
    former = models.CharField(max_length=120, default="", db_default="")  # the account's name before
    before = models.JSONField(default=list)  # the names printed until now
    name = models.CharField(max_length=120)

    class Meta(TwoPersonRequest.Meta):
        db_table = "certificates_namecorrection"  # the table predates the move to this app
        constraints = [
            models.UniqueConstraint(
                fields=["holder"], condition=models.Q(decided_at=None), name="one_name_correction_at_a_time"
            ),
            models.CheckConstraint(condition=SECOND_PERSON, name="name_corrected_by_a_second_person"),
        ]

    def __str__(self) -> str:
        return f"{self.holder_id}: {self.name}"


class ActRequest(TwoPersonRequest):
    """A request for an act that takes two people (`programmes.duties`). The audit log names act and subject alike."""

    act = models.CharField(max_length=40)
    subject = models.CharField(max_length=80)

    class Meta(TwoPersonRequest.Meta):
        constraints = [
            models.UniqueConstraint(
                fields=["act", "subject"], condition=models.Q(decided_at=None), name="one_request_of_an_act_at_a_time"
            ),
            models.CheckConstraint(condition=SECOND_PERSON, name="act_done_by_a_second_person"),
        ]

    def __str__(self) -> str:
        return f"{self.act} {self.subject}"


class RulingAsked(models.Model):
    """Somebody asked for the ruling on a case that an exam uses or the bank reserves, and was refused.

    One row per person, case and day. `about` names the case: `exam_item:…` or `version:…`.
    """

    person = models.ForeignKey(User, on_delete=models.PROTECT, related_name="rulings_asked")
    about = models.CharField(max_length=64)
    day = models.DateField()
    # The session that used the case at the time; null if only the bank reserved it.
    session = models.ForeignKey(Session, null=True, blank=True, on_delete=models.PROTECT, related_name="rulings_asked")
    route = models.CharField(max_length=64)  # the page or API route, of the first request that day
    digest = models.CharField(max_length=64)  # of the facts in the last request
    times = models.PositiveIntegerField(default=1)
    first_at = models.DateTimeField()
    last_at = models.DateTimeField()
    looked_at = models.DateTimeField(null=True, blank=True)
    looked_at_by = models.ForeignKey(User, null=True, blank=True, on_delete=models.PROTECT, related_name="+")

    class Meta:
        ordering = ["-last_at", "-pk"]
        constraints = [models.UniqueConstraint(fields=["person", "about", "day"], name="ruling_asked_once_a_day")]
        indexes = [models.Index(fields=["-last_at"], name="ruling_asked_unseen", condition=models.Q(looked_at=None))]

    def __str__(self) -> str:
        return f"{self.person_id}: {self.about}"
