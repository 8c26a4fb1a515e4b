"""The pool of a session: cases for every blueprint line, all fit for an exam and no two alike."""

from collections.abc import Iterable, Iterator, Mapping
from uuid import UUID

import rules_engine
from exams.obstacles import Obstacle, too_few
from exams.papers import exam_bank
from exams.papers.knowledge import Known, fingerprint_of
from exams.programmes.likeness import Collection, model_of
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

# Seeds tried for one more case: some topics have suspended readings, and no case may appear twice.
TRIES = 40
# A line is exhausted when so many seeds in a row give nothing new.
PATIENCE = 250
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


def least(line: Line) -> int:
    """How many different cases a line needs even if candidates may share them."""
    return line.items + max(2, line.items // 2)


class Pool:
    """Cases by line, no two alike. Generated cases are new to every candidate; bank cases, to the candidate who gets
    them."""

    def __init__(self, session: Session, rules: Rules, known: Mapping[int, Known], experience: Experience) -> None:
        self.session = session
        self.rules, self.slots = rules, rules.slots
        self._adopted: dict[str, Mapping[str, Adopted]] = {}
        self.lines: list[list[ExamItem]] = [[] for _slot in self.slots]
        # Who gets which bank cases, by line and person.
        self.placed: dict[tuple[int, int], list[ExamItem]] = {}
        # How much reasoning each case takes.
        self.work: dict[UUID, float] = {}
        self._known = known
        self._experience = experience
        self._met = {case for one in known.values() for case in one.cases}
        self._taken: set[str] = set()
        self._alike = Collection()
        # Nobody can pass cases on if there is one candidate, or if all sit at the same time.
        self._apart = not session.common_start and len(known) > 1
        # What other exams use and the bank reserves, by rulebook.
        self._watches: dict[str, Watch] = {}

    @property
    def items(self) -> list[ExamItem]:
        banked = [item for several in self.placed.values() for item in several]
        return [*banked, *(item for line in self.lines for item in line)]

    def fill(self, *, spare: int = 0) -> Iterator[int]:
        """Fill every line with a case for each place on each form, and `spare` more in a hundred, as far as there are
        any; yields each line's number when it is done. Raises CannotMake.

        Where everybody begins at once forms may share cases, and a few suffice.
        """
        for slot in self.slots:
            line, places = self.lines[slot.number], slot.line.items * len(self._known)
            if not line:
                self._place_bank(slot)
            places -= sum(len(own) for (number, _person), own in self.placed.items() if number == slot.number)
            dry = 0
            while len(line) < places * (100 + spare) // 100 and dry < PATIENCE:
                found = self._fresh(slot)
                line += found
                dry = 0 if found else dry + 1
            if len(line) < (places if self._apart else min(places, least(slot.line))):
                raise CannotMake(too_few_of(slot.line, room_for=len(line) // slot.line.items))
            yield slot.number

    def like_those(self, items: Iterable[ExamItem]) -> None:
        """Take in the session's cases, so that no new one is like one of them."""
        self._apart = not self.session.common_start
        for item in items:
            self._alike.add(item.scenario)
            self._taken.add(item.fingerprint)

    def one_more(self, number: int) -> ExamItem:
        """Returns a new case for one line. Raises CannotMake."""
        slot = self.slots[number]
        for _try in range(PATIENCE):
            if made := self._fresh(slot):
                return made[0]
        raise CannotMake(too_few_of(slot.line, room_for=0))

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

    def _place_bank(self, slot: Slot) -> None:
        """Give each person at most a third of the line's cases from the bank, each case to one person."""
        most = slot.line.items // LIBRARY_SHARE
        unserved = {person: most for person in self._known if most}
        for item in self._from_bank(slot, most * len(self._known)):
            takers = [person for person, more in unserved.items() if more and not self._known[person].has(item)]
            if takers:
                chosen = max(takers, key=lambda person: unserved[person])
                self.placed.setdefault((slot.number, chosen), []).append(item)
                unserved[chosen] -= 1

    def _from_bank(self, slot: Slot, most: int) -> Iterator[ExamItem]:
        # The bank is kept by topic: a line limited to an article takes only new cases.
        reserved = list(exam_bank.reserved_for(slot.line)) if most and not slot.line.article else []
        exposure = exam_bank.exposure([version.item_id for version in reserved]) if reserved else {}
        shuffled = Draw(secret_seeds.secret_seed()).shuffled(reserved) if reserved else []
        for version in shuffled:
            shown = exposure[version.item_id]
            # Sharing a case with another exam would delay both results until the later exam is over.
            if shown.spent or shown.in_use:
                continue
            try:
                if self._is_at_its_table(version.scenario):
                    yield from self._admitted(slot, version.scenario, version=version)
            except EngineError:
                continue  # the daily check will suspend it

    def _admitted(self, slot: Slot, given: Scenario, version: Version | None) -> list[ExamItem]:
        made = as_examined(given)
        if made is None:
            return []
        fingerprint = fingerprint_of(made)
        met = version is None and (fingerprint in self._met or self._is_guarded(made))
        if met or fingerprint in self._taken or not fit_for_exam(made) or is_told(made):
            return []
        if version and all(one.has_case(fingerprint, version.item_id) for one in self._known.values()):
            return []
        if self._apart and not self._alike.add(made):
            return []
        ruling = made.solve()
        model = model_of(made, ruling)
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
            model=model,
            version=version,
            predicted=self._experience.expected(
                rulebook=slot.line.rulebook,
                topic=slot.line.topic,
                difficulty=slot.line.difficulty,
                version_id=version.pk if version else None,
                pivots=ruling.pivots,
            ),
        )
        self.work[item.pk] = ruling.hardness
        self._taken.add(fingerprint)
        return [item]

    def _is_guarded(self, made: Scenario) -> bool:
        """Whether another exam or the bank has a case so similar that knowing one gives away the other."""
        watch = self._watches.get(made.rulebook) or self._watches.setdefault(made.rulebook, Watch(made.rulebook))
        return any(case.session != self.session.pk for case in watch.near(made))


def too_few_of(line: Line, *, room_for: int = 0) -> Obstacle:
    return too_few(rulebook=line.rulebook, topic=line.topic, difficulty=line.difficulty, room_for=room_for)
