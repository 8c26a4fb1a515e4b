"""How members of staff want to hear of what waits for them."""

from django.db import models
from django.utils.translation import gettext_lazy as _

from training.people.models import User


class WorkMail(models.Model):
    """Somebody asked for mails about what waits for them; who did not has no row."""

    class How(models.TextChoices):
        DAILY = "daily", _("once a day, everything that is waiting")
        AT_ONCE = "at_once", _("as soon as something new is waiting")

    person = models.OneToOneField(User, on_delete=models.CASCADE, related_name="work_mail")
    how = models.CharField(max_length=16, choices=How.choices)
    hour = models.PositiveSmallIntegerField(default=8)
    # The day of the last daily mail: never two on one day.
    last_on = models.DateField(null=True, blank=True)
    # How many of each kind waited when we last looked: what is more than that is new.
    told = models.JSONField(default=dict)

    class Meta:
        constraints = [
            models.CheckConstraint(condition=models.Q(hour__range=(0, 23)), name="work_mail_at_an_hour_of_the_day")
        ]

    def __str__(self) -> str:
        return f"{self.person_id}: {self.how}"
