"""The rules of a programme: what is refused before it can be published, each at its field and by name."""

from collections.abc import Iterator
from typing import Any
from zlib import crc32

import msgspec
import pytest
from django.utils import translation
from msgspec.structs import replace as changed

import rules_engine
from exams.programmes import validation
from exams.programmes.rules import BadRules, Line, Rules, Section, rules_from
from exams.programmes.validation import Fault, verify
from rules_engine import Scenario
from rules_engine.silences import TOPIC as SILENCES
from tests.exams.making import BOOK, make_rules

pytestmark = pytest.mark.django_db
MACAU = "pt-ponto-banca-macau"


@pytest.fixture(autouse=True)
def _in_english() -> Iterator[None]:
    with translation.override("en"):
        yield


@pytest.fixture(autouse=True)
def _sampled_anew() -> Iterator[None]:
    sampled = validation._supply
    sampled.cache_clear()
    yield
    sampled.cache_clear()


def faults(**changes: Any) -> dict[str, str]:
    return dict(verify(make_rules(**changes)))


def section(*lines: Line, key: str = "coup", name: str = "The coup", **changes: Any) -> Section:
    return Section(key=key, names={"en": name}, lines=lines, **changes)


def line(**changes: Any) -> Line:
    usual: dict[str, Any] = {"rulebook": BOOK, "topic": "third_card", "items": 3}
    return Line(**usual | changes)


def test_good_rules_have_no_fault() -> None:
    assert verify(make_rules()) == []


def test_every_topic_of_every_rulebook_can_be_examined() -> None:
    """The engine can supply a line of four items on anything that the law decides."""
    short = [
        (book, topic)
        for book in rules_engine.RULEBOOKS
        for topic in rules_engine.topics(book)
        if topic != SILENCES and validation.supply((book, topic, 2, ""), 4 * validation.FORMS) < 4 * validation.FORMS
    ]
    assert short == []


@pytest.mark.parametrize(
    ("changes", "path", "words"),
    [
        ({"rulebooks": ()}, "rulebooks", "at least one rulebook"),
        ({"rulebooks": (BOOK, "xx")}, "rulebooks", "“xx”"),
        ({"rulebooks": (BOOK, BOOK)}, "rulebooks", "twice"),
        ({"rulebooks": (BOOK, MACAU)}, "rulebooks", "No line examines Portugal · ponto e banca, Macau"),
        ({"sections": ()}, "sections", "at least one section"),
        ({"sections": (section(),)}, "sections.0.lines", "“The coup” needs at least one line"),
        ({"sections": (section(line(), name=" "),)}, "sections.0.names", "Section 1 needs a name"),
        ({"sections": (section(line(), name="x" * 121),)}, "sections.0.names", "at most 120"),
        ({"sections": (section(line(), key="The coup"),)}, "sections.0.key", "plain key"),
        ({"sections": (section(line(), key="x" * 33),)}, "sections.0.key", "plain key"),
        ({"sections": (section(line()), section(line()))}, "sections.1.key", "the key of another section"),
        ({"sections": (section(line(rulebook="xx")),)}, "sections.0.lines.0.rulebook", "“The coup”, line 1: "),
        (
            {"sections": (section(line(), line(rulebook=MACAU, topic="drawing")),)},
            "sections.0.lines.1.rulebook",
            "“The coup”, line 2: The certificate is not for Portugal · ponto e banca, Macau",
        ),
        (
            {"sections": (section(line(topic="drawing")),)},
            "sections.0.lines.0.topic",
            "“The coup”, line 1: Portugal · chemin de fer has no topic “drawing”",
        ),
        ({"sections": (section(line(points=101)),)}, "sections.0.lines.0.points", "at most 100 points"),
    ],
)
def test_what_cannot_be_is_named(changes: dict[str, Any], path: str, words: str) -> None:
    assert words in faults(**changes)[path]


