"""Search for a kind of incident of a rulebook by title, words, topic or article."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache

from django.conf import settings

from rules_engine import Rulebook, rulebook
from rules_engine.citations import citation
from rules_engine.folding import folded
from rules_engine.narration import topic_name
from training.library import editor_starts
from training.library.models import Version
from training.people.models import User
from training.search.ranking import Field, Index

ARTICLE = re.compile(r"^(?:art(?:s|igo|icle|icolo|iculo)?\.?\s*)?(?P<cite>(?:[ivx]+\s+)?\d+.*)$")
PLAIN = re.compile(r"[^0-9a-z]")
RECENT, LOOKED_AT = 5, 30
# How much a word counts in a title and in the clauses, compared with the story, and in the reader's language.
TITLE, LAW, OWN_LANGUAGE = 4.0, 0.25, 1.5


@dataclass(frozen=True)
class Happening:
    """One kind of incident in the list. `text` is what the search looks in."""

    kind: str
    topic: str
    title: str
    articles: tuple[str, ...]
    text: str

    @property
    def cited(self) -> str:
        """The articles as printed, without duplicates or line breaks inside one."""
        return ", ".join(dict.fromkeys(citation(cite).replace(" ", "\N{NO-BREAK SPACE}") for cite in self.articles))


def title(book: Rulebook, kind: str, language: str) -> str:
    return book.game.words.text(f"title.{kind}", language)


@cache
def happenings(book_id: str, language: str) -> tuple[Happening, ...]:
    """Every kind of incident under each of its topics, in teaching order."""
    book = rulebook(book_id)
    found = []
    for topic, kinds in editor_starts.kinds_by_topic(book).items():
        name = topic_name(book_id, topic, language)
        for kind in kinds:
            called, told = title(book, kind, language), editor_starts.plain_name(book, kind, language)
            text = folded(f"{called} {told} {name}")
            found.append(Happening(kind, topic, called, editor_starts.articles_of(book, kind, topic), text))
    return tuple(found)


def search(book_id: str, language: str, asked: str) -> list[Happening]:
    """The kinds that match words (`deixou cair`) or an article (`104 e`, `art. 104 e)`), the best first; all for an
    empty search. Words match in any form and language; those in the reader's language count more."""
    plain = folded(asked).strip()
    listed = happenings(book_id, language)
    if found := ARTICLE.fullmatch(plain):
        wanted = cite_key(found["cite"])
        return [one for one in listed if any(_names(cite, wanted) for cite in one.articles)]
    if not plain:
        return list(listed)
    return [listed[found.key] for found in _index(book_id, language).search(plain)]


@cache
def _index(book_id: str, language: str) -> Index[int]:
    """The kinds by their place in the list: title, what happens, topic, and what their clauses say."""
    law = rulebook(book_id).law
    documents: dict[int, list[Field]] = {}
    for code, _name in settings.LANGUAGES:
        more = OWN_LANGUAGE if code == language else 1.0
        for place, one in enumerate(happenings(book_id, code)):
            clauses = " ".join(law.summary(cite, code) for cite in one.articles)
            documents.setdefault(place, []).extend(
                (Field(one.title, code, TITLE * more), Field(one.text, code, more), Field(clauses, code, LAW * more))
            )
    return Index(documents)


def _names(cite: str, wanted: str) -> bool:
    """Whether what was typed means this clause, or its whole article."""
    article = cite_key(cite.rpartition(" ")[0] or cite)
    return wanted in (cite_key(cite), cite_key(citation(cite)), article)


def cite_key(cite: str) -> str:
    """A key that is equal for different ways to write a citation: `67 d)`, `67.º d`, `67d`."""
    return PLAIN.sub("", re.sub(r"(?<=\d)\.?[ºo](?=\W|$)", "", folded(cite)))


def article(typed: str, known: list[str]) -> str | None:
    """The engine's name for the clause that was typed; None if it is not a known one."""
    found = ARTICLE.fullmatch(folded(typed).strip())
    wanted = cite_key(found["cite"] if found else typed)
    exact = [cite for cite in known if cite_key(cite) == wanted]
    printed = [cite for cite in known if cite_key(citation(cite)) == wanted]
    return next(iter(exact + printed), None)


def recent(person: User, book_id: str, language: str) -> list[Happening]:
    """The kinds of incident that this author used last, newest first."""
    written = Version.objects.filter(author=person, rulebook=book_id).order_by("-pk")
    kinds = written.values_list("scenario_document__situation__incident__kind", flat=True)[:LOOKED_AT]
    listed = {one.kind: one for one in reversed(happenings(book_id, language))}
    return [listed[kind] for kind in dict.fromkeys(kinds) if kind in listed][:RECENT]


def by_topic(found: Iterable[Happening], language: str, book_id: str) -> list[tuple[str, str, list[Happening]]]:
    """Grouped by topic: its id, its name and the kinds."""
    topics: dict[str, list[Happening]] = {}
    for one in found:
        topics.setdefault(one.topic, []).append(one)
    return [(topic, topic_name(book_id, topic, language), listed) for topic, listed in topics.items()]
