"""What an annulled sitting leaves behind: no result, no figure, no certificate, and items that stay known."""

from datetime import timedelta

import pytest
from django.db import IntegrityError, transaction
from django.utils import timezone

from exams.api.results import ResultOut
from exams.appeals import remedy as appeals_remedy
from exams.appeals import services as appeals
from exams.certificates import issuance
from exams.certificates import services as certificates
from exams.certificates.models import Certificate
from exams.exam_sessions import candidacy
from exams.papers import exam_bank, knowledge
from exams.records.models import ExamItem, FormItem, Session, Sitting
from exams.regrading import dispatch, publication, runs
from exams.regrading import services as regrading
from exams.regrading.models import Regrade, RegradedSitting
from exams.results import grading, selectors
from exams.results.models import Mark, Result
from exams.statistics.selectors import session_report
from tests.exams import certifying, contesting, making
from tests.exams.annulling import annulled, client_of, examiner, sat
from tests.factories import PersonFactory, second_person
from tests.library.versions import make_published
from training.people.models import Role
from training.platform.errors import Refused

pytestmark = pytest.mark.django_db


# ---- no result


def test_what_was_annulled_before_it_was_graded_is_never_graded() -> None:
    sitting = annulled(sat(graded=False))
    assert grading.grade_sitting(sitting.pk) is None
    assert grading.grade_overdue() == 0
    assert (Mark.objects.count(), Result.objects.count()) == (0, 0)
    person, session = sitting.candidate.person, sitting.candidate.session
    next_time = making.make_session(session.programme_version, state=Session.State.DRAFT)
    candidacy.enter(next_time, person, next_time.created_by)  # nothing of it is under way


def test_what_was_set_aside_may_be_annulled_and_is_owed_no_more() -> None:
    sitting = sat(graded=False)
    Sitting.objects.update(grading_failures=grading.MAX_FAILURES)
    assert selectors.given_up() == 1
    annulled(sitting)
    assert selectors.given_up() == 0
    counts = selectors.counts(sitting.candidate.session, examiner())
    assert (counts["closed"], counts["graded"], counts["aside"], counts["annulled"]) == (0, 0, 0, 1)


def test_the_candidate_s_program_is_told_no_result_of_it() -> None:
    sitting = sat(right=5)
    person = sitting.candidate.person
    assert len(ResultOut(selectors.own_results(person), many=True).data) == 1
    annulled(sitting)
    assert list(selectors.own_results(person)) == []
    assert client_of(person).get("/api/v1/results/").json()["results"] == []


def test_an_item_of_it_is_no_longer_contested_and_its_marks_stay_out_of_an_appeal() -> None:
    exam = contesting.held({}, {})
    appeal = contesting.lodged(exam, 0)
    annulled(exam.sittings[1])
    with pytest.raises(Refused, match="divulgado"):
        contesting.lodged(exam, 1, position=2)
    appeals.void(appeal, contesting.stranger(), contesting.REPLY)
    assert appeals_remedy.carry_out(appeal.pk)
    assert [result.sitting_id for result in Result.objects.filter(in_force=True)] == [exam.sittings[0].pk]


def test_a_regrade_leaves_it_out_also_when_it_was_annulled_meanwhile() -> None:
    exam = contesting.held({}, {}, {})
    annulled(exam.sittings[0])
    regrade = regrading.start(
        contesting.stranger(Role.ADMINISTRATOR), exam.version.programme, reason="O artigo 67 foi corrigido."
    )
    assert regrade.sittings_total == 2
    annulled(exam.sittings[1])
    runs.run_chunk(regrade.pk, [sitting.pk for sitting in exam.sittings[1:]])
    regrade.refresh_from_db()
    assert (regrade.state, regrade.sittings_done, regrade.sittings_total) == (Regrade.State.READY, 1, 1)


def test_a_regrade_ends_though_the_last_of_it_was_annulled() -> None:
    exam = contesting.held({})
    regrade = regrading.start(
        contesting.stranger(Role.ADMINISTRATOR), exam.version.programme, reason="O artigo 67 foi corrigido."
    )
    annulled(exam.sittings[0])
    dispatch.spread_out(regrade.pk)
    regrade.refresh_from_db()
    assert regrade.state == Regrade.State.READY


def test_what_a_regrade_found_is_not_published_of_it() -> None:
    exam = contesting.held({1: "right"})
    other = making.make_version(
        making.make_rules(pass_mark=1), programme=exam.version.programme, number=2, state="retired"
    )
    regrade = contesting.regraded(exam, rules=other)
    assert regrade.sittings.get().changed
    annulled(exam.sittings[0])
    Regrade.objects.update(state=Regrade.State.PUBLISHING)
    publication.publish_chunk(regrade.pk, [exam.sittings[0].pk])
    assert regrade.sittings.get().settled == RegradedSitting.Settled.OVERTAKEN
    assert not Result.objects.filter(in_force=True).exists()


