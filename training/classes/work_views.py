"""The assignments of a class: the list, everybody's progress, due dates, and new assignments."""

from typing import Any
from uuid import UUID

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from rules_engine.misconceptions import misconception
from rules_engine.narration import book_name, topic_name
from training.classes import selectors, services
from training.classes.forms import FRESH_ROWS, AssignmentForm, DueForm, FreshForm
from training.classes.models import Assignment, TrainingClass
from training.classes.undoing import cases_against
from training.classes.views import numbers_of, posted_numbers, taught
from training.library.author_texts import title
from training.people.access import allow
from training.people.models import Role, User
from training.people.request import language, person
from training.platform.errors import Refused
from training.practice import wrong_rules
from training.practice.models import Attempt

PAGE = 20


@allow(Role.INSTRUCTOR)
@require_safe
def work(request: HttpRequest, class_id: UUID) -> HttpResponse:
    room = taught(request, class_id)
    page = Paginator(room.assignments.order_by("-due_at", "pk"), PAGE).get_page(request.GET.get("page"))
    assignments = list(page)
    progress = selectors.work(assignments, selectors.trainees_of(room), timezone.now())
    rows = []
    for place, assignment in enumerate(assignments):
        each = [lines[place] for lines in progress.values() if lines[place].assigned]
        rows.append(
            {
                "assignment": assignment,
                "finished": sum(not item.left for item in each),
                "trainees": len(each),
                "late": sum(item.late for item in each),
                "scenarios": max((item.total for item in each), default=0),
            }
        )
    return render(request, "classes/work.html", {"room": room, "tab": "work", "page": page, "rows": rows})


@allow(Role.INSTRUCTOR)
@require_safe
def assignment(request: HttpRequest, class_id: UUID, assignment_id: UUID) -> HttpResponse:
    return _assignment_page(request, *_found(request, class_id, assignment_id))


def _found(request: HttpRequest, class_id: UUID, assignment_id: UUID) -> tuple[TrainingClass, Assignment]:
    room = taught(request, class_id)
    found = room.assignments.select_related("training_class", "set_by").filter(pk=assignment_id).first()
    if found is None:
        raise Http404
    return room, found


def _assignment_page(
    request: HttpRequest, room: TrainingClass, found: Assignment, *, status: int = 200, form: DueForm | None = None
) -> HttpResponse:
    """Who did what, who is late, and a form to change the due date."""
    rows = _lines(room, found, chosen=set(posted_numbers(request, "trainees")))
    context = {
        "room": room,
        "tab": "work",
        "assignment": found,
        "scenarios": [(version, title(version, language())) for version in found.versions.order_by("pk")],
        "fresh": [
            (
                book_name(kind["rulebook"], language()),
                topic_name(kind["rulebook"], kind["topic"], language()),
                kind["count"],
            )
            for kind in found.fresh
        ],
        "rows": rows,
        "late": sum(row["work"].late for row in rows),
        "finished": sum(not row["work"].left for row in rows),
        "form": form or DueForm(),
    }
    return render(request, "classes/assignment.html", context, status=status)


def _lines(room: TrainingClass, found: Assignment, *, chosen: set[int]) -> list[dict[str, Any]]:
    """What each trainee did of an assignment, who is late first; only those who have it or answered it."""
    people = selectors.roster(room)
    progress, answers = selectors.work([found], people, timezone.now()), selectors.answers_to(found)
    rows = [_line(who, progress[who.pk][0], answers.get(who.pk, []), found, who.pk in chosen) for who in people]
    rows = [row for row in rows if row["work"].assigned or row["answers"]]
    return sorted(rows, key=lambda row: (not row["work"].late, not row["work"].left))


def _line(
    who: User, work: selectors.SetWork, answers: list[Attempt], found: Assignment, chosen: bool
) -> dict[str, Any]:
    marks = [answer.mark for answer in answers if hasattr(answer, "mark")]
    return {
        "who": who,
        "work": work,
        "longer": work.due_at != found.due_at,
        "answers": [(answer, topic_name(answer.drill.rulebook, answer.drill.topic, language())) for answer in answers],
        "points": sum(mark.points for mark in marks),
        "of": sum(mark.of for mark in marks),
        "chosen": chosen,
    }


