"""Attacks: keeping a hold on somebody's account, coming in as the last user of the computer, staying during an exam."""

import time
from datetime import timedelta
from typing import Any

import pytest
from allauth.socialaccount.models import SocialAccount
from django.test import Client
from django.utils import timezone

from exams.accounts import confirmation, email_correction, open_exams, roles
from exams.audit import services as audit
from exams.sign_on import admission, subjects
from tests.directory import Directory, asked, left_for, path_of, sign_in
from tests.factories import PersonFactory
from tests.sign_on.conftest import connected
from tests.sign_on.test_forged_tokens import answers, own_keys, signed
from tests.sign_on.test_signing_in import entered, roles_of, who_is
from tests.sign_on.test_staying_out import signed_in_as
from training.people import hooks, sign_on, vouching
from training.people.models import Role, User

__all__ = ["answers", "own_keys"]  # fixtures


# ---- a subject left behind in an account


def test_a_confirmed_account_forgets_the_subject_of_whoever_controlled_it(directory: Directory, mapper: User) -> None:
    """An administrator changes an address, signs in, connects a subject of their own; then the owner is confirmed."""
    thief, other = PersonFactory(roles=[Role.ADMINISTRATOR]), PersonFactory(roles=[Role.ADMINISTRATOR])
    owner = PersonFactory(roles=[Role.INSTRUCTOR])
    email_correction.correct(owner, by=thief, email="thief@elsewhere.example")
    subjects.connect_own(owner, "s-thief")
    roles.give_from_directory(owner, [Role.TRAINEE])
    email_correction.correct(owner, by=thief, email="owner@casino.example")
    confirmation.confirm(owner, by=other)
    directory.knows("s-thief", "trainers")
    client = Client()
    assert sign_in(client, directory, "s-thief").status_code == 403
    assert who_is(client) is None
    assert roles_of(owner) == {"instructor"}


def test_a_confirmation_keeps_what_an_administrator_connected(directory: Directory, mapper: User) -> None:
    by, other = PersonFactory(roles=[Role.ADMINISTRATOR]), PersonFactory(roles=[Role.ADMINISTRATOR])
    owner = PersonFactory(roles=[Role.INSTRUCTOR])
    subjects.connect(owner, by=by, subject="s-owner")
    confirmation.confirm(owner, by=other)
    assert sign_on.binding_of(owner) is not None


def test_whoever_confirms_sees_the_subject(directory: Directory, mapper: User) -> None:
    owner = PersonFactory(roles=[Role.INSTRUCTOR])
    subjects.connect(owner, by=PersonFactory(roles=[Role.ADMINISTRATOR]), subject="s-to-check")
    client = Client()
    client.force_login(PersonFactory(roles=[Role.ADMINISTRATOR]))
    assert "s-to-check" in client.get(f"/people/{owner.pk}/").content.decode()


# ---- the last user of a shared computer


@pytest.mark.parametrize("when", [None, -3600])
def test_an_old_sign_in_at_the_provider_lets_nobody_in(
    directory: Directory, mapper: User, answers: Any, own_keys: None, when: int | None, settings: Any
) -> None:
    """Without `prompt=login`, which the browser can drop, the provider answers for whoever was there before."""
    answers(signed(auth_time=None if when is None else int(time.time()) + when))
    connected(PersonFactory(), "s-before")
    directory.knows("s-before", "croupiers")
    client = Client()
    assert sign_in(client, directory, "s-before").status_code == 403
    assert who_is(client) is None
    settings.SIGN_ON_ONCE = True
    assert sign_in(client, directory, "s-before").status_code == 302


def test_a_sign_in_asks_when(directory: Directory, settings: Any) -> None:
    assert asked(left_for(Client().post("/account/directory/")))["max_age"] == "0"
    settings.SIGN_ON_ONCE = True
    assert not {"max_age", "prompt"} & asked(left_for(Client().post("/account/directory/"))).keys()


# ---- during an exam, and disconnected meanwhile


def test_a_sign_in_during_an_exam_renews_nothing(
    directory: Directory, mapper: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The groups are not looked at then; so a refusal stays, and tokens do not live longer."""
    person = connected(PersonFactory(), "s-exam")
    long_ago = timezone.now() - timedelta(days=40)
    SocialAccount.objects.update(extra_data={"refused": True}, last_login=long_ago)
    monkeypatch.setattr(open_exams, "until", lambda _person: timezone.now())
    monkeypatch.setattr(hooks, "open_exam", lambda _person: "/exams/1/")
    directory.knows("s-exam", "chess club")
    client = Client()
    assert sign_in(client, directory, "s-exam").status_code == 302
    assert who_is(client) == person.pk
    binding = SocialAccount.objects.get()
    assert (binding.extra_data, binding.last_login) == ({"refused": True}, long_ago)
    assert not sign_on.may_use_password(person)


def test_a_sign_in_does_not_restore_a_connection(
    directory: Directory, mapper: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An administrator disconnects the account while its owner signs in."""
    person = connected(PersonFactory(), "s-race")
    decide = admission.decide

    def interrupted(*about: Any) -> Any:
        found = decide(*about)
        subjects.disconnect(person, by=mapper)
        return found

    monkeypatch.setattr(admission, "decide", interrupted)
    directory.knows("s-race", "croupiers")
    client = Client()
    back = path_of(directory.comes_back(left_for(client.post("/account/directory/")), "s-race"))
    assert client.get(back).status_code == 403
    assert who_is(client) is None
    assert sign_on.binding_of(person) is None


# ---- a second account by a staff number


@pytest.mark.parametrize(
    ("former", "enters_too", "counts"), [("7", False, True), ("7", True, True), (None, True, False)]
)
def test_whoever_changes_a_staff_number_could_be_behind_the_account(
    directory: Directory, mapper: User, settings: Any, former: str | None, enters_too: bool, counts: bool
) -> None:
    """A clerk gives their own number to a trainee who has not begun, and their group makes that account staff."""
    settings.SIGN_ON_STAFF_NUMBER_CLAIM = "number"
    clerk = PersonFactory(roles=[Role.HR])
    person = entered("4714")
    if enters_too:
        vouching.note(person, vouching.Kind.ENTERED, by=clerk)
    audit.record(clerk, "staff.changed", f"person:{person.pk}", changes={"staff_number": [former, "4714"]})
    signed_in_as(directory, "s-clerk", "trainers", number="4714")
    assert "instructor" in roles_of(person)
    assert vouching.controlled(person.pk) is counts
    assert clerk.pk in vouching.behind_each([person.pk])[person.pk]
