"""Whatever needs two people asks the one rule: an account that somebody made for themselves signs nothing."""

from collections.abc import Callable

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import override

from exams.accounts import confirmation, email_correction, roles, second_factor
from exams.audit.models import Entry
from exams.certificates import name_correction as printed_name
from exams.certificates import unconfirmed_identity
from exams.house_office import rulings
from exams.programmes import services as programmes
from exams.programmes.models import ProgrammeVersion
from exams.results import annulment
from exams.worklist import work_of_exams
from tests.classes.rooms import make_class
from tests.exams import annulling, making
from tests.exams.certifying import make_certificate, make_result
from tests.exams.staff_lists import applied_once
from tests.exams.test_house_rulings import adopt
from tests.factories import PASSWORD, PersonFactory
from tests.library.versions import make_draft, make_in_review
from tests.people.test_second_factor_demanded import set_up
from training.api import tokens
from training.classes import enrolment
from training.home.instructors import work_of_instructors
from training.house.models import HouseRuling
from training.library import authors
from training.library import services as library
from training.library.models import Version
from training.mail.models import Mail
from training.people import second_signature
from training.people.models import Role, User
from training.people.second_signature import NotASecondPerson, Why
from training.platform.errors import Refused

pytestmark = pytest.mark.django_db
EVERY = [Role.INSTRUCTOR, Role.HR, Role.ADMINISTRATOR]


@pytest.fixture
def chief() -> User:
    """Entered from the command line, with every role."""
    return PersonFactory(name="Rosa Chefe", roles=EVERY, language="en")


def invited(by: User, *given: Role) -> User:
    number = User.objects.count()
    made = roles.invite(
        email=f"i{number}@casa.example", name=f"Pessoa {number}", language="en", roles=given or EVERY, by=by
    )
    made.set_password(PASSWORD)
    made.save()
    return made


def signed_in(person: User) -> Client:
    client = Client()
    client.force_login(person)
    return client


# ---- each act asks it: asked for by one, signed by another


def _name(asker: User, signer: User) -> None:
    holder = make_certificate().holder
    printed_name.confirm(printed_name.ask(holder, by=asker, name="Outro Nome", reason="Cartão."), by=signer)


def _annulment(asker: User, signer: User) -> None:
    sitting = annulling.sat(taught_may_examine=True)
    annulment.confirm(annulling.asked(sitting, by=asker), by=signer)


def _ruling(asker: User, signer: User) -> None:
    rulings.sign(adopt(asker).pk, signer)


def _programme(asker: User, signer: User) -> None:
    draft = programmes.create_programme(asker, code="cdf-pt", names={"pt": "Chemin de fer"}, rules=making.make_rules())
    programmes.publish(making.judged(draft), signer, seen=draft.changed_at)


def _scenario(asker: User, signer: User) -> None:
    library.publish(make_in_review(asker), signer)


def _shared_scenario(asker: User, signer: User) -> None:
    """It is a co-author who made the signer's account."""
    author = PersonFactory(roles=EVERY)
    draft = authors.add(make_draft(author), author, asker)
    library.publish(library.submit_for_review(draft, author), signer)


ACTS = [_name, _annulment, _ruling, _programme, _scenario, _shared_scenario]


@pytest.mark.parametrize("act", ACTS)
def test_an_account_that_somebody_made_does_not_sign_for_them(act: Callable[[User, User], None], chief: User) -> None:
    with pytest.raises(NotASecondPerson) as refusal:
        act(chief, invited(chief))
    assert refusal.value.why is Why.ASKER_ENTERED


@pytest.mark.parametrize("act", ACTS)
def test_nor_do_two_accounts_that_one_person_made(act: Callable[[User, User], None], chief: User) -> None:
    with pytest.raises(NotASecondPerson) as refusal:
        act(invited(chief), invited(chief))
    assert refusal.value.why is Why.ONE_BEHIND_BOTH


