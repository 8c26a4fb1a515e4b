"""The pages of the editor: choose what happened, change the facts, see the ruling, save a draft."""

from dataclasses import replace
from datetime import datetime
from itertools import chain
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_safe

import rules_engine
from rules_engine import Rulebook, Table
from rules_engine.errors import EngineError
from rules_engine.narration import book_name, books_by_game
from training.library import (
    authors,
    conflict,
    drafts,
    editor,
    editor_starts,
    editor_tables,
    guarded_cases,
    incident_search,
    moments,
    presence,
    services,
    table_acts,
    table_menus,
    unfinished,
)
from training.library.editor_controls import Sheet
from training.library.editor_page import NEW, Editing, htmx, page
from training.library.editor_rows import with_rows_changed
from training.library.editor_saving import KEEPING, keep
from training.library.models import Version
from training.library.next_moment import carry_on
from training.library.views import MOST_DIGITS, found_version, language, person, version_page
from training.people.access import allow
from training.people.models import Role
from training.people.request import about

ROW_ORDERS = ("add:", "remove:", "up:", "down:")
CHANGE, MENU, AT_TABLE, START = "change", "menu:", "table", "start:"
MAX_SEED = 64
EXAMPLES = ("", *"123456789")  # suffixes of a seed that give other examples


@allow(Role.INSTRUCTOR)
@require_http_methods(["GET", "HEAD", "POST"])
def new_scenario(request: HttpRequest) -> HttpResponse:
    """Write a new scenario: choose what happened, or start from an existing version."""
    if request.method == "POST":
        origin = _origin(request, request.POST.get("from", ""))
        return _posted(request, posted_sketch(request, kept=_table_of(origin)), Editing(origin=origin))
    if origin := _origin(request, request.GET.get("from", "")):
        return _from_version(request, origin)
    if not request.GET.get("kind"):
        return _choose(request)
    book, kind = _book(request, request.GET.get("rulebook", "")), request.GET["kind"]
    book = editor_tables.first(book, request.GET.get("table", ""))
    if kind not in book.kinds():
        raise Http404
    topics = editor_starts.topics_of(book, kind)
    wished = request.GET.get("topic", "")
    topic = wished if wished in topics else topics[0]
    difficulty = _level(request.GET.get("difficulty", ""))
    seed = request.GET.get("seed", editor_starts.PLAIN)[:MAX_SEED]
    situation = _example(book, kind, seed, topic=topic, difficulty=difficulty)
    level = book.game.level(topic, difficulty)
    return page(request, editor.sketch_of(rules_engine.scenario_of(situation, book, topic=topic, difficulty=level)))


def _example(book: Rulebook, kind: str, seed: str, **wished: Any) -> Any:
    """An ordinary situation to start from; if possible, one that no exam uses."""
    watch = guarded_cases.Watch(book.id)
    made = (editor_starts.example(book, kind, f"{seed}{more}", **wished) for more in EXAMPLES)
    first = next(made)
    return next((one for one in chain([first], made) if not watch.near_facts(book.id, one)), first)


@allow(Role.INSTRUCTOR)
@require_http_methods(["GET", "HEAD", "POST"])
def edit_version(request: HttpRequest, version_id: int) -> HttpResponse:
    """Change the facts of one's own draft."""
    return _edit(request, found_version(request, version_id), 1)


@allow(Role.INSTRUCTOR)
@require_http_methods(["GET", "HEAD", "POST"])
def edit_moment(request: HttpRequest, version_id: int, moment_number: int) -> HttpResponse:
    """Change a later moment of one's own draft."""
    found = found_version(request, version_id)
    if not 2 <= moment_number <= moments.count(found):
        raise Http404
    return _edit(request, found, moment_number)


def _is_open(request: HttpRequest, found: Version) -> bool:
    """Whether this request comes from a form that was open already.

    Such a form goes on working even if the draft was sent or taken from this person meanwhile. Only saving is refused,
    by the services, so that nothing that was typed is lost.
    """
    return request.method == "POST" and authors.may_have_open(found, person(request))


def _edit(request: HttpRequest, found: Version, number: int) -> HttpResponse:
    try:
        if not _is_open(request, found):
            drafts.verify_save(found, person(request))
        presence.note(found, person(request))
        stored = conflict.stored(found, number)[0]
    except services.Refused as refusal:
        return version_page(request, found, status=409, error=str(refusal.reason))
    except EngineError:
        # The version's page shows why the engine refuses it.
        return version_page(request, found, status=409)
    assert stored is not None  # noqa: S101 (the caller found the moment)
    if request.method == "POST":
        return _posted(request, posted_sketch(request, stored), Editing(found, number))
    return page(request, stored, Editing(found, number))


@allow(Role.INSTRUCTOR)
@require_safe
def who_edits(request: HttpRequest, version_id: int) -> HttpResponse:
    """A part of the editor: who else has the draft open, and whether somebody saved it since this page was opened."""
    found = found_version(request, version_id)
    if not authors.may_have_open(found, person(request)):
        raise Http404
    if not htmx(request):
        return redirect("edit_version", found.pk)
    presence.note(found, person(request))
    try:
        drafts.verify_seen(found, datetime.fromisoformat(request.GET.get("seen", "")))
        changed = ""
    except ValueError:
        changed = ""
    except services.Refused as refusal:
        changed = str(refusal.reason)
    context = {"version": found, "others": presence.others(found, person(request)), "changed": changed}
    return render(request, "library/editor_others.html", context)


