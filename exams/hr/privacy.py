"""Everything the platform holds about a person as plain data: their rows, and what others did about them.

`OWN` lists how rows belong to a person, `LEFT_OUT` why other links to a person are not followed; a test walks the
models and fails on a link that is in neither. Other people are never included: where a row names somebody else, that
field is left out. Exam data contains the person's own answers but no items: those in use must stay secret, and the
result page shows items to those who may see them.
"""

from collections.abc import Iterator
from typing import Any

import msgspec
from django.apps import apps
from django.db.models import F, Model, Q

from exams import clock
from exams.audit.selectors import readable_about
from exams.audit.services import record
from exams.audit.words import title_of
from exams.papers.exam_bank import sessions_in_use
from training.people.models import User

# Rows about the person: model → link to the person, and the omitted fields with the reason.
OWN: dict[str, tuple[str, dict[str, str]]] = {
    "people.RoleGrant": ("user", {"granted_by": "somebody else"}),
    "people.AccountAct": ("account", {"by": "somebody else"}),
    "practice.Drill": (
        "trainee",
        {"scenario_document": "made by the platform; it may be put to others", "aim": "tells the ruling beforehand"},
    ),
    "practice.Attempt": ("trainee", {}),
    "practice.Mark": ("attempt__trainee", {"ruling_document": "about the scenario, not the person"}),
    "practice.SecondTry": ("attempt__trainee", {}),
    "practice.Flag": ("drill__trainee", {"settled_by": "somebody else"}),
    "practice.Reminder": ("trainee", {}),
    "home.WorkMail": ("person", {"told": "how much work waited"}),
    "practice.Remark": ("drill__trainee", {"author": "somebody else"}),
    "practice.Note": ("drill__trainee", {}),
    "practice.DayPlan": ("trainee", {"rules": "tells what the day's drills turn on"}),
    "mail.Mail": ("person", {"subject": "may name somebody else", "body": "the same"}),
    "mock.Mock": ("person", {}),
    "mock.MockItem": ("mock__person", {"scenario_document": "made by the platform"}),
    "sprint.Sprint": ("trainee", {}),
    "sprint.SprintCase": ("sprint__trainee", {"scenario_document": "made by the platform"}),
    "sprint.OnBoard": ("trainee", {}),
    "live_table.Session": (
        "trainee",
        {
            "setup": "tells what is to come at the table",
            "state": "the same",
            "pending": "the same",
            "seen_at": "tells that something is wrong",
            "unplanned": "how the platform works",
            "rests_until": "the same",
        },
    ),
    "live_table.Act": ("session__trainee", {}),
    "mastery.Memory": ("trainee", {}),
    "house.ChosenTable": ("trainee", {}),
    "mastery.StudyPlan": ("trainee", {}),
    "figures.TopicTally": ("trainee", {}),
    "figures.DayTally": ("trainee", {}),
    "library.Version": (
        "author",
        {
            "published_by": "somebody else",
            "scenario_document": "work of the house, not about the person",
            "ruling_document": "work of the house, not about the person",
            "words": "work of the house, not about the person",
            "moments": "work of the house, not about the person",
            "search_text": "work of the house, not about the person",
        },
    ),
    "library.Act": ("actor", {"person": "somebody else"}),
    "library.CoAuthor": ("person", {}),
    "library.Origin": ("person", {}),
    "library.Remark": ("author", {"settled_by": "somebody else"}),
    "classes.Enrolment": ("trainee", {"enrolled_by": "somebody else", "removed_by": "somebody else"}),
    "classes.Extension": ("trainee", {"given_by": "somebody else"}),
    "classes.Taught": ("trainee", {"teacher": "somebody else"}),
    "api.ApiToken": ("owner", {"digest": "a secret"}),
    "records.Candidate": ("person", {"entered_by": "somebody else"}),
    "records.KeptOut": ("person", {"by": "somebody else", "lifted_by": "somebody else"}),
    "records.Sitting": ("candidate__person", {"device": "a secret of the browser"}),
    "records.Response": ("sitting__candidate__person", {}),
    "records.Event": ("sitting__candidate__person", {"by": "somebody else"}),
    "records.RulingAsked": (
        "person",
        {
            "about": "tells which case an exam uses",
            "session": "the same",
            "digest": "the same",
            "looked_at": "what the exam office does about it",
            "looked_at_by": "somebody else",
        },
    ),
    "practical.ExamTable": (
        "candidate__person",
        {
            "setup": "tells what is to come at the table",
            "state": "the same",
            "pending": "the same",
            "script": "the same",
            "seen_at": "tells that something is wrong",
        },
    ),
    "practical.ExamAct": ("table__candidate__person", {}),
    "practical.Marking": ("table__candidate__person", {"examiner": "somebody else"}),
    "practical.Tick": ("marking__table__candidate__person", {}),
    "practical.Proposal": ("table__candidate__person", {"by": "somebody else"}),
    "practical.Settlement": ("table__candidate__person", {"by": "somebody else"}),
    "programmes.Examiner": ("person", {"appointed_by": "somebody else"}),
    "programmes.Judgement": ("judge", {}),
    "appeals.Appeal": ("appellant", {"reviewer": "somebody else", "accepted": "about the item, not the person"}),
    "appeals.Letter": ("recipient", {}),
    "appeals.Objection": (
        "person",
        {"reviewer": "somebody else", "doers": "somebody else", "done_by": "somebody else"},
    ),
    "certificates.Certificate": ("holder", {}),
    "certificates.Act": ("certificate__holder", {"actor": "somebody else"}),
    "records.NameCorrection": ("holder", {"asked_by": "somebody else", "decided_by": "somebody else"}),
    "certificates.IssueRequest": (
        "result__sitting__candidate__person",
        {"asked_by": "somebody else", "decided_by": "somebody else"},
    ),
    "certificates.Notice": ("act__certificate__holder", {}),
    "certificates.Registration": ("holder", {}),
    "certificates.Reminder": ("certificate__holder", {}),
    "accounts.Closure": ("person", {"closed_by": "somebody else", "returned_by": "somebody else"}),
    "hr.StaffRecord": ("person", {}),
    "hr.Export": ("owner", {"file": "a secret name"}),
    "hr.Schedule": ("owner", {}),
    "account.EmailAddress": ("user", {}),
    "socialaccount.SocialAccount": ("user", {}),
    "audit.Entry": (
        "actor",
        {"details": "may be about others", "previous": "seals of the log", "digest": "seals of the log"},
    ),
    # Exam results, once released.
    "results.Mark": (
        "form_item__form__candidate__person",
        {"mark_document": "tells the item", "ruling_document": "tells the item"},
    ),
    "results.Result": ("sitting__candidate__person", {"decided_by": "somebody else"}),
    "results.Annulment": ("sitting__candidate__person", {"asked_by": "somebody else", "decided_by": "somebody else"}),
}
ONLY: dict[str, Q] = {
    # A mark reveals the solution, which may still be withheld for a second try.
    "practice.Mark": Q(attempt__held=False) | Q(points=F("of")),
    "results.Mark": Q(form_item__form__candidate__sitting__results__released_at__isnull=False),
    "results.Result": Q(released_at__isnull=False),
    "results.Annulment": Q(accepted=True),
    # What examiners saw, once the result is released.
    "practical.ExamTable": Q(candidate__sitting__results__released_at__isnull=False),
    "practical.Marking": Q(table__candidate__sitting__results__released_at__isnull=False),
    "practical.Tick": Q(marking__table__candidate__sitting__results__released_at__isnull=False),
    "practical.Proposal": Q(table__candidate__sitting__results__released_at__isnull=False),
    "practical.Settlement": Q(table__candidate__sitting__results__released_at__isnull=False),
}
# Answers and marks together reveal the items, and answers of an exam in progress are confidential.
IN_SESSION = {"results.Mark": "form_item__form__candidate__session", "records.Response": "sitting__candidate__session"}
# Links to a person that are not followed, and why.
LEFT_OUT: dict[str, str] = {
    "practical.Marking.examiner": "about the candidate; the act is in audit.Entry",
    "practical.Proposal.by": "about the candidate; the act is in audit.Entry",
    "practical.Settlement.by": "about the candidate; the act is in audit.Entry",
    "people.RoleGrant.granted_by": "about the person who got the role",
    "people.AccountAct.by": "about the account; the act is in audit.Entry",
    "people.LocalPasswords.break_glass": "about the house; the act is in audit.Entry",
    "sign_on.GroupRole.made_by": "about the house; the act is in audit.Entry",
    "practice.Flag.settled_by": "about the person who raised it",
    "house.HouseTable.created_by": "about the house; the act is in audit.Entry",
    "house.HouseTable.changed_by": "about the house; the act is in audit.Entry",
    "house.HouseRuling.recorded_by": "about the house; the act is in audit.Entry",
    "house.HouseRuling.signed_by": "about the house; the act is in audit.Entry",
    "house.HouseRuling.withdrawal_asked_by": "about the house; the act is in audit.Entry",
    "house.HouseRuling.withdrawn_by": "about the house; the act is in audit.Entry",
    "house.OfficialText.loaded_by": "about the house; the act is in audit.Entry",
    "house.PendingText.read_by": "a text of the house, kept until it is confirmed",
    "library.Version.published_by": "the act of publishing is in library.Act",
    "library.Act.person": "the one added or taken away; who writes with an author is in library.CoAuthor",
    "library.Remark.settled_by": "the act of settling is in library.Act",
    "library.PendingImport.importer": "scenarios, kept until confirmed",
    "classes.TrainingClass.made_by": "about the class",
    "classes.TrainingClass.closed_by": "about the class",
    "classes.TrainingClass.instructors": "about the class",
    "classes.Taught.teacher": "about the trainee",
    "classes.Enrolment.enrolled_by": "about the trainee",
    "classes.Enrolment.removed_by": "about the trainee",
    "classes.Assignment.set_by": "about the class",
    "classes.Assignment.trainees": "about the class; whose work it is shows in its drills",
    "classes.Extension.given_by": "about the trainee",
    "live_table.TableWork.set_by": "about the class",
    "live_table.Injection.by": "about a table, and tells what is to come at it",
    "practice.Remark.author": "about the trainee",
    "api.KeptAnswer.owner": "answers given already, forgotten after a day",
    "programmes.ProgrammeVersion.author": "about the programme; the acts are in audit.Entry",
    "programmes.ProgrammeVersion.published_by": "about the programme; the acts are in audit.Entry",
    "programmes.Examiner.appointed_by": "about the examiner",
    "programmes.Relaxation.asked_by": "about the house; the act is in audit.Entry",
    "programmes.Relaxation.signed_by": "about the house; the act is in audit.Entry",
    "programmes.Relaxation.ended_by": "about the house; the act is in audit.Entry",
    "records.ActRequest.asked_by": "about the holder; the act is in audit.Entry",
    "records.ActRequest.decided_by": "about the holder; the act is in audit.Entry",
    "records.Session.created_by": "about the session; the acts are in audit.Entry",
    "records.Session.invigilators": "about the session; the acts are in audit.Entry",
    "records.Candidate.entered_by": "about the candidate",
    "records.KeptOut.by": "about the person kept out; the act is in audit.Entry",
    "records.KeptOut.lifted_by": "about the person kept out; the act is in audit.Entry",
    "records.Event.by": "about the candidate",
    "records.RulingAsked.looked_at_by": "about who asked; the act is in audit.Entry",
    "results.Result.decided_by": "about the candidate; the act is in audit.Entry",
    "results.Annulment.asked_by": "about the candidate; the act is in audit.Entry",
    "results.Annulment.decided_by": "about the candidate; the act is in audit.Entry",
    "regrading.Regrade.started_by": "about the programme; the act is in audit.Entry",
    "regrading.Regrade.settled_by": "about the programme; the act is in audit.Entry",
    "appeals.Appeal.reviewer": "about the appellant; the act is in audit.Entry",
    "appeals.Objection.done_by": "about the person who objects; the act is in audit.Entry",
    "appeals.Objection.reviewer": "about the person who objects; the act is in audit.Entry",
    "webhooks.Hook.added_by": "about the other system; the act is in audit.Entry",
    "certificates.Instrument.entered_by": "about the house; the act is in audit.Entry",
    "certificates.Act.actor": "about the holder; the act is in audit.Entry",
    "records.NameCorrection.asked_by": "about the holder; the act is in audit.Entry",
    "records.NameCorrection.decided_by": "about the holder; the act is in audit.Entry",
    "certificates.IssueRequest.asked_by": "about the holder; the act is in audit.Entry",
    "certificates.IssueRequest.decided_by": "about the holder; the act is in audit.Entry",
    "accounts.Closure.closed_by": "about the person who was closed out; the act is in audit.Entry",
    "accounts.Closure.returned_by": "about the person who came back; the act is in audit.Entry",
    "hr.StaffImport.importer": "a list of other people, kept until it is applied",
    "mfa.Authenticator.user": "secrets by which the person signs in",
}
SECRETS = {"password"}
# Details included for acts about the person: nothing about others or unreleased results.
INCLUDED_DETAILS = {"changes", "roles", "why", "may_sign_in", "number", "state", "scope", "minutes", "tokens"}


