"""Who may judge (decide) an appeal: somebody who neither wrote the item, had it on their own paper, nor taught or
examined the appellant.

The database enforces most of this (`guard.py`); authors of copied cases, vouching and roles are checked only here.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from exams.appeals.models import Appeal
from exams.impartiality import IN_THEIR_HANDS, Partial, behind, taught_by
from exams.practical.models import ExamTable
from exams.records.models import Candidate, FormItem
from exams.results.models import Result
from training.classes.teaching import teachers_of
from training.library.authors import WRITING
from training.people.models import Role, User
from training.people.vouching import behind_each
from training.platform.folded_text import alphabetical

REVIEWERS = frozenset({Role.INSTRUCTOR, Role.ADMINISTRATOR})
NO_REVIEWER = _("Only instructors and administrators can decide appeals.")
OWN = _("Nobody can decide their own appeal.")
WROTE = _("You wrote or published the scenario of this question.")
HAD = _("This question was on your own exam paper.")
TAUGHT = _("You taught the candidate.")
EXAMINED = _("You examined the candidate.")
# Why people may not decide, by user id.
Reasons = dict[int, str | Promise]


def verify_reviewer(person: User, appeal: Appeal) -> None:
    """Raises Partial with the reason if this person may not decide the appeal."""
    if reason := why_not(person, [appeal])[appeal]:
        raise Partial(reason)


def why_not(person: User, appeals: Sequence[Appeal]) -> dict[Appeal, str]:
    """Maps each appeal to why this person may not decide it, or "". Uses a constant number of queries."""
    if REVIEWERS.isdisjoint(person.roles):
        return dict.fromkeys(appeals, str(NO_REVIEWER))
    if not appeals:
        return {}
    partial, hands = partial_people(appeals), behind(person)
    return {appeal: str(reason_for(person, hands, partial[appeal])) for appeal in appeals}


def reason_for(person: User, hands: frozenset[int], partial: Reasons) -> str | Promise:
    if reason := partial.get(person.pk):
        return reason
    return "" if hands.isdisjoint(partial) else IN_THEIR_HANDS


def who_may(appeal: Appeal) -> list[User]:
    """Everybody who may decide it, by name, so that somebody can be asked."""
    able = (
        User.objects.filter(role_grants__role__in=REVIEWERS, is_active=True)
        .distinct()
        .order_by(alphabetical("name"), "pk")
    )
    partial, hands = partial_people([appeal])[appeal], behind_each(person.pk for person in able)
    return [person for person in able if hands[person.pk].isdisjoint(partial)]


def partial_people(appeals: Sequence[Appeal]) -> dict[Appeal, Reasons]:
    """Maps each appeal to the people who may not decide it and why, with a constant number of queries."""
    appellants = {appeal.appellant_id for appeal in appeals}
    wrote, had = _wrote(appeals), _had(appeals)
    taught, judged, behind_teachers = teachers_of(appellants), examined(appellants), taught_by(appellants)
    found: dict[Appeal, Reasons] = {}
    for appeal in appeals:
        # Later reasons override earlier ones, so the strongest comes last.
        reasons: Reasons = dict.fromkeys(behind_teachers[appeal.appellant_id], IN_THEIR_HANDS)
        reasons |= dict.fromkeys(judged[appeal.appellant_id], EXAMINED)
        reasons |= dict.fromkeys(taught[appeal.appellant_id], TAUGHT)
        reasons |= dict.fromkeys(had[appeal.form_item_id], HAD)
        reasons |= dict.fromkeys(wrote[appeal.form_item_id], WROTE)
        found[appeal] = reasons | {appeal.appellant_id: OWN}
    return found


def _wrote(appeals: Sequence[Appeal]) -> defaultdict[int, set[int]]:
    """Authors, publishers, co-authors, editors and original authors of every version of the scenarios, by form item."""
    placed = FormItem.objects.filter(pk__in=[appeal.form_item_id for appeal in appeals], item__version__isnull=False)
    versions = "item__version__item__versions"
    found = _gathered(placed.values_list("pk", f"{versions}__author_id", f"{versions}__published_by_id"))
    shared = placed.values_list("pk", f"{versions}__co_authorships__person_id")
    copied = placed.values_list("pk", f"{versions}__origins__person_id")
    changed = placed.filter(**{f"{versions}__acts__kind__in": WRITING}).values_list("pk", f"{versions}__acts__actor_id")
    for form_item, people in (*_gathered(shared).items(), *_gathered(copied).items(), *_gathered(changed).items()):
        found[form_item] |= people
    return found


def _had(appeals: Sequence[Appeal]) -> defaultdict[int, set[int]]:
    """Everybody who had the item on their paper, by form item."""
    placed = FormItem.objects.filter(pk__in=[appeal.form_item_id for appeal in appeals])
    return _gathered(placed.values_list("pk", "item__placements__form__candidate__person_id"))


def examined(appellants: set[int]) -> defaultdict[int, set[int]]:
    """Maps each appellant to those who held, invigilated or marked an exam of theirs or decided one of their
    results."""
    sat = Candidate.objects.filter(person__in=appellants, sitting__isnull=False)
    found = _gathered(sat.values_list("person_id", "session__created_by_id", "session__invigilators__id"))
    decided = Result.objects.filter(sitting__candidate__person__in=appellants, decided_by__isnull=False)
    by_person = "candidate__person_id"
    tables = ExamTable.objects.filter(candidate__person__in=appellants)
    for rows in (
        decided.values_list(f"sitting__{by_person}", "decided_by_id"),
        tables.values_list(by_person, "markings__examiner_id", "settlement__by_id"),
    ):
        for appellant, people in _gathered(rows).items():
            found[appellant] |= people
    return found


def _gathered(rows: Iterable[Any]) -> defaultdict[int, set[int]]:
    found: defaultdict[int, set[int]] = defaultdict(set)
    for key, *people in rows:
        found[key] |= {person for person in people if person is not None}
    return found
