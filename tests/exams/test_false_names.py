"""No single person puts a false name on a certificate, whichever way they try."""

from datetime import timedelta

import pytest
from django.db import IntegrityError, connection, transaction
from django.utils import timezone

from exams.audit.models import Entry
from exams.certificates import issuance, name_correction
from exams.certificates.issuance import HeldBack
from exams.certificates.models import Certificate
from exams.exam_sessions import candidacy
from exams.hr import retention, staff
from exams.hr.staff_files import StaffList, StaffRow
from exams.records import names
from exams.records.models import Candidate, Event, NameCorrection, Sitting
from exams.results.models import Result
from exams.sittings import sitting as sittings
from tests.exams import making, setting_up, staffing
from tests.exams.certifying import add_result, make_certificate, make_result
from tests.exams.naming import ask, browser_of, clerk, import_list, rename
from tests.factories import PersonFactory
from training.classes import enrolment
from training.classes.models import TrainingClass
from training.people.models import Role, User
from training.people.second_signature import NotASecondPerson
from training.platform.errors import Refused, UnfitList

pytestmark = pytest.mark.django_db
TRUE, FALSE = "Carla Costa", "Falsa Fulana"


def name_of(person: User) -> str:
    return User.objects.get(pk=person.pk).name


# ---- the attack that succeeded, and its variants


def passed(candidate: Candidate) -> Result:
    """The candidate begins, hands in and passes; the result is decided and released."""
    now = timezone.now()
    begun = sittings.begin(candidate, "SABOT-7", device="one", now=now)
    sittings.hand_in(begun, device="one", now=now + timedelta(seconds=1))
    Sitting.objects.filter(pk=begun.pk).update(graded_at=now)
    return add_result(begun, decided_at=now, released_at=now)


def test_a_clerk_who_imports_a_name_for_the_day_of_the_exam_prints_nothing_false() -> None:
    """Import the false name, let the candidate begin, import the true one back, issue by hand."""
    person = staffing.staff(TRUE, number="A-1")
    candidate = making.enter(making.make_session(), person=person)
    hr = browser_of(clerk())
    import_list(hr, f"{FALSE};A-1;\n")
    assert name_of(person) == TRUE
    result = passed(candidate)
    import_list(hr, f"{TRUE};A-1;\n")
    hr.post(f"/hr/waiting/{result.pk}/", {"reason": "Aprovada."})
    assert not Certificate.objects.filter(holder_name=FALSE).exists()
    assert not Certificate.objects.exists(), "nobody confirmed who sat: a second person must sign"


def test_a_clerk_who_imports_a_name_before_the_entry_gets_the_true_one_entered() -> None:
    person = staffing.staff(TRUE, number="A-1", roles=[Role.TRAINEE])
    import_list(browser_of(clerk()), f"{FALSE};A-1;\n")
    candidate = making.enter(making.make_session(), person=User.objects.get(pk=person.pk))
    assert (candidate.name, names.printed(candidate)) == (TRUE, TRUE)


@pytest.mark.parametrize("role", [Role.HR, Role.ADMINISTRATOR])
def test_one_person_asks_and_cannot_sign(role: Role) -> None:
    person, one = PersonFactory(name=TRUE), PersonFactory(roles=[role])
    page = browser_of(one)
    page.post(f"/people/{person.pk}/correct/", {"name": FALSE, "email": "novo@casa.example"})
    page.post(f"/people/{person.pk}/printed-name/", {"name": FALSE, "reason": "Documento."})
    asked = NameCorrection.objects.get()
    assert (asked.former, asked.before, asked.name, asked.asked_by) == (TRUE, [], FALSE, one)
    page.post(f"/people/names/{asked.pk}/", {"confirm": "yes"})
    assert name_of(person) == TRUE
    with pytest.raises(NotASecondPerson):
        name_correction.confirm(asked, by=one)


def test_a_class_list_changes_no_name() -> None:
    person, teacher = PersonFactory(name=TRUE), PersonFactory(roles=[Role.INSTRUCTOR])
    room = TrainingClass.objects.create(name="Noite", made_by=teacher)
    enrolment.enrol_list(room, f"email,nome\n{person.email},{FALSE}\n", teacher, enter_unknown=True)
    assert name_of(person) == TRUE


