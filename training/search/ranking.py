"""Ranks documents by how well they match a search (BM25 over stems, with weighted fields and trade synonyms)."""

import tomllib
from collections import defaultdict
from collections.abc import Hashable, Iterable, Mapping, Sequence
from functools import cache, lru_cache
from importlib.resources import files
from math import log
from typing import Generic, NamedTuple, TypeVar

from training.search.stemming import all_stems, stems, words

SATURATION, LENGTH = 1.2, 0.6  # the usual parameters of BM25
MOST = 200  # letters of a search; the rest is not looked at, because each word takes time and is remembered
SYNONYM = 0.45  # what a synonym counts, compared with the word itself
K = TypeVar("K", bound=Hashable)
Phrase = tuple[frozenset[str], ...]  # the possible stems of each word


class Field(NamedTuple):
    """A text of a document, its language, and how much a word in it counts."""

    text: str
    language: str
    weight: float = 1.0


class Found(NamedTuple, Generic[K]):
    key: K
    score: float


# Matches much weaker than the best one are left out.
WORTH_SHOWING = 0.35


class Index(Generic[K]):
    """Documents by key, ready to be searched."""

    def __init__(self, documents: Mapping[K, Sequence[Field]]) -> None:
        self._postings: defaultdict[str, dict[K, float]] = defaultdict(dict)
        lengths: dict[K, float] = {}
        for key, fields in documents.items():
            counts: defaultdict[str, float] = defaultdict(float)
            for text, language, weight in fields:
                for one in stems(text, language):
                    counts[one] += weight
            lengths[key] = sum(counts.values())
            for one, often in counts.items():
                self._postings[one][key] = often
        mean = sum(lengths.values()) / max(1, len(lengths))
        self._norm = {key: 1 - LENGTH + LENGTH * length / mean for key, length in lengths.items()} if mean else {}
        self._count = len(documents)

    def search(self, asked: str) -> list[Found[K]]:
        """The documents that match, the best first. Those with more of the words come before those with fewer."""
        wanted = [all_stems(word) for word in words(asked[:MOST])]
        scores: defaultdict[K, float] = defaultdict(float)
        matched: defaultdict[K, float] = defaultdict(float)
        for alternatives in wanted:
            exact, alike = self._best(alternatives), self._alike(alternatives)
            for key in exact.keys() | alike.keys():
                scores[key] += max(exact.get(key, 0), SYNONYM * alike.get(key, 0))
                matched[key] += 1 if key in exact else SYNONYM
        if len(wanted) > 1:
            for key, score in self._alike(frozenset().union(*wanted)).items():
                scores[key] += SYNONYM * score
        ranked = [Found(key, score * (0.3 + 0.7 * (matched[key] / len(wanted)) ** 2)) for key, score in scores.items()]
        best = max((found.score for found in ranked), default=0)
        shown = [found for found in ranked if found.score >= WORTH_SHOWING * best]
        return sorted(shown, key=lambda found: -found.score)

    def _alike(self, said: frozenset[str]) -> dict[K, float]:
        """The score of each document for the synonym of these words that suits it best: it has every word of it."""
        best: dict[K, float] = {}
        for phrase in _synonyms_of(said):
            scores = [self._best(word) for word in phrase]
            for key in set(scores[0]).intersection(*scores[1:]):
                best[key] = max(best.get(key, 0), sum(one[key] for one in scores))
        return best

    def _best(self, alternatives: Iterable[str]) -> dict[K, float]:
        """The score of each document for the alternative that suits it best."""
        best: dict[K, float] = {}
        for one in alternatives:
            postings = self._postings.get(one, {})
            rarity = log(1 + (self._count - len(postings) + 0.5) / (len(postings) + 0.5))
            for key, often in postings.items():
                score = rarity * often * (SATURATION + 1) / (often + SATURATION * self._norm[key])
                if score > best.get(key, 0):
                    best[key] = score
        return best


@cache
def _groups() -> tuple[tuple[Phrase, ...], ...]:
    """The phrases of each group of synonyms."""
    source = files("training.search") / "synonyms.toml"
    groups = tomllib.loads(source.read_text("utf-8"))["groups"]
    return tuple(tuple(tuple(all_stems(word) for word in words(phrase)) for phrase in group) for group in groups)


@lru_cache(maxsize=1_000)
def _synonyms_of(said: frozenset[str]) -> tuple[Phrase, ...]:
    """The other phrases of every group of which these words are or contain one."""
    found = [group for group in _groups() if any(_says(said, phrase) for phrase in group)]
    return tuple(phrase for group in found for phrase in group if not _says(said, phrase))


def _says(said: frozenset[str], phrase: Phrase) -> bool:
    """Whether each word of a phrase was said, in whatever form."""
    return all(said & word for word in phrase)
