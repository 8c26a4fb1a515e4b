"""Two people means two people: which two accounts may sign for each other, and why others may not."""

from itertools import count

import pytest
from django.db import DatabaseError, connection, transaction
from django.test.utils import CaptureQueriesContext
from django.utils.translation import override

from tests.factories import PersonFactory
from training.people import second_signature, vouching
from training.people.accounts import enter_person, grant_role, withdraw_role
from training.people.models import AccountAct, Role, User
from training.people.second_signature import NotASecondPerson, Why
from training.people.vouching import Deed, Kind

ONE, TWO, A, B, C, D = range(1, 7)
ENTERED, ROLE, ADDRESS, FACTOR, CONFIRMED, DIRECTORY = Kind


def why(*deeds: tuple[int, int | None, str], asker: int = ONE, signer: int = TWO) -> Why | None:
    """Why the signer is no second person after these deeds: on whom, by whom, what. Who is not named by any came from
    the command line."""
    numbers = count(1)
    rows = [Deed(next(numbers), account, by, kind) for account, by, kind in deeds]
    entered = {(row.by, row.account) for row in rows if row.kind == ENTERED}
    return second_signature.reason(asker, signer, vouching.hands_on(rows), entered)


MADE_BY_A = ((ONE, A, ENTERED), (TWO, A, ENTERED))
ALLOWED = {
    "both from the command line": (),
    "entered by the command line, on record": ((ONE, None, ENTERED), (TWO, None, ENTERED), (TWO, None, ROLE)),
    "entered by two": ((ONE, A, ENTERED), (TWO, B, ENTERED)),
    "one entered by an administrator, one by the command line": ((TWO, A, ENTERED),),
    "entered by one, staff by two": (*MADE_BY_A, (TWO, B, ROLE)),
    "entered by one, one of them staff by the command line": (*MADE_BY_A, (TWO, None, ROLE)),
    "entered by one, one of them confirmed by another": (*MADE_BY_A, (TWO, B, CONFIRMED)),
    "address changed and confirmed by a third": ((TWO, ONE, ADDRESS), (TWO, A, CONFIRMED)),
    "second factor removed and confirmed by a third": ((ONE, TWO, FACTOR), (ONE, A, CONFIRMED)),
    "address changed from the command line": ((TWO, None, ADDRESS),),
    "who vouched was taken over only later": ((ONE, A, ENTERED), (TWO, B, ENTERED), (B, A, ADDRESS)),
    "two who took each other over do not concern others": ((A, B, ADDRESS), (B, A, ADDRESS)),
}
REFUSED = {
    "the signer entered who asks": (((ONE, TWO, ENTERED),), Why.SIGNER_ENTERED),
    "who asks entered the signer": (((TWO, ONE, ENTERED),), Why.ASKER_ENTERED),
    "entered, whoever confirms it": (((TWO, ONE, ENTERED), (TWO, A, CONFIRMED)), Why.ASKER_ENTERED),
    "entered, whoever gives a role": (((TWO, ONE, ENTERED), (TWO, A, ROLE)), Why.ASKER_ENTERED),
    "the signer changed the address of who asks": (((ONE, TWO, ADDRESS),), Why.SIGNER_CONTROLS),
    "who asks changed the signer's address": (((TWO, ONE, ADDRESS),), Why.ASKER_CONTROLS),
    "who asks removed the signer's second factor": (((TWO, ONE, FACTOR),), Why.ASKER_CONTROLS),
    "confirmed before, not since": (((TWO, A, CONFIRMED), (TWO, ONE, ADDRESS)), Why.ASKER_CONTROLS),
    "another took control after: the first still has it": (((TWO, ONE, ADDRESS), (TWO, A, FACTOR)), Why.ASKER_CONTROLS),
    "a role given since says nothing about control": (((TWO, ONE, ADDRESS), (TWO, A, ROLE)), Why.ASKER_CONTROLS),
    "confirmed by who was entered by who took control": (
        ((A, ONE, ENTERED), (TWO, ONE, ADDRESS), (TWO, A, CONFIRMED)),
        Why.ASKER_CONTROLS,
    ),
    "both entered by one": (MADE_BY_A, Why.ONE_BEHIND_BOTH),
    "both entered and made staff by one": ((*MADE_BY_A, (ONE, A, ROLE), (TWO, A, ROLE)), Why.ONE_BEHIND_BOTH),
    "one entered by a third, the other taken over by the same": (
        ((ONE, A, ENTERED), (TWO, A, ADDRESS)),
        Why.ONE_BEHIND_BOTH,
    ),
    "both taken over by a third": (((ONE, A, ADDRESS), (TWO, A, FACTOR)), Why.ONE_BEHIND_BOTH),
    "one made-up administrator confirms the other account": (
        ((B, A, ENTERED), *MADE_BY_A, (TWO, B, CONFIRMED)),
        Why.ONE_BEHIND_BOTH,
    ),
    "made-up administrators enter one each": (
        ((C, A, ENTERED), (D, A, ENTERED), (ONE, C, ENTERED), (TWO, D, ENTERED)),
        Why.ONE_BEHIND_BOTH,
    ),
    "entered by an administrator whose account was taken over before": (
        ((B, A, ADDRESS), (ONE, A, ENTERED), (TWO, B, ENTERED)),
        Why.ONE_BEHIND_BOTH,
    ),
    "entered by whoever entered the other's maker": (((A, ONE, ENTERED), (TWO, A, ENTERED)), Why.ONE_BEHIND_BOTH),
    "confirmed by both ways round": (
        ((ONE, A, ENTERED), (TWO, A, ENTERED), (ONE, TWO, CONFIRMED), (TWO, ONE, CONFIRMED)),
        Why.ONE_BEHIND_BOTH,
    ),
}


