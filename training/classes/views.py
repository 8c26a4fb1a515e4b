"""The pages of an instructor's classes: the list, the grid, the settings, and the export."""

from typing import Any
from uuid import UUID

from django.contrib import messages
from django.core.paginator import Paginator
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse, StreamingHttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.text import slugify
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from rules_engine import topics
from rules_engine.narration import book_name, books_by_game, topic_name
from training.classes import export, selectors, services
from training.classes.forms import ClassForm
from training.classes.grid import Progress, cells, means, progress
from training.classes.models import TrainingClass
from training.library.views import without_page
from training.people.access import allow
from training.people.models import Role, User
from training.people.request import about, language, person
from training.platform.errors import Refused
from training.platform.folded_text import alphabetical
from training.platform.spreadsheet_output import csv_lines
from training.practice import wrong_rules

PAGE = 25
GRID_PAGE = 50
MOST_NUMBERS = 200
LONGEST_NUMBER = 18  # digits of a primary key


@allow(Role.INSTRUCTOR)
@require_safe
def classes(request: HttpRequest) -> HttpResponse:
    page = Paginator(selectors.taught_by(person(request)), PAGE).get_page(request.GET.get("page"))
    rows = [(room, [book_name(book, language()) for book in room.books]) for room in page]
    return render(request, "classes/classes.html", {"page": page, "rows": rows})


@allow(Role.INSTRUCTOR)
@require_http_methods(["GET", "HEAD", "POST"])
def new_class(request: HttpRequest) -> HttpResponse:
    form = ClassForm(request.POST or None, language=language())
    if request.method == "POST" and form.is_valid():
        made = services.make_class(person(request), **form.cleaned_data)
        messages.success(request, _("The class has been created. Now enrol its trainees."))
        return redirect("class_people", made.pk)
    return render(request, "classes/new.html", {"form": form}, status=422 if form.is_bound else 200)


def _raising(standing: Progress) -> tuple[str, int] | None:
    """The topic that would raise a trainee's readiness most, by name, and by how much."""
    best = standing.knowledge.raises_most
    return (topic_name(*best[0], language()), best[1]) if best else None


@allow(Role.INSTRUCTOR)
@require_safe
def class_ideas(request: HttpRequest, class_id: UUID) -> HttpResponse:
    """The wrong rules that trainees of the class seem to hold, with how many hold each."""
    room = taught(request, class_id)
    about(request, *room.books)
    people = [who.pk for who in selectors.roster(room)]
    ideas = wrong_rules.counted(people, room.books, language())
    return render(request, "classes/ideas.html", {"room": room, "tab": "grid", "ideas": ideas})


@allow(Role.INSTRUCTOR)
@require_safe
def class_grid(request: HttpRequest, class_id: UUID) -> HttpResponse:
    """All trainees by all topics of one rulebook, with who is stuck and who is ready."""
    room = taught(request, class_id)
    everybody = progress(room, selectors.roster(room), timezone.now())
    show = request.GET.get("show", "")
    asked = request.GET.get("rulebook")
    book = asked if asked in room.books else next(iter(room.books), "")
    everybody.sort(key=lambda standing: standing.knowledge.readiness)
    page = Paginator(_shown(everybody, show), GRID_PAGE).get_page(request.GET.get("page"))
    lines = cells([standing.trainee for standing in everybody], book)
    context: dict[str, Any] = {
        "room": room,
        "tab": "grid",
        "book": book,
        "games": books_by_game(language(), room.books),
        "topics": [topic_name(book, topic, language()) for topic in topics(book)],
        "page": page,
        "rows": [(standing, lines[standing.trainee.pk], _raising(standing)) for standing in page],
        "means": means(lines.values()) if len(lines) > 1 else [],
        "show": show,
        "more": f"&show={show}" if show else "",
        "count": len(everybody),
        "stuck": sum(standing.stuck for standing in everybody),
        "ready": sum(standing.ready for standing in everybody),
        "query": without_page(request),
    }
    return render(request, "classes/grid.html", context)


def _shown(everybody: list[Progress], show: str) -> list[Progress]:
    if show == "stuck":
        return [standing for standing in everybody if standing.stuck]
    if show == "ready":
        return [standing for standing in everybody if standing.ready]
    return everybody