def test_the_figures_leave_it_out() -> None:
    exam = contesting.held({}, {})
    assert session_report(exam.session).exam.people == 2
    annulled(exam.sittings[0])
    report = session_report(exam.session)
    assert (report.exam.people, report.lines[0].figures.answers) == (1, 1)


def test_its_items_count_as_seen() -> None:
    sitting = annulled(sat())
    item = FormItem.objects.filter(form__candidate=sitting.candidate).first().item
    lines = sitting.candidate.session.programme_version.rules.lines
    elsewhere = making.make_session()
    known = knowledge.known_to([sitting.candidate.person_id], lines, besides=elsewhere.pk)
    assert item.fingerprint in known[sitting.candidate.person_id].cases


def test_a_scenario_of_the_bank_stays_exposed() -> None:
    version, sitting = make_published(), sat()
    like = FormItem.objects.filter(form__candidate=sitting.candidate).first().item
    same = ("session", "section", "line", "points", "rulebook", "topic", "difficulty", "scenario_document", "predicted")
    reserved = ExamItem.objects.create(
        **{name: getattr(like, name) for name in same}, fingerprint="f" * 64, version=version
    )
    FormItem.objects.filter(item=like).update(item=reserved)
    annulled(sitting)
    assert exam_bank.exposure([version.item_id])[version.item_id].candidates == 1


# ---- no certificate


def test_no_certificate_is_issued_of_it() -> None:
    by_hr = making.make_version(making.make_rules(certificate="by_hr"))
    result, hr = certifying.make_result(by_hr), PersonFactory(roles=[Role.HR])
    annulled(result.sitting)
    assert not issuance.waiting().exists()
    with pytest.raises(Refused):
        issuance.issue(result=result, actor=hr, reason="Aprovada.")
    with pytest.raises(IntegrityError, match="gives no certificate"), transaction.atomic():
        Certificate.objects.create(
            number="X-1",
            code="X1",
            holder=result.sitting.candidate.person,
            holder_name=result.sitting.name,
            language="pt",
            programme_version=by_hr,
            result=result,
            scope=[],
            granted_at=timezone.now(),
            valid_from=timezone.localdate(),
            valid_until=timezone.localdate(),
            status_index=1,
            printed={},
        )


@pytest.mark.parametrize("woken", [True, False], ids=["by the message", "by the sweep"])
def test_a_certificate_that_it_led_to_is_suspended_and_can_only_be_withdrawn(woken: bool) -> None:
    certificate, hr = certifying.make_certificate(), PersonFactory(roles=[Role.HR])
    assert certificate.result and certificate.result_id
    annulled(certificate.result.sitting)
    assert issuance.follow(certificate.result_id) if woken else issuance.sweep() == 1
    certificate.refresh_from_db()
    assert certificate.state == "suspended"
    assert certificate.acts.last().reason == "O exame que deu este certificado foi anulado."
    assert issuance.sweep() == 0
    with pytest.raises(Refused, match="só pode ser retirado"):
        certificates.reinstate(certificate=certificate, actor=hr, reason="Volta.")
    assert "reinstate" not in certificates.allowed_acts(certificate, hr)
    certificates.withdraw(certificate=certificate, actor=hr, second=second_person(), reason="Exame anulado.")


@pytest.mark.parametrize(("renewed_after", "rested"), [(680, True), (400, False)], ids=["in the window", "before it"])
@pytest.mark.parametrize("woken", [True, False], ids=["by the message", "by the sweep"])
def test_a_renewal_that_lasts_longer_because_of_it_is_suspended_once(
    renewed_after: int, rested: bool, woken: bool
) -> None:
    version, holder, hr = making.make_version(), PersonFactory(), PersonFactory(roles=[Role.HR])
    began = timezone.now() - timedelta(days=renewed_after)
    first = certifying.make_certificate(version, holder, decided_at=began)
    renewal = certifying.make_certificate(version, holder)
    assert first.result and renewal.replaces == first
    annulled(first.result.sitting)
    done = issuance.follow(first.result_id) is not None if woken else issuance.sweep() == 1  # type: ignore[arg-type]
    renewal.refresh_from_db()
    assert (done, renewal.state) == (rested, "suspended" if rested else "granted")
    if rested:
        assert "um anterior, cujo exame foi anulado" in renewal.acts.last().reason
        certificates.reinstate(certificate=renewal, actor=hr, reason="O exame de renovação vale por si.")
        assert issuance.sweep() == 0 and issuance.follow(first.result_id) is None  # type: ignore[arg-type]
