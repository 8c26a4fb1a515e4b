"""Password spraying: a few common passwords tried on many accounts, from one address or from thousands.

No limit on one account or address detects it. The sign is the number of accounts with a wrong password from an unknown
device and no right one since. `people.limits` deletes the row of an account once its owner signs in, so ordinary typing
mistakes leave few rows.
"""

from datetime import timedelta

import structlog
from django.core.cache import cache
from django.utils import timezone

from training.operations.hooks import Count
from training.people.models import WrongTries

log = structlog.get_logger(__name__)

HOUR, DAY = timedelta(hours=1), timedelta(days=1)
# This many accounts count as spraying. deploy/prometheus/sabot-alerts.yaml has the same numbers.
MANY = {HOUR: 50, DAY: 200}
TOLD = "password-spraying-told"


def guessed(within: timedelta) -> int:
    """The number of accounts, existing or not, with recently guessed passwords."""
    return WrongTries.objects.filter(kind="account", since__gte=timezone.now() - within).count()


def counts() -> list[Count]:
    meaning = "Accounts on which a wrong password was typed from an unknown device, and no right one since, in the last"
    return [
        Count("accounts_guessed_hour", f"{meaning} hour.", guessed(HOUR)),
        Count("accounts_guessed_day", f"{meaning} day.", guessed(DAY)),
    ]


def look() -> None:
    """Log a warning if it looks like spraying, at most once an hour."""
    for within, many in MANY.items():
        found = guessed(within)
        if found >= many and cache.add(f"{TOLD}-{within // HOUR}h", True, HOUR.total_seconds()):
            log.warning("password_spraying", accounts=found, hours=within // HOUR)
