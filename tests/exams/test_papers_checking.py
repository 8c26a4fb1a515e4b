"""The last look at a form before a session is ready: whatever is wrong is found."""

from typing import Any

import pytest

from exams.sittings import checking, pool
from exams.sittings.checking import BadForm
from exams.sittings.knowing import Known
from exams.sittings.models import ExamItem
from tests.exams import making

pytestmark = pytest.mark.django_db


def whole_form() -> tuple[Any, list[ExamItem]]:
    session = making.make_session(spare=2)
    candidate = making.enter(session)
    rules = session.programme_version.rules
    items = [placed.item for placed in candidate.form.items.select_related("item")]
    checking.check_form(rules, items, Known())
    return rules, items


def spare_item(items: list[ExamItem]) -> ExamItem:
    others = ExamItem.objects.filter(session=items[0].session_id, line=items[0].line)
    return others.exclude(pk__in=[item.pk for item in items])[0]


def test_a_form_with_too_little_too_much_or_another_line_is_refused() -> None:
    rules, items = whole_form()
    for wrong in (items[:-1], [*items, spare_item(items)], [*items[:-1], spare_item(items)]):
        with pytest.raises(BadForm, match="blueprint"):
            checking.check_form(rules, wrong, Known())


def test_a_form_with_one_case_twice_or_sections_mixed_is_refused() -> None:
    rules, items = whole_form()
    with pytest.raises(BadForm, match="twice"):
        checking.check_form(rules, [items[0], items[0], *items[2:]], Known())
    with pytest.raises(BadForm, match="order"):
        checking.check_form(rules, items[::-1], Known())


def test_a_form_with_a_known_case_is_refused() -> None:
    rules, items = whole_form()
    with pytest.raises(BadForm, match="known"):
        checking.check_form(rules, items, Known(cases=frozenset({items[2].fingerprint})))


def test_an_item_that_cannot_be_read_or_is_another_is_refused() -> None:
    rules, items = whole_form()
    place = pool.places(rules)[0]
    first = items[0]
    checking.check_item(first, place)
    with pytest.raises(BadForm, match="another kind"):
        checking.check_item(first, pool.places(rules)[1])
    with pytest.raises(BadForm, match="not the case"):
        checking.check_item(item_like(first, fingerprint="other"), place)
    with pytest.raises(BadForm, match="worth"):
        checking.check_item(item_like(first, points=9), place)
    broken = first.scenario_document | {"situation": {}}
    with pytest.raises(BadForm, match="cannot be read"):
        checking.check_item(item_like(first, scenario_document=broken), place)


def item_like(item: ExamItem, **changes: Any) -> ExamItem:
    fields = ("section", "line", "points", "scenario_document", "fingerprint", "predicted")
    return ExamItem(**({name: getattr(item, name) for name in fields} | changes))
