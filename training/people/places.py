"""Where each role can go: the header and the home page are made from this list."""

from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest
from django.urls import reverse
from django.utils.functional import Promise, SimpleLazyObject
from django.utils.translation import gettext_lazy as _

from training.people.models import Role


@dataclass(frozen=True)
class Place:
    route: str
    roles: frozenset[Role]
    label: Promise
    about: Promise


PLACES = [
    Place(
        "practice",
        frozenset({Role.TRAINEE}),
        _("Practice"),
        _("Answer fresh scenarios and read the article behind every ruling."),
    ),
    Place(
        "assigned",
        frozenset({Role.TRAINEE}),
        _("Set work"),
        _("What your instructors set for you, and until when."),
    ),
    Place(
        "own_exams",
        frozenset({Role.TRAINEE}),
        _("Exams"),
        _("Sit an exam you are entered for, and see how earlier ones went."),
    ),
    Place(
        "own_appeals",
        frozenset({Role.TRAINEE}),
        _("Your appeals"),
        _("Items of exams that you contested, and what was decided."),
    ),
    Place(
        "own_certificates",
        frozenset({Role.TRAINEE}),
        _("Certificates"),
        _("What you may deal, until when, and the documents to show."),
    ),
    Place(
        "classes",
        frozenset({Role.INSTRUCTOR}),
        _("Classes"),
        _("Enrol trainees, set work, and see who is stuck and who is ready."),
    ),
    Place(
        "library",
        frozenset({Role.INSTRUCTOR}),
        _("Scenarios"),
        _("Generate, write, review and publish scenarios."),
    ),
    Place(
        "rulebooks",
        frozenset({Role.TRAINEE, Role.INSTRUCTOR}),
        _("Rulebooks"),
        _("Every article with an example, and how rulebooks differ."),
    ),
    Place(
        "item_figures",
        frozenset({Role.INSTRUCTOR}),
        _("Figures"),
        _("How scenarios behave, and what trainees flagged."),
    ),
    Place(
        "hr_desk",
        frozenset({Role.HR}),
        _("Staff"),
        _("Who may deal which game, certificates about to end, staff lists and exports."),
    ),
    Place(
        "programmes",
        frozenset({Role.INSTRUCTOR, Role.ADMINISTRATOR}),
        _("Programmes"),
        _("What is certified, what is asked in the exam, and what passes."),
    ),
    Place(
        "sessions",
        frozenset({Role.INSTRUCTOR, Role.HR, Role.ADMINISTRATOR}),
        _("Exam sessions"),
        _("Set exams up, enter candidates, and watch over them."),
    ),
    Place(
        "results",
        frozenset({Role.INSTRUCTOR, Role.ADMINISTRATOR}),
        _("Results"),
        _("Decide and release what was graded, and see how exams measure."),
    ),
    Place(
        "appeals",
        frozenset({Role.INSTRUCTOR, Role.ADMINISTRATOR}),
        _("Appeals"),
        _("Items that candidates contest, until when to decide, and who may."),
    ),
    Place(
        "regrades",
        frozenset({Role.ADMINISTRATOR}),
        _("Regrades"),
        _("Grade a programme again in the shadow after a correction."),
    ),
    Place(
        "audit",
        frozenset({Role.ADMINISTRATOR}),
        _("Audit log"),
        _("Every act that matters, in order, and sealed."),
    ),
]


def places(request: HttpRequest) -> dict[str, Any]:
    """Template context: the places of the person who looks, read only by pages that show them."""
    return {"places": SimpleLazyObject(lambda: _places_of(request))}


def _places_of(request: HttpRequest) -> list[dict[str, Any]]:
    if not request.user.is_authenticated:
        return []
    roles = request.user.roles
    own = [(place, reverse(place.route)) for place in PLACES if not place.roles.isdisjoint(roles)]
    # One place may lie inside another, as sessions do inside exams: the innermost is where one is.
    here = max((url for _place, url in own if request.path.startswith(url)), key=len, default="")
    return [{"label": place.label, "about": place.about, "url": url, "current": url == here} for place, url in own]
