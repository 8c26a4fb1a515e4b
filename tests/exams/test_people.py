"""Administrators look after people: roles, accounts, addresses. Nobody after themselves; one always stays."""

import time
from urllib.parse import parse_qsl, urlsplit

import pytest
from allauth.account.models import EmailAddress
from django.test import Client

from exams.accounts import closing, roles
from exams.accounts.forms import AddressForm
from exams.audit.models import Entry
from tests.factories import PASSWORD, PersonFactory
from training.mail import password
from training.mail.models import Mail
from training.people.models import Role, User
from training.platform.errors import Refused

pytestmark = pytest.mark.django_db


def sign_in(person: User) -> Client:
    client = Client()
    client.force_login(person)
    return client


def proved(client: Client) -> Client:
    """Has given the password again, as pages ask of who makes somebody staff."""
    assert client.post("/account/reauthenticate/", {"password": PASSWORD}).status_code == 302
    return client


@pytest.fixture
def chief() -> User:
    return PersonFactory(name="Rosa Chefe", roles=[Role.ADMINISTRATOR])


@pytest.fixture
def page(chief: User) -> Client:
    return proved(sign_in(chief))


def logged(person: User, act: str) -> Entry:
    return Entry.objects.get(act=act, subject=f"person:{person.pk}")


# ---- the list


@pytest.mark.parametrize(
    ("asked", "found"),
    [
        ("", ["Alda", "Berta", "Célia", "Rosa Chefe"]),
        ("?q=celia", ["Célia"]),
        ("?role=hr", ["Berta"]),
        ("?state=closed", ["Célia"]),
        ("?state=invited", ["Alda"]),
    ],
)
def test_the_list_is_searched_and_filtered(page: Client, asked: str, found: list[str]) -> None:
    alda = PersonFactory(name="Alda")
    alda.set_unusable_password()
    alda.save()
    PersonFactory(name="Berta", roles=[Role.HR])
    PersonFactory(name="Célia", is_active=False)
    assert [who.name for who in page.get(f"/people/{asked}").context["page"]] == found


@pytest.mark.parametrize("asked", ["role=croupier", "state=nonsense&q=Alda", f"q={'a' * 101}"])
def test_where_a_filter_fits_nothing_nobody_is_listed_and_it_is_said(page: Client, asked: str) -> None:
    PersonFactory(name="Alda")
    response = page.get(f"/people/?{asked}")
    assert response.status_code == 422 and not list(response.context["page"])
    said = response.content.decode()
    assert "Ninguém é mostrado" in said and 'class="errors"' in said
    assert all(value in said for _name, value in parse_qsl(asked)), "what was typed is still there"


# ---- invitations


def test_who_is_invited_chooses_a_password_by_the_link_and_has_the_roles(page: Client, chief: User) -> None:
    sent = {"name": "Ana Prates", "email": "Ana@casa.example", "roles": ["instructor", "hr"], "language": "en"}
    assert page.post("/people/new/", sent).status_code == 302
    ana = User.objects.get(email="ana@casa.example")
    assert ana.roles == {Role.INSTRUCTOR, Role.HR}
    assert logged(ana, "person.entered").actor == chief
    mail = Mail.objects.get(person=ana)
    assert "Rosa Chefe" in mail.subject
    assert "Human resources, Instructor" in mail.body
    assert password.LINK in mail.body  # made when it goes out

    [link] = [
        line for line in password.filled(mail, int(time.time())).splitlines() if "/account/password/reset/key/" in line
    ]
    form = Client().get(urlsplit(link).path, follow=True)
    assert form.status_code == 200
    assert "password1" in form.content.decode()


def test_an_invitation_with_errors_keeps_what_was_typed(page: Client) -> None:
    PersonFactory(email="ana@casa.example")
    answer = page.post("/people/new/", {"name": "Ana Prates", "email": "ANA@casa.example", "language": "pt"})
    assert answer.status_code == 422
    assert set(answer.context["form"].errors) == {"email", "roles"}
    assert "Ana Prates" in answer.content.decode()


