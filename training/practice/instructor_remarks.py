"""Remarks of instructors on answers of their trainees."""

from datetime import datetime
from typing import NamedTuple
from uuid import UUID

from django.utils.translation import gettext as _

from training.people.models import User
from training.platform.errors import Refused
from training.practice.models import Attempt, Drill, Remark

LONGEST = 2000
MOST_UNREAD = 5


def say(drill: Drill, author: User, text: str, now: datetime) -> Remark | None:
    """Say it, or say it otherwise; an empty one takes it back. Said anew it is to be read anew."""
    text = text.replace("\r\n", "\n").replace("\x00", "").strip()
    if not Attempt.objects.filter(drill=drill).exists():
        raise Refused(_("There is no answer to remark on yet."))
    if len(text) > LONGEST:
        raise Refused(
            _("At most %(limit)d characters; this has %(count)d.") % {"limit": LONGEST, "count": len(text)},
        )
    if not text:
        Remark.objects.filter(drill=drill).delete()
        return None
    said = {"author": author, "text": text, "said_at": now, "read_at": None}
    remark, _created = Remark.objects.update_or_create(drill=drill, defaults=said)
    return remark


def note_read(drill: Drill, now: datetime) -> None:
    """The trainee has the remark before them."""
    Remark.objects.filter(drill=drill, read_at=None).update(read_at=now)


class Unread(NamedTuple):
    """What an instructor said about an answer, and the trainee has not had before them yet."""

    drill_id: UUID
    text: str
    author: str
    rulebook: str
    topic: str


def unread(trainee: User) -> list[Unread]:
    """The oldest few."""
    found = Remark.objects.filter(drill__trainee=trainee, read_at=None).order_by("said_at")
    columns = ("drill_id", "text", "author__name", "drill__rulebook", "drill__topic")
    return [Unread(*row) for row in found.values_list(*columns)[:MOST_UNREAD]]
