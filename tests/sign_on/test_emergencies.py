"""The emergency sign-in, a change of directory, and a mapping that goes unnoticed."""

import pytest
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.internal import auth
from allauth.mfa.utils import decrypt
from allauth.socialaccount.models import SocialAccount
from django.core.cache import cache

from exams.accounts import second_factor
from exams.sign_on import groups, subjects
from exams.sign_on.models import GroupRole
from tests.directory import Directory
from tests.factories import PASSWORD, PersonFactory
from tests.sign_on.conftest import connected
from tests.sign_on.test_signing_in import who_is
from tests.sign_on.test_staying_out import by_password, signed_in_as
from training.api import tokens
from training.api.scopes import SCOPES
from training.mail.models import Mail
from training.people import sign_on
from training.people.models import LocalPasswords, Role, User


@pytest.fixture
def keeper(directory: Directory) -> User:
    """The administrator who keeps a password, with two-step verification."""
    who = PersonFactory(roles=[Role.ADMINISTRATOR])
    auth.TOTP.activate(who, auth.generate_totp_secret())
    LocalPasswords.objects.create(off=True, break_glass=who)
    return who


def code_of(person: User) -> str:
    secret = auth.TOTP(Authenticator.objects.get(user=person, type="totp")).instance.data["secret"]
    cache.clear()  # a code works once
    return str(auth.format_hotp_value(auth.hotp_value(decrypt(secret), next(auth.yield_hotp_counters_from_time()))))


def test_the_keeper_cannot_do_without_a_second_factor(keeper: User) -> None:
    client = by_password(keeper)
    client.post("/account/2fa/authenticate/", {"code": code_of(keeper)})
    assert who_is(client) == keeper.pk
    client.post("/account/reauthenticate/", {"password": PASSWORD})
    assert client.post("/account/2fa/totp/deactivate/").status_code == 200
    assert Authenticator.objects.filter(user=keeper, type="totp").exists()
    LocalPasswords.objects.update(off=False)
    assert client.post("/account/2fa/totp/deactivate/").status_code == 302
    assert not Authenticator.objects.filter(user=keeper, type="totp").exists()


def test_a_keeper_whose_second_factor_was_removed_sets_one_up_first(keeper: User) -> None:
    second_factor.remove(keeper, by=PersonFactory(roles=[Role.ADMINISTRATOR]), reason="The phone was lost.")
    client = by_password(keeper)
    assert who_is(client) == keeper.pk
    assert client.get("/people/").status_code == 403
    assert client.get("/account/2fa/").status_code == 200


# ---- another directory


def test_a_session_of_the_former_directory_ends(directory: Directory, mapper: User, settings: object) -> None:
    connected(PersonFactory(), "s-80")
    client = signed_in_as(directory, "s-80", "croupiers")
    assert client.get("/practice/").status_code == 200
    settings.SIGN_ON_ISSUER = "https://new.example"  # type: ignore[attr-defined]
    assert client.get("/practice/").status_code == 302


def test_whom_the_former_directory_turned_away_stays_out(directory: Directory, mapper: User, settings: object) -> None:
    person = connected(PersonFactory(), "s-81")
    sign_on.mark_refused(person)
    settings.SIGN_ON_ISSUER = "https://new.example"  # type: ignore[attr-defined]
    assert who_is(by_password(person)) is None
    subjects.connect(person, by=mapper, subject="s-new")
    assert who_is(by_password(person)) == person.pk


# ---- tokens, and a mapping


def test_tokens_rest_until_the_directory_has_let_their_owner_in(
    directory: Directory, mapper: User, keeper: User
) -> None:
    person = PersonFactory()
    _token, text = tokens.issue(person, name="t", scopes=[next(iter(SCOPES))], days=5)
    subjects.connect(person, by=mapper, subject="s-82")
    assert tokens.known(text) is None
    signed_in_as(directory, "s-82", "croupiers")
    assert SocialAccount.objects.get().extra_data == {"second_factor": False}
    assert tokens.known(text) is not None


def test_administrators_learn_that_a_staff_group_is_gone(directory: Directory, mapper: User) -> None:
    other = PersonFactory(roles=[Role.ADMINISTRATOR])
    before = Mail.objects.filter(person=other).count()
    groups.remove(GroupRole.objects.get(group="checkers"), by=mapper)
    assert Mail.objects.filter(person=other).count() == before + 1
    groups.remove(GroupRole.objects.get(group="croupiers"), by=mapper)
    assert Mail.objects.filter(person=other).count() == before + 1
