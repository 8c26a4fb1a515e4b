"""Records how long every test takes, and starts long ones early: at the end of a run no core waits for one.

A run writes `var/durations.json`. `python -m tests.durations` puts the files with the longest tests into
`tests/longest.txt`, by which every process of a run orders its tests.
"""

import json
from collections import defaultdict
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
RECORDED = ROOT / "var" / "durations.json"
LONGEST = Path(__file__).with_name("longest.txt")
LONG = 5.0  # seconds from which a test makes its file start early


class Recorder:
    """Adds up setting up, running and clearing away, in the process that hears of all tests."""

    def __init__(self) -> None:
        self.seconds: defaultdict[str, float] = defaultdict(float)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self.seconds[report.nodeid] += report.duration

    def pytest_sessionfinish(self) -> None:
        RECORDED.parent.mkdir(exist_ok=True)
        slowest = sorted(self.seconds.items(), key=lambda one: -one[1])
        RECORDED.write_text(json.dumps({test: round(seconds, 2) for test, seconds in slowest}, indent=0))


def pytest_configure(config: pytest.Config) -> None:
    if config.getoption("numprocesses", None):
        config.pluginmanager.register(Recorder())


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Every process begins with an equal part of the list and takes tests from the end of another's when it is done.

    So the files with long tests are spread over the first half of each part; short tests are left for the end.
    """
    parts = getattr(config, "workerinput", {}).get("workercount", 1)
    if parts == 1:
        return
    long: dict[str, list[pytest.Item]] = {path: [] for path in LONGEST.read_text("utf-8").split()}
    others = [item for item in items if _file(item.nodeid) not in long]
    for item in items:
        if _file(item.nodeid) in long:
            long[_file(item.nodeid)].append(item)
    files = [found for found in long.values() if found]
    left, ordered = len(items), list[pytest.Item]()
    for part in range(parts):
        first = files[part::parts]
        count = max(0, left // (parts - part) - sum(map(len, first)))
        ordered += _spread(first, others[:count])
        left = len(items) - len(ordered)
        del others[:count]
    items[:] = ordered + others


def _spread(files: list[list[pytest.Item]], others: list[pytest.Item]) -> list[pytest.Item]:
    """The tests of one file after another, with others between them as far as the middle."""
    between = len(others) // (2 * len(files)) if files else 0
    found: list[pytest.Item] = []
    for number, file in enumerate(files):
        found += [*file, *others[number * between : (number + 1) * between]]
    return found + others[len(files) * between :]


def _file(test: str) -> str:
    return test.partition("::")[0]


def write_longest() -> None:
    took: defaultdict[str, float] = defaultdict(float)
    for test, seconds in json.loads(RECORDED.read_text()).items():
        took[_file(test)] = max(took[_file(test)], seconds)
    longest = sorted((file for file in took if took[file] >= LONG), key=lambda file: -took[file])
    LONGEST.write_text("\n".join(longest) + "\n")


if __name__ == "__main__":
    write_longest()
