"""The pages of the library: the list, and one version with the acts on it."""

from dataclasses import replace
from typing import Any

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from rules_engine.errors import EngineError
from rules_engine.narration import refusal
from training.library import (
    authors,
    drafts,
    guarded_cases,
    margin_remarks,
    presentation,
    selectors,
    services,
    suspension,
)
from training.library.author_texts import title, without_notes
from training.library.exam_bank import exposure
from training.library.forms import FilterForm
from training.library.import_export import MAX_SCENARIOS
from training.library.markdown import render as render_markdown
from training.library.models import Remark, Version
from training.library.moments import Moment, moments
from training.library.version_diff import Comparison, compared
from training.people.access import allow
from training.people.models import Role, User
from training.people.request import about, by_htmx
from training.people.request import language as language
from training.people.request import person as person
from training.platform.errors import Refused, why_not

PAGE = 25
SUSPENDED_PAGE = 10
MOST_DIGITS = 18
Words = dict[str, dict[str, str]]
# Acts on one part of a version, and the form field that says which.
NAMED = {"remove_moment": "moment", "add_author": "person", "remove_author": "person"}


@allow(Role.INSTRUCTOR)
@require_safe
def library(request: HttpRequest) -> HttpResponse:
    """The list of scenarios, with the filters of the query string."""
    form = FilterForm(request.GET, language=language())
    page = Paginator(selectors.versions(form.filters()), PAGE).get_page(request.GET.get("page"))
    context = {
        "form": form,
        "page": page,
        "lines": presentation.lines(list(page), language()),
        "query": without_page(request),
        "parts": range(1, -(-page.paginator.count // MAX_SCENARIOS) + 1),
        "filtered": sum(bool(request.GET.get(name)) for name in form.fields),
    }
    return render(request, "library/library.html", context, status=200 if form.is_valid() else 422)


@allow(Role.INSTRUCTOR)
@require_safe
def version(request: HttpRequest, version_id: int) -> HttpResponse:
    return version_page(request, found_version(request, version_id))


@allow(Role.INSTRUCTOR)
@require_safe
def drawn(request: HttpRequest, version_id: int) -> HttpResponse:
    """The table of a version, for lists; fetched when its row comes into view."""
    found = found_version(request, version_id)
    if not by_htmx(request):
        return redirect("version", found.pk)
    try:
        return render(request, "library/drawing.html", {"table": presentation.drawing(found.scenario)})
    except EngineError:
        return HttpResponse("")


@allow(Role.INSTRUCTOR)
@require_POST
def act(request: HttpRequest, version_id: int) -> HttpResponse:
    """Do an act on a version. If it is refused, the page says why and keeps the comment."""
    found = found_version(request, version_id)
    name, comment, actor = request.POST.get("act", ""), request.POST.get("comment", ""), person(request)
    try:
        if name in NAMED:
            done, message = _do_to_one(name, found, actor, _number(request, NAMED[name]))
        else:
            done, message = _do(name, found, actor, comment, reserved="reserved" in request.POST)
    except Refused as refusal:
        return version_page(
            request,
            found_version(request, version_id),
            status=refusal.status,
            error=str(refusal.reason),
            comment=comment,
            tried=name,
            reserved="reserved" in request.POST,
        )
    messages.success(request, message)
    return redirect("version", done.pk)


def _do(name: str, found: Version, actor: User, comment: str, *, reserved: bool) -> tuple[Version, str]:
    if name == "submit":
        return services.submit_for_review(found, actor), _("Sent to review. A second instructor publishes it.")
    if name == "send_back" and authors.writes(found, actor):
        return services.send_back(found, actor, comment), _("Taken back. It is your draft again.")
    if name == "send_back":
        return services.send_back(found, actor, comment), _("Sent back to its author.")
    if name == "publish" and reserved:
        published = services.publish(found, actor, comment, reserved=True)
        return published, _("Published for the exam bank. Only candidates will see it, in exams.")
    if name == "publish":
        return services.publish(found, actor, comment), _("Published. Trainees may get it from now on.")
    if name == "release":
        return services.release(found, actor, comment), _("Released for practice. It no longer comes up in exams.")
    if name == "retire":
        return services.retire(found, actor, comment), _("Retired. Answers already given are kept.")
    if name == "new_version":
        return drafts.new_version(found.item, actor), _("New draft created. The published version stays as it is.")
    raise Refused(_("There is no such action."))


def _do_to_one(name: str, found: Version, actor: User, number: int) -> tuple[Version, str]:
    """An act on one of its moments or one of its authors."""
    if name == "remove_moment":
        return drafts.remove_moment(found, actor, number), _("The moment has been taken out of the story.")
    who = User.objects.filter(pk=number).first()
    if who is None:
        raise Refused(_("Choose somebody."))
    if name == "add_author":
        return authors.add(found, actor, who), _("%(name)s now writes it with you and has been told.") % {
            "name": who.name
        }
    return authors.remove(found, actor, who), _("%(name)s is no longer a co-author.") % {"name": who.name}


def _number(request: HttpRequest, name: str) -> int:
    posted = request.POST.get(name, "")
    return int(posted) if posted.isascii() and posted.isdecimal() and len(posted) < MOST_DIGITS else 0


@allow(Role.INSTRUCTOR)
@require_POST
def in_the_margin(request: HttpRequest, version_id: int) -> HttpResponse:
    """Add, answer or settle a remark. If that is refused, the page keeps what was typed."""
    found, actor = found_version(request, version_id), person(request)
    text, about = request.POST.get("text", ""), request.POST.get("about", "")
    number = _number(request, "about")
    try:
        if "settle" in request.POST:
            margin_remarks.settle(found, actor, number)
        elif about:
            margin_remarks.answer(found, actor, number, text)
        else:
            margin_remarks.remark(found, actor, request.POST.get("part", ""), text)
    except Refused as refusal:
        error = str(refusal.reason)
        return version_page(
            request, found_version(request, version_id), status=refusal.status, error=error, remark=text
        )
    return redirect(f"{reverse('version', args=[found.pk])}#margin")


@allow(Role.INSTRUCTOR)
@require_safe
def suspended(request: HttpRequest) -> HttpResponse:
    """The suspended versions, with the old and the new ruling."""
    page = Paginator(selectors.suspended(), SUSPENDED_PAGE).get_page(request.GET.get("page"))
    acts = selectors.suspensions(list(page))
    reader, watches = person(request), guarded_cases.Watches()
    open_to = [item for item in page if not watches.close(item, reader)]
    about(request, *(item.rulebook for item in open_to))
    rows = [suspension.suspension(item, acts[item.pk], language()) for item in open_to]
    return render(request, "library/suspended.html", {"page": page, "rows": rows})


def version_page(
    request: HttpRequest,
    found: Version,
    *,
    status: int = 200,
    error: str = "",
    comment: str = "",
    tried: str = "",
    reserved: bool = False,
    remark: str = "",
) -> HttpResponse:
    siblings = selectors.siblings(found)
    acts = services.allowed_acts(found, person(request), latest=siblings[0].pk == found.pk)
    context: dict[str, Any] = {
        "version": found,
        "title": title(found, language()),
        "siblings": siblings,
        "history": selectors.history(found),
        "acts": acts,
        "not_reviewed_by": _why_no_reviewer(found, person(request)),
        "error": error,
        "comment": comment,
        "tried": tried,
        "reserved": reserved,
        "remark": remark,
        **margin_remarks.context(found, person(request)),
        "exposure": exposure(found.item_id) if found.reserved else None,
        "co_authors": authors.co_authors(found),
        "possible_authors": authors.possible(found) if "add_author" in acts else [],
        **_moments_context(found, person(request)),
    }
    if context["kept"]:
        context["margin"] = [part for part in context["margin"] if part[0] != Remark.Part.RULING]
    if found.number > 1:
        context["comparison"] = _comparison(found, person(request))
    if found.state == Version.State.SUSPENDED and not context["kept"]:
        context["suspension"] = suspension.suspension(found, selectors.suspensions([found])[found.pk], language())
    return render(request, "library/version.html", context, status=status)


def _why_no_reviewer(found: Version, actor: User) -> str:
    """Why this person may not review a version in review; empty for its authors."""
    if found.state != Version.State.IN_REVIEW or authors.writes(found, actor):
        return ""
    return why_not(authors.verify_reviews, found, actor)


def _shown_words(words: dict[str, dict[str, str]]) -> list[tuple[str, dict[str, str]]]:
    return [
        (code, {name: text if name == "title" else render_markdown(text) for name, text in fields.items()})
        for code, fields in words.items()
    ]


def _comparison(found: Version, reader: User) -> Comparison | None:
    """What changed since the version before; without texts and rulings if this person may not see both rulings."""
    made = compared(found, language())
    watches = guarded_cases.Watches()
    if made and any(watches.close(one, reader) for one in (made.before, found)):
        return replace(made, ruling=[], words=[])
    return made


def _moments_context(found: Version, reader: User) -> dict[str, Any]:
    """The first moment, and the later ones of a story under `later`."""
    first, *later = moments(found)
    return _moment_context(first, found.words, reader) | {
        "moments_told": len(later) + 1,
        "later": [
            {"number": moment.number, **_moment_context(moment, stored["words"], reader)}
            for moment, stored in zip(later, found.moments, strict=True)
        ],
    }


def _moment_context(moment: Moment, words: Words, reader: User) -> dict[str, Any]:
    """A moment with its published ruling or, before publication, the engine's current one.

    If the reader may not see the ruling, the teaching note is hidden too."""
    try:
        scenario = moment.scenario
        ruling = guarded_cases.ruling_for(reader, scenario, moment.ruling, noted=not moment.version.reserved)
        return {
            "told": presentation.told(scenario, ruling, language()),
            "kept": ruling is None,
            "shown_words": _shown_words(words if ruling else without_notes(words)),
            "remarks": presentation.odd(scenario, moment.accepted, language()),
            "table": presentation.drawing(scenario),
            "table_after": presentation.drawing(scenario, ruling) if ruling and ruling.after else None,
        }
    except EngineError as problem:
        kept = guarded_cases.Watches().close(moment.version, reader)
        shown = _shown_words(without_notes(words) if kept else words)
        return {"problem": refusal(problem, language()), "kept": kept, "shown_words": shown}


def found_version(request: HttpRequest, version_id: int) -> Version:
    try:
        found = selectors.version_of(version_id)
    except Version.DoesNotExist:
        raise Http404 from None
    about(request, found.rulebook)
    return found


def asked_moment(request: HttpRequest, found: Version) -> Moment:
    """The moment of a story in the query string; the first by default."""
    asked = request.GET.get("moment", "1")
    known = {str(moment.number): moment for moment in moments(found)}
    if asked not in known:
        raise Http404
    return known[asked]


def without_page(request: HttpRequest) -> str:
    """The query string without the page number, for links to other pages of the list."""
    query = request.GET.copy()
    query.pop("page", None)
    return query.urlencode()
