"""Other ways to learn a score, a pass or a ruling from an exam that somebody has finished; none of them tells it."""

from collections.abc import Callable

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from django.utils.html import escape

from exams.audit.models import Entry
from exams.audit.words import describe
from exams.exam_sessions import candidacy
from exams.programmes.models import ProgrammeVersion
from exams.records.models import FormItem, Session
from exams.regrading import runs, selectors
from exams.regrading import services as regrading
from exams.results import annulment, examiner_views
from exams.results.models import Annulment, Mark, Result
from exams.results.shadow_grading import publish, shadow
from exams.statistics.selectors import session_report
from rules_engine.narration import reason
from tests.exams import contesting, making
from tests.exams.test_holding import english, over, sat
from tests.factories import PersonFactory
from training.people.models import Role

pytestmark = pytest.mark.django_db
SignIn = Callable[..., Client]


def held(right: int, **rules: object) -> Result:
    """A result of a session in which somebody else can still begin."""
    session = making.make_session(making.make_version(making.make_rules(**rules)))
    making.enter(session)
    result = sat(session, right=right)
    assert result.decided_at and result.released_at is None
    return result


def test_no_page_of_the_list_counts_who_passed(signed_in: SignIn, monkeypatch: pytest.MonkeyPatch) -> None:
    session = held(5).sitting.candidate.session
    monkeypatch.setattr(examiner_views, "PAGE", 1)
    examiner = signed_in(Role.INSTRUCTOR, Role.ADMINISTRATOR)
    english(examiner)
    for page in (1, 2):
        shown = examiner.get(reverse("session_results", args=[session.pk]), {"page": page}).content.decode()
        assert "<dt>Passed</dt>" not in shown
        assert "Release all" not in shown


@pytest.mark.parametrize("right", [5, 0])
def test_giving_a_try_back_does_not_tell_who_passed(signed_in: SignIn, right: int) -> None:
    result = held(right)
    examiner = signed_in(Role.INSTRUCTOR, Role.ADMINISTRATOR)
    page = examiner.get(reverse("annul_sitting", args=[result.sitting_id]))
    choices = [value for value, _name in page.context["form"].fields["remedy"].choices]
    assert Annulment.Remedy.TRY_BACK in choices
    assert not annulment.may_know_passed(result.sitting, examiner.person)  # type: ignore[attr-defined]


def test_it_is_told_once_everybody_has_finished() -> None:
    result = held(5)
    over(result.sitting.candidate.session)
    assert annulment.may_know_passed(result.sitting, PersonFactory(roles=[Role.ADMINISTRATOR]))


@pytest.mark.parametrize("rules", [{"wait_days": 30}, {"tries": 1}])
def test_entering_somebody_again_does_not_tell_who_passed(rules: dict[str, int]) -> None:
    """Whoever has passed may sit again at once, whoever has failed waits or has no try left."""
    said = []
    for right in (5, 0):
        result = held(right, **rules)
        candidate = result.sitting.candidate
        other = making.make_session(result.programme_version, first_seed=3000, state=Session.State.DRAFT)
        around = candidacy.circumstances(other, [candidate.person_id], other.created_by, timezone.now())
        reasons = list(candidacy.objections(candidate.person, around))
        said.append([one.replace(candidate.person.name, "") for one in reasons])
    assert said[0] == said[1] != []


def test_the_count_of_tries_does_not_tell_who_passed() -> None:
    """A pass begins the count anew."""
    counted = []
    for right in (5, 0):
        result = held(right)
        person, programme = result.sitting.candidate.person_id, result.programme_version.programme_id
        counted.append(candidacy.tries_of([person], programme)[person].count)
    assert counted == [1, 1]
    over(result.sitting.candidate.session)
    passed = Result.objects.get(passed=True)
    over(passed.sitting.candidate.session)
    person = passed.sitting.candidate.person_id
    assert candidacy.tries_of([person], passed.programme_version.programme_id)[person].count == 0


def test_figures_wait_for_another_session_with_the_same_cases() -> None:
    session, other = making.make_session(), making.make_session(first_seed=3000)
    making.enter(other)
    sat(session, right=3)
    assert session_report(session).scores
    twin = FormItem.objects.filter(item__session=session).first()
    assert twin is not None
    making.put_in_use(twin.item.scenario, other)
    second = sat(session, right=5)
    assert second.released_at is None
    assert len(session_report(session).scores) == 1, "of whom was told before"
    over(other)
    assert len(session_report(session).scores) == 2


