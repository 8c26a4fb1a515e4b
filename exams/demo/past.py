"""For the demo alone: to let its people act at a time gone by, with the services of today."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from typing import Any

from django.utils import timezone


@contextmanager
def played_at(moment: datetime) -> Iterator[datetime]:
    """What happens inside happens at this moment: everything here asks Django for the time, the log included.

    It moves the clock of the whole process, so it belongs in a command that does nothing else.
    """
    clock: Any = timezone
    real = clock.now
    clock.now = lambda: moment
    try:
        yield moment
    finally:
        clock.now = real
