"""Hooks: how a lower package calls higher ones."""

import re
from importlib import import_module
from pathlib import Path

import pytest

from training.platform import hooks
from training.platform.hooks import AllAnswers, Event, OneAnswer

ROOT = Path(__file__).parents[2]


def test_an_event_reaches_each_subscriber_once_in_order_and_stops_where_one_fails() -> None:
    @Event
    def closed(number: int) -> None: ...

    heard: list[tuple[str, int]] = []

    def first(number: int) -> None:
        heard.append(("first", number))

    def second(number: int) -> None:
        heard.append(("second", number))
        if number == 2:
            raise RuntimeError("a subscriber fails")

    closed(0)
    for subscriber in (first, second, first):
        closed.subscribe(subscriber)
    closed(1)
    assert heard == [("first", 1), ("second", 1)]
    closed.subscribe(lambda number: heard.append(("third", number)))
    with pytest.raises(RuntimeError, match="a subscriber fails"):
        closed(2)
    assert heard[2:] == [("first", 2), ("second", 2)]


def test_a_question_to_one_has_a_default() -> None:
    @OneAnswer
    def twice(number: int) -> int:
        return 0

    assert twice(4) == 0
    twice.subscribe(lambda number: 2 * number)
    twice.subscribe(lambda number: -number)
    assert twice(4) == 8


def test_a_question_to_all_joins_their_answers() -> None:
    @AllAnswers
    def up_to(number: int) -> list[int]:
        return []

    assert list(up_to(3)) == []
    up_to.subscribe(lambda number: list(range(number)))
    up_to.subscribe(lambda number: [number])
    assert list(up_to(3)) == [0, 1, 2, 3]


def test_every_hook_has_a_subscriber_a_docstring_and_a_line_in_the_architecture() -> None:
    rows = r"(?m)^\| `([\w.]+)\.hooks\.(\w+)`"
    told = set(re.findall(rows, (ROOT / "docs/architecture.md").read_text()))
    declared = set()
    for path in [*ROOT.glob("training/*/hooks.py"), *ROOT.glob("exams/*/hooks.py")]:
        package = ".".join(path.relative_to(ROOT).parent.parts)
        for name, hook in vars(import_module(f"{package}.hooks")).items():
            if isinstance(hook, hooks._Hook):
                assert hook.subscribers and hook.declared.__doc__, f"{package}.hooks.{name}"
                declared.add((package, name))
    assert declared == told