@allow(Role.INSTRUCTOR)
@require_safe
def export_class(request: HttpRequest, class_id: UUID) -> StreamingHttpResponse:
    room = taught(request, class_id)
    rows = export.rows(room, selectors.roster(room), timezone.now(), language())
    headers = {"Content-Disposition": f'attachment; filename="{slugify(room.name) or "class"}.csv"'}
    return StreamingHttpResponse(csv_lines(rows), content_type="text/csv; charset=utf-8", headers=headers)


@allow(Role.INSTRUCTOR)
@require_http_methods(["GET", "HEAD", "POST"])
def class_settings(request: HttpRequest, class_id: UUID) -> HttpResponse:
    room = taught(request, class_id)
    form = ClassForm(request.POST or None, language=language(), initial=ClassForm.facts(room))
    if request.method == "POST" and form.is_valid():
        services.change_class(room, **form.cleaned_data)
        messages.success(request, _("Saved."))
        return redirect("class_settings", room.pk)
    return settings_page(request, room, form=form, status=422 if form.is_bound else 200)


def settings_page(
    request: HttpRequest, room: TrainingClass, *, form: ClassForm | None = None, error: str = "", status: int = 200
) -> HttpResponse:
    asked = request.GET.get("q", "").strip()
    teachers = list(room.instructors.order_by(alphabetical("name"), "pk"))
    found = [who for who in selectors.found_people(asked, Role.INSTRUCTOR) if who not in teachers] if asked else []
    context = {
        "room": room,
        "tab": "settings",
        "form": form or ClassForm(language=language(), initial=ClassForm.facts(room)),
        "teachers": teachers,
        "asked": asked,
        "found": found,
        "error": error,
    }
    return render(request, "classes/settings.html", context, status=status)


@allow(Role.INSTRUCTOR)
@require_POST
def change_instructors(request: HttpRequest, class_id: UUID) -> HttpResponse:
    """Add or remove an instructor of the class."""
    room = taught(request, class_id)
    add = "add" in request.POST
    if add:
        who = posted_person(request, "add", selectors.people(Role.INSTRUCTOR))
    else:
        who = posted_person(request, "remove", room.instructors.all())
    try:
        services.add_instructor(room, who) if add else services.remove_instructor(room, who)
    except Refused as refusal:
        return settings_page(request, room, error=str(refusal), status=refusal.status)
    if add:
        messages.success(request, _("%(name)s now teaches this class.") % {"name": who.name})
        return redirect("class_settings", room.pk)
    messages.success(request, _("%(name)s no longer teaches this class.") % {"name": who.name})
    return redirect("classes") if who == person(request) else redirect("class_settings", room.pk)


@allow(Role.INSTRUCTOR)
@require_POST
def close_class(request: HttpRequest, class_id: UUID) -> HttpResponse:
    """Close a class, or open it again."""
    room = taught(request, class_id)
    if "open" in request.POST:
        services.reopen_class(room)
        messages.success(request, _("The class has been reopened."))
    else:
        services.close_class(room, person(request))
        messages.success(request, _("The class has been closed. Its record is kept."))
    return redirect("class_settings", room.pk)


def taught(request: HttpRequest, class_id: UUID) -> TrainingClass:
    """A class that the person teaches. Raises Http404 for any other."""
    try:
        return selectors.class_of(person(request), class_id)
    except TrainingClass.DoesNotExist:
        raise Http404 from None


def posted_person(request: HttpRequest, name: str, among: QuerySet[User]) -> User:
    """The posted person. Raises Http404 if they are not among those who may be chosen."""
    found = among.filter(pk__in=posted_numbers(request, name)).first()
    if found is None:
        raise Http404
    return found


def posted_numbers(request: HttpRequest, name: str) -> list[int]:
    """The posted primary keys, without invalid ones."""
    return numbers_of(request.POST.getlist(name))


def numbers_of(typed: list[str]) -> list[int]:
    """The primary keys, without invalid ones."""
    given = typed[:MOST_NUMBERS]
    return [int(number) for number in given if number.isascii() and number.isdigit() and len(number) <= LONGEST_NUMBER]
