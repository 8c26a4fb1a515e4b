"""Who confirms an identity had no hand in the name, and sees every change of it."""

from collections.abc import Callable
from datetime import timedelta
from functools import partial

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from exams.accounts import confirmation, roles
from exams.accounts import email_correction as address
from exams.audit.models import Entry
from exams.certificates import name_correction
from exams.exam_sessions import setup
from exams.invigilation import acts, live
from exams.records.models import Event, Session, Sitting
from exams.sittings.events import note_event
from tests.exams import making
from tests.exams.naming import ask, browser_of, clerk, rename
from tests.exams.staff_lists import applied, applied_once
from tests.factories import PersonFactory
from training.classes import enrolment
from training.classes.models import TrainingClass
from training.people.models import Role, User
from training.platform.errors import Refused

pytestmark = pytest.mark.django_db
TRUE = "Carla Costa"
OWN_HAND = r"Registou ou alterou esta conta|You created or changed this account"


def watcher(session: Session, *roles: Role) -> User:
    found = PersonFactory(roles=roles or [Role.INSTRUCTOR], language="en")
    session.invigilators.add(found)
    return found


def begun(person: User | None = None) -> Sitting:
    return making.start(making.enter(making.make_session(), person=person or PersonFactory(name=TRUE)))


def check(sitting: Sitting, by: User, name: str = "") -> None:
    acts.check_identity(sitting, name=name or sitting.name, by=by, now=timezone.now())


def page_of(sitting: Sitting) -> str:
    return f"/exams/sessions/{sitting.candidate.session_id}/live/{sitting.pk}/"


def test_hr_invigilates_and_does_not_confirm_an_identity() -> None:
    sitting = begun()
    hr = watcher(sitting.candidate.session, Role.HR, Role.INSTRUCTOR)
    with pytest.raises(Refused, match=r"recursos humanos|Human resources"):
        check(sitting, hr)
    page = browser_of(hr).get(page_of(sitting)).content.decode()
    assert 'value="identity"' not in page and "Human resources cannot confirm an identity" in page
    sent = {"act": "identity", "name": sitting.name}
    assert browser_of(hr).post(f"{page_of(sitting)}act/", sent).status_code == 422
    acts.note_incident(sitting, "Chegou tarde.", by=hr, now=timezone.now())  # the rest of the room is theirs
    check(sitting, watcher(sitting.candidate.session))
    assert acts.identity_checked(sitting.pk)


def by_class_list(who: User) -> User:
    room = TrainingClass.objects.create(name="Noite", made_by=who)
    return enrolment.enrol_list(room, "email,nome\nfalsa@casa.example,Falsa Fulana\n", who, enter_unknown=True)[1][0]


def by_staff_list(who: User) -> User:
    applied_once(who, "nome;e-mail;número\nFalsa Fulana;falsa@casa.example;A-1\n")
    return User.objects.get(email="falsa@casa.example")


def by_invitation(who: User) -> User:
    return roles.invite(email="falsa@casa.example", name="Falsa Fulana", language="pt", roles=[Role.TRAINEE], by=who)


@pytest.mark.parametrize("enter", [by_class_list, by_staff_list, by_invitation])
def test_who_entered_the_account_does_not_confirm_who_sits(enter: Callable[[User], User]) -> None:
    who = PersonFactory(roles=[Role.INSTRUCTOR, Role.ADMINISTRATOR])
    sitting = begun(enter(who))
    sitting.candidate.session.invigilators.add(who)
    with pytest.raises(Refused, match=OWN_HAND):
        check(sitting, who)
    assert not acts.identity_checked(sitting.pk)
    check(sitting, watcher(sitting.candidate.session))


def test_who_asked_for_or_signed_another_name_does_not_confirm_it() -> None:
    sitting = begun()
    session, person = sitting.candidate.session, sitting.candidate.person
    asker, signer = watcher(session, Role.ADMINISTRATOR), watcher(session, Role.ADMINISTRATOR)
    asked = ask(person, "Carla Prates", by=asker)
    with pytest.raises(Refused, match=OWN_HAND):
        check(sitting, asker)
    name_correction.confirm(asked, by=signer)
    for one in (asker, signer):
        with pytest.raises(Refused, match=OWN_HAND):
            check(sitting, one, "Carla Prates")
    check(sitting, watcher(session), "Carla Prates")
    event = acts.identity_of(sitting.pk)
    assert event is not None and event.text == "Carla Prates"


