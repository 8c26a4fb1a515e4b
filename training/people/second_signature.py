"""The rule for actions that need two people: who may sign what somebody else requested.

Two accounts count as two people if neither owner created the other account and nobody could be behind both
(`people.vouching`), now or when it was requested.
"""

from collections.abc import Collection, Iterable, Mapping
from datetime import datetime
from enum import Enum
from typing import NamedTuple

from django.utils.translation import gettext_lazy as _

from training.people import vouching
from training.people.models import User
from training.people.vouching import Deed, Hands, Kind
from training.platform.errors import Refused


class Why(Enum):
    """Why somebody does not count as a second person."""

    SAME = "same"
    SIGNER_ENTERED = "signer_entered"
    ASKER_ENTERED = "asker_entered"
    SIGNER_CONTROLS = "signer_controls"
    ASKER_CONTROLS = "asker_controls"
    ONE_BEHIND_BOTH = "one_behind_both"
    BEHIND_BOTH_THEN = "behind_both_then"


# The messages for the signer; `name` is the person who asked.
WORDS = {
    Why.SAME: _("This is your own: a second person must sign."),
    Why.SIGNER_ENTERED: _("You created the account of %(name)s, who asked for this. Somebody else must sign."),
    Why.ASKER_ENTERED: _("%(name)s, who asked for this, created your account. Somebody else must sign."),
    Why.SIGNER_CONTROLS: _(
        "You changed the e-mail address of %(name)s, who asked for this, or removed their two-step verification. "
        "Somebody else must sign, or another administrator must first confirm the account of %(name)s on its page "
        "under “People” and it must be asked for again."
    ),
    Why.ASKER_CONTROLS: _(
        "%(name)s, who asked for this, changed your e-mail address or removed your two-step verification. Somebody "
        "else must sign, or another administrator must first confirm your account on its page under “People”."
    ),
    Why.ONE_BEHIND_BOTH: _(
        "One person alone vouches both for your account and for that of %(name)s, who asked for this. Somebody else "
        "must sign, or another administrator must first confirm one of the two accounts on its page under “People”."
    ),
    Why.BEHIND_BOTH_THEN: _(
        "The account of %(name)s was confirmed only after this was asked for, and until then it could have "
        "been used by whoever is behind yours. Somebody else must sign, or it must be asked for again."
    ),
}


class Asked(NamedTuple):
    """Who asked for something and since when; without a time only the present state counts."""

    by: int
    since: datetime | None = None


class NotASecondPerson(Refused):
    """This person may not sign; the message says why."""

    def __init__(self, why: Why, name: str) -> None:
        self.why = why
        super().__init__(told(why, name))


def told(why: Why, name: str) -> str:
    """The message that tells somebody why they may not sign what `name` asked for."""
    return str(WORDS[why]) % {"name": name}


def verify(*, asked_by: User | None, signer: User, since: datetime | None = None) -> None:
    """Raise NotASecondPerson unless `signer` counts as a second person beside `asked_by`, now and since it was asked.

    Without `asked_by` the request came from the command line, and anybody may sign it.
    """
    if asked_by is not None:
        verify_beside_all([asked_by], signer=signer, since=since)


def verify_beside_all(askers: Iterable[User], *, signer: User, since: datetime | None = None) -> None:
    """Raise NotASecondPerson unless `signer` counts as a second person beside each of these."""
    people = list(askers)
    found = refused(signer, [Asked(person.pk, since) for person in people])
    for person in people:
        if why := found.get(Asked(person.pk, since)):
            raise NotASecondPerson(why, person.name)


def refusals(signer: User, askers: Iterable[int | None]) -> dict[int, Why]:
    """Those beside whom `signer` does not count as a second person now, and why."""
    return {asked.by: why for asked, why in refused(signer, [Asked(one) for one in askers if one is not None]).items()}


def refused(signer: User, requests: Iterable[Asked]) -> dict[Asked, Why]:
    """The requests that `signer` may not sign, and why; in a constant number of queries."""
    wanted = set(requests)
    if not wanted:
        return {}
    deeds = vouching.deeds_on({asked.by for asked in wanted} | {signer.pk})
    hands = vouching.hands_on(deeds)
    entered = {(deed.by, deed.account) for deed in deeds if deed.kind == Kind.ENTERED}
    found: dict[Asked, Why] = {}
    for asked in wanted:
        if why := reason(asked.by, signer.pk, hands, entered):
            found[asked] = why
        elif asked.since and _one_then(asked.by, asked.since, signer.pk, hands, deeds):
            found[asked] = Why.BEHIND_BOTH_THEN
    return found


def refused_until_confirmed(signer: User, requests: Iterable[Asked]) -> set[Asked]:
    """Those beside whom `signer` does not count as another person until an administrator confirms the account.

    For the identity check and the certificate after it, which nobody requested: the creator of an account is excluded
    only until somebody else confirms it. Granting it a role does not count as confirmation.
    """
    wanted = set(requests)
    deeds = vouching.deeds_on({asked.by for asked in wanted} | {signer.pk})
    confirmed = vouching.without_roles(deeds)
    hands = vouching.hands_on(confirmed)
    own = vouching.behind(signer.pk, hands)
    return {
        asked
        for asked in wanted
        if own & vouching.behind(asked.by, hands)
        or (asked.since and _one_then(asked.by, asked.since, signer.pk, hands, confirmed))
    }


def _one_then(asker: int, since: datetime, signer: int, hands: Mapping[int, Hands], deeds: Collection[Deed]) -> bool:
    """Whether the person behind the signer could have been behind the asker before somebody vouched for the asker."""
    then = vouching.hands_on(vouching.without_later_vouching(deeds, asker, since))
    return bool(vouching.behind(asker, then) & vouching.behind(signer, hands))


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