@allow(Role.INSTRUCTOR)
@require_POST
def extend(request: HttpRequest, class_id: UUID, assignment_id: UUID) -> HttpResponse:
    """Change the due date for everybody or for the ticked trainees."""
    room, found = _found(request, class_id, assignment_id)
    form = DueForm(request.POST)
    if not form.is_valid():
        return _assignment_page(request, room, found, status=422, form=form)
    only = None
    if "everybody" not in request.POST:
        only = list(selectors.trainees_of(room).filter(pk__in=posted_numbers(request, "trainees")))
    try:
        services.extend(found, person(request), due_at=form.cleaned_data["due"], only=only)
    except Refused as refusal:
        form.add_error(None, str(refusal))
        return _assignment_page(request, room, found, status=422, form=form)
    until = date_format(timezone.localtime(form.cleaned_data["due"]), "SHORT_DATE_FORMAT")
    if only is None:
        messages.success(request, _("Everybody has until %(date)s.") % {"date": until})
    else:
        names = ", ".join(who.name for who in only)
        messages.success(request, _("Longer, until %(date)s: %(names)s.") % {"date": until, "names": names})
    return redirect("class_assignment", room.pk, found.pk)


@allow(Role.INSTRUCTOR)
@require_http_methods(["GET", "HEAD", "POST"])
def work_scenarios(request: HttpRequest, class_id: UUID, assignment_id: UUID) -> HttpResponse:
    """Change which published scenarios an assignment has. Searching posts the form and keeps what is ticked."""
    room, found = _found(request, class_id, assignment_id)
    posted = request.method == "POST"
    numbers = set(posted_numbers(request, "versions")) if posted else {one.pk for one in found.versions.all()}
    error = ""
    if posted and "look" not in request.POST:
        try:
            services.change_scenarios(found, selectors.published_versions(numbers))
        except Refused as refusal:
            error = str(refusal.reason)
        else:
            messages.success(request, _("The scenarios of this work have been changed."))
            return redirect("class_assignment", room.pk, found.pk)
    asked = request.POST.get("q", "")
    context = {"room": room, "tab": "work", "assignment": found, "asked": asked, "error": error}
    context |= {"offered": _offered(room, asked, numbers)}
    return render(request, "classes/work_scenarios.html", context, status=422 if error else 200)


@allow(Role.INSTRUCTOR)
@require_safe
def set_scenario(request: HttpRequest, version_id: int) -> HttpResponse:
    """Choose the class that a published scenario is set for; with one class, go straight to its form."""
    found = selectors.published_versions([version_id])
    if not found:
        raise Http404
    rooms = [room for room in selectors.taught_by(person(request)) if not room.closed_at]
    fit = [room for room in rooms if found[0].rulebook in room.books]
    if len(fit) == 1:
        return redirect(f"{reverse('assign', args=[fit[0].pk])}?versions={version_id}")
    context = {"version": found[0], "title": title(found[0], language()), "rooms": fit}
    return render(request, "classes/set_scenario.html", context)


@allow(Role.INSTRUCTOR)
@require_http_methods(["GET", "HEAD", "POST"])
def assign(request: HttpRequest, class_id: UUID) -> HttpResponse:
    """Set work. Searching for scenarios posts the whole form and shows it again with what was typed."""
    room = taught(request, class_id)
    if request.method != "POST":
        return _form_page(request, room, *_filled(_suggested(request.GET, room), room))
    if "look" in request.POST:
        return _form_page(request, room, *_filled(request.POST, room))
    form = AssignmentForm(request.POST)
    lines = [FreshForm(request.POST, prefix=f"fresh{number}", **_about(room)) for number in range(FRESH_ROWS)]
    numbers = set(posted_numbers(request, "versions"))
    chosen = selectors.published_versions(numbers)
    if len(chosen) < len(numbers):
        form.add_error(None, _("A scenario you chose is no longer published; it has been taken off the list."))
    if not all([form.is_valid(), *(line.is_valid() for line in lines)]):
        return _form_page(request, room, form, lines, status=422)
    try:
        services.assign(
            room,
            person(request),
            title=form.cleaned_data["title"],
            due_at=form.cleaned_data["due"],
            versions=chosen,
            fresh=[kind for line in lines if (kind := line.chosen())],
            only=selectors.trainees_of(room).filter(pk__in=posted_numbers(request, "trainees")),
        )
    except Refused as refusal:
        form.add_error(None, str(refusal))
        return _form_page(request, room, form, lines, status=422)
    messages.success(request, _("The work has been set. The trainees see it on their home page."))
    return redirect("class_work", room.pk)


