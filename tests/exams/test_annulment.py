"""A sitting is annulled or its try given back: by two people, for a reason the candidate reads, and for good."""

from datetime import timedelta
from typing import Any

import pytest
from django.db import IntegrityError, transaction
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from exams.api.results import ResultOut
from exams.appeals import remedy as appeals_remedy
from exams.appeals import services as appeals
from exams.audit.models import Entry
from exams.audit.services import verify
from exams.certificates import issuance
from exams.certificates import services as certificates
from exams.certificates.models import Certificate
from exams.invigilation import acts
from exams.papers import bank, knowledge
from exams.programmes.models import Examiner
from exams.records.models import ExamItem, FormItem, Session, Sitting
from exams.regrading import dispatch, publication, runs
from exams.regrading import services as regrading
from exams.regrading.models import Regrade, RegradedSitting
from exams.results import annulment, grading, selectors
from exams.results.models import Annulment, Mark, Result
from exams.sessions import candidacy
from exams.statistics.selectors import session_report
from tests.exams import certifying, contesting, making
from tests.factories import PersonFactory
from tests.library.versions import make_published
from training.mail.models import Mail
from training.people.models import Role, User
from training.refusal import Refused

pytestmark = pytest.mark.django_db
WHY = "Alarme de incêndio às 10h20: a sala foi evacuada."
Remedy = Annulment.Remedy


def examiner(*roles: Role) -> User:
    return PersonFactory(roles=roles or [Role.INSTRUCTOR])


def sat(right: int = 0, *, graded: bool = True, person: User | None = None, **rules: Any) -> Sitting:
    """A closed sitting, graded unless told otherwise."""
    session = making.make_session(making.make_version(making.make_rules(**rules)))
    sitting = making.start(making.enter(session, person))
    making.answer(sitting, right=right)
    making.close(sitting)
    if graded:
        grading.grade_sitting(sitting.pk)
    sitting.refresh_from_db()
    return sitting


def asked(sitting: Sitting, remedy: str = Remedy.ANNULLED, by: User | None = None) -> Annulment:
    return annulment.ask(sitting, by=by or sitting.candidate.session.created_by, remedy=remedy, reason=WHY)


def annulled(sitting: Sitting, remedy: str = Remedy.ANNULLED) -> Sitting:
    annulment.confirm(asked(sitting, remedy), by=examiner())
    sitting.refresh_from_db()
    return sitting


def client_of(person: User) -> Client:
    client = Client()
    client.force_login(person)
    return client


# ---- two people


def test_one_asks_a_second_confirms_and_the_result_is_gone() -> None:
    sitting, second = sat(right=5), examiner()
    one = sitting.candidate.session.created_by
    waiting = asked(sitting)
    sitting.refresh_from_db()
    assert sitting.annulled_at is None  # nothing yet
    annulment.confirm(waiting, by=second)

    sitting.refresh_from_db()
    assert sitting.annulled_at is not None
    assert sitting.try_back
    assert not Result.objects.get().in_force
    entry = Entry.objects.get(act="sitting.annulled")
    assert (entry.actor, entry.subject) == (second, f"sitting:{sitting.pk}")
    assert entry.details == {
        "reason": WHY,
        "asked_by": one.pk,
        "try_back": True,
        "result": str(Result.objects.get().pk),
    }
    assert Entry.objects.get(act="annulment.asked").actor == one
    assert list(verify()) == []


def test_who_asks_does_not_confirm_and_the_database_holds_it() -> None:
    chief = examiner(Role.ADMINISTRATOR)
    waiting = asked(sat(), by=chief)
    with pytest.raises(Refused, match="tem de ser uma segunda pessoa"):
        annulment.confirm(waiting, by=chief)
    with pytest.raises(IntegrityError), transaction.atomic():
        Annulment.objects.filter(pk=waiting.pk).update(accepted=True, decided_by=chief, decided_at=timezone.now())


def test_one_examiner_is_enough_where_the_programme_says_so() -> None:
    sitting = sat(annulment="by_one")
    assert asked(sitting).accepted
    sitting.refresh_from_db()
    assert sitting.annulled_at is not None


