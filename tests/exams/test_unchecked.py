"""A certificate of an exam in which nobody confirmed who sat takes two people, one by one and in bulk."""

import pytest
from django.db import IntegrityError, transaction
from django.utils import timezone

from exams.accounts import roles
from exams.audit.models import Entry
from exams.audit.words import describe
from exams.certificates import issuance, unconfirmed_identity
from exams.certificates.models import Certificate, IssueRequest
from exams.invigilation import acts
from exams.records.models import Event, Sitting
from exams.results.models import Result
from exams.worklist import work_of_exams
from tests.exams import making
from tests.exams.certifying import add_result, make_result
from tests.exams.naming import browser_of, clerk, rename
from tests.factories import PersonFactory
from training.people.models import Role, User
from training.people.second_signature import NotASecondPerson
from training.platform.errors import Refused

pytestmark = pytest.mark.django_db
WHY = "Vista no gabinete com o cartão de cidadão."


@pytest.fixture
def result() -> Result:
    version = making.make_version(making.make_rules(certificate="by_hr"))
    return make_result(version, PersonFactory(name="Carla Costa"), identified=False)


def asked(result: Result, by: User | None = None) -> IssueRequest:
    return unconfirmed_identity.ask(result, by=by or clerk(), reason=WHY)


def test_one_of_hr_asks_and_a_second_person_issues(result: Result) -> None:
    one, two = clerk(language="en"), PersonFactory(roles=[Role.ADMINISTRATOR], language="en")
    page = browser_of(one).get(f"/hr/waiting/{result.pk}/").content.decode()
    assert "Ask a second person" in page and "Issue it" not in page
    answer = browser_of(one).post(f"/hr/waiting/{result.pk}/", {"reason": WHY})
    assert (answer.status_code, answer["Location"]) == (302, "/people/names/")
    assert not Certificate.objects.exists()
    waiting = IssueRequest.objects.get()
    assert "waiting for a second person" in browser_of(one).get("/hr/waiting/").content.decode()
    assert "Confirm and issue" not in browser_of(one).get("/people/names/").content.decode()
    second = browser_of(two)
    assert WHY in second.get("/people/names/").content.decode()
    second.post(f"/people/issues/{waiting.pk}/", {"confirm": "yes"})

    made = Certificate.objects.get()
    assert (made.holder_name, made.result) == ("Carla Costa", result)
    assert [(act.actor, act.reason) for act in made.acts.all()] == [(one, WHY)]
    waiting.refresh_from_db()
    assert (waiting.accepted, waiting.decided_by, waiting.reason) == (True, two, WHY)
    entry = Entry.objects.get(act="issue.confirmed")
    assert (entry.actor, entry.details["asked_by"]) == (two, one.pk)
    [line] = describe([entry])
    assert made.number in line.sentence and line.reason == WHY


def test_whoever_asks_does_not_sign_and_the_database_holds_it(result: Result) -> None:
    one = PersonFactory(roles=[Role.HR, Role.ADMINISTRATOR])
    waiting = asked(result, one)
    browser_of(one).post(f"/people/issues/{waiting.pk}/", {"confirm": "yes"})
    assert not Certificate.objects.exists()
    with pytest.raises(NotASecondPerson):
        unconfirmed_identity.confirm(waiting, by=one)
    found = IssueRequest.objects.filter(pk=waiting.pk)
    for forged in ({"decided_by": one}, {}, {"decided_by": clerk(), "name": "Falsa Fulana"}):
        with pytest.raises(IntegrityError), transaction.atomic():
            found.update(accepted=True, decided_at=timezone.now(), **forged)


def test_nobody_signs_for_themselves_nor_without_the_role(result: Result) -> None:
    waiting = asked(result)
    holder = result.sitting.candidate.person
    holder.role_grants.create(role=Role.HR)
    with pytest.raises(Refused, match=r"próprio certificado|own certificate"):
        unconfirmed_identity.confirm(waiting, by=User.objects.get(pk=holder.pk))
    gone = clerk()
    gone.role_grants.all().delete()
    for other in (gone, PersonFactory(roles=[Role.INSTRUCTOR])):
        with pytest.raises(Refused, match=r"Só os recursos humanos|Only human resources"):
            unconfirmed_identity.confirm(waiting, by=other)
    with pytest.raises(Refused, match=r"Só os recursos humanos|Only human resources"):
        unconfirmed_identity.ask(result, by=PersonFactory(roles=[Role.ADMINISTRATOR]), reason=WHY)


def test_it_is_signed_once(result: Result) -> None:
    waiting = asked(result)
    with pytest.raises(Refused, match=r"já espera|already waiting for a second person"):
        asked(result)
    unconfirmed_identity.confirm(waiting, by=clerk())
    for act in (unconfirmed_identity.confirm, unconfirmed_identity.refuse):
        with pytest.raises(Refused, match=r"já está decidido|decided already"):
            act(waiting, by=clerk())
    assert Certificate.objects.count() == 1


def test_what_is_refused_may_be_asked_for_again(result: Result) -> None:
    waiting = asked(result)
    unconfirmed_identity.refuse(waiting, by=clerk())
    with pytest.raises(Refused, match=r"já está decidido|decided already"):
        unconfirmed_identity.confirm(waiting, by=clerk())
    assert not Certificate.objects.exists()
    unconfirmed_identity.confirm(asked(result), by=clerk())
    assert Certificate.objects.count() == 1


