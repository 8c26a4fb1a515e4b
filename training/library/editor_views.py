"""The editor: choose what happened, change the facts, see the ruling at once, keep it as a draft."""

import json
from dataclasses import replace
from datetime import datetime
from typing import Any
from uuid import uuid4

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods
from django_htmx.http import HttpResponseClientRedirect, trigger_client_event
from django_htmx.middleware import HtmxDetails

import rules_engine
from rules_engine import Rulebook
from rules_engine.errors import EngineError
from rules_engine.narration import book_name, books_by_game, topic_name
from training.library import editor, editor_starts, presentation, services
from training.library.editor_controls import Sheet, pack, people_at
from training.library.editor_fields import heaps_of
from training.library.editor_rows import with_rows_changed
from training.library.forms import LEVELS
from training.library.models import Version
from training.library.views import found_version, language, person, version_page
from training.people.access import allow
from training.people.models import Role

ROW_ORDERS = ("add:", "remove:", "up:", "down:")
MAX_SEED = 64


@allow(Role.INSTRUCTOR)
@require_http_methods(["GET", "HEAD", "POST"])
def new_scenario(request: HttpRequest) -> HttpResponse:
    """Tonight's incident: choose what happened, or go on from a version that there is."""
    if request.method == "POST":
        return _posted(request, _posted_sketch(request))
    if "from" in request.GET:
        return _from_version(request, request.GET["from"])
    if not request.GET.get("kind"):
        return _choose(request)
    book, kind = _book(request.GET.get("rulebook", "")), request.GET["kind"]
    if kind not in book.kinds():
        raise Http404
    topics = editor_starts.topics_of(book, kind)
    wished = request.GET.get("topic", "")
    topic = wished if wished in topics else topics[0]
    difficulty = _level(request.GET.get("difficulty", ""))
    seed = request.GET.get("seed", editor_starts.PLAIN)[:MAX_SEED]
    situation = editor_starts.example(book, kind, seed, topic=topic, difficulty=difficulty)
    scenario = rules_engine.scenario_of(situation, book, topic=topic, difficulty=difficulty)
    return _page(request, editor.sketch_of(scenario))


@allow(Role.INSTRUCTOR)
@require_http_methods(["GET", "HEAD", "POST"])
def edit_version(request: HttpRequest, version_id: int) -> HttpResponse:
    """Change the facts of one's own draft."""
    found = found_version(version_id)
    try:
        services.verify_save(found, person(request))
        stored = editor.sketch_of(found.scenario)
    except services.Refused as refusal:
        return version_page(request, found, status=409, error=str(refusal.reason))
    except EngineError:
        # The version's page tells what the engine has against it.
        return version_page(request, found, status=409)
    if request.method == "POST":
        return _posted(request, _posted_sketch(request, stored), found)
    return _page(request, stored, found)


def _choose(request: HttpRequest) -> HttpResponse:
    asked = request.GET.get("rulebook", "")
    book = _book(asked) if asked else None
    context: dict[str, Any] = {
        "book": book,
        "games": books_by_game(language()),
    }
    if book is not None:
        context["topics"] = [
            (
                topic,
                topic_name(book.id, topic, language()),
                [(kind, editor_starts.plain_name(book, kind, language())) for kind in kinds],
            )
            for topic, kinds in editor_starts.kinds_by_topic(book).items()
        ]
    return render(request, "library/editor_start.html", context)


def _from_version(request: HttpRequest, version_id: str) -> HttpResponse:
    if not version_id.isdecimal() or len(version_id) > 18:
        raise Http404
    found = found_version(int(version_id))
    try:
        return _page(request, editor.sketch_of(found.scenario))
    except EngineError:
        return version_page(request, found, status=409)


def _posted_sketch(request: HttpRequest, stored: editor.Sketch | None = None) -> editor.Sketch:
    posted = request.POST
    book = stored.book if stored else _book(posted.get("rulebook", ""))
    kind = stored.kind if stored else posted.get("kind", "")
    if kind not in book.kinds():
        raise Http404
    topic = posted.get("topic", "")
    if topic not in rules_engine.topics(book.id):
        topic = editor_starts.topics_of(book, kind)[0]
    return editor.Sketch(book, kind, topic, _level(posted.get("difficulty", "")), editor.facts_typed(posted.dict()))


