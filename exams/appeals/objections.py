"""Objections against decisions, annulments, suspensions, withdrawals and refused entry, and complaints.

An objection is decided within the promised time by somebody who took no part in what is contested and neither taught
nor examined the person. If it is upheld, the reply says what must be done; the people who can do it get a mail and use
the ordinary pages.
"""

from collections.abc import Collection, Iterable
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from django.db import IntegrityError, transaction
from django.db.models import Max, Q, QuerySet
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
from exams.records.models import Candidate, KeptOut, Session
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
    found = _everything(person, now)
    lodged = set(Objection.objects.filter(person=person).values_list("kind", "about_key"))
    open_now = [one for one in found if one.until > now and (one.kind, one.key) not in lodged]
    return sorted(open_now, key=lambda one: one.at, reverse=True)


def _everything(person: User, now: datetime) -> list[Contestable]:
    return [*_decisions(person), *_annulments(person, now), *hooks.contestable(person), *_refusals(person, now)]


def complained_about(person: User, now: datetime) -> list[Contestable]:
    """What a complaint may be about: also what can no longer be contested, and every exam the person sat."""
    sat = Candidate.objects.filter(person=person, sitting__isnull=False).select_related(IN_SESSION)
    exams = [
        Contestable(
            "exam", str(one.pk), _named(one.session, person), one.session.opens_at, frozenset(_in_charge(one.session))
        )
        for one in sat.prefetch_related("session__invigilators")
    ]
    return sorted([*_everything(person, now), *exams], key=lambda one: one.at, reverse=True)


def _named(session: Session, person: User) -> str:
    return f"{session.programme_version.name(person.language)}, {session.title}"


SESSION = "sitting__candidate__session__programme_version__programme"


def _decisions(person: User) -> list[Contestable]:
    failed = Result.objects.filter(sitting__candidate__person=person, in_force=True, passed=False)
    released = failed.filter(released_at__isnull=False, sitting__annulled_at=None).select_related(SESSION)
    regraders = regraded(person)
    return [
        Contestable(
            Kind.DECISION,
            str(one.pk),
            _named(one.sitting.candidate.session, person),
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
            _named(one.sitting.candidate.session, person),
            one.decided_at or now,
            people(one.asked_by_id, one.decided_by_id),
        )
        for one in decided
        if one.annuls
    ]


def _refusals(person: User, now: datetime) -> list[Contestable]:
    """Sessions the person was removed from or refused entry to, and exams to which they were entered and which they did
    not sit: there it is their word against the invigilators'."""
    kept_out = KeptOut.objects.filter(person=person, lifted_at=None).select_related(IN_SESSION)
    unsat = Candidate.objects.filter(person=person, sitting=None, session__entry_closes_at__lt=now)
    unsat = unsat.exclude(session__in=[one.session_id for one in kept_out]).select_related(IN_SESSION)
    return [
        *(_refusal(one, person, one.at, {one.by_id, one.session.created_by_id}) for one in kept_out),
        *(
            _refusal(one, person, one.session.entry_closes_at, _in_charge(one.session))
            for one in unsat.prefetch_related("session__invigilators")
        ),
    ]


IN_SESSION = "session__programme_version__programme"


def _refusal(one: KeptOut | Candidate, person: User, at: datetime, doers: Iterable[int]) -> Contestable:
    return Contestable(Kind.REFUSED_ENTRY, str(one.pk), _named(one.session, person), at, frozenset(doers))


def _in_charge(session: Session) -> set[int]:
    return {session.created_by_id, *(who.pk for who in session.invigilators.all())}


# ---- lodging


def lodge(person: User, kind: str, key: str, text: str, *, act: str = "", who: str = "") -> Objection:
    """Lodge an objection or, with the kind COMPLAINT and no key, a complaint. A complaint may say which `act` it is
    about (kind and key, of `complained_about`) and `who`: people of this name or address do not decide it. Raises
    Refused."""
    text = fit(text)
    for _try in range(TRIES):
        try:
            if kind == Kind.COMPLAINT:
                return _complain(person, text, act, who)
            return _contest(person, kind, key, text)
        except IntegrityError:
            continue
    raise Refused(_("The register is busy. Try again in a moment."))


@transaction.atomic
def _contest(person: User, kind: str, key: str, text: str) -> Objection:
    found = next((one for one in contestable(person, clock.now()) if (one.kind, one.key) == (kind, key)), None)
    if found is None:
        raise Refused(_("This cannot be contested, or the time for it is over."))
    return _enter(person, kind, text, found.about, found.doers, key)