def _about(room: TrainingClass) -> dict[str, Any]:
    return {"language": language(), "rulebooks": room.books}


def _suggested(asked: QueryDict, room: TrainingClass) -> QueryDict:
    """The form as a link suggests it: a topic, or cases that undo a wrong idea (`rulebook/idea`)."""
    found = QueryDict(mutable=True)
    if "topic" in asked:
        found["fresh0-topic"] = str(asked["topic"])
    book, _slash, id = asked.get("idea", "").partition("/")
    one = misconception(book, id) if book in room.books else None
    against = cases_against(book, id) if one else None
    if one and against:
        found["title"] = wrong_rules.told(book, one, language()).said[:120]
        found["fresh0-topic"] = f"{book}/{against.topic}"
        found["fresh0-difficulty"], found["fresh0-count"] = str(against.difficulty), str(against.cases)
    return found


def _holding(asked: QueryDict, room: TrainingClass) -> set[int]:
    """The trainees of the class who seem to hold the wrong idea that a link names."""
    book, _slash, id = asked.get("idea", "").partition("/")
    if book not in room.books or not id:
        return set()
    held = wrong_rules.held_by([who.pk for who in selectors.roster(room)], [book])
    return {who for who, ideas in held.items() if (book, id) in ideas}


def _filled(posted: QueryDict, room: TrainingClass) -> tuple[AssignmentForm, list[FreshForm]]:
    """The forms with what was typed so far, not validated."""
    form = AssignmentForm(initial={name: posted[name] for name in ("title", "due") if name in posted})
    lines = []
    for number in range(FRESH_ROWS):
        prefix = f"fresh{number}"
        names = [name for name in ("topic", "difficulty", "count") if f"{prefix}-{name}" in posted]
        typed = {name: posted[f"{prefix}-{name}"] for name in names}
        lines.append(FreshForm(prefix=prefix, initial=typed, **_about(room)))
    return form, lines


def _form_page(
    request: HttpRequest, room: TrainingClass, form: AssignmentForm, lines: list[FreshForm], *, status: int = 200
) -> HttpResponse:
    asked = request.POST.get("q", "")
    # A scenario's own page links here with the scenario chosen.
    chosen = set(posted_numbers(request, "versions") or numbers_of(request.GET.getlist("versions")))
    offered = _offered(room, asked, chosen)
    # So does a trainee's page, with the trainee.
    ticked = set(posted_numbers(request, "trainees") or numbers_of(request.GET.getlist("trainee")))
    ticked |= _holding(request.GET, room) if request.method != "POST" else set()
    people = [(who, who.pk in ticked) for who in selectors.roster(room)]
    context = {"room": room, "tab": "work", "form": form, "lines": lines, "offered": offered, "asked": asked}
    context |= {"people": people, "some": any(chosen for _who, chosen in people)}
    return render(request, "classes/assign.html", context, status=status)


def _offered(room: TrainingClass, asked: str, chosen: set[int]) -> list[dict[str, Any]]:
    """The scenarios chosen, then those that can be."""
    return [
        {
            "version": version,
            "title": title(version, language()),
            "topic": topic_name(version.rulebook, version.topic, language()),
            "chosen": version.pk in chosen,
        }
        for version in selectors.published(room.books, asked, chosen)
    ]


@allow(Role.INSTRUCTOR)
@require_POST
def withdraw(request: HttpRequest, class_id: UUID, assignment_id: UUID) -> HttpResponse:
    room, found = _found(request, class_id, assignment_id)
    services.withdraw(found)
    messages.success(
        request, _("“%(title)s” has been withdrawn. Answers already given are kept.") % {"title": found.title}
    )
    return redirect("class_work", room.pk)
