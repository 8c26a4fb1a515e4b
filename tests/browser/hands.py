"""Somebody at work with a mouse, a finger or keys alone, whose actions are counted.

An action is a tap, a click, a key that does something, or a field filled in; going there by Tab or arrows is not.
Keys are really pressed: nothing is focused but by Tab, Shift+Tab and arrows.
"""

from typing import Literal

from playwright.sync_api import Locator, Page

By = Literal["mouse", "touch", "keys"]
FAR = 400  # times Tab: more than any page has things to stop at
IS_FOCUSED = "thing => thing === document.activeElement"
IN_ITS_GROUP = "radio => document.activeElement?.name === radio.name && document.activeElement.type === 'radio'"


class Hand:
    def __init__(self, page: Page, by: By) -> None:
        self.page, self.by, self.actions = page, by, 0

    def do(self, thing: Locator) -> None:
        self.actions += 1
        if self.by == "keys":
            self.reach(thing)
            self.page.keyboard.press("Enter")
        elif self.by == "touch":
            thing.tap()
        else:
            thing.click()

    def write(self, thing: Locator, words: str) -> None:
        self.actions += 1
        if self.by == "keys":
            self.reach(thing)
        elif self.by == "touch":
            thing.tap()
        else:
            thing.click()
        self.page.keyboard.press("ControlOrMeta+a")
        self.page.keyboard.type(words)

    def tick(self, radio: Locator) -> None:
        """Choose one of several: its label is tapped, or it is gone to by arrows inside its group."""
        if self.by != "keys":
            known = radio.get_attribute("id")
            self.do(self.page.locator(f'label[for="{known}"]') if known else radio.locator("xpath=ancestor::label"))
            return
        self.actions += 1
        self.reach(radio, near=IN_ITS_GROUP)
        self.page.keyboard.press(" ")
        for _step in range(radio.evaluate("one => one.form.elements[one.name].length")):
            if radio.is_checked():
                return
            self.page.keyboard.press("ArrowDown")

    def reach(self, thing: Locator, *, near: str = IS_FOCUSED) -> None:
        """To it, forward by Tab; inside an open menu by the arrow, as menus are walked."""
        thing.wait_for(state="visible" if near == IS_FOCUSED else "attached")
        in_menu = thing.evaluate("thing => Boolean(thing.closest('dialog[open]'))")
        for _step in range(FAR):
            if thing.evaluate(near):  # found anew each time: what has been ruled on meanwhile is drawn again
                return
            self.page.keyboard.press("ArrowDown" if in_menu else "Tab")
        raise AssertionError(f"no key leads to {thing}")
