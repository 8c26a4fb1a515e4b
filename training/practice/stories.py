"""A story in practice: its moments are drilled one after the other, each once the ruling before it is in sight."""

from dataclasses import dataclass

from django.db import transaction
from django.db.models import F, QuerySet
from django.utils.translation import gettext as _

from training.library.models import Version
from training.library.moments import Moment, moment
from training.platform.errors import Refused
from training.practice import fresh, services
from training.practice.models import Attempt, Drill


@dataclass(frozen=True)
class Whole:
    """What a story has come to: the drills of its moments so far, and their points together."""

    drills: tuple[Drill, ...]
    moments: int

    @property
    def marked(self) -> list[Drill]:
        """Those whose mark the trainee may read."""
        return [drill for drill in self.drills if _in_sight(drill)]

    @property
    def points(self) -> int:
        return sum(drill.attempt.mark.points for drill in self.marked)

    @property
    def of(self) -> int:
        return sum(drill.attempt.mark.of for drill in self.marked)

    @property
    def over(self) -> bool:
        return len(self.marked) == self.moments


def _in_sight(drill: Drill) -> bool:
    """Whether the ruling is shown: the answer is marked, and nothing of the solution is held back."""
    attempt: Attempt | None = getattr(drill, "attempt", None)
    return attempt is not None and attempt.state == Attempt.State.GRADED and not attempt.withheld


def following(drill: Drill) -> Moment:
    """The moment to be put next; Refused where there is none, or before the ruling of this one is in sight: it tells
    it."""
    if drill.moment >= drill.moments or drill.version is None:
        raise Refused(_("The story ends here: there is no further moment."))
    if not _in_sight(drill):
        raise Refused(_("You will be told what happens next once this moment is answered and its ruling shown."))
    if drill.version.state != Version.State.PUBLISHED or drill.version.reserved:
        raise Refused(_("This story was taken out of practice, so it ends here."))
    return moment(drill.version, drill.moment + 1)


def goes_on(drill: Drill) -> bool:
    try:
        following(drill)
    except Refused:
        return False
    return True


@transaction.atomic
def go_on(drill: Drill) -> Drill:
    """The drill of the next moment: put once, however often it is asked for."""
    held = Drill.objects.select_for_update(no_key=True, of=("self",))
    current = held.select_related("attempt__mark", "version").get(pk=drill.pk)
    if put := Drill.objects.filter(before=current).first():
        return put
    told = following(current)
    if fresh.is_kept_out(told.scenario):
        raise Refused(_("What happens next is being used in an exam that is not over yet. Come back after it."))
    return services.put_drill(
        current.trainee,
        told.scenario,
        mode=Drill.Mode(current.mode),
        version=told.version,
        before=current,
        assignment_id=current.assignment_id,
    )


def in_the_middle(drills: QuerySet[Drill]) -> QuerySet[Drill]:
    """Answered moments that another should follow. What could not be marked is not among them: nothing follows it."""
    answered = drills.filter(attempt__state__in=[Attempt.State.SUBMITTED, Attempt.State.GRADED])
    return answered.filter(moment__lt=F("moments"), after=None)


def further(drills: QuerySet[Drill]) -> Drill | None:
    """Where the latest story left in the middle goes on: its next moment, or the last one while its ruling is not in
    sight yet. None where every story is over, or cannot go on for now."""
    begun = in_the_middle(drills).filter(version__state=Version.State.PUBLISHED, version__reserved=False)
    left = begun.select_related("attempt__mark", "version").order_by("-created_at").first()
    if left is None or not _in_sight(left):
        return left
    try:
        return go_on(left)
    except Refused:
        return None


def whole(drill: Drill) -> Whole | None:
    """The story that a drill is a moment of; None where it stands alone."""
    if drill.moments == 1:
        return None
    own = Drill.objects.select_related("attempt__mark").defer("scenario_document")
    found, last = [drill], drill
    while found[0].before_id:
        found.insert(0, own.get(pk=found[0].before_id))
    while following := own.filter(before=last).first():
        found.append(following)
        last = following
    return Whole(tuple(found), drill.moments)
