"""Pages for programmes: the list, one with its versions, differences, publishing, and examiners."""

from datetime import datetime
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from exams import clock
from exams.programmes import law, selectors, services, standard, supplies, telling_apart, validation, words
from exams.programmes.models import Programme, ProgrammeVersion
from exams.programmes.selectors import History
from rules_engine.misconceptions import Misconception, misconception
from training.classes.selectors import people
from training.classes.views import posted_person
from training.people.access import allow, signed_in
from training.people.models import Role, User
from training.people.request import about, language, person
from training.platform.errors import Refused, passes, why_not
from training.practice import wrong_rules

write = allow(*services.WRITERS)
read = allow(*services.WRITERS, readers=[Role.AUDITOR])


@signed_in
@require_safe
def programmes(request: HttpRequest) -> HttpResponse:
    """All programmes; people who neither write nor audit them only see those in force."""
    who = person(request)
    rows = [
        {"history": history, "name": history.latest.name(language()), "scope": words.scope(history.latest.rules)}
        for history in selectors.programmes(with_drafts=may_read(who))
    ]
    return render(request, "programmes/programmes.html", {"rows": rows, "writes": may_write(who)})


@signed_in
@require_safe
def programme(request: HttpRequest, programme_id: UUID) -> HttpResponse:
    """The version in force in words; writers and auditors also see all versions, the draft and the examiners."""
    history = found(request, programme_id)
    return programme_page(request, history, history.latest)


@read
@require_safe
def version(request: HttpRequest, programme_id: UUID, version_number: int) -> HttpResponse:
    history = found(request, programme_id)
    return programme_page(request, history, numbered(history, str(version_number)))


@read
@require_safe
def wrong_ideas(request: HttpRequest, programme_id: UUID, version_number: int) -> HttpResponse:
    """Which usual wrong rules a paper of this version tells apart from the right ones, and which not."""
    history = found(request, programme_id)
    shown = numbered(history, str(version_number))
    about(request, *shown.rules.rulebooks)
    listed = [
        (one.cases, wrong_rules.told(book, one.wrong, language()))
        for one in telling_apart.of_programme(shown.rules)
        for book in [_book_of(one.wrong, shown)]
    ]
    context = {
        "programme": history.programme,
        "version": shown,
        "name": shown.name(language()),
        "missed": [idea for cases, idea in listed if not cases],
        "told": [(cases, idea) for cases, idea in reversed(listed) if cases],
    }
    return render(request, "programmes/wrong_ideas.html", context)


def _book_of(wrong: Misconception, shown: ProgrammeVersion) -> str:
    """The first rulebook of the exam that a wrong rule is about."""
    books = dict.fromkeys(slot.line.rulebook for slot in shown.rules.slots)
    return next(book for book in books if misconception(book, wrong.id))


def programme_page(
    request: HttpRequest, history: History, shown: ProgrammeVersion, *, notice: str = ""
) -> HttpResponse:
    about(request, *shown.rules.rulebooks)
    who, draft = person(request), history.draft
    writes, reads = may_write(who), may_read(who)
    panel = standard.panel(shown) if reads else None
    context = {
        "history": history,
        "programme": history.programme,
        "version": shown,
        "name": shown.name(language()),
        "groups": words.rules_in_words(shown),
        "outdated": _outdated(shown),
        "rooms": [(words.kind_of_line(room.line, shown.rules), room.candidates) for room in supplies.rooms_of(shown)],
        "most_room": supplies.MOST,
        "cut": panel.cut if panel else None,
        "judges": panel.judges if panel else 0,
        "writes": writes,
        "reads": reads,
        "administers": Role.ADMINISTRATOR in who.roles,
        "own_draft": draft is not None and draft.author_id == who.pk,
        "hindrance": why_not(services.verify_publish, draft, who) if draft else "",
        "may_discard": draft is not None and passes(services.verify_discard, draft, who),
        "examiners": selectors.examiners(history.programme) if reads else [],
        "notice": notice,
    }
    return render(request, "programmes/programme.html", context)


def _outdated(shown: ProgrammeVersion) -> list[str]:
    """Why no session of the version in force can be held today: the law it examines has been replaced."""
    if shown.state != ProgrammeVersion.State.PUBLISHED:
        return []
    return [law.told(wrong, clock.today()) for wrong in law.outdated(law.examined(shown.rules), clock.today())]


@read
@require_safe
def compare(request: HttpRequest, programme_id: UUID) -> HttpResponse:
    """The differences between two versions, by default the last two."""
    history = found(request, programme_id)
    newest = history.versions[: 2 if len(history.versions) > 1 else 1]
    one = numbered(history, request.GET.get("one", str(newest[-1].number)))
    other = numbered(history, request.GET.get("other", str(newest[0].number)))
    about(request, *one.rules.rulebooks, *other.rules.rulebooks)
    context = {
        "history": history,
        "name": history.latest.name(language()),
        "one": one,
        "other": other,
        "differences": words.differences(one, other),
    }
    return render(request, "programmes/compare.html", context)


