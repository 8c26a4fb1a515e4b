"""Setting the pass mark of a draft by a modified Angoff method (ISO/IEC 17024).

Each judge says for every blueprint line what share of its points somebody gets who only just deserves to pass. Once two
judges have done so they see each other's figures and may judge again. The mean over judges, weighted by points, is the
recommended pass mark.
"""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from django.db import transaction
from django.utils.translation import gettext as _

from exams import clock
from exams.audit.services import record
from exams.programmes.models import Judgement, ProgrammeVersion
from exams.programmes.rules import Rules
from rules_engine import encode
from training.people import second_signature
from training.people.models import Role, User
from training.platform.errors import Refused

LEAST_JUDGES = 2
JUDGES = frozenset({Role.INSTRUCTOR, Role.ADMINISTRATOR})


@dataclass(frozen=True)
class Panel:
    """What the judges of a draft said. `cut` is the recommended pass mark, None with too few judges."""

    judgements: list[Judgement]
    cut: int | None

    @property
    def judges(self) -> int:
        return len({one.judge_id for one in self.judgements})

    def last_of(self, judge: User) -> Judgement | None:
        return next((one for one in reversed(self.judgements) if one.judge_id == judge.pk), None)


def blueprint_of(rules: Rules) -> str:
    """A digest of what the judges judge: another blueprint needs new judgements."""
    return hashlib.sha256(encode(rules.lines)).hexdigest()


def panel(version: ProgrammeVersion) -> Panel:
    """The judgements of the version's blueprint, in the order they were given."""
    found = list(version.judgements.filter(blueprint=blueprint_of(version.rules)).select_related("judge"))
    last = {one.judge_id: one for one in found}
    return Panel(found, _cut(version.rules, [one.ratings for one in last.values()]))


def _cut(rules: Rules, ratings: Sequence[Sequence[int]]) -> int | None:
    """Rounded down, as every score is."""
    if len(ratings) < LEAST_JUDGES:
        return None
    worth = [line.items * line.points for line in rules.lines]
    got = sum(Fraction(sum(of * share for of, share in zip(worth, own, strict=True)), sum(worth)) for own in ratings)
    return int(got / len(ratings))


def verify_judge(version: ProgrammeVersion, by: User) -> None:
    """Raises Refused unless this person may judge this draft now."""
    if JUDGES.isdisjoint(by.roles):
        raise Refused(_("Only instructors and administrators can judge the pass mark."))
    if version.state != ProgrammeVersion.State.DRAFT:
        raise Refused(_("The pass mark of a version in force cannot change. Judge that of a new draft."))
    here = panel(version)
    last = here.last_of(by)
    if last and last.round > 1:
        raise Refused(_("You have judged twice; that is final."))
    if last and here.judges < LEAST_JUDGES:
        raise Refused(_("You can judge again once a second judge has given their figures."))
    others = {one.judge_id: one.judge for one in here.judgements if one.judge_id != by.pk}
    second_signature.verify_beside_all(others.values(), signer=by)


@transaction.atomic
def judge(version: ProgrammeVersion, by: User, ratings: Sequence[int]) -> Judgement:
    """Record what a judge expects on each line, in percent of its points."""
    current = ProgrammeVersion.objects.select_for_update(no_key=True).get(pk=version.pk)
    verify_judge(current, by)
    rules = current.rules
    if len(ratings) != len(rules.lines) or not all(0 <= rating <= 100 for rating in ratings):
        raise Refused(_("Give a percentage from 0 to 100 for every line."))
    blueprint = blueprint_of(rules)
    current.judgements.filter(judge=by).exclude(blueprint=blueprint).delete()  # of a blueprint that was changed since
    last = panel(current).last_of(by)
    made = Judgement.objects.create(
        version=current,
        judge=by,
        round=2 if last else 1,
        ratings=list(ratings),
        blueprint=blueprint,
        given_at=clock.now(),
    )
    subject = f"programme:{current.programme_id}"
    record(by, "programme.judged", subject, version=current.number, round=made.round, ratings=made.ratings)
    return made


def verify_set(version: ProgrammeVersion) -> None:
    """Raises Refused unless at least two judges set the version's pass mark."""
    here = panel(version)
    if here.cut is None:
        raise Refused(_("At least two judges must first say what pass mark this exam needs."))
    if version.rules.pass_mark < here.cut:
        message = _("The pass mark of %(mark)d%% is below the %(cut)d%% that the judges recommend.")
        raise Refused(message % {"mark": version.rules.pass_mark, "cut": here.cut})
