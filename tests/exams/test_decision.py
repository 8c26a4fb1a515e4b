"""The decision by the programme's rule: every limit just below, at and above, and nothing lost by rounding."""

from decimal import Decimal
from fractions import Fraction

import msgspec
import pytest

from exams.programmes.rules import Line, Rules, Section
from exams.results.decision import Marked, OtherBlueprint, Reason, decide, outcome_from
from exams.results.marking import only_blank
from tests.exams.making import BOOK, make_rules, mixed_rules


def mark(points: int, of: int, *, section: str = "coup", line: int = 0, critical: bool = False, voided: bool = False):
    return Marked(section=section, line=line, points=points, of=of, critical_missed=critical, voided=voided)


def one_section(*points: int, pass_mark: int = 50, section_mark: int = 0, **changes) -> Rules:
    """One section with a line of one item for each of `points`."""
    lines = tuple(Line(rulebook=BOOK, topic="third_card", items=1, points=worth) for worth in points)
    section = Section(key="coup", names={"en": "The coup"}, lines=lines, pass_mark=section_mark)
    return make_rules(sections=(section,), pass_mark=pass_mark, **changes)


@pytest.mark.parametrize(("got", "passed"), [(69, False), (70, True), (71, True)])
def test_at_least_the_pass_mark_passes(got, passed):
    outcome = decide(one_section(1, pass_mark=70), [mark(got, 100)])
    assert outcome.passed is passed
    assert outcome.score.percent == got


@pytest.mark.parametrize(("got", "passed"), [(59, False), (60, True), (61, True)])
def test_a_section_has_a_limit_of_its_own(got, passed):
    outcome = decide(one_section(1, pass_mark=0, section_mark=60), [mark(got, 100)])
    assert outcome.passed is passed
    assert outcome.sections[0].passed is passed


@pytest.mark.parametrize(("faults", "allowed", "passed"), [(0, 0, True), (1, 0, False), (2, 2, True), (3, 2, False)])
def test_so_many_critical_faults_and_no_more(faults, allowed, passed):
    marks = [mark(1, 1, line=number, critical=number < faults) for number in range(4)]
    outcome = decide(one_section(1, 1, 1, 1, critical_allowed=allowed), marks)
    assert (outcome.passed, outcome.critical_faults) == (passed, faults)


def test_critical_faults_count_only_where_the_programme_says_so():
    outcome = decide(one_section(1, critical_allowed=None), [mark(1, 1, critical=True)])
    assert outcome.passed
    assert outcome.critical_faults == 1


def test_thirds_add_up_to_the_whole():
    """Three times a third of a point is one point of two: exactly half, which floats and rounded parts miss."""
    thirds = [mark(1, 3, line=0), mark(1, 3, line=1), mark(1, 3, line=2), mark(1, 1, line=3), mark(0, 1, line=4)]
    outcome = decide(one_section(1, 1, 1, 1, 1, pass_mark=40), thirds)
    assert outcome.score.got == 2
    assert outcome.passed
    sevenths = [mark(2, 7, line=0), mark(5, 7, line=1)]
    assert decide(one_section(1, 1, pass_mark=50), sevenths).passed


def test_a_hair_below_fails_though_it_rounds_to_the_mark():
    """49.99995 % is shown as 49.9999, never as 50, and fails."""
    outcome = decide(one_section(1, pass_mark=50), [mark(999_999, 2_000_000)])
    assert not outcome.passed
    assert outcome.score.percent == Decimal("49.9999")
    assert decide(one_section(1, pass_mark=50), [mark(1_000_000, 2_000_000)]).passed


def test_two_thirds_is_rounded_down():
    outcome = decide(one_section(3), [mark(2, 3)])
    assert outcome.score.exact == Fraction(200, 3)
    assert outcome.score.percent == Decimal("66.6666")


def test_the_points_of_the_line_weigh_an_item():
    outcome = decide(one_section(2, 3), [mark(1, 2, line=0), mark(1, 1, line=1)])
    assert (outcome.score.got, outcome.score.of) == (4, 5)


