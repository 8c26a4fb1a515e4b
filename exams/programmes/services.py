"""Acts on programmes. Each is one transaction with an audit entry.

Only its author edits a draft and only somebody else publishes it; published versions never change.
"""

import re
from datetime import datetime
from typing import Any

import msgspec
from django.conf import settings
from django.db import IntegrityError, transaction
from django.utils.translation import gettext as _

from exams import clock
from exams.audit.services import record
from exams.programmes import duties, exam_tables, law, standard, supplies, validation
from exams.programmes.models import Examiner, Programme, ProgrammeVersion
from exams.programmes.rules import BadRules, Rules, rules_from
from exams.programmes.validation import Fault
from training.people import second_signature
from training.people.models import Role, User
from training.people.request import language_name
from training.platform.engine_json import document
from training.platform.errors import ChangedMeanwhile, Refused, Unfit

State = ProgrammeVersion.State
WRITERS = frozenset({Role.INSTRUCTOR, Role.ADMINISTRATOR})
LONGEST_CODE = 32
CODE = re.compile(r"[A-Z0-9]+(-[A-Z0-9]+)*")


class UnfitDraft(Unfit):
    """A draft that cannot be saved or published; `faults` says what is wrong in which field."""

    def __init__(self, faults: list[Fault]) -> None:
        self.faults = faults
        super().__init__(" ".join(fault.message for fault in faults))


@transaction.atomic
def create_programme(author: User, *, code: str, names: dict[str, str], rules: Rules) -> ProgrammeVersion:
    """Create a programme with its first draft. Raises UnfitDraft."""
    verify_writer(author)
    return create_unverified(author, code=code, names=names, rules=rules)


@transaction.atomic
def create_unverified(author: User, *, code: str, names: dict[str, str], rules: Rules) -> ProgrammeVersion:
    """The same for callers that decide themselves who may draft. Raises UnfitDraft."""
    code, rules = code.strip().upper(), exam_tables.completed(rules)
    _verify_fit(names, rules, [*_code_faults(code), *_table_faults(rules, {})])
    try:
        with transaction.atomic():
            programme = Programme.objects.create(code=code)
    except IntegrityError:  # taken concurrently
        raise UnfitDraft([_code_taken()]) from None
    made = ProgrammeVersion.objects.create(
        programme=programme, names=_named(names), rules_document=document(rules), author=author
    )
    supplies.count_soon(made)
    record(author, "programme.created", subject(programme), code=code)
    return made


def _table_faults(rules: Rules, kept: exam_tables.Named) -> list[Fault]:
    """A programme may name only tables of the house, so that whoever puts it in force knows them."""
    text = _("The house has no table “%(table)s” as it is named here.")
    return [Fault("tables", text % {"table": table.name}) for _book, table in exam_tables.foreign(rules, kept)]


def _code_faults(code: str) -> list[Fault]:
    if len(code) > LONGEST_CODE or not CODE.fullmatch(code):
        return [Fault("code", _("Letters and digits with hyphens between them, e.g. CDF-PT."))]
    if Programme.objects.filter(code__iexact=code).exists():
        return [_code_taken()]
    return []


def _code_taken() -> Fault:
    return Fault("code", _("Another programme has this code."))


@transaction.atomic
def new_version(programme: Programme, by: User) -> ProgrammeVersion:
    """Create a draft as a copy of the version in force, for the versions of the law in force today."""
    verify_writer(by)
    _lock(programme)
    versions = {version.state: version for version in programme.versions.order_by("number")}
    if State.DRAFT in versions:
        raise Refused(_("There is a draft already; it must be published or discarded first."))
    if State.PUBLISHED not in versions:
        raise Refused(_("No version of this programme is in force."))
    held = versions[State.PUBLISHED]
    # Continue after the highest number: retired versions keep theirs.
    number = programme.versions.order_by("-number").values_list("number", flat=True)[0] + 1
    rules = law.brought_up_to_date(held.rules, clock.today())
    if rules.refreshes and rules != held.rules:
        raise Refused(_("A refresher asks what one new version changed. Draft another refresher for the next one."))
    kept = held.rules_document if rules == held.rules else document(rules)
    made = ProgrammeVersion.objects.create(
        programme=programme, number=number, names=held.names, rules_document=kept, author=by
    )
    supplies.count_soon(made)
    record(by, "programme.drafted", subject(programme), version=number, after=held.number)
    return made


@transaction.atomic
def change_draft(
    version: ProgrammeVersion, by: User, *, names: dict[str, str], rules: Rules, seen: datetime
) -> ProgrammeVersion:
    """Save the author's draft. Raises ChangedMeanwhile if it changed since it was `seen`. A refresher stays one, for
    the same holders: whoever puts it in force would not miss a line that is not there."""
    draft = _locked(version)
    verify_change(draft, by)
    _verify_unchanged(draft, seen)
    rules = msgspec.structs.replace(exam_tables.completed(rules), refreshes=draft.rules.refreshes)
    _verify_fit(names, rules, _table_faults(rules, draft.rules.tables))
    draft.names, draft.rules_document, draft.supplies = _named(names), document(rules), []
    draft.save(update_fields=["names", "rules_document", "supplies", "changed_at"])
    supplies.count_soon(draft)
    record(by, "programme.changed", subject(draft.programme), version=draft.number)
    return draft


def verify_change(version: ProgrammeVersion, by: User) -> None:
    verify_writer(by)
    if version.state != State.DRAFT:
        raise Refused(_("A published programme never changes; make a new version."))
    if version.author_id != by.pk:
        raise Refused(_("Only its author can change a draft, so that somebody else can put it in force."))


