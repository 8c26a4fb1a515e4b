"""Issue or suspend many certificates with one reason.

Each is an act of its own, as if done alone: one that fails is reported and does not affect the others.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from exams import clock
from exams.certificates import issuance, services, unconfirmed_identity
from exams.certificates.lifecycle import standing
from exams.certificates.models import Certificate, IssueRequest
from exams.records import names
from training.people.models import User
from training.people.request import language
from training.platform.errors import Refused, why_not
from training.platform.folded_text import alphabetical

MOST = 100


@dataclass(frozen=True)
class Line:
    """One chosen certificate on the confirmation page; `why_not` says why it cannot be done."""

    key: UUID
    name: str
    number: str
    programme: str
    told: str = ""
    unchecked: bool = False
    why_not: str = ""


@dataclass(frozen=True)
class Done:
    """How many were done, how many wait for a second person, and who was refused and why."""

    count: int
    refused: list[tuple[str, str]]
    waiting: int = 0


def keys(given: Iterable[str]) -> list[UUID]:
    """The distinct valid ids, at most MOST."""
    found: dict[UUID, None] = {}
    for text in given:
        try:
            found[UUID(text)] = None
        except ValueError:
            continue
    return list(found)[:MOST]


# ---- issuing


def to_issue(chosen: Sequence[UUID], by: User) -> list[Line]:
    found = list(issuance.waiting().filter(pk__in=chosen))
    printed = names.printed_of([result.sitting.candidate for result in found])
    return [
        Line(
            result.pk,
            printed[result.sitting.candidate_id],
            "",
            result.programme_version.name(language()),
            unchecked=unconfirmed_identity.needs_two(result),
            why_not=why_not(unconfirmed_identity.verify_issue_or_ask, result, by),
        )
        for result in found
    ]


def issue(chosen: Sequence[UUID], *, by: User, reason: str) -> Done:
    """Issue the certificates whose identity was checked, and request the others from a second person."""
    waiting: list[IssueRequest] = []

    def one(result: Any) -> None:
        made = unconfirmed_identity.issue_or_ask(result=result, by=by, reason=reason)
        if isinstance(made, IssueRequest):
            waiting.append(made)

    found = list(issuance.waiting().filter(pk__in=chosen))
    done = _each([(result.sitting.candidate.person.name, result) for result in found], one)
    return Done(done.count - len(waiting), done.refused, len(waiting))


# ---- suspending


def _certificates(chosen: Sequence[UUID]) -> list[Certificate]:
    found = Certificate.objects.select_related("programme_version__programme", "holder", "result__sitting")
    return list(found.filter(pk__in=chosen).order_by(alphabetical("holder__name"), "number"))


def to_suspend(chosen: Sequence[UUID], by: User) -> list[Line]:
    return [
        Line(
            each.pk,
            each.holder.name,
            each.number,
            each.programme_version.name(language()),
            told=str(standing(each, clock.today()).label),
            why_not=why_not(services.verify_suspend, each, by),
        )
        for each in _certificates(chosen)
    ]


def suspend(chosen: Sequence[UUID], *, by: User, reason: str) -> Done:
    def one(certificate: Any) -> None:
        services.suspend(certificate=certificate, actor=by, reason=reason)

    return _each([(f"{each.holder.name}, {each.number}", each) for each in _certificates(chosen)], one)


def _each(things: list[tuple[str, Any]], act: Callable[[Any], None]) -> Done:
    refused = []
    for name, thing in things:
        if why := _refusal(lambda thing=thing: act(thing)):  # type: ignore[misc]
            refused.append((name, why))
    return Done(len(things) - len(refused), refused)


def _refusal(act: Callable[[], None]) -> str:
    try:
        act()
    except services.UnfitReason:
        raise  # the same for all, so the form reports it
    except Refused as refusal:
        return str(refusal)
    return ""
