"""What is asked of every page in a real browser: open to everybody, nothing cut off, nothing on the console."""

from typing import Any, Literal

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

Scheme = Literal["light", "dark"]
GRAVE = ("serious", "critical")
EVERYTHING: dict[str, Any] = {"resultTypes": ["violations"]}
COLOURS: dict[str, Any] = {"resultTypes": ["violations"], "runOnly": ["color-contrast"]}
# In the dark nothing but colours changes, and they are the same at every width.
LOOKS: tuple[tuple[int, Scheme, dict[str, Any]], ...] = (
    (1280, "light", EVERYTHING),
    (360, "light", EVERYTHING),
    (360, "dark", COLOURS),
)
# The page is drawn in its new colours before anybody looks at them.
DRAWN = """scheme => new Promise(drawn => {
  const look = () => matchMedia(`(prefers-color-scheme: ${scheme})`).matches
    ? requestAnimationFrame(() => requestAnimationFrame(drawn)) : requestAnimationFrame(look);
  look();
  setTimeout(drawn, 5000);  // a machine too busy to draw must not keep it waiting for ever
})"""


def troubles(page: Page) -> list[str]:
    """What keeps people out of the page that is open, at phone and desktop width, in light and dark."""
    page.evaluate(Axe().axe_script)
    found: list[str] = []
    for width, scheme, asked in LOOKS:
        page.set_viewport_size({"width": width, "height": 800})
        page.emulate_media(color_scheme=scheme)
        page.evaluate(DRAWN, scheme)
        if (wide := page.evaluate("document.documentElement.scrollWidth")) > width:
            found.append(f"{width} px: {wide} px wide")
        violations = page.evaluate("options => axe.run(document, options)", asked)["violations"]
        found += [
            f"{width} px, {scheme}: {one['id']} {one['nodes'][0]['html'][:200]}"
            for one in violations
            if one["impact"] in GRAVE
        ]
    return found


def below_the_table(page: Page, selector: str) -> bool:
    """Whether something is on the screen and not behind the table, which stays at the top of a phone."""
    seen: bool = page.evaluate(
        """selector => {
          const { top } = document.querySelector(selector).getBoundingClientRect();
          return top >= document.querySelector("#table").getBoundingClientRect().bottom && top < innerHeight - 100;
        }""",
        selector,
    )
    return seen


def past_the_card(page: Page, left: str, *, touch: bool = False) -> None:
    """From the address just left to the drill: a rule that is new is taught by its card first."""
    expect(page).not_to_have_url(left)
    understood = page.get_by_role("link", name="Percebi: experimentar")
    expect(understood.or_(page.locator("#answer")).first).to_be_visible()
    if understood.count():
        understood.tap() if touch else understood.press("Enter")
    expect(page.locator("#answer")).to_be_visible()
