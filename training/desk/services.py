"""Answers flags."""

from django.utils import timezone
from django.utils.translation import gettext as _

from training.people.models import User
from training.platform.errors import Refused
from training.practice.models import Flag


class AlreadySettled(Refused):
    """Somebody else has answered this flag."""


def settle(flag_id: int, actor: User, reply: str) -> None:
    """Answer a flag. Raises AlreadySettled if somebody else did."""
    open_flag = Flag.objects.filter(pk=flag_id, settled_at=None)
    if not open_flag.update(settled_by=actor, settled_at=timezone.now(), reply=reply):
        raise AlreadySettled(_("Somebody else has answered this flag already."))
