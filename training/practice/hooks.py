"""Hooks that other packages subscribe to."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from training.people.models import User
from training.platform.hooks import AllAnswers, OneAnswer
from training.practice.next_drill import Study


@AllAnswers
def study_advice(trainee: User) -> Iterable[Study]:
    """How a trainee should study, the most important first. Used if they have not chosen themselves."""
    return ()


@dataclass(frozen=True)
class Effect:
    """What a day of practice changed for the next exam: readiness without it and with it, in percent."""

    name: str
    at: datetime
    without: int
    percent: int
    needed: int


@OneAnswer
def effect_on_readiness(trainee: User, begin: datetime, now: datetime, language: str) -> Effect | None:
    """The effect on a trainee's next exam of what they practised since `begin`. Called by the page of the day."""
    return None
