"""Who may be a candidate, and entering and removing candidates, one by one or by list."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.db import transaction
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.db.models.functions import Lower
from django.utils import timezone
from django.utils.translation import gettext as _

from exams import clock, impartiality
from exams.audit.services import record
from exams.exam_sessions import hooks, letters, parts, setup
from exams.exam_sessions.setup import MOST_CANDIDATES, verify_draft
from exams.papers import late
from exams.programmes.eligibility import eligibility
from exams.programmes.models import ProgrammeVersion
from exams.records import entry
from exams.records.models import Candidate, KeptOut, Session, Sitting
from exams.results.held_scores import held_back
from exams.results.selectors import passed_among
from training.classes.models import Enrolment, Taught, TrainingClass
from training.classes.selectors import roster
from training.people.models import Role, RoleGrant, User
from training.platform.errors import Refused, RowError, UnfitList
from training.platform.folded_text import alphabetical

MAX_BYTES = 64 * 1024
LONGEST_REASON = 500
MOST_NAMED = 12  # people listed in one sentence


@dataclass(frozen=True)
class Tries:
    """How often somebody has sat the programme's exam since last passing it, and when last. Attempts that were given
    back do not count."""

    count: int = 0
    last: datetime | None = None


def tries_of(people: Sequence[int], programme_id: UUID, part: str = Session.Part.THEORY) -> dict[int, Tries]:
    """The tries of each person at one part of the programme, with one query."""
    sat = Sitting.objects.filter(
        candidate__person__in=people,
        candidate__session__programme_version__programme=programme_id,
        candidate__session__part=part,
        try_back=False,
    )
    found: dict[int, Tries] = dict.fromkeys(people, Tries())
    ended = passed_among(sat)
    for pk, person, started in sat.order_by("started_at").values_list("pk", "candidate__person_id", "started_at"):
        count = 0 if pk in ended else found[person].count + 1
        found[person] = Tries(count, started)
    return found


@dataclass(frozen=True)
class Circumstances:
    """Everything that decides who may be a candidate, loaded for all people at once."""

    session: Session
    by: User
    now: datetime
    trainees: frozenset[int]
    behind: frozenset[int]  # the holder, the person entering, and anybody who could control their accounts
    taught: frozenset[int]  # taught by the holder, if the programme forbids examining them
    invigilators: frozenset[int]
    elsewhere: frozenset[int]
    tries: dict[int, Tries]
    first_part: frozenset[int] | None  # who has passed the part that comes first; None if this part need not wait
    to_refresh: frozenset[int] | None  # holders of what a refresher brings up to date; None for any other exam


def circumstances(session: Session, people: Sequence[int], by: User, now: datetime) -> Circumstances:
    """Loads the circumstances. Locks the people until the transaction ends, so nobody enters them elsewhere
    meanwhile."""
    list(User.objects.select_for_update(no_key=True).filter(pk__in=people).order_by("pk"))
    programme, refreshes = session.programme_version.programme_id, session.programme_version.rules.refreshes
    trainees = RoleGrant.objects.filter(user__in=people, role=Role.TRAINEE).values_list("user_id", flat=True)
    return Circumstances(
        session=session,
        by=by,
        now=now,
        trainees=frozenset(trainees),
        behind=impartiality.behind(session.created_by) | impartiality.behind(by),
        taught=frozenset(conflict_of(session.created_by, session.programme_version, people)),
        invigilators=frozenset(session.invigilators.values_list("pk", flat=True)),
        elsewhere=_open_elsewhere(people, session, now),
        tries=tries_of(people, programme, session.part),
        first_part=parts.first_part_passed(people, session),
        to_refresh=hooks.holders(people, refreshes) if refreshes else None,
    )


def _open_elsewhere(people: Sequence[int], session: Session, now: datetime) -> frozenset[int]:
    """People who may still begin another session of the programme, or whose result of one is not known yet."""
    others = Candidate.objects.filter(
        person__in=people,
        session__programme_version__programme=session.programme_version.programme_id,
        session__part=session.part,
    ).exclude(session=session)
    others = others.exclude(session__state=Session.State.CANCELLED)
    to_begin = Q(sitting=None, session__entry_closes_at__gt=now)
    under_way = Q(sitting__isnull=False, sitting__graded_at=None, sitting__annulled_at=None)
    taken = frozenset(others.filter(to_begin | under_way).values_list("person_id", flat=True))
    return taken | _results_held_back(others)


def _results_held_back(candidates: QuerySet[Candidate]) -> frozenset[int]:
    """People whose result is held back: when they may sit again would reveal whether they passed."""
    graded = candidates.filter(sitting__results__in_force=True, sitting__results__released_at=None)
    people = dict(graded.values_list("sitting", "person_id"))
    return frozenset(people[sitting] for sitting in held_back(people))


def objections(person: User, around: Circumstances) -> Iterator[str]:
    """Every reason why this person may not be a candidate of this session."""
    if not person.is_active:
        yield _("%(name)s may no longer sign in.") % {"name": person.name}
    if person.pk not in around.trainees:
        yield _("%(name)s is not a trainee.") % {"name": person.name}
    yield from _partial(person, around)
    if person.pk in around.invigilators:
        yield _("%(name)s invigilates this session.") % {"name": person.name}
    if person.pk in around.elsewhere:
        yield _("%(name)s is a candidate in another session of this programme.") % {"name": person.name}
    else:
        yield from _too_many_or_too_soon(person, around)
    if around.first_part is not None and person.pk not in around.first_part:
        yield (
            _("%(name)s must pass the theory first.")
            if around.session.is_practical
            else _("%(name)s must pass the practical exam first.")
        ) % {"name": person.name}
    if around.to_refresh is not None and person.pk not in around.to_refresh:
        yield _("%(name)s has no valid certificate on an earlier version, so a refresher is not enough.") % {
            "name": person.name
        }
    yield from eligibility(person, around.session.programme_version, around.now).reasons


def _partial(person: User, around: Circumstances) -> Iterator[str]:
    holder = around.session.created_by
    if person.pk in (holder.pk, around.by.pk):
        yield _("%(name)s is in charge of this session: nobody can examine themselves.") % {"name": person.name}
    elif person.pk in around.behind:
        message = _(
            "%(name)s created the account of whoever is in charge of this session, or changed how they sign in."
        )
        yield message % {"name": person.name}
    elif person.pk in around.taught:
        message = _(
            "%(name)s was taught by %(holder)s; in this programme somebody else must be in charge of the session."
        )
        yield message % {"name": person.name, "holder": holder.name}


def _too_many_or_too_soon(person: User, around: Circumstances) -> Iterator[str]:
    rules, tries = around.session.programme_version.rules, around.tries[person.pk]
    if tries.count >= rules.tries:
        message = _("%(name)s has used all %(tries)d attempts of the programme.")
        yield message % {"name": person.name, "tries": rules.tries}
    elif tries.count and tries.last:
        # Calendar days in house time: after sitting on the 1st, one may sit again on the 15th at any hour.
        house = timezone.get_default_timezone()
        again = timezone.localdate(tries.last, house) + timedelta(days=rules.wait_days)
        if timezone.localdate(around.session.opens_at, house) < again:
            message = _("%(name)s sat this exam not long ago and may sit it again from %(date)s.")
            yield message % {"name": person.name, "date": again.isoformat()}


@transaction.atomic
def enter(session: Session, person: User, by: User, *, reason: str = "") -> Candidate:
    """Enter one candidate: into a session being set up, or for a reason into one whose papers are made, with a paper of
    their own. Raises Refused."""
    session, why = verify_open(session, by, reason)
    if session.candidates.filter(person=person).exists():
        raise Refused(_("%(name)s is already a candidate.") % {"name": person.name})
    if reasons := list(objections(person, circumstances(session, [person.pk], by, clock.now()))):
        raise Refused(" ".join(reasons))
    _verify_room(session, 1)
    made = _enter(session, [person], by, **why)[0]
    if why:
        letters.tell_soon(session.pk)
    return made


def verify_open(session: Session, by: User, reason: str) -> tuple[Session, dict[str, str]]:
    """The locked session and, if its papers are made already, the reason for the record. Raises Refused."""
    session, reason = setup.locked(session, by), reason.strip()
    if session.state == Session.State.DRAFT:
        return session, {}
    if session.state != Session.State.READY or session.is_practical or clock.now() >= session.entry_closes_at:
        raise Refused(_("The session is no longer being set up. Take it back to set-up to change it."))
    if not reason or len(reason) > LONGEST_REASON:
        message = _("The papers have already been made: say why, in at most %(most)d characters.")
        raise Refused(message % {"most": LONGEST_REASON})
    return session, {"reason": reason}


def _enter(session: Session, people: Sequence[User], by: User, **why: str) -> list[Candidate]:
    """Enter locked people under their accounts' current names, which certificates print."""
    names = dict(User.objects.filter(pk__in=[who.pk for who in people]).values_list("pk", "name"))
    made = Candidate.objects.bulk_create(
        Candidate(session=session, person=who, name=names[who.pk], entered_by=by) for who in people
    )
    if why:
        for candidate in made:
            late.add_paper(candidate)
    entry.lift(session, people, by=by)
    if made:
        record(by, "session.candidate_entered", setup.subject(session), people=[who.pk for who in people], **why)
    return made


