"""Audit entries in the reader's words: a sentence, what changed, and why."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, datetime
from decimal import ROUND_DOWN, Decimal, InvalidOperation
from typing import Any

from django.apps import apps
from django.conf import settings
from django.utils import timezone
from django.utils.formats import date_format, number_format
from django.utils.translation import gettext as _

from exams import obstacles
from exams.audit.act import UNKNOWN
from exams.audit.detail_labels import LABELS
from exams.audit.facts import Facts, Thing, facts_of
from exams.audit.models import Entry
from exams.audit.selectors import held_back
from exams.audit.sentences import ACTS
from rules_engine import RULEBOOKS
from rules_engine.narration import book_name
from training.house.readings import questions
from training.people.models import Role, User
from training.people.request import language, quoted
from training.platform.storable import share

NOTHING = "–"
OF_AN_APPEAL = re.compile(r"appeal (\d+)")  # how regrades name their appeal
# Details with a fixed set of values: table and name of the choices.
CHOICES = {
    "cause": [("results.Mark", "Cause")],
    "remedy": [("appeals.Appeal", "Remedy"), ("results.Annulment", "Remedy")],
    "what": [("hr.Export", "What")],
    "objection": [("appeals.Objection", "Kind")],
    "format": [("hr.Export", "Format")],
    "every": [("hr.Schedule", "Every")],
}


@dataclass(frozen=True)
class Line:
    """One detail next to the sentence; `before` is set if it changed."""

    label: str
    after: str
    before: str | None = None

    def __str__(self) -> str:
        return f"{self.label}: {self.after}" if self.before is None else f"{self.label}: {self.before} → {self.after}"


@dataclass(frozen=True)
class EntryText:
    """An entry in words."""

    entry: Entry
    actor: str
    title: str
    sentence: str
    lines: list[Line]
    reason: str

    @property
    def certificate(self) -> str:
        """The certificate that the entry is about, or ""."""
        kind, _colon, key = self.entry.subject.partition(":")
        return key if kind == "certificate" else ""


class _Values(dict[str, str]):
    """The values a sentence may name; missing ones are shown as a dash."""

    def __missing__(self, _name: str) -> str:
        return NOTHING


def describe(entries: Iterable[Entry], reader: User | None = None) -> list[EntryText]:
    """The entries in words, in the same order. Entries about the reader's own exam that they may not know yet only say
    so."""
    entries = list(entries)
    facts, own = facts_of(entries), held_back(reader, entries) if reader else set()
    return [_withheld(entry) if entry.number in own else _describe(entry, facts) for entry in entries]


def _withheld(entry: Entry) -> EntryText:
    sentence = _("This is about your own exam. You can read it once the result is released or the matter decided.")
    return EntryText(entry, NOTHING, _("About your own exam"), sentence, [], "")


def title_of(act: str) -> str:
    return str(ACTS.get(act, UNKNOWN).title)


def _describe(entry: Entry, facts: Facts) -> EntryText:
    act = ACTS.get(entry.act, UNKNOWN)
    actor = entry.actor.name if entry.actor else _("The platform")
    sentence = str(act.sentence_for(entry.details)) % _values(entry, facts, actor)
    lines = [*_changes(entry, facts), *_figures(entry, act.figures, facts)]
    return EntryText(entry, actor, str(act.title), sentence, lines, _reason(entry, facts))


def _values(entry: Entry, facts: Facts, actor: str) -> _Values:
    thing, details = facts.things.get(entry.subject, Thing()), entry.details
    person = details.get("person", thing.person)
    found = {
        "person": facts.people.get(person) if isinstance(person, int) else None,
        "session": quoted(title) if (title := facts.sessions.get(thing.session)) else "",
        "programme": facts.programmes.get(thing.programme) or _text(details.get("code") or details.get("programme")),
        "number": _text(details.get("number")) or thing.number,
        "version": _text(details.get("version")),
        "roles": _shown("roles", details.get("roles"), facts),
        "rulebook": _rulebook(details.get("rulebook")),
        "name": _text(details.get("name")),
        "question": _open_question(details.get("rulebook"), details.get("question")),
        "people": _names(details.get("people") or (), facts),
        "sitters": _names((facts.sitters.get(str(each)) for each in _listed(details.get("sittings"))), facts),
    }
    return _Values({"actor": actor} | {name: value for name, value in found.items() if value})


def _rulebook(id: Any) -> str:
    return book_name(id, language()) if id in RULEBOOKS else _text(id)


def _open_question(id: Any, question: Any) -> str:
    """The open question in the reader's language."""
    known = questions(RULEBOOKS[id], language()) if id in RULEBOOKS else {}
    return known[question].question if question in known else ""


