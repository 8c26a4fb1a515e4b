"""Search for a kind of incident, of a rulebook or of all, by title, words, topic or article."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache

from rules_engine import RULEBOOKS, Rulebook, rulebook
from rules_engine.citations import citation
from rules_engine.narration import languages_of, topic_name
from training.library import editor_starts
from training.library.models import Version
from training.people.models import User
from training.search import stored
from training.search.citations import asked_article, cite_key, names
from training.search.games import named_game
from training.search.ranking import Field, Index, Ranking

RECENT, LOOKED_AT = 5, 30
TITLE, LAW = 2.0, 0.25  # how much a word counts in a title and in the clauses, compared with the story
Place = tuple[str, int]  # a rulebook and the place of a kind in its list


@dataclass(frozen=True)
class Happening:
    """One kind of incident in the list."""

    kind: str
    topic: str
    title: str
    articles: tuple[str, ...]

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
    kinds = _kinds()[book_id] if book_id in _kinds() else kinds_of(book_id)
    return tuple(
        Happening(kind, topic, title(book, kind, language), tuple(articles)) for kind, topic, articles in kinds
    )


@cache
def _kinds() -> dict[str, list[tuple[str, str, list[str]]]]:
    return stored.value("kinds", dict)


def kinds_of(book_id: str) -> list[tuple[str, str, list[str]]]:
    """Every kind of incident with its topic and its articles. Takes a while: it runs the generators."""
    book = rulebook(book_id)
    return [
        (kind, topic, list(editor_starts.articles_of(book, kind, topic)))
        for topic, kinds in editor_starts.kinds_by_topic(book).items()
        for kind in kinds
    ]


def search(book_id: str, language: str, asked: str) -> list[Happening]:
    """The kinds that match words (`deixou cair`) or an article (`104 e`, `art. 104 e)`), the best first; all for an
    empty search. Words match in any form and language; those in the reader's language count more."""
    listed = happenings(book_id, language)
    if not asked.strip():
        return list(listed)
    if found := asked_article(asked):
        of_article = [one for one in listed if any(names(cite, found.key) for cite in one.articles)]
        if of_article or not found.words:
            return of_article
    places = {(book_id, place) for place in range(len(listed))}
    return [listed[found.key[1]] for found in _index().search(asked, language, places)]


@cache
def _index() -> Ranking[Place]:
    return stored.ranking("incidents", new_index)


def new_index() -> Index[Place]:
    """The kinds of all rulebooks, with their title, what happens, topic and clauses in every language."""
    documents: dict[Place, list[Field]] = {}
    for book_id, book in RULEBOOKS.items():
        for code in languages_of(book):
            for place, one in enumerate(happenings(book_id, code)):
                story = editor_starts.plain_name(book, one.kind, code)
                told = f"{one.title} {story} {topic_name(book_id, one.topic, code)}"
                clauses = " ".join(book.law.summary(cite, code) for cite in one.articles)
                documents.setdefault((book_id, place), []).extend(
                    (Field(one.title, code, TITLE), Field(told, code), Field(clauses, code, LAW))
                )
    return Index(documents)


# ---- in all rulebooks


@dataclass(frozen=True)
class Everywhere:
    """A kind of incident in the rulebooks of its game, those in the reader's language first."""

    happening: Happening
    book: str
    others: tuple[str, ...]
    score: float


def search_everywhere(language: str, asked: str, among: str = "") -> list[Everywhere]:
    """The kinds that match, of all rulebooks or of one, the best first; each kind once for its game."""
    found: dict[tuple[str, str], list[tuple[Happening, str, float]]] = {}
    for book_id, place, score in _ranked(language, asked, among):
        one = happenings(book_id, language)[place]
        same = found.setdefault((rulebook(book_id).game.id, one.kind), [])
        if book_id not in [listed[1] for listed in same]:
            same.append((one, book_id, score))
    order = sorted(RULEBOOKS, key=lambda book_id: rulebook(book_id).language != language)
    listed = [sorted(same, key=lambda one: order.index(one[1])) for same in found.values()]
    return [
        Everywhere(same[0][0], same[0][1], tuple(book for _one, book, _score in same[1:]), same[0][2])
        for same in listed
    ]


def _ranked(language: str, asked: str, among: str) -> list[tuple[str, int, float]]:
    named = named_game(asked)
    books = {among} if among else named.books or set(RULEBOOKS)
    typed = asked_article(named.words)
    if typed is None:
        places = {(book_id, place) for book_id in books for place in range(len(happenings(book_id, language)))}
        return [(*found.key, found.score) for found in _index().search(named.words, language, places)]
    exact = [
        (book_id, place, float(max(names(cite, typed.key) for cite in one.articles)))
        for book_id in RULEBOOKS
        if book_id in books
        for place, one in enumerate(happenings(book_id, language))
        if any(names(cite, typed.key) for cite in one.articles)
    ]
    return sorted(exact, key=lambda one: -one[2])


# ---- articles


def article(typed: str, known: list[str]) -> str | None:
    """The engine's name for the clause that was typed; None if it is not a known one."""
    found = asked_article(typed)
    wanted = found.key if found else cite_key(typed)
    return next((cite for exactly in (3, 2) for cite in known if names(cite, wanted) == exactly), None)


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
