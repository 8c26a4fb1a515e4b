"""Closures: why an account is closed."""

from django.db import models
from django.utils.translation import pgettext_lazy

from training.people.models import User


class Closure(models.Model):
    """One reason why an account is closed, until it is lifted. The account opens when the last one is."""

    class Why(models.TextChoices):
        LEFT = "left", pgettext_lazy("account", "no longer works here")
        ADMINISTRATOR = "administrator", pgettext_lazy("account", "closed by an administrator")

    person = models.ForeignKey(User, on_delete=models.CASCADE, related_name="closures")
    why = models.CharField(max_length=16, choices=Why.choices)
    reason = models.TextField(blank=True)
    # Null if it was closed by date.
    closed_by = models.ForeignKey(User, null=True, blank=True, on_delete=models.PROTECT, related_name="+")
    closed_at = models.DateTimeField()
    returned_by = models.ForeignKey(User, null=True, blank=True, on_delete=models.PROTECT, related_name="+")
    returned_at = models.DateTimeField(null=True, blank=True)
    return_reason = models.TextField(blank=True)

    class Meta:
        ordering = ["closed_at", "pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["person", "why"], condition=models.Q(returned_at=None), name="closed_once_for_a_reason"
            ),
            models.CheckConstraint(condition=models.Q(why__in=["left", "administrator"]), name="closure_is_known"),
        ]

    def __str__(self) -> str:
        return f"{self.person_id}: {self.why}"