@transaction.atomic
def remove(session: Session, candidate_id: UUID, by: User, *, reason: str = "") -> User:
    """Remove a candidate who has not begun; once the papers are made only for a reason, which stays on record."""
    session, why = verify_open(session, by, reason)
    candidate = session.candidates.select_related("person").get(pk=candidate_id)
    # `sitting.begin` takes the same lock.
    User.objects.select_for_update(no_key=True).get(pk=candidate.person_id)
    if Sitting.objects.filter(candidate=candidate).exists():
        raise Refused(_("%(name)s has already begun.") % {"name": candidate.person.name})
    late.drop_paper(candidate)
    told = candidate.told_at is not None
    candidate.delete()
    entry.keep_out(session, candidate.person, KeptOut.Kind.REMOVED, by=by, reason=reason.strip())
    if told:
        letters.tell_removed(session.pk, [candidate.person_id])
    record(by, "session.candidate_removed", setup.subject(session), people=[candidate.person_id], **why)
    return candidate.person


def _verify_room(session: Session, more: int) -> None:
    if session.candidates.count() + more > MOST_CANDIDATES:
        raise Refused(_("A session has at most %(most)d candidates.") % {"most": MOST_CANDIDATES})


@transaction.atomic
def enter_list(session: Session, text: str, by: User) -> list[Candidate]:
    """Enter everybody on a list of email addresses, or nobody. Raises UnfitList with the errors by row.

    Existing candidates stay.
    """
    session = verify_draft(session, by)
    people = _listed(session, text, by)
    inside = set(session.candidates.values_list("person_id", flat=True))
    new = [person for person in people if person.pk not in inside]
    _verify_room(session, len(new))
    return _enter(session, new, by)


