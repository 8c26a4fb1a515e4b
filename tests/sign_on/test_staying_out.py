"""Groups that go, people who leave, local passwords that are off, and tokens that rest."""

import time
from datetime import timedelta
from typing import Any

import pytest
from allauth.mfa.totp.internal import auth
from allauth.socialaccount.models import SocialAccount
from django.core import mail
from django.test import Client
from django.utils import timezone

from exams.accounts import closing, open_exams
from exams.audit.models import Entry
from exams.sign_on import local_passwords
from tests.directory import Directory, sign_in
from tests.factories import PASSWORD, PersonFactory
from tests.sign_on.conftest import connected
from tests.sign_on.test_signing_in import roles_of, who_is
from training.api import tokens
from training.api.scopes import SCOPES
from training.mail import password
from training.mail.models import Mail
from training.people import hooks, links
from training.people.models import LocalPasswords, Role, RoleGrant, User
from training.platform.errors import Refused


def signed_in_as(directory: Directory, subject: str, *groups: str, **claims: Any) -> Client:
    directory.knows(subject, *groups, **claims)
    client = Client()
    assert sign_in(client, directory, subject).status_code == 302
    return client


def test_a_group_that_goes_takes_its_role(directory: Directory, mapper: User) -> None:
    person = connected(PersonFactory(), "s-1")
    signed_in_as(directory, "s-1", "croupiers", "trainers")
    assert roles_of(person) == {"trainee", "instructor"}
    signed_in_as(directory, "s-1", "croupiers")
    assert roles_of(person) == {"trainee"}
    assert Entry.objects.get(act="role.taken").details["roles"] == ["instructor"]


def test_a_role_of_the_house_stays(directory: Directory, mapper: User) -> None:
    person = connected(PersonFactory(roles=[Role.HR]), "s-2")
    signed_in_as(directory, "s-2", "croupiers")
    assert roles_of(person) == {"trainee", "hr"}


def test_without_a_mapped_group_everything_ends(directory: Directory, mapper: User) -> None:
    """The leaver whom the directory knows no longer as one of us: sessions, roles from there, tokens."""
    person = connected(PersonFactory(roles=[]), "s-3")
    before = signed_in_as(directory, "s-3", "trainers")
    _token, text = tokens.issue(person, name="t", scopes=[next(iter(SCOPES))], days=5)
    assert tokens.known(text) is not None
    directory.knows("s-3", "chess club")
    after = Client()
    answer = sign_in(after, directory, "s-3")
    assert answer.status_code == 403
    assert who_is(after) is None
    assert before.get("/").status_code == 302
    assert roles_of(person) == set()
    assert tokens.known(text) is None
    assert Entry.objects.filter(act="sign_on.refused", subject=f"person:{person.pk}").exists()


def test_a_group_named_almost_the_same_does_not_count(directory: Directory, mapper: User) -> None:
    connected(PersonFactory(), "s-4")
    for group in ("Croupiers", "croupiers ", "croupier", "croupiers,trainers"):
        directory.knows("s-4", group)
        assert sign_in(Client(), directory, "s-4").status_code == 403


def test_groups_that_are_no_list_give_nothing(directory: Directory, mapper: User) -> None:
    connected(PersonFactory(), "s-5")
    for odd in ({"croupiers": True}, 7, [["croupiers"]], [None], ""):
        directory.says("s-5", groups=odd)
        assert sign_in(Client(), directory, "s-5").status_code == 403


def test_nobody_gets_a_role_by_their_own_mapping(directory: Directory, mapper: User) -> None:
    """An administrator maps a group they are in: that would be a role given to oneself."""
    connected(mapper, "s-6")
    signed_in_as(directory, "s-6", "trainers")
    assert roles_of(mapper) == {"administrator"}


def test_an_auditor_gets_no_other_role(directory: Directory, mapper: User) -> None:
    person = connected(PersonFactory(roles=[Role.AUDITOR]), "s-7")
    directory.knows("s-7", "croupiers")
    client = Client()
    assert sign_in(client, directory, "s-7").status_code == 403
    assert roles_of(person) == {"auditor"}
    both = connected(PersonFactory(roles=[]), "s-8")
    directory.knows("s-8", "checkers", "trainers")
    assert sign_in(client, directory, "s-8").status_code == 403
    assert roles_of(both) == set()
    assert who_is(client) is None


