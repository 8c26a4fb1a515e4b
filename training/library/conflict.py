"""Two authors changed one draft: what each of them changed, for the one who saves second."""

import json
from dataclasses import dataclass, replace

from django.utils.translation import gettext as _

from rules_engine.narration import ask
from training.library import editor, incident_search, unfinished
from training.library.editor_controls import Sheet
from training.library.models import Version
from training.library.moments import count, moment
from training.library.version_diff import NOTHING, word_labels

LEAVE = "leave"  # the field of the questions left out
LONGEST = 120_000  # characters that a form carries about the draft it was opened with


@dataclass(frozen=True)
class Row:
    """A fact or text that is not the same for both: as the draft was opened, as it is stored now, and as typed."""

    what: str
    opened: str
    theirs: str
    mine: str

    @property
    def by_them(self) -> bool:
        return self.theirs != self.opened

    @property
    def by_me(self) -> bool:
        return self.mine != self.opened


Words = dict[str, dict[str, str]]
Told = dict[str, tuple[str, str]]


def opened_with(sketch: editor.Sketch, words: Words) -> str:
    """What a form carries about the draft that it was opened with."""
    carried = json.dumps([sketch.kind, dict(sketch.typed), words, sorted(sketch.left_out)])
    return carried if len(carried) <= LONGEST else ""


def rows(version: Version, number: int, mine: editor.Sketch, words: Words, base: str, language: str) -> list[Row]:
    """Everything in which the stored moment and what was typed differ."""
    theirs, stored_words = stored(version, number)
    old = _told(*_read(base, mine), language)
    one = _told(theirs, stored_words, language) if theirs else {}
    other = _told(mine, words, language)
    absent = ("", NOTHING)
    return [
        Row(label, old.get(name, absent)[1], one.get(name, absent)[1], other.get(name, absent)[1])
        for name, (label, _value) in (one | other).items()
        if one.get(name, absent)[1] != other.get(name, absent)[1]
    ]


def stored(version: Version, number: int) -> tuple[editor.Sketch | None, Words]:
    """A moment as it is stored; no sketch if there is none with that number."""
    kept = unfinished.stored(version, number)
    if kept:
        return kept.sketch, version.words if number == 1 else kept.words
    if number > count(version):
        return None, {}
    found = moment(version, number)
    return editor.sketch_of(found.scenario, found.accepted), found.words


def _told(sketch: editor.Sketch, words: Words, language: str) -> Told:
    book, kind = sketch.book, sketch.kind
    facts: Told = {"": (_("What happened"), incident_search.title(book, kind, language))} if kind else {}
    if kind:
        facts |= Sheet(sketch.typed, {}, book, kind, language).told() | _left_out(sketch, language)
    labels = word_labels()
    return facts | {
        f"{code}-{name}": (f"{labels[name]} ({code})", text)
        for code, fields in words.items()
        for name, text in fields.items()
        if text and name in labels
    }


def _left_out(sketch: editor.Sketch, language: str) -> Told:
    """The questions left out; nothing while the facts do not fit together, because nothing is asked about them."""
    scenario = editor.check(sketch).scenario
    if scenario is None:
        return {}
    texts = [ask(key, scenario.situation, scenario.book, language) for key in scenario.left_out or ()]
    return {LEAVE: (_("Questions left out"), " · ".join(texts) or NOTHING)}


def _read(base: str, mine: editor.Sketch) -> tuple[editor.Sketch, Words]:
    """What the form was opened with; nothing if the form does not say."""
    try:
        kind, typed, words, left_out = json.loads(base[:LONGEST])
        known = kind if kind in mine.book.kinds() else ""
        facts = {str(name): str(value) for name, value in typed.items()}
        opened = replace(mine, kind=known, typed=facts, left_out=frozenset(map(str, left_out)))
        return opened, {code: {n: str(t) for n, t in fields.items()} for code, fields in words.items()}
    except (ValueError, TypeError, AttributeError, RecursionError):
        return replace(mine, kind="", typed={}), {}
