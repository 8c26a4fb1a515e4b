"""The shadow regrade: what a corrected engine or programme would change is shown first, then published or discarded."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

import pytest
from django.db.models import Max
from django.utils import translation
from msgspec.structs import replace

import rules_engine
from exams.appeals import remedy
from exams.appeals import services as appeals
from exams.audit.models import Entry
from exams.programmes.models import ProgrammeVersion
from exams.records.models import ExamItem
from exams.regrading import dispatch, publication, runs, selectors, services, views
from exams.regrading.differences import differences
from exams.regrading.models import Regrade, RegradedMark, RegradedSitting
from exams.results.models import Mark, Result
from rules_engine import Ruling
from rules_engine.rulebook import Rulebook
from tests.exams import making
from tests.exams.contesting import REPLY, Exam, lodged, regraded, sat, stranger
from training.people.models import Role
from training.platform.engine_json import document
from training.platform.errors import Refused

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _in_english() -> Iterator[None]:
    """Refusals are told in the language of who is refused."""
    with translation.override("en"):
        yield


ALL_RIGHT: dict[int, Any] = dict.fromkeys(range(1, 6), "right")
LOSES, GAINS, SAME, ELSEWHERE = range(4)


@dataclass
class Mended:
    """An exam, and an engine that can be mended: about the first item it then rules what was wrong before."""

    exam: Exam
    item: ExamItem
    key: str
    value: str

    def mend(self, monkeypatch: pytest.MonkeyPatch) -> None:
        rule, facts = Rulebook.rule, document(self.item.scenario.situation)

        def mended(book: Rulebook, situation: Any) -> Ruling:
            ruling = rule(book, situation)
            if document(situation) != facts:
                return ruling
            decisions = (
                replace(decision, value=self.value) if decision.key == self.key else decision
                for decision in ruling.decisions
            )
            return replace(ruling, decisions=tuple(decisions))

        monkeypatch.setattr(Rulebook, "rule", mended)


@pytest.fixture
def mended() -> Mended:
    """Who answered by the old ruling, who by the new one, who not at all, and one who had other items."""
    version = making.make_version(making.make_rules(pass_mark=100, critical_allowed=None))
    session = making.make_session(version, spare=3)
    item = ExamItem.objects.filter(session=session, line=0).order_by("fingerprint")[0]
    question = next(question for question in item.scenario.questions if question.kind == "choice")
    right = making.right_answer(item.scenario)
    value = next(str(option) for option in question.options if option != right[question.key])
    sittings = [
        sat(session, ALL_RIGHT),
        sat(session, ALL_RIGHT | {1: right | {question.key: value}}),
        sat(session, {1: {}}),
        sat(session, ALL_RIGHT, skip=3),
    ]
    return Mended(Exam(session, sittings), item, question.key, value)


def in_force(exam: Exam) -> list[tuple[int, bool]]:
    return [(exam.result(number).number, exam.result(number).passed) for number in range(4)]


def published(regrade: Regrade) -> Regrade:
    services.publish(regrade, stranger(Role.ADMINISTRATOR))
    publication.publish_chunk(regrade.pk, publication.left_to_publish(regrade))
    regrade.refresh_from_db()
    return regrade


def test_a_mended_engine_is_shown_published_and_then_changes_nothing_more(
    mended: Mended, monkeypatch: pytest.MonkeyPatch
) -> None:
    exam = mended.exam
    assert in_force(exam) == [(1, True), (1, False), (1, False), (1, True)]
    mended.mend(monkeypatch)
    found = regraded(exam)
    assert (found.state, found.sittings_done, found.answers_done) == (Regrade.State.READY, 4, 20)
    # Exactly the affected, and nobody sees anything of it yet.
    changed = set(found.sittings.filter(changed=True).values_list("sitting_id", flat=True))
    assert changed == {exam.sittings[LOSES].pk, exam.sittings[GAINS].pk}
    assert in_force(exam) == [(1, True), (1, False), (1, False), (1, True)]
    assert Mark.objects.aggregate(last=Max("number")) == {"last": 1}
    counted = selectors.totals(found)
    assert (counted.changed, counted.failed, counted.passed, counted.score) == (2, 1, 1, 0)

    assert published(found).state == Regrade.State.PUBLISHED
    assert in_force(exam) == [(2, False), (2, True), (1, False), (1, True)]
    for number in (LOSES, GAINS):
        marks = Mark.objects.filter(form_item=exam.item(number)).order_by("number")
        assert [(mark.number, mark.in_force, mark.cause) for mark in marks] == [
            (1, False, "graded"),
            (2, True, "regraded"),
        ]
        assert Result.objects.filter(sitting=exam.sittings[number]).count() == 2
        assert exam.result(number).released_at
    assert Mark.objects.filter(number=2).count() == 2

    again = regraded(exam)
    assert selectors.totals(again).changed == 0
    assert again.marks.count() == 0


def test_the_differences_say_which_item_and_why(mended: Mended, monkeypatch: pytest.MonkeyPatch) -> None:
    mended.mend(monkeypatch)
    found = regraded(mended.exam)
    told = differences(list(selectors.differences(found, "")), "pt")
    assert [one.row.sitting_id for one in told] == [mended.exam.sittings[number].pk for number in (LOSES, GAINS)]
    for one in told:
        [item] = one.items
        [question] = item.questions
        assert item.position == 1
        assert question.right_before != question.right_after
    assert told[LOSES].items[0].questions[0].given == told[LOSES].items[0].questions[0].right_before
    assert told[GAINS].items[0].questions[0].given == told[GAINS].items[0].questions[0].right_after
    only = [list(selectors.differences(found, show)) for show in ("failed", "passed", "score", "trouble", "overtaken")]
    assert [len(rows) for rows in only] == [1, 1, 0, 0, 0]


def test_no_question_of_a_session_in_use_is_told(mended: Mended, monkeypatch: pytest.MonkeyPatch) -> None:
    mended.mend(monkeypatch)
    found = regraded(mended.exam)
    making.enter(mended.exam.session)  # somebody has yet to begin
    told = differences(list(selectors.differences(found, "")), "pt")
    assert [(item.position, item.questions) for one in told for item in one.items] == [(1, []), (1, [])]


def test_a_discarded_regrade_leaves_nothing(mended: Mended, monkeypatch: pytest.MonkeyPatch) -> None:
    mended.mend(monkeypatch)
    found = regraded(mended.exam)
    services.discard(found, stranger(Role.ADMINISTRATOR))
    assert (RegradedSitting.objects.count(), RegradedMark.objects.count()) == (0, 0)
    assert in_force(mended.exam) == [(1, True), (1, False), (1, False), (1, True)]
    found.refresh_from_db()
    assert found.state == Regrade.State.DISCARDED
    with pytest.raises(Refused, match="ready"):
        services.publish(found, stranger(Role.ADMINISTRATOR))
    with pytest.raises(Refused, match="already been published or discarded"):
        services.discard(found, stranger(Role.ADMINISTRATOR))
    acts = Entry.objects.filter(subject=f"regrade:{found.pk}").values_list("act", flat=True)
    assert list(acts) == ["regrade.started", "regrade.ready", "regrade.discarded"]


def test_what_changed_after_it_was_shown_is_left_as_it_is(mended: Mended, monkeypatch: pytest.MonkeyPatch) -> None:
    """An appeal voids the item between the run and its publication."""
    exam = mended.exam
    mended.mend(monkeypatch)
    found = regraded(exam)
    appeal = lodged(exam, LOSES)
    appeals.void(appeal, stranger(), REPLY)
    remedy.carry_out(appeal.pk)
    assert exam.result(LOSES).passed
    assert published(found).state == Regrade.State.PUBLISHED
    assert selectors.totals(found).overtaken == 2
    assert exam.result(LOSES).number == exam.result(GAINS).number == 2
    assert exam.mark(LOSES).voided


# ---- by other rules


def test_a_corrected_pass_mark_takes_the_decisions_again(mended: Mended) -> None:
    exam = mended.exam
    later = _later(exam, pass_mark=50)
    found = regraded(exam, rules=later)
    # Every outcome names its pass mark, so that all four change; two of them are decided otherwise.
    counted = selectors.totals(found)
    assert (counted.changed, counted.passed, counted.failed) == (4, 1, 0)
    assert found.marks.count() == 0
    published(found)
    assert [passed for _number, passed in in_force(exam)] == [True, True, False, True]
    assert exam.result(GAINS).programme_version == later
    assert selectors.totals(regraded(exam, rules=later)).changed == 0


def test_a_second_run_without_the_other_rules_changes_nothing_either(mended: Mended) -> None:
    published(regraded(mended.exam, rules=_later(mended.exam, pass_mark=50)))
    assert selectors.totals(regraded(mended.exam)).changed == 0


def _later(exam: Exam, **changes: Any) -> ProgrammeVersion:
    rules = replace(exam.version.rules, **changes)
    ProgrammeVersion.objects.filter(pk=exam.version.pk).update(state="retired")
    return making.make_version(rules, programme=exam.version.programme, number=2)


def test_rules_of_another_blueprint_are_told_and_change_nothing(mended: Mended) -> None:
    sections = mended.exam.version.rules.sections[:1]
    found = regraded(mended.exam, rules=_later(mended.exam, sections=sections))
    assert found.state == Regrade.State.READY
    counted = selectors.totals(found)
    assert (counted.changed, counted.trouble) == (0, 4)


def test_only_a_version_of_the_programme_that_was_in_force_may_decide(mended: Mended) -> None:
    programme, reason = mended.exam.version.programme, "O artigo 67 foi corrigido."
    draft = making.make_version(programme=programme, number=2, state="draft", published_by=None, published_at=None)
    for version in (draft, making.make_version()):
        with pytest.raises(Refused, match="is or was in force"):
            services.start(stranger(Role.ADMINISTRATOR), programme, reason, rules=version)


# ---- once, whatever happens


def test_a_chunk_that_runs_twice_counts_once(mended: Mended, monkeypatch: pytest.MonkeyPatch) -> None:
    mended.mend(monkeypatch)
    found = services.start(stranger(Role.ADMINISTRATOR), mended.exam.version.programme, "O artigo 67 foi corrigido.")
    left = runs.left_to_run(found)
    theirs = [sitting for sitting in mended.exam.sittings if sitting.pk in left[:2]]
    graded_by_another = runs._shadows(found, theirs)
    runs.run_chunk(found.pk, left[:2])
    runs._store(found, graded_by_another)
    runs.run_chunk(found.pk, left[:3])
    found.refresh_from_db()
    assert (found.sittings_done, found.state) == (3, Regrade.State.RUNNING)
    runs.run_chunk(found.pk, left)
    found.refresh_from_db()
    assert (found.sittings_done, found.sittings.count(), found.marks.count()) == (4, 4, 2)
    assert found.state == Regrade.State.READY


def test_a_run_that_stands_still_is_sent_again(mended: Mended, monkeypatch: pytest.MonkeyPatch) -> None:
    sent: list[list[Any]] = []
    monkeypatch.setattr(dispatch, "send_on_commit", lambda _task, _id, *chunk: sent.append(*chunk) if chunk else None)
    monkeypatch.setattr(dispatch, "CHUNK", 2)
    found = services.start(stranger(Role.ADMINISTRATOR), mended.exam.version.programme, "O artigo 67 foi corrigido.")
    runs.run_chunk(found.pk, runs.left_to_run(found)[:1])
    assert dispatch.wake_stuck() == 0
    monkeypatch.setattr(dispatch, "STUCK", timedelta(seconds=-1))
    assert dispatch.wake_stuck() == 1
    assert [len(chunk) for chunk in sent] == [2, 1]


def test_publishing_goes_on_where_it_was_killed(mended: Mended, monkeypatch: pytest.MonkeyPatch) -> None:
    mended.mend(monkeypatch)
    found = regraded(mended.exam)
    services.publish(found, stranger(Role.ADMINISTRATOR))
    left = publication.left_to_publish(found)
    publication.publish_chunk(found.pk, left[:1])
    publication.publish_chunk(found.pk, left[:1])
    found.refresh_from_db()
    assert found.state == Regrade.State.PUBLISHING
    assert publication.left_to_publish(found) == left[1:]
    publication.publish_chunk(found.pk, left)
    publication.publish_chunk(found.pk, left)
    found.refresh_from_db()
    assert found.state == Regrade.State.PUBLISHED
    assert Mark.objects.filter(number=2).count() == 2
    assert Mark.objects.filter(number=3).count() == 0
    assert Entry.objects.filter(act="regrade.published").count() == 1


def test_one_at_a_time_and_only_where_there_is_something(mended: Mended) -> None:
    regraded(mended.exam)
    with pytest.raises(Refused, match="still open"):
        regraded(mended.exam)
    with pytest.raises(Refused, match="Nobody has a result"):
        services.start(stranger(Role.ADMINISTRATOR), making.make_version().programme, "O artigo foi corrigido.")


def test_who_would_profit_does_not_publish(mended: Mended, monkeypatch: pytest.MonkeyPatch) -> None:
    mended.mend(monkeypatch)
    found = regraded(mended.exam)
    with pytest.raises(Refused, match="Your own result"):
        services.publish(found, mended.exam.person(GAINS))


def test_an_engine_changed_since_is_not_published(mended: Mended, monkeypatch: pytest.MonkeyPatch) -> None:
    found = regraded(mended.exam)
    monkeypatch.setattr(rules_engine.game("chemin_de_fer"), "version", "99.0.0")
    with pytest.raises(Refused, match="engine has changed"):
        services.publish(found, stranger(Role.ADMINISTRATOR))


def test_who_was_graded_after_the_start_is_not_waited_for(mended: Mended) -> None:
    found = services.start(stranger(Role.ADMINISTRATOR), mended.exam.version.programme, "O artigo 67 foi corrigido.")
    sat(mended.exam.session, {})
    assert len(runs.left_to_run(found)) == 4


@pytest.mark.parametrize("engine", ["1.4.0", "gone 2.0.0", "chemin_de_fer 1.0.0, gone 2.0.0", ""])
def test_what_a_regrade_of_long_ago_was_worked_out_with_can_be_told(engine: str) -> None:
    told = views._engine_versions(engine)
    assert told.endswith(engine.split(" ")[-1])
    assert "chemin_de_fer" not in told