def test_the_pages_say_that_the_exam_moved_after_the_check_and_that_the_holder_passed(result: Result) -> None:
    sitting, room = result.sitting, result.sitting.candidate.session.created_by
    none, moved = (
        "No invigilator has checked who sat this exam.",
        "it then moved to another browser, and nobody checked",
    )
    hr, holder = browser_of(clerk(language="en")), browser_of(sitting.candidate.person)
    assert none in hr.get(f"/hr/waiting/{result.pk}/").content.decode()
    for kind in (Event.Kind.IDENTITY, Event.Kind.DEVICE):
        Event.objects.create(sitting=sitting, kind=kind, by=room, at=timezone.now(), text=sitting.name)
    page = hr.get(f"/hr/waiting/{result.pk}/").content.decode()
    assert moved in page and none not in page
    page = holder.get("/certificates/").content.decode()
    assert "Os recursos humanos ainda têm de emitir" in page and "Quando passar" not in page


def test_once_the_identity_is_confirmed_nothing_is_signed(result: Result) -> None:
    waiting = asked(result)
    sitting = result.sitting
    acts.check_identity(
        sitting, name=sitting.name, by=sitting.candidate.session.created_by, now=timezone.now(), reason="Só agora"
    )
    with pytest.raises(Refused, match=r"identidade está confirmada|identity is confirmed"):
        unconfirmed_identity.confirm(waiting, by=clerk())
    assert issuance.issue(result=result, actor=clerk(), reason=WHY).state == "granted"
    assert not unconfirmed_identity.waiting().exists()


def test_what_counts_no_more_is_not_signed(result: Result) -> None:
    waiting = asked(result)
    add_result(result.sitting, passed=False, decided_at=timezone.now(), released_at=timezone.now())
    with pytest.raises(Refused, match=r"decidido e aprovado|decided and passed"):
        unconfirmed_identity.confirm(waiting, by=clerk())
    assert not unconfirmed_identity.waiting().exists()


def test_of_an_annulled_sitting_nothing_is_signed(result: Result) -> None:
    waiting = asked(result)
    Sitting.objects.filter(pk=result.sitting_id).update(annulled_at=timezone.now())
    Result.objects.filter(pk=result.pk).update(in_force=False)
    with pytest.raises(Refused, match=r"decidido e aprovado|decided and passed"):
        unconfirmed_identity.confirm(waiting, by=clerk())


def test_both_sign_for_one_name(result: Result) -> None:
    waiting = asked(result)
    rename(result.sitting.candidate.person, "Carla Prates")
    with pytest.raises(Refused, match=r"mudou desde o pedido|has changed since"):
        unconfirmed_identity.confirm(waiting, by=clerk())


def test_an_accomplice_who_lost_the_role_or_the_account_asked_for_nothing(result: Result) -> None:
    one = clerk()
    waiting = asked(result, one)
    User.objects.filter(pk=one.pk).update(is_active=False)
    with pytest.raises(Refused, match=r"está encerrada|is closed"):
        unconfirmed_identity.confirm(waiting, by=clerk())
    User.objects.filter(pk=one.pk).update(is_active=True)
    one.role_grants.all().delete()
    with pytest.raises(Refused, match=r"Só os recursos humanos|Only human resources"):
        unconfirmed_identity.confirm(waiting, by=clerk())


def test_in_bulk_checked_ones_are_issued_and_the_others_wait(result: Result) -> None:
    version = result.programme_version
    checked = make_result(version, PersonFactory(name="Ana"))
    one = browser_of(clerk(language="en"))
    chosen = [str(result.pk), str(checked.pk)]
    assert "identity not checked" in one.get("/hr/waiting/issue/", {"chosen": chosen}).content.decode()
    done = one.post("/hr/waiting/issue/", {"chosen": chosen, "reason": WHY}, follow=True).content.decode()
    assert "1 waits for a second person." in done
    assert list(Certificate.objects.values_list("holder_name", flat=True)) == ["Ana"]
    assert IssueRequest.objects.get().result == result
    again = one.get("/hr/waiting/issue/", {"chosen": chosen}).content.decode()
    assert "This certificate is already waiting for a second person." in again


def test_it_is_work_for_a_second_person_alone(result: Result) -> None:
    one, two = clerk(), clerk()
    asked(result, one)
    counts = [
        next(row.count for row in work_of_exams(person, timezone.now()) if row.kind == "issues")
        for person in (one, two)
    ]
    assert counts == [0, 1]


def test_who_is_in_the_hands_of_the_invigilator_does_not_issue() -> None:
    """An administrator confirms the identity and issues with an account made for that."""
    version = making.make_version(making.make_rules(certificate="by_hr"))
    checked = make_result(version)
    roles.give(version.author, [Role.ADMINISTRATOR])
    chief = User.objects.get(pk=version.author_id)
    own = roles.invite(email="eu@casa.example", name="Eu Mesma", language="en", roles=[Role.HR], by=chief)
    with pytest.raises(Refused, match=r"One person alone|Uma só pessoa"):
        unconfirmed_identity.issue_or_ask(result=checked, by=own, reason=WHY)
    assert not Certificate.objects.exists()
    issuance.issue(result=checked, actor=clerk(), reason=WHY)
