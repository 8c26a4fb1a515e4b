"""What differs between a version and the one before it, for whoever reviews it: facts, words and ruling."""

from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from rules_engine import Scenario
from rules_engine.errors import EngineError
from rules_engine.narration import ask, show
from rules_engine.situation import kind_of
from training.library import finding
from training.library.editor_controls import Sheet
from training.library.editor_forms import INCIDENT, typed
from training.library.models import Version

NOTHING = "–"


@dataclass(frozen=True)
class Difference:
    what: str
    before: str
    now: str


@dataclass(frozen=True)
class Comparison:
    before: Version
    facts: list[Difference]
    words: list[Difference]
    ruling: list[Difference]


def compared(version: Version, language: str) -> Comparison | None:
    """Against the version before; nothing for a first version, or where the engine no longer reads one of them."""
    before = Version.objects.filter(item=version.item_id, number__lt=version.number).order_by("-number").first()
    if before is None:
        return None
    try:
        old, new = before.scenario, version.scenario
        return Comparison(before, _facts(old, new, language), _words(before, version), _ruling(old, new, language))
    except EngineError:
        return None


def _facts(old: Scenario, new: Scenario, language: str) -> list[Difference]:
    """Field by field, as the editor calls them; facts of another kind of incident are told by its title alone."""
    book, kinds = new.book, (kind_of(old.situation.incident), kind_of(new.situation.incident))
    if old.rulebook != new.rulebook:
        return [Difference(_("Rulebook"), old.book.name(language), book.name(language))]
    one, other = typed(old.situation, book), typed(new.situation, book)
    labels = Sheet(one, {}, book, kinds[0], language).labels() | Sheet(other, {}, book, kinds[1], language).labels()
    seats = {
        name: f"{labels.get('seats', '')} {name.partition('-')[2]}" for name in {**one, **other} if "seats-" in name
    }
    labels |= seats
    told = []
    if kinds[0] != kinds[1]:
        told = [Difference(_("What happened"), *(finding.title(book, kind, language) for kind in kinds))]
        one, other = ({k: v for k, v in facts.items() if not k.startswith(f"{INCIDENT}-")} for facts in (one, other))
    names = [name for name in {**one, **other} if one.get(name, "") != other.get(name, "")]
    return told + [Difference(labels.get(name, ""), _shown(one, name), _shown(other, name)) for name in names]


def _shown(facts: dict[str, str], name: str) -> str:
    value = facts.get(name, "")
    return _("yes") if value == "on" else value or NOTHING


def _words(old: Version, new: Version) -> list[Difference]:
    labels = {"title": _("Title"), "story": _("Story"), "note": _("Teaching note")}
    return [
        Difference(f"{labels[name]} ({code})", _word(old, code, name), _word(new, code, name))
        for code in {**old.words, **new.words}
        for name in labels
        if _word(old, code, name) != _word(new, code, name)
    ]


def _word(version: Version, code: str, name: str) -> str:
    return str(version.words.get(code, {}).get(name, "")) or NOTHING


def _ruling(old: Scenario, new: Scenario, language: str) -> list[Difference]:
    one, other = _decided(old, language), _decided(new, language)
    changed = [question for question in {**one, **other} if one.get(question) != other.get(question)]
    return [Difference(question, one.get(question, NOTHING), other.get(question, NOTHING)) for question in changed]


def _decided(scenario: Scenario, language: str) -> dict[str, str]:
    book, situation = scenario.book, scenario.situation
    decisions: list[Any] = list(scenario.solve().decisions)
    return {
        ask(one.key, situation, book, language): show(one.key, one.kind, one.value, book, language) for one in decisions
    }
