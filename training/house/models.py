"""The house's own settings: one row, one page. Whatever a house decides for itself belongs here."""

from django.db import models

ONLY = 1


class Logo(models.Model):
    """A logo by the digest of its bytes. Never removed: what was printed with it can be printed again."""

    digest = models.CharField(max_length=64, primary_key=True)
    png = models.BinaryField()

    def __str__(self) -> str:
        return self.digest


class House(models.Model):
    """What the house says of itself. `signatories` are `{"name": …, "titles": {language: title}}` in their order."""

    id = models.PositiveSmallIntegerField(primary_key=True, default=ONLY, editable=False)
    name = models.CharField(max_length=120)
    legal_name = models.CharField(max_length=200, blank=True)
    signatories = models.JSONField(default=list, blank=True)
    logo = models.ForeignKey(Logo, null=True, blank=True, on_delete=models.PROTECT, related_name="+")

    class Meta:
        constraints = [models.CheckConstraint(condition=models.Q(id=ONLY), name="one_house")]

    def __str__(self) -> str:
        return self.name
