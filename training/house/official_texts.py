"""Splits the plain text of a regulation into articles and matches them with the articles of a rulebook.

A text numbers its articles (`12 — …`, `Articolo 12`, `Art. 12.º`) or gives them headings. Copies are bad: heads get
lost, numbers occur where no article begins, and one file contains several regulations. So only heads with increasing
numbers count, and of several runs that start with 1 the one that is most like the rulebook's own summaries. If one
number is missing between two heads, the only paragraph there that begins with a dash after a misread number is its
article.
"""

import re
from bisect import bisect_left
from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice, pairwise

from rules_engine import Rulebook
from rules_engine.folding import folded
from training.house.lettered import Part, parts
from training.house.models import OfficialText

Number = tuple[int, ...]

# `*+` does not backtrack; otherwise a line of spaces would be tried at every length.
HEAD = re.compile(
    r"^\W{0,6}(?:<[^>]*>)?\s*+(?:art(?:igo|icolo|[íi]culo|icle|\.)?\s*+(?:n\.?\s*+[ºo°]\s*+)?)?"
    r"(?P<number>\d{1,3}(?:\.\d{1,2})?)\s*+\.?[ºª°]?\.?\s*+(?:[-–—.):]+(?!\d)|$)\s*+(?P<rest>.*)$",
    re.IGNORECASE,
)
# How scanners misread a number before a dash: nothing, characters like digits, an extra digit.
BAD_HEAD = re.compile(r"^\s*[\d§$&SlIO|.]{0,4}\s?-?[—–]\s*(?P<rest>[A-ZÀ-Ý].*)$")
ROMAN = re.compile(r"^[IVX]{1,5}$")
NUMBERED = re.compile(r"^(?:(?P<part>[IVX]+) )?(?P<number>\d+(?:\.\d+)?)$")
RANGE = re.compile(r"^(\d+)-(\d+)$")
LONGEST_HEADING = 60
SOON = 3  # heads within which article 2 must follow article 1
MOST_RUNS = 100  # regulations in one file
MOST_HEADINGS = 1000
COUNTED = r"(?:[a-z]{1,2}|[ivx]{1,4}|\d{1,2}(?:\.º)?)(?:\)| [—–-]) "  # the start of a list item
WORD = re.compile(r"\w{4,}")


@dataclass(frozen=True)
class Wording:
    """The articles found in a text, in the order and by the names of the rulebook.

    `missing` are articles of the rulebook that were not found, `surplus` are found ones that it does not have.
    """

    articles: dict[str, str]
    missing: list[str]
    surplus: list[str]


def read_wording(text: str, book: Rulebook) -> Wording:
    """Find the articles of a rulebook in a text. If nothing is found, everything is missing."""
    lines = text.replace("\r\n", "\n").replace("\f", "\n").split("\n")
    wanted = expected(book)
    numbered = {article for article in wanted if NUMBERED.match(article)}
    found, surplus = _numbered(lines, book, wanted) if numbered else _headed(lines, wanted)
    articles = {article: found[article] for article in wanted if found.get(article)}
    return Wording(articles, [article for article in wanted if article not in articles], surplus)


def expected(book: Rulebook) -> list[str]:
    """The articles that a text of this rulebook must have.

    For a rulebook based on another, only those of its own part. Rows without a single article, such as ranges, are
    left out.
    """
    parts = {_part(row.article) for row in book.law.rows.values()}
    every = list(dict.fromkeys(row.article for row in book.law.clauses.values()))
    if any(NUMBERED.match(article) for article in every):
        own = [article for article in every if NUMBERED.match(article) and _part(article) in parts]
        return sorted(own, key=_number_of)
    return every


def wording_of(articles: dict[str, str], article: str) -> str:
    """The text of an article, or of all articles of a range."""
    several = RANGE.match(article)
    if not several:
        return articles.get(article, "")
    found = [articles.get(str(number), "") for number in range(int(several[1]), int(several[2]) + 1)]
    return "\n\n".join(filter(None, found))


