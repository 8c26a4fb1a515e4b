"""The editor's page: its form, the drawing and the ruling."""

import json
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import render
from django.urls import reverse
from django.utils.safestring import SafeString
from django_htmx.middleware import HtmxDetails

import rules_engine
from rules_engine import Rulebook, Scenario
from rules_engine.narration import book_name, languages_of, topic_name
from rules_engine.words import grouped
from training.drawing.chip_designs import symbol
from training.drawing.chips import RADIUS, Chip, kit_of, printed
from training.library import (
    conflict,
    drafts,
    editor,
    editor_tables,
    guarded_cases,
    incident_search,
    margin_remarks,
    moments,
    presence,
    presentation,
    table_acts,
    table_offers,
    unfinished,
)
from training.library.author_texts import title
from training.library.editor_controls import Sheet, pack
from training.library.forms import LEVELS, WordsForm
from training.library.models import Version
from training.people.models import User
from training.people.request import language, person

CHIPS = (5, 10, 50, 100, 500, 1_000, 5_000, 10_000, 50_000, 100_000)
OK, KEPT_BACK = 200, guarded_cases.TooClose.status


@dataclass(frozen=True)
class Editing:
    """What is being edited: a new scenario, a moment of a draft or, with the number after its last, a new moment.

    `origin`: the version that a new scenario is made from.
    `carried`: for a new moment, whether its table starts as the ruling on the last one leaves it.
    """

    version: Version | None = None
    number: int = 1
    carried: bool | None = None
    origin: Version | None = None

    @property
    def adds(self) -> bool:
        return self.version is not None and self.number > moments.count(self.version)

    @property
    def address(self) -> str:
        """The page that edits this moment of a draft."""
        assert self.version is not None  # noqa: S101 (the caller saved it)
        if self.number == 1:
            return reverse("edit_version", args=[self.version.pk])
        if self.adds:
            return reverse("next_moment", args=[self.version.pk])
        return reverse("edit_moment", args=[self.version.pk, self.number])

    @property
    def words(self) -> dict[str, dict[str, str]]:
        """The author's texts as stored."""
        if self.version is None:
            return {}
        if self.number > 1 and (typed := unfinished.stored(self.version, self.number)):
            return typed.words
        return {} if self.adds else moments.moment(self.version, self.number).words

    def keep(self, author: User, *, sketch: editor.Sketch, seen: datetime | None, **written: Any) -> Version:
        """Store it. `scenario` is None while the facts of the sketch do not fit together."""
        if written["scenario"] is None:
            return self._keep_unfinished(author, sketch, written["words"], seen)
        if self.version is None:
            scenario: Scenario = written.pop("scenario")
            copied = [self.origin] if self.origin else []
            return drafts.create_draft(author, scenario, source=Version.Source.INCIDENT, copied=copied, **written)
        if self.number == 1:
            return drafts.save_draft(self.version, author, **written, seen=seen)
        return drafts.save_moment(self.version, author, self.number, **written, seen=seen)

    def _keep_unfinished(
        self, author: User, sketch: editor.Sketch, words: dict[str, Any], seen: datetime | None
    ) -> Version:
        if self.version is None:
            return unfinished.create(author, sketch, words, copied=[self.origin] if self.origin else [])
        return unfinished.save(self.version, author, self.number, sketch=sketch, words=words, seen=seen)


NEW = Editing()


def words_form(request: HttpRequest, book: Rulebook, editing: Editing) -> WordsForm:
    """The form of the author's texts, as typed or as stored."""
    kept = editing.words
    languages = tuple(dict.fromkeys([language(), *languages_of(book), *kept]))
    posted = request.POST if request.method == "POST" else None
    return WordsForm(posted, languages=languages, words=kept, titled=editing.number == 1)


def page(
    request: HttpRequest,
    sketch: editor.Sketch,
    editing: Editing = NEW,
    *,
    checked: editor.Checked | None = None,
    error: str = "",
    error_at: str = "",
    focus: str = "",
    status: int = 200,
    clash: list[conflict.Row] | None = None,
    saved: str = "",
) -> HttpResponse:
    """The page for a sketch. A posted sketch whose ruling is kept back is answered with `KEPT_BACK`.

    `clash`: what differs from the draft that somebody else saved meanwhile. `saved`: what to say of a draft that
    was just saved."""
    checked = checked or editor.checked_for(person(request), sketch)
    sheet = Sheet(sketch.typed, checked.wrong, sketch.book, sketch.kind, language())
    verdict = _verdict_context(sketch, checked, sheet)
    if verdict["told"] and verdict["told"].kept and request.method == "POST" and status == OK:
        status = KEPT_BACK
    context = {
        **_draft_context(request, sketch, editing, fresh=bool(saved)),
        **_at_hand(sheet),
        **verdict,
        "groups": sheet.groups(),
        "people": sheet.people(),
        "error": error,
        "error_at": error_at,
        "focus": focus,
        "clash": clash,
        "saved": saved,
    }
    return render(request, _template(request), context, status=status)


