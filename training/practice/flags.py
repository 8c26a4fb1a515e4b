"""Flags: a trainee says that something is wrong with a scenario, once its solution is shown."""

from django.db import IntegrityError, transaction
from django.utils.translation import gettext as _

from training.platform.errors import Refused
from training.practice.models import Drill, Flag, Mark

LONGEST = 2000


class AlreadyFlagged(Refused):
    """A drill is flagged once; what was written first stands."""

    code = "already_flagged"


def raise_flag(drill: Drill, text: str) -> Flag:
    text = text.replace("\r\n", "\n").replace("\x00", "").strip()
    mark = Mark.objects.select_related("attempt").filter(attempt__drill=drill).first()
    if mark is None or mark.attempt.withheld:
        raise Refused(_("A scenario can be flagged once its solution is shown."))
    if not text:
        raise Refused(_("Say what is wrong with the scenario."))
    if len(text) > LONGEST:
        raise Refused(
            _("At most %(limit)d characters; this has %(count)d.") % {"limit": LONGEST, "count": len(text)},
        )
    try:
        with transaction.atomic():
            return Flag.objects.create(drill=drill, text=text)
    except IntegrityError:
        raise AlreadyFlagged(_("This scenario has already been flagged; what you wrote first stands.")) from None