def test_the_database_itself_refuses_a_name_that_two_people_have_not_accepted() -> None:
    person = PersonFactory(name=TRUE)
    refused = pytest.raises(IntegrityError, match="renaming an account takes two people")
    with refused, transaction.atomic():
        User.objects.filter(pk=person.pk).update(name=FALSE)
    with refused, transaction.atomic():
        person.name = FALSE
        person.save()
    with refused, transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("UPDATE people_user SET name = %s WHERE id = %s", [FALSE, person.pk])
    waiting = ask(person, FALSE)
    with refused, transaction.atomic():  # asked for is not accepted
        User.objects.filter(pk=person.pk).update(name=FALSE)
    name_correction.refuse(waiting, by=clerk())
    rename(person, "Carla Costa Prates")
    with refused, transaction.atomic():  # nor is it undone by one
        User.objects.filter(pk=person.pk).update(name=TRUE)
    rename(person, TRUE)
    with refused, transaction.atomic():  # nor is an earlier acceptance used again
        User.objects.filter(pk=person.pk).update(name="Carla Costa Prates")


def test_a_correction_stays_as_it_was_asked_for() -> None:
    person = PersonFactory(name=TRUE)
    waiting = ask(person, "Carla Costa Prates")
    found = NameCorrection.objects.filter(pk=waiting.pk)
    with pytest.raises(IntegrityError, match="keeps the name that was requested"), transaction.atomic():
        found.update(name=FALSE)
    with pytest.raises(IntegrityError), transaction.atomic():  # accepted by nobody
        found.update(accepted=True, decided_at=timezone.now())
    name_correction.refuse(waiting, by=clerk())
    with pytest.raises(IntegrityError, match="decided only once"), transaction.atomic():
        found.update(accepted=True, decided_by=clerk())
    with pytest.raises(IntegrityError, match="never deleted"), transaction.atomic():
        found.delete()


def test_who_is_erased_without_evidence_loses_the_name() -> None:
    person = PersonFactory(name=TRUE, is_active=False)
    retention.erase(person, by=None, reason="A pedido.")
    assert name_of(person) == f"#{person.pk}"


@pytest.mark.parametrize("name", ["Ana\u202eoirporP", "x" * 121, "   "])
def test_a_name_that_cannot_be_printed_is_not_asked_for(name: str) -> None:
    with pytest.raises(name_correction.UnfitName):
        ask(PersonFactory(name=TRUE), name)
    assert not NameCorrection.objects.exists()


# ---- a list whose names wait


def test_of_a_list_only_the_names_wait() -> None:
    person = staffing.staff(TRUE, number="A-1", department="Sala")
    one = clerk()
    told = import_list(browser_of(one), f"{TRUE} Prates;A-1;Banca\n")
    person.refresh_from_db()
    assert (person.name, person.staff_record.department) == (TRUE, "Banca")
    assert "1 nome novo espera por uma segunda pessoa." in told
    assert Entry.objects.get(act="staff.changed").details["changes"] == {"department": ["Sala", "Banca"]}
    asked = NameCorrection.objects.get()
    assert (asked.holder, asked.former, asked.name, asked.asked_by) == (person, TRUE, f"{TRUE} Prates", one)
    browser_of(clerk()).post(f"/people/names/{asked.pk}/", {"confirm": "yes"})
    assert name_of(person) == f"{TRUE} Prates"


@pytest.mark.parametrize(("count", "taken"), [(staff.MOST_NAMES, True), (staff.MOST_NAMES + 1, False)])
def test_a_list_asks_for_so_many_names_and_no_more(count: int, *, taken: bool) -> None:
    people = [staffing.staff(TRUE, number=f"B-{number}") for number in range(count)]
    rows = [StaffRow(number=row, staff_number=f"B-{row}", name=FALSE) for row in range(count)]
    listed = StaffList(rows=rows, ignored=[], titles={}, errors=[])
    if taken:
        assert len(staff.check(listed, clerk()).names) == len(people)
        return
    with pytest.raises(UnfitList) as refused:
        staff.check(listed, clerk())
    assert [error.row for error in refused.value.errors] == [0]
    assert str(staff.MOST_NAMES) in refused.value.errors[0].reason


def test_a_name_that_waits_already_is_said_in_its_row_and_keeps_nothing_else_back() -> None:
    person = staffing.staff(TRUE, number="A-1")
    staffing.staff("Rui", number="A-2")
    ask(person, "Carla Prates")
    hr = browser_of(clerk())
    rows = f"{FALSE};A-1;Banca\nRui Dias;A-2;\n"
    told = import_list(hr, rows)
    assert f"{TRUE} → {FALSE}: «Carla Prates» já espera por uma segunda pessoa." in told
    assert "1 nome novo espera por uma segunda pessoa." in told
    assert set(NameCorrection.objects.values_list("name", flat=True)) == {"Carla Prates", "Rui Dias"}
    person.refresh_from_db()
    assert person.staff_record.department == "Banca"


# ---- the name is the candidate's


