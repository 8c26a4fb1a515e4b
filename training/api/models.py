"""What programs sign in with."""

from datetime import datetime

from django.db import models
from django.utils.translation import gettext_lazy as _

from training.people.models import User


class ApiToken(models.Model):
    """A person's key for a program. Only its digest is kept: the token itself is shown once."""

    class Scope(models.TextChoices):
        READ = "read", _("read only")
        WRITE = "write", _("read and write")

    owner = models.ForeignKey(User, on_delete=models.CASCADE, related_name="api_tokens")
    name = models.CharField(max_length=80)
    scope = models.CharField(max_length=8, choices=Scope.choices, default=Scope.READ)
    digest = models.CharField(max_length=64, unique=True, editable=False)
    # The first characters, by which a person tells their tokens apart.
    hint = models.CharField(max_length=12, editable=False)
    created_at = models.DateTimeField(auto_now_add=True)
    expires_at = models.DateTimeField()
    last_used_at = models.DateTimeField(null=True, blank=True)
    revoked_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            models.CheckConstraint(condition=models.Q(scope__in=["read", "write"]), name="api_token_scope_is_known")
        ]

    def __str__(self) -> str:
        return f"{self.hint}… ({self.name})"

    def good_at(self, now: datetime) -> bool:
        return self.revoked_at is None and now < self.expires_at