@transaction.atomic
def _complain(person: User, text: str, act: str, who: str) -> Objection:
    if Objection.objects.filter(person=person, kind=Kind.COMPLAINT, state=State.LODGED).count() >= MOST_COMPLAINTS:
        raise Refused(_("Your earlier complaints are still to be answered."))
    about: list[str] = []
    doers = frozenset[int]()
    if act:
        found = next((one for one in complained_about(person, clock.now()) if f"{one.kind}:{one.key}" == act), None)
        if found is None:
            raise Refused(_("Choose one of the acts, or none."))
        about, doers = [found.about], found.doers
    if who := who.strip():
        # Whether somebody of this name works here is not told; everybody it could be is kept from deciding.
        named = User.objects.filter(Q(name__iexact=who) | Q(email__iexact=who)).exclude(pk=person.pk)
        about, doers = [*about, who], doers | frozenset(named.values_list("pk", flat=True))
    return _enter(person, Kind.COMPLAINT, text, " · ".join(about)[:LONGEST_ABOUT], doers)


LONGEST_ABOUT = 300


def _enter(person: User, kind: str, text: str, about: str, doers: Iterable[int], key: str = "") -> Objection:
    """Enter it in the register."""
    now = clock.now()
    made = Objection.objects.create(
        number=(Objection.objects.aggregate(last=Max("number"))["last"] or 0) + 1,
        kind=kind,
        person=person,
        about=about,
        about_key=key,
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
    return why_not_each(person, [found])[found.pk]


def why_not_each(person: User, found: Collection[Objection]) -> dict[UUID, str | Promise]:
    """Maps each of these to why this person may not decide it, or "". Uses a constant number of queries."""
    if REVIEWERS.isdisjoint(person.roles):
        return {one.pk: NO_REVIEWER for one in found}
    partial, hands = _partial(found), behind(person) if found else frozenset[int]()
    return {one.pk: reason_for(person, hands, partial[one.pk]) for one in found}


def who_may(found: Objection) -> list[User]:
    able = (
        User.objects.filter(role_grants__role__in=REVIEWERS, is_active=True)
        .distinct()
        .order_by(alphabetical("name"), "pk")
    )
    partial, hands = _partial([found])[found.pk], behind_each(person.pk for person in able)
    return [person for person in able if hands[person.pk].isdisjoint(partial)]


def _partial(found: Collection[Objection]) -> dict[UUID, dict[int, Any]]:
    """Who may not decide each of these, with the reason."""
    if not found:
        return {}
    people = {one.person_id for one in found}
    taught, teachers, examiners = taught_by(people), teachers_of(people), examined(people)
    hands = behind_each({doer for one in found for doer in one.doers})
    partial: dict[UUID, dict[int, Any]] = {}
    for one in found:
        who = one.person_id
        behind_doers = frozenset[int]().union(*(hands[doer] for doer in one.doers))
        reasons: dict[int, Any] = dict.fromkeys(taught[who] | behind_doers, IN_THEIR_HANDS)
        reasons |= dict.fromkeys(examiners[who], EXAMINED)
        reasons |= dict.fromkeys(teachers[who], TAUGHT)
        partial[one.pk] = reasons | dict.fromkeys(one.doers, DID_IT) | {who: OWN}
    return partial


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


# ---- carrying out what was upheld


def to_do(person: User) -> QuerySet[Objection]:
    """The upheld objections that this person can carry out, the oldest first."""
    waiting = Objection.objects.filter(state=State.UPHELD, done_at=None).exclude(person=person)
    kinds = [kind for kind in Kind if objection_letters.carried_out_by(kind) in person.roles]
    return waiting.filter(kind__in=kinds).order_by("decided_at")


@transaction.atomic
def carry_out(found: Objection, by: User, *, done: str) -> Objection:
    """Record what was done about an upheld objection, and tell the person."""
    current = Objection.objects.select_for_update(no_key=True).get(pk=found.pk)
    if not to_do(by).filter(pk=current.pk).exists():
        raise Refused(_("There is nothing here that you are to carry out."))
    current.done, current.done_by, current.done_at = fit(done), by, clock.now()
    current.save(update_fields=["done", "done_by", "done_at"])
    objection_letters.carried_out(current)
    record(by, "objection.carried_out", f"objection:{current.pk}", number=current.number, objection=current.kind)
    return current
