"""Work that waits for instructors: reviews, flags, assigned work."""

from collections import Counter
from datetime import datetime, timedelta
from typing import Any
from urllib.parse import urlencode

from django.db.models import OuterRef, QuerySet, Subquery
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from training.classes import selectors as classes
from training.home.hooks import Waiting
from training.library import authors, margin_remarks
from training.library.models import Act, Version
from training.people.models import Role, User
from training.platform.presence import present
from training.practice.models import Flag

State = Version.State


def work_of_instructors(person: User, now: datetime) -> list[Waiting]:
    if Role.INSTRUCTOR not in person.roles:
        return []
    there = _there()
    flags = _flags() if there["flags"] else 0
    title = ngettext("Flag of a trainee to answer", "Flags of trainees to answer", flags)
    return [Waiting("flags", title, flags, reverse("flags")), *_scenarios(person, there), *_set_work(person, now)]


@present
def _there() -> dict[str, QuerySet[Any]]:
    """What may wait for anybody. Usually most of it does not, and needs no other query."""
    return {
        "flags": Flag.objects.filter(settled_at=None),
        "remarks": margin_remarks.open_remarks(),
        **{state: Version.objects.filter(state=state) for state in (State.DRAFT, State.IN_REVIEW, State.SUSPENDED)},
    }


def _scenarios(person: User, there: dict[str, bool]) -> list[Waiting]:
    """Scenarios that wait for this person."""
    suspended = Version.objects.filter(state=State.SUSPENDED).count() if there[State.SUSPENDED] else 0
    reviews = _reviews(person) if there[State.IN_REVIEW] else 0
    sent_back = _sent_back(person) if there[State.DRAFT] else 0
    remarked = list(margin_remarks.to_answer(person).values_list("version_id", flat=True)) if there["remarks"] else []
    return [
        Waiting(
            "reviews",
            ngettext("Scenario to review", "Scenarios to review", reviews),
            reviews,
            _library(state=State.IN_REVIEW),
        ),
        Waiting(
            "sent_back",
            ngettext("Scenario of yours that was sent back", "Scenarios of yours that were sent back", sent_back),
            sent_back,
            _library(state=State.DRAFT, author=person.pk),
        ),
        Waiting(
            "remarks",
            ngettext("Remark in the margin to answer", "Remarks in the margin to answer", len(remarked)),
            len(remarked),
            _margin(remarked, person),
        ),
        Waiting(
            "suspended",
            ngettext("Scenario now ruled differently", "Scenarios now ruled differently", suspended),
            suspended,
            reverse("suspended"),
        ),
    ]


def _library(**asked: object) -> str:
    return f"{reverse('library')}?{urlencode(asked)}"


def _margin(versions: list[int], person: User) -> str:
    if len(set(versions)) == 1:
        return f"{reverse('version', args=versions[:1])}#margin"
    return _library(author=person.pk)


def _flags() -> int:
    return Flag.objects.filter(settled_at=None).count()


def _reviews(person: User) -> int:
    return authors.to_review(person).count()


def _sent_back(person: User) -> int:
    last = Act.objects.filter(version=OuterRef("pk")).order_by("-at", "-pk").values("kind")[:1]
    drafts = Version.objects.filter(authors.written_by(person.pk), state=State.DRAFT).annotate(last=Subquery(last))
    return drafts.filter(last=Act.Kind.RETURNED).count()


def _set_work(person: User, now: datetime) -> list[Waiting]:
    """For each class: how many trainees have work left that is due within 3 days or was due in the last 14."""
    found = []
    for room, standing in classes.due_around(person, now, timedelta(days=3), timedelta(days=14)):
        people: Counter[bool] = Counter(late for late in standing.values())
        told = {"class": room.name}
        about = "" if people[True] else _("Due within three days.")  # the page shows how many are late
        found.append(
            Waiting(
                f"set_work:{room.pk}",
                ngettext(
                    "Trainee with set work to do: %(class)s", "Trainees with set work to do: %(class)s", len(standing)
                )
                % told,
                len(standing),
                reverse("class_work", args=[room.pk]),
                late=people[True],
                about=about,
            )
        )
    return found
