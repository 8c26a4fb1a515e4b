"""House rulings: how the house reads an open question of a rulebook, and its procedures where a rulebook is silent.
Recorded, signed by a second person, withdrawn, which takes two people again.

Once recorded it applies to practice, once signed also to exams. Existing cases keep the reading they were made under.
"""

from datetime import date
from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import Max
from django.utils.translation import gettext_lazy as _

from exams import clock
from exams.audit.services import record
from rules_engine import RULEBOOKS
from training.house.models import ONLY, House, HouseRuling
from training.house.readings import text_of
from training.house.selectors import current
from training.library import tasks
from training.mastery import services as mastery
from training.people import second_signature
from training.people.models import Role, User
from training.people.request import language
from training.platform.broker import send_on_commit
from training.platform.errors import Refused, Unfit

DECIDERS = (Role.INSTRUCTOR, Role.ADMINISTRATOR)
MOST_REASON = 1000
MOST_DECIDER = 200


class UnfitRuling(Unfit):
    def __init__(self, field: str, reason: object) -> None:
        self.field = field
        super().__init__(str(reason))


def verify_decides(by: User) -> None:
    if not User.objects.filter(pk=by.pk, is_active=True, role_grants__role__in=DECIDERS).exists():
        raise Refused(_("Only instructors and administrators can record how the house reads a rulebook."))


@transaction.atomic
def adopt(
    *, by: User, rulebook: str, question: str, choice: str, decided_by: str, decided_on: date, reason: str
) -> HouseRuling:
    """Record how the house reads an open question; practice follows from now on. An empty `choice` confirms the
    recorded reading."""
    verify_decides(by)
    _verify_known(rulebook, question, choice)
    _verify_day(decided_on)
    found = _kept(
        rulebook=rulebook,
        question=question,
        choice=choice,
        decided_by=_required("decided_by", decided_by, MOST_DECIDER),
        decided_on=decided_on,
        reason=_required("reason", reason, MOST_REASON),
        recorded_by=by,
        recorded_at=clock.now(),
    )
    _follow()
    _log("reading.adopted", found, by)
    return found


@transaction.atomic
def adopt_procedure(
    *, by: User, rulebook: str, kind: str, choice: str, decided_by: str, decided_on: date, words: str = ""
) -> HouseRuling:
    """Adopt a procedure for an incident on which the rulebook is silent, under the next number; practice follows from
    now on. What trainees remember of a different former procedure is forgotten."""
    verify_decides(by)
    book = RULEBOOKS.get(rulebook)
    if book is None or kind not in book.silences:
        raise Refused(_("The rulebook is not silent about this."))
    if choice not in book.silences[kind].options:
        raise UnfitRuling("choice", _("Choose one of the decisions."))
    _verify_day(decided_on)
    said = words.strip()
    if len(said) > MOST_REASON:
        raise UnfitRuling("words", _("At most %(most)d characters.") % {"most": MOST_REASON})
    before = HouseRuling.objects.filter(rulebook=rulebook, question=kind).order_by("-pk").first()
    found = _kept(
        rulebook=rulebook,
        question=kind,
        choice=choice,
        number=_next_number(),
        words=said,
        decided_by=_required("decided_by", decided_by, MOST_DECIDER),
        decided_on=decided_on,
        recorded_by=by,
        recorded_at=clock.now(),
    )
    if before is None or before.choice != choice:
        mastery.forget(rulebook, kind)
    _follow()
    _log("procedure.adopted", found, by, choice=choice, words=said)
    return found


def _next_number() -> int:
    """The number of the next procedure. Locks the house, so that two never get the same; numbers are not used again."""
    House.objects.get_or_create(pk=ONLY, defaults={"name": current().name})
    House.objects.select_for_update(no_key=True).get(pk=ONLY)
    return (HouseRuling.objects.aggregate(last=Max("number"))["last"] or 0) + 1


def _kept(**values: Any) -> HouseRuling:
    try:
        with transaction.atomic():
            return HouseRuling.objects.create(**values)
    except IntegrityError:
        raise Refused(_("The house already has a ruling on this. Withdraw it first.")) from None


def _verify_day(decided_on: date) -> None:
    if decided_on > clock.now().date():
        raise UnfitRuling("decided_on", _("That day is in the future."))