def test_an_invitation_goes_out_again_only_to_who_has_not_begun(page: Client, chief: User) -> None:
    new = roles.invite(email="ana@casa.example", name="Ana", language="pt", roles=[Role.TRAINEE], by=chief)
    page.post(f"/people/{new.pk}/invite/")
    assert Mail.objects.filter(person=new).count() == 2
    assert logged(new, "person.invited").actor == chief
    begun = PersonFactory()
    page.post(f"/people/{begun.pk}/invite/")
    assert not Mail.objects.filter(person=begun).exists()
    closing.close(new, by=chief, reason="Engano.")
    page.post(f"/people/{new.pk}/invite/")
    assert Mail.objects.filter(person=new).count() == 2


# ---- roles


def test_roles_are_given_and_taken_on_record(page: Client, chief: User) -> None:
    who = PersonFactory()
    page.post(f"/people/{who.pk}/roles/", {"give": "hr"})
    assert logged(who, "role.given").details["changes"] == {"roles": [["trainee"], ["hr", "trainee"]]}
    assert who.role_grants.get(role="hr").granted_by == chief
    page.post(f"/people/{who.pk}/roles/", {"take": "trainee"})
    assert logged(who, "role.taken").details["changes"] == {"roles": [["hr", "trainee"], ["hr"]]}
    assert page.post(f"/people/{who.pk}/roles/", {"give": "king"}).status_code == 404


@pytest.mark.parametrize("sent", [{"give": "hr"}, {"take": "administrator"}])
def test_nobody_changes_their_own_roles(page: Client, chief: User, sent: dict[str, str]) -> None:
    PersonFactory(roles=[Role.ADMINISTRATOR])
    answer = page.post(f"/people/{chief.pk}/roles/", sent, follow=True)
    assert "Ninguém altera aqui a própria conta" in answer.content.decode()
    assert User.objects.get(pk=chief.pk).roles == {Role.ADMINISTRATOR}
    assert not Entry.objects.filter(subject=f"person:{chief.pk}").exists()


def test_an_administrator_without_the_role_any_more_changes_nothing(chief: User) -> None:
    """As it is for the second of two who remove each other."""
    other = PersonFactory(roles=[Role.ADMINISTRATOR])
    roles.take(other, Role.ADMINISTRATOR, by=chief)
    for act in (
        lambda: roles.take(chief, Role.ADMINISTRATOR, by=other),
        lambda: roles.give(PersonFactory(), [Role.ADMINISTRATOR], by=other),
        lambda: closing.close(chief, by=other, reason="Vingança."),
    ):
        with pytest.raises(Refused, match="Só um administrador"):
            act()
    assert User.objects.get(pk=chief.pk).roles == {Role.ADMINISTRATOR}


def test_who_may_not_sign_in_does_not_count_as_an_administrator(chief: User) -> None:
    other = PersonFactory(roles=[Role.ADMINISTRATOR])
    closing.close(other, by=chief, reason="Ausente.")
    third = PersonFactory(roles=[Role.ADMINISTRATOR])
    closing.close(chief, by=third, reason="Ausente.")
    with pytest.raises(Refused, match="Só um administrador"):
        closing.close(third, by=other, reason="Ausente.")
    assert User.objects.get(pk=third.pk).is_active


# ---- accounts


def test_closing_asks_for_a_reason_and_signs_out_at_once(page: Client, chief: User) -> None:
    who = PersonFactory()
    theirs = sign_in(who)
    assert page.post(f"/people/{who.pk}/close/", {"reason": " "}).status_code == 422
    assert theirs.get("/").status_code == 200
    assert page.post(f"/people/{who.pk}/close/", {"reason": "Partilhou a palavra-passe."}).status_code == 302
    assert theirs.get("/").status_code == 302
    assert logged(who, "person.closed").details == {"why": "administrator"}
    told = page.get(f"/people/{who.pk}/").content.decode()
    assert "Partilhou a palavra-passe." in told
    assert page.post(f"/people/{who.pk}/return/", {"reason": "Esclarecido."}).status_code == 302
    assert User.objects.get(pk=who.pk).is_active
    assert theirs.get("/").status_code == 302
    assert logged(who, "person.returned").details == {"why": "administrator", "may_sign_in": True}


