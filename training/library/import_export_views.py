"""Views that make many drafts at once (generate, import), export, and acts on several scenarios."""

import secrets
from collections.abc import Iterable
from typing import Any

from django.contrib import messages
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseBase, JsonResponse, QueryDict, StreamingHttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, ngettext_lazy
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from rules_engine.errors import EngineError
from rules_engine.narration import refusal
from training.library import (
    authors,
    bulk,
    generated,
    guarded_cases,
    import_export,
    moments,
    presentation,
    scenario_list,
    selectors,
    services,
    spreadsheet,
)
from training.library.author_texts import title, word
from training.library.file_schema import file_schema as scenario_schema
from training.library.forms import FilterForm, GenerateForm, ImportForm
from training.library.models import Version
from training.people.access import allow
from training.people.models import Role, User
from training.people.request import about, language, person
from training.platform.errors import Refused, UnfitList, why_not
from training.platform.spreadsheet_output import csv_lines

MAX_SEED = 32
FIRST_SHOWN = 10
DONE = {
    "tag": ngettext_lazy("Tags added to %(count)d scenario.", "Tags added to %(count)d scenarios.", "count"),
    "untag": ngettext_lazy("Tags removed from %(count)d scenario.", "Tags removed from %(count)d scenarios.", "count"),
    "submit": ngettext_lazy("%(count)d scenario sent to review.", "%(count)d scenarios sent to review.", "count"),
    "publish": ngettext_lazy("%(count)d scenario published.", "%(count)d scenarios published.", "count"),
    "retire": ngettext_lazy("%(count)d scenario retired.", "%(count)d scenarios retired.", "count"),
}
LONGEST_NUMBER, LONGEST_PART = 18, 6


@allow(Role.INSTRUCTOR)
@require_safe
def generate(request: HttpRequest) -> HttpResponse:
    """Generate scenarios to pick from. The seed is in the URL, so a reload shows the same ones."""
    if "topic" not in request.GET:
        # Other pages link here with an article already chosen.
        initial = {name: request.GET[name] for name in ("article",) if name in request.GET}
        if "rulebook" in request.GET:
            initial["topic"] = f"{request.GET['rulebook']}/"
        return render(request, "library/generate.html", {"form": GenerateForm(language=language(), initial=initial)})
    return _offer(request, request.GET)


def _offer(request: HttpRequest, asked: QueryDict, *, error: str = "") -> HttpResponse:
    form = GenerateForm(asked, language=language())
    if not form.is_valid():
        return render(request, "library/generate.html", {"form": form, "error": error}, status=422)
    seed = asked.get("seed", "")[:MAX_SEED]
    if not seed.isalnum() or not seed.isascii():
        query = asked.copy()
        query["seed"] = secrets.token_hex(8)
        return redirect(f"{reverse('generate_scenarios')}?{query.urlencode()}")
    wanted = form.cleaned_data
    wish = generated.Wish(wanted["rulebook"], wanted["topic_id"], wanted["article"], wanted["difficulty"], seed)
    offered = generated.offer(wish, wanted["count"])
    about(request, wanted["rulebook"])
    told = [presentation.told(item.scenario, item.scenario.solve(), language()) for item in offered]
    context = {
        "form": form,
        "offered": [(item.token, facts) for item, facts in zip(offered, told, strict=True)],
        "fewer": len(offered) < wanted["count"],
        "back": asked.urlencode(),
        "error": error,
    }
    return render(request, "library/generate.html", context, status=422 if error else 200)


@allow(Role.INSTRUCTOR)
@require_safe
def candidate(request: HttpRequest) -> HttpResponse:
    """The drawing of one offered scenario, fetched when the reader opens it."""
    try:
        scenario = generated.candidate(request.GET.get("token", ""))
    except Refused as refused:
        return render(request, "library/drawing.html", {"error": refused.reason}, status=422)
    about(request, scenario.rulebook)
    return render(request, "library/drawing.html", {"table": presentation.drawing(scenario)})


