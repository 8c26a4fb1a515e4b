"""What is asked of every page in a real browser: open to everybody, nothing cut off, nothing on the console."""

import os
import re
from pathlib import Path
from typing import Any, Literal
from urllib.parse import urlsplit
from zlib import crc32

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from tests.samples import FULL

Scheme = Literal["light", "dark"]
Look = tuple[int, Scheme, dict[str, Any]]
GRAVE = ("serious", "critical")
EVERYTHING: dict[str, Any] = {"resultTypes": ["violations"]}
COLOURS: dict[str, Any] = {"resultTypes": ["violations"], "runOnly": ["color-contrast"]}
# In the dark nothing but colours changes.
LOOKS: tuple[Look, ...] = (
    (1280, "light", EVERYTHING),
    (360, "light", EVERYTHING),
    (360, "dark", COLOURS),
    (1280, "dark", COLOURS),
)
# The page is drawn in its new colours before anybody looks at them.
DRAWN = """scheme => new Promise(drawn => {
  const look = () => matchMedia(`(prefers-color-scheme: ${scheme})`).matches
    ? requestAnimationFrame(() => requestAnimationFrame(drawn)) : requestAnimationFrame(look);
  look();
  setTimeout(drawn, 5000);  // a machine too busy to draw must not keep it waiting for ever
})"""


AXE = Axe().axe_script
PICTURES = Path(os.environ.get("SABOT_LOOK", ""))


def look_for(name: str) -> tuple[Look, ...]:
    """One look of the four, always the same for the same name; all four with SABOT_FULL=1.

    What differs between them is layout, whose width is measured whichever is taken, and colours, whose contrast
    `tests/look/test_stylesheet.py` computes for both themes.
    """
    if FULL:
        return LOOKS
    width, scheme, _asked = LOOKS[crc32(name.encode()) % len(LOOKS)]
    return ((width, scheme, EVERYTHING),)


# What still moves is put where it goes: half faded it is nobody's contrast. What turns for ever cannot be finished.
AT_REST = "for (const one of document.getAnimations()) try { one.finish(); } catch {}"


def troubles(page: Page, looks: tuple[Look, ...] = ()) -> list[str]:
    """What keeps people out of the page that is open; unless looks are given, in the one that its address has."""
    looks = looks or look_for(re.sub(r"[0-9a-f-]{36}|[0-9]+", "x", urlsplit(page.url).path))
    page.evaluate(AXE)
    page.evaluate(AT_REST)
    found: list[str] = []
    for width in {1280, 360} - {look[0] for look in looks}:
        page.set_viewport_size({"width": width, "height": 800})
        found += too_wide(page, width)
    for width, scheme, asked in looks:
        page.set_viewport_size({"width": width, "height": 800})
        page.emulate_media(color_scheme=scheme)
        page.evaluate(DRAWN, scheme)
        found += too_wide(page, width)
        violations = page.evaluate("options => axe.run(document, options)", asked)["violations"]
        found += [
            f"{width} px, {scheme}: {one['id']} {one['nodes'][0]['html'][:200]}"
            for one in violations
            if one["impact"] in GRAVE
        ]
    page.set_viewport_size({"width": 1280, "height": 800})
    return found


def keep(page: Page, name: str, language: str) -> None:
    """`make look`: the open page as a picture in each of the four ways, named by what it is, for people to look at."""
    name = re.sub(r"[^a-z0-9]+", "-", re.sub(r"[0-9a-f]{8}-[0-9a-f-]{27}", "x", name.lower())).strip("-") or "home"
    PICTURES.mkdir(parents=True, exist_ok=True)
    for width, scheme, _asked in LOOKS:
        page.set_viewport_size({"width": width, "height": 800})
        page.emulate_media(color_scheme=scheme)
        page.evaluate(DRAWN, scheme)
        page.evaluate(AT_REST)
        page.screenshot(path=PICTURES / f"{name}--{language}-{width}-{scheme}.png", full_page=True)


def too_wide(page: Page, width: int) -> list[str]:
    wide = page.evaluate("document.documentElement.scrollWidth")
    return [f"{width} px: {wide} px wide"] if wide > width else []


def below_the_table(page: Page, selector: str) -> None:
    """Fail unless something comes onto the screen, and not behind the table, which stays at the top of a phone. The
    page scrolls to it, which a busy machine takes a moment for."""
    page.wait_for_function(
        """selector => {
          const { top } = document.querySelector(selector).getBoundingClientRect();
          return top >= document.querySelector("#table").getBoundingClientRect().bottom && top < innerHeight - 100;
        }""",
        arg=selector,
        timeout=15_000,
    )


def on_case(page: Page, number: int) -> None:
    """At this case of a sprint, whose keys are heard: its script has run once the document is parsed, not when the
    buttons are first seen."""
    expect(page.locator("[name=number]")).to_have_value(str(number))
    page.wait_for_load_state("domcontentloaded")


def past_the_card(page: Page, left: str, *, touch: bool = False) -> None:
    """From the address just left to the drill: a rule that is new is taught by its card first."""
    expect(page).not_to_have_url(left)
    understood = page.get_by_role("link", name="Percebi: experimentar")
    expect(understood.or_(page.locator("#answer")).first).to_be_visible()
    if understood.count():
        understood.tap() if touch else understood.press("Enter")
    expect(page.locator("#answer")).to_be_visible()
