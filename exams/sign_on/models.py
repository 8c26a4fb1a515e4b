"""Which groups of the directory give which roles."""

from django.db import models

from training.people.models import Role, User


class GroupRole(models.Model):
    """A group of the directory and a role that its members have. Groups are compared letter by letter."""

    group = models.CharField(max_length=200)
    role = models.CharField(max_length=16, choices=Role.choices)
    made_by = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")
    made_at = models.DateTimeField()

    class Meta:
        ordering = ["group", "role"]
        constraints = [
            models.UniqueConstraint(fields=["group", "role"], name="role_once_per_group"),
            models.CheckConstraint(condition=models.Q(role__in=Role.values), name="role_of_a_group_is_known"),
        ]

    def __str__(self) -> str:
        return f"{self.group}: {self.role}"
