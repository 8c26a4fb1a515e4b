"""Search in the clauses of all rulebooks, in the official wordings, and in the readings and procedures of the house."""

from dataclasses import dataclass
from functools import cache
from threading import Lock

from django.urls import reverse

from rules_engine import RULEBOOKS, Rulebook, rulebook
from rules_engine.law import Reading
from rules_engine.narration import book_name, cited, languages_of, topic_name
from rules_engine.words import FALLBACK, LANGUAGES
from training.house.lettered import parts
from training.house.models import OfficialText
from training.house.readings import silence
from training.search import stored
from training.search.citations import asked_article, names
from training.search.games import Named, named_game
from training.search.ranking import Field, Found, Index, Ranking

Clause = tuple[str, str]  # rulebook and citation, or rulebook and question
Letter = tuple[str, str, int]  # rulebook, article and the place of the paragraph
ANNOUNCED, TOPIC = 0.7, 0.4
MOST = 200  # letters of a search that are looked at


@dataclass(frozen=True)
class Hit:
    """Something found. `others` are rulebooks that say the same; `text` is in `language`."""

    key: str
    shown: str
    book: str
    others: tuple[str, ...]
    text: str
    language: str
    url: str


def clauses(language: str, asked: str, among: str = "") -> list[Hit]:
    """The clauses that match words or an article, the best first. A clause that several rulebooks of a game state in
    the same words is listed once."""
    found: dict[tuple[str, str], list[Clause]] = {}
    for key in _matching(asked, language, among):
        book = rulebook(key[0])
        found.setdefault((book.game.id, book.law.row(key[1]).text), []).append(key)
    return [_clause(listed, language) for listed in found.values()]


def in_book(book_id: str, asked: str, language: str) -> list[str]:
    """The citations of the clauses of one rulebook that match, the best first. A word that its language knows does not
    match words of other languages: the Italian «banco» is no Portuguese «bancô»."""
    return [cite for _book, cite in _matching(asked, language, book_id, own=True)]


def _matching(asked: str, language: str, among: str, *, own: bool = False) -> list[Clause]:
    named = named_game(asked[:MOST])
    keys = [(book_id, cite) for book_id in _books(named, among) for cite in rulebook(book_id).law.clauses]
    typed = asked_article(named.words)
    index = _clause_index()
    find = index.search_own if own else index.search
    if typed is None:
        return _keys(find(named.words, language, set(keys)))
    exactly = {key: names(key[1], typed.key) for key in keys}
    exact = sorted((key for key in keys if exactly[key]), key=lambda key: -exactly[key])
    ranked = _keys(find(typed.words, language, set(exact))) if typed.words else []
    return [*ranked, *(key for key in exact if key not in ranked)]


def _keys(found: list[Found[Clause]]) -> list[Clause]:
    return [one.key for one in found]


def _books(named: Named, among: str) -> list[str]:
    """The rulebooks to search in: the chosen one, else those of the game that was named, else all."""
    return [among] if among else [book_id for book_id in RULEBOOKS if not named.books or book_id in named.books]


def _clause(listed: list[Clause], language: str) -> Hit:
    (book_id, cite), *others = sorted(listed, key=lambda one: list(RULEBOOKS).index(one[0]))
    book = rulebook(book_id)
    spoken = language if language in book.law.summaries(language) or cite in book.law.summaries(language) else FALLBACK
    return Hit(
        f"{book_id}:{cite}",
        cited(cite, book, language),
        book_name(book_id, language),
        tuple(book_name(other, language) for other in dict.fromkeys(one for one, _cite in others)),
        book.law.summary(cite, language),
        spoken,
        reverse("article", args=[book_id, cite]),
    )


@cache
def _clause_index() -> Ranking[Clause]:
    return stored.ranking("clauses", new_clause_index)


def new_clause_index() -> Index[Clause]:
    """Every clause with its summary in all languages, its words to pronounce, and the name of its game."""
    documents: dict[Clause, list[Field]] = {}
    for book_id, book in RULEBOOKS.items():
        spoken = {language: book.law.summaries(language) for language in LANGUAGES if language != FALLBACK}
        said: dict[str, list[Field]] = {}
        for formula in book.formulas.values():
            said.setdefault(formula.cite, []).extend(
                Field(text, language, ANNOUNCED) for language, text in formula.text.items()
            )
        for cite, row in book.law.clauses.items():
            told = [Field(summaries[cite], language) for language, summaries in spoken.items() if cite in summaries]
            topics = [
                Field(topic_name(book_id, row.topic, code), code, TOPIC)
                for code in languages_of(book)
                if f"topic.{row.topic}" in book.words.catalogue(code)
            ]
            documents[book_id, cite] = [Field(row.text, FALLBACK), *told, *topics, *said.get(cite, ())]
    return Index(documents)


# ---- official wordings


_lock = Lock()
_official: Index[Letter] = Index({})
_texts: dict[Letter, str] = {}
_loaded: dict[str, object] = {}


