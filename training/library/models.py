"""Authored scenarios. A published version never changes: editing makes a new one, and answers keep their version."""

import uuid
from typing import Any

from django.db import models
from django.utils.translation import gettext_lazy as _

import rules_engine
from rules_engine import Ruling, Scenario
from training.people.models import User


class Tag(models.Model):
    """A label for grouping scenarios. `key` is the name without case and accents."""

    name = models.CharField(max_length=40)
    key = models.CharField(max_length=40, unique=True)

    class Meta:
        ordering = ["key"]

    def __str__(self) -> str:
        return self.name


class Item(models.Model):
    """A scenario through all its versions."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    tags = models.ManyToManyField(Tag, blank=True, related_name="items")
    created_at = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return str(self.id)


class Version(models.Model):
    """One version: facts, questions from the engine, and the author's texts in each language.

    `words` is `{"pt": {"title": …, "story": …, "note": …}, …}`; story and note are Markdown. Nobody
    writes the ruling: `ruling_document` is what the engine ruled on publication, to compare with later rulings.
    """

    class State(models.TextChoices):
        DRAFT = "draft", _("draft")
        IN_REVIEW = "in_review", _("in review")
        PUBLISHED = "published", _("published")
        RETIRED = "retired", _("retired")
        SUSPENDED = "suspended", _("taken out: the ruling changed")

    class Source(models.TextChoices):
        GENERATED = "generated", _("generated")
        AUTHORED = "authored", _("written by hand")
        INCIDENT = "incident", _("tonight's incident")
        MISTAKE = "mistake", _("a trainee's mistake")
        IMPORTED = "imported", _("imported")

    item = models.ForeignKey(Item, on_delete=models.PROTECT, related_name="versions")
    number = models.PositiveIntegerField(default=1)
    state = models.CharField(max_length=16, choices=State.choices, default=State.DRAFT)
    source = models.CharField(max_length=16, choices=Source.choices)
    # Published for exams only, not for practice (`exam_bank.py`). Released to practice at most once, for good.
    reserved = models.BooleanField(default=False)
    rulebook = models.CharField(max_length=64)
    topic = models.CharField(max_length=64)
    difficulty = models.PositiveSmallIntegerField(default=2)
    scenario_document = models.JSONField()
    ruling_document = models.JSONField(null=True, blank=True)
    words = models.JSONField(default=dict)
    # The second and third moment of a story, each as `moments.kept_moment` makes it.
    moments = models.JSONField(default=list, db_default=models.Value([], models.JSONField()), blank=True)
    # What is typed for a moment of a draft while its facts do not fit together, by its number (`unfinished.py`). The
    # documents above then hold the last facts that did.
    unfinished = models.JSONField(default=dict, db_default=models.Value({}, models.JSONField()), blank=True)
    # Keys of the engine's remarks (`rules_engine.remarks`) that the author accepted.
    accepted = models.JSONField(default=list, db_default=models.Value([], models.JSONField()), blank=True)
    # The texts without case and accents, for searching: databases differ in how JSON stores accents.
    search_text = models.TextField(blank=True, default="", editable=False)
    author = models.ForeignKey(User, on_delete=models.PROTECT, related_name="authored_versions")
    published_by = models.ForeignKey(User, null=True, blank=True, on_delete=models.PROTECT, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)
    changed_at = models.DateTimeField(auto_now=True)
    published_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["item", "number"], name="version_number_once"),
            models.UniqueConstraint(
                fields=["item"], condition=models.Q(state="published"), name="one_published_version_of_an_item"
            ),
            models.CheckConstraint(
                condition=~models.Q(published_by=models.F("author")), name="published_by_a_second_person"
            ),
            models.CheckConstraint(
                condition=~models.Q(state__in=["published", "suspended"])
                | models.Q(ruling_document__isnull=False, published_by__isnull=False, published_at__isnull=False),
                name="published_with_a_ruling_by_somebody",
            ),
        ]
        indexes = [
            models.Index(fields=["state", "rulebook", "topic"], name="version_by_state_and_topic"),
            models.Index(fields=["-changed_at"], name="version_by_last_change"),
            models.Index(fields=["rulebook"], name="version_kept_for_exams", condition=models.Q(reserved=True)),
        ]

    def __str__(self) -> str:
        return f"{self.item_id} v{self.number} ({self.state})"

    @property
    def scenario(self) -> Scenario:
        return rules_engine.scenario_from(self.scenario_document)

    @property
    def ruling(self) -> Ruling | None:
        """What the engine ruled on publication. Raises EngineError if it can no longer be read."""
        if self.ruling_document is None:
            return None
        return rules_engine.ruling_from(self.ruling_document)

    @property
    def game_version(self) -> str:
        """The version of the game with which it was written."""
        return str(rules_engine.present_format("scenario", self.scenario_document)["version"])


class CoAuthor(models.Model):
    """Somebody who writes a version with its author and, like the author, never publishes it (`authors.py`)."""

    version = models.ForeignKey(Version, on_delete=models.PROTECT, related_name="co_authorships")
    person = models.ForeignKey(User, on_delete=models.PROTECT, related_name="co_authorships")
    added_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["pk"]
        constraints = [models.UniqueConstraint(fields=["version", "person"], name="co_author_once")]

    def __str__(self) -> str:
        return f"{self.version_id}: {self.person_id}"


class Origin(models.Model):
    """Somebody who wrote the facts that a version was copied from, and so may not review it (`authors.py`)."""

    version = models.ForeignKey(Version, on_delete=models.PROTECT, related_name="origins")
    person = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")

    class Meta:
        ordering = ["pk"]
        constraints = [models.UniqueConstraint(fields=["version", "person"], name="origin_once")]

    def __str__(self) -> str:
        return f"{self.version_id}: {self.person_id}"


class Pivot(models.Model):
    """A rule that a published version turns on, so that practice can find scenarios for a rule."""

    version = models.ForeignKey(Version, on_delete=models.CASCADE, related_name="pivots")
    cite = models.CharField(max_length=32)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["cite", "version"], name="one_pivot_of_a_version")]

    def __str__(self) -> str:
        return f"{self.version_id}: {self.cite}"


class Act(models.Model):
    """Something done to a version: who, what, when, and why."""

    class Kind(models.TextChoices):
        CREATED = "created", _("created")
        EDITED = "edited", _("edited")
        SUBMITTED = "submitted", _("sent to review")
        RETURNED = "returned", _("sent back")
        WITHDRAWN = "withdrawn", _("taken back by its author")
        PUBLISHED = "published", _("published")
        RELEASED = "released", _("released for practice")
        RETIRED = "retired", _("retired")
        SUSPENDED = "suspended", _("taken out of use")
        REMARKED = "remarked", _("remarked in the margin")
        ANSWERED = "answered", _("remark answered")
        SETTLED = "settled", _("remark settled")
        AUTHOR_ADDED = "author_added", _("co-author added")
        AUTHOR_REMOVED = "author_removed", _("co-author removed")

    version = models.ForeignKey(Version, on_delete=models.PROTECT, related_name="acts")
    kind = models.CharField(max_length=16, choices=Kind.choices)
    # Empty if the platform itself acted, after a change of the engine.
    actor = models.ForeignKey(User, null=True, blank=True, on_delete=models.PROTECT, related_name="+")
    comment = models.TextField(blank=True)
    # On publication or suspension: the version of the engine and its ruling, which is empty if it refused the facts.
    engine = models.CharField(max_length=32, blank=True)
    ruling_document = models.JSONField(null=True, blank=True)
    # The moment of the story that the ruling is about.
    moment = models.PositiveSmallIntegerField(default=1, db_default=1)
    # The co-author who was added or removed.
    person = models.ForeignKey(User, null=True, blank=True, on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["at", "pk"]

    def __str__(self) -> str:
        return f"{self.version_id}: {self.kind}"


class Remark(models.Model):
    """A remark in the margin of a version, open until it is settled; or an answer to one (`about`)."""

    class Part(models.TextChoices):
        FACTS = "facts", _("the facts")
        WORDS = "words", _("the words")
        RULING = "ruling", _("the ruling")

    version = models.ForeignKey(Version, on_delete=models.PROTECT, related_name="remarks")
    part = models.CharField(max_length=16, choices=Part.choices)
    about = models.ForeignKey("self", null=True, blank=True, on_delete=models.PROTECT, related_name="answers")
    author = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")
    text = models.TextField()
    at = models.DateTimeField(auto_now_add=True)
    settled_by = models.ForeignKey(User, null=True, blank=True, on_delete=models.PROTECT, related_name="+")
    settled_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["at", "pk"]

    def __str__(self) -> str:
        return f"{self.version_id}: {self.part}"


class PendingImport(models.Model):
    """A checked file that waits for its importer to confirm. Each person has at most one."""

    importer = models.OneToOneField(User, on_delete=models.CASCADE, related_name="pending_import")
    content = models.TextField()
    checked_at = models.DateTimeField(auto_now=True)

    def __str__(self) -> str:
        return f"{self.importer_id}: {self.checked_at}"


def decisions(ruling_document: Any) -> dict[str, Any]:
    """The decisions of a stored ruling, by question, as plain data; empty if there is no ruling."""
    if ruling_document is None:
        return {}
    stored = rules_engine.present_format("ruling", ruling_document)
    return {decision["key"]: decision for decision in stored["decisions"]}
