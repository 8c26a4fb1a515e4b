"""The menu of each role, for the header and the home page."""

from dataclasses import dataclass
from itertools import accumulate
from typing import Any

from django.conf import settings
from django.http import HttpRequest
from django.urls import reverse
from django.utils.functional import Promise, SimpleLazyObject
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from training.people import sign_on
from training.people.models import Role


@dataclass(frozen=True)
class Entry:
    route: str
    roles: frozenset[Role]
    label: Promise
    about: Promise


ENTRIES = [
    Entry(
        "practice",
        frozenset({Role.TRAINEE}),
        _("Practice"),
        _("Answer fresh scenarios and read the article behind every ruling."),
    ),
    Entry(
        "assigned",
        frozenset({Role.TRAINEE}),
        _("Set work"),
        _("What your instructors set for you, and until when."),
    ),
    Entry(
        "own_exams",
        frozenset({Role.TRAINEE}),
        _("Exams"),
        _("Exams you are entered for, mock exams, results and appeals."),
    ),
    Entry(
        "own_certificates",
        frozenset({Role.TRAINEE}),
        _("Certificates"),
        _("What you may deal, until when, and the documents to show."),
    ),
    Entry(
        "classes",
        frozenset({Role.INSTRUCTOR}),
        _("Classes"),
        _("Enrol trainees, set work, and see who is stuck and who is ready."),
    ),
    Entry(
        "library",
        frozenset({Role.INSTRUCTOR}),
        _("Scenarios"),
        _("Generate, write, review and publish scenarios."),
    ),
    Entry(
        "search",
        frozenset({Role.INSTRUCTOR}),
        pgettext_lazy("page", "Search"),
        _("Incidents, articles, official wordings, readings and scenarios in one search."),
    ),
    Entry(
        "rulebooks",
        frozenset({Role.TRAINEE, Role.INSTRUCTOR, Role.ADMINISTRATOR}),
        _("Rulebooks"),
        _("Every article with an example, and how rulebooks differ."),
    ),
    Entry(
        "odds",
        frozenset({Role.INSTRUCTOR, Role.ADMINISTRATOR}),
        _("Odds"),
        _("What every bet wins and pays, and what it leaves the house, exactly."),
    ),
    Entry(
        "item_figures",
        frozenset({Role.INSTRUCTOR}),
        _("Figures"),
        _("How scenarios perform, and what trainees flagged."),
    ),
    Entry(
        "hr_desk",
        frozenset({Role.HR, Role.AUDITOR}),
        _("Staff"),
        _("Who may deal which game, certificates about to expire, staff lists and exports."),
    ),
    Entry(
        "programmes",
        frozenset({Role.INSTRUCTOR, Role.ADMINISTRATOR, Role.AUDITOR}),
        _("Programmes"),
        _("What is certified, what the exam asks, and what it takes to pass."),
    ),
    Entry(
        "sessions",
        frozenset({Role.INSTRUCTOR, Role.ADMINISTRATOR}),
        _("Exam sessions"),
        _("Set up exams, enter candidates and invigilate."),
    ),
    Entry(
        "sessions",
        frozenset({Role.HR, Role.AUDITOR}),
        _("Exam sessions"),
        _("Which exams there are, and who is entered."),
    ),
    Entry(
        "results",
        frozenset({Role.INSTRUCTOR, Role.ADMINISTRATOR}),
        _("Results"),
        _("Decide on and release graded exams, and see how well the exams measure."),
    ),
    Entry("results", frozenset({Role.AUDITOR}), _("Results"), _("How exams were marked, who decided, and why.")),
    Entry(
        "appeals",
        frozenset({Role.INSTRUCTOR, Role.ADMINISTRATOR, Role.AUDITOR}),
        _("Appeals"),
        _("Questions that candidates contest, by when to decide, and who may."),
    ),
    Entry(
        "regrades",
        frozenset({Role.ADMINISTRATOR, Role.AUDITOR}),
        _("Regrades"),
        _("Grade a programme again after a correction; nothing changes until it is published."),
    ),
    Entry(
        "people",
        frozenset({Role.ADMINISTRATOR, Role.AUDITOR}),
        _("People"),
        _("Who may sign in and in which role; invitations; closing and reopening accounts."),
    ),
    Entry(
        "house_settings",
        frozenset({Role.ADMINISTRATOR, Role.AUDITOR}),
        _("House"),
        _("What the house is called, who signs, its languages, what it requires and how long it keeps things."),
    ),
    Entry(
        "house_tables",
        frozenset({Role.INSTRUCTOR, Role.ADMINISTRATOR}),
        _("Tables"),
        _("The currency, chips and limits of the house's tables."),
    ),
    Entry(
        "webhooks",
        frozenset({Role.ADMINISTRATOR}),
        _("Other systems"),
        _("Systems of the house that are notified of every change to a certificate."),
    ),
    Entry(
        "name_corrections",
        frozenset({Role.HR, Role.ADMINISTRATOR}),
        _("Second signatures"),
        _("New names, and certificates without a confirmed identity, which a second person confirms."),
    ),
    Entry(
        "mail",
        frozenset({Role.HR, Role.ADMINISTRATOR}),
        _("E-mail"),
        _("What was sent to whom, what is waiting, and what could not be sent."),
    ),
    Entry(
        "audit",
        frozenset({Role.ADMINISTRATOR, Role.AUDITOR}),
        _("Audit log"),
        _("Every action that matters, in order, and sealed."),
    ),
]


# The letters that fit on one line of a desktop screen, and the gap beside each label; the rest goes under “More”.
LINE, GAP = 84, 2


def menu(request: HttpRequest) -> dict[str, Any]:
    """Template context: the person's menu, computed only by pages that show it, whether this is the demo, and the
    sign-on with the directory if there is one."""
    return {
        "menu": SimpleLazyObject(lambda: _menu_of(request)),
        "demo": settings.DEMO,
        "sign_on": {"name": settings.SIGN_ON_NAME, "passwords_off": sign_on.passwords_off} if sign_on.is_on() else None,
    }


def _menu_of(request: HttpRequest) -> list[dict[str, Any]]:
    if not request.user.is_authenticated:
        return []
    roles = request.user.roles
    found_by_route = {entry.route: entry for entry in reversed(ENTRIES) if not entry.roles.isdisjoint(roles)}
    own = [(entry, reverse(entry.route)) for entry in ENTRIES if found_by_route.get(entry.route) is entry]
    # One entry may be inside another, as sessions are inside exams: the innermost is the current one.
    here = max((url for _entry, url in own if request.path.startswith(url)), key=len, default="")
    if not here and request.path.startswith((reverse("results"), reverse("appeals"))):
        here = reverse("own_exams")  # a trainee's results and appeals are tabs of their exams
    if not here and request.path.startswith(reverse("exam_statistics")):
        here = reverse("results")
    room, found = _room([str(entry.label) for entry, _url in own]), []
    for number, (entry, url) in enumerate(own):
        found.append(
            {"label": entry.label, "about": entry.about, "url": url, "current": url == here, "more": number >= room}
        )
    return found


def _room(labels: list[str]) -> int:
    """How many labels fit on the line, beside “More” if not all do."""
    ends = list(accumulate(len(label) + GAP for label in labels))
    if not ends or ends[-1] <= LINE:
        return len(labels)
    return sum(end + len(str(_("More"))) <= LINE for end in ends)