def other_rules(result: Result, **rules: object) -> ProgrammeVersion:
    """A version of the programme that was in force once."""
    programme, state = result.programme_version.programme, ProgrammeVersion.State.RETIRED
    return making.make_version(making.make_rules(**rules), programme=programme, number=2, state=state)


def changed_by(result: Result, **rules: object) -> Result:
    """Graded again by other rules of the programme, and published."""
    other = other_rules(result, **rules)
    found = publish(
        shadow(result.sitting, rules=other.rules),
        cause=Mark.Cause.REGRADED,
        actor=other.published_by,
        reason="Outra regra.",
        version=other,
    )
    assert found is not None
    return found


def test_the_log_tells_no_score_of_what_was_graded_again() -> None:
    before = held(3)
    result = changed_by(before, pass_mark=20)
    assert result.released_at is None
    [line] = describe(Entry.objects.filter(act="result.regraded"))
    assert line.lines and not [one for one in line.lines if "%" in str(one) or "→" in str(one)]
    Result.objects.filter(pk=result.pk).update(released_at=timezone.now())
    [line] = describe(Entry.objects.filter(act="result.regraded"))
    assert any("→" in str(one) for one in line.lines)


@pytest.mark.parametrize("right", [5, 3])
def test_a_regrade_by_other_rules_does_not_tell_who_passed(right: int) -> None:
    result = held(right, pass_mark=70)
    other = other_rules(result, pass_mark=99)
    starter = PersonFactory(roles=[Role.ADMINISTRATOR])
    regrade = regrading.start(starter, other.programme, "Porque a regra mudou.", rules=other)
    runs.run_chunk(regrade.pk, runs.left_to_run(regrade))
    totals = selectors.totals(regrade)
    assert (totals.changed, totals.failed, totals.passed, totals.score) == (1, 0, 0, 0)
    assert [len(selectors.differences(regrade, show)) for show in ("", "failed", "passed", "score")] == [1, 0, 0, 0]
    over(result.sitting.candidate.session)
    assert sum(len(selectors.differences(regrade, show)) for show in ("failed", "passed", "score")) == 1


# ---- rulings on marked papers of before


def reasons(item: FormItem) -> set[str]:
    scenario = item.item.scenario
    return {reason(step, scenario.book, spoken) for step in scenario.solve().steps for spoken in ("en", "pt")}


def own_reasons(item: FormItem) -> set[str]:
    """The reasons of this item that no other item of the paper has."""
    others = FormItem.objects.filter(form=item.form_id).exclude(pk=item.pk)
    return reasons(item).difference(*map(reasons, others))


def tells(page: str, item: FormItem) -> bool:
    """Whether a page holds a reason of this item that no other item of the paper has."""
    return any(step in page or escape(step) in page for step in own_reasons(item))


def test_an_examiner_reads_no_ruling_of_a_paper_whose_case_another_exam_puts(signed_in: SignIn) -> None:
    session = making.make_session()
    result = sat(session, right=3)
    assert result.released_at, "nobody else was entered"
    item = next(filter(own_reasons, FormItem.objects.filter(form__candidate=result.sitting.candidate_id)))
    examiner = signed_in(Role.INSTRUCTOR, Role.ADMINISTRATOR)
    paper, alone = reverse("decide_result", args=[result.pk]), reverse("examined_item", args=[result.pk, item.position])
    assert tells(examiner.get(paper).content.decode(), item) and tells(examiner.get(alone).content.decode(), item)
    live = making.put_in_use(item.item.scenario)
    assert not tells(examiner.get(paper).content.decode(), item)
    assert examiner.get(alone).status_code == 404
    over(live.session)
    assert tells(examiner.get(paper).content.decode(), item)


def test_a_reviewer_reads_no_ruling_while_another_exam_puts_the_case(signed_in: SignIn) -> None:
    exam = contesting.held()
    appeal = contesting.lodged(exam)
    reviewer = signed_in(Role.INSTRUCTOR)
    address = reverse("appeal", args=[appeal.pk])
    assert tells(reviewer.get(address).content.decode(), appeal.form_item)
    live = making.put_in_use(appeal.form_item.item.scenario)
    page = reviewer.get(address)
    assert page.status_code == 200 and not tells(page.content.decode(), appeal.form_item)
    sent = {"decision": "rejected", "reply": contesting.REPLY}
    assert reviewer.post(address, sent).status_code == 409
    over(live.session)
    assert reviewer.post(address, sent).status_code == 302
