"""Queries for certificates: the holder's own, any for HR, and one by its code for anybody."""

from dataclasses import dataclass
from datetime import date, timedelta
from uuid import UUID

from django.db.models import Prefetch, QuerySet

from exams import clock
from exams.certificates import lifecycle
from exams.certificates.issuance import ALPHABET, CODE_LENGTH
from exams.certificates.lifecycle import Standing
from exams.certificates.models import Act, Certificate
from exams.certificates.printing import Parts, in_words, parts, printed
from exams.results.hooks import Certified
from rules_engine.narration import book_name
from training.people.models import Role, User

# The colour of each standing; the words are always shown too.
TONES = {
    Standing.VALID: "good",
    Standing.NOT_YET: "accent",
    Standing.SUSPENDED: "warn",
    Standing.EXPIRED: "",
    Standing.WITHDRAWN: "bad",
    Standing.REPLACED: "",
}


@dataclass(frozen=True)
class Shown:
    """A certificate as pages show it today, in the viewer's language."""

    certificate: Certificate
    standing: Standing
    tone: str
    programme: str
    books: list[str]
    laws: list[str]  # the versions of the law it cites, in words
    parts: Parts | None  # when theory and practice were sat, if there were both
    days_left: int
    # From when a renewal continues from the end; None if it cannot be renewed.
    renewable_from: date | None = None
    # Why it is not valid, as the holder was told.
    reason: str = ""


def certificates() -> QuerySet[Certificate]:
    return Certificate.objects.select_related("programme_version__programme")


def own(person: User, language: str) -> list[Shown]:
    """A person's certificates by standing, the valid ones first, each group newest first."""
    acts = Prefetch("acts", Act.objects.order_by("number"), to_attr="story")
    held = certificates().filter(holder=person).prefetch_related(acts).order_by("-granted_at", "-number")
    order = list(Standing)
    return sorted((shown(certificate, language) for certificate in held), key=lambda one: order.index(one.standing))


def of_sitting(sitting_id: UUID) -> Certified | None:
    """The certificate a sitting led to, or None; the latest if it was reissued."""
    found = certificates().filter(result__sitting=sitting_id).order_by("-granted_at", "-number").first()
    if found is None:
        return None
    standing = lifecycle.standing(found, clock.today())
    return Certified(found.pk, found.number, found.code, str(standing.label), TONES[standing])


OVERSEERS = frozenset({Role.HR, Role.AUDITOR})


def readable(person: User, certificate_id: UUID) -> Certificate | None:
    """The certificate, if this person is its holder, HR or an auditor; otherwise None."""
    found = certificates().select_related("holder").filter(pk=certificate_id)
    return found.first() if not person.roles.isdisjoint(OVERSEERS) else found.filter(holder=person).first()


@dataclass(frozen=True, kw_only=True)
class Checked:
    """What a stranger with the code sees: the certificate's contents and what it is worth today."""

    number: str
    name: str
    programme: str
    books: dict[str, str]  # the rulebooks' names by their ids
    laws: list[str]  # the versions of the law it cites, in words
    parts: Parts | None
    valid_from: date
    valid_until: date
    standing: Standing
    tone: str
    issuer: str


def by_code(typed: str, language: str) -> Checked | None:
    """The certificate with this code, or None. Malformed codes are looked up too, so timing does not distinguish them
    from unknown ones; only what is shown is read."""
    rows = Certificate.objects.filter(code=plain_code(typed)).values_list(
        *(
            "number",
            "holder_name",
            "scope",
            "state",
            "valid_from",
            "valid_until",
            "programme_version__names",
            "printed",
        ),
        named=True,
    )
    for row in rows:
        standing = lifecycle.standing(row, clock.today())
        names = row.programme_version__names
        return Checked(
            number=row.number,
            name=row.holder_name,
            programme=names.get(language) or next(iter(names.values()), ""),
            books={book: book_name(book, language) for book in row.scope},
            laws=in_words(row.printed, row.scope),
            parts=parts(row.printed),
            valid_from=row.valid_from,
            valid_until=row.valid_until,
            standing=standing,
            tone=TONES[standing],
            issuer=printed(row.printed).issuer,
        )
    return None


def plain_code(typed: str) -> str:
    """The code as stored: upper case, without separators, capped just above a code's length."""
    return "".join(sign for sign in typed.upper()[:64] if sign in ALPHABET)[: CODE_LENGTH + 1]


def shown(certificate: Certificate, language: str) -> Shown:
    today = clock.today()
    standing = lifecycle.standing(certificate, today)
    rules = certificate.programme_version.rules
    story: list[Act] = getattr(certificate, "story", [])
    moves = [act for act in story if act.state_before != act.state_after]
    reason = moves[-1].reason if moves and standing in (Standing.SUSPENDED, Standing.WITHDRAWN) else ""
    return Shown(
        certificate=certificate,
        standing=standing,
        tone=TONES[standing],
        programme=certificate.programme_version.name(language),
        books=[book_name(book, language) for book in certificate.scope],
        laws=in_words(certificate.printed, certificate.scope),
        parts=parts(certificate.printed),
        days_left=(certificate.valid_until - today).days,
        renewable_from=certificate.valid_until - timedelta(days=rules.renewal_days)
        if standing == Standing.VALID
        else None,
        reason=reason,
    )