def test_a_second_try_given_back_needs_a_second_person_who_is_told() -> None:
    first = sat(annulment="by_one")
    asked(first, Remedy.TRY_BACK)
    session = making.make_session(first.candidate.session.programme_version)
    again = making.close(making.start(making.enter(session, first.candidate.person)))
    page = client_of(session.created_by).get(reverse("annul_sitting", args=[again.pk])).content.decode()
    assert "já foi devolvida 1 tentativa" in page and "Uma segunda pessoa tem de o confirmar" in page
    waiting = asked(again, Remedy.TRY_BACK)
    assert waiting.by_two and waiting.decided_at is None
    assert "já foi devolvida 1 tentativa" in client_of(examiner()).get(reverse("annulments")).content.decode()


def test_an_invigilator_who_is_no_examiner_asks_and_an_examiner_decides() -> None:
    sitting, watcher = sat(annulment="by_one"), examiner(Role.HR)
    with pytest.raises(Refused, match="Só os vigilantes e os examinadores"):
        asked(sitting, by=watcher)
    sitting.candidate.session.invigilators.add(watcher)
    waiting = asked(sitting, by=watcher)
    assert waiting.decided_at is None
    with pytest.raises(Refused, match="podem examinar"):
        annulment.confirm(waiting, by=watcher)
    annulment.confirm(waiting, by=examiner())


def test_nobody_asks_or_decides_about_their_own_exam() -> None:
    both = PersonFactory(roles=[Role.TRAINEE, Role.INSTRUCTOR, Role.ADMINISTRATOR])
    sitting = sat(person=both)
    with pytest.raises(Refused, match="Só os vigilantes e os examinadores"):
        asked(sitting, by=both)
    waiting = asked(sitting)
    for act in (annulment.confirm, annulment.refuse):
        with pytest.raises(Refused, match="Ninguém decide sobre si próprio"):
            act(waiting, by=both)


def test_only_who_may_judge_the_candidate_decides() -> None:
    sitting = sat(examiners="appointed")
    waiting, stranger = asked(sitting), examiner()
    with pytest.raises(Refused, match="nomeados"):
        annulment.confirm(waiting, by=stranger)
    Examiner.objects.create(programme=sitting.candidate.session.programme_version.programme, person=stranger)
    annulment.confirm(waiting, by=stranger)


def test_it_is_decided_once_and_asked_for_once_at_a_time() -> None:
    sitting = sat()
    waiting = asked(sitting)
    with pytest.raises(Refused, match="Já foi pedido"):
        asked(sitting)
    annulment.confirm(waiting, by=examiner())
    for act in (annulment.confirm, annulment.refuse):
        with pytest.raises(Refused, match="já está decidido"):
            act(waiting, by=examiner())
    with pytest.raises(Refused, match="já está decidido"):
        asked(sitting)


def test_what_is_refused_or_taken_back_leaves_everything() -> None:
    sitting, watcher = sat(right=5), examiner(Role.HR)
    sitting.candidate.session.invigilators.add(watcher)
    annulment.refuse(asked(sitting, by=watcher), by=watcher)  # taken back
    annulment.refuse(asked(sitting), by=examiner())
    sitting.refresh_from_db()
    assert (sitting.annulled_at, sitting.try_back, Result.objects.get().in_force) == (None, False, True)
    assert Entry.objects.filter(act="annulment.refused").count() == 2
    assert not Mail.objects.filter(subject__contains="anulado").exists()


def test_an_open_sitting_is_closed_first() -> None:
    sitting = making.start(making.enter(making.make_session()))
    with pytest.raises(Refused, match="Encerre-o primeiro"):
        asked(sitting)