def test_nobody_closes_their_own_account(page: Client, chief: User) -> None:
    PersonFactory(roles=[Role.ADMINISTRATOR])
    assert page.post(f"/people/{chief.pk}/close/", {"reason": "Férias."}).status_code == 422
    assert User.objects.get(pk=chief.pk).is_active


# ---- corrections


def test_an_address_is_corrected_on_record_and_a_name_is_not(page: Client) -> None:
    who = PersonFactory(name="Ana Prats", email="ana@velha.example")
    sent = {"name": "Ana Prates", "email": "Ana@nova.example"}
    assert page.post(f"/people/{who.pk}/correct/", sent).status_code == 302
    who.refresh_from_db()
    assert (who.name, who.email) == ("Ana Prats", "ana@nova.example")
    assert list(EmailAddress.objects.filter(user=who).values_list("email", "verified")) == [("ana@nova.example", True)]
    assert logged(who, "person.corrected").details["changes"] == {
        "email": ["ana@velha.example", "ana@nova.example"],
    }
    told = Mail.objects.get(person=who)
    assert told.address == "ana@velha.example"
    assert "ana@nova.example" in told.body


def test_a_link_that_waits_follows_the_person_to_the_new_address(page: Client, chief: User) -> None:
    new = roles.invite(email="ana@errada.example", name="Ana", language="pt", roles=[Role.TRAINEE], by=chief)
    page.post(f"/people/{new.pk}/correct/", {"email": "ana@certa.example"})
    invitation = Mail.objects.get(person=new, body__contains=password.LINK)
    assert invitation.address == "ana@certa.example"


def test_an_address_that_was_changed_twice_is_told_of_it_as_well(page: Client) -> None:
    who = PersonFactory(name="Ana", email="ana@primeira.example")
    for address in ("ana@segunda.example", "ana@terceira.example"):
        page.post(f"/people/{who.pk}/correct/", {"email": address})
    told = set(Mail.objects.filter(person=who).values_list("address", flat=True))
    assert told == {"ana@primeira.example", "ana@segunda.example"}, "each goes to whom it concerns"


@pytest.mark.parametrize("sent", [{"email": "OUTRA@casa.example"}, {"email": "x"}])
def test_an_unfit_correction_changes_nothing(page: Client, sent: dict[str, str]) -> None:
    PersonFactory(email="outra@casa.example")
    who = PersonFactory(name="Ana", email="ana@casa.example")
    assert page.post(f"/people/{who.pk}/correct/", sent).status_code == 422
    who.refresh_from_db()
    assert (who.name, who.email) == ("Ana", "ana@casa.example")
    assert not Entry.objects.exists()


def test_nobody_corrects_themselves(page: Client, chief: User) -> None:
    answer = page.post(f"/people/{chief.pk}/correct/", {"email": "rainha@casa.example"})
    assert answer.status_code == 422
    assert User.objects.get(pk=chief.pk).email == chief.email


def test_a_person_who_is_not_there_is_not_found(page: Client) -> None:
    assert page.get("/people/999999/").status_code == 404


# ---- a button pressed twice


@pytest.fixture
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever has the address got it after it was looked for."""
    monkeypatch.setattr(AddressForm, "clean_email", lambda form: form.cleaned_data["email"])
    monkeypatch.setattr(AddressForm, "_post_clean", lambda _form: None)
    monkeypatch.setattr(User, "full_clean", lambda *_given, **_options: None)


@pytest.mark.usefixtures("at_once")
def test_of_two_invitations_at_once_the_second_is_told(page: Client) -> None:
    given = {"email": PersonFactory().email, "name": "Nova Pessoa", "roles": ["trainee"], "language": "pt"}
    answer = page.post("/people/new/", given)
    assert answer.status_code == 422
    assert answer.context["form"].errors["email"]
    assert "Nova Pessoa" in answer.content.decode()
    assert not Mail.objects.exists()


@pytest.mark.usefixtures("at_once")
def test_of_two_who_get_one_address_at_once_the_second_keeps_the_former(page: Client) -> None:
    who, other = PersonFactory(), PersonFactory()
    answer = page.post(f"/people/{who.pk}/correct/", {"email": other.email})
    assert answer.status_code == 422
    assert answer.context["form"].errors["email"]
    who.refresh_from_db()
    assert who.email != other.email
