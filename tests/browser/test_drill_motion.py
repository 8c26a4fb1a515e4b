"""The drawing of a drill moves, in a real browser: the log replays the coup, and the table ends as it should."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.drilling import fill_in, submit
from training.people.models import User
from training.practice.models import Drill

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def test_the_call_log_is_stepped_through(visit: Callable[[Drill], Page], third_card: Drill) -> None:
    page = visit(third_card)
    page.keyboard.press("Escape")
    position = page.locator("[data-log-position]")
    expect(position).to_have_text("3 / 3")
    page.keyboard.press("ArrowLeft")
    expect(position).to_have_text("2 / 3")
    expect(page.locator(".table-before [data-point='place:2']")).to_have_class(re.compile(r"\blit\b"))
    expect(page.locator(".calls li.later")).to_have_count(1)
    third = page.locator(".table-before [data-point='card:ponto.3']")
    expect(third).to_be_hidden()
    expect(page.locator(".spoken-now")).to_have_text("«Carta.»")
    page.get_by_role("button", name="Voltar").click()
    expect(page.locator(".table-before .croupier")).to_have_class(re.compile(r"\blit\b"))
    expect(page.get_by_role("button", name="Voltar")).to_be_disabled()
    page.keyboard.press("ArrowRight")
    expect(position).to_have_text("2 / 3")
    page.keyboard.press("ArrowRight")
    expect(third).to_be_visible()
    assert third.evaluate("part => part.getAnimations().length")  # it leaves the shoe
    page.get_by_role("button", name="Passar o que aconteceu").click()
    expect(third).to_be_hidden()
    expect(position).to_have_text("3 / 3")
    expect(third).to_be_visible()


def test_the_table_goes_to_how_it_should_end_unless_motion_is_reduced(
    worker: None, visit: Callable[[Drill], Page], third_card: Drill, trainee: User
) -> None:
    moving = "document.querySelectorAll('#table .table-after g').values().some(part => part.getAnimations().length)"
    page = visit(third_card)
    fill_in(page)
    submit(page)
    expect(page.locator("#panel[data-graded]")).to_be_visible(timeout=10_000)
    page.wait_for_function(moving)
    drawn = page.locator(".table-after [data-point='card:banker.3']")
    expect(drawn).to_have_css("opacity", "1")
    drawn.evaluate("part => Promise.all(part.getAnimations().map(one => one.finished))")
    assert drawn.evaluate("part => getComputedStyle(part).translate") in ("none", "0px")

    page.emulate_media(reduced_motion="reduce")
    page.reload()
    page.get_by_text("Como estava").click()
    page.get_by_text("Como deve acabar").click()
    expect(drawn).to_be_visible()
    assert not page.evaluate(moving)
