"""Who could be behind an account, derived from what was done to it.

Anybody who creates an account, changes its address, removes its second factor or connects it to a subject of the
directory can sign in as its owner. Granting a
staff role or confirming the account vouches that its owner is a separate person. Each act counts for everybody who
could be behind the acting account at the time, so a chain of fake accounts leads back to the person who started it.
"""

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import NamedTuple

from training.people.models import AccountAct, User

Kind = AccountAct.Kind
CONTROL = frozenset({Kind.ADDRESS, Kind.SECOND_FACTOR, Kind.DIRECTORY})
VOUCHING = frozenset({Kind.ROLE, Kind.CONFIRMED})


class Deed(NamedTuple):
    """A row of `AccountAct`; numbers increase with time. `by` is None for the command line."""

    number: int
    account: int
    by: int | None
    kind: str
    at: datetime | None = None


class Hands(NamedTuple):
    """Everybody who alone could have `made` an account, and everybody who could have taken `control` of it since."""

    made: frozenset[int] = frozenset()
    control: frozenset[int] = frozenset()


def note(account: User, kind: Kind, *, by: User | None) -> None:
    """Record what was done to an account. Call it in the transaction of the change."""
    note_all([account], kind, by=by)


def note_all(accounts: Iterable[User], kind: Kind, *, by: User | None) -> None:
    """Record what was done to many accounts, in one query."""
    AccountAct.objects.bulk_create(AccountAct(account=account, kind=kind, by=by) for account in accounts)


def hands_on(deeds: Iterable[Deed]) -> dict[int, Hands]:
    """Who could be behind each account after these deeds, which must include the deeds on the acting accounts.

    Granting a role vouches for the person the account was made for. Only a confirmation returns control to its owner.
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
    """The deeds that tell who could have been behind an account at any time since then.

    Leaves out later vouching, which says nothing about who used the account before.
    """
    return [
        deed
        for deed in deeds
        if not (deed.account == account and deed.kind in VOUCHING and deed.at is not None and deed.at >= since)
    ]


def behind(account: int, hands: Mapping[int, Hands]) -> frozenset[int]:
    """Everybody who alone could be behind an account, including its owner."""
    return frozenset({account}).union(*hands.get(account, Hands()))


def deeds_on(accounts: Iterable[int]) -> list[Deed]:
    """Everything done to these accounts, to the accounts that did it, and so on; one query per step."""
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


def without_roles(deeds: Iterable[Deed]) -> list[Deed]:
    """The deeds without role grants, which do not confirm the owner of an account."""
    return [deed for deed in deeds if deed.kind != Kind.ROLE]


def is_its_owners(account: int) -> bool:
    """Whether nobody but its owner could be behind an account, or somebody else has confirmed it since."""
    return behind(account, hands_on(without_roles(deeds_on([account])))) == {account}


def controlled(account: int) -> bool:
    """Whether somebody else could have taken control of an account and nobody has confirmed it since."""
    return bool(hands_on(deeds_on([account])).get(account, Hands()).control)


def behind_each(accounts: Iterable[int]) -> dict[int, frozenset[int]]:
    """For each account, everybody who alone could be behind it."""
    asked = set(accounts)
    hands = hands_on(deeds_on(asked))
    return {account: behind(account, hands) for account in asked}
