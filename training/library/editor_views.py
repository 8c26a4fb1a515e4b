"""The editor: choose what happened, change the facts, see the ruling at once, keep it as a draft."""

import json
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import chain
from typing import Any
from urllib.parse import urlencode
from uuid import uuid4

from django.contrib import messages
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods
from django_htmx.http import HttpResponseClientRedirect, trigger_client_event
from django_htmx.middleware import HtmxDetails

import rules_engine
from rules_engine import Rulebook, Scenario
from rules_engine.errors import EngineError
from rules_engine.narration import book_name, books_by_game, topic_name
from rules_engine.words import grouped
from training.drawing.chips import SHAPES, printed
from training.library import (
    authors,
    editor,
    editor_starts,
    guarded_cases,
    incident_search,
    moments,
    presentation,
    services,
    table_acts,
    table_menus,
    table_offers,
)
from training.library.editor_controls import Sheet, pack
from training.library.editor_rows import with_rows_changed
from training.library.forms import LEVELS, WordsForm
from training.library.models import Version
from training.library.next_moment import carry_on
from training.library.views import MOST_DIGITS, found_version, language, margin_context, person, version_page
from training.people.access import allow
from training.people.models import Role, User

ROW_ORDERS = ("add:", "remove:", "up:", "down:")
SAVE, SEND, NEXT = KEEPING = ("save", "send", "next")
CHANGE, MENU = "change", "menu:"
# The fact that a call states and stakes cover, and the words that state it.
FOLLOWING = {"field": table_acts.BANK, "said": table_acts.STATING}
CHIPS = (5, 10, 50, 100, 500, 1_000, 5_000, 10_000, 50_000, 100_000)
MAX_SEED = 64
EXAMPLES = ("", *"123456789")  # what is put after a seed to get another example
OK, KEPT_BACK = 200, guarded_cases.TooClose.status


@dataclass(frozen=True)
class Editing:
    """What is being written: something new, a moment of a draft or, one past its last, what happens next in it.

    `origin`: what something new is made from.
    `carried`: whether the table of that starts as the moment before should end, where the page has just made it.
    """

    version: Version | None = None
    number: int = 1
    carried: bool | None = None
    origin: Version | None = None

    @property
    def adds(self) -> bool:
        return self.version is not None and self.number > moments.count(self.version)

    @property
    def words(self) -> dict[str, dict[str, str]]:
        """The author's words as they are kept."""
        if self.version is None or self.adds:
            return {}
        return moments.moment(self.version, self.number).words

    def keep(self, author: User, *, seen: datetime | None, **written: Any) -> Version:
        if self.version is None:
            scenario: Scenario = written.pop("scenario")
            copied = [self.origin] if self.origin else []
            return services.create_draft(author, scenario, source=Version.Source.INCIDENT, copied=copied, **written)
        if self.number == 1:
            return services.save_draft(self.version, author, **written, seen=seen)
        return services.save_moment(self.version, author, self.number, **written, seen=seen)


NEW = Editing()


@allow(Role.INSTRUCTOR)
@require_http_methods(["GET", "HEAD", "POST"])
def new_scenario(request: HttpRequest) -> HttpResponse:
    """Tonight's incident: choose what happened, or go on from a version that there is."""
    if request.method == "POST":
        return _posted(request, posted_sketch(request), Editing(origin=_origin(request.POST.get("from", ""))))
    if origin := _origin(request.GET.get("from", "")):
        return _from_version(request, origin)
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
    situation = _example(book, kind, seed, topic=topic, difficulty=difficulty)
    level = book.game.level(topic, difficulty)
    return _page(request, editor.sketch_of(rules_engine.scenario_of(situation, book, topic=topic, difficulty=level)))


def _example(book: Rulebook, kind: str, seed: str, **wished: Any) -> Any:
    """An ordinary situation to start from that no exam uses, where one of the first few is such."""
    watch = guarded_cases.Watch(book.id)
    made = (editor_starts.example(book, kind, f"{seed}{more}", **wished) for more in EXAMPLES)
    first = next(made)
    return next((one for one in chain([first], made) if not watch.near_facts(book.id, one)), first)