@dataclass(frozen=True)
class ClassEntry:
    """The outcome of entering a class: new candidates, who may not sit and why, and who else could hold the session."""

    made: list[Candidate]
    kept_out: list[RowError]
    instead: list[User]


@transaction.atomic
def enter_class(session: Session, room: TrainingClass, by: User) -> ClassEntry:
    """Enter everybody in a class who may sit this exam. Existing candidates stay."""
    session = verify_draft(session, by)
    inside = set(session.candidates.values_list("person_id", flat=True))
    people = [who for who in roster(room) if who.pk not in inside]
    around = circumstances(session, [who.pk for who in people], by, clock.now())
    kept_out = {who.pk: reasons for who in people if (reasons := list(objections(who, around)))}
    fit = [who for who in people if who.pk not in kept_out]
    _verify_room(session, len(fit))
    made = _enter(session, fit, by)
    errors = [RowError(0, who.name, " ".join(kept_out[who.pk])) for who in people if who.pk in kept_out]
    conflict = conflict_of(session.created_by, session.programme_version, [who.pk for who in people])
    return ClassEntry(made, errors, impartiality.who_could(session.programme_version, conflict) if conflict else [])


def conflict_of(holder: User, version: ProgrammeVersion, people: Sequence[int]) -> list[int]:
    """The people among these whom the holder taught, if the programme forbids examining them."""
    if version.rules.taught_may_examine:
        return []
    teachers, hands = impartiality.taught_by(people), impartiality.behind(holder)
    return [pk for pk in people if not hands.isdisjoint(teachers[pk])]