def official(language: str, asked: str, among: str = "") -> list[Hit]:
    """The paragraphs of the official wordings that match, the best first; links lead to the letter."""
    with _lock:
        _refresh()
        named = named_game(asked[:MOST])
        books = _books(named, among)
        keys = {key for key in _texts if key[0] in books}
        typed = asked_article(named.words)
        if typed is None:
            return [_letter(found.key, language) for found in _official.search(named.words, language, keys)]
        exact = [key for key in _texts if key in keys and names(_cite(key), typed.key) >= 1]
        return [_letter(key, language) for key in sorted(exact, key=lambda key: -names(_cite(key), typed.key))]


def _cite(key: Letter) -> str:
    return f"{key[1]} {parts(_texts[key])[0].label}".strip()


def _refresh() -> None:
    """Index the wordings that were loaded or removed since the last search."""
    now = dict(OfficialText.objects.values_list("rulebook", "loaded_at"))
    for book_id in [book for book, at in _loaded.items() if now.get(book) != at]:
        for key in [key for key in _texts if key[0] == book_id]:
            _official.drop(key)
            del _texts[key]
        del _loaded[book_id]
    for loaded in OfficialText.objects.filter(rulebook__in=now.keys() - _loaded.keys()):
        _loaded[loaded.rulebook] = loaded.loaded_at
        book = RULEBOOKS.get(loaded.rulebook)
        if book is None:  # a text of a rulebook that this release no longer has
            continue
        for article, text in loaded.articles.items():
            for place, part in enumerate(parts(text)):
                key = (loaded.rulebook, article, place)
                _texts[key] = part.text
                _official.put(key, [Field(part.text, book.language)])


def _letter(key: Letter, language: str) -> Hit:
    book_id, article, place = key
    book, label = rulebook(book_id), parts(_texts[key])[0].label
    known = book.law.clauses
    one = next((cite for cite in (f"{article} {label}".strip(), article) if cite in known), "")
    several = [cite for cite, row in known.items() if row.article == article]
    address = (
        reverse("article", args=[book_id, one or several[0]])
        if one or len(several) == 1
        else reverse("whole_article", args=[book_id, article])
    )
    shown = cited(one or article, book, language)
    name = f"{shown} {label})" if label and not one else shown
    return Hit(
        f"{book_id}:{article} {label}".strip(),
        name,
        book_name(book_id, language),
        (),
        _texts[key],
        book.language,
        f"{address}#official-{place}",
    )


# ---- readings and procedures


def house(language: str, asked: str, among: str = "") -> list[Hit]:
    """Open questions of the texts with their readings, and what they leave to the house, the best first."""
    found: dict[tuple[str, str], list[Clause]] = {}
    named = named_game(asked[:MOST])
    books = _books(named, among)
    keys = [key for key in _questions() if key[0] in books]
    if typed := asked_article(named.words):
        keys = [key for key in keys if any(names(cite, typed.key) for cite in _cites(*key))]
    else:
        keys = _keys(_house_index().search(named.words, language, set(keys)))
    for key in keys:
        found.setdefault((rulebook(key[0]).game.id, key[1]), []).append(key)
    return [_question(listed, language) for listed in found.values()]


@cache
def _questions() -> tuple[Clause, ...]:
    return tuple((book.id, id) for book in RULEBOOKS.values() for id in (*book.open_questions, *book.silences))


def _cites(book_id: str, question: str) -> list[str]:
    return [cite for cite, row in rulebook(book_id).law.clauses.items() if row.reading == question]


@cache
def _house_index() -> Ranking[Clause]:
    return stored.ranking("house", new_house_index)


def new_house_index() -> Index[Clause]:
    documents: dict[Clause, list[Field]] = {}
    for book_id, id in _questions():
        book = rulebook(book_id)
        documents[book_id, id] = [
            Field(" ".join((told.question, told.question, told.reading, *told.others.values())), code)
            for code in languages_of(book)
            for told in [_told(book, id, code)]
        ]
    return Index(documents)


def _told(book: Rulebook, id: str, language: str) -> Reading:
    return silence(book, id, language) if id in book.silences else book.game.readings(language)[id]


def _question(listed: list[Clause], language: str) -> Hit:
    (book_id, id), *others = sorted(listed, key=lambda one: list(RULEBOOKS).index(one[0]))
    book = rulebook(book_id)
    told = _told(book, id, language)
    cite = id if id in book.silences else next(iter(_cites(book_id, id)))
    return Hit(
        f"{book_id}:{id}",
        "" if id in book.silences else cited(cite, book, language),
        book_name(book_id, language),
        tuple(book_name(other, language) for other, _id in others),
        f"{told.question[:1].upper()}{told.question[1:]} {'' if id in book.silences else told.reading}".strip(),
        language,
        reverse("article", args=[book_id, cite]),
    )