@allow(Role.INSTRUCTOR)
@require_http_methods(["GET", "HEAD", "POST"])
def edit_version(request: HttpRequest, version_id: int) -> HttpResponse:
    """Change the facts of one's own draft."""
    return _edit(request, found_version(version_id), 1)


@allow(Role.INSTRUCTOR)
@require_http_methods(["GET", "HEAD", "POST"])
def edit_moment(request: HttpRequest, version_id: int, moment_number: int) -> HttpResponse:
    """Change a later moment of one's own draft."""
    found = found_version(version_id)
    if not 2 <= moment_number <= moments.count(found):
        raise Http404
    return _edit(request, found, moment_number)


def _is_open(request: HttpRequest, found: Version) -> bool:
    """Whether a form sends this that was opened before.

    It goes on being ruled on, whatever became of the draft meanwhile (it was sent, or taken from this person): only
    keeping it is refused, by the services, and all that was typed stays.
    """
    return request.method == "POST" and authors.may_have_open(found, person(request))


def _edit(request: HttpRequest, found: Version, number: int) -> HttpResponse:
    try:
        if not _is_open(request, found):
            services.verify_save(found, person(request))
        moment = moments.moment(found, number)
        stored = editor.sketch_of(moment.scenario, moment.accepted)
    except services.Refused as refusal:
        return version_page(request, found, status=409, error=str(refusal.reason))
    except EngineError:
        # The version's page tells what the engine has against it.
        return version_page(request, found, status=409)
    if request.method == "POST":
        return _posted(request, posted_sketch(request, stored), Editing(found, number))
    return _page(request, stored, Editing(found, number))


@allow(Role.INSTRUCTOR)
@require_http_methods(["GET", "HEAD", "POST"])
def next_moment(request: HttpRequest, version_id: int) -> HttpResponse:
    """What happens next in one's own draft: chosen first, then written at the table as the last moment leaves it."""
    found = found_version(version_id)
    try:
        if not _is_open(request, found):
            services.verify_next_moment(found, person(request))
        last = moments.moments(found)[-1].scenario
        editing, kind = Editing(found, moments.count(found) + 1), request.GET.get("kind", "")
        if request.method == "POST":
            return _posted(request, posted_sketch(request, editor.sketch_of(last)), editing)
        if not kind:
            return _choose(request, found)
        if kind not in last.book.kinds():
            raise Http404
        guarded_cases.verify_open(person(request), last)  # the table that it leaves tells its ruling
        start = carry_on(last, kind)
    except services.Refused as refusal:
        return version_page(request, found, status=409, error=str(refusal.reason))
    except EngineError:
        # The version's page tells what the engine has against it.
        return version_page(request, found, status=409)
    return _page(request, start.sketch, replace(editing, carried=start.carried))


def _choose(request: HttpRequest, version: Version | None = None) -> HttpResponse:
    """The rulebook and what happened; of a story that goes on, in the rulebook that it has."""
    asked = version.rulebook if version else request.GET.get("rulebook", "")
    book = _book(asked) if asked else None
    context: dict[str, Any] = {"book": book, "games": books_by_game(language()), "asked": request.GET.get("q", "")}
    context |= {"version": version, "action": request.path}
    if book is not None:
        context["rulebook"] = book_name(book.id, language())
        found = incident_search.search(book.id, language(), context["asked"])
        context["topics"] = incident_search.by_topic(found, language(), book.id)
        context["recent"] = [] if context["asked"] else incident_search.recent(person(request), book.id, language())
    return render(request, "library/editor_start.html", context)


def _origin(version_id: str) -> Version | None:
    """The version that something new is made from, if it is from one."""
    if not version_id:
        return None
    if not version_id.isdecimal() or len(version_id) > MOST_DIGITS:
        raise Http404
    return found_version(int(version_id))


def _from_version(request: HttpRequest, found: Version) -> HttpResponse:
    try:
        return _page(request, editor.sketch_of(found.scenario), Editing(origin=found))
    except EngineError:
        return version_page(request, found, status=409)


