"""The last look at a form before a session is ready: whatever is wrong is found."""

from typing import Any

import pytest

from exams.papers import inspection
from exams.papers.inspection import BadForm
from exams.papers.knowledge import Known
from exams.records.models import ExamItem
from tests.exams import making

pytestmark = pytest.mark.django_db


def whole_form() -> tuple[Any, list[ExamItem]]:
    session = making.make_session(spare=2)
    candidate = making.enter(session)
    rules = session.programme_version.rules
    items = [placed.item for placed in candidate.form.items.select_related("item")]
    inspection.check_form(rules, items, Known())
    return rules, items


def spare_item(items: list[ExamItem]) -> ExamItem:
    others = ExamItem.objects.filter(session=items[0].session_id, line=items[0].line)
    return others.exclude(pk__in=[item.pk for item in items])[0]


def test_a_form_with_too_little_too_much_or_another_line_is_refused() -> None:
    rules, items = whole_form()
    for wrong in (items[:-1], [*items, spare_item(items)], [*items[:-1], spare_item(items)]):
        with pytest.raises(BadForm, match="blueprint"):
            inspection.check_form(rules, wrong, Known())


def test_a_form_with_one_case_twice_or_sections_mixed_is_refused() -> None:
    rules, items = whole_form()
    with pytest.raises(BadForm, match="twice"):
        inspection.check_form(rules, [items[0], items[0], *items[2:]], Known())
    with pytest.raises(BadForm, match="order"):
        inspection.check_form(rules, items[::-1], Known())


def test_a_form_with_a_known_case_is_refused() -> None:
    rules, items = whole_form()
    with pytest.raises(BadForm, match="known"):
        inspection.check_form(rules, items, Known(cases=frozenset({items[2].fingerprint})))


def test_an_item_that_cannot_be_read_or_is_another_is_refused() -> None:
    rules, items = whole_form()
    slot = rules.slots[0]
    first = items[0]
    inspection.check_item(first, slot)
    with pytest.raises(BadForm, match="another kind"):
        inspection.check_item(first, rules.slots[1])
    with pytest.raises(BadForm, match="not the case"):
        inspection.check_item(item_like(first, fingerprint="other"), slot)
    with pytest.raises(BadForm, match="worth"):
        inspection.check_item(item_like(first, points=9), slot)
    broken = first.scenario_document | {"situation": {}}
    with pytest.raises(BadForm, match="cannot be read"):
        inspection.check_item(item_like(first, scenario_document=broken), slot)


def item_like(item: ExamItem, **changes: Any) -> ExamItem:
    fields = ("section", "line", "points", "scenario_document", "fingerprint", "predicted")
    return ExamItem(**({name: getattr(item, name) for name in fields} | changes))
