"""Finds the people behind an automatic decision, one that followed from an annulment or a regrade."""

from exams.appeals.hooks import people
from exams.regrading.models import Regrade, RegradedSitting
from exams.results.models import Annulment
from training.people.models import User


def regraded(person: User) -> frozenset[int]:
    """Everybody who started or published a regrade of the person's exams."""
    rows = RegradedSitting.objects.filter(sitting__candidate__person=person, regrade__state=Regrade.State.PUBLISHED)
    return people(*(one for pair in rows.values_list("regrade__started_by", "regrade__settled_by") for one in pair))


def annulled(person: User) -> frozenset[int]:
    """Everybody who asked for or decided an annulment of the person's exams."""
    rows = Annulment.objects.filter(sitting__candidate__person=person, accepted=True)
    return people(*(one for pair in rows.values_list("asked_by", "decided_by") for one in pair))
