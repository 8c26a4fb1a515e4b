"""The administrators' pages: groups, local passwords, subjects."""

from collections.abc import Callable
from typing import Any

import pytest
from allauth.account.internal.flows import login as library
from allauth.mfa.totp.internal import auth
from django.test import Client

from exams.accounts import confirmation
from exams.audit.models import Entry
from exams.hr import privacy
from exams.hr.models import StaffRecord
from exams.sign_on.models import GroupRole
from tests.directory import Directory, sign_in
from tests.factories import PersonFactory
from tests.sign_on.conftest import connected
from tests.sign_on.test_signing_in import roles_of, who_is
from tests.sign_on.test_staying_out import signed_in_as
from training.mail.models import Mail
from training.people import second_signature, sign_on
from training.people.models import LocalPasswords, Role, User

PAGE = "/house/sign-on/"


@pytest.fixture
def administrator(directory: Directory, signed_in: Callable[..., Client]) -> Client:
    client = signed_in(Role.ADMINISTRATOR)
    confirmed(client)
    return client


def confirmed(client: Client) -> None:
    """As after typing the password again."""
    session = client.session
    session[library._AUTHENTICATION_METHODS_USER_SESSION_KEY] = str(client.person.pk)  # type: ignore[attr-defined]
    session[library.AUTHENTICATION_METHODS_SESSION_KEY] = [
        {"method": "password", "at": library.time.time(), "reauthenticated": True}
    ]
    session.save()


def test_a_group_is_added_and_removed_with_entries(administrator: Client) -> None:
    assert administrator.post(f"{PAGE}groups/", {"group": "dealers", "role": "instructor"})["Location"] == PAGE
    mapping = GroupRole.objects.get()
    assert "dealers" in administrator.get(PAGE).content.decode()
    assert Mail.objects.exists()
    administrator.post(f"{PAGE}groups/{mapping.pk}/")
    assert not GroupRole.objects.exists()
    assert list(Entry.objects.filter(act__startswith="sign_on.").values_list("act", flat=True)) == [
        "sign_on.group_mapped",
        "sign_on.group_unmapped",
    ]


@pytest.mark.parametrize(
    "posted", [{}, {"group": "", "role": "hr"}, {"group": "x", "role": "owner"}, {"group": "x\x07", "role": "hr"}]
)
def test_a_wrong_group_is_refused_and_kept_in_the_form(administrator: Client, posted: dict[str, str]) -> None:
    assert administrator.post(f"{PAGE}groups/", posted).status_code == 422
    assert not GroupRole.objects.exists()


def test_the_same_group_twice_is_refused(administrator: Client) -> None:
    for status in (302, 409):
        answer = administrator.post(f"{PAGE}groups/", {"group": "dealers", "role": "trainee"})
        assert answer.status_code == status
    assert "dealers" in answer.content.decode()


@pytest.mark.parametrize("where", ["groups/", "passwords/"])
def test_changes_need_confirmation(directory: Directory, signed_in: Callable[..., Client], where: str) -> None:
    client = signed_in(Role.ADMINISTRATOR)
    posted = {"group": "dealers", "role": "hr", "on": "yes"}
    assert client.post(f"{PAGE}{where}", posted)["Location"].startswith("/account/reauthenticate/")
    assert not GroupRole.objects.exists()


@pytest.mark.parametrize("role", [Role.TRAINEE, Role.INSTRUCTOR, Role.HR])
def test_others_see_nothing(directory: Directory, signed_in: Callable[..., Client], role: Role) -> None:
    client = signed_in(role)
    assert client.get(PAGE).status_code == 403
    assert client.post(f"{PAGE}groups/", {"group": "x", "role": "administrator"}).status_code == 403
    assert client.post(f"/people/{PersonFactory().pk}/directory/", {"subject": "x"}).status_code == 403


def test_the_auditor_reads(directory: Directory, signed_in: Callable[..., Client]) -> None:
    client = signed_in(Role.AUDITOR)
    assert client.get(PAGE).status_code == 200
    assert client.post(f"{PAGE}groups/", {"group": "x", "role": "trainee"}).status_code == 403


def test_an_administrator_connects_somebody_who_gets_a_mail(administrator: Client, directory: Directory) -> None:
    person = PersonFactory(roles=[Role.HR])
    answer = administrator.post(f"/people/{person.pk}/directory/", {"subject": " s-50 "})
    assert answer["Location"] == f"/people/{person.pk}/"
    assert sign_on.binding_of(person).uid == "s-50"
    assert Mail.objects.filter(person=person).exists()
    assert "s-50" in administrator.get(f"/people/{person.pk}/directory/").content.decode()


