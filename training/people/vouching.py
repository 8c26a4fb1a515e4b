"""Who could be behind an account: a pure rule over the acts done to it.

Whoever enters an account, changes its address or removes its second factor can sign in as its owner. Whoever gives it
a staff role or confirms it vouches that its owner is a person of their own. An act counts with who was behind its doer
at that time, so a chain of made-up accounts leads back to the one person who began it.
"""

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import NamedTuple

from training.people.models import AccountAct, User

Kind = AccountAct.Kind
CONTROL = frozenset({Kind.ADDRESS, Kind.SECOND_FACTOR})
VOUCHING = frozenset({Kind.ROLE, Kind.CONFIRMED})


class Deed(NamedTuple):
    """A row of `AccountAct`; numbers grow with time. Without `by` it came from the command line."""

    number: int
    account: int
    by: int | None
    kind: str
    at: datetime | None = None


class Hands(NamedTuple):
    """Everybody who alone could have `made` an account, and who alone could have taken `control` of it since."""

    made: frozenset[int] = frozenset()
    control: frozenset[int] = frozenset()


def note(account: User, kind: Kind, *, by: User | None) -> None:
    """Keep what was done to an account. Call it in the transaction of the act itself."""
    note_all([account], kind, by=by)


def note_all(accounts: Iterable[User], kind: Kind, *, by: User | None) -> None:
    """Keep what was done to many accounts at once, in one query."""
    AccountAct.objects.bulk_create(AccountAct(account=account, kind=kind, by=by) for account in accounts)


def hands_on(deeds: Iterable[Deed]) -> dict[int, Hands]:
    """In whose hands each account is after all these deeds, which must include those on the accounts of their doers.

    A role vouches for whom the account was made for. Only a confirmation says that control is with its owner again.
    """
    found: dict[int, Hands] = {}
    for deed in sorted(deeds):
        hands = found.get(deed.account, Hands())
        by = frozenset() if deed.by is None else behind(deed.by, found)
        if deed.kind == Kind.ENTERED:
            hands = Hands(by, hands.control)
        elif deed.kind in CONTROL:
            hands = Hands(hands.made, hands.control | by)
        elif deed.kind == Kind.ROLE:
            hands = Hands(hands.made & by, hands.control)
        else:
            hands = Hands(hands.made & by, hands.control & by)
        found[deed.account] = hands
    return found


def without_later_vouching(deeds: Iterable[Deed], account: int, since: datetime) -> list[Deed]:
    """The deeds as they tell who could have been behind an account at any time since then: to vouch for it later says
    nothing about who used it before."""
    return [
        deed
        for deed in deeds
        if not (deed.account == account and deed.kind in VOUCHING and deed.at is not None and deed.at >= since)
    ]


def behind(account: int, hands: Mapping[int, Hands]) -> frozenset[int]:
    """Everybody who alone could be behind an account: its owner, and in whose hands it is."""
    return frozenset({account}).union(*hands.get(account, Hands()))


def deeds_on(accounts: Iterable[int]) -> list[Deed]:
    """All that was done to these accounts and to those of whoever did it, and so on: one query for each step back."""
    found: list[Deed] = []
    known: set[int] = set()
    wanted = set(accounts)
    while wanted:
        known |= wanted
        rows = AccountAct.objects.filter(account__in=wanted).values_list("pk", "account_id", "by_id", "kind", "at")
        new = [Deed(*row) for row in rows]
        found += new
        wanted = {deed.by for deed in new if deed.by is not None} - known
    return found


def controlled(account: int) -> bool:
    """Whether somebody else could have taken control of an account and nobody has confirmed it since."""
    return bool(hands_on(deeds_on([account])).get(account, Hands()).control)


def behind_each(accounts: Iterable[int]) -> dict[int, frozenset[int]]:
    """Everybody who alone could be behind each of these accounts."""
    asked = set(accounts)
    hands = hands_on(deeds_on(asked))
    return {account: behind(account, hands) for account in asked}
