"""Loaded by every Python that a run starts, before anything else: the platform's clock is wrong by what a file says.

What processes wait by is left alone, as when a machine's clock is set. (libfaketime would do the same from outside, but
breaks `time.sleep` of Python 3.11 and newer.)
"""

import os
import time
from datetime import datetime, timedelta
from pathlib import Path

from django.utils import timezone

FILE = Path(os.environ["SABOT_CHAOS_CLOCK"])
right_now, right_time = timezone.now, time.time


def wrong_by() -> float:
    try:
        return float(FILE.read_text())
    except (OSError, ValueError):
        return 0.0


def now() -> datetime:
    return right_now() + timedelta(seconds=wrong_by())


def seconds() -> float:
    return right_time() + wrong_by()


timezone.now, time.time = now, seconds