def _verdict_context(sketch: editor.Sketch, checked: editor.Checked, sheet: Sheet) -> dict[str, Any]:
    """The ruling and the tables before and after it, what is wrong, what is odd, and what is not asked."""
    labels, scenario = sheet.labels(), checked.scenario
    return {
        "told": presentation.told(scenario, checked.ruling, language()) if scenario else None,
        "table": checked.table,
        "table_after": checked.table_after,
        "wrong": [(name, labels.get(name, ""), reason) for name, reason in checked.wrong.items()],
        "engine_says": checked.engine_says,
        "remarks": [(name, labels.get(name, ""), remark) for name, remark in checked.remarks],
        "left_out": sorted(sketch.left_out),
        "asks_nothing": checked.asks_nothing,
    }


def _draft_context(request: HttpRequest, sketch: editor.Sketch, editing: Editing, *, fresh: bool) -> dict[str, Any]:
    """What the page shows about the draft and the choices around the facts."""
    book, version = sketch.book, editing.version
    posted = QueryDict() if fresh else request.POST
    count = moments.count(version) if version else 1
    return {
        "sketch": sketch,
        "version": version,
        "editing": editing,
        "moments": count,
        "numbers": range(1, count + 1) if version else [],
        "may_go_on": editing.number < moments.MOST and (version is None or editing.number >= count),
        "action": editing.address if fresh else _address(request, sketch, editing),
        "seen": posted.get("seen") or (version.changed_at.isoformat() if version else ""),
        "base": posted.get("base") or (conflict.opened_with(sketch, editing.words) if version else ""),
        "others": presence.others(version, person(request)) if version else [],
        "happened": incident_search.title(book, sketch.kind, language()),
        "by_topic": _kinds(book),
        "rulebook": book_name(book.id, language()),
        "topics": [(id, topic_name(book.id, id, language())) for id in rules_engine.topics(book.id)],
        "levels": _levels(sketch),
        "tables": editor_tables.choices(book),
        "words_form": words_form(request, book, editing),
        "starts": editor.STARTS,
        "version_title": title(version, language()) if version else "",
        **(margin_remarks.context(version, person(request)) if version else {}),
    }


def _address(request: HttpRequest, sketch: editor.Sketch, editing: Editing) -> str:
    """The URL that the form posts to. Opened with GET, it shows this editor, not the choice of incident."""
    if editing.origin:
        return f"{request.path}?{urlencode({'from': editing.origin.pk})}"
    if editing.version is None:
        return f"{request.path}?{urlencode({'rulebook': sketch.book.id, 'kind': sketch.kind})}"
    return f"{request.path}?{urlencode({'kind': sketch.kind})}" if editing.adds else request.path


def _at_hand(sheet: Sheet) -> dict[str, Any]:
    """The tray of things to put on the table, and what was said already."""
    reader, field = table_offers.Reader(sheet), table_acts.BANK
    follows = {"field": field, "said": sheet.book.game.states_bank}
    return {
        "bank": json.dumps(follows) if field in reader.typed else "",
        "pack": pack(),
        "chips": [(value, _chip(value, sheet.book), grouped(value, language())) for value in _values(sheet.book)],
        "sayings": table_offers.sayings(sheet),
        "said": reader.said(),
        "heaps": reader.heaps(),
        "spots": sheet.book.game.spots,
        "names": reader.names(),
    }


def _values(book: Rulebook) -> tuple[int, ...]:
    """The chips of the tray: those of the table."""
    return tuple(reversed(book.given_table.values)) if book.given_table else CHIPS


def _chip(value: int, book: Rulebook) -> SafeString:
    """A chip of this value as SVG."""
    design = kit_of(book.given_table).design(value)
    return SafeString(f"<defs>{symbol(design)}</defs>{Chip(design, 0, 0, RADIUS, printed(value)).svg()}")


def _kinds(book: Rulebook) -> list[tuple[str, str, list[incident_search.Happening]]]:
    """Every kind of incident once, by topic, to change what happened."""
    listed = {one.kind: one for one in reversed(incident_search.happenings(book.id, language()))}
    return incident_search.by_topic(reversed(listed.values()), language(), book.id)


def _levels(sketch: editor.Sketch) -> list[tuple[int, Any]]:
    """The levels of the topic, and the one that was chosen before."""
    fit = {*sketch.book.game.levels(sketch.topic), sketch.difficulty}
    return [(level, name) for level, name in LEVELS if level in fit]


def _template(request: HttpRequest) -> str:
    """The whole page, or the part that htmx asks for."""
    parts = {"ruled": "library/editor_ruled.html", "editor": "library/editor_parts.html"}
    return parts.get(htmx(request).target or "", "library/editor.html")


def htmx(request: HttpRequest) -> HtmxDetails:
    details: HtmxDetails = request.htmx  # type: ignore[attr-defined]
    return details