@transaction.atomic
def sign(ruling_id: int, by: User) -> HouseRuling:
    """Add the second signature; exams follow from now on."""
    verify_decides(by)
    found = _locked(ruling_id)
    if found.signed_by_id is not None:
        raise Refused(_("Two people have already signed it."))
    second_signature.verify(asked_by=found.recorded_by, signer=by, since=found.recorded_at)
    found.signed_by, found.signed_at = by, clock.now()
    found.save(update_fields=["signed_by", "signed_at"])
    _log("procedure.signed" if found.is_procedure else "reading.signed", found, by)
    return found


@transaction.atomic
def withdraw(ruling_id: int, by: User, reason: str) -> HouseRuling:
    """Ask to withdraw a ruling that two people signed: it stays in force until a second person signs that too. One that
    a single person signed is withdrawn at once."""
    verify_decides(by)
    found = _locked(ruling_id)
    if found.withdrawal_waits:
        raise Refused(_("Somebody has already asked to withdraw it; a second person must sign."))
    found.withdrawn_because = _required("reason", reason, MOST_REASON)
    if found.signed_by_id is None:
        return _withdrawn(found, by)
    found.withdrawal_asked_by, found.withdrawal_asked_at = by, clock.now()
    found.save(update_fields=["withdrawal_asked_by", "withdrawal_asked_at", "withdrawn_because"])
    _log(
        "procedure.withdrawal_asked" if found.is_procedure else "reading.withdrawal_asked",
        found,
        by,
        reason=found.withdrawn_because,
    )
    return found


@transaction.atomic
def sign_withdrawal(ruling_id: int, by: User) -> HouseRuling:
    """Add the second signature to a withdrawal: the recorded reading applies again or, for a procedure, the floor
    manager decides."""
    verify_decides(by)
    found = _withdrawal(ruling_id)
    second_signature.verify(asked_by=found.withdrawal_asked_by, signer=by, since=found.withdrawal_asked_at)
    return _withdrawn(found, by)


@transaction.atomic
def keep(ruling_id: int, by: User) -> HouseRuling:
    """Turn down the request to withdraw a ruling, or take it back; it stays in force."""
    verify_decides(by)
    found = _withdrawal(ruling_id)
    reason, found.withdrawn_because = found.withdrawn_because, ""
    found.withdrawal_asked_by = found.withdrawal_asked_at = None
    found.save(update_fields=["withdrawal_asked_by", "withdrawal_asked_at", "withdrawn_because"])
    _log("procedure.kept" if found.is_procedure else "reading.kept", found, by, reason=reason)
    return found


def _withdrawal(ruling_id: int) -> HouseRuling:
    found = _locked(ruling_id)
    if not found.withdrawal_waits:
        raise Refused(_("Nobody has asked to withdraw it."))
    return found


def _withdrawn(found: HouseRuling, by: User) -> HouseRuling:
    found.withdrawn_by, found.withdrawn_at = by, clock.now()
    found.save(update_fields=["withdrawn_by", "withdrawn_at", "withdrawn_because"])
    _follow()
    _log(
        "procedure.withdrawn" if found.is_procedure else "reading.withdrawn", found, by, reason=found.withdrawn_because
    )
    return found


def _log(act: str, found: HouseRuling, by: User, **more: Any) -> None:
    record(by, act, f"reading:{found.pk}", **_named(found) | more)


def _locked(ruling_id: int) -> HouseRuling:
    found = HouseRuling.objects.select_for_update(no_key=True).filter(pk=ruling_id).first()
    if found is None or found.withdrawn_at is not None:
        raise Refused(_("This ruling of the house is no longer in force."))
    return found


def _verify_known(rulebook: str, question: str, choice: str) -> None:
    book = RULEBOOKS.get(rulebook)
    if book is None or question not in book.open_questions:
        raise Refused(_("The rulebook has no such open question."))
    if choice and choice not in book.game.others(question):
        raise UnfitRuling("choice", _("The engine does not know this reading."))


def _required(field: str, given: str, most: int) -> str:
    said = " ".join(given.split())
    if not said:
        raise UnfitRuling(field, _("Write something here."))
    if len(said) > most:
        raise UnfitRuling(field, _("At most %(most)d characters.") % {"most": most})
    return said


def _follow() -> None:
    """Suspend published scenarios that the house now rules differently."""
    send_on_commit(tasks.check_published)


def _named(ruling: HouseRuling) -> dict[str, Any]:
    """What the log says about a ruling. Of a procedure that includes the text signed, which a later release may word
    otherwise."""
    named = {"rulebook": ruling.rulebook, "question": ruling.question, "reason": ruling.reason}
    if not ruling.is_procedure:
        return named
    return named | {"number": ruling.number, "text": text_of(ruling, language())}
