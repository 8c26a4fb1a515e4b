"""Ranks documents by how well they match a search (BM25 over stems, with weighted fields and trade synonyms)."""

import tomllib
from abc import ABC, abstractmethod
from collections import defaultdict
from collections.abc import Container, Hashable, Iterable, Mapping, Sequence
from functools import cache, lru_cache
from importlib.resources import files
from math import log
from typing import Generic, NamedTuple, TypeVar

from training.search.stemming import STEMMERS, all_stems, stem, words

SATURATION, LENGTH = 1.2, 0.6  # the usual parameters of BM25
MOST = 200  # letters of a search; the rest is not looked at, because each word takes time and is remembered
FORM = 0.5  # the bonus for the exact word besides its stem: «bancô» is not «banca»
OTHER_FORM = 0.6  # what another form of a word counts when the language of a search is found
FOREIGN = 0.5  # what a match in another language counts, compared with the language of the search
SYNONYM = 0.6  # what a synonym counts, compared with the word itself
PHRASE = 0.75  # the share of the words that a synonym of several of them stands for
K = TypeVar("K", bound=Hashable)
Phrase = tuple[frozenset[str], ...]  # the possible stems of each word
Part = tuple[str, float]  # language and weight


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


class Ranking(ABC, Generic[K]):
    """Documents that can be searched. A term is the stem of a word (`pt:apost`) or the word itself (`pt=aposta`)."""

    @abstractmethod
    def scores(self, term: str) -> Mapping[K, float]:
        """How well each document that has a term matches it (BM25)."""

    def search(self, asked: str, language: str, among: Container[K] | None = None) -> list[Found[K]]:
        """The documents that match, the best first; only those `among` some. Those with more of the words come before
        those with fewer. What matches in the language of the words counts more than what matches in another."""
        typed = words(asked[:MOST])
        spoken = self.spoken(typed, language)
        return self._ranked(typed, {code: 1.0 if code == spoken else FOREIGN for code in STEMMERS}, among)

    def search_own(self, asked: str, language: str, among: Container[K] | None = None) -> list[Found[K]]:
        """The documents that match in the language of the words; if there are none, those that match in another."""
        typed = words(asked[:MOST])
        spoken = self.spoken(typed, language)
        return self._ranked(typed, {spoken: 1.0}, among) or self.search(asked, language, among)

    def spoken(self, typed: Sequence[str], language: str) -> str:
        """The language of the words: the reader's, unless another one knows more of them."""
        known = {code: self._known(typed, code) for code in STEMMERS}
        best = max(known.values())
        return language if known.get(language, 0) >= best else next(code for code in known if known[code] == best)

    def _known(self, typed: Sequence[str], code: str) -> float:
        """How many of the words the documents have in a language; another form of a word counts less."""
        return sum(
            1.0 if self.scores(f"{code}={word}") else OTHER_FORM * bool(self.scores(f"{code}:{stem(word, code)}"))
            for word in typed
        )

    def _ranked(self, typed: Sequence[str], weights: Mapping[str, float], among: Container[K] | None) -> list[Found[K]]:
        wanted = [all_stems(word) for word in typed]
        scores: defaultdict[K, float] = defaultdict(float)
        matched: defaultdict[K, float] = defaultdict(float)  # how much of what was asked, rare words count more
        whole = 0.0
        for word, alternatives in zip(typed, wanted, strict=True):
            exact, alike = self._best(alternatives, weights), self._alike(alternatives, weights)
            for key, score in self._best([f"{code}={word}" for code in weights], weights).items():
                exact[key] = exact.get(key, 0) + FORM * score
            tells = 1 / (1 + log(1 + len(exact)))
            whole += tells
            for key in exact.keys() | alike.keys():
                scores[key] += max(exact.get(key, 0), SYNONYM * alike.get(key, 0))
                matched[key] += tells if key in exact else SYNONYM * tells
        if len(wanted) > 1:
            said = frozenset[str]().union(*wanted)
            for key, score in self._alike(said, weights).items():
                scores[key] += SYNONYM * score
            # A phrase of the trade means the same in every language.
            for key, score in self._alike(said, dict.fromkeys(STEMMERS, 1.0), least=2).items():
                scores[key] = max(scores[key], SYNONYM * score)
                matched[key] = max(matched[key], PHRASE * whole)
        ranked = [
            Found(key, score * (0.3 + 0.7 * (matched[key] / whole) ** 2))
            for key, score in scores.items()
            if among is None or key in among
        ]
        best = max((found.score for found in ranked), default=0)
        shown = [found for found in ranked if found.score >= WORTH_SHOWING * best]
        return sorted(shown, key=lambda found: -found.score)

    def _alike(self, said: frozenset[str], weights: Mapping[str, float], least: int = 1) -> dict[K, float]:
        """The score of each document for the synonym of these words that suits it best: it has every word of it."""
        best: dict[K, float] = {}
        for phrase in _synonyms_of(said, least):
            scores = [self._best(word, weights) for word in phrase]
            for key in set(scores[0]).intersection(*scores[1:]):
                best[key] = max(best.get(key, 0), sum(one[key] for one in scores))
        return best

    def _best(self, alternatives: Iterable[str], weights: Mapping[str, float]) -> dict[K, float]:
        """The score of each document for the alternative that suits it best."""
        best: dict[K, float] = {}
        for one in alternatives:
            if weight := weights.get(one[:2]):
                for key, score in self.scores(one).items():
                    if weight * score > best.get(key, 0):
                        best[key] = weight * score
        return best


