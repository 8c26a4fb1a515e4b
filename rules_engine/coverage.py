"""How much of the law the scenarios really exercise, counted from the reasoning of generated scenarios."""

from collections import Counter, defaultdict

from msgspec import Struct

from rules_engine.rulebook import Rulebook
from rules_engine.scenario import generate
from rules_engine.situation import Situation
from rules_engine.topics import cases
from rules_engine.words import FALLBACK


class Coverage(Struct, frozen=True):
    """One row of the checklist: what implements it, where it is practised, and how often it decided a case."""

    cite: str
    kind: str
    text: str
    hold: bool
    rules: tuple[str, ...]
    topics: tuple[str, ...]
    cited: int
    turned_on: int

    @property
    def lacking(self) -> bool:
        """Whether the row should decide something and never did."""
        return not self.cited and self.kind in ("decision", "announcement", "procedure")


def coverage(book: Rulebook, per_case: int = 20, language: str = FALLBACK) -> list[Coverage]:
    """Generate scenarios for every case at every difficulty and count the citations in their reasoning."""
    cited: Counter[str] = Counter()
    turned: Counter[str] = Counter()
    rules: defaultdict[str, set[str]] = defaultdict(set)
    topics: defaultdict[str, set[str]] = defaultdict(set)
    for topic, article in _targets(book):
        for number in range(per_case):
            scenario = generate(book.id, topic, f"coverage-{number}", 1 + number % 5, article=article)
            ruling = scenario.solve()
            turned.update(ruling.pivots)
            for cite in set(ruling.cites):
                cited[cite] += 1
                rules[cite].add(rule_name(book, scenario.situation))
                topics[cite].add(topic)
    return [
        Coverage(
            cite=row.cite,
            kind=row.kind,
            text=book.law.summary(row.cite, language),
            hold=row.hold,
            rules=tuple(sorted(rules[row.cite])),
            topics=tuple(sorted(topics[row.cite])),
            cited=cited[row.cite],
            turned_on=turned[row.cite],
        )
        for row in book.law.clauses.values()
    ]


def rule_name(book: Rulebook, situation: Situation) -> str:
    """The function that rules on these facts, named by its module inside `games`."""
    handler = book.handler(type(situation.incident))
    return f"{handler.__module__.removeprefix('rules_engine.games.')}.{handler.__name__}" if handler else ""


def _targets(book: Rulebook) -> list[tuple[str, str]]:
    return sorted({(item.topic, article) for item in cases(book.id) for article in item.turns_on[book.id]})
