"""Settings for mails about waiting work."""

from django.db import models
from django.utils.translation import gettext_lazy as _

from training.people.models import User


class WorkMail(models.Model):
    """A person who asked for mails about waiting work. No row means no mails."""

    class How(models.TextChoices):
        DAILY = "daily", _("once a day, everything that is waiting")
        AT_ONCE = "at_once", _("as soon as something new is waiting")

    person = models.OneToOneField(User, on_delete=models.CASCADE, related_name="work_mail")
    how = models.CharField(max_length=16, choices=How.choices)
    hour = models.PositiveSmallIntegerField(default=8)
    # The day of the last daily mail, so that nobody gets two on one day.
    last_on = models.DateField(null=True, blank=True)
    # By kind: how many waited at the last check. A larger number means something new.
    told = models.JSONField(default=dict)

    class Meta:
        constraints = [
            models.CheckConstraint(condition=models.Q(hour__range=(0, 23)), name="work_mail_at_an_hour_of_the_day")
        ]

    def __str__(self) -> str:
        return f"{self.person_id}: {self.how}"
