"""All records about one person as a PDF for an inspector: certificates, exams, appeals and audit entries.

Exams include only released results. Making a dossier is audited.
"""

import json
from datetime import date, datetime
from pathlib import Path
from typing import Any

import typst
from django.db import transaction
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from exams import clock
from exams.appeals.models import Appeal
from exams.audit import selectors as audit
from exams.audit import words
from exams.audit.services import record
from exams.certificates.lifecycle import standing
from exams.certificates.models import Certificate
from exams.certificates.printing import in_words
from exams.hr.models import StaffRecord
from exams.hr.selectors import acts_of
from exams.invigilation.acts import identity_checked
from exams.programmes import duties
from exams.programmes.models import ProgrammeVersion
from exams.records.models import FormItem
from exams.results.models import Result
from exams.results.selectors import own_results
from exams.results.words import percent
from exams.typesetting import compiler, one_file
from rules_engine import RULEBOOKS
from rules_engine.narration import book_name
from training.house.models import HouseRuling
from training.house.readings import on_record, text_of
from training.house.selectors import current as current_house
from training.operations import software_release
from training.people.models import User
from training.people.request import language
from training.platform.storable import share

TEMPLATE = Path(__file__).with_name("dossier.typ")
# They may reveal unreleased results; released ones are listed as exams.
SECRET_ACTS = ("sitting.graded", "result.decided", "result.regraded", "result.released")
Fact = tuple[str, str]


@transaction.atomic
def dossier(person: User, *, by: User) -> bytes:
    """The PDF in the active language. Records that it was made."""
    made = _compiled(_inputs(person, by))
    record(by, "person.dossier", f"person:{person.pk}")
    return made


def _compiled(inputs: dict[str, Any]) -> bytes:
    data = {"data": json.dumps(inputs)}
    try:
        return one_file(compiler(TEMPLATE).compile(format="pdf", pdf_standards=["a-2a", "ua-1"], sys_inputs=data))
    except typst.TypstError as error:
        if "could not be displayed" not in error.message:
            raise
    # typst's own fonts lack a letter of a name: use the machine's fonts and plain PDF.
    return one_file(typst.Compiler(TEMPLATE, sys_inputs=data).compile(format="pdf"))


def _inputs(person: User, by: User) -> dict[str, Any]:
    end = audit.end()
    return {
        "language": language(),
        "words": _titles(),
        "house": current_house().name,
        "made": _("Made on %(moment)s by %(name)s") % {"moment": _moment(clock.now()), "name": by.name}
        + f" · {software_release.named()}",
        "name": person.name,
        "facts": _facts(person),
        "certificates": _certificates(person),
        "exams": [_exam(result) for result in own_results(person)],
        "appeals": [_appeal(appeal) for appeal in Appeal.objects.filter(appellant=person).order_by("number")],
        "acts": [_line(text) for text in words.describe(audit.readable_about(person).exclude(act__in=SECRET_ACTS))],
        "seal": f"{end.number}:{end.digest}",
    }


def _titles() -> dict[str, str]:
    return {
        "title": _("Dossier"),
        "certificates": _("Certificates"),
        "exams": _("Exams"),
        "appeals": _("Appeals"),
        "acts": _("Everything in the audit log about this person"),
        "none": _("Nothing is recorded."),
        "signature": _("Signature"),
        "date": _("Date"),
        "seal": _("Seal of the audit log when this was made:"),
    }


def _facts(person: User) -> list[Fact]:
    known = StaffRecord.objects.filter(person=person).first() or StaffRecord()
    facts = [
        (_("E-mail"), person.email),
        (_("Staff number"), known.staff_number),
        (_("Department"), known.department),
        (_("Shift"), known.shift),
        (_("Joined on"), _day(known.joined_on)),
        (_("Last day at work"), _day(known.left_on)),
        (_("Licence number"), known.licence_number or "–"),
        (_("Licence valid until"), _day(known.licence_until)),
        (_("Account"), _("may sign in") if person.is_active else _("account closed")),
    ]
    return [(label, value) for label, value in facts if value]