def _text(value: Any) -> str:
    return "" if value is None else str(value)


def _listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def _names(people: Iterable[int | None], facts: Facts) -> str:
    return ", ".join(facts.people.get(person, NOTHING) if person else NOTHING for person in people)


# ---- details


def _changes(entry: Entry, facts: Facts) -> list[Line]:
    """Everything the entry recorded with old and new value."""
    details, pairs = entry.details, dict[str, tuple[Any, Any]]()
    for name, pair in (details.get("changes") or {}).items():
        pairs[name] = (pair[0], pair[1])
    if entry.act == "session.changed":
        before = facts.earlier.get(entry.number, {})
        pairs |= {name: (before.get(name), value) for name, value in details.items() if value != before.get(name)}
    if entry.act in ("certificate.reduce", "certificate.extend"):
        pairs["scope"] = (facts.scopes.get(entry.number), details.get("scope"))
    # The score is shown with the result, once released.
    if entry.act == "result.regraded" and entry.number not in facts.unreleased:
        pairs |= {name: (details[name][0], details[name][1]) for name in ("score", "passed") if details.get(name)}
    return [
        Line(_label(name), _shown(name, after, facts), before=_shown(name, before, facts))
        for name, (before, after) in pairs.items()
    ]


def _figures(entry: Entry, names: tuple[str, ...], facts: Facts) -> list[Line]:
    given = ((name, entry.details.get(name)) for name in names)
    return [Line(_label(name), _shown(name, value, facts)) for name, value in given if value not in (None, "", [])]


def _label(name: str) -> str:
    return str(LABELS.get(name, name))


def _reason(entry: Entry, facts: Facts) -> str:
    if obstacle := entry.details.get("obstacle"):
        return obstacles.describe(obstacle)
    reason = facts.reasons.get(entry.number) or _text(entry.details.get("reason"))
    if found := OF_AN_APPEAL.fullmatch(reason):
        return _("appeal %(number)s") % {"number": found[1]}
    return reason


def _shown(name: str, value: Any, facts: Facts) -> str:
    """A detail as shown on a page."""
    if name == "languages":  # an empty list means all
        return ", ".join(str(said) for code, said in settings.LANGUAGES if not value or code in value)
    if value is None or value in ("", []):
        return NOTHING
    if isinstance(value, bool):
        return _("yes") if value else _("no")
    if name in ("author", "asked_by"):
        return facts.people.get(value, NOTHING)
    if name == "programme_version":
        return facts.versions.get(value, NOTHING)
    if name == "score":
        return _percent(value)
    if name in CHOICES:
        return _choice(name, value)
    if name == "logo_id":
        return _("an image")  # the digest means nothing to readers
    if name.endswith(("_on", "_at", "_until")):
        return _moment(str(value))
    return _several(name, value) if isinstance(value, list) else str(value)


def _several(name: str, values: list[Any]) -> str:
    if name == "roles":
        return ", ".join(str(Role(role).label) if role in Role.values else str(role) for role in values)
    if name == "scope":
        return "; ".join(book_name(book, language()) if book in RULEBOOKS else str(book) for book in values)
    if name == "sittings":
        return str(len(values))
    if name in ("chips", "limits"):
        return ", ".join(" ".join(str(part) for part in one.values()) for one in values)
    if name == "signatories":
        return "; ".join(f"{one['name']} ({one['titles'].get(language()) or NOTHING})" for one in values)
    return ", ".join(" → ".join(map(str, each)) if isinstance(each, list) else str(each) for each in values)


def _percent(value: Any) -> str:
    try:
        return share(number_format(Decimal(str(value)).quantize(Decimal("0.01"), rounding=ROUND_DOWN), 2))
    except InvalidOperation:
        return str(value)


def _choice(name: str, value: Any) -> str:
    named = {key: said for label, of in CHOICES[name] for key, said in getattr(apps.get_model(label), of).choices}
    return str(named.get(value, value))


def _moment(text: str) -> str:
    try:
        if len(text) == len("2026-11-16"):
            return date_format(date.fromisoformat(text), "SHORT_DATE_FORMAT")
        return date_format(timezone.localtime(datetime.fromisoformat(text)), "SHORT_DATETIME_FORMAT")
    except ValueError:
        return text