def posted_sketch(request: HttpRequest, stored: editor.Sketch | None = None) -> editor.Sketch:
    posted = request.POST
    book = stored.book if stored else _book(posted.get("rulebook", ""))
    kind = posted.get("kind", stored.kind if stored else "")
    if kind not in book.kinds():
        raise Http404
    topic = posted.get("topic", "")
    if topic not in rules_engine.topics(book.id):
        topic = editor_starts.topics_of(book, kind)[0]
    accepted = frozenset(posted.getlist("accept"))
    difficulty = _level(posted.get("difficulty", ""))
    return editor.Sketch(book, kind, topic, difficulty, editor.facts_typed(posted.dict()), accepted)


def _posted(request: HttpRequest, sketch: editor.Sketch, editing: Editing = NEW) -> HttpResponse:
    order = request.POST.get("do", "")
    if order.startswith(ROW_ORDERS):
        typed, focus = with_rows_changed(dict(sketch.typed), order, sketch.book, sketch.kind)
        return _page(request, replace(sketch, typed=typed), editing, focus=focus)
    if order.startswith(table_acts.PREFIX):
        return _page(request, replace(sketch, typed=table_acts.done(order, _table(request, sketch))), editing)
    if order.startswith(MENU):
        return _menu(request, sketch, order.removeprefix(MENU))
    if order == CHANGE and request.POST.get("other", "") in sketch.book.kinds():
        return _page(request, editor.with_other_incident(sketch, request.POST["other"]), editing)
    if order in KEEPING:
        return _keep(request, sketch, editing, order)
    return _page(request, sketch, editing)


def _table(request: HttpRequest, sketch: editor.Sketch) -> table_acts.Table:
    who, amount = (request.POST.get(name, "") for name in editor.TRAY)
    return table_acts.Table(dict(sketch.typed), sketch.book, sketch.kind, amount=amount, who=who)


def _menu(request: HttpRequest, sketch: editor.Sketch, point: str) -> HttpResponse:
    """What can be done to something on the drawing."""
    sheet = Sheet(sketch.typed, {}, sketch.book, sketch.kind, language())
    menu = table_menus.menu_of(point, sheet)
    return render(request, "library/editor_menu.html", {"menu": menu}) if menu else HttpResponse("")


def _keep(request: HttpRequest, sketch: editor.Sketch, editing: Editing, order: str) -> HttpResponse:
    """Facts and words together, and to review where that was asked for: all of it or nothing."""
    checked, words = editor.checked_for(person(request), sketch), _words(request, sketch.book, editing)
    if checked.scenario is None or not words.is_valid():
        error = _("This cannot be saved yet: the facts do not fit together. Nothing you entered is lost.")
        if checked.scenario is not None:
            error = _("This cannot be saved yet: look at the words. Nothing you entered is lost.")
        return _page(request, sketch, editing, checked=checked, error=error, status=422)
    author = person(request)
    written: dict[str, Any] = {"scenario": checked.scenario, "words": words.words(), "accepted": sketch.accepted}
    try:
        with transaction.atomic():
            kept = editing.keep(author, seen=_seen(request) if editing.version else None, **written)
            if order == SEND:
                services.submit_for_review(kept, author)
            if order == NEXT:
                services.verify_next_moment(kept, author)
    except services.Refused as refusal:
        untitled = order == SEND and not any(fields.get("title") for fields in written["words"].values())
        said, at = str(refusal.reason), "f-words" if untitled and editing.number == 1 else ""
        return _page(request, sketch, editing, checked=checked, error=said, error_at=at, status=refusal.status)
    sent = _("Sent to review. A second instructor publishes it.")
    messages.success(request, sent if order == SEND else _("Saved as a draft, facts and words."))
    address = reverse("next_moment" if order == NEXT else "version", args=[kept.pk])
    if not _htmx(request):
        return redirect(address)
    return trigger_client_event(HttpResponseClientRedirect(address), "sabot:kept", {})


def _words(request: HttpRequest, book: Rulebook, editing: Editing) -> WordsForm:
    """The author's words as they were typed or, before that, as they are kept."""
    kept = editing.words
    languages = tuple(dict.fromkeys([book.language, "pt", "en", *kept]))
    posted = request.POST if request.method == "POST" else None
    return WordsForm(posted, languages=languages, words=kept, titled=editing.number == 1)


