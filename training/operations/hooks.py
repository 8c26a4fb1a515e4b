"""What higher packages add to the readiness page and the metrics. Called in no transaction."""

from collections.abc import Callable, Iterable
from datetime import timedelta
from typing import NamedTuple

from training.platform.hooks import AllAnswers


class Count(NamedTuple):
    """One number, told as `sabot_<name>`; `meaning` is its help text."""

    name: str
    meaning: str
    value: int


@AllAnswers
def counts() -> Iterable[Count]:
    """Numbers for the metrics. Called whenever they are read."""
    return ()


@AllAnswers
def grading_times(lately: timedelta) -> Iterable[tuple[str, list[timedelta]]]:
    """For each kind of answer, how long each grading took that ended within `lately`. Called for the metrics."""
    return ()


@AllAnswers
def readiness_checks() -> Iterable[tuple[str, Callable[[], None]]]:
    """Checks by the name of what they check; each raises `health.NotReadyError`. Called for `/readyz`."""
    return ()