@pytest.mark.parametrize("act", ACTS)
def test_nor_an_account_that_somebody_took_over(act: Callable[[User, User], None], chief: User) -> None:
    other = PersonFactory(roles=EVERY)
    email_correction.correct(other, by=chief, email="rosa.chefe@fora.example")
    with pytest.raises(NotASecondPerson) as refusal:
        act(chief, other)
    assert refusal.value.why is Why.ASKER_CONTROLS


@pytest.mark.parametrize("act", ACTS)
def test_two_people_of_the_command_line_sign_for_each_other(act: Callable[[User, User], None], chief: User) -> None:
    act(chief, PersonFactory(roles=EVERY))


# ---- asked for in somebody else's account, which is confirmed before it is signed


def asked_as(asker: User) -> list[Callable[[User], object]]:
    """Everything asked for by one, and how each of it is signed."""
    name = printed_name.ask(make_certificate().holder, by=asker, name="Outro Nome", reason="Cartão.")
    annulled = annulling.asked(annulling.sat(taught_may_examine=True), by=asker)
    ruling = adopt(asker)
    draft = programmes.create_programme(asker, code="cdf-pt", names={"pt": "Chemin de fer"}, rules=making.make_rules())
    making.judged(draft)
    case = make_in_review(asker)
    unseen = make_result(making.make_version(making.make_rules(certificate="by_hr")), identified=False)
    issue = unconfirmed_identity.ask(unseen, by=asker, reason="Vista no gabinete.")
    return [
        lambda signer: printed_name.confirm(name, by=signer),
        lambda signer: annulment.confirm(annulled, by=signer),
        lambda signer: rulings.sign(ruling.pk, signer),
        lambda signer: programmes.publish(draft, signer, seen=draft.changed_at),
        lambda signer: library.publish(case, signer),
        lambda signer: unconfirmed_identity.confirm(issue, by=signer),
    ]


@pytest.mark.parametrize("number", range(6))
def test_to_confirm_an_account_says_nothing_about_what_was_asked_for_in_it_before(chief: User, number: int) -> None:
    """The chief takes an account over, asks in it, gives it back, and signs once its owner is trusted again."""
    owner, honest = PersonFactory(roles=EVERY), PersonFactory(roles=[Role.ADMINISTRATOR])
    email_correction.correct(owner, by=chief, email="rosa.chefe@fora.example")
    sign = asked_as(owner)[number]
    email_correction.correct(owner, by=honest, email="dono@casa.example")
    confirmation.confirm(owner, by=PersonFactory(roles=[Role.ADMINISTRATOR]))
    second_signature.verify(asked_by=owner, signer=chief)  # of what is asked for from now on
    with pytest.raises(NotASecondPerson) as refusal:
        sign(chief)
    assert refusal.value.why is Why.BEHIND_BOTH_THEN
    sign(PersonFactory(roles=EVERY))


def test_nor_does_it_wait_for_them_and_the_page_says_why(chief: User) -> None:
    owner = PersonFactory(roles=EVERY, name="Ana Prates")
    email_correction.correct(owner, by=chief, email="rosa.chefe@fora.example")
    asked_as(owner)
    confirmation.confirm(owner, by=PersonFactory(roles=[Role.ADMINISTRATOR]))
    assert waits(chief).keys() <= {"reviews"}  # which the page of the case refuses
    page = signed_in(chief).get(reverse("house_readings", args=[HouseRuling.objects.get().rulebook])).content.decode()
    assert "The account of Ana Prates was confirmed only after this was asked for" in page


# ---- what waits, and the pages


def waits(person: User) -> dict[str, int]:
    now = timezone.now()
    found = [*work_of_exams(person, now), *work_of_instructors(person, now)]
    signed = {"names", "annulments", "readings", "programmes", "reviews"}
    return {one.kind: one.count for one in found if one.kind in signed and one.count}