def _page(
    request: HttpRequest,
    sketch: editor.Sketch,
    editing: Editing = NEW,
    *,
    checked: editor.Checked | None = None,
    error: str = "",
    error_at: str = "",
    focus: str = "",
    status: int = 200,
) -> HttpResponse:
    checked, version = checked or editor.checked_for(person(request), sketch), editing.version
    sheet = Sheet(sketch.typed, checked.wrong, sketch.book, sketch.kind, language())
    labels = sheet.labels()
    told = None
    if checked.scenario is not None:
        told = presentation.told(checked.scenario, checked.ruling, language())
        if told.kept and request.method == "POST" and status == OK:
            status = KEPT_BACK
    context = {
        "sketch": sketch,
        "version": version,
        "editing": editing,
        "moments": moments.count(version) if version else 1,
        "numbers": range(1, moments.count(version) + 1) if version else [],
        "may_go_on": editing.number < moments.MOST and (version is None or editing.number >= moments.count(version)),
        "action": _address(request, sketch, editing),
        "seen": request.POST.get("seen") or (version.changed_at.isoformat() if version else ""),
        "groups": sheet.groups(),
        "happened": incident_search.title(sketch.book, sketch.kind, language()),
        "by_topic": _kinds(sketch.book),
        "rulebook": book_name(sketch.book.id, language()),
        "topics": [(id, topic_name(sketch.book.id, id, language())) for id in rules_engine.topics(sketch.book.id)],
        "levels": _levels(sketch),
        "words_form": _words(request, sketch.book, editing),
        "people": sheet.people(),
        **_at_hand(sheet),
        "bank": json.dumps(FOLLOWING) if FOLLOWING["field"] in sketch.typed else "",
        "told": told,
        "table": checked.table,
        "table_after": checked.table_after,
        "wrong": [(name, labels.get(name, ""), reason) for name, reason in checked.wrong.items()],
        "engine_says": checked.engine_says,
        "remarks": [(name, labels.get(name, ""), remark) for name, remark in checked.remarks],
        "error": error,
        "error_at": error_at,
        "focus": focus,
        "another": uuid4().hex[:8],
        **(margin_context(version, person(request)) if version else {}),
    }
    return render(request, _template(request), context, status=status)


def _address(request: HttpRequest, sketch: editor.Sketch, editing: Editing) -> str:
    """Where the form is sent: an address that, opened by itself, shows this editor and not the choice before it."""
    if editing.origin:
        return f"{request.path}?{urlencode({'from': editing.origin.pk})}"
    if editing.version is None:
        return f"{request.path}?{urlencode({'rulebook': sketch.book.id, 'kind': sketch.kind})}"
    return f"{request.path}?{urlencode({'kind': sketch.kind})}" if editing.adds else request.path


def _at_hand(sheet: Sheet) -> dict[str, Any]:
    """What is put on the table, and what was said there already."""
    reader = table_offers.Reader(sheet)
    return {
        "pack": pack(),
        "chips": [(value, SHAPES[value], printed(value), grouped(value, language())) for value in CHIPS],
        "sayings": table_offers.sayings(sheet),
        "said": reader.said(),
        "heaps": reader.heaps(),
        "spots": sheet.book.game.spots,
        "names": reader.names(),
    }


def _kinds(book: Rulebook) -> list[tuple[str, str, list[incident_search.Happening]]]:
    """Every kind of incident once, to change what happened."""
    listed = {one.kind: one for one in reversed(incident_search.happenings(book.id, language()))}
    return incident_search.by_topic(reversed(listed.values()), language(), book.id)


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


def _levels(sketch: editor.Sketch) -> list[tuple[int, Any]]:
    """The levels that the topic has room for, and the one that was chosen before."""
    fit = {*sketch.book.game.levels(sketch.topic), sketch.difficulty}
    return [(level, name) for level, name in LEVELS if level in fit]


def _level(value: str) -> int:
    return int(value) if value in ("1", "2", "3", "4", "5") else 2


def _seen(request: HttpRequest) -> datetime:
    try:
        return datetime.fromisoformat(request.POST.get("seen", ""))
    except ValueError:
        raise services.Refused(_("Reload the page: the form does not say which draft it belongs to.")) from None
