"""A story: two or three moments of one coup, each ruled on, each carrying on from the last.

The first moment is the version itself; later ones are stored in `Version.moments`, each with facts, texts without a
title, accepted remarks and, once published, its ruling. All moments are written, reviewed, published and retired
together. Stories are for practice only: the exam bank takes single moments (`exam_bank.py`).
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

import rules_engine
from rules_engine import Ruling, Scenario
from rules_engine.errors import EngineError
from training.library.author_texts import UnfitWords, checked_words
from training.library.models import Version
from training.library.ruled import fresh, still_odd
from training.platform.engine_json import as_stored
from training.platform.errors import Refused

MOST = 3


@dataclass(frozen=True)
class Moment:
    """One moment of a version. It has the title of the whole story."""

    version: Version
    number: int
    scenario_document: Any
    ruling_document: Any
    words: dict[str, dict[str, str]]
    accepted: list[str]

    @property
    def rulebook(self) -> str:
        return self.version.rulebook

    @property
    def topic(self) -> str:
        return str(self.scenario_document["topic"])

    @property
    def scenario(self) -> Scenario:
        return rules_engine.scenario_from(self.scenario_document)

    @property
    def ruling(self) -> Ruling | None:
        """What the engine ruled on publication. Raises EngineError if it can no longer be read."""
        return None if self.ruling_document is None else rules_engine.ruling_from(self.ruling_document)


def count(version: Version) -> int:
    return 1 + len(version.moments)


def moments(version: Version) -> list[Moment]:
    """All moments of a version, in order."""
    first = Moment(
        version, 1, version.scenario_document, version.ruling_document, version.words, list(version.accepted)
    )
    return [first, *(_later(version, number) for number in range(2, count(version) + 1))]


def moment(version: Version, number: int) -> Moment:
    """One moment of a version. Raises Refused if there is none with that number."""
    if not 1 <= number <= count(version):
        raise Refused(_("The story has no such moment."))
    return moments(version)[number - 1]


def _later(version: Version, number: int) -> Moment:
    kept = version.moments[number - 2]
    titles = {code: {"title": fields["title"]} for code, fields in version.words.items() if fields.get("title")}
    words = {code: titles.get(code, {}) | kept["words"].get(code, {}) for code in {**titles, **kept["words"]}}
    return Moment(version, number, kept["scenario"], kept.get("ruling"), words, kept["accepted"])


def kept_moment(
    scenario: Scenario, words: Any, accepted: Iterable[str], *, ruling: Ruling | None = None
) -> dict[str, Any]:
    """A later moment as it is stored. Raises EngineError for impossible facts and UnfitWords for invalid texts."""
    return {
        "scenario": as_stored(fresh(scenario)),
        "words": checked_later(words),
        "accepted": still_odd(scenario, accepted),
        "ruling": None if ruling is None else as_stored(ruling),
    }


def situations(first: Any, later: Iterable[dict[str, Any]]) -> list[Any]:
    """The stored facts of every moment."""
    return [first["situation"], *(one["scenario"]["situation"] for one in later)]


def still_accepted(later: Iterable[dict[str, Any]], former: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """New later moments, with the remarks that were accepted on former moments with the same facts."""
    left = [(facts_today(one["scenario"]), one["accepted"]) for one in former]
    kept = []
    for one in later:
        scenario = rules_engine.scenario_from(one["scenario"])
        place = next((at for at, (facts, _keys) in enumerate(left) if facts == one["scenario"]["situation"]), None)
        kept.append(one if place is None else one | {"accepted": still_odd(scenario, left.pop(place)[1])})
    return kept


def accepted_on(scenario: Scenario, version: Version) -> list[str]:
    """The remarks accepted on the first moment, if its facts are unchanged."""
    return list(version.accepted) if facts_today(version.scenario_document) == as_stored(scenario.situation) else []


def facts_today(stored: Any) -> Any:
    """A stored situation in the current format; unchanged if the engine can no longer read it."""
    try:
        return rules_engine.present_format("scenario", stored)["situation"]
    except EngineError:
        return stored["situation"]


def checked_later(words: Any) -> dict[str, dict[str, str]]:
    """The texts of a later moment. Raises UnfitWords if one has a title: that belongs to the whole story."""
    kept = checked_words(words)
    for language, fields in kept.items():
        if "title" in fields:
            raise UnfitWords(f"words.{language}.title", _("belongs to the first moment"))
    return kept


def as_rows(later: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """Later moments as they are exported."""
    return [one["scenario"] | ({"words": one["words"]} if one["words"] else {}) for one in later]
