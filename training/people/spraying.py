"""Password spraying: a few common passwords tried on many accounts, from one address or from thousands.

No limit on one account or address sees it. What shows it is how many accounts had a wrong password typed from an
unknown device and no right one since. `people.limits` deletes the row of an account once its owner gets in, so a room
full of typing mistakes leaves few rows.
"""

from datetime import timedelta

import structlog
from django.core.cache import cache
from django.utils import timezone

from training.operations.hooks import Count
from training.people.models import WrongTries

log = structlog.get_logger(__name__)

HOUR, DAY = timedelta(hours=1), timedelta(days=1)
# From this many accounts on it counts as spraying. deploy/prometheus/sabot-alerts.yaml has the same numbers.
MANY = {HOUR: 50, DAY: 200}
TOLD = "password-spraying-told"


def guessed(within: timedelta) -> int:
    """On how many accounts, real or made up, passwords were guessed lately."""
    return WrongTries.objects.filter(kind="account", since__gte=timezone.now() - within).count()


def counts() -> list[Count]:
    meaning = "Accounts on which a wrong password was typed from an unknown device, and no right one since, in the last"
    return [
        Count("accounts_guessed_hour", f"{meaning} hour.", guessed(HOUR)),
        Count("accounts_guessed_day", f"{meaning} day.", guessed(DAY)),
    ]


def look() -> None:
    """Write a line to the log if it looks like spraying, once an hour."""
    for within, many in MANY.items():
        found = guessed(within)
        if found >= many and cache.add(f"{TOLD}-{within // HOUR}h", True, HOUR.total_seconds()):
            log.warning("password_spraying", accounts=found, hours=within // HOUR)
