"""The pool of a session: for every line of the blueprint more cases than one form needs, all fit for an exam."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from math import comb, prod

from django.utils.translation import get_language
from django.utils.translation import gettext as _

import rules_engine
from exams.programmes.rules import Line, Rules
from exams.sittings.knowing import Known, fingerprint_of
from exams.sittings.models import ExamItem, Session
from exams.sittings.predicting import Experience
from rules_engine import Scenario
from rules_engine.draw import Draw
from rules_engine.errors import EngineError
from rules_engine.words import text
from training.library.models import Version
from training.practice import services as practice
from training.practice.models import document

# Seeds tried for each case wanted: some topics have readings on hold, and no case may come twice.
TRIES = 40
# So many sets of items must be possible for each candidate, so that all can get different ones.
SETS_EACH = 4
LIBRARY_SHARE = 3  # at most one in three items of a line comes from the library


class CannotMake(Exception):
    """Forms that cannot be made; the message says why, for the person who sets the session up."""


@dataclass(frozen=True)
class Place:
    """A line of the blueprint and where it stands, counted through all sections."""

    number: int
    section: str
    line: Line


def places(rules: Rules) -> list[Place]:
    lines = ((section.key, line) for section in rules.sections for line in section.lines)
    return [Place(number, key, line) for number, (key, line) in enumerate(lines)]


def fit_for_exam(scenario: Scenario) -> bool:
    """Whether a case may be put in an exam: no reading on hold in it, and questions that do not tell the ruling."""
    return rules_engine.exam_fit(scenario)


def sizes(rules: Rules, candidates: int) -> list[int]:
    """How many cases the pool needs for every line."""
    wanted = [place.line.items for place in places(rules)]
    found = [items + max(2, items // 2) for items in wanted]
    while prod(map(comb, found, wanted)) < SETS_EACH * candidates:
        found = [size + 1 for size in found]
    return found


class Pool:
    """Cases by line. What is generated is new to every candidate; what comes from the library is new to some."""

    def __init__(self, session: Session, rules: Rules, known: Mapping[int, Known], experience: Experience) -> None:
        self.session = session
        self.places = places(rules)
        self.lines: list[list[ExamItem]] = [[] for _place in self.places]
        self._known = known
        self._experience = experience
        self._met = {case for one in known.values() for case in one.cases}
        self._taken: set[str] = set()

    @property
    def items(self) -> list[ExamItem]:
        return [item for line in self.lines for item in line]

    def fill(self, wanted: list[int]) -> Iterator[int]:
        """Bring every line to its size; yields the number of each line that is done."""
        for place, size in zip(self.places, wanted, strict=True):
            line = self.lines[place.number]
            if not line:
                line += self._from_library(place)
            for _try in range(TRIES * size):
                if len(line) >= size:
                    break
                line += self._fresh(place)
            if len(line) < size:
                raise CannotMake(too_few(place.line))
            yield place.number

    def one_more(self, number: int, *, besides: Iterable[str]) -> ExamItem:
        """A new case for one line, other than those with these fingerprints."""
        self._taken.update(besides)
        place = self.places[number]
        for _try in range(TRIES):
            if made := self._fresh(place):
                return made[0]
        raise CannotMake(too_few(place.line))

    def _fresh(self, place: Place) -> list[ExamItem]:
        """One more generated case, or none where this seed gives one that is unfit or already met."""
        line = place.line
        made = rules_engine.generate(line.rulebook, line.topic, practice.secret_seed(), line.difficulty)
        return self._admitted(place, made, version=None)

    def _from_library(self, place: Place) -> list[ExamItem]:
        line = place.line
        most = line.items // LIBRARY_SHARE
        published = Version.objects.filter(
            state=Version.State.PUBLISHED, rulebook=line.rulebook, topic=line.topic, difficulty=line.difficulty
        )
        found: list[ExamItem] = []
        for version in Draw(practice.secret_seed()).shuffled(list(published)) if most else []:
            if len(found) == most:
                break
            try:
                found += self._admitted(place, version.scenario, version=version)
            except EngineError:
                continue  # suspended as soon as the daily check looks at it
        return found

    def _admitted(self, place: Place, made: Scenario, version: Version | None) -> list[ExamItem]:
        fingerprint = fingerprint_of(made)
        met = version is None and fingerprint in self._met
        if met or fingerprint in self._taken or not fit_for_exam(made):
            return []
        item = ExamItem(
            session=self.session,
            section=place.section,
            line=place.number,
            points=place.line.points,
            rulebook=place.line.rulebook,
            topic=place.line.topic,
            difficulty=place.line.difficulty,
            scenario_document=version.scenario_document if version else document(made),
            fingerprint=fingerprint,
            version=version,
            predicted=self._experience.expected(
                rulebook=place.line.rulebook,
                topic=place.line.topic,
                difficulty=place.line.difficulty,
                version_id=version.pk if version else None,
                pivots=made.solve().pivots,
            ),
        )
        if version and all(one.has(item) for one in self._known.values()):
            return []
        self._taken.add(fingerprint)
        return [item]


def too_few(line: Line) -> str:
    language = get_language() or "en"
    return _("“%(topic)s” (%(rulebook)s, difficulty %(difficulty)d) has too few different cases fit for an exam.") % {
        "topic": text(f"topic.{line.topic}", language),
        "rulebook": text(f"rulebook.{line.rulebook}", language),
        "difficulty": line.difficulty,
    }
