"""Marks in a text the words that a search matched, and cuts a long text down to the part with most of them."""

import re

from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe

from training.search.ranking import synonyms
from training.search.stemming import STEMMERS, STOP, all_stems, stem, words

WORD = re.compile(r"[^\W_]+")
AROUND = 220  # letters of an excerpt


def marked(text: str, language: str, asked: str, *, longest: int = 0) -> SafeString:
    """The text as HTML with matches in `<mark>`; with `longest`, an excerpt of so many letters around them."""
    hits = _hits(text, language, asked)
    start, end = _window(text, hits, longest) if longest else (0, len(text))
    parts, at = ["… " if start else ""], start
    for first, last in hits:
        if start <= first and last <= end:
            parts += [escape(text[at:first]), "<mark>", escape(text[first:last]), "</mark>"]
            at = last
    parts += [escape(text[at:end]), " …" if end < len(text) else ""]
    return mark_safe("".join(parts))  # noqa: S308 (every part of the text is escaped)


def _hits(text: str, language: str, asked: str) -> list[tuple[int, int]]:
    """Where the words of a search are in a text."""
    wanted = frozenset[str]().union(*(all_stems(word) for word in words(asked))) if asked.strip() else frozenset()
    if not wanted:
        return []
    alike = wanted | synonyms(asked)
    spoken = language if language in STEMMERS else "en"
    return [
        word.span()
        for word in WORD.finditer(text)
        for plain in words(word[0])[:1]
        if word[0].casefold() not in STOP and f"{spoken}:{stem(plain, spoken)}" in alike
    ]


def _window(text: str, hits: list[tuple[int, int]], longest: int) -> tuple[int, int]:
    """The stretch of a text, from word to word, with most matches."""
    if len(text) <= longest:
        return 0, len(text)
    starts = [max(0, first - longest // 4) for first, _last in hits] or [0]
    start = max(starts, key=lambda at: sum(at <= first and last <= at + longest for first, last in hits))
    if start:
        start = text.find(" ", start) + 1
    end = start + longest
    return (
        (start, len(text))
        if end >= len(text)
        else (start, text.rfind(" ", start, end) if " " in text[start:end] else end)
    )
