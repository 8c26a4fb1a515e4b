"""The differences between a version and the one before, for its reviewer: facts, texts and ruling."""

from dataclasses import dataclass, replace
from itertools import zip_longest
from typing import Any

from django.utils.translation import gettext as _

from rules_engine import Scenario
from rules_engine.errors import EngineError
from rules_engine.narration import ask, show
from rules_engine.situation import kind_of
from training.library import incident_search
from training.library.editor_controls import Sheet
from training.library.editor_forms import INCIDENT, typed
from training.library.models import Version
from training.library.moments import Moment, moments

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
    """The differences from the version before. None for a first version, or if the engine cannot read one of them."""
    before = Version.objects.filter(item=version.item_id, number__lt=version.number).order_by("-number").first()
    if before is None:
        return None
    found = Comparison(before, [], [], [])
    try:
        for old, new in zip_longest(moments(before), moments(version)):
            if old is None or new is None:
                found.facts.append(_come_or_gone(old, new, language))
                continue
            found.facts.extend(_of_moment(new, _facts(old.scenario, new.scenario, language)))
            found.words.extend(_of_moment(new, _words(old, new)))
            found.ruling.extend(_of_moment(new, _ruling(old.scenario, new.scenario, language)))
    except EngineError:
        return None
    return found


def _of_moment(moment: Moment, differences: list[Difference]) -> list[Difference]:
    """Label the differences in a later moment with its number."""
    if moment.number == 1:
        return differences
    return [replace(one, what=f"{_called(moment)} · {one.what}") for one in differences]


def _called(moment: Moment) -> str:
    return _("Moment %(number)d") % {"number": moment.number}


def _come_or_gone(old: Moment | None, new: Moment | None, language: str) -> Difference:
    """A moment that only one of the versions has."""
    found = [moment for moment in (old, new) if moment]
    happens = [_happens(moment.scenario, language) if moment else NOTHING for moment in (old, new)]
    return Difference(_called(found[0]), *happens)


def _happens(scenario: Scenario, language: str) -> str:
    return incident_search.title(scenario.book, kind_of(scenario.situation.incident), language)


def _facts(old: Scenario, new: Scenario, language: str) -> list[Difference]:
    """The facts that differ, by the editor's labels. If the kind of incident differs, only its title is compared."""
    book, kinds = new.book, (kind_of(old.situation.incident), kind_of(new.situation.incident))
    if old.rulebook != new.rulebook:
        return [Difference(_("Rulebook"), old.book.name(language), book.name(language))]
    one, other = (
        Sheet(typed(scenario.situation, book), {}, book, kind, language).told()
        for scenario, kind in zip((old, new), kinds, strict=True)
    )
    told = []
    if kinds[0] != kinds[1]:
        told = [Difference(_("What happened"), *(incident_search.title(book, kind, language) for kind in kinds))]
        one, other = ({k: v for k, v in facts.items() if not k.startswith(f"{INCIDENT}-")} for facts in (one, other))
    absent = ("", NOTHING)
    if old.left_out != new.left_out:
        told.append(Difference(_("Questions left out"), *(_left_out(one, language) for one in (old, new))))
    return told + [
        Difference(label, one.get(name, absent)[1], other.get(name, absent)[1])
        for name, (label, _value) in (one | other).items()
        if one.get(name, absent)[1] != other.get(name, absent)[1]
    ]


def _left_out(scenario: Scenario, language: str) -> str:
    texts = [ask(key, scenario.situation, scenario.book, language) for key in scenario.left_out or ()]
    return " · ".join(texts) or NOTHING


def _words(old: Moment, new: Moment) -> list[Difference]:
    labels = word_labels()
    if new.number > 1:
        del labels["title"]  # the whole story has one title
    return [
        Difference(f"{labels[name]} ({code})", _word(old, code, name), _word(new, code, name))
        for code in {**old.words, **new.words}
        for name in labels
        if _word(old, code, name) != _word(new, code, name)
    ]


def word_labels() -> dict[str, str]:
    return {"title": _("Title"), "story": _("Story"), "note": _("Teaching note")}


def _word(moment: Moment, code: str, name: str) -> str:
    return str(moment.words.get(code, {}).get(name, "")) or NOTHING


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
