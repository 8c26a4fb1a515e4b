"""Notes and favourites: what a trainee keeps about a drill, seen by nobody else."""

from django.utils.translation import gettext as _

from training.platform.errors import Refused
from training.practice.models import Attempt, Drill, Note

LONGEST = 2000


def keep(drill: Drill, text: str, *, favourite: bool) -> Note | None:
    """Keep a note, or forget it where nothing is left to keep. Only of what is answered."""
    text = text.replace("\r\n", "\n").replace("\x00", "").strip()
    if not Attempt.objects.filter(drill=drill).exists():
        raise Refused(_("You can add a note once the scenario is answered."))
    if len(text) > LONGEST:
        raise Refused(
            _("At most %(limit)d characters; this has %(count)d.") % {"limit": LONGEST, "count": len(text)},
        )
    if not text and not favourite:
        Note.objects.filter(drill=drill).delete()
        return None
    note, _created = Note.objects.update_or_create(drill=drill, defaults={"text": text, "favourite": favourite})
    return note