@allow(Role.INSTRUCTOR)
@require_POST
def keep(request: HttpRequest) -> HttpResponse:
    """Make drafts of the picked scenarios, or of one to edit at once."""
    edit = request.POST.get("edit", "")
    tokens = [edit] if edit else request.POST.getlist("keep")[: generated.MOST]
    asked = QueryDict(request.POST.get("back", ""))
    if not tokens:
        return _offer(request, asked, error=_("Pick at least one scenario."))
    try:
        kept = generated.keep(person(request), tokens)
    except Refused as refused:
        return _offer(request, asked, error=str(refused.reason))
    if edit:
        return redirect("edit_version", kept[0].pk)
    return _to_drafts(request, len(kept))


def _to_drafts(request: HttpRequest, count: int) -> HttpResponse:
    """Say how many drafts were made, and go to the person's drafts."""
    messages.success(
        request, ngettext("%(count)d draft created.", "%(count)d drafts created.", count) % {"count": count}
    )
    return redirect(f"{reverse('library')}?state=draft&author={person(request).pk}")


@allow(Role.INSTRUCTOR)
@require_http_methods(["GET", "HEAD", "POST"])
def import_file(request: HttpRequest) -> HttpResponse:
    """Check a file and show what an import would do, without importing it."""
    if request.method != "POST":
        return render(request, "library/import.html", {"form": ImportForm()})
    form = ImportForm(request.POST, request.FILES)
    if not form.is_valid():
        return render(request, "library/import.html", {"form": form}, status=422)
    upload = form.cleaned_data["file"]
    context = {"form": ImportForm(), "name": upload.name}
    try:
        entries = import_export.dry_run(person(request), upload.read(import_export.MAX_BYTES + 1))
    except UnfitList as unfit:
        return render(request, "library/import.html", context | {"errors": unfit.errors}, status=unfit.status)
    about(request, *(entry.rulebook for entry in entries[:FIRST_SHOWN]))
    known, reader = import_export.known(entries), person(request)
    first = [
        {"told": _told(entry, reader), "title": word(entry, "title", language()), "known": number in known}
        for number, entry in enumerate(entries[:FIRST_SHOWN], 1)
    ]
    context |= {"known": len(known), "all_known": len(known) == len(entries)}
    context |= {"count": len(entries), "first": first, "rest": len(entries) - len(first)}
    return render(request, "library/import.html", context)


def _told(entry: import_export.Entry, reader: User) -> presentation.Told:
    return presentation.told(entry.scenario, guarded_cases.ruling_for(reader, entry.scenario), language())


@allow(Role.INSTRUCTOR)
@require_POST
def confirm_import(request: HttpRequest) -> HttpResponse:
    """Import the checked file."""
    try:
        made = import_export.confirm(person(request), known_too="known" in request.POST)
    except UnfitList as unfit:
        context = {"form": ImportForm(), "errors": unfit.errors}
        return render(request, "library/import.html", context, status=409)
    except Refused as refused:
        messages.info(request, str(refused))
        return redirect("import_scenarios")
    if not made:
        messages.info(request, _("There is no checked file waiting; it may already have been imported."))
        return redirect("import_scenarios")
    return _to_drafts(request, len(made))


def _part(request: HttpRequest) -> QuerySet[Version]:
    """The filtered scenarios that go into one file: as many as an import takes, the first by default."""
    found = selectors.versions(FilterForm(request.GET, language=language()).filters())
    asked = request.GET.get("part", "1")
    first = (int(asked) - 1 if asked.isdecimal() and 0 < len(asked) < LONGEST_PART else 0) * import_export.MAX_SCENARIOS
    return found[max(first, 0) : max(first, 0) + import_export.MAX_SCENARIOS]


@allow(Role.INSTRUCTOR)
@require_safe
def export_json(request: HttpRequest) -> StreamingHttpResponse:
    return _download(
        import_export.json_lines(_part(request).iterator(chunk_size=200), person(request)),
        "application/json",
        "scenarios.json",
    )