@transaction.atomic
def publish(version: ProgrammeVersion, by: User, *, seen: datetime) -> ProgrammeVersion:
    """Put a draft in force, replacing the former version. Ongoing exams keep the version they began with."""
    draft = _locked(version)
    verify_publish(draft, by)
    _verify_unchanged(draft, seen)
    _verify_fit(draft.names, draft.rules, [])
    held = draft.programme.versions.filter(state=State.PUBLISHED).first()
    if held:
        held.state = State.RETIRED
        held.save(update_fields=["state", "changed_at"])
    draft.state, draft.published_by, draft.published_at = State.PUBLISHED, by, clock.now()
    draft.save(update_fields=["state", "published_by", "published_at", "changed_at"])
    record(
        by,
        "programme.published",
        subject(draft.programme),
        version=draft.number,
        author=draft.author_id,
        replaces=held.number if held else None,
        pass_mark=draft.rules.pass_mark,
        recommended=standard.panel(draft).cut,
        ratings=standard.on_record(draft),
        **_on_record(draft.rules),
        **duties.noted(duties.STANDARD),
    )
    return draft


def _on_record(rules: Rules) -> dict[str, Any]:
    """The tables that the rules name, for the audit log."""
    named = {book: [table.name for table in own] for book, own in rules.tables.items()}
    return {"tables": named} if named else {}


def verify_publish(version: ProgrammeVersion, by: User) -> None:
    verify_writer(by)
    if version.state != State.DRAFT:
        raise Refused(_("Only a draft can be put in force."))
    second_signature.verify(asked_by=version.author, signer=by, since=version.created_at)
    if duties.applies(duties.STANDARD):
        standard.verify_set(version)


@transaction.atomic
def discard_draft(version: ProgrammeVersion, by: User) -> None:
    """Delete a draft, and its programme if it has no other version."""
    draft = _locked(version)
    verify_discard(draft, by)
    programme = draft.programme
    draft.delete()
    if not programme.versions.exists():
        programme.delete()
    record(by, "programme.discarded", f"programme:{draft.programme_id}", version=draft.number, code=programme.code)


def verify_discard(version: ProgrammeVersion, by: User) -> None:
    verify_writer(by)
    if version.state != State.DRAFT:
        raise Refused(_("Only a draft can be discarded."))
    if version.author_id != by.pk and Role.ADMINISTRATOR not in by.roles:
        raise Refused(_("Only its author or an administrator can discard a draft."))


@transaction.atomic
def appoint_examiner(programme: Programme, person: User, by: User) -> Examiner:
    """Let somebody examine in a programme; idempotent."""
    _verify_administrator(by)
    if not person.is_active or WRITERS.isdisjoint(person.roles):
        raise Refused(_("%(name)s is not an instructor.") % {"name": person.name})
    examiner, new = Examiner.objects.get_or_create(programme=programme, person=person, defaults={"appointed_by": by})
    if new:
        record(by, "examiner.appointed", subject(programme), person=person.pk)
    return examiner


@transaction.atomic
def dismiss_examiner(programme: Programme, person: User, by: User) -> None:
    _verify_administrator(by)
    gone, _each = Examiner.objects.filter(programme=programme, person=person).delete()
    if gone:
        record(by, "examiner.dismissed", subject(programme), person=person.pk)


def verify_writer(person: User) -> None:
    if WRITERS.isdisjoint(person.roles):
        raise Refused(_("Only instructors and administrators can write programmes."))


def _verify_administrator(person: User) -> None:
    if Role.ADMINISTRATOR not in person.roles:
        raise Refused(_("Only administrators can appoint examiners."))


def _verify_unchanged(version: ProgrammeVersion, seen: datetime) -> None:
    if version.changed_at != seen:
        raise ChangedMeanwhile(_("The draft has been changed since you opened this page. Look at it again."))


def _verify_fit(names: dict[str, str], rules: Rules, faults: list[Fault]) -> None:
    faults = [*faults, *_name_faults(names)]
    try:
        # Values built in Python have not been checked against their types' limits.
        faults += validation.verify(rules_from(document(rules)))
    except BadRules as error:
        faults.append(Fault("", str(error)))
    if faults:
        raise UnfitDraft(faults)


def _name_faults(names: dict[str, str]) -> list[Fault]:
    unknown = set(names) - {code for code, _name in settings.LANGUAGES}
    if unknown:
        known = ", ".join(language_name(code) for code, _name in settings.LANGUAGES)
        return [Fault("names", _("Names can be given only in: %(languages)s.") % {"languages": known})]
    if not any(name.strip() for name in names.values()):
        return [Fault("names", _("A programme needs a name."))]
    if any(len(name) > validation.LONGEST_NAME for name in names.values()):
        return [Fault("names", _("A name has at most %(limit)d letters.") % {"limit": validation.LONGEST_NAME})]
    return []


def _named(names: dict[str, str]) -> dict[str, str]:
    return {language: name.strip() for language, name in names.items() if name.strip()}


def _lock(programme: Programme) -> None:
    """Lock the programme, so that only one act runs at a time."""
    if not Programme.objects.select_for_update(no_key=True).filter(pk=programme.pk).exists():
        raise Refused(_("The programme was discarded."))


def _locked(version: ProgrammeVersion) -> ProgrammeVersion:
    """The current version, with its programme locked."""
    _lock(version.programme)
    try:
        return ProgrammeVersion.objects.select_related("programme").get(pk=version.pk)
    except ProgrammeVersion.DoesNotExist:
        raise Refused(_("The draft was discarded.")) from None


def subject(programme: Programme) -> str:
    """The programme's name in the audit log."""
    return f"programme:{programme.pk}"
