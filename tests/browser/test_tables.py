"""Hundreds of generated tables in a real browser: no label touches anything, and all can be read.

Every time they are spread over the games; with SABOT_FULL=1 there are hundreds of every game.
"""

import pytest
from playwright.sync_api import Page

from rules_engine.game import GAMES
from tests.browser.tables import every_table, troubles
from tests.samples import sample

pytestmark = pytest.mark.browser
COUNT, ON_A_DESK = 300, 5
# One in so many, which falls on every language and both moments in turn.
STEP = sample(7, 1)


@pytest.mark.parametrize("game", GAMES)
def test_no_label_touches_anything_and_all_can_be_read(page: Page, game: str) -> None:
    tables = list(every_table(game, COUNT))[::STEP]
    assert len(tables) * len(GAMES) >= COUNT
    assert troubles(page, tables, 360) == {}
    assert troubles(page, tables[::ON_A_DESK], 740) == {}
