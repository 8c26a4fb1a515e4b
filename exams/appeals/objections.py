"""Objections against decisions, annulments, suspensions, withdrawals and refused entry, and complaints.

An objection is decided within the promised time by somebody who took no part in what is contested and neither taught
nor examined the person. If it is upheld, the reply says what must be done; the people who can do it get a mail and use
the ordinary pages.
"""

from datetime import datetime, timedelta
from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import Max
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from exams import clock
from exams.appeals import hooks, objection_letters
from exams.appeals.doers import regraded
from exams.appeals.hooks import Contestable, people
from exams.appeals.models import Objection
from exams.appeals.reviewers import EXAMINED, NO_REVIEWER, OWN, REVIEWERS, TAUGHT, examined, reason_for
from exams.appeals.services import TRIES, fit
from exams.audit.services import record
from exams.impartiality import IN_THEIR_HANDS, Partial, behind, taught_by
from exams.records.models import Candidate
from exams.results.models import Annulment, Result
from training.classes.teaching import teachers_of
from training.people.models import User
from training.people.vouching import behind_each
from training.platform.errors import Refused
from training.platform.folded_text import alphabetical

DECIDE_WITHIN = timedelta(days=30)  # named in the letters; documented in docs/operating.md
Kind, State = Objection.Kind, Objection.State
DID_IT = gettext_lazy("You did what is being contested, so somebody else must decide.")


def contestable(person: User, now: datetime) -> list[Contestable]:
    """What the person may object to now, the latest first. A complaint needs nothing of this."""
    found = [*_decisions(person), *_annulments(person, now), *hooks.contestable(person), *_refusals(person, now)]
    lodged = set(Objection.objects.filter(person=person).values_list("kind", "about_key"))
    open_now = [one for one in found if one.until > now and (one.kind, one.key) not in lodged]
    return sorted(open_now, key=lambda one: one.at, reverse=True)


def _named(candidate: Candidate, person: User) -> str:
    return f"{candidate.session.programme_version.name(person.language)}, {candidate.session.title}"


SESSION = "sitting__candidate__session__programme_version__programme"


def _decisions(person: User) -> list[Contestable]:
    failed = Result.objects.filter(sitting__candidate__person=person, in_force=True, passed=False)
    released = failed.filter(released_at__isnull=False, sitting__annulled_at=None).select_related(SESSION)
    regraders = regraded(person)
    return [
        Contestable(
            Kind.DECISION,
            str(one.pk),
            _named(one.sitting.candidate, person),
            one.released_at,  # type: ignore[arg-type]  # filtered
            people(one.decided_by_id) | regraders,
        )
        for one in released
    ]


def _annulments(person: User, now: datetime) -> list[Contestable]:
    decided = Annulment.objects.filter(sitting__candidate__person=person, accepted=True).select_related(SESSION)
    return [
        Contestable(
            Kind.ANNULMENT,
            str(one.pk),
            _named(one.sitting.candidate, person),
            one.decided_at or now,
            people(one.asked_by_id, one.decided_by_id),
        )
        for one in decided
        if one.annuls
    ]


def _refusals(person: User, now: datetime) -> list[Contestable]:
    """Exams to which the person was entered and which they did not sit: their word against the invigilators'."""
    unsat = Candidate.objects.filter(person=person, sitting=None, session__entry_closes_at__lt=now)
    rows = unsat.select_related("session__programme_version__programme").prefetch_related("session__invigilators")
    return [
        Contestable(
            Kind.REFUSED_ENTRY,
            str(one.pk),
            _named(one, person),
            one.session.entry_closes_at,
            frozenset({one.session.created_by_id, *(who.pk for who in one.session.invigilators.all())}),
        )
        for one in rows
    ]


# ---- lodging


def lodge(person: User, kind: str, key: str, text: str) -> Objection:
    """Lodge an objection or, with the kind COMPLAINT and no key, a complaint. Raises Refused."""
    text = fit(text)
    for _try in range(TRIES):
        try:
            return _lodge(person, kind, key, text)
        except IntegrityError:
            continue
    raise Refused(_("The register is busy. Try again in a moment."))


@transaction.atomic
def _lodge(person: User, kind: str, key: str, text: str) -> Objection:
    now, about, doers = clock.now(), "", frozenset[int]()
    if kind != Kind.COMPLAINT:
        found = next((one for one in contestable(person, now) if (one.kind, one.key) == (kind, key)), None)
        if found is None:
            raise Refused(_("This cannot be contested, or the time for it is over."))
        about, doers = found.about, found.doers
    elif Objection.objects.filter(person=person, kind=kind, state=State.LODGED).count() >= MOST_COMPLAINTS:
        raise Refused(_("Your earlier complaints are still to be answered."))
    made = Objection.objects.create(
        number=(Objection.objects.aggregate(last=Max("number"))["last"] or 0) + 1,
        kind=kind,
        person=person,
        about=about,
        about_key=key if kind != Kind.COMPLAINT else "",
        doers=sorted(doers),
        text=text,
        lodged_at=now,
        decide_by=now + DECIDE_WITHIN,
    )
    objection_letters.received(made)
    record(person, "objection.lodged", f"objection:{made.pk}", number=made.number, objection=kind, about=about)
    return made


MOST_COMPLAINTS = 5  # of one person, waiting


# ---- deciding


def why_not(person: User, found: Objection) -> str | Promise:
    """Why this person may not decide it, or ""."""
    if REVIEWERS.isdisjoint(person.roles):
        return NO_REVIEWER
    return reason_for(person, behind(person), _partial(found))


def who_may(found: Objection) -> list[User]:
    able = (
        User.objects.filter(role_grants__role__in=REVIEWERS, is_active=True)
        .distinct()
        .order_by(alphabetical("name"), "pk")
    )
    partial, hands = _partial(found), behind_each(person.pk for person in able)
    return [person for person in able if hands[person.pk].isdisjoint(partial)]


def _partial(found: Objection) -> dict[int, Any]:
    who = found.person_id
    hands = frozenset[int]().union(*behind_each(found.doers).values())
    reasons: dict[int, Any] = dict.fromkeys(taught_by({who})[who] | hands, IN_THEIR_HANDS)
    reasons |= dict.fromkeys(examined({who})[who], EXAMINED)
    reasons |= dict.fromkeys(teachers_of({who})[who], TAUGHT)
    return reasons | dict.fromkeys(found.doers, DID_IT) | {who: OWN}


@transaction.atomic
def decide(found: Objection, reviewer: User, *, upheld: bool, reply: str) -> Objection:
    current = Objection.objects.select_for_update(no_key=True).get(pk=found.pk)
    if current.state != State.LODGED:
        raise Refused(_("Somebody has already decided this."))
    if reason := why_not(reviewer, current):
        raise Partial(reason)
    current.reply, current.reviewer, current.decided_at = fit(reply), reviewer, clock.now()
    current.state = State.UPHELD if upheld else State.REJECTED
    current.save(update_fields=["reply", "reviewer", "decided_at", "state"])
    objection_letters.decided(current)
    record(
        reviewer, f"objection.{current.state}", f"objection:{current.pk}", number=current.number, objection=current.kind
    )
    return current
