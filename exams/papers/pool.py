"""The pool of a session: more cases for every blueprint line than one form needs, all fit for an exam."""

from collections.abc import Iterable, Iterator, Mapping
from math import comb, prod
from uuid import UUID

import rules_engine
from exams.obstacles import Obstacle, too_few
from exams.papers import exam_bank
from exams.papers.knowledge import Known, fingerprint_of
from exams.programmes.rules import Line, Rules, Slot
from exams.records.models import ExamItem, Session
from rules_engine import Adopted, Scenario
from rules_engine.draw import Draw
from rules_engine.errors import EngineError
from training.figures.expected import Experience
from training.house import tables
from training.house.readings import article_for, as_examined, examined
from training.lessons.examples import is_told
from training.library.guarded_cases import Watch
from training.library.models import Version
from training.platform import secret_seeds
from training.platform.engine_json import document

# Seeds tried per case: some topics have suspended readings, and no case may appear twice.
TRIES = 40
# How many different sets of items must be possible per candidate, so that no two forms need be the same.
SETS_EACH = 4
LIBRARY_SHARE = 3  # at most one in three items of a line comes from the exam bank


class CannotMake(Exception):
    """The forms cannot be made, for the reason in `obstacle`."""

    def __init__(self, obstacle: Obstacle) -> None:
        self.obstacle = obstacle
        super().__init__(obstacle["kind"])


def fit_for_exam(scenario: Scenario) -> bool:
    """Whether an exam may use this case: none of its readings is on hold, and its questions do not reveal the
    ruling."""
    return rules_engine.exam_fit(scenario)


def sizes(rules: Rules, candidates: int) -> list[int]:
    """How many cases the pool needs for each line."""
    wanted = [slot.line.items for slot in rules.slots]
    found = [items + max(2, items // 2) for items in wanted]
    while prod(map(comb, found, wanted)) < SETS_EACH * candidates:
        found = [size + 1 for size in found]
    return found


class Pool:
    """Cases by line. Generated cases are new to every candidate; bank cases are new to some."""

    def __init__(self, session: Session, rules: Rules, known: Mapping[int, Known], experience: Experience) -> None:
        self.session = session
        self.rules, self.slots = rules, rules.slots
        self._adopted: dict[str, Mapping[str, Adopted]] = {}
        self.lines: list[list[ExamItem]] = [[] for _slot in self.slots]
        self._known = known
        self._experience = experience
        self._met = {case for one in known.values() for case in one.cases}
        self._taken: set[str] = set()
        # What other exams use and the bank reserves, by rulebook.
        self._watches: dict[str, Watch] = {}
        # How many more candidates each bank item may be used for.
        self.room: dict[UUID, int] = {}

    @property
    def items(self) -> list[ExamItem]:
        return [item for line in self.lines for item in line]

    def fill(self, wanted: list[int]) -> Iterator[int]:
        """Fill every line to its size, yielding each line's number when it is done. Raises CannotMake."""
        for slot, size in zip(self.slots, wanted, strict=True):
            line = self.lines[slot.number]
            if not line:
                line += self._from_bank(slot)
            for _try in range(TRIES * size):
                if len(line) >= size:
                    break
                line += self._fresh(slot)
            if len(line) < size:
                raise CannotMake(too_few_of(slot.line))
            yield slot.number

    def one_more(self, number: int, *, besides: Iterable[str]) -> ExamItem:
        """Returns a new case for one line, excluding these fingerprints. Raises CannotMake."""
        self._taken.update(besides)
        slot = self.slots[number]
        for _try in range(TRIES):
            if made := self._fresh(slot):
                return made[0]
        raise CannotMake(too_few_of(slot.line))

    def _fresh(self, slot: Slot) -> list[ExamItem]:
        """Returns one generated case, or none if this seed gives one that is unfit or already known."""
        line, seed = slot.line, secret_seeds.secret_seed()
        table = tables.pick(self.rules.tables_of(line.rulebook), seed)
        if line.rulebook not in self._adopted:
            self._adopted[line.rulebook] = examined(line.rulebook)
        adopted = self._adopted[line.rulebook]
        made = rules_engine.generate(
            line.rulebook,
            line.topic,
            seed,
            line.difficulty,
            article=line.article or article_for(line.rulebook, line.topic, adopted, seed),
            table=table,
            readings=adopted,
        )
        if line.article and line.article not in made.solve().pivots:
            return []
        return self._admitted(slot, made, version=None)

    def _is_at_its_table(self, scenario: Scenario) -> bool:
        """Whether a bank case is played at a table of the programme. If that names none, also if it has no table."""
        unnamed = not scenario.table and not self.rules.tables.get(scenario.rulebook)
        return unnamed or scenario.table in self.rules.tables_of(scenario.rulebook)

    def _from_bank(self, slot: Slot) -> list[ExamItem]:
        # The bank is kept by topic: a line limited to an article takes only new cases.
        most = 0 if slot.line.article else slot.line.items // LIBRARY_SHARE
        reserved = list(exam_bank.reserved_for(slot.line)) if most else []
        exposure = exam_bank.exposure([version.item_id for version in reserved])
        found: list[ExamItem] = []
        shuffled = Draw(secret_seeds.secret_seed()).shuffled(reserved) if reserved else []
        for version in shuffled:
            shown = exposure[version.item_id]
            if len(found) == most:
                break
            # Sharing a case with another exam would delay both results until the later exam is over.
            if shown.spent or shown.in_use:
                continue
            try:
                fits = self._is_at_its_table(version.scenario)
                admitted = self._admitted(slot, version.scenario, version=version) if fits else []
            except EngineError:
                continue  # the daily check will suspend it
            self.room |= {item.pk: shown.most - shown.candidates for item in admitted}
            found += admitted
        return found

    def _admitted(self, slot: Slot, given: Scenario, version: Version | None) -> list[ExamItem]:
        made = as_examined(given)
        if made is None:
            return []
        fingerprint = fingerprint_of(made)
        met = version is None and (fingerprint in self._met or self._is_guarded(made))
        if met or fingerprint in self._taken or not fit_for_exam(made) or is_told(made):
            return []
        item = ExamItem(
            session=self.session,
            section=slot.section,
            line=slot.number,
            points=slot.line.points,
            rulebook=slot.line.rulebook,
            topic=slot.line.topic,
            difficulty=slot.line.difficulty,
            scenario_document=version.scenario_document if version and made is given else document(made),
            fingerprint=fingerprint,
            version=version,
            predicted=self._experience.expected(
                rulebook=slot.line.rulebook,
                topic=slot.line.topic,
                difficulty=slot.line.difficulty,
                version_id=version.pk if version else None,
                pivots=made.solve().pivots,
            ),
        )
        if version and all(one.has(item) for one in self._known.values()):
            return []
        self._taken.add(fingerprint)
        return [item]

    def _is_guarded(self, made: Scenario) -> bool:
        """Whether another exam or the bank has a case so similar that knowing one gives away the other."""
        watch = self._watches.get(made.rulebook) or self._watches.setdefault(made.rulebook, Watch(made.rulebook))
        return any(case.session != self.session.pk for case in watch.near(made))


def too_few_of(line: Line) -> Obstacle:
    return too_few(rulebook=line.rulebook, topic=line.topic, difficulty=line.difficulty)