def test_whoever_connects_an_account_could_be_behind_it(administrator: Client) -> None:
    """The same rule as for the e-mail address: no second signature beside the one who connected it."""
    person, by = PersonFactory(roles=[Role.ADMINISTRATOR]), administrator.person  # type: ignore[attr-defined]
    administrator.post(f"/people/{person.pk}/directory/", {"subject": "s-51"})
    with pytest.raises(second_signature.NotASecondPerson):
        second_signature.verify(asked_by=by, signer=person)
    third = PersonFactory(roles=[Role.ADMINISTRATOR])
    confirmation.confirm(person, by=third)
    second_signature.verify(asked_by=by, signer=person)


def test_a_role_from_the_directory_vouches_for_nobody(directory: Directory, mapper: User) -> None:
    """A fake account does not become a second person because a group of the directory has it."""
    from training.people.accounts import enter_person

    fake = enter_person(email="fake@casino.example", name="Falsa", roles=[], granted_by=mapper)
    connected(fake, "s-52")
    signed_in_as(directory, "s-52", "trainers")
    assert roles_of(fake) == {"instructor"}
    third = PersonFactory(roles=[Role.ADMINISTRATOR])
    with pytest.raises(second_signature.NotASecondPerson):
        second_signature.verify(asked_by=mapper, signer=fake)
    second_signature.verify(asked_by=third, signer=mapper)


def test_nobody_connects_their_own_account_there(administrator: Client) -> None:
    own = administrator.person  # type: ignore[attr-defined]
    assert administrator.post(f"/people/{own.pk}/directory/", {"subject": "s-53"}).status_code == 409
    assert sign_on.binding_of(own) is None


def test_a_subject_is_not_given_twice(administrator: Client) -> None:
    connected(PersonFactory(), "s-54")
    person = PersonFactory()
    answer = administrator.post(f"/people/{person.pk}/directory/", {"subject": "s-54"})
    assert answer.status_code == 409
    assert "s-54" in answer.content.decode()


def test_disconnecting_ends_everything_that_came_from_there(
    administrator: Client, directory: Directory, mapper: User
) -> None:
    person = connected(PersonFactory(), "s-55")
    client = signed_in_as(directory, "s-55", "trainers")
    administrator.post(f"/people/{person.pk}/directory/", {"disconnect": "yes"})
    assert client.get("/practice/").status_code == 302
    assert roles_of(person) == {"trainee"}
    assert sign_in(Client(), directory, "s-55").status_code == 403


def test_turning_passwords_off_and_on(directory: Directory, mapper: User) -> None:
    keeper = PersonFactory(roles=[Role.ADMINISTRATOR])
    auth.TOTP.activate(keeper, auth.generate_totp_secret())
    by = connected(PersonFactory(roles=[Role.ADMINISTRATOR]), "s-56")
    client = signed_in_as(directory, "s-56", "trainers")
    client.person = by  # type: ignore[attr-defined]
    confirmed(client)
    assert client.post(f"{PAGE}passwords/", {"break_glass": keeper.pk})["Location"] == PAGE
    assert LocalPasswords.objects.get().break_glass == keeper
    assert keeper.name in client.get(PAGE).content.decode()
    assert "quiet" in Client().get("/account/login/").content.decode()
    client.post(f"{PAGE}passwords/", {"on": "yes"})
    assert not LocalPasswords.objects.get().off


def test_the_keeper_must_be_fit(administrator: Client) -> None:
    keeper = PersonFactory(roles=[Role.ADMINISTRATOR])
    assert administrator.post(f"{PAGE}passwords/", {"break_glass": keeper.pk}).status_code == 409
    assert administrator.post(f"{PAGE}passwords/", {"break_glass": PersonFactory().pk}).status_code == 422
    assert not LocalPasswords.objects.exists()


def test_the_page_warns_if_the_keeper_could_not_sign_in(administrator: Client) -> None:
    keeper = PersonFactory(roles=[Role.ADMINISTRATOR], is_active=False)
    LocalPasswords.objects.create(off=True, break_glass=keeper)
    client = Client()
    client.person = connected(PersonFactory(roles=[Role.ADMINISTRATOR]), "s-57")  # type: ignore[attr-defined]
    client.force_login(client.person)  # type: ignore[attr-defined]
    session = client.session
    session[sign_on.SESSION] = [client.person.pk, library.time.time(), False, False, sign_on.provider_key()]  # type: ignore[attr-defined]
    session.save()
    assert "notice error" in client.get(PAGE).content.decode()


def test_the_copy_of_ones_data_has_the_subject(directory: Directory) -> None:
    person = connected(PersonFactory(), "s-58")
    StaffRecord.objects.create(person=person, staff_number="58")
    found: Any = privacy.everything_about(person)
    assert found["socialaccount.SocialAccount"][0]["uid"] == "s-58"


def test_the_pages_ask_a_constant_number_of_times(
    administrator: Client, mapper: User, django_assert_max_num_queries: Any
) -> None:
    with django_assert_max_num_queries(16):
        administrator.get(PAGE)
    assert who_is(administrator)
