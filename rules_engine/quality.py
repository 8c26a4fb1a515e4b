"""How good the generated scenarios are for learning, by measurement: whether a question can be guessed without knowing
the rule or reading the case, whether a harder level is harder, and whether the cases of a topic differ.

Every case of a topic is drawn equally often at every level, so that rare questions are measured too. What a level
prefers (`DRAWN`) becomes a weight: each draw counts as often as a trainee would meet it. The measurement has its own
seeds, which do not depend on the version of a game. Exceptions that the law requires are in the game's `quality.toml`,
each with its reason.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from itertools import groupby
from math import sqrt
from typing import Any

from msgspec import Struct

from rules_engine.difficulty import Combined, Level, combined_at, kinds_at, of_level, scores, too_easy
from rules_engine.game import rulebook
from rules_engine.guessing import Prediction, predictions
from rules_engine.idle import Offer, offers
from rules_engine.pool import Drawn, Pool
from rules_engine.rulebook import Rulebook
from rules_engine.ruling import DOES_NOT_ARISE, Adopted, Ruling, Utterance
from rules_engine.scenario import Scenario
from rules_engine.silences import TOPIC as SILENCES
from rules_engine.situation import Situation, kind_of
from rules_engine.topics import cases, topics

# How often each case is drawn at each level of its topic. More where a topic has few cases or the result is unclear.
PER_CASE = 10
LEAST_PER_LEVEL = 120
MOST_PER_CASE = 320
# A question must occur in this many scenarios before its most frequent answer counts, and exceed the threshold by this
# many standard errors. By chance alone, one in forty borderline questions does.
ENOUGH = 30
ERRORS = 2
VARIETY_SEEDS = 50
VARIETY_LEVEL = 3


class Guess(Struct, frozen=True):
    """A question of a kind of incident, and how often its most frequent answer is right.

    `asked` is the number of scenarios that ask it, with scenarios that a level rarely prefers counting for less.
    """

    topic: str
    kind: str
    question: str
    answer: str
    share: float
    asked: float

    @property
    def name(self) -> str:
        return f"{self.kind} {self.question}"

    def error(self, most: float) -> float:
        """How far chance alone may carry a share that is exactly at the threshold."""
        return ERRORS * sqrt(most * (1 - most) / self.asked)

    def doubtful(self, most: float) -> bool:
        """Whether more draws could change the result."""
        return self.asked < ENOUGH or most - self.error(most) / 2 < self.share <= most + self.error(most)

    def too_frequent(self, most: float) -> bool:
        return self.share > most + self.error(most)


class TopicQuality(Struct, frozen=True):
    """The measurements of one topic of a rulebook. `kinds` are the shares of the kinds of incident at its highest
    level, and `combined` the share of its cases that combine two provisions."""

    rulebook: str
    topic: str
    guesses: tuple[Guess, ...]
    levels: tuple[Level, ...]
    structures: float
    kinds: dict[str, float] = {}
    combined: Combined = Combined()
    predictions: tuple[Prediction, ...] = ()
    offers: tuple[Offer, ...] = ()


def quality(book_id: str, *, per_case: int = PER_CASE, most_per_case: int = MOST_PER_CASE) -> list[TopicQuality]:
    """Measures every topic of a rulebook over fresh draws of each of its cases at each of its levels."""
    book = rulebook(book_id)
    return [
        topic_quality(house, topic, per_case, most_per_case=most_per_case)
        for topic in topics(book_id)
        for house in houses(book, topic)
    ]


def houses(book: Rulebook, topic: str) -> list[Rulebook]:
    """The rulebook as houses apply it: where the law is silent, once with each decision that a house may adopt."""
    if topic != SILENCES:
        return [book]
    most = max(len(one.options) for one in book.silences.values())
    return [
        book.under({kind: Adopted(one.options[number % len(one.options)]) for kind, one in book.silences.items()})
        for number in range(most)
    ]


def topic_quality(
    book: Rulebook, topic: str, per_case: int = PER_CASE, *, most_per_case: int = MOST_PER_CASE
) -> TopicQuality:
    pool = Pool(book, topic, max(per_case, LEAST_PER_LEVEL // len(cases(book.id, topic))))
    guesses, predicted = _settled(pool, most_per_case)
    return TopicQuality(
        rulebook=book.id,
        topic=topic,
        guesses=guesses,
        levels=tuple(of_level(level, pool) for level in pool.levels),
        structures=_structures(pool),
        kinds=kinds_at(pool.levels[-1], pool),
        combined=combined_at(pool.levels[-1], pool),
        predictions=predicted,
        offers=offers(pool.book, pool.drawn),
    )


def structure(scenario: Scenario, ruling: Ruling) -> tuple[Any, ...]:
    """What makes two scenarios the same to a trainee apart from names and sums: what happened, the clauses, who was
    involved."""
    return _structure(scenario.situation, ruling)


def _structure(situation: Situation, ruling: Ruling) -> tuple[Any, ...]:
    return kind_of(situation.incident), tuple(sorted(set(ruling.cites))), tuple(sorted(situation.involved()))


def _structures(pool: Pool) -> float:
    """How many different structures a trainee may expect in that many scenarios of a middle level."""
    middle = max(level for level in pool.levels if level <= VARIETY_LEVEL or level == pool.levels[0])
    met: defaultdict[tuple[Any, ...], float] = defaultdict(float)
    for one in pool.of(middle):
        met[_structure(one.situation, one.ruling)] += pool.weight(one)
    total = sum(met.values())
    return sum(1 - (1 - often / total) ** VARIETY_SEEDS for often in met.values())


def _settled(pool: Pool, most_per_case: int) -> tuple[tuple[Guess, ...], tuple[Prediction, ...]]:
    """Draws kinds with a rare or borderline question again until the result is clear."""
    standard = pool.book.game.standard
    found, predicted = _guesses(pool, pool.drawn), predictions(pool, pool.drawn)
    while True:
        doubts = {
            one.kind
            for one in found.values()
            if one.name not in standard.plain and one.doubtful(standard.most_frequent)
        }
        doubts |= {one.kind for one in predicted.values() if one.doubtful and one.name not in standard.telling}
        names = {one.case.name for one in pool.drawn if one.kind in doubts}
        again = [case for case in pool.cases if case.name in names and pool.count[case.name] < most_per_case]
        if not again:
            return tuple(found.values()), tuple(predicted.values())
        pool.draw(again, 2 * min(pool.count[case.name] for case in again))
        drawn = [one for one in pool.drawn if one.kind in doubts]
        found |= _guesses(pool, drawn)
        predicted |= predictions(pool, drawn)


def _guesses(pool: Pool, drawn: Iterable[Drawn]) -> dict[tuple[str, str], Guess]:
    """Guesses by kind of incident and question, as a trainee sees them. Several cards or bets of one question count
    together."""
    right: defaultdict[tuple[str, str], defaultdict[str, float]] = defaultdict(lambda: defaultdict(float))
    squares: defaultdict[tuple[str, str], float] = defaultdict(float)
    for one in drawn:
        weight = pool.weight(one)
        asked = Counter(question.key.partition(".")[0] for question in one.questions)
        for question in one.questions:
            name = question.key.partition(".")[0]
            right[one.kind, name][_plain(one.ruling.get(question.key))] += weight / asked[name]
        for name in asked:
            squares[one.kind, name] += weight**2
    found = {}
    for (kind, name), answers in right.items():
        answer, total = max(answers, key=lambda one: answers[one]), sum(answers.values())
        asked_often = total**2 / squares[kind, name]
        found[kind, name] = Guess(pool.topic, kind, name, answer, answers[answer] / total, asked_often)
    return found


def _plain(value: Any) -> str:
    if value is None:
        return DOES_NOT_ARISE
    # An announcement with a score or a sum differs whenever the value does.
    return " ".join(map(str, (value.formula, *value.slots.values()))) if isinstance(value, Utterance) else str(value)


def shortcomings(found: TopicQuality, book: Rulebook) -> list[str]:
    """Everything that misses the standard of the game, one per line; empty if nothing does."""
    standard = book.game.standard
    unsettled = [guess for guess in found.guesses if guess.name not in standard.plain]
    lines = [
        f"{guess.topic}: {guess.name}: {guess.answer} in {guess.share:.0%} of {guess.asked:.0f}"
        for guess in unsettled
        if guess.too_frequent(standard.most_frequent)
    ]
    lines += [
        f"{guess.topic}: {guess.name}: met too rarely to be measured ({guess.asked:.0f})"
        for guess in unsettled
        if guess.asked < ENOUGH
    ]
    lines += [f"{one.topic}: {one}" for one in found.predictions if one.too_good and one.name not in standard.telling]
    least = standard.structures.get(found.topic, standard.least_structures)
    if round(found.structures) < least:
        lines.append(
            f"{found.topic}: {found.structures:.1f} structures in {VARIETY_SEEDS} seeds, at least {least} wanted"
        )
    if found.combined.too_few and not standard.one_provision(book.id, found.topic):
        lines.append(
            f"{found.topic}: {found.combined.share:.0%} of level {found.levels[-1].level} combines two provisions"
        )
    return lines + [f"{found.topic}: {line}" for line in too_easy(found.levels, found.kinds)]


# Between these lines of a page stands the table that `quality --doc` writes.
START, END = "<!-- quality: written by the command -->", "<!-- end of quality -->"
HEAD = """| topic | most frequent answer | better by guessing | kinds | combined | structures | score at each level |
|---|---|---|---|---|---|---|"""


def document(page: str, found: Sequence[TopicQuality]) -> str:
    """The page with a fresh table of all these topics, by rulebook."""
    before, _, rest = page.partition(START)
    _, end, after = rest.partition(END)
    if not end:
        raise ValueError(f"the page has no place for the table: {START}")
    parts = []
    for id, items in groupby(found, key=lambda item: item.rulebook):
        topics = list(items)
        told = ", ".join(f"{one:.2f}" for one in scores(rulebook(id).game, {one.topic: one.levels for one in topics}))
        parts.append("\n".join([f"{id}: score {told}", "", HEAD, *map(_row, topics)]))
    return f"{before}{START}\n\n" + "\n\n".join(parts) + f"\n\n{END}{after}"


def _row(one: TopicQuality) -> str:
    excepted = rulebook(one.rulebook).game.standard
    frequent = max((guess.share for guess in one.guesses if guess.name not in excepted.plain), default=0)
    gained = max((found.most for found in one.predictions if found.name not in excepted.telling), default=0)
    kinds = f"{len(one.kinds)}, one {max(one.kinds.values()):.0%}"
    levels = ", ".join(f"{level.level}: {level.score:.2f}" for level in one.levels)
    measured = f"{frequent:.0%} | {100 * gained:+.0f} | {kinds} | {one.combined.share:.0%} | {one.structures:.0f}"
    return f"| {one.topic} | {measured} | {levels} |"
