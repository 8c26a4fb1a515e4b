"""Who may judge whom.

Nobody judges themselves or, unless the programme allows it, people they ever taught. Appeals have stricter rules of
their own (`appeals.reviewers`). An account that one of these people could control (`people.vouching`) counts as theirs,
and its teaching as their teaching.
"""

from collections.abc import Iterable

from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from exams.programmes.models import Examiner, ProgrammeVersion
from training.classes.teaching import teachers_of
from training.people.models import Role, User
from training.people.vouching import behind_each
from training.platform.errors import Refused
from training.platform.folded_text import alphabetical

IN_THEIR_HANDS = _(
    "One person alone could be behind your account and that of somebody who may not judge here. Somebody else "
    "must judge, or another administrator must first confirm one of the two accounts on its page under "
    "“People”."
)


class Partial(Refused):
    """This person may not judge here; the message says why."""


def verify_examiner(person: User, version: ProgrammeVersion) -> None:
    """Raises Partial if this person may not examine in this programme at all."""
    if Role.ADMINISTRATOR in person.roles:
        return
    if Role.INSTRUCTOR not in person.roles:
        raise Partial(_("Only instructors and administrators can examine."))
    if version.rules.examiners == "appointed" and not is_appointed(person, version):
        raise Partial(_("Only examiners appointed for this programme can examine in it."))


def is_appointed(person: User, version: ProgrammeVersion) -> bool:
    return Examiner.objects.filter(programme_id=version.programme_id, person=person).exists()


def behind(person: User) -> frozenset[int]:
    """The person, and everybody who alone could control their account."""
    return behind_each([person.pk])[person.pk]


def taught_by(trainees: Iterable[int]) -> dict[int, frozenset[int]]:
    """Maps each trainee to everybody who ever taught them, or alone could control an account that did."""
    people = set(trainees)
    teachers = teachers_of(people)
    hands = behind_each(set().union(*teachers.values()))
    return {one: frozenset().union(*(hands[teacher] for teacher in teachers[one])) for one in people}


def verify_impartial(judge: User, judged: User, version: ProgrammeVersion) -> None:
    """Raises Partial if this person may not judge the other."""
    if judge.pk == judged.pk:
        raise Partial(_("Nobody can decide on themselves."))
    may_teach = version.rules.taught_may_examine
    if not may_teach and judge.pk in teachers_of([judged.pk])[judged.pk]:
        raise Partial(_("You taught this person; in this programme somebody else must decide."))
    teachers = frozenset() if may_teach else taught_by([judged.pk])[judged.pk]
    if not behind(judge).isdisjoint(teachers | {judged.pk}):
        raise Partial(IN_THEIR_HANDS)


def who_could(version: ProgrammeVersion, judged: Iterable[int]) -> list[User]:
    """Everybody who may examine in the programme and is impartial towards all these people, by name."""
    people = set(judged)
    able = User.objects.filter(is_active=True, role_grants__role__in=[Role.INSTRUCTOR, Role.ADMINISTRATOR])
    found = able.distinct().exclude(pk__in=people).order_by(alphabetical("name"), "pk")
    if version.rules.examiners == "appointed":
        appointed = Examiner.objects.filter(programme_id=version.programme_id).values("person")
        found = found.filter(Q(pk__in=appointed) | Q(role_grants__role=Role.ADMINISTRATOR))
    teachers = set() if version.rules.taught_may_examine else set().union(*taught_by(people).values())
    hands = behind_each(person.pk for person in found)
    return [person for person in found if hands[person.pk].isdisjoint(teachers | people)]
