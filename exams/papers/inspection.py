"""The final check of stored forms before a session is ready: everything is computed again."""

from collections import Counter
from collections.abc import Iterable, Sequence

import rules_engine
from exams.papers.composer import TOLERANCE, expected_score
from exams.papers.knowledge import Known, fingerprint_of
from exams.papers.pool import LIBRARY_SHARE, fit_for_exam
from exams.programmes.likeness import gist
from exams.programmes.rules import Rules, Slot
from exams.records.models import ExamItem
from rules_engine.errors import EngineError

NEGLIGIBLE = 1e-9


class BadForm(Exception):
    """A form violates a rule. This is a bug of ours; the message goes to the log and reveals no content."""


def check_item(item: ExamItem, slot: Slot) -> None:
    """Raise BadForm unless the case loads, is the intended one, has a ruling and is fit for an exam."""
    line = slot.line
    try:
        scenario = item.scenario
        ruling = scenario.solve()
        fit = fit_for_exam(scenario)
        rules_engine.grade(scenario, rules_engine.answer_from({"parts": {}}))
    except EngineError:
        raise BadForm("an item cannot be read or ruled on") from None
    _must(fingerprint_of(scenario) == item.fingerprint, "an item is not the case it was")
    _must(fit and ruling.decisions and scenario.questions, "an item is not fit for an exam")
    meant = (line.rulebook, line.topic, line.difficulty)
    _must((scenario.rulebook, scenario.topic, scenario.difficulty) == meant, "an item is of another kind")
    _must(not line.article or line.article in ruling.pivots, "an item turns on another article")
    _must(item.version is None or item.version.reserved, "an item is in practice")
    _must((item.section, item.points) == (slot.section, line.points), "an item is worth something else")


def check_form(rules: Rules, items: Sequence[ExamItem], known: Known) -> None:
    """Raise BadForm unless the items match the blueprint in order, none repeats, and the candidate knows none."""
    blueprint = rules.slots
    counted = Counter(item.line for item in items)
    _must(counted == {slot.number: slot.line.items for slot in blueprint}, "the blueprint is not met")
    order = [section.key for section in rules.sections]
    met = [order.index(item.section) for item in items]
    _must(met == sorted(met), "sections are out of order")
    _must(len({item.fingerprint for item in items}) == len(items), "a case comes twice")
    _must(not any(known.has(item) for item in items), "a case is known to the candidate")
    library = Counter(item.line for item in items if item.version_id)
    most = {slot.number: slot.line.items // LIBRARY_SHARE for slot in blueprint}
    _must(all(count <= most[number] for number, count in library.items()), "too much comes from the bank")


def check_balance(forms: Iterable[Sequence[ExamItem]]) -> None:
    scores = [expected_score(items) for items in forms]
    _must(max(scores) - min(scores) <= TOLERANCE + NEGLIGIBLE, "the forms are not equally hard")


def check_apart(forms: Iterable[Sequence[ExamItem]]) -> None:
    """Raise BadForm if two candidates have the same item, or two with the same incident, cited facts and answers. The
    pool has compared whole tables, which takes long."""
    items = [item for form in forms for item in form]
    _must(len({item.pk for item in items}) == len(items), "two candidates have the same item")
    gists = {gist(item.scenario, item.scenario.solve()) for item in items}
    _must(len(gists) == len(items), "two items are alike")


def check_apart_from(items: Sequence[ExamItem], others: Sequence[ExamItem]) -> None:
    """Raise BadForm if one of these items is on another paper, or like one there."""
    _must({item.pk for item in items}.isdisjoint(item.pk for item in others), "two candidates have the same item")
    theirs = {gist(item.scenario, item.scenario.solve()) for item in others}
    _must(theirs.isdisjoint(gist(item.scenario, item.scenario.solve()) for item in items), "two items are alike")


def _must(holds: object, otherwise: str) -> None:
    if not holds:
        raise BadForm(otherwise)