def test_the_staff_list_ends_sessions_of_the_directory_too(directory: Directory, mapper: User) -> None:
    person = connected(PersonFactory(), "s-9")
    client = signed_in_as(directory, "s-9", "croupiers")
    closing.close_leavers(User.objects.filter(pk=person.pk), by=None)
    assert client.get("/practice/").status_code == 302
    assert sign_in(Client(), directory, "s-9").status_code == 403


def test_a_session_of_the_directory_cannot_be_kept_alive(
    directory: Directory, mapper: User, monkeypatch: pytest.MonkeyPatch, settings: Any
) -> None:
    connected(PersonFactory(), "s-10")
    client = signed_in_as(directory, "s-10", "croupiers")
    assert client.get("/practice/").status_code == 200
    monkeypatch.setattr(time, "time", lambda: timezone.now().timestamp() + settings.SESSION_COOKIE_AGE + 1)
    assert client.get("/practice/").status_code == 302


def test_sessions_of_the_directory_end_with_the_settings(directory: Directory, mapper: User, settings: Any) -> None:
    connected(PersonFactory(), "s-11")
    client = signed_in_as(directory, "s-11", "croupiers")
    settings.SIGN_ON_ISSUER = ""
    assert client.get("/practice/").status_code == 302


def test_during_an_exam_nothing_changes_and_the_session_ends_with_it(
    directory: Directory, mapper: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    person = connected(PersonFactory(), "s-12")
    signed_in_as(directory, "s-12", "croupiers", "trainers")
    sitting = [True]
    monkeypatch.setattr(open_exams, "until", lambda _person: timezone.now() if sitting else None)
    monkeypatch.setattr(hooks, "open_exam", lambda _person: "/exams/1/" if sitting else "")
    client = signed_in_as(directory, "s-12")
    assert roles_of(person) == {"trainee", "instructor"}
    assert client.get("/practice/").status_code == 403
    sitting.clear()
    assert client.get("/practice/").status_code == 302


# ---- API tokens


def test_tokens_rest_until_the_directory_lets_the_owner_in_again(directory: Directory, mapper: User) -> None:
    person = connected(PersonFactory(roles=[Role.HR]), "s-13")
    _token, text = tokens.issue(person, name="t", scopes=[next(iter(SCOPES))], days=90)
    assert tokens.known(text) is not None
    SocialAccount.objects.update(last_login=timezone.now() - timedelta(days=31))
    assert tokens.known(text) is None
    signed_in_as(directory, "s-13", "croupiers")
    assert tokens.known(text) is not None


# ---- local passwords off


@pytest.fixture
def keeper(directory: Directory) -> User:
    """Local passwords are off; this administrator keeps one."""
    who = PersonFactory(roles=[Role.ADMINISTRATOR])
    LocalPasswords.objects.create(off=True, break_glass=who)
    return who


def by_password(person: User) -> Client:
    client = Client()
    client.post("/account/login/", {"login": person.email, "password": PASSWORD})
    return client


def test_only_the_keeper_signs_in_with_a_password(keeper: User) -> None:
    assert who_is(by_password(PersonFactory(roles=[Role.ADMINISTRATOR]))) is None
    assert who_is(by_password(keeper)) == keeper.pk


def test_use_of_the_emergency_password_is_logged_and_mailed(keeper: User) -> None:
    client = by_password(keeper)
    entry = Entry.objects.get(act="sign_on.break_glass")
    assert entry.actor == keeper
    assert Mail.objects.filter(person=keeper).exists()
    assert keeper.name in client.get("/house/sign-on/").content.decode()


def test_password_links_are_neither_sent_nor_valid(keeper: User) -> None:
    person = PersonFactory()
    assert not links.LinkTokens().check_token(person, links.LinkTokens().make_token(person))
    assert links.LinkTokens().check_token(keeper, links.LinkTokens().make_token(keeper))
    for address in (person.email, keeper.email):
        password.ask(address)
    password.resolve_asked()
    assert list(Mail.objects.values_list("person", flat=True)) == [keeper.pk]


def test_invitations_have_no_link(keeper: User) -> None:
    password.invite_to_house([PersonFactory()], keeper)
    body = Mail.objects.get().body
    assert password.LINK not in body
    assert password.UNTIL not in body
    assert "/account/login/" in body
    assert not mail.outbox


def test_sessions_that_began_with_a_password_end(directory: Directory) -> None:
    client = by_password(PersonFactory())
    assert client.get("/practice/").status_code == 200
    LocalPasswords.objects.create(off=True, break_glass=PersonFactory(roles=[Role.ADMINISTRATOR]))
    assert client.get("/practice/").status_code == 302


def test_sessions_that_began_before_do_not_end_in_an_exam(
    directory: Directory, monkeypatch: pytest.MonkeyPatch
) -> None:
    client = by_password(PersonFactory())
    LocalPasswords.objects.create(off=True, break_glass=PersonFactory(roles=[Role.ADMINISTRATOR]))
    monkeypatch.setattr(hooks, "open_exam", lambda _person: "/exams/1/")
    assert client.get("/practice/").status_code == 403


def test_the_password_cannot_be_changed(keeper: User, directory: Directory, mapper: User) -> None:
    connected(PersonFactory(), "s-20")
    client = signed_in_as(directory, "s-20", "croupiers")
    assert client.get("/account/password/change/")["Location"] == "/account/directory/own/"


def test_tokens_of_people_without_a_way_in_rest(keeper: User) -> None:
    person = PersonFactory(roles=[Role.HR])
    _token, text = tokens.issue(person, name="t", scopes=[next(iter(SCOPES))], days=90)
    assert tokens.known(text) is None


def test_without_the_settings_passwords_work_again(keeper: User, settings: Any) -> None:
    settings.SIGN_ON_ISSUER = ""
    person = PersonFactory()
    assert who_is(by_password(person)) == person.pk


def test_half_a_sign_in_does_not_survive_the_change(directory: Directory) -> None:
    """The password was right, the code is still to come, and meanwhile passwords are turned off."""
    person = PersonFactory()
    auth.TOTP.activate(person, secret := auth.generate_totp_secret())
    client = by_password(person)
    LocalPasswords.objects.create(off=True, break_glass=PersonFactory(roles=[Role.ADMINISTRATOR]))
    code = auth.format_hotp_value(auth.hotp_value(secret, next(auth.yield_hotp_counters_from_time())))
    client.post("/account/2fa/authenticate/", {"code": code})
    assert who_is(client) is None


def test_turning_off_needs_a_session_of_the_directory_and_a_fit_keeper(directory: Directory) -> None:
    by, keeper = PersonFactory(roles=[Role.ADMINISTRATOR]), PersonFactory(roles=[Role.ADMINISTRATOR])
    with pytest.raises(Refused):
        local_passwords.turn_off(by=by, break_glass=keeper, at_directory=False)
    with pytest.raises(local_passwords.UnfitBreakGlass):
        local_passwords.turn_off(by=by, break_glass=keeper, at_directory=True)  # no second factor
    with pytest.raises(Refused):
        local_passwords.turn_off(by=PersonFactory(roles=[Role.HR]), break_glass=keeper, at_directory=True)
    assert not LocalPasswords.objects.filter(off=True).exists()
    assert RoleGrant.objects.filter(user=keeper).exists()


def test_whom_the_directory_turned_away_does_not_come_in_with_a_password(directory: Directory, mapper: User) -> None:
    person = connected(PersonFactory(roles=[Role.HR]), "s-60")
    with_password = by_password(person)
    directory.knows("s-60", "chess club")
    assert sign_in(Client(), directory, "s-60").status_code == 403
    assert with_password.get("/hr/").status_code == 302
    assert who_is(by_password(person)) is None
    assert not links.LinkTokens().check_token(person, links.LinkTokens().make_token(person))
    _token, text = tokens.issue(person, name="t", scopes=[next(iter(SCOPES))], days=5)
    assert tokens.known(text) is None
    signed_in_as(directory, "s-60", "croupiers")
    assert who_is(by_password(person)) == person.pk
    assert tokens.known(text) is not None