def test_every_way_of_entering_fixes_the_name() -> None:
    session = setting_up.make()
    holder = session.created_by
    people = [PersonFactory(name=f"Pessoa Um{number}") for number in range(3)]
    candidacy.enter(session, people[0], holder)
    candidacy.enter_list(session, people[1].email, holder)
    room = TrainingClass.objects.create(name="Noite", made_by=PersonFactory(roles=[Role.INSTRUCTOR]))
    room.enrolments.create(trainee=people[2], enrolled_by=room.made_by)
    candidacy.enter_class(session, room, holder)
    entered = dict(session.candidates.values_list("person__name", "name"))
    assert entered == {person.name: person.name for person in people}


def test_the_name_of_the_entry_is_printed_unless_two_people_changed_it_since() -> None:
    person = PersonFactory(name=TRUE)
    candidate = making.enter(making.make_session(), person=person)
    ask(person, FALSE)
    assert names.printed(candidate) == TRUE
    name_correction.refuse(NameCorrection.objects.get(), by=clerk())
    rename(person, "Carla Prates")
    begun = sittings.begin(candidate, "SABOT-7", device="one", now=timezone.now())
    assert (begun.name, names.printed(candidate)) == (TRUE, "Carla Prates")


def test_who_is_removed_and_entered_again_is_called_as_the_account_is_then() -> None:
    session, person = setting_up.make(), PersonFactory(name=TRUE)
    first = candidacy.enter(session, person, session.created_by)
    rename(person, "Carla Prates")
    candidacy.remove(session, first.pk, session.created_by)
    again = candidacy.enter(session, person, session.created_by)  # as it was read before
    assert (again.name, names.printed(again)) == ("Carla Prates", "Carla Prates")


def test_the_database_keeps_candidates_and_sittings_to_their_names() -> None:
    person, session = PersonFactory(name=TRUE), making.make_session()
    with pytest.raises(IntegrityError, match="with the name of the account"), transaction.atomic():
        Candidate.objects.create(session=session, person=person, name=FALSE)
    candidate = making.enter(session, person=person)
    with pytest.raises(IntegrityError, match="keeps the person and the name"), transaction.atomic():
        Candidate.objects.filter(pk=candidate.pk).update(name=FALSE)
    with pytest.raises(IntegrityError, match="carries the name of its candidate"), transaction.atomic():
        Sitting.objects.create(candidate=candidate, name=FALSE, started_at=timezone.now(), deadline_at=timezone.now())


# ---- what is printed


def test_the_database_prints_no_other_name_and_asks_for_an_identity_or_two_people() -> None:
    certificate = make_certificate(person=PersonFactory(name=TRUE))
    copied = {field.attname: getattr(certificate, field.attname) for field in Certificate._meta.concrete_fields}
    new = {"number": "X-1", "code": "X", "status_index": certificate.status_index + 1, "state": "granted"}

    def insert(result_id: object, name: str) -> None:
        given = copied | new | {"result_id": result_id, "holder_name": name}
        given.pop("id")
        with transaction.atomic():
            Certificate.objects.create(**given)

    checked = make_result(making.make_version(), PersonFactory(name=TRUE))
    with pytest.raises(IntegrityError, match="prints the name of the candidate"):
        insert(checked.pk, FALSE)
    unchecked = make_result(making.make_version(), PersonFactory(name=TRUE), identified=False)
    with pytest.raises(IntegrityError, match="without a confirmed identity"):
        insert(unchecked.pk, TRUE)


def test_an_identity_is_of_the_name_that_was_compared() -> None:
    result = make_result(making.make_version(), PersonFactory(name=TRUE), identified=False)
    Event.objects.create(
        sitting=result.sitting, kind=Event.Kind.IDENTITY, at=timezone.now(), by=PersonFactory(), text=FALSE
    )
    for actor in (None, clerk()):
        with pytest.raises(HeldBack, match=r"comparou um nome diferente|compared a different name"):
            issuance.verify_issue(issuance.results().get(pk=result.pk), actor)


def test_two_signatures_after_the_check_cover_the_new_name() -> None:
    person = PersonFactory(name=TRUE)
    result = make_result(making.make_version(making.make_rules(certificate="by_hr")), person)
    rename(person, "Carla Prates")
    issued = issuance.issue(result=result, actor=clerk(), reason="Aprovada.")
    assert issued.holder_name == "Carla Prates"


def test_who_confirmed_the_identity_does_not_issue() -> None:
    version = making.make_version(making.make_rules(certificate="by_hr"))
    result = make_result(version)  # its author looked
    version.author.role_grants.create(role=Role.HR)
    with pytest.raises(Refused, match=r"Confirmou a identidade|You confirmed the identity"):
        issuance.issue(result=result, actor=User.objects.get(pk=version.author.pk), reason="Aprovada.")
    assert issuance.issue(result=result, actor=clerk(), reason="Aprovada.").state == "granted"
