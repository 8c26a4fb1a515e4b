"""API tokens, and stored answers for repeated requests."""

from datetime import datetime

from django.db import models

from training.people.models import User


class ApiToken(models.Model):
    """A person's token for a program. Only its digest is stored; the token itself is shown once."""

    owner = models.ForeignKey(User, on_delete=models.CASCADE, related_name="api_tokens")
    name = models.CharField(max_length=80)
    scopes = models.JSONField(default=list)  # names of `scopes.SCOPES`
    digest = models.CharField(max_length=64, unique=True, editable=False)
    # The first characters, so that people can tell their tokens apart.
    hint = models.CharField(max_length=12, editable=False)
    created_at = models.DateTimeField(auto_now_add=True)
    expires_at = models.DateTimeField()
    last_used_at = models.DateTimeField(null=True, blank=True)
    revoked_at = models.DateTimeField(null=True, blank=True)

    def __str__(self) -> str:
        return f"{self.hint}… ({self.name})"

    def good_at(self, now: datetime) -> bool:
        return self.revoked_at is None and now < self.expires_at


class KeptAnswer(models.Model):
    """A write with an `Idempotency-Key`: `status` is empty while it runs; then its answer is kept for a day."""

    owner = models.ForeignKey(User, on_delete=models.CASCADE, related_name="+")
    key = models.CharField(max_length=255)
    # Of method, address and body: the same key with another request is an error.
    request_digest = models.CharField(max_length=64)
    status = models.PositiveSmallIntegerField(null=True)
    body = models.BinaryField(default=bytes)
    began_at = models.DateTimeField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["owner", "key"], name="idempotency_key_once_for_a_person")]
        indexes = [models.Index(fields=["began_at"], name="kept_answer_by_age")]

    def __str__(self) -> str:
        return f"{self.owner_id}: {self.key}"
