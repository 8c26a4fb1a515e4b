"""The home page."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from training.classes.selectors import assignments_of
from training.home import presentation, selectors
from training.home.ahead import ahead_of
from training.mastery.selectors import rules as rules_of
from training.people import proxies
from training.people.access import signed_in
from training.people.models import Role, User
from training.people.request import language, person
from training.practice import rule_map
from training.practice import selectors as practice_selectors
from training.practice.study import study_of
from training.practice.views import day_context

PLOT_DAYS = 30


@signed_in
@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """What to do today for a trainee; for everybody, where they can go."""
    user = person(request)
    context = _trainee_home(user) if Role.TRAINEE in user.roles else {}
    if Role.ADMINISTRATOR in user.roles:
        context["everybody_is_one"] = proxies.everybody_is_one()
    return render(request, "home.html", context)


def _trainee_home(trainee: User) -> dict[str, Any]:
    now, study = timezone.now(), study_of(trainee)
    rules = rules_of(trainee, study.rulebooks, now)
    planned, days = day_context(trainee, study, now), selectors.last_days(trainee, now, PLOT_DAYS)
    done = bool(planned["day"] and planned["day"].complete)
    return planned | {
        "study": study,
        "book": study.rulebooks[0],
        "ahead": ahead_of(trainee, now, language()),
        "rhythm": presentation.rhythm(days, study.minutes, done=done),
        "set_work": [work for work in assignments_of(trainee, now) if work.left],
        "progress": rule_map.progress(rules, language()),
        "weak_spots": selectors.weak_spots(rules, language()),
        "plot": presentation.plot(days),
        "latest": practice_selectors.latest(trainee, language()),
    }