class Index(Ranking[K]):
    """Documents by key, in memory. They can be replaced and removed one by one.

    Fields with one weight in one language are a part of the document, with a length of its own: a short title all of
    whose words match counts more than a long one.
    """

    def __init__(self, documents: Mapping[K, Sequence[Field]]) -> None:
        self._postings: defaultdict[str, dict[K, dict[float, int]]] = defaultdict(dict)  # how often, by weight
        self._lengths: defaultdict[Part, dict[K, int]] = defaultdict(dict)
        self._totals: defaultdict[Part, int] = defaultdict(int)
        self._terms: dict[K, tuple[str, ...]] = {}
        for key, fields in documents.items():
            self.put(key, fields)

    def put(self, key: K, fields: Sequence[Field]) -> None:
        """Add a document, or replace it."""
        self.drop(key)
        terms: defaultdict[str, defaultdict[float, int]] = defaultdict(lambda: defaultdict(int))
        lengths: defaultdict[Part, int] = defaultdict(int)
        for text, language, weight in fields:
            listed = words(text)
            for word in listed:
                terms[f"{language}:{stem(word, language)}"][weight] += 1
                terms[f"{language}={word}"][weight] += 1
            lengths[language, weight] += len(listed)
        for term, often in terms.items():
            self._postings[term][key] = dict(often)
        for part, length in lengths.items():
            self._lengths[part][key] = length
            self._totals[part] += length
        self._terms[key] = tuple(terms)

    def drop(self, key: K) -> None:
        """Remove a document, if it is there."""
        for term in self._terms.pop(key, ()):
            del self._postings[term][key]
        for part, lengths in self._lengths.items():
            self._totals[part] -= lengths.pop(key, 0)

    def terms(self) -> list[str]:
        return list(self._postings)

    def keys(self) -> list[K]:
        return list(self._terms)

    def scores(self, term: str) -> Mapping[K, float]:
        postings = self._postings.get(term, {})
        rarity = log(1 + (len(self._terms) - len(postings) + 0.5) / (len(postings) + 0.5))
        return {
            key: rarity * sum(weight * self._often(count, key, (term[:2], weight)) for weight, count in often.items())
            for key, often in postings.items()
        }

    def _often(self, count: int, key: K, part: Part) -> float:
        """How much so many occurrences in a part count: each further one less, and less in a long part."""
        lengths = self._lengths[part]
        mean = self._totals[part] / len(lengths)
        return count * (SATURATION + 1) / (count + SATURATION * (1 - LENGTH + LENGTH * lengths[key] / mean))


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
