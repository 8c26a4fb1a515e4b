"""The short lesson on a new version of a regulation: what changed, an example of each change, and practice."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from rules_engine.narration import book_name
from training.lessons import law_changes
from training.lessons.law_changes import Told
from training.lessons.path import Taught, path
from training.mastery.memory import Rule
from training.mastery.selectors import rules as rules_of
from training.people.access import allow
from training.people.models import Role
from training.people.request import about, language, person


@allow(Role.TRAINEE)
@require_safe
def law_lesson(request: HttpRequest, old: str, new: str) -> HttpResponse:
    """The changes between two versions with what the trainee knows of each, and a button to practise it."""
    books = law_changes.pair(old, new)
    if books is None:
        raise Http404
    about(request, old, new)
    now, spoken = timezone.now(), language()
    chapters = path(rules_of(person(request), [new], now), spoken, now)
    known = {taught.rule: taught for chapter in chapters for lesson in chapter.lessons for taught in lesson.rules}
    changes = law_changes.told(*books, spoken)
    context = {
        "old": old,
        "new": new,
        "names": [book_name(id, spoken) for id in (old, new)],
        "since": books[1].law.enacted.in_force,
        "spoken": books[1].language,
        "steps": [(change, _taught(change, known)) for change in changes],
        "left": sum(rule in known and known[rule].state == "new" for change in changes for rule in change.rules),
    }
    return render(request, "lessons/law_lesson.html", context)


def _taught(change: Told, known: dict[Rule, Taught]) -> list[Taught]:
    return [known[rule] for rule in change.rules if rule in known]