@write
@require_POST
def new_version(request: HttpRequest, programme_id: UUID) -> HttpResponse:
    try:
        services.new_version(found(request, programme_id).programme, person(request))
    except Refused as refusal:
        messages.error(request, str(refusal))
        return redirect("programme", programme_id)
    return redirect("programme_draft", programme_id)


@write
@require_POST
def discard(request: HttpRequest, programme_id: UUID) -> HttpResponse:
    draft = draft_of(found(request, programme_id))
    try:
        services.discard_draft(draft, person(request))
    except Refused as refusal:
        messages.error(request, str(refusal))
        return redirect("programme", programme_id)
    messages.success(request, _("The draft has been discarded."))
    return redirect("programme", programme_id) if draft.number > 1 else redirect("programmes")


@write
@require_http_methods(["GET", "HEAD", "POST"])
def publish(request: HttpRequest, programme_id: UUID) -> HttpResponse:
    """Show what will apply, and publish once a second person has confirmed."""
    history = found(request, programme_id)
    draft = draft_of(history)
    if request.method != "POST":
        return _confirmation(request, history, draft)
    try:
        seen = datetime.fromisoformat(request.POST.get("seen", ""))
    except ValueError:
        return _confirmation(request, history, draft, status=422)
    try:
        services.publish(draft, person(request), seen=seen)
    except Refused as refusal:
        return _confirmation(request, found(request, programme_id), draft, error=str(refusal), status=409)
    messages.success(request, _("Version %(number)d is in force.") % {"number": draft.number})
    return redirect("programme", programme_id)


def _confirmation(
    request: HttpRequest, history: History, draft: ProgrammeVersion, *, error: str = "", status: int = 200
) -> HttpResponse:
    draft = history.draft or draft
    about(request, *draft.rules.rulebooks)
    held = history.in_force
    hindrance = why_not(services.verify_publish, draft, person(request))
    context: dict[str, Any] = {
        "history": history,
        "draft": draft,
        "name": draft.name(language()),
        "groups": words.rules_in_words(draft),
        "differences": words.differences(held, draft) if held else [],
        "faults": validation.verify(draft.rules),
        "hindrance": hindrance,
        "seen": draft.changed_at.isoformat(),
        "error": error if error != hindrance else "",
    }
    return render(request, "programmes/publish.html", context, status=status)


@allow(Role.ADMINISTRATOR)
@require_http_methods(["GET", "HEAD", "POST"])
def examiners(request: HttpRequest, programme_id: UUID) -> HttpResponse:
    """Appoint or dismiss examiners of a programme."""
    history = found(request, programme_id)
    scheme = history.programme
    if request.method == "POST":
        if "appoint" in request.POST:
            who = posted_person(request, "appoint", people(Role.INSTRUCTOR))
            services.appoint_examiner(scheme, who, person(request))
            messages.success(request, _("%(name)s may examine in this programme.") % {"name": who.name})
        else:
            who = posted_person(request, "dismiss", User.objects.filter(examiner_of__programme=scheme))
            services.dismiss_examiner(scheme, who, person(request))
            messages.success(request, _("%(name)s is no longer an examiner here.") % {"name": who.name})
        return redirect("examiners", programme_id)
    asked = request.GET.get("q", "").strip()
    context = {
        "history": history,
        "name": history.latest.name(language()),
        "appointed": selectors.examiners(scheme),
        "anybody": history.latest.rules.examiners == "instructors",
        "asked": asked,
        "found": selectors.found_examiners(asked, scheme) if asked else [],
    }
    return render(request, "programmes/examiners.html", context)


def found(request: HttpRequest, programme_id: UUID) -> History:
    """The programme as far as this person may see it. Raises Http404."""
    try:
        return selectors.programme(programme_id, with_drafts=may_read(person(request)))
    except Programme.DoesNotExist:
        raise Http404 from None


def draft_of(history: History) -> ProgrammeVersion:
    if history.draft is None:
        raise Http404
    return history.draft


def numbered(history: History, number: str) -> ProgrammeVersion:
    shown = next((version for version in history.versions if str(version.number) == number), None)
    if shown is None:
        raise Http404
    return shown


def may_write(who: User) -> bool:
    return not services.WRITERS.isdisjoint(who.roles)


def may_read(who: User) -> bool:
    """Whether this person sees drafts, earlier versions and who set the pass mark."""
    return may_write(who) or who.only_reads
