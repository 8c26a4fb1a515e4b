"""Every game has a picture of its cloth."""

from xml.etree import ElementTree

import pytest
from django.contrib.staticfiles import finders

from rules_engine import RULEBOOKS
from training.practice.felts import picture


@pytest.mark.parametrize("book", RULEBOOKS)
def test_every_rulebook_has_a_picture_that_a_browser_can_draw(book: str) -> None:
    found = finders.find(picture(book).removeprefix("/static/"))
    assert found, book
    assert ElementTree.parse(found).getroot().tag == "{http://www.w3.org/2000/svg}svg"
