"""One line of the table: rounds of a measure, rounds of its yardstick, and what was wanted."""

import os
import platform
import statistics
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from typing import Any, Literal

# What a target is about: the ratio to the yardstick, or the figure itself.
Of = Literal["ratio", "figure"]


@dataclass(frozen=True)
class Target:
    limit: float
    of: Of = "ratio"
    at_least: bool = False

    def met(self, value: float) -> bool:
        return value >= self.limit if self.at_least else value <= self.limit


@dataclass(frozen=True)
class Line:
    """`figures` and `yardsticks` are of the same rounds, one beside the other."""

    name: str
    unit: str
    figures: tuple[float, ...]
    yardstick: str
    yardsticks: tuple[float, ...]
    target: Target | None = None
    gap: str = ""  # why the target cannot be met, where that is known

    @property
    def ratios(self) -> list[float]:
        return [figure / yardstick for figure, yardstick in zip(self.figures, self.yardsticks, strict=True)]

    @property
    def figure(self) -> float:
        return statistics.median(self.figures)

    @property
    def ratio(self) -> float:
        return statistics.median(self.ratios)

    @property
    def judged(self) -> float:
        return self.figure if self.target and self.target.of == "figure" else self.ratio

    @property
    def met(self) -> bool | None:
        return self.target.met(self.judged) if self.target else None

    @property
    def verdict(self) -> str:
        if self.target is None:
            return ""
        sign, unit = "≥" if self.target.at_least else "≤", f" {self.unit}" if self.target.of == "figure" else " ×"
        wanted = f"{sign} {self.target.limit:g}{unit}"
        if self.met:
            return f"{wanted}: met"
        gap = f" ({self.gap})" if self.gap else ""
        if not self.target.limit:
            return f"none: MISSED{gap}"
        times = self.judged / self.target.limit
        return f"{wanted}: MISSED by {max(times, 1 / times) - 1:.0%}{gap}"

    def cells(self) -> list[str]:
        low, high = min(self.ratios), max(self.ratios)
        figure = f"{_short(self.figure)} {self.unit}"
        return [
            self.name,
            figure,
            f"{_short(self.ratio)} ×",
            f"{_short(low)}–{_short(high)}",
            self.yardstick,
            self.verdict,
        ]

    def data(self) -> dict[str, Any]:
        return asdict(self) | {"figure": self.figure, "ratio": self.ratio, "met": self.met}

    @classmethod
    def of(cls, data: Mapping[str, Any]) -> "Line":
        target = Target(**data["target"]) if data["target"] else None
        own = {name: data[name] for name in ("name", "unit", "yardstick", "gap")}
        return cls(**own, figures=tuple(data["figures"]), yardsticks=tuple(data["yardsticks"]), target=target)


def _short(value: float) -> str:
    if value >= 1000:
        return f"{value:,.0f}"
    return f"{value:.3g}" if value < 100 else f"{value:.0f}"


HEADS = ["what", "median", "ratio", "spread", "yardstick", "target"]


def written(lines: Sequence[Line]) -> str:
    """A table that reads well as it is and as Markdown."""
    rows = [HEADS, *(line.cells() for line in lines)]
    widths = [max(len(row[column]) for row in rows) for column in range(len(HEADS))]
    said = [f"| {' | '.join(map(str.ljust, row, widths))} |" for row in rows]
    return "\n".join([said[0], "|" + "|".join("-" * (width + 2) for width in widths) + "|", *said[1:]])


def machine() -> str:
    """When and with what a run was made."""
    packages = ", ".join(f"{name} {_version(name)}" for name in ("django", "celery", "psycopg", "gunicorn", "pokerkit"))
    return (
        f"{datetime.now(UTC):%Y-%m-%d}; Python {platform.python_version()}, {packages}; "
        f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f} before the run"
    )


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "missing"


Measure = Callable[[], float]


def in_turns(measures: Mapping[str, Measure], rounds: int) -> dict[str, tuple[float, ...]]:
    """Every measure once in each round, so that whatever else the machine does falls on all alike. The first round only
    warms up."""
    found: dict[str, list[float]] = {name: [] for name in measures}
    for number in range(rounds + 1):
        for name, measure in measures.items():
            taken = measure()
            if number:
                found[name].append(taken)
    return {name: tuple(taken) for name, taken in found.items()}
