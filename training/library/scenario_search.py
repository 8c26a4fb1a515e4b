"""Search in the scenarios of the library: their texts, tags, kind of incident, topic and articles, the best first.

Each process keeps an index, which every search brings up to date with the versions changed since. The teaching notes of
scenarios reserved for exams, and what their rulings turn on, are not in it.
"""

from collections import defaultdict
from dataclasses import dataclass
from threading import Lock
from typing import Any

from django.conf import settings

from rules_engine import RULEBOOKS
from rules_engine.errors import EngineError
from rules_engine.narration import book_name, languages_of, topic_name
from training.library import editor_starts, incident_search
from training.library.models import Item, Pivot, Version
from training.search.citations import asked_article, names
from training.search.games import named_game
from training.search.ranking import Field, Index

TITLE, LABEL = 2.0, 1.5
MOST = 500  # scenarios found

_lock = Lock()
_index: Index[int] = Index({})
_stamps: dict[int, tuple[Any, ...]] = {}
_filed: dict[int, "_Filed"] = {}


@dataclass(frozen=True)
class _Filed:
    """What a version is found by besides its words."""

    book: str
    cites: tuple[str, ...]


def search(asked: str, language: str = "") -> list[int]:
    """The ids of the versions that match words or an article, the best first."""
    with _lock:
        _refresh()
        named = named_game(asked)
        among = {pk for pk, filed in _filed.items() if not named.books or filed.book in named.books}
        if found := asked_article(named.words):
            exactly = {pk: max((names(cite, found.key) for cite in _filed[pk].cites), default=0) for pk in among}
            among = {pk for pk in among if exactly[pk]}
            if not found.words:
                return sorted(among, key=lambda pk: (-exactly[pk], -pk))[:MOST]
        words = found.words if found else named.words
        return [one.key for one in _index.search(words, language, among)][:MOST]


def _refresh() -> None:
    """Index what changed since the last search."""
    tags: defaultdict[Any, list[str]] = defaultdict(list)
    for item, tag in Item.tags.through.objects.order_by("pk").values_list("item_id", "tag__name"):
        tags[item].append(tag)
    listed = list(Version.objects.values_list("pk", "item_id", "changed_at", "state", "reserved"))
    kept = {item for _pk, item, _changed, _state, reserved in listed if reserved}  # a new draft of one is kept as well
    now = {pk: (changed, state, item in kept, *tags[item]) for pk, item, changed, state, _reserved in listed}
    for pk in [pk for pk in _stamps if pk not in now]:
        _index.drop(pk)
        del _stamps[pk], _filed[pk]
    changed = [pk for pk, stamp in now.items() if _stamps.get(pk) != stamp]
    pivots: defaultdict[int, list[str]] = defaultdict(list)
    for pk, cite in Pivot.objects.filter(version__in=changed).values_list("version_id", "cite"):
        pivots[pk].append(cite)
    for version in Version.objects.filter(pk__in=changed).iterator():
        # What a case of the bank turns on is a part of its ruling.
        is_kept = version.item_id in kept
        cites = [] if is_kept else pivots[version.pk]
        _put(version, cites, tags[version.item_id], with_notes=not is_kept)
        _stamps[version.pk] = now[version.pk]


def _put(version: Version, pivots: list[str], tags: list[str], *, with_notes: bool) -> None:
    fields = [Field(" ".join(tags), "pt", LABEL)]
    for language, words in version.words.items():
        told = [words.get("story", ""), words.get("note", "") if with_notes else ""]
        fields += [Field(words.get("title", ""), language, TITLE), Field(" ".join(told), language)]
    kind, cites = _kind(version), tuple(pivots)
    book = RULEBOOKS.get(version.rulebook)
    if book and kind in book.kinds():
        cites = cites or editor_starts.articles_of(book, kind, version.topic)
        for code in languages_of(book):
            fields.append(Field(incident_search.title(book, kind, code), code, LABEL))
    if book:
        fields += [Field(_filing(version, code), code) for code, _name in settings.LANGUAGES]
    _index.put(version.pk, fields)
    _filed[version.pk] = _Filed(version.rulebook, cites)


def _kind(version: Version) -> str:
    return str(version.scenario_document.get("situation", {}).get("incident", {}).get("kind", ""))


def _filing(version: Version, language: str) -> str:
    try:
        return f"{topic_name(version.rulebook, version.topic, language)} {book_name(version.rulebook, language)}"
    except (EngineError, KeyError):
        return ""