def test_who_moved_the_address_of_the_account_does_not_confirm_who_sits() -> None:
    """They could have sat the exam themselves."""
    sitting = begun()
    chief = watcher(sitting.candidate.session, Role.ADMINISTRATOR)
    address.correct(sitting.candidate.person, by=chief, email="minha@caixa.example")
    with pytest.raises(Refused, match=OWN_HAND):
        check(sitting, chief)
    check(sitting, watcher(sitting.candidate.session))


def test_who_was_entered_by_a_clerk_does_not_confirm_whom_the_clerk_entered() -> None:
    """The clerk enters an account for themselves, which an administrator takes for a new instructor's."""
    hr = clerk(name="Rita Pede")
    own = by_staff_list(hr)
    roles.give(own, [Role.INSTRUCTOR], by=PersonFactory(roles=[Role.ADMINISTRATOR]))
    applied(hr, "nome;e-mail;número\nFalsa Beltrana;outra@casa.example;A-2\n")
    sitting = begun(User.objects.get(email="outra@casa.example"))
    sitting.candidate.session.invigilators.add(own)
    with pytest.raises(Refused, match="Rita Pede"):
        check(sitting, User.objects.get(pk=own.pk))
    confirmation.confirm(own, by=PersonFactory(roles=[Role.ADMINISTRATOR]))  # somebody knows whose account it is
    check(sitting, User.objects.get(pk=own.pk))


def test_who_entered_an_account_by_another_that_was_in_their_hands_does_not_confirm_it() -> None:
    """Also once that other account is its owner's again."""
    hr, chief = clerk(name="Rita Pede"), PersonFactory(roles=[Role.INSTRUCTOR, Role.ADMINISTRATOR])
    address.correct(hr, by=chief, email="minha@caixa.example")
    sitting = begun(by_staff_list(hr))
    confirmation.confirm(hr, by=PersonFactory(roles=[Role.ADMINISTRATOR]))
    sitting.candidate.session.invigilators.add(chief)
    with pytest.raises(Refused, match="Rita Pede"):
        check(sitting, chief)
    check(sitting, watcher(sitting.candidate.session))


def test_nobody_becomes_an_invigilator_after_the_exam_to_confirm_who_sat() -> None:
    """What the room left unconfirmed takes two people."""
    sitting, chief = begun(), PersonFactory(roles=[Role.INSTRUCTOR, Role.ADMINISTRATOR])
    session = sitting.candidate.session
    setup.add_invigilator(session, PersonFactory(roles=[Role.INSTRUCTOR]), chief)  # while somebody is at work
    making.close(sitting)
    with pytest.raises(Refused, match=r"exam is over|exame já terminou"):
        setup.add_invigilator(session, chief, chief)
    with pytest.raises(Refused):
        check(sitting, chief)


def test_a_name_that_changed_while_the_page_was_open_is_compared_again() -> None:
    sitting = begun()
    one = browser_of(watcher(sitting.candidate.session))
    assert f'name="name" value="{TRUE}"' in one.get(page_of(sitting)).content.decode()
    rename(sitting.candidate.person, "Carla Prates")
    stale = one.post(f"{page_of(sitting)}act/", {"act": "identity", "name": TRUE})
    assert stale.status_code == 422
    assert "The name to be printed is now Carla Prates" in stale.content.decode()
    assert not acts.identity_checked(sitting.pk)
    one.post(f"{page_of(sitting)}act/", {"act": "identity", "name": "Carla Prates"})
    assert acts.identity_checked(sitting.pk)


def test_the_room_sees_every_change_since_the_entry_and_what_waits() -> None:
    person = PersonFactory(name=TRUE)
    rename(person, "Carla Antes")  # before the entry: nobody's business in the room
    person.refresh_from_db()
    sitting = begun(person)
    changed = rename(person, "Carla Prates")
    waits = ask(person, "Carla Depois")
    one = browser_of(watcher(sitting.candidate.session))
    for page in (page_of(sitting), f"/exams/sessions/{sitting.candidate.session_id}/live/"):
        told = one.get(page).content.decode()
        assert "Name changed from Carla Antes to Carla Prates" in told
        assert f"requested by {changed.asked_by.name}, signed by {changed.decided_by.name}" in told
        assert (
            f"Name change not signed yet, from Carla Prates to Carla Depois: requested by {waits.asked_by.name}" in told
        )
        assert TRUE not in told
        assert "the name was changed or is to be changed" in told