@pytest.mark.parametrize("deeds", ALLOWED.values(), ids=ALLOWED)
def test_two_people(deeds: tuple[tuple[int, int | None, str], ...]) -> None:
    assert why(*deeds) is None
    assert why(*deeds, asker=TWO, signer=ONE) is None


@pytest.mark.parametrize(("deeds", "expected"), REFUSED.values(), ids=REFUSED)
def test_not_two_people(deeds: tuple[tuple[int, int | None, str], ...], expected: Why) -> None:
    assert why(*deeds) is expected
    turned = {Why.SIGNER_ENTERED: Why.ASKER_ENTERED, Why.SIGNER_CONTROLS: Why.ASKER_CONTROLS}
    turned |= {two: one for one, two in turned.items()}
    assert why(*deeds, asker=TWO, signer=ONE) is turned.get(expected, expected)


def test_nobody_signs_for_themselves() -> None:
    assert why(asker=ONE, signer=ONE) is Why.SAME


# ---- stored


def entered(by: User | None, *roles: Role) -> User:
    number = User.objects.count()
    return enter_person(email=f"x{number}@casa.example", name=f"Pessoa {number}", roles=roles, granted_by=by)


@pytest.mark.django_db
def test_it_is_read_from_what_the_acts_left_and_told_in_words() -> None:
    maker, other = PersonFactory(name="Rosa"), PersonFactory()
    made = entered(maker, Role.HR)
    second_signature.verify(asked_by=None, signer=made)
    second_signature.verify(asked_by=other, signer=made)
    with override("en"):
        with pytest.raises(NotASecondPerson, match="Rosa, who asked for this, created your account") as refusal:
            second_signature.verify(asked_by=maker, signer=made)
        twin = entered(maker, Role.ADMINISTRATOR)
        with pytest.raises(NotASecondPerson, match="another administrator must first confirm one of the two accounts"):
            second_signature.verify(asked_by=twin, signer=made)
    assert refusal.value.why is Why.ASKER_ENTERED


@pytest.mark.django_db
def test_taking_roles_away_forgets_nothing() -> None:
    maker = PersonFactory()
    made = entered(maker, Role.HR)
    withdraw_role(made, Role.HR)
    grant_role(made, Role.HR, granted_by=PersonFactory())
    with pytest.raises(NotASecondPerson) as refusal:
        second_signature.verify(asked_by=maker, signer=made)
    assert refusal.value.why is Why.ASKER_ENTERED


@pytest.mark.django_db
def test_the_trainees_role_vouches_for_nobody() -> None:
    maker, other = PersonFactory(), PersonFactory()
    one, two = entered(maker), entered(maker)
    grant_role(one, Role.TRAINEE, granted_by=other)
    assert second_signature.refusals(one, [two.pk]) == {two.pk: Why.ONE_BEHIND_BOTH}
    grant_role(one, Role.INSTRUCTOR, granted_by=other)
    assert second_signature.refusals(one, [two.pk]) == {}


@pytest.mark.django_db
def test_the_database_neither_changes_nor_removes_what_was_done_to_an_account() -> None:
    made = entered(PersonFactory(), Role.HR)
    acts = AccountAct.objects.filter(account=made)
    assert [act.kind for act in acts] == ["entered", "role"]
    with pytest.raises(DatabaseError, match="what was done to an account never changes"), transaction.atomic():
        acts.update(by=None)
    with pytest.raises(DatabaseError, match="what was done to an account is never removed"), transaction.atomic():
        acts.delete()
    with pytest.raises(DatabaseError), transaction.atomic():
        AccountAct.objects.create(account=made, by=made, kind=Kind.CONFIRMED)


@pytest.mark.django_db
def test_as_many_queries_for_fifty_askers_as_for_one() -> None:
    maker, signer = PersonFactory(), PersonFactory()
    askers = [entered(maker, Role.HR).pk for _ in range(50)]
    asked = []
    for number in (1, 50):
        with CaptureQueriesContext(
            connection,
        ) as queries:
            assert second_signature.refusals(signer, askers[:number]) == {}
        asked.append(len(queries))
    assert asked[0] == asked[1] == 2  # the accounts, and those who entered them
