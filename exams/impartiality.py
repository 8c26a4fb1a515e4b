"""Who may judge whom. Nobody examines, reviews or decides about themselves nor, where the programme says so, about
people they taught; who wrote an item does not review an appeal against it."""

from collections import defaultdict
from collections.abc import Iterable

from django.db.models import Q
from django.utils.translation import gettext as _

from exams.programmes.models import Examiner, ProgrammeVersion
from training.classes.models import Enrolment
from training.people.models import Role, User
from training.refusal import Refused


class Partial(Refused):
    """This person may not judge here; the message says why, in their language."""


def verify_examiner(person: User, version: ProgrammeVersion) -> None:
    """Refuse who may not examine in this programme at all."""
    if Role.ADMINISTRATOR in person.roles:
        return
    if Role.INSTRUCTOR not in person.roles:
        raise Partial(_("Only instructors and administrators examine."))
    if version.rules.examiners == "appointed" and not is_appointed(person, version):
        raise Partial(_("Only examiners appointed for this programme examine in it."))


def is_appointed(person: User, version: ProgrammeVersion) -> bool:
    return Examiner.objects.filter(programme_id=version.programme_id, person=person).exists()


def taught(teacher: User, trainee: User) -> bool:
    """Whether one was ever the other's instructor: leaving the class does not undo it."""
    return teacher.pk in teachers_of([trainee.pk])[trainee.pk]


def teachers_of(trainees: Iterable[int]) -> defaultdict[int, set[int]]:
    """Whoever made or taught a class that each of these was ever in, by the trainee."""
    found: defaultdict[int, set[int]] = defaultdict(set)
    of_class = ("trainee_id", "training_class__made_by_id", "training_class__instructors__id")
    for trainee, *teachers in Enrolment.objects.filter(trainee__in=trainees).values_list(*of_class):
        found[trainee] |= {teacher for teacher in teachers if teacher is not None}
    return found


def verify_impartial(judge: User, judged: User, version: ProgrammeVersion) -> None:
    """Refuse who may not examine, decide about or review this person."""
    if judge.pk == judged.pk:
        raise Partial(_("Nobody judges themselves."))
    if not version.rules.taught_may_examine and taught(judge, judged):
        raise Partial(_("You taught this person; in this programme somebody else must judge."))


def who_could(version: ProgrammeVersion, judged: Iterable[int]) -> list[User]:
    """Everybody who may examine in a programme and is partial about none of these, by name."""
    people = set(judged)
    able = User.objects.filter(is_active=True, role_grants__role__in=[Role.INSTRUCTOR, Role.ADMINISTRATOR])
    found = able.distinct().exclude(pk__in=people).order_by("name", "pk")
    if version.rules.examiners == "appointed":
        appointed = Examiner.objects.filter(programme_id=version.programme_id).values("person")
        found = found.filter(Q(pk__in=appointed) | Q(role_grants__role=Role.ADMINISTRATOR))
    teachers = set() if version.rules.taught_may_examine else set().union(*teachers_of(people).values())
    return [person for person in found if person.pk not in teachers]