@pytest.mark.parametrize(
    ("reason", "remedy", "field"),
    [("  ", "annulled", "reason"), ("x" * 2001, "annulled", "reason"), ("x", "no_such", "remedy")],
)
def test_it_needs_a_reason_and_a_remedy(reason: str, remedy: str, field: str) -> None:
    sitting = sat()
    with pytest.raises(Refused) as refused:
        annulment.ask(sitting, by=sitting.candidate.session.created_by, remedy=remedy, reason=reason)
    assert refused.value.field == field
    assert annulment.ask(
        sitting, by=sitting.candidate.session.created_by, remedy="annulled", reason="x" * 2000
    )  # as long as may be


# ---- tries


@pytest.mark.parametrize(
    ("remedy", "tries", "result"),
    [(Remedy.ANNULLED, 0, False), (Remedy.COUNTED, 1, False), (Remedy.TRY_BACK, 0, True)],
)
def test_the_try_is_given_back_or_not_as_decided(remedy: str, tries: int, result: bool) -> None:
    sitting = annulled(sat(), remedy)
    person, programme = sitting.candidate.person_id, sitting.candidate.session.programme_version.programme_id
    assert candidacy.tries_of([person], programme)[person].count == tries
    assert Result.objects.filter(in_force=True).exists() is result


def test_whose_try_was_given_back_is_entered_again_without_waiting() -> None:
    sitting = sat(tries=1, wait_days=14)
    version, person = sitting.candidate.session.programme_version, sitting.candidate.person
    next_time = making.make_session(version, state=Session.State.DRAFT)
    with pytest.raises(Refused, match="já usou"):
        candidacy.enter(next_time, person, next_time.created_by)
    annulled(sitting)
    candidacy.enter(next_time, person, next_time.created_by)


def test_a_passed_exam_has_no_try_to_give_back() -> None:
    with pytest.raises(annulment.UnfitRemedy, match="não há tentativa"):
        asked(sat(right=5), Remedy.TRY_BACK)


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
    assert bank.exposure([version.item_id])[version.item_id].candidates == 1


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
            holder_name="X",
            language="pt",
            programme_version=by_hr,
            result=result,
            scope=[],
            granted_at=timezone.now(),
            valid_from=timezone.localdate(),
            valid_until=timezone.localdate(),
            status_index=1,
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
    certificates.withdraw(certificate=certificate, actor=hr, reason="Exame anulado.")


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


# ---- the database


def test_the_database_undoes_nothing() -> None:
    sitting = annulled(sat())
    decided = Annulment.objects.get()
    for change in (
        lambda: Sitting.objects.update(annulled_at=None),
        lambda: Sitting.objects.update(annulled_at=timezone.now() + timedelta(days=1)),
        lambda: Sitting.objects.update(try_back=False),
        lambda: Annulment.objects.update(reason="Outro motivo."),
        lambda: Annulment.objects.update(remedy=Remedy.COUNTED),
        lambda: Annulment.objects.update(accepted=False),
        lambda: Annulment.objects.update(decided_by=decided.asked_by),
        lambda: Annulment.objects.all().delete(),
        lambda: certifying.add_result(sitting),
        lambda: Result.objects.update(in_force=True),
    ):
        with pytest.raises(IntegrityError), transaction.atomic():
            change()


def test_the_database_annuls_no_open_sitting() -> None:
    making.start(making.enter(making.make_session()))
    with pytest.raises(IntegrityError), transaction.atomic():
        Sitting.objects.update(annulled_at=timezone.now())


# ---- the candidate is told


@pytest.mark.parametrize(
    ("remedy", "subject", "told"),
    [
        (Remedy.ANNULLED, "O seu exame foi anulado: Chemin de fer", "Não conta como tentativa"),
        (Remedy.COUNTED, "O seu exame foi anulado: Chemin de fer", "Conta como tentativa."),
        (Remedy.TRY_BACK, "A sua tentativa foi devolvida: Chemin de fer", "mantém-se"),
    ],
)
def test_the_candidate_is_told_by_mail_and_on_the_page(remedy: str, subject: str, told: str) -> None:
    sitting = sat()
    acts_before = Mail.objects.count()
    annulled(sitting, remedy)
    assert Mail.objects.count() == acts_before + 1
    mail = Mail.objects.latest("pk")
    assert (mail.person, mail.subject) == (sitting.candidate.person, subject)
    assert told in mail.body
    assert WHY in mail.body
    assert "/exams/" in mail.body
    page = client_of(sitting.candidate.person).get(reverse("own_result", args=[sitting.pk])).content.decode()
    assert WHY in page
    assert ("Este exame foi anulado." in page) is (remedy != Remedy.TRY_BACK)


