"""The one rule for acts that need two people: who may sign what somebody else asked for."""

from django.utils.translation import gettext_lazy as _

from training.people.models import User
from training.refusal import Refused


class NotASecondPerson(Refused):
    """This person may not sign here; the message says why."""


def verify(*, asked_by: User | None, signer: User) -> None:
    """Raise NotASecondPerson unless `signer` counts as a second person beside whoever asked.

    Without `asked_by` the request came from the command line, and anybody may sign it.
    """
    if asked_by is not None and asked_by.pk == signer.pk:
        raise NotASecondPerson(_("Whoever asks does not sign: a second person must."))
