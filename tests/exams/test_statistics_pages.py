"""The figures of a session and of a programme: from real marks, worked by hand, without what was voided."""

import re
from collections.abc import Callable
from dataclasses import replace
from math import isclose

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from msgspec import structs

from exams.programmes.models import ProgrammeVersion
from exams.programmes.rules import Line, Rules, Section
from exams.records.models import ExamItem, Response, Session
from exams.results import grading
from exams.results.models import Result
from exams.results.shadow_grading import publish, shadow
from exams.statistics import plots, selectors
from exams.statistics.measures import ItemFigures
from tests.exams.making import BOOK, answer, close, enter, make_rules, make_session, make_version, start
from training.people.models import Role

pytestmark = pytest.mark.django_db
SignIn = Callable[..., Client]


def sat(session: Session, right: int) -> Result:
    """An exam with the first `right` items perfect and the others empty."""
    sitting = start(enter(session))
    answer(sitting, right=right)
    Response.objects.filter(sitting=sitting).update(seconds=40)
    result = grading.grade_sitting(close(sitting).pk)
    assert result is not None
    return result


def four_lines() -> Rules:
    """Four lines of one item worth a point: what a person gets of each is right or wrong."""
    topics = ("third_card", "banco_priority", "third_card", "banco_priority")
    lines = tuple(
        Line(rulebook=BOOK, topic=topic, difficulty=difficulty, items=1)
        for topic, difficulty in zip(topics, (1, 1, 3, 3), strict=True)
    )
    return make_rules(
        sections=(Section(key="all", names={"pt": "Tudo"}, lines=lines),), pass_mark=50, critical_allowed=None
    )


@pytest.fixture
def session() -> Session:
    """Five people who got 4, 3, 2, 1 and 0 items: the example worked in test_statistics, with KR-20 = 4/5."""
    held = make_session(make_version(four_lines()), spare=0)
    for right in (4, 3, 2, 1, 0):
        sat(held, right)
    return held


def test_a_session_worked_by_hand(session: Session) -> None:
    report = selectors.session_report(session)
    assert report.exam.alpha is not None
    assert isclose(report.exam.alpha, 4 / 5, abs_tol=1e-9)
    assert (report.exam.people, report.exam.mean, report.passed, report.left_out) == (5, 50, 3, 0)
    facilities = [line.figures.facility for line in report.lines]
    assert facilities == pytest.approx([4 / 5, 3 / 5, 2 / 5, 1 / 5], abs=1e-9)
    # Item 2 against the rest in share: shares 1 1 1 0 0, rests 3 2 1 1 0 of three: r = 9 / √156.
    assert report.lines[1].figures.discrimination == pytest.approx(9 / 156**0.5, abs=1e-9)
    assert report.lines[0].figures.seconds == 40
    assert report.items == []  # nothing was had by thirty people


def test_what_was_voided_counts_nowhere(session: Session) -> None:
    """Without the last line: totals 3 3 2 1 0 of three; its variances 1/5, 3/10, 3/10 of 17/10."""
    ExamItem.objects.filter(line=3).update(voided_at=timezone.now())
    for result in Result.objects.all():
        publish(shadow(result.sitting), cause="voided", actor=None, reason="x")  # type: ignore[arg-type]
    report = selectors.session_report(session)
    assert report.lines[3].figures.answers == 0
    assert report.exam.alpha is None  # a line all void leaves nobody with every line
    assert report.exam.mean == pytest.approx((100 + 100 + 200 / 3 + 100 / 3) / 5, abs=1e-3)


def test_an_item_that_thirty_people_had_is_judged_by_itself() -> None:
    held = make_session(make_version(four_lines()), spare=0)
    for number in range(30):
        sat(held, 4 if number % 2 else 3)
        if number == 28:
            assert selectors.session_report(held).items == []
    items = selectors.session_report(held).items
    assert [single.figures.answers for single in items] == [30, 30, 30, 30]
    assert [single.figures.flags for single in items] == [("easy",), ("easy",), ("easy",), ()]


def test_a_programme_is_counted_by_version(session: Session) -> None:
    version = session.programme_version
    ProgrammeVersion.objects.filter(pk=version.pk).update(state="retired")
    newer = make_version(make_rules(), programme=version.programme, number=2)
    assert selectors.versions_sat(version.programme) == [version]
    sat(make_session(newer), 5)
    assert selectors.versions_sat(version.programme) == [newer, version]
    assert selectors.version_report(version).exam.people == 5
    assert selectors.version_report(newer).exam.people == 1


def test_only_the_last_exams_are_counted(session: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(selectors, "MOST_SITTINGS", 3)
    report = selectors.session_report(session)
    assert (report.exam.people, report.left_out) == (3, 2)


@pytest.mark.parametrize("route", ["session_statistics", "programme_statistics"])
def test_the_pages_say_what_there_is_too_little_of(signed_in: SignIn, route: str) -> None:
    client = signed_in(Role.INSTRUCTOR)
    held = make_session()
    subject = held.pk if route == "session_statistics" else held.programme_version.programme_id
    for people in range(2):
        shown = client.get(reverse(route, args=[subject])).content.decode()
        assert not re.search(r"\bnan\b", shown.lower())  # as a word: a token may hold the letters
        assert ('class="chart"' in shown) is bool(people)
        sat(held, 5)


def shown(client: Client, session: Session) -> str:
    return client.get(reverse("session_statistics", args=[session.pk])).content.decode()


def test_figures_are_told_from_thirty_exams_on(signed_in: SignIn, monkeypatch: pytest.MonkeyPatch) -> None:
    client = signed_in(Role.INSTRUCTOR)
    held = make_session(make_version(four_lines()), spare=0)
    sat(held, 2)
    few = selectors.session_report(held)
    for people, told in ((29, False), (30, True), (31, True)):
        exam = structs.replace(few.exam, people=people, alpha=0.93, error=4.5)
        monkeypatch.setattr(selectors, "session_report", lambda _session, exam=exam: replace(few, exam=exam))
        page = shown(client, held)
        assert ("0,93" in page) is told
        assert ("a partir de 30 exames" in page) is not told


def test_another_version_is_asked_for_in_the_address(signed_in: SignIn, session: Session) -> None:
    client = signed_in(Role.ADMINISTRATOR)
    address = reverse("programme_statistics", args=[session.programme_version.programme_id])
    assert client.get(address, {"version": "1"}).status_code == 200
    assert client.get(address, {"version": "7"}).status_code == 404
    page = client.get(reverse("exam_statistics")).content.decode()
    assert f'href="{reverse("results")}" aria-current="page"' in page


def test_bars_stand_where_the_scores_are() -> None:
    drawn = plots.histogram([0, 4.9999, 5, 69.9999, 70, 100], cut=70)
    filled = {(bar.low, bar.people, bar.passing) for bar in drawn.bars if bar.people}
    assert filled == {(0, 2, False), (5, 1, False), (65, 1, False), (70, 1, True), (95, 1, True)}
    assert drawn.cut_x == 280
    assert plots.histogram([], cut=70).most == 0


def test_dots_stand_where_the_figures_say() -> None:
    made = ItemFigures(answers=40, facility=0.0, discrimination=1.0, seconds=None, flags=("hard",))
    none = ItemFigures(answers=1, facility=1.0, discrimination=None, seconds=None, flags=())
    [dot] = plots.scatter([made, none]).dots
    assert (dot.x, dot.y, dot.flagged) == (5, 5, True)
