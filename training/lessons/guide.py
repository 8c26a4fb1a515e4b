"""The guided first coup: a few stops at a table, some to look at, some with a question that the engine marks."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from typing import Any

import rules_engine
from rules_engine import Adopted, Rulebook, Scenario, Table, Utterance, topics
from training.house import readings, tables
from training.lessons.reference import open_form
from training.lessons.stops import GUIDES, Stop
from training.library.guarded_cases import Watch

TRIES = 40
ENOUGH = 3  # so that there is another if an exam uses one


@dataclass(frozen=True)
class Halt:
    """A stop with its case, the question it asks, if any, and what lights up."""

    stop: Stop
    scenario: Scenario
    key: str
    lights: str

    @property
    def title(self) -> str:
        return str(self.stop.title)

    @property
    def text(self) -> str:
        situation = self.scenario.situation
        values = {name: getattr(situation, name, "") for name in ("banker", "holder")}
        return str(self.stop.text) % (values | {"words": self._words()})

    def _words(self) -> str:
        """The fixed words of the moment, with gaps for what varies."""
        book, said = self.scenario.book, self.scenario.solve().get(self.key) if self.key else None
        if not isinstance(said, Utterance):
            return ""
        return open_form(book.formula(said.formula).text[book.language_of(self.key)])


def halts(book: Rulebook) -> list[Halt]:
    """The guided coup of a rulebook.

    Leaves out a stop that asks something for which the rulebook has no case. A stop that asks nothing stays at the
    table of the one before."""
    found: list[Halt] = []
    watch = Watch(book.id)
    for stop in GUIDES[book.game.guided_coup]:
        case = _case(book, stop, watch) if stop.asks or not found else found[-1].scenario
        if case is not None:
            found.append(Halt(stop, case, _key(case, stop), _lights(case.situation, stop.points)))
    return found


def _case(book: Rulebook, stop: Stop, watch: Watch) -> Scenario | None:
    adopted, at = tuple(readings.practised(book.id).items()), tables.of_house(book.id)
    cases = _cases(book.id, stop, book.game.version, adopted, at)
    return next((scenario for scenario in cases if not watch.near(scenario)), None)


@lru_cache(maxsize=200)
def _cases(
    book_id: str, stop: Stop, _version: str, adopted: tuple[tuple[str, Adopted], ...], at: tuple[Table, ...]
) -> tuple[Scenario, ...]:
    """Some easy cases, always the same, from the first topic that has what the stop asks and points at."""
    book = rules_engine.rulebook(book_id)
    known = topics(book_id)
    for topic in [topic for topic in stop.topics if topic in known] or ([] if stop.topics else known[:1]):
        level = book.game.level(topic, 1)
        seeds = [f"first coup {number}" for number in range(TRIES)]
        made = (
            rules_engine.generate(book_id, topic, seed, level, table=tables.pick(at, seed), readings=dict(adopted))
            for seed in seeds
        )
        found = tuple(islice((scenario for scenario in made if _fits(scenario, stop)), ENOUGH))
        if found:
            return found
    return ()


def _fits(scenario: Scenario, stop: Stop) -> bool:
    if stop.asks:
        key = _asked(scenario, stop.asks)
        return bool(key) and scenario.solve().get(key) not in stop.unless
    return not stop.points or bool(_lights(scenario.situation, stop.points))


def _asked(scenario: Scenario, asks: Sequence[str]) -> str:
    """The key of the first of these questions that the ruling answers; empty if there is none."""
    ruling = scenario.solve()
    keys = [question.key for question in scenario.questions if ruling.get(question.key) is not None]
    for name in asks:
        for key in keys:
            if key.partition(".")[0] == name:
                return key
    return keys[0] if keys and "*" in asks else ""


def _key(scenario: Scenario, stop: Stop) -> str:
    return _asked(scenario, stop.asks) if stop.asks else ""


def _lights(situation: Any, points: Sequence[str]) -> str:
    """The drawing's names for what the stop points at on this table."""
    meant: Mapping[str, Sequence[str]] = {
        "banker": [str(getattr(situation, "banker", ""))],
        "holder": [str(getattr(situation, "holder", ""))],
        "stakes": [str(stake.player) for stake in getattr(situation, "stakes", getattr(situation, "bets", ()))],
        "ponto": [f"ponto.{number + 1}" for number in range(len(getattr(situation, "ponto", ())))],
        "hands": [
            f"{heap}.{number + 1}"
            for heap, cards in (("ponto", "ponto"), ("banker", "banker_cards"))
            for number in range(len(getattr(situation, cards, ())))
        ],
    }
    return " ".join(name for point in points for name in meant.get(point, [point]) if name)