def copy_of(person: User, *, by: User | None) -> bytes:
    """A person's data as a JSON file. Records that it was made; `by` is None on the command line."""
    data = msgspec.json.encode(everything_about(person), enc_hook=str)
    record(by, "person.exported", f"person:{person.pk}")
    return msgspec.json.format(data, indent=2)


def everything_about(person: User) -> dict[str, Any]:
    """The account first, then every kind of row, oldest first."""
    account = {name: value for name, value in _plain(person, {}).items() if name not in SECRETS}
    data = {"account": account} | {label: list(_rows(label, person)) for label in OWN}
    return data | {"audit.Entry about the person": list(_done_about(person))}


def _done_about(person: User) -> Iterator[dict[str, Any]]:
    """What others or the platform did about the person, without who it was."""
    for entry in readable_about(person).exclude(actor=person).iterator(chunk_size=500):
        kept = {name: value for name, value in entry.details.items() if name in INCLUDED_DETAILS}
        yield {"number": entry.number, "at": entry.at, "act": title_of(entry.act), "details": kept}


def _rows(label: str, person: User) -> Iterator[dict[str, Any]]:
    way, omitted = OWN[label]
    model = apps.get_model(label)
    found = model._default_manager.filter(ONLY.get(label, Q()), **{way: person}).order_by("pk").distinct()
    if label in IN_SESSION:
        found = found.exclude(**{f"{IN_SESSION[label]}__in": sessions_in_use(clock.now())})
    for row in found.iterator(chunk_size=500):
        yield _plain(row, omitted)


def _plain(row: Model, omitted: dict[str, str]) -> dict[str, Any]:
    """The row's own columns; related rows by id only."""
    return {field.name: getattr(row, field.attname) for field in row._meta.concrete_fields if field.name not in omitted}