def test_the_room_asks_no_more_for_many_changed_names() -> None:
    session = making.make_session()
    for _number in range(2):
        making.start(making.enter(session, person=PersonFactory()))
    with CaptureQueriesContext(connection) as few:
        live.rows(session, timezone.now())
    for candidate in [*session.candidates.select_related("person"), making.enter(session)]:
        rename(candidate.person, f"{candidate.person.name} Novo")
    with CaptureQueriesContext(connection) as many:
        rows = live.rows(session, timezone.now())
    assert len(many) == len(few) and all(row.changes for row in rows)


def test_hr_who_only_asks_is_named_and_the_signer_too() -> None:
    person = PersonFactory(name=TRUE)
    asker = clerk(name="Rita Pede")
    asked = ask(person, "Carla Prates", by=asker)
    name_correction.confirm(asked, by=clerk(name="Sara Assina"))
    told = browser_of(clerk(language="en")).get("/people/names/").content.decode()
    assert TRUE in told and "Carla Prates" in told and "Rita Pede" in told and "Sara Assina" in told


def test_one_touch_in_the_list_of_the_room_confirms_and_can_be_undone_at_once() -> None:
    sitting = begun()
    by, other = watcher(sitting.candidate.session), watcher(sitting.candidate.session)
    room = f"/exams/sessions/{sitting.candidate.session_id}/live/"
    browser = browser_of(by)
    assert f"This is {TRUE}" in browser.get(room).content.decode()
    answer = browser.post(f"{page_of(sitting)}act/", {"act": "identity", "name": TRUE, "room": "1"})
    assert answer.headers["Location"] == room
    assert acts.identity_checked(sitting.pk)
    assert 'value="not_identity"' in browser.get(room).content.decode()
    now = timezone.now()
    for who, at in ((other, now), (by, now + acts.UNDO * 2)):
        with pytest.raises(Refused):
            acts.take_back_identity(sitting, by=who, now=at)
    acts.take_back_identity(sitting, by=by, now=now)
    assert not acts.identity_checked(sitting.pk)
    [row] = live.rows(sitting.candidate.session, now)
    assert row.log.identity_at is None
    check(sitting, other)
    assert acts.identity_checked(sitting.pk)
    kinds = sitting.events.filter(kind__startswith="identity").order_by("pk").values_list("kind", flat=True)
    assert list(kinds) == ["identity", "identity_undone", "identity"]


def test_after_another_browser_a_new_check_counts() -> None:
    sitting = begun()
    by = watcher(sitting.candidate.session)
    check(sitting, by)
    later = timezone.now() + timedelta(minutes=1)
    note_event(sitting, Event.Kind.DEVICE, at=later)
    assert not acts.identity_checked(sitting.pk)
    acts.check_identity(sitting, name=sitting.name, by=by, now=later + timedelta(minutes=1))
    assert acts.identity_checked(sitting.pk)


def test_once_the_session_is_over_an_identity_takes_a_reason_and_soon_cannot_be_confirmed() -> None:
    sitting = begun()
    by, session = watcher(sitting.candidate.session), sitting.candidate.session
    ended = sitting.deadline_at
    Sitting.objects.filter(pk=sitting.pk).update(closed_at=ended, closed_by="candidate")
    Session.objects.filter(pk=session.pk).update(entry_closes_at=ended)
    sitting = Sitting.objects.select_related("candidate__session", "candidate__person").get(pk=sitting.pk)
    look = partial(acts.check_identity, sitting, name=sitting.name, by=by)
    with pytest.raises(Refused):
        look(now=ended + timedelta(minutes=5))
    with pytest.raises(Refused):
        look(now=ended + acts.AFTERWARDS + timedelta(seconds=1), reason="Esqueci-me.")
    assert not acts.identity_checked(sitting.pk)
    look(now=ended + acts.AFTERWARDS, reason="A impressora ocupou-me; vi o documento à entrada.")
    assert acts.identity_checked(sitting.pk)
    entry = Entry.objects.get(act="sitting.identity_checked")
    assert entry.details["reason"].startswith("A impressora")
    assert sitting.events.filter(kind="note", text__startswith="A impressora").exists()