def test_the_pages_of_the_candidate_say_annulled_and_show_no_result() -> None:
    session = making.make_session()
    sitting = making.start(making.enter(session))
    acts.close_sitting(sitting, "Alarme.", by=session.created_by, now=timezone.now())
    grading.grade_sitting(sitting.pk)
    client = client_of(sitting.candidate.person)
    sitting.refresh_from_db()
    annulled(sitting)
    assert client.get("/exams/").context["exams"].past[0].state == "annulled"
    page = client.get(reverse("own_result", args=[sitting.pk])).content.decode()
    assert "Não passou" not in page
    assert "Alarme." in page
    for route, args in (("own_result_item", [sitting.pk, 1]), ("own_sheet", [sitting.pk])):
        assert client.get(reverse(route, args=args)).status_code == 404
    assert "foi anulado" in client.get(f"/exams/sittings/{sitting.pk}/").content.decode()


# ---- the pages of those who decide


def test_annulling_by_the_pages() -> None:
    sitting, second = sat(right=5), examiner()
    one = client_of(sitting.candidate.session.created_by)
    address = reverse("annul_sitting", args=[sitting.pk])
    assert "segunda pessoa" in one.get(address).content.decode()
    empty = one.post(address, {"remedy": "annulled", "reason": " "})
    assert empty.status_code == 422
    assert one.post(address, {"remedy": "try_back", "reason": WHY}).status_code == 422
    assert one.post(address, {"remedy": "annulled", "reason": WHY}, follow=True).status_code == 200
    assert one.post(address, {"remedy": "annulled", "reason": WHY}).status_code == 409
    listed = reverse("annulments")
    decide = reverse("decide_annulment", args=[Annulment.objects.get().pk])
    assert 'name="confirm"' not in one.get(listed).content.decode()
    assert "segunda pessoa" in one.post(decide, {"confirm": "yes"}, follow=True).content.decode()
    two = client_of(second)
    assert 'name="confirm"' in two.get(listed).content.decode()
    assert "1 anulação espera" in two.get(reverse("results")).content.decode()
    assert (
        "1 anulação espera" in two.get(reverse("session_results", args=[sitting.candidate.session_id])).content.decode()
    )
    assert two.post(decide).status_code == 404
    two.post(decide, {"confirm": "yes"})
    sitting.refresh_from_db()
    assert sitting.annulled_at is not None
    assert "anulada" in two.get(reverse("session_results", args=[sitting.candidate.session_id])).content.decode()
    assert WHY in one.get(listed).content.decode()


def test_what_is_not_one_s_business_is_not_seen() -> None:
    candidate = PersonFactory(roles=[Role.TRAINEE, Role.INSTRUCTOR])
    sitting = sat(examiners="appointed", person=candidate)
    waiting = asked(sitting)
    for stranger in (examiner(), examiner(Role.HR), candidate):
        client = client_of(stranger)
        assert client.get(reverse("annul_sitting", args=[sitting.pk])).status_code == 404
        assert WHY not in client.get(reverse("annulments")).content.decode()
        assert client.post(reverse("decide_annulment", args=[waiting.pk]), {"confirm": "yes"}).status_code == 404
    assert WHY in client_of(examiner(Role.ADMINISTRATOR)).get(reverse("annulments")).content.decode()


def test_the_list_takes_as_many_queries_for_many_as_for_few(django_assert_max_num_queries: Any) -> None:
    chief = client_of(examiner(Role.ADMINISTRATOR))
    counts = []
    for _size in range(2):
        for _number in range(2):
            annulled(sat())
        with django_assert_max_num_queries(20) as queries:
            chief.get(reverse("annulments"))
        counts.append(len(queries))
    assert counts[0] == counts[1]
