"""Whether a form has cases that reveal each of the usual wrong rules."""

import pytest
from django.urls import reverse

from exams.programmes.rules import Line, Section
from exams.programmes.telling_apart import checked, missed, of_programme
from rules_engine import generate
from rules_engine.misconceptions import believed, misconceptions
from tests.exams.making import make_rules, make_version
from tests.exams.test_programmes_pages import english
from training.people.models import Role

BOOK = "pt-roleta-francesa"


def test_a_form_names_the_wrong_rules_that_it_does_not_tell_apart() -> None:
    every = set(misconceptions(BOOK))
    telling = next(
        scenario
        for seed in range(400)
        if any(believed(scenario := generate(BOOK, None, seed, 2), one) for one in every)
    )
    assert set(missed([])) == set()
    told = {one.wrong: one.cases for one in checked([telling])}
    assert set(told) == every
    assert {one for one in every if believed(telling, one)} == {one for one, cases in told.items() if cases}
    assert set(missed([telling])) == {one for one, cases in told.items() if not cases}


def _section(topic: str, items: int) -> tuple[Section, ...]:
    return (Section(key="one", names={"en": "One"}, lines=(Line(rulebook=BOOK, topic=topic, items=items),)),)


@pytest.mark.django_db
def test_the_page_of_a_programme_says_what_a_paper_reveals_and_what_not() -> None:
    rules = make_rules(rulebooks=(BOOK,), sections=_section("payout", 12))
    told = of_programme(rules)
    assert {one.wrong for one in told} == set(misconceptions(BOOK))
    assert any(one.cases for one in told)
    version = make_version(rules=rules)
    writer = english(Role.INSTRUCTOR)
    address = reverse("programme_ideas", args=[version.programme_id, version.number])
    assert address in writer.get(reverse("programme", args=[version.programme_id])).content.decode()
    page = writer.get(address)
    assert {idea.id for _cases, idea in page.context["told"]} == {one.wrong.id for one in told if one.cases}
    assert {idea.id for idea in page.context["missed"]} == {one.wrong.id for one in told if not one.cases}
    shown = page.content.decode()
    assert all(one.wrong.said["en"] in shown for one in told)


@pytest.mark.django_db
def test_a_paper_that_asks_no_payouts_reveals_no_wrong_payout() -> None:
    told = of_programme(make_rules(rulebooks=(BOOK,), sections=_section("wheel", 3)))
    assert all(one.cases == 0 for one in told if one.wrong.id == "split_as_straight")
