"""Italian articles before a day whose number begins with a vowel: «l'8 novembre», «fino all'11 marzo»."""

import re
from collections.abc import Callable
from functools import cache

from django.http import HttpRequest, HttpResponse
from django.utils.dates import MONTHS
from django.utils.translation import get_language, override

LANGUAGE = "it"


@cache
def _day(*, in_figures: bool) -> re.Pattern[str]:
    with override(LANGUAGE):
        months = "|".join(str(month) for month in MONTHS.values())
    date = rf"(?:8|11) (?:{months})\b" + (r"|11/\d\d/\d{4}" if in_figures else "")
    # A tag may stand between the article and the date.
    return re.compile(rf"\b(il|al|dal|del|nel|sul) ((?:<\w+>)?(?:{date}))", re.IGNORECASE)


def elided(text: str, *, in_figures: bool = False) -> str:
    """The text with «il 8 novembre» as «l'8 novembre»; `in_figures` also «dal 11/12/2026», which could be Spanish too.
    Other texts stay as they are."""
    return _day(in_figures=in_figures).sub(_before_vowel, text)


def _before_vowel(found: re.Match[str]) -> str:
    article = found[1]
    short = article[1:] if article.lower() == "il" else f"{article}l"
    return f"{'L' if article == 'Il' else short}'{found[2]}"


class ItalianDates:
    """Sentences come from the catalogue, days are put into them: only the finished page can have the right article."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        is_page = response.get("Content-Type", "").startswith("text/html")
        if is_page and not response.streaming and get_language() == LANGUAGE:
            response.content = elided(response.content.decode(), in_figures=True).encode()
        return response