@allow(Role.INSTRUCTOR)
@require_http_methods(["GET", "HEAD", "POST"])
def next_moment(request: HttpRequest, version_id: int) -> HttpResponse:
    """Add a moment to one's own draft: choose what happens, then edit the table as the last moment leaves it."""
    found = found_version(request, version_id)
    try:
        if not _is_open(request, found):
            drafts.verify_next_moment(found, person(request))
        last = moments.moments(found)[-1].scenario
        editing, kind = Editing(found, moments.count(found) + 1), request.GET.get("kind", "")
        if request.method == "POST":
            return _posted(request, posted_sketch(request, editor.sketch_of(last)), editing)
        if started := unfinished.stored(found, editing.number):
            return page(request, started.sketch, editing)
        if not kind:
            return _choose(request, found)
        if kind not in last.book.kinds():
            raise Http404
        guarded_cases.verify_open(person(request), last)  # the resulting table would reveal the ruling
        start = carry_on(last, kind)
    except services.Refused as refusal:
        return version_page(request, found, status=409, error=str(refusal.reason))
    except EngineError:
        # The version's page shows why the engine refuses it.
        return version_page(request, found, status=409)
    return page(request, start.sketch, replace(editing, carried=start.carried))


def _choose(request: HttpRequest, version: Version | None = None) -> HttpResponse:
    """Choose the rulebook and what happened. A further moment has the rulebook of its story."""
    asked = version.rulebook if version else request.GET.get("rulebook", "")
    book = _book(request, asked) if asked else None
    context: dict[str, Any] = {"book": book, "games": books_by_game(language()), "asked": request.GET.get("q", "")}
    context |= {"version": version, "action": request.path}
    if book is not None:
        context["rulebook"] = book_name(book.id, language())
        found = incident_search.search(book.id, language(), context["asked"])
        context["topics"] = incident_search.by_topic(found, language(), book.id)
        context["recent"] = [] if context["asked"] else incident_search.recent(person(request), book.id, language())
    return render(request, "library/editor_start.html", context)


def _origin(request: HttpRequest, version_id: str) -> Version | None:
    """The version that a new scenario is made from, if any."""
    if not version_id:
        return None
    if not version_id.isdecimal() or len(version_id) > MOST_DIGITS:
        raise Http404
    return found_version(request, int(version_id))


def _from_version(request: HttpRequest, found: Version) -> HttpResponse:
    try:
        return page(request, editor.sketch_of(found.scenario), Editing(origin=found))
    except EngineError:
        return version_page(request, found, status=409)


def _table_of(origin: Version | None) -> Table | None:
    try:
        return (origin.scenario.table or None) if origin else None
    except EngineError:
        return None


def posted_sketch(
    request: HttpRequest, stored: editor.Sketch | None = None, kept: Table | None = None
) -> editor.Sketch:
    """The sketch as typed, at the chosen table. `kept` is the table of what it is made from."""
    posted = request.POST
    book = stored.book if stored else _book(request, posted.get("rulebook", ""))
    book = editor_tables.at(book, posted.get("table", ""), book.given_table or kept)
    kind = posted.get("kind", stored.kind if stored else "")
    if kind not in book.kinds():
        raise Http404
    topic = posted.get("topic", "")
    if topic not in rules_engine.topics(book.id):
        topic = editor_starts.topics_of(book, kind)[0]
    accepted = frozenset(posted.getlist("accept"))
    difficulty = _level(posted.get("difficulty", ""))
    left_out = frozenset(posted.getlist("leave"))
    return editor.Sketch(book, kind, topic, difficulty, editor.facts_typed(posted.dict()), accepted, left_out)


def _posted(request: HttpRequest, sketch: editor.Sketch, editing: Editing = NEW) -> HttpResponse:
    order = request.POST.get("do", "")
    if order.startswith(ROW_ORDERS):
        typed, focus = with_rows_changed(dict(sketch.typed), order, sketch.book, sketch.kind)
        return page(request, replace(sketch, typed=typed), editing, focus=focus)
    if order.startswith(table_acts.PREFIX):
        return page(request, replace(sketch, typed=table_acts.done(order, _table(request, sketch))), editing)
    if order.startswith(MENU):
        return _menu(request, sketch, order.removeprefix(MENU))
    if order == AT_TABLE:
        return page(request, editor.at_table(sketch), editing)
    if order.startswith(START):
        return page(request, editor.started(sketch, order.removeprefix(START)), editing)
    if order == CHANGE and request.POST.get("other", "") in sketch.book.kinds():
        return page(request, editor.with_other_incident(sketch, request.POST["other"]), editing)
    if order in KEEPING:
        return keep(request, sketch, editing, order)
    return page(request, sketch, editing)


def _table(request: HttpRequest, sketch: editor.Sketch) -> table_acts.Table:
    who, amount = (request.POST.get(name, "") for name in editor.TRAY)
    return table_acts.Table(dict(sketch.typed), sketch.book, sketch.kind, amount=amount, who=who)


def _menu(request: HttpRequest, sketch: editor.Sketch, point: str) -> HttpResponse:
    """The menu of something on the drawing."""
    sheet = Sheet(sketch.typed, {}, sketch.book, sketch.kind, language())
    menu = table_menus.menu_of(point, sheet)
    return render(request, "library/editor_menu.html", {"menu": menu}) if menu else HttpResponse("")


def _book(request: HttpRequest, id: str) -> Rulebook:
    if id not in rules_engine.RULEBOOKS:
        raise Http404
    about(request, id)
    return rules_engine.rulebook(id)


def _level(value: str) -> int:
    return int(value) if value in ("1", "2", "3", "4", "5") else 2
