"""What the house decides for itself: its settings (one row), how it reads open questions, the texts it has loaded."""

from django.conf import settings
from django.db import models

ONLY = 1


class Logo(models.Model):
    """A logo by the digest of its bytes. Never removed: what was printed with it can be printed again."""

    digest = models.CharField(max_length=64, primary_key=True)
    png = models.BinaryField()

    def __str__(self) -> str:
        return self.digest


class House(models.Model):
    """What the house says of itself. `signatories` are `{"name": …, "titles": {language: title}}` in their order.

    What it decides about its people (languages, second factor, how long practice is kept) holds within what the
    installation allows: ask `selectors`, never these fields.
    """

    id = models.PositiveSmallIntegerField(primary_key=True, default=ONLY, editable=False)
    name = models.CharField(max_length=120)
    legal_name = models.CharField(max_length=200, blank=True)
    signatories = models.JSONField(default=list, blank=True)
    logo = models.ForeignKey(Logo, null=True, blank=True, on_delete=models.PROTECT, related_name="+")
    languages = models.JSONField(default=list, db_default=[], blank=True)  # codes; none: all of the installation
    second_factor = models.BooleanField(default=False, db_default=False)
    practice_kept_days = models.PositiveSmallIntegerField(null=True, blank=True)

    class Meta:
        constraints = [models.CheckConstraint(condition=models.Q(id=ONLY), name="one_house")]

    def __str__(self) -> str:
        return self.name


class HouseRuling(models.Model):
    """How the house reads an open question of a rulebook: `choice` is another reading by name, or empty for the
    recorded one. `decided_by` is who decided it, as the house says it; whoever records it signs first."""

    rulebook = models.CharField(max_length=40)
    question = models.CharField(max_length=20)
    choice = models.CharField(max_length=40, blank=True)
    decided_by = models.CharField(max_length=200)
    decided_on = models.DateField()
    reason = models.TextField()
    recorded_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    recorded_at = models.DateTimeField()
    signed_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="+")
    signed_at = models.DateTimeField(null=True)
    withdrawn_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="+")
    withdrawn_at = models.DateTimeField(null=True)
    withdrawn_because = models.TextField(blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["rulebook", "question"],
                condition=models.Q(withdrawn_at__isnull=True),
                name="one_house_ruling_in_force",
            ),
            models.CheckConstraint(
                condition=models.Q(signed_by__isnull=True) | ~models.Q(signed_by=models.F("recorded_by")),
                name="house_ruling_signed_by_two",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.rulebook} {self.question}: {self.choice or 'as recorded'}"

    @property
    def in_exams(self) -> bool:
        return self.signed_by_id is not None and self.withdrawn_at is None


class OfficialText(models.Model):
    """The wording of a regulation as the house has loaded it: what each article says, by its number in the rulebook."""

    rulebook = models.CharField(max_length=40, primary_key=True)
    source = models.CharField(max_length=200)
    articles = models.JSONField()
    loaded_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+")
    loaded_at = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.rulebook}: {self.source}"


class PendingText(models.Model):
    """A text that was read and is not confirmed yet: one for each rulebook, and gone once it is settled."""

    rulebook = models.CharField(max_length=40, primary_key=True)
    source = models.CharField(max_length=200)
    articles = models.JSONField()
    surplus = models.JSONField(default=list)
    read_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    read_at = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.rulebook}: {self.source}"