@dataclass(frozen=True)
class Official:
    """The text of an article and its source."""

    text: str
    source: str

    @property
    def parts(self) -> list[Part]:
        """Its paragraphs, each with its letter or number."""
        return parts(self.text)


def official(book: Rulebook, article: str) -> Official | None:
    """The loaded text of an article, if necessary from the rulebook that this one is based on; None if not loaded."""
    where = [book] if article in expected(book) or not book.like else [book, book.like]
    loaded = OfficialText.objects.in_bulk([one.id for one in where])
    for one in where:
        if one.id in loaded and (text := wording_of(loaded[one.id].articles, article)):
            return Official(text, loaded[one.id].source)
    return None


def _part(article: str) -> str:
    found = NUMBERED.match(article)
    return (found["part"] or "") if found else ""


def _number_of(article: str) -> Number:
    found = NUMBERED.match(article)
    return _number(found["number"]) if found else ()


def _number(written: str) -> Number:
    return tuple(map(int, written.split(".")))


# ---- articles by number


@dataclass(frozen=True)
class _Head:
    line: int
    number: Number
    rest: str


def _numbered(lines: Sequence[str], book: Rulebook, wanted: Sequence[str]) -> tuple[dict[str, str], list[str]]:
    names = {_number_of(article): article for article in wanted}
    ours = _our_words(book)
    best: tuple[int, dict[Number, str]] = (-1, {})
    for heads, end in _runs(_heads(lines), len(lines)):
        texts = _texts(lines, _with_lost(lines, heads, names), end)
        alike = sum(_alike(texts[number], ours[article]) for number, article in names.items() if number in texts)
        best = max(best, (alike, texts), key=lambda one: one[0])
    texts = best[1]
    found = {names[number]: text for number, text in texts.items() if number in names}
    # An article that the rulebook has only in parts is not surplus.
    whole = {number[:1] for number in names if len(number) > 1}
    return found, [".".join(map(str, number)) for number in texts if number not in names and number not in whole]


def _heads(lines: Sequence[str]) -> list[_Head]:
    found = ((at, HEAD.match(line)) for at, line in enumerate(lines))
    return [_Head(at, _number(head["number"]), head["rest"]) for at, head in found if head]


def _runs(heads: list[_Head], end: int) -> Iterator[tuple[list[_Head], int]]:
    """Runs from each article 1 that 2 soon follows to the next such article or the one after it.

    Both ends are tried because a list inside an article may also start with 1. Without any article 1, one run from
    the first head.
    """
    starts = [
        at
        for at, head in enumerate(heads)
        if head.number == (1,) and (2,) in (near.number for near in heads[at + 1 : at + 1 + SOON])
    ]
    bounds = [*(starts[:MOST_RUNS] or [0]), len(heads)] if heads else []
    for apart in (1, 2):
        for first, after in zip(bounds, bounds[apart:], strict=False):
            yield _upwards(heads[first:after]), heads[after].line if after < len(heads) else end


def _upwards(heads: Sequence[_Head]) -> list[_Head]:
    """The longest increasing subsequence of heads."""
    ends: list[Number] = []
    last: list[int] = []
    before: list[int | None] = []
    for at, head in enumerate(heads):
        place = bisect_left(ends, head.number)
        before.append(last[place - 1] if place else None)
        ends[place : place + 1] = [head.number]
        last[place : place + 1] = [at]
    found: list[_Head] = []
    step = last[-1] if last else None
    while step is not None:
        found.append(heads[step])
        step = before[step]
    return found[::-1]


def _with_lost(lines: Sequence[str], heads: Sequence[_Head], wanted: Container[Number]) -> list[_Head]:
    """Add the heads with a misread number, where only one number is possible."""
    found = list(heads[:1])
    for before, after in pairwise(heads):
        lost = (before.number[0] + 1,)
        if after.number == (lost[0] + 1,) and lost in wanted:
            found += _misread(lines, before, after, lost)
        found.append(after)
    return found


def _misread(lines: Sequence[str], before: _Head, after: _Head, number: Number) -> list[_Head]:
    """The only paragraph between two heads that begins like a head; none if there are several."""
    begins = [at for at in range(before.line + 1, after.line) if not lines[at - 1].strip()]
    bad = [(at, BAD_HEAD.match(lines[at])) for at in begins]
    found = [_Head(at, number, head["rest"]) for at, head in bad if head]
    return found if len(found) == 1 else []