@pytest.mark.parametrize(
    ("field", "bad", "good"),
    [
        ("pass_mark", 0, 1),
        ("minutes", 481, 480),
        ("tries", 21, 20),
        ("wait_days", 366, 365),
        ("valid_months", 121, 120),
        ("appeal_days", 0, 1),
        ("appeal_days", 366, 365),
        ("review_days", 366, 365),
        ("critical_allowed", 5, 4),
        # Of two years, the shortest that they can be.
        ("renewal_days", 24 * 28, 365),
    ],
)
def test_limits_at_and_beyond(field: str, bad: int, good: int) -> None:
    assert field in faults(**{field: bad})
    assert faults(**{field: good}) == {}


def test_the_renewal_window_ends_within_the_shortest_months() -> None:
    assert "renewal_days" in faults(valid_months=2, renewal_days=56)
    assert faults(valid_months=2, renewal_days=55) == {}


def test_critical_faults_that_do_not_count_need_no_limit() -> None:
    assert faults(critical_allowed=None) == {}


def test_twenty_seconds_for_an_item_are_the_least() -> None:
    sections = (section(line(items=30)),)
    assert faults(sections=sections, minutes=10) == {}
    assert "20 seconds" in faults(sections=sections, minutes=9)["minutes"]


def test_most_sections_lines_and_items(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(validation, "supply", lambda _kind, needed, _at: needed)
    many = tuple(section(line(items=1), key=f"s{number}") for number in range(13))
    assert faults(sections=many[:12]) == {}
    assert "at most 12" in faults(sections=many)["sections"]
    assert faults(sections=(section(*[line(items=1)] * 20),)) == {}
    assert "at most 20 lines" in faults(sections=(section(*[line(items=1)] * 21),))["sections.0.lines"]
    assert faults(sections=(section(line(items=200)),), minutes=480) == {}
    assert "at most 200 questions" in faults(sections=(section(line(items=201)),), minutes=480)["sections"]


def test_a_topic_whose_cases_are_all_held_is_refused_by_name(monkeypatch: pytest.MonkeyPatch) -> None:
    solve = Scenario.solve

    def held(scenario: Scenario) -> Any:
        return changed(solve(scenario), exam_safe=scenario.topic != "third_card")

    monkeypatch.setattr(Scenario, "solve", held)
    [fault] = verify(make_rules())
    assert fault.path == "sections.0.lines.0.topic"
    assert fault.message.startswith("“The coup”, line 1: No case of “The banker's third card” can be asked")


def test_lines_of_one_kind_take_from_the_same_scenarios(monkeypatch: pytest.MonkeyPatch) -> None:
    """Thirty different tables are enough for ten items on three forms and not for eleven, on however many lines."""
    monkeypatch.setattr(validation, "encode", lambda situation: crc32(repr(situation).encode()) % 30)
    assert faults(sections=(section(line(items=5), line(items=5)),)) == {}
    [fault] = verify(make_rules(sections=(section(line(items=5), line(items=6)),)))
    assert fault.path == "sections.0.lines.1.topic"
    assert "gives only 30 different scenarios fit for an exam; 33 are needed" in fault.message


def test_faults_are_in_the_readers_language() -> None:
    with translation.override("pt"):
        told = verify(make_rules(sections=(section(line(topic="drawing")),)))
    assert any("Portugal · chemin de fer" in fault.message for fault in told)
    assert all(isinstance(fault, Fault) for fault in told)


@pytest.mark.parametrize(
    ("bad", "reason"),
    [
        ({"minutes": 0}, r"Expected `int` >= 1 - at `\$\.minutes`"),
        ({"pass_mark": 101}, r"Expected `int` <= 100 - at `\$\.pass_mark`"),
        ({"tries": 0}, r"Expected `int` >= 1 - at `\$\.tries`"),
        ({"release": "never"}, "Invalid enum value 'never'"),
        ({"x": 1}, "Object contains unknown field `x`"),
    ],
)
def test_what_no_rules_can_hold_is_not_read(bad: dict[str, Any], reason: str) -> None:
    with pytest.raises(BadRules, match=reason):
        rules_from(msgspec.to_builtins(make_rules()) | bad)


def test_totals() -> None:
    rules: Rules = make_rules()
    assert (rules.items, rules.points) == (5, 12)
