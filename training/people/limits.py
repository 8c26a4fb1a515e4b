"""Limits on wrong passwords and codes, and on requests from unknown visitors.

Only failures count. A device that has signed in to the account before (`people.devices`), or is signed in now, has its
own small limit, so other people's wrong passwords do not slow it down. All other devices share three limits: one
account from one address, one account from anywhere, and any accounts from one address. Each time a limit is reached the
wait doubles. The counts are in the database and not in the cache, which evicts entries when it is full.
"""

import ipaddress
import math
from dataclasses import dataclass
from datetime import timedelta

import structlog
from django.core.exceptions import ValidationError
from django.db import connection, transaction
from django.utils import timezone
from django.utils.crypto import salted_hmac
from django.utils.translation import ngettext

from training.people import spraying
from training.people.models import WrongTries

log = structlog.get_logger(__name__)

FIRST_WAIT = timedelta(minutes=1)
FORGOTTEN = timedelta(days=1)  # after the last wait; also in docs/privacy.md


@dataclass(frozen=True)
class Limit:
    kind: str
    most: int
    within: timedelta
    longest_wait: timedelta


# For a known device: an owner who mistypes waits a little, a thief of the cookie gets nowhere.
DEVICE = Limit("device", 5, timedelta(minutes=15), timedelta(minutes=15))
# For unknown devices. An attacker can keep the owner off a new device for at most a quarter of an hour.
ACCOUNT_FROM_ADDRESS = Limit("account from address", 5, timedelta(minutes=15), timedelta(hours=1))
ACCOUNT = Limit("account", 10, timedelta(hours=1), timedelta(minutes=15))
# Three hundred people behind one address can each mistype three times. The two limits above protect each account; this
# one limits how many accounts one address can try.
ADDRESS = Limit("address", 1000, timedelta(minutes=10), timedelta(minutes=5))
# For codes of the second factor, where the password is already known.
CODES = Limit("second factor", 5, timedelta(minutes=15), timedelta(hours=1))


@dataclass(frozen=True)
class Try:
    """A password typed for an account from an address; `device` is the proof of a known device."""

    account: str
    address: str
    device: str = ""

    def keys(self) -> dict[str, Limit]:
        account, address = self.account.strip().lower(), _network(self.address)
        if self.device:
            return {_key("device", account, self.device): DEVICE}
        return {
            _key("account from address", account, address): ACCOUNT_FROM_ADDRESS,
            _key("account", account): ACCOUNT,
            _key("address", address): ADDRESS,
        }

    def keys_of_account(self) -> list[str]:
        return [key for key, limit in self.keys().items() if limit is not ADDRESS]


@dataclass(frozen=True)
class CodeTry:
    """A code typed for the second factor of an account whose password was right."""

    account: int
    device: str = ""

    def keys(self) -> dict[str, Limit]:
        if self.device:
            return {_key("second factor on device", str(self.account), self.device): DEVICE}
        return {_key("second factor", str(self.account)): CODES}

    def keys_of_account(self) -> list[str]:
        return list(self.keys())


class TooMany(ValidationError):
    """Too many wrong passwords or codes; another may be tried in `seconds`."""

    def __init__(self, told: str, seconds: int) -> None:
        super().__init__(told, code="too_many_login_attempts")
        self.seconds = seconds


def _key(*parts: str) -> str:
    """A hash, so that the rows do not reveal accounts or addresses."""
    return salted_hmac("sign-in limits", "\0".join(parts), algorithm="sha256").hexdigest()


def _network(address: str) -> str:
    """The /64 network of an IPv6 address, which is one household; an IPv4 address as it is."""
    try:
        found = ipaddress.ip_address(address)
    except ValueError:
        return address
    return str(ipaddress.ip_network((found, 64), strict=False)) if found.version == 6 else address


def verify(tried: Try) -> None:
    """Raise TooMany, with how long to wait, after too many wrong passwords."""
    if seconds := _seconds_to_wait(tried):
        minutes = -(-seconds // 60)
        told = ngettext(
            "Too many wrong passwords. Try again in %(minutes)d minute.",
            "Too many wrong passwords. Try again in %(minutes)d minutes.",
            minutes,
        )
        raise TooMany(told % {"minutes": minutes}, seconds)


def verify_code(tried: CodeTry) -> None:
    """Raise TooMany, with how long to wait, after too many wrong codes."""
    if seconds := _seconds_to_wait(tried):
        minutes = -(-seconds // 60)
        told = ngettext(
            "Too many wrong codes. Try again in %(minutes)d minute.",
            "Too many wrong codes. Try again in %(minutes)d minutes.",
            minutes,
        )
        raise TooMany(told % {"minutes": minutes}, seconds)


def _seconds_to_wait(tried: Try | CodeTry) -> int:
    now = timezone.now()
    closed = WrongTries.objects.filter(key__in=list(tried.keys()), closed_until__gt=now)
    ends = [end for end in closed.values_list("closed_until", flat=True) if end]
    return math.ceil((max(ends) - now).total_seconds()) if ends else 0


def failed(tried: Try | CodeTry) -> None:
    new = [_count(key, limit) for key, limit in tried.keys().items()]
    if any(new) and isinstance(tried, Try) and not tried.device:
        spraying.look()


@transaction.atomic
def _count(key: str, limit: Limit) -> bool:
    """Count one more failure. Returns True if it is the first under this key."""
    now = timezone.now()
    first = {"since": now, "kind": limit.kind}
    row, made = WrongTries.objects.select_for_update().get_or_create(key=key, defaults=first)
    if row.since < now - limit.within:
        row.failures, row.since = 0, now
    if row.closed_until and row.closed_until < now - FORGOTTEN:
        row.waits = 0
    row.failures += 1
    if row.failures >= limit.most:
        row.closed_until = now + min(FIRST_WAIT * 2 ** min(row.waits, 10), limit.longest_wait)
        row.failures, row.since, row.waits = 0, now, row.waits + 1
        log.warning("sign_in_limited", limit=limit.kind, most=limit.most, until=row.closed_until.isoformat())
    row.save()
    return made


def succeeded(tried: Try | CodeTry) -> None:
    """Forget the failures on the account. Those from the address stay, since an attacker may have an account too."""
    WrongTries.objects.filter(key__in=tried.keys_of_account()).delete()


def times_asked(what: str, address: str, within: timedelta) -> int:
    """Count a request and return how many this address has made in the current window, over all processes.

    In one statement, where the ORM would need two and a lock: this runs for every visitor.
    """
    now = timezone.now()
    window = int(now.timestamp() // within.total_seconds())
    with connection.cursor() as cursor:
        cursor.execute(
            "INSERT INTO people_wrongtries (key, failures, since, waits) VALUES (%s, 1, %s, 0) "
            "ON CONFLICT (key) DO UPDATE SET failures = people_wrongtries.failures + 1 RETURNING failures",
            [_key(what, _network(address), str(window)), now],
        )
        return int(cursor.fetchone()[0])


def forget_old() -> int:
    before = timezone.now() - FORGOTTEN
    old = WrongTries.objects.filter(since__lt=before).exclude(closed_until__gte=before)
    return old.delete()[0]