def classes_closed_to(holder: User, version: ProgrammeVersion) -> list[TrainingClass]:
    """The holder's open classes of which nobody can be entered in this programme."""
    if version.rules.taught_may_examine:
        return []
    taught = Taught.objects.filter(trainee=OuterRef("trainee"), teacher__in=impartiality.behind(holder))
    inside = Enrolment.objects.filter(training_class=OuterRef("pk"), left_at=None)
    all_taught = Exists(inside) & ~Exists(inside.exclude(Exists(taught)))
    own = Q(made_by=holder) | Q(instructors=holder) | Q(all_taught)
    return list(TrainingClass.objects.filter(own, closed_at=None).distinct().order_by(alphabetical("name"), "pk"))


def verify_holder(holder: User, version: ProgrammeVersion, room: TrainingClass) -> None:
    """Raises Refused if the holder taught somebody in the class, naming who else could hold the session."""
    people = {who.pk: who for who in roster(room)}
    conflict = conflict_of(holder, version, list(people))
    if not conflict:
        return
    names = {
        "names": ", ".join(people[pk].name for pk in conflict[:MOST_NAMED]),
        "others": ", ".join(who.name for who in impartiality.who_could(version, conflict)[:MOST_NAMED]),
    }
    if not names["others"]:
        raise Refused(
            _(
                "You taught %(names)s. In this programme somebody else must be in charge of the session; at "
                "present nobody can be."
            )
            % names
        )
    raise Refused(
        _(
            "You taught %(names)s. In this programme somebody else must be in charge of the session: it could be "
            "%(others)s."
        )
        % names
    )


def _listed(session: Session, text: str, by: User) -> list[User]:
    if len(text.encode()) > MAX_BYTES or "\x00" in text:
        raise UnfitList([RowError(0, "", _("The list is too long or has a character that cannot be stored."))])
    rows = [(number, line.strip().lower()) for number, line in enumerate(text.splitlines(), 1) if line.strip()]
    if not rows:
        raise UnfitList([RowError(0, "", _("The list is empty."))])
    if len(rows) > MOST_CANDIDATES:
        raise UnfitList([RowError(0, "", _("The list has more than %(limit)d rows.") % {"limit": MOST_CANDIDATES})])
    known = {
        person.email.lower(): person
        for person in User.objects.annotate(address=Lower("email")).filter(address__in=[email for _n, email in rows])
    }
    around = circumstances(session, [person.pk for person in known.values()], by, clock.now())
    errors: list[RowError] = []
    first: dict[str, int] = {}
    for number, email in rows:
        reasons = list(_row_objections(email, known.get(email), first, around))
        first.setdefault(email, number)
        errors += [RowError(number, "email", reason, name=_("E-mail")) for reason in reasons]
    if errors:
        raise UnfitList(errors)
    return [known[email] for _number, email in rows]


def _row_objections(email: str, person: User | None, first: dict[str, int], around: Circumstances) -> Iterator[str]:
    if email in first:
        yield _("is already in row %(row)d") % {"row": first[email]}
    elif person is None:
        try:
            validate_email(email)
        except ValidationError as error:
            yield str(error.messages[0])
        else:
            yield _("nobody here has this address")
    else:
        yield from objections(person, around)


def verify_all(session: Session, by: User, now: datetime) -> None:
    """Check every candidate again before the forms are made. Raises UnfitList."""
    people = [
        one.person for one in session.candidates.select_related("person").order_by(alphabetical("person__name"), "pk")
    ]
    around = circumstances(session, [person.pk for person in people], by, now)
    errors = [RowError(0, person.name, reason) for person in people for reason in objections(person, around)]
    if errors:
        raise UnfitList(errors)