def everything_asked_by(asker: User) -> None:
    printed_name.ask(make_certificate().holder, by=asker, name="Outro Nome", reason="Cartão.")
    annulling.asked(annulling.sat(), by=asker)
    adopt(asker)
    draft = programmes.create_programme(asker, code="cdf-pt", names={"pt": "Chemin de fer"}, rules=making.make_rules())
    making.judged(draft)
    make_in_review(asker)


def test_only_what_somebody_may_sign_waits_for_them(chief: User) -> None:
    everything_asked_by(chief)
    assert set(waits(PersonFactory(roles=EVERY)).values()) == {1}
    assert len(waits(PersonFactory(roles=EVERY))) == 5
    assert waits(invited(chief)) == {}
    assert waits(chief) == {}


def test_pages_say_why_and_show_no_button(chief: User) -> None:
    everything_asked_by(chief)
    puppet, other = signed_in(invited(chief)), signed_in(PersonFactory(roles=EVERY, language="en"))
    draft = ProgrammeVersion.objects.get(state="draft")
    pages = {
        reverse("name_corrections"): 'name="confirm"',
        reverse("annulments"): 'name="confirm"',
        reverse("house_readings", args=[HouseRuling.objects.get().rulebook]): "Sign as the second person",
        reverse("programme", args=[draft.programme_id]): "Check and put in force",
        reverse("publish_programme", args=[draft.programme_id]): ">Put in force</button>",
        reverse("version", args=[Version.objects.get(state="in_review").pk]): 'value="publish"',
    }
    for address, button in pages.items():
        assert button in other.get(address).content.decode(), address
        shown = puppet.get(address).content.decode()
        assert button not in shown, address
        if address != reverse("name_corrections"):  # which says it in a sentence of its own
            assert "Rosa Chefe, who asked for this, created your account" in shown, address


# ---- who enters people


def test_every_way_in_leaves_who_it_was(chief: User) -> None:
    room = make_class(chief)
    _plan, (listed,) = enrolment.enrol_list(room, "email,name\nana@casa.example,Ana", chief, enter_unknown=True)
    content = "Número,Nome,E-mail\n77,Rui,rui@casa.example\n"
    applied_once(chief, content)
    rui = User.objects.get(email="rui@casa.example")
    for made in (invited(chief), listed, rui):
        roles.give(made, [Role.HR], by=PersonFactory(roles=[Role.ADMINISTRATOR]))
        assert second_signature.refusals(made, [chief.pk]) == {chief.pk: Why.ASKER_ENTERED}, made


# ---- confirming


def test_another_administrator_confirms_and_then_two_accounts_of_one_maker_are_two_people(chief: User) -> None:
    one, two = invited(chief), invited(chief)
    confirmation.confirm(two, by=PersonFactory(roles=[Role.ADMINISTRATOR]))
    assert second_signature.refusals(one, [two.pk]) == {}
    assert second_signature.refusals(chief, [two.pk]) == {two.pk: Why.SIGNER_ENTERED}


def test_who_took_control_signs_again_after_a_third_person_confirmed(chief: User) -> None:
    other = PersonFactory(roles=EVERY)
    set_up(other)
    second_factor.remove(other, by=chief, reason="Perdeu o telemóvel.")
    assert second_signature.refusals(other, [chief.pk]) == {chief.pk: Why.ASKER_CONTROLS}
    confirmation.confirm(other, by=PersonFactory(roles=[Role.ADMINISTRATOR]))
    assert second_signature.refusals(other, [chief.pk]) == {}


