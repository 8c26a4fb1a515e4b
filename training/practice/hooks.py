"""What higher packages tell practice."""

from collections.abc import Iterable

from training.people.models import User
from training.platform.hooks import AllAnswers
from training.practice.next_drill import Study


@AllAnswers
def study_advice(trainee: User) -> Iterable[Study]:
    """How a trainee should study, the most important first. Called where they have not chosen themselves."""
    return ()
