"""The one rule for acts that need two people: who may sign what somebody else asked for.

Two accounts are two people if neither's owner entered the other account and nobody alone could be behind both
(`people.vouching`).
"""

from collections.abc import Collection, Iterable, Mapping
from enum import Enum

from django.utils.translation import gettext_lazy as _

from training.people import vouching
from training.people.models import User
from training.people.vouching import Hands, Kind
from training.refusal import Refused


class Why(Enum):
    """Why somebody does not count as a second person."""

    SAME = "same"
    SIGNER_ENTERED = "signer_entered"
    ASKER_ENTERED = "asker_entered"
    SIGNER_CONTROLS = "signer_controls"
    ASKER_CONTROLS = "asker_controls"
    ONE_BEHIND_BOTH = "one_behind_both"


# What the signer reads; `name` is whoever asked.
WORDS = {
    Why.SAME: _("This is your own: a second person must sign."),
    Why.SIGNER_ENTERED: _("You entered the account of %(name)s, who asked for this. Somebody else must sign."),
    Why.ASKER_ENTERED: _("%(name)s, who asked for this, entered your account. Somebody else must sign."),
    Why.SIGNER_CONTROLS: _(
        "You changed the e-mail address of %(name)s, who asked for this, or removed their two-step verification. "
        "Somebody else must sign, or another administrator must first confirm the account of %(name)s on its page "
        "under “People”."
    ),
    Why.ASKER_CONTROLS: _(
        "%(name)s, who asked for this, changed your e-mail address or removed your two-step verification. Somebody "
        "else must sign, or another administrator must first confirm your account on its page under “People”."
    ),
    Why.ONE_BEHIND_BOTH: _(
        "One person alone vouches both for your account and for that of %(name)s, who asked for this. Somebody else "
        "must sign, or another administrator must first confirm one of the two accounts on its page under “People”."
    ),
}


class NotASecondPerson(Refused):
    """This person may not sign here; the message says why."""

    def __init__(self, why: Why, name: str) -> None:
        self.why = why
        super().__init__(told(why, name))


def told(why: Why, name: str) -> str:
    """Why somebody may not sign what `name` asked for, as they read it."""
    return str(WORDS[why]) % {"name": name}


def verify(*, asked_by: User | None, signer: User) -> None:
    """Raise NotASecondPerson unless `signer` counts as a second person for whoever asked.

    Without `asked_by` the request came from the command line, and anybody may sign it.
    """
    if asked_by is not None:
        verify_beside_all([asked_by], signer=signer)


def verify_beside_all(askers: Iterable[User], *, signer: User) -> None:
    """Raise NotASecondPerson unless `signer` counts as a second person for each of these."""
    people = list(askers)
    refused = refusals(signer, [person.pk for person in people])
    for person in people:
        if person.pk in refused:
            raise NotASecondPerson(refused[person.pk], person.name)


def refusals(signer: User, askers: Iterable[int | None]) -> dict[int, Why]:
    """For whom of these `signer` does not count as a second person, and why; as many queries for many as for one."""
    others = {asker for asker in askers if asker is not None}
    if not others:
        return {}
    deeds = vouching.deeds_on(others | {signer.pk})
    hands = vouching.hands_on(deeds)
    entered = {(deed.by, deed.account) for deed in deeds if deed.kind == Kind.ENTERED}
    found = {asker: reason(asker, signer.pk, hands, entered) for asker in others}
    return {asker: why for asker, why in found.items() if why is not None}


def reason(
    asker: int, signer: int, hands: Mapping[int, Hands], entered: Collection[tuple[int | None, int]]
) -> Why | None:
    """Why these two accounts do not count as two people; None if they do."""
    holds = {
        Why.SAME: asker == signer,
        Why.SIGNER_ENTERED: (signer, asker) in entered,
        Why.ASKER_ENTERED: (asker, signer) in entered,
        Why.SIGNER_CONTROLS: signer in hands.get(asker, Hands()).control,
        Why.ASKER_CONTROLS: asker in hands.get(signer, Hands()).control,
        Why.ONE_BEHIND_BOTH: bool(vouching.behind(asker, hands) & vouching.behind(signer, hands)),
    }
    return next((why for why, does in holds.items() if does), None)