def _posted(request: HttpRequest, sketch: editor.Sketch, version: Version | None = None) -> HttpResponse:
    order = request.POST.get("do", "")
    if order.startswith(ROW_ORDERS):
        typed, focus = with_rows_changed(dict(sketch.typed), order, sketch.book, sketch.kind)
        return _page(request, replace(sketch, typed=typed), version, focus=focus)
    if order == "save":
        return _save(request, sketch, version)
    return _page(request, sketch, version)


def _save(request: HttpRequest, sketch: editor.Sketch, version: Version | None) -> HttpResponse:
    checked = editor.check(sketch)
    if checked.scenario is None:
        error = _("This cannot be kept yet: the facts do not fit together. Nothing you entered is lost.")
        return _page(request, sketch, version, checked=checked, error=error, status=422)
    try:
        if version is None:
            kept = services.create_draft(person(request), checked.scenario, source=Version.Source.INCIDENT)
        else:
            kept = services.save_draft(version, person(request), scenario=checked.scenario, seen=_seen(request))
    except services.Refused as refusal:
        return _page(request, sketch, version, checked=checked, error=str(refusal.reason), status=409)
    messages.success(request, _("Kept as a draft. Give it a title, then send it to review."))
    if not _htmx(request):
        return redirect("version", kept.pk)
    return trigger_client_event(HttpResponseClientRedirect(reverse("version", args=[kept.pk])), "sabot:kept", {})


def _page(
    request: HttpRequest,
    sketch: editor.Sketch,
    version: Version | None = None,
    *,
    checked: editor.Checked | None = None,
    error: str = "",
    focus: str = "",
    status: int = 200,
) -> HttpResponse:
    checked = checked or editor.check(sketch)
    sheet = Sheet(sketch.typed, checked.wrong, sketch.book, sketch.kind, language())
    labels = sheet.labels()
    told = None
    if checked.scenario is not None and checked.ruling is not None:
        told = presentation.told(checked.scenario, checked.ruling, language())
    context = {
        "sketch": sketch,
        "version": version,
        "action": request.path,
        "seen": request.POST.get("seen") or (version.changed_at.isoformat() if version else ""),
        "groups": sheet.groups(),
        "happened": editor_starts.plain_name(sketch.book, sketch.kind, language()),
        "rulebook": book_name(sketch.book.id, language()),
        "topics": [(id, topic_name(sketch.book.id, id, language())) for id in rules_engine.topics(sketch.book.id)],
        "levels": LEVELS,
        "people": people_at(sketch.typed),
        "parts": sheet.parts(),
        "heaps": json.dumps({heap: fact for fact, heap in heaps_of(sketch.book).items()}),
        "pack": pack(),
        "told": told,
        "table": checked.table,
        "table_after": checked.table_after,
        "wrong": [(name, labels.get(name, ""), reason) for name, reason in checked.wrong.items()],
        "engine_says": checked.engine_says,
        "error": error,
        "focus": focus,
        "another": uuid4().hex[:8],
    }
    return render(request, _template(request), context, status=status)


def _template(request: HttpRequest) -> str:
    """The whole page, or the part of it that the page asks to have anew."""
    parts = {"ruled": "library/editor_ruled.html", "editor": "library/editor_parts.html"}
    return parts.get(_htmx(request).target or "", "library/editor.html")


def _htmx(request: HttpRequest) -> HtmxDetails:
    details: HtmxDetails = request.htmx  # type: ignore[attr-defined]
    return details


def _book(id: str) -> Rulebook:
    if id not in rules_engine.RULEBOOKS:
        raise Http404
    return rules_engine.rulebook(id)


def _level(value: str) -> int:
    return int(value) if value in ("1", "2", "3", "4", "5") else 2


def _seen(request: HttpRequest) -> datetime:
    try:
        return datetime.fromisoformat(request.POST.get("seen", ""))
    except ValueError:
        raise services.Refused(_("Open the page again: it does not say which draft it shows.")) from None
