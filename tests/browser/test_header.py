"""The header on a desk's screen: one line for every set of roles, in both languages, with a long name beside it."""

from itertools import combinations

import pytest
from django.test import Client
from django.urls import reverse
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from tests.browser.drilling import enter
from tests.factories import PersonFactory
from training.people.models import Role

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
DESK = 1280
TOGETHER = [role for role in Role if role != Role.AUDITOR]  # an auditor has no other role
SETS = [(Role.AUDITOR,), *(roles for size in range(1, len(TOGETHER) + 1) for roles in combinations(TOGETHER, size))]
# The header of another person in place of one's own, and what does not fit in it.
MEASURE = """html => {
  const parsed = new DOMParser().parseFromString(html, "text/html").querySelector(".site-header");
  document.querySelector(".site-header").replaceWith(parsed);
  const header = document.querySelector(".site-header");
  const places = [...header.querySelectorAll(".places li:not(.beyond) > a")];
  places.sort((one, other) => other.offsetWidth - one.offsetWidth)[0]?.setAttribute("aria-current", "page"); // bold
  const shown = [...header.querySelectorAll(".brand, .places li, .header-end > *")].filter(one => one.offsetWidth);
  const boxes = shown.map(one => one.getBoundingClientRect()).sort((one, other) => one.left - other.left);
  const middle = header.getBoundingClientRect().height / 2;
  return {
    height: header.offsetHeight,
    wide: document.documentElement.scrollWidth,
    off: boxes.filter(box => box.top > middle || box.bottom < middle).length,
    over: boxes.filter((box, at) => at && box.left < boxes[at - 1].right - 1).length,
  };
}"""


@pytest.mark.parametrize("language", ["pt", "en"])
def test_it_is_one_line_for_every_set_of_roles(page: Page, live_server: LiveServer, language: str) -> None:
    page.set_viewport_size({"width": DESK, "height": 800})
    enter(page.context, PersonFactory(language=language), live_server)
    page.goto(live_server.url + reverse("mfa_index"))
    wrong = {}
    for roles in SETS:
        person = PersonFactory(roles=list(roles), name="Maximiliana Vasconcelos", language=language)
        client = Client()
        client.force_login(person)
        found = page.evaluate(
            MEASURE, client.get(reverse("mfa_index"), headers={"accept-language": language}).content.decode()
        )
        if found["height"] > 64 or found["wide"] > DESK or found["off"] or found["over"]:
            wrong["+".join(roles)] = found
    assert wrong == {}


def test_on_a_phone_the_current_place_is_in_sight(page: Page, live_server: LiveServer) -> None:
    page.set_viewport_size({"width": 360, "height": 800})
    enter(page.context, PersonFactory(roles=[Role.ADMINISTRATOR]), live_server)
    page.goto(live_server.url + reverse("audit"))
    expect(page.locator(".places a[aria-current]").first).to_be_in_viewport(ratio=1)