def _certificates(person: User) -> list[dict[str, Any]]:
    held = list(
        Certificate.objects.filter(holder=person).select_related("programme_version__programme").order_by("granted_at")
    )
    acts, today = acts_of(held), clock.today()
    return [
        {
            "number": each.number,
            "facts": [
                (_("Printed name"), each.holder_name),
                (_("Programme"), _programme(each.programme_version)),
                (_("Entitles the holder to deal"), _books(each.scope)),
                *((_("Law cited"), law) for law in in_words(each.printed, each.scope)),
                (_("Valid"), f"{_day(each.valid_from)} – {_day(each.valid_until)}"),
                (_("Status"), str(standing(each, today).label)),
            ],
            "acts": [_act(act) for act in acts[each.pk]],
        }
        for each in held
    ]


def _act(act: Any) -> dict[str, Any]:
    who = act.actor.name if act.actor else _("by the programme's rule or the calendar")
    changed = act.scope_before and act.scope_before != act.scope_after
    lines = [f"{_books(act.scope_before)} → {_books(act.scope_after)}"] if changed else []
    return {"at": _moment(act.at), "told": f"{act.get_kind_display()}: {who}", "lines": lines, "reason": act.reason}


def _exam(result: Result) -> dict[str, Any]:
    session, version = result.sitting.candidate.session, result.programme_version
    checked = _("yes") if identity_checked(result.sitting_id) else _("no")
    return {
        "title": session.title,
        "facts": [
            (_("Programme"), _programme(version)),
            (_("Began"), _moment(result.sitting.started_at)),
            (_("Name of the candidate"), result.sitting.name),
            (_("Identity checked"), checked),
            *_lifted(result),
            (_("Score"), share(percent(result.score))),
            (_("Has passed"), _("yes") if result.passed else _("no")),
            (_("Released"), _moment(result.released_at)),
            *_procedures(result),
        ],
    }


def _lifted(result: Result) -> list[Fact]:
    """The rules of the separation of duties that the house had waived at some time since the exam, with who signed."""
    return [
        (
            _("Separation of duties waived"),
            _("%(rule)s Signed by %(first)s and %(second)s on %(date)s: %(reason)s")
            % {
                "rule": duties.LIFTED[one.line].rule,
                "first": one.asked_by.name,
                "second": one.signed_by.name if one.signed_by else "",
                "date": _day(timezone.localdate(one.signed_at)),
                "reason": one.reason,
            },
        )
        for one in duties.lifted_since(result.sitting.started_at)
        if one.line in duties.LIFTED
    ]


def _procedures(result: Result) -> list[Fact]:
    """The procedures of the house on which the candidate was examined, as they were cited, with their text."""
    placed = FormItem.objects.filter(form__candidate=result.sitting.candidate_id)
    found: set[str] = set()
    for document in placed.values_list("item__scenario_document", flat=True):
        adopted = document.get("readings", {}).get(document["situation"]["incident"]["kind"])
        found.update([adopted["record"]] if adopted and adopted.get("record", "").isdecimal() else [])
    cited = (
        on_record(HouseRuling.objects.filter(pk__in=found, number__isnull=False)).order_by("number") if found else []
    )
    return [(_("Procedure of the house"), f"{ruling.cited}. {text_of(ruling, language())}") for ruling in cited]


def _appeal(appeal: Appeal) -> dict[str, Any]:
    facts = [(_("Lodged"), _moment(appeal.lodged_at)), (_("State"), appeal.get_state_display())]
    if appeal.decided_at:
        facts.append((_("Decided"), _moment(appeal.decided_at)))
    if appeal.remedy:
        facts.append((_("Remedy"), appeal.get_remedy_display()))
    return {"title": _("Appeal %(number)s") % {"number": appeal.number}, "facts": facts, "reply": appeal.reply}


def _line(text: words.EntryText) -> dict[str, Any]:
    lines = [str(line) for line in text.lines]
    return {"at": _moment(text.entry.at), "told": text.sentence, "lines": lines, "reason": text.reason}


def _programme(version: ProgrammeVersion) -> str:
    return _("%(name)s, version %(number)d") % {"name": version.name(language()), "number": version.number}


def _books(scope: list[str]) -> str:
    return "; ".join(book_name(book, language()) if book in RULEBOOKS else book for book in scope)


def _day(day: date | None) -> str:
    return date_format(day, "SHORT_DATE_FORMAT") if day else ""


def _moment(moment: datetime | None) -> str:
    return date_format(timezone.localtime(moment), "SHORT_DATETIME_FORMAT") if moment else ""
