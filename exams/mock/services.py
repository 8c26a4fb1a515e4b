"""Mock exams: start with new cases by a programme's blueprint, save answers until the end, have them marked.

Cases come from practice seeds only, never from a session in use (`practice.fresh` prevents that) or the exam bank.
"""

from datetime import datetime, timedelta

from django.db import transaction
from django.utils.translation import gettext as _

import rules_engine
from exams.mock.models import Mock, MockItem
from exams.obstacles import describe
from exams.papers.knowledge import fingerprint_of
from exams.papers.pool import TRIES, fit_for_exam, too_few_of
from exams.programmes.models import ProgrammeVersion
from exams.programmes.rules import Rules, Slot
from rules_engine import Scenario
from rules_engine.draw import Draw
from training.house.readings import article_for, as_examined, examined
from training.people.models import User
from training.platform import secret_seeds
from training.platform.engine_json import document
from training.platform.errors import Refused
from training.practice import services as practice
from training.practice.fresh import fresh_scenario
from training.practice.models import Drill


class MockOver(Refused):
    """Its time is up or it was handed in, so nothing can change."""

    status = 409
    code = "mock_over"


@transaction.atomic
def start(person: User, version: ProgrammeVersion, now: datetime) -> Mock:
    """A new mock exam, or the one that is open. Raises Refused if there are too few cases."""
    User.objects.select_for_update(no_key=True).get(pk=person.pk)
    under_way = Mock.objects.filter(person=person, closed_at=None).first()
    if under_way and not close_if_due(under_way, now):
        return under_way
    rules = version.rules
    deadline = now + timedelta(minutes=rules.minutes)
    mock = Mock.objects.create(person=person, programme_version=version, started_at=now, deadline_at=deadline)
    MockItem.objects.bulk_create(
        MockItem(
            mock=mock, position=position, section=slot.section, line=slot.number, scenario_document=document(scenario)
        )
        for position, (slot, scenario) in enumerate(_cases(rules), 1)
    )
    return mock


def _cases(rules: Rules) -> list[tuple[Slot, Scenario]]:
    """The number of different cases the blueprint asks for; sections in order, each shuffled."""
    taken: set[str] = set()
    sections: dict[str, list[tuple[Slot, Scenario]]] = {}
    for slot in rules.slots:
        for _item in range(slot.line.items):
            sections.setdefault(slot.section, []).append((slot, _new_case(slot, rules, taken)))
    draw = Draw(secret_seeds.secret_seed())
    return [case for cases in sections.values() for case in draw.shuffled(cases)]


def _new_case(slot: Slot, rules: Rules, taken: set[str]) -> Scenario:
    line, at = slot.line, rules.tables_of(slot.line.rulebook)
    adopted = examined(line.rulebook)
    for _try in range(TRIES):
        article = line.article or article_for(line.rulebook, line.topic, adopted, secret_seeds.secret_seed())
        made = as_examined(fresh_scenario(line.rulebook, line.topic, line.difficulty, article, at=at))
        if made is None:
            continue
        fingerprint = fingerprint_of(made)
        if fingerprint not in taken and fit_for_exam(made):
            taken.add(fingerprint)
            return made
    raise Refused(describe(too_few_of(line)))


@transaction.atomic
def save(mock: Mock, position: int, parts: dict[str, str], *, marked: bool, now: datetime) -> None:
    """Save an answer while the mock is open. Raises EngineError if it is invalid, MockOver if it is too late."""
    item = MockItem.objects.get(mock=mock, position=position)
    rules_engine.check_answer(item.scenario, rules_engine.answer_from({"parts": parts}))
    held = Mock.objects.select_for_update(no_key=True).get(pk=mock.pk)
    if held.closed_at or now >= held.deadline_at:
        raise MockOver(_("The mock exam is over: nothing can be changed any more."))
    item.answer = {"parts": {key: value for key, value in parts.items() if value}}
    item.marked = marked
    item.save(update_fields=["answer", "marked"])


@transaction.atomic
def close(mock: Mock, now: datetime) -> None:
    """End it, once: every case becomes a drill, which the queue marks as usual."""
    at = min(now, mock.deadline_at)
    if not Mock.objects.filter(pk=mock.pk, closed_at=None).update(closed_at=at):
        mock.refresh_from_db()
        return
    mock.closed_at = at
    items = list(mock.items.all())
    for item in items:
        drill = practice.put_drill(mock.person, item.scenario, mode=Drill.Mode.MOCK)
        parts = item.answer.get("parts", {})
        answer = rules_engine.answer_from({"parts": parts})
        practice.submit_answer(drill, answer, seconds=_seconds_each(mock, len(items)) if parts else 0)
        MockItem.objects.filter(pk=item.pk).update(drill=drill)


def _seconds_each(mock: Mock, items: int) -> int:
    """The time of a mock shared among its cases, which counts as practice; capped for mocks left open."""
    taken = ((mock.closed_at or mock.deadline_at) - mock.started_at).total_seconds()
    return min(practice.LONGEST_ANSWER, round(taken / items))


def close_if_due(mock: Mock, now: datetime) -> bool:
    """Close the mock if its time is up; returns whether it is closed."""
    if mock.closed_at is None and now >= mock.deadline_at:
        close(mock, now)
    return mock.closed_at is not None
