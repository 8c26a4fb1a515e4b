"""Finding what happened: every kind of incident of a rulebook by short title, words, topic and article."""

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

ARTICLE = re.compile(r"^(?:art(?:s|igo|icle|icolo|iculo)?\.?\s*)?(?P<cite>(?:[ivx]+\s+)?\d+.*)$")
PLAIN = re.compile(r"[^0-9a-z]")
RECENT, LOOKED_AT = 5, 30


@dataclass(frozen=True)
class Happening:
    """One kind of incident in the list. `text` is what words are looked for in."""

    kind: str
    topic: str
    title: str
    articles: tuple[str, ...]
    text: str

    @property
    def cited(self) -> str:
        """As printed, each once and none cut at the end of a line."""
        return ", ".join(dict.fromkeys(citation(cite).replace(" ", "\N{NO-BREAK SPACE}") for cite in self.articles))


def title(book: Rulebook, kind: str, language: str) -> str:
    return book.game.words.text(f"title.{kind}", language)


@cache
def happenings(book_id: str, language: str) -> tuple[Happening, ...]:
    """Every kind under each of its topics, in teaching order."""
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
    """Those that a word or an article leads to: `deixou cair`, `104 e`, `art. 104 e)`; all of them for nothing. First
    those that say it in this language, then those that do in another: many know a thing by one name only."""
    plain = folded(asked).strip()
    listed = happenings(book_id, language)
    if found := ARTICLE.fullmatch(plain):
        wanted = cite_key(found["cite"])
        return [one for one in listed if any(_names(cite, wanted) for cite in one.articles)]
    words = plain.split()

    def has_all(text: str) -> bool:
        return all(word in text for word in words)

    said = zip(*(happenings(book_id, code) for code, _name in settings.LANGUAGES), strict=True)
    there = [one for one, every in zip(listed, said, strict=True) if has_all(" ".join(each.text for each in every))]
    return sorted(there, key=lambda one: not has_all(one.text))


def _names(cite: str, wanted: str) -> bool:
    """Whether a clause is meant by what was typed: itself, as it is printed, or its whole article."""
    article = cite_key(cite.rpartition(" ")[0] or cite)
    return wanted in (cite_key(cite), cite_key(citation(cite)), article)


def cite_key(cite: str) -> str:
    """A citation without what people write in different ways: `67 d)`, `67.º d`, `67d`."""
    return PLAIN.sub("", re.sub(r"(?<=\d)\.?[ºo](?=\W|$)", "", folded(cite)))


def article(typed: str, known: list[str]) -> str | None:
    """The clause that was typed, as the engine names it, however it was written; None where none of them is meant."""
    found = ARTICLE.fullmatch(folded(typed).strip())
    wanted = cite_key(found["cite"] if found else typed)
    exact = [cite for cite in known if cite_key(cite) == wanted]
    printed = [cite for cite in known if cite_key(citation(cite)) == wanted]
    return next(iter(exact + printed), None)


def recent(person: User, book_id: str, language: str) -> list[Happening]:
    """What this author wrote about last, newest first."""
    written = Version.objects.filter(author=person, rulebook=book_id).order_by("-pk")
    kinds = written.values_list("scenario_document__situation__incident__kind", flat=True)[:LOOKED_AT]
    listed = {one.kind: one for one in reversed(happenings(book_id, language))}
    return [listed[kind] for kind in dict.fromkeys(kinds) if kind in listed][:RECENT]


def by_topic(found: Iterable[Happening], language: str, book_id: str) -> list[tuple[str, str, list[Happening]]]:
    """The same under the names of their topics."""
    topics: dict[str, list[Happening]] = {}
    for one in found:
        topics.setdefault(one.topic, []).append(one)
    return [(topic, topic_name(book_id, topic, language), listed) for topic, listed in topics.items()]