def test_whoever_took_control_is_out_once_the_account_is_confirmed(chief: User) -> None:
    """A session, a password and a token that they made in it open it no more; the owner is told."""
    owner = PersonFactory(roles=EVERY, language="pt")
    email_correction.correct(owner, by=chief, email="rosa.chefe@fora.example")
    intruder = Client()
    assert intruder.login(username="rosa.chefe@fora.example", password=PASSWORD)
    token, _text = tokens.issue(owner, name="Meu", scopes=["teaching:write"], days=30)
    email_correction.correct(owner, by=PersonFactory(roles=[Role.ADMINISTRATOR]), email="dono@casa.example")
    assert intruder.get("/people/").status_code == 200
    confirmation.confirm(owner, by=PersonFactory(roles=[Role.ADMINISTRATOR]))
    assert intruder.get("/people/").status_code == 302
    assert not Client().login(username="dono@casa.example", password=PASSWORD)
    token.refresh_from_db()
    assert token.revoked_at is not None
    told = Mail.objects.get(person=owner, subject="A sua conta foi confirmada")
    assert "/account/password/reset/" in told.body


def test_an_account_that_nobody_took_over_keeps_its_password(chief: User) -> None:
    made = invited(chief)
    confirmation.confirm(made, by=PersonFactory(roles=[Role.ADMINISTRATOR]))
    assert Client().login(username=made.email, password=PASSWORD)


def test_who_may_confirm(chief: User) -> None:
    made, twin, third = invited(chief), invited(chief), PersonFactory(roles=[Role.ADMINISTRATOR])
    refused = {
        "Another administrator must": [(made, chief), (made, twin)],
        "another administrator must": [(made, made)],
        "Only an administrator who may sign in": [(made, PersonFactory(roles=[Role.HR]))],
        "needs no confirmation": [(third, chief), (chief, third)],
    }
    with override("en"):
        for words, tries in refused.items():
            for account, by in tries:
                with pytest.raises(Refused, match=words):
                    confirmation.confirm(account, by=by)
    moved = PersonFactory(roles=[Role.HR])
    email_correction.correct(moved, by=third, email="x@casa.example")
    assert not confirmation.may_confirm(moved, third)
    assert confirmation.may_confirm(moved, chief)


def test_the_page_asks_for_the_password_confirms_and_says_who_vouches(chief: User) -> None:
    made, third = invited(chief), PersonFactory(roles=[Role.ADMINISTRATOR], language="en", name="Zé")
    address = reverse("confirm_account", args=[made.pk])
    assert address not in signed_in(chief).get(f"/people/{made.pk}/").content.decode()
    client, maker = signed_in(third), signed_in(chief)
    maker.post("/account/reauthenticate/", {"password": PASSWORD})
    assert "You cannot confirm this account" in maker.post(address, follow=True).content.decode()
    assert address in client.get(f"/people/{made.pk}/").content.decode()
    asked = client.post(address)
    assert asked["Location"].startswith("/account/reauthenticate/")
    assert not Entry.objects.filter(act="account.confirmed").exists()
    done = client.post(asked["Location"], {"password": PASSWORD, "next": address}, follow=True)
    assert f"The account of {made.name} has been confirmed." in done.content.decode()
    shown = client.get(f"/people/{made.pk}/").content.decode()
    assert address not in shown
    assert "<strong>Zé</strong> confirmed the account" in shown
    entry = Entry.objects.get(act="account.confirmed")
    assert (entry.actor, entry.subject) == (third, f"person:{made.pk}")


# ---- staff roles: the password again, and every administrator is told


@pytest.mark.parametrize("role", EVERY)
def test_who_gives_a_staff_role_gives_the_password_again(chief: User, role: Role) -> None:
    who, client = PersonFactory(), signed_in(chief)
    address = f"/people/{who.pk}/roles/"
    asked = client.post(address, {"give": role.value})
    assert asked["Location"].startswith("/account/reauthenticate/")
    wrong = client.post(asked["Location"], {"password": "wrong", "next": address})
    assert (wrong.status_code, User.objects.get(pk=who.pk).roles) == (200, {Role.TRAINEE})
    done = client.post(asked["Location"], {"password": PASSWORD, "next": address})
    assert (done.status_code, done["Location"]) == (302, f"/people/{who.pk}/")
    assert User.objects.get(pk=who.pk).roles == {Role.TRAINEE, role}