def test_a_voided_item_counts_for_nothing():
    marks = [mark(1, 1, line=0), mark(0, 4, line=1, critical=True, voided=True)]
    outcome = decide(one_section(1, 9, pass_mark=100), marks)
    assert outcome.passed
    assert (outcome.score.of, outcome.critical_faults) == (1, 0)


def test_a_section_all_void_passes_and_the_other_decides():
    rules = make_rules(
        sections=tuple(msgspec.structs.replace(section, pass_mark=80) for section in make_rules().sections)
    )
    marks = [mark(1, 1), mark(0, 1, section="claims", line=1, voided=True)]
    outcome = decide(rules, marks)
    assert outcome.passed
    assert outcome.sections[1].passed
    assert outcome.sections[1].score.of == 0


def test_an_exam_all_void_is_not_passed():
    assert not decide(one_section(1, pass_mark=1), [mark(1, 1, voided=True)]).passed


def test_reasons_come_section_then_overall_then_critical():
    rules = make_rules(
        sections=tuple(msgspec.structs.replace(section, pass_mark=50) for section in make_rules().sections)
    )
    marks = [mark(1, 3, critical=True), mark(0, 1, section="claims", line=1)]
    assert decide(rules, marks).reasons == (
        Reason(kind="section", section="coup", value="33.3333", limit=50),
        Reason(kind="section", section="claims", value="0.0000", limit=50),
        Reason(kind="overall", value="13.3333", limit=70),
        Reason(kind="critical", value="1", limit=0),
    )


def test_an_outcome_survives_being_stored():
    outcome = decide(one_section(3), [mark(2, 3, critical=True)])
    assert outcome_from(msgspec.json.decode(msgspec.json.encode(outcome))) == outcome


@pytest.mark.parametrize("wrong", [{"line": 1}, {"section": "claims"}])
def test_marks_of_another_blueprint_are_refused(wrong):
    with pytest.raises(OtherBlueprint, match=r"line 0 of section claims|line 1 of section coup"):
        decide(one_section(1), [mark(1, 1, **wrong)])


@pytest.mark.parametrize(("counts", "passed"), [(False, True), (True, False)])
def test_a_critical_decision_left_blank_is_a_fault_only_if_the_programme_says_so(counts, passed):
    rules = one_section(1, 1, pass_mark=50, critical_allowed=0, blank_critical=counts)
    blank = msgspec.structs.replace(mark(50, 100, critical=True), critical_blank=True)
    assert decide(rules, [blank, mark(100, 100, line=1)]).passed is passed
    assert not decide(rules, [mark(50, 100, critical=True), mark(100, 100, line=1)]).passed


def test_only_what_was_left_blank_is_blank():
    part = {"key": "a", "critical": True, "points": 0, "of": 1}
    right = {"key": "b", "critical": True, "points": 1, "of": 1, "given": "x"}
    assert only_blank({"parts": [part, right]})
    assert only_blank({"parts": [part | {"given": []}, part | {"given": ""}]})
    assert not only_blank({"parts": [part, part | {"given": 0}]})


@pytest.mark.parametrize(("got", "passed"), [(49, False), (50, True), (51, True)])
def test_each_game_has_a_minimum_where_there_are_several(got, passed):
    """One right answer of three must not certify a game that the others make up for."""
    rules = mixed_rules(game_mark=50, pass_mark=0)
    marks = [
        mark(100 if number else got, 100, section=section.key, line=number)
        for number, section in enumerate(rules.sections)
    ]
    outcome = decide(rules, marks)
    assert outcome.passed is passed
    assert [one.passed for one in outcome.games] == [passed, True, True]
    if not passed:
        assert outcome.reasons == (Reason(kind="game", section="chemin_de_fer", value="49.0000", limit=50),)
    assert decide(mixed_rules(game_mark=0, pass_mark=0), marks).passed
    assert outcome_from(msgspec.to_builtins(outcome)) == outcome
