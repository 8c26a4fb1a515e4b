"""Ranks documents by how well they match a search (BM25 over stems, with weighted fields and trade synonyms)."""

import tomllib
from collections import defaultdict
from collections.abc import Container, Hashable, Iterable, Mapping, Sequence
from functools import cache, lru_cache
from importlib.resources import files
from math import log
from typing import Generic, NamedTuple, TypeVar

from training.search.stemming import all_stems, stem, words

SATURATION, LENGTH = 1.2, 0.6  # the usual parameters of BM25
MOST = 200  # letters of a search; the rest is not looked at, because each word takes time and is remembered
FORM = 0.5  # the bonus for the exact word besides its stem: «bancô» is not «banca»
SYNONYM = 0.45  # what a synonym counts, compared with the word itself
PHRASE = 0.75  # the share of the words that a synonym of several of them stands for
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
    """Documents by key, ready to be searched. They can be replaced and removed one by one."""

    def __init__(self, documents: Mapping[K, Sequence[Field]]) -> None:
        self._postings: defaultdict[str, dict[K, float]] = defaultdict(dict)
        self._lengths: dict[K, float] = {}
        self._stems: dict[K, tuple[str, ...]] = {}
        self._total = 0.0
        for key, fields in documents.items():
            self.put(key, fields)

    def put(self, key: K, fields: Sequence[Field]) -> None:
        """Add a document, or replace it."""
        self.drop(key)
        counts: defaultdict[str, float] = defaultdict(float)
        forms: defaultdict[str, float] = defaultdict(float)
        for text, language, weight in fields:
            for word in words(text):
                counts[f"{language}:{stem(word, language)}"] += weight
                forms[f"={word}"] += weight
        for one, often in (counts | forms).items():
            self._postings[one][key] = often
        self._lengths[key], self._stems[key] = sum(counts.values()), (*counts, *forms)
        self._total += self._lengths[key]

    def drop(self, key: K) -> None:
        """Remove a document, if it is there."""
        if key in self._lengths:
            self._total -= self._lengths.pop(key)
            for one in self._stems.pop(key):
                del self._postings[one][key]

    def search(self, asked: str, among: Container[K] | None = None) -> list[Found[K]]:
        """The documents that match, the best first; only those `among` some. Those with more of the words come before
        those with fewer."""
        typed = words(asked[:MOST])
        wanted = [all_stems(word) for word in typed]
        scores: defaultdict[K, float] = defaultdict(float)
        matched: defaultdict[K, float] = defaultdict(float)
        for word, alternatives in zip(typed, wanted, strict=True):
            exact, alike = self._best(alternatives), self._alike(alternatives)
            for key, score in self._best([f"={word}"]).items():
                exact[key] = exact.get(key, 0) + FORM * score
            for key in exact.keys() | alike.keys():
                scores[key] += max(exact.get(key, 0), SYNONYM * alike.get(key, 0))
                matched[key] += 1 if key in exact else SYNONYM
        if len(wanted) > 1:
            said = frozenset[str]().union(*wanted)
            for key, score in self._alike(said).items():
                scores[key] += SYNONYM * score
            for key in self._alike(said, least=2):
                matched[key] = max(matched[key], PHRASE * len(wanted))
        ranked = [
            Found(key, score * (0.3 + 0.7 * (matched[key] / len(wanted)) ** 2))
            for key, score in scores.items()
            if among is None or key in among
        ]
        best = max((found.score for found in ranked), default=0)
        shown = [found for found in ranked if found.score >= WORTH_SHOWING * best]
        return sorted(shown, key=lambda found: -found.score)

    def _alike(self, said: frozenset[str], least: int = 1) -> dict[K, float]:
        """The score of each document for the synonym of these words that suits it best: it has every word of it."""
        best: dict[K, float] = {}
        for phrase in _synonyms_of(said, least):
            scores = [self._best(word) for word in phrase]
            for key in set(scores[0]).intersection(*scores[1:]):
                best[key] = max(best.get(key, 0), sum(one[key] for one in scores))
        return best

    def _best(self, alternatives: Iterable[str]) -> dict[K, float]:
        """The score of each document for the alternative that suits it best."""
        best: dict[K, float] = {}
        for one in alternatives:
            postings = self._postings.get(one, {})
            rarity = log(1 + (len(self._lengths) - len(postings) + 0.5) / (len(postings) + 0.5))
            for key, often in postings.items():
                score = rarity * often * (SATURATION + 1) / (often + SATURATION * self._norm(key))
                if score > best.get(key, 0):
                    best[key] = score
        return best

    def _norm(self, key: K) -> float:
        """How long a document is, compared with the others."""
        return 1 - LENGTH + LENGTH * self._lengths[key] * len(self._lengths) / (self._total or 1)


def synonyms(asked: str) -> frozenset[str]:
    """The stems of the synonyms of what is searched, for marking matches."""
    wanted = [all_stems(word) for word in words(asked[:MOST])]
    said = frozenset[str]().union(*wanted)
    return frozenset(one for phrase in _synonyms_of(said) for word in phrase for one in word)


@cache
def _groups() -> tuple[tuple[Phrase, ...], ...]:
    """The phrases of each group of synonyms."""
    source = files("training.search") / "synonyms.toml"
    groups = tomllib.loads(source.read_text("utf-8"))["groups"]
    return tuple(tuple(tuple(all_stems(word) for word in words(phrase)) for phrase in group) for group in groups)


@lru_cache(maxsize=1_000)
def _synonyms_of(said: frozenset[str], least: int = 1) -> tuple[Phrase, ...]:
    """The other phrases of every group that has a phrase in these words, of at least so many words."""
    found = [group for group in _groups() if any(_says(said, phrase) for phrase in group if len(phrase) >= least)]
    return tuple(phrase for group in found for phrase in group if not _says(said, phrase))


def _says(said: frozenset[str], phrase: Phrase) -> bool:
    """Whether each word of a phrase was said, in whatever form."""
    return all(said & word for word in phrase)