def test_who_invites_staff_gives_the_password_again_and_types_nothing_twice(chief: User) -> None:
    client = signed_in(chief)
    sent = {"name": "Ana Prates", "email": "ana@casa.example", "roles": ["trainee", "hr"], "language": "pt"}
    asked = client.post("/people/new/", sent)
    assert asked["Location"].startswith("/account/reauthenticate/")
    assert not User.objects.filter(email="ana@casa.example").exists()
    client.post(asked["Location"], {"password": PASSWORD, "next": "/people/new/"})
    assert User.objects.get(email="ana@casa.example").roles == {Role.TRAINEE, Role.HR}


def test_a_trainee_is_invited_and_a_role_taken_without_it(chief: User) -> None:
    client, who = signed_in(chief), PersonFactory(roles=[Role.HR])
    sent = {"name": "Ana Prates", "email": "ana@casa.example", "roles": ["trainee"], "language": "pt"}
    client.post("/people/new/", sent)
    client.post(f"/people/{who.pk}/roles/", {"give": "trainee"})
    client.post(f"/people/{who.pk}/roles/", {"take": "hr"})
    assert User.objects.get(email="ana@casa.example").roles == {Role.TRAINEE}
    assert User.objects.get(pk=who.pk).roles == {Role.TRAINEE}
    assert not Mail.objects.filter(person=chief).exists()


def _invite(by: User, who: User) -> str:
    return invited(by, Role.HR).name


def _give(by: User, who: User) -> str:
    roles.give(who, [Role.INSTRUCTOR], by=by)
    return "Instructor"


def _give_from_the_command_line(by: User, who: User) -> str:
    roles.give(who, [Role.ADMINISTRATOR])
    return "Administrator"


def _enter_from_the_command_line(by: User, who: User) -> str:
    roles.enter(email="z@casa.example", name="Zita Nova", roles=[Role.ADMINISTRATOR], password=PASSWORD)
    return "Zita Nova"


def _change_address(by: User, who: User) -> str:
    email_correction.correct(who, by=by, email="outro@casa.example")
    return "outro@casa.example"


def _remove_factor(by: User, who: User) -> str:
    set_up(who)
    second_factor.remove(who, by=by, reason="Perdeu.")
    return who.name


def _confirm(by: User, who: User) -> str:
    made = invited(PersonFactory(roles=[Role.ADMINISTRATOR]), Role.HR)
    Mail.objects.all().delete()
    confirmation.confirm(made, by=by)
    return made.name


TOLD = [
    *(_invite, _give, _give_from_the_command_line, _enter_from_the_command_line),
    *(_change_address, _remove_factor, _confirm),
]


@pytest.mark.parametrize("act", TOLD)
def test_every_administrator_who_may_sign_in_is_told_who_what_by_whom_and_when(
    act: Callable[[User, User], str], chief: User
) -> None:
    second = PersonFactory(roles=[Role.ADMINISTRATOR], language="en")
    closed = PersonFactory(roles=[Role.ADMINISTRATOR], is_active=False)
    who = PersonFactory(roles=[Role.HR], name="Ana Prates", language="en")
    named = act(chief, who)
    mails = {mail.person_id: mail.body for mail in Mail.objects.all() if "Every administrator gets this" in mail.body}
    assert {chief.pk, second.pk} <= set(mails)
    assert closed.pk not in mails
    assert who.pk not in mails
    by = "The platform" if "command_line" in act.__name__ else "Rosa Chefe"
    for body in (mails[chief.pk], mails[second.pk]):
        assert by in body
        assert named in body
        assert str(timezone.now().year) in body


def test_of_a_trainee_administrators_are_not_told(chief: User) -> None:
    who = PersonFactory()
    email_correction.correct(who, by=chief, email="outro@casa.example")
    invited(chief, Role.TRAINEE)
    assert not Mail.objects.filter(person=chief).exists()