def _texts(lines: Sequence[str], heads: list[_Head], end: int) -> dict[Number, str]:
    bounds = [*(head.line for head in heads), end]
    return {
        head.number: _paragraphs([head.rest, *_before_next_part(lines[head.line + 1 : after])])
        for head, after in zip(heads, bounds[1:], strict=True)
    }


def _before_next_part(lines: Sequence[str]) -> Sequence[str]:
    """The lines before a Roman numeral on its own line, which begins another regulation.

    A lower-case numeral needs a title below it.
    """
    return lines[: next((at for at in range(len(lines)) if _begins_part(lines, at)), len(lines))]


def _begins_part(lines: Sequence[str], at: int) -> bool:
    number = lines[at].strip()
    titled = at + 2 < len(lines) and _is_heading(lines, at + 2)
    return bool(ROMAN.match(number) or (titled and ROMAN.match(number.upper())))


def _our_words(book: Rulebook) -> dict[str, set[str]]:
    """The words of the rulebook's summaries, by article."""
    said: dict[str, set[str]] = {}
    for row in book.law.clauses.values():
        words = WORD.findall(folded(book.law.summary(row.cite, book.language)))
        said.setdefault(row.article, set()).update(words)
    return said


def _alike(text: str, ours: set[str]) -> int:
    """A score for an article by the words it shares with our summaries; at least 1."""
    return 1 + 2 * len(ours & set(WORD.findall(folded(text))))


# ---- articles under headings


def _headed(lines: Sequence[str], wanted: Sequence[str]) -> tuple[dict[str, str], list[str]]:
    """Match articles with headings; the text before the first heading is the first article.

    If there are as many headings as articles they are matched in order, otherwise by name.
    """
    starts = list(islice((at for at in range(len(lines)) if _is_heading(lines, at)), MOST_HEADINGS))
    texts = [_paragraphs(lines[after + 1 : before]) for after, before in pairwise([-1, *starts, len(lines)])]
    headings = ["", *(lines[at].strip() for at in starts)]
    if len(headings) == len(wanted):
        return dict(zip(wanted, texts, strict=True)), []
    found, left = {wanted[0]: texts[0]}, list(zip(headings[1:], texts[1:], strict=True))
    for article in wanted[1:]:
        named = next((one for one in left if _names(one[0], article)), None)
        if named:
            found[article] = named[1]
            left.remove(named)
    return found, [heading for heading, _text in left]


def _is_heading(lines: Sequence[str], at: int) -> bool:
    """Whether a line is a heading: short, on its own, and not the end of a sentence or part of a table or list."""
    line = lines[at].strip()
    alone = all(not lines[near].strip() for near in (at - 1, at + 1) if 0 <= near < len(lines))
    plain = bool(re.match(r"^\w", line)) and not line.endswith((".", ";", ":", ",")) and "\t" not in lines[at]
    return alone and plain and 0 < len(line) <= LONGEST_HEADING and len(line.split()) > 1


def _names(heading: str, article: str) -> bool:
    return folded(article).replace("-", " ") in re.sub(r"\W+", " ", folded(heading))


def _paragraphs(lines: Sequence[str]) -> str:
    """Join the lines of each paragraph and hyphenated words. List items and tables keep their lines."""
    found: list[str] = []
    for block in "\n".join(line.rstrip() for line in lines).strip().split("\n\n"):
        rows = [row.strip() for row in block.split("\n") if row.strip()]
        if any("\t" in row for row in rows):
            found.append("\n".join(rows))
        elif rows:
            whole = re.sub(r"(?<=[a-zà-ÿ])-\n(?=[a-zà-ÿ])", "", "\n".join(rows))
            found.append(re.sub(rf"\n(?!{COUNTED})", " ", whole))
    while len(found) > 1 and found[-1].isupper() and not found[-1].endswith((".", ";")):
        found.pop()  # the title of the next part
    return "\n\n".join(found)
