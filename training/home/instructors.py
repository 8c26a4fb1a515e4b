"""What waits for an instructor in training: the library, flags, set work."""

from collections import Counter
from datetime import datetime, timedelta
from urllib.parse import urlencode

from django.db.models import OuterRef, Subquery
from django.urls import reverse
from django.utils.translation import gettext as _

from training.classes import selectors as classes
from training.home.waiting import Waiting
from training.library.models import Act, Version
from training.people.models import Role, User
from training.practice.models import Flag

State = Version.State


def work_of_instructors(person: User, now: datetime) -> list[Waiting]:
    if Role.INSTRUCTOR not in person.roles:
        return []
    return [
        Waiting("flags", _("Flags of trainees to answer"), _flags(), reverse("flags")),
        Waiting("reviews", _("Scenarios to review"), _reviews(person), _library(state=State.IN_REVIEW)),
        Waiting(
            "sent_back",
            _("Scenarios of yours that came back"),
            _sent_back(person),
            _library(state=State.DRAFT, author=person.pk),
        ),
        Waiting("suspended", _("Scenarios now ruled on otherwise"), _suspended(), reverse("suspended")),
        *_set_work(person, now),
    ]


def _library(**asked: object) -> str:
    return f"{reverse('library')}?{urlencode(asked)}"


def _flags() -> int:
    return Flag.objects.filter(settled_at=None).count()


def _reviews(person: User) -> int:
    return Version.objects.filter(state=State.IN_REVIEW).exclude(author=person).count()


def _suspended() -> int:
    return Version.objects.filter(state=State.SUSPENDED).count()


def _sent_back(person: User) -> int:
    last = Act.objects.filter(version=OuterRef("pk")).order_by("-at", "-pk").values("kind")[:1]
    drafts = Version.objects.filter(state=State.DRAFT, author=person).annotate(last=Subquery(last))
    return drafts.filter(last=Act.Kind.RETURNED).count()


def _set_work(person: User, now: datetime) -> list[Waiting]:
    """Of each class: who is late with work, as long as that is news, and who has something to do for a date near."""
    found = []
    for room, standing in classes.due_around(person, now, timedelta(days=3), timedelta(days=14)):
        people: Counter[bool] = Counter(late for late in standing.values())
        told = {"class": room.name}
        about = _("Late: %(count)d.") % {"count": people[True]} if people[True] else _("Due within three days.")
        found.append(
            Waiting(
                f"set_work:{room.pk}",
                _("Trainees with set work to do: %(class)s") % told,
                len(standing),
                reverse("class_work", args=[room.pk]),
                late=people[True],
                about=about,
            )
        )
    return found
