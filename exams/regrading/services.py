"""What an administrator does with a regrade: start, publish, discard. Each act is one audited transaction."""

from django.db import IntegrityError, transaction
from django.utils.translation import gettext as _

import rules_engine
from exams import clock
from exams.audit.services import record
from exams.programmes import duties
from exams.programmes.models import Programme, ProgrammeVersion
from exams.regrading import dispatch, runs
from exams.regrading.models import Regrade
from exams.results.models import Result
from training.people import second_signature
from training.people.models import User
from training.platform.errors import Refused

SHORTEST, LONGEST = 10, 2000
State = Regrade.State


def start(actor: User, programme: Programme, reason: str, *, rules: ProgrammeVersion | None = None) -> Regrade:
    """Start regrading all answers of a programme; with `rules`, decide by that version."""
    reason = reason.strip()
    if not SHORTEST <= len(reason) <= LONGEST:
        raise Refused(_("Say why, in a sentence."))
    if rules and (rules.programme_id != programme.pk or rules.state == ProgrammeVersion.State.DRAFT):
        raise Refused(_("Choose a version of this programme that is or was in force."))
    try:
        return _start(actor, programme, reason, rules)
    except IntegrityError:
        raise Refused(_("A regrade of this programme is still open.")) from None


@transaction.atomic
def _start(actor: User, programme: Programme, reason: str, rules: ProgrammeVersion | None) -> Regrade:
    now = clock.now()
    regrade = Regrade.objects.create(
        programme=programme,
        rules=rules,
        reason=reason,
        engine=_versions(programme),
        started_by=actor,
        started_at=now,
        moved_at=now,
    )
    regrade.sittings_total = runs.sittings_of(regrade).count()
    if not regrade.sittings_total and _is_practical_only(programme):
        raise Refused(
            _(
                "Only practical exams have a result here, and they are not graded again. Whoever contests one appeals "
                "against its result."
            )
        )
    if not regrade.sittings_total:
        raise Refused(_("Nobody has a result in this programme yet."))
    regrade.save(update_fields=["sittings_total"])
    dispatch.wake(regrade)
    record(
        actor,
        "regrade.started",
        f"regrade:{regrade.pk}",
        programme=programme.code,
        rules=rules.number if rules else None,
        sittings=regrade.sittings_total,
        reason=reason,
    )
    return regrade


def _is_practical_only(programme: Programme) -> bool:
    found = Result.objects.filter(sitting__candidate__session__programme_version__programme=programme)
    return found.exists()  # of the theory there is none


def _versions(programme: Programme) -> str:
    """The versions of all games the programme has ever examined, as text."""
    books = {book for version in programme.versions.all() for book in version.rules.rulebooks}
    games = {rules_engine.rulebook(book).game for book in books}
    return ", ".join(sorted(f"{game.id} {game.version}" for game in games))


def verify_publish(regrade: Regrade, actor: User) -> None:
    if regrade.state != State.READY:
        raise Refused(_("Only a regrade that is ready can be published."))
    if duties.applies(duties.REGRADE):
        second_signature.verify(asked_by=regrade.started_by, signer=actor, since=regrade.started_at)
    if regrade.engine != _versions(regrade.programme):
        raise Refused(_("The engine has changed since this regrade. Discard it and run a new one."))
    if regrade.sittings.filter(changed=True, sitting__candidate__person=actor).exists():
        raise Refused(_("Your own result would change: somebody else must publish it."))


@transaction.atomic
def publish(regrade: Regrade, actor: User) -> Regrade:
    """Have the workers put the regrade's results in force."""
    current = Regrade.objects.select_for_update(no_key=True).get(pk=regrade.pk)
    verify_publish(current, actor)
    now = clock.now()
    current.state, current.settled_by, current.settled_at, current.moved_at = State.PUBLISHING, actor, now, now
    current.save(update_fields=["state", "settled_by", "settled_at", "moved_at"])
    dispatch.wake(current)
    changed = current.sittings.filter(changed=True).count()
    record(
        actor,
        "regrade.publishing",
        f"regrade:{current.pk}",
        programme=current.programme.code,
        changed=changed,
        **duties.noted(duties.REGRADE),
    )
    return current


@transaction.atomic
def discard(regrade: Regrade, actor: User) -> Regrade:
    """Delete the regrade's results and change nothing. The record that it ran, and why, stays."""
    current = Regrade.objects.select_for_update(no_key=True).get(pk=regrade.pk)
    if current.state not in (State.RUNNING, State.READY):
        raise Refused(_("It has already been published or discarded."))
    current.state, current.settled_by, current.settled_at = State.DISCARDED, actor, clock.now()
    current.save(update_fields=["state", "settled_by", "settled_at"])
    current.marks.all().delete()
    current.sittings.all().delete()
    record(actor, "regrade.discarded", f"regrade:{current.pk}", programme=current.programme.code)
    return current