@allow(Role.INSTRUCTOR)
@require_safe
def export_csv(request: HttpRequest) -> StreamingHttpResponse:
    """A list to read that can also be imported again."""
    rows = scenario_list.rows(_part(request).iterator(chunk_size=200), language(), person(request))
    return _download(csv_lines(rows), "text/csv; charset=utf-8", "scenarios.csv")


@allow(Role.INSTRUCTOR)
@require_safe
def export_xlsx(request: HttpRequest) -> HttpResponse:
    """A workbook that can be edited and imported again."""
    return _workbook(spreadsheet.workbook(_part(request), language(), person(request)), "scenarios.xlsx")


@allow(Role.INSTRUCTOR)
@require_safe
def import_template(request: HttpRequest) -> HttpResponse:
    return _workbook(spreadsheet.workbook([], language(), person(request)), "scenario-list.xlsx")


def _workbook(content: bytes, name: str) -> HttpResponse:
    kind = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
    return HttpResponse(content, content_type=kind, headers={"Content-Disposition": f'attachment; filename="{name}"'})


def _download(pieces: Iterable[str | bytes], kind: str, name: str) -> StreamingHttpResponse:
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return StreamingHttpResponse(pieces, content_type=kind, headers=headers)


@allow(Role.INSTRUCTOR)
@require_POST
def act_on_several(request: HttpRequest) -> HttpResponseBase:
    """Do one act on the ticked scenarios, or export them."""
    ticked = request.POST.getlist("versions")[: bulk.MOST]
    chosen = [int(pk) for pk in ticked if pk.isascii() and pk.isdigit() and len(pk) <= LONGEST_NUMBER]
    found = selectors.versions(selectors.Filters(states=Version.State.values)).filter(pk__in=chosen)
    if request.POST.get("act") == "export" and chosen:
        return _download(import_export.json_lines(list(found), person(request)), "application/json", "scenarios.json")
    if request.POST.get("act") == "publish" and chosen and "shown" not in request.POST:
        return _to_publish(request, list(found))
    try:
        outcome = bulk.act_on(
            request.POST.get("act", ""),
            list(found),
            person(request),
            comment=request.POST.get("comment", ""),
            tagged=request.POST.get("tags", ""),
            seen={pk: request.POST.get(f"seen-{pk}", "") for pk in chosen},
            language=language(),
        )
    except Refused as refused:
        messages.error(request, str(refused))
    else:
        if outcome.done:
            messages.success(request, DONE[request.POST["act"]] % {"count": len(outcome.done)})
        for name, why in outcome.refused:
            messages.warning(request, _("“%(title)s”: %(why)s") % {"title": name, "why": why})
    return redirect(f"{reverse('library')}?{QueryDict(request.POST.get('back', '')).urlencode()}")


def _to_publish(request: HttpRequest, versions: list[Version]) -> HttpResponse:
    """The chosen scenarios, to be looked at before they are published."""
    about(request, *(version.rulebook for version in versions))
    reader = person(request)
    context = {
        "shown": [_shown(version, reader) for version in versions],
        "back": request.POST.get("back", ""),
        "comment": request.POST.get("comment", ""),
    }
    return render(request, "library/publish_several.html", context)


def _shown(version: Version, reader: User) -> dict[str, Any]:
    """A version with its ruling, or why it cannot be published."""
    why_not_now = why_not(services.verify_publish, version, reader)
    shown = {"version": version, "title": title(version, language()), "authors": authors.names(version)}
    shown["seen"] = version.changed_at.isoformat()
    try:
        told = [
            presentation.told(
                moment.scenario, guarded_cases.ruling_for(reader, moment.scenario, moment.ruling), language()
            )
            for moment in moments.moments(version)
        ]
        drawn = presentation.drawing(version.scenario)
    except EngineError as problem:
        return shown | {"why_not": why_not_now or refusal(problem, language())}
    return shown | {"why_not": why_not_now, "told": told, "table": drawn}


@allow(Role.INSTRUCTOR)
@require_safe
def file_schema(request: HttpRequest) -> JsonResponse:
    return JsonResponse(scenario_schema(), content_type="application/schema+json")
