"""Documents as earlier releases wrote them, kept as they were: they are read, ruled on and marked as then.

`tests/documents/format_<n>/<rulebook>.json` holds, for every topic, a scenario, the ruling that was stored with it, an
answer and its mark.
"""

import json
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from rules_engine import (
    EngineError,
    answer_from,
    decode,
    encode,
    exam_fit,
    grade,
    mark_from,
    ruling_from,
    scenario_from,
    topics,
)
from rules_engine.documents import FORMAT
from rules_engine.narration import ask, call_log, lost, narrate, reason, show
from rules_engine.ruling import After, Decision, Ruling

ROOT = Path(__file__).parent.parent / "documents"
KEPT: list[Any] = [
    pytest.param(record, id=f"{path.parent.name}-{record['scenario']['rulebook']}-{record['scenario']['topic']}")
    for path in sorted(ROOT.glob("format_*/*.json"))
    for record in json.loads(path.read_text("utf-8"))
]


def test_every_earlier_format_is_kept() -> None:
    assert {int(path.name.removeprefix("format_")) for path in ROOT.iterdir()} == set(range(1, FORMAT))


# What an earlier release ruled otherwise, and its successor set right.
# - Who plays: the order of a single caller is himself, and the announcement is that of the call that counts.
CORRECTED: dict[tuple[str, str], tuple[str, ...]] = {
    ("pt-chemin-de-fer", "banco_table"): ("priority", "announcement"),
    ("pt-chemin-de-fer", "suivi"): ("priority", "announcement"),
    ("pt-chemin-de-fer-1995", "banco_table"): ("priority", "announcement"),
    ("pt-chemin-de-fer-1995", "suivi"): ("priority", "announcement"),
    ("it-sanremo-chemin-de-fer", "cards_to"): ("priority",),
    ("pt-chemin-de-fer", "draw_faults"): ("banker_draw",),
    # The sum awarded is said with its currency, as everywhere else in 96.
    ("pt-chemin-de-fer", "partners"): ("announcement",),
}


def decided(ruling: Ruling) -> list[Decision]:
    """What was decided, without the wrong answers that tempt and the grounds: later releases may know more of those."""
    return [replace(decision, tempting=(), rests=()) for decision in ruling.decisions]


@pytest.mark.parametrize("record", KEPT)
def test_a_scenario_of_old_is_ruled_on_as_it_was(record: dict[str, Any]) -> None:
    scenario = scenario_from(record["scenario"])
    assert scenario.topic in topics(scenario.rulebook)
    then, now = ruling_from(record["ruling"]), scenario.solve()
    corrected = CORRECTED.get((scenario.rulebook, scenario.topic), ())
    kept = [decision for decision in decided(then) if decision.key not in corrected]
    # A later release may decide more, and find that more rules decide it.
    assert [decision for decision in kept if decision not in decided(now)] == []
    assert _as_written(then.after) == _as_written(now.after)
    assert set(then.pivots) <= set(now.pivots)
    assert exam_fit(scenario) in (True, False)
    assert decode(encode(scenario)) == scenario


def _as_written(after: After | None) -> After | None:
    """The table without the places of payments, which rulings of old do not name."""
    return replace(after, payments=tuple(replace(one, spot="") for one in after.payments)) if after else None


@pytest.mark.parametrize("record", KEPT)
def test_an_answer_of_old_gets_the_mark_that_it_got(record: dict[str, Any]) -> None:
    scenario = scenario_from(record["scenario"])
    then, now = mark_from(record["mark"]), grade(scenario, answer_from(record["answer"]))
    if corrected := CORRECTED.get((scenario.rulebook, scenario.topic)):
        kept = [[(part.key, part.reason) for part in mark.parts if part.key not in corrected] for mark in (then, now)]
        assert kept[0] == kept[1]
        return
    assert (then.points, then.of, then.critical_missed, then.parts) == (
        now.points,
        now.of,
        now.critical_missed,
        now.parts,
    )


@pytest.mark.parametrize("record", KEPT)
def test_everything_of_old_can_be_told(record: dict[str, Any]) -> None:
    scenario, ruling, mark = (
        scenario_from(record["scenario"]),
        ruling_from(record["ruling"]),
        mark_from(record["mark"]),
    )
    book, situation = scenario.book, scenario.situation
    told = [*narrate(situation, book, "pt"), *(line.words for line in call_log(situation, book, "pt"))]
    told += [reason(step, book, "pt") for step in ruling.steps]
    kinds = {question.key: question.kind for question in scenario.questions}
    for part in mark.parts:
        told += [ask(part.key, situation, book, "pt"), show(part.key, kinds[part.key], part.right, book, "pt")]
        told += [lost(part, book, "pt")] if part.reason else []
    assert all(told)


@pytest.mark.parametrize("number", [0, FORMAT + 1, "2", True, None])
def test_a_format_that_is_none_is_refused(number: object) -> None:
    document = KEPT[0].values[0]["scenario"] | {"format": number}
    with pytest.raises(EngineError, match=r"scenario\.format: .* is not from 1 to 2"):
        scenario_from(document)
