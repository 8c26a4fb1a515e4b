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


def asked_by(rules: Rules) -> list[str]:
    """A digest of what each line asks, whatever its number of items and their points."""
    kinds = [f"{line.rulebook}/{line.topic}/{line.article}/{line.difficulty}" for line in rules.lines]
    return [hashlib.sha256(kind.encode()).hexdigest()[:16] for kind in kinds]


def settled(version: ProgrammeVersion, judge: User) -> dict[str, int]:
    """The ratings that this judge can no longer change, by line: those of this round in an earlier blueprint. Otherwise
    a change of the blueprint would let them judge the same line again, knowing what the others said."""
    last = panel(version).last_of(judge)
    before = version.judgements.filter(judge=judge, lines__isnull=False).exclude(blueprint=blueprint_of(version.rules))
    found: dict[str, int] = {}
    for one in before.filter(round__gte=2 if last else 1).order_by("given_at", "pk"):
        found |= dict(zip(one.lines or (), one.ratings, strict=False))
    return found


def on_record(version: ProgrammeVersion) -> list[str]:
    """Every judge's last figures, as they are logged when the version is put in force."""
    last = {one.judge_id: one for one in panel(version).judgements}
    return [f"{one.judge.name}: {', '.join(map(str, one.ratings))}" for one in last.values()]


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
    last = panel(current).last_of(by)
    round, fixed = 2 if last else 1, settled(current, by)
    given = [fixed.get(line, rating) for line, rating in zip(asked_by(rules), ratings, strict=True)]
    made = Judgement.objects.create(
        version=current,
        judge=by,
        round=round,
        ratings=given,
        blueprint=blueprint_of(rules),
        lines=asked_by(rules),
        given_at=clock.now(),
    )
    subject = f"programme:{current.programme_id}"
    # Without the figures: other judges read the log. They are logged when the version is put in force.
    record(by, "programme.judged", subject, version=current.number, round=made.round)
    return made


def verify_set(version: ProgrammeVersion) -> None:
    """Raises Refused unless at least two judges set the version's pass mark."""
    here = panel(version)
    if here.cut is None:
        raise Refused(_("At least two judges must first say what pass mark this exam needs."))
    if version.rules.pass_mark < here.cut:
        message = _("The pass mark of %(mark)d%% is below the %(cut)d%% that the judges recommend.")
        raise Refused(message % {"mark": version.rules.pass_mark, "cut": here.cut})
