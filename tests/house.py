"""A house with one of everything in it, and every address of the platform filled in with those things."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

from django.db import transaction
from django.http import HttpResponse
from django.test import Client
from django.urls import NoReverseMatch, URLPattern, URLResolver, get_resolver, reverse
from django.utils import timezone

import rules_engine
from exams.appeals import objections
from exams.appeals import services as appeals
from exams.appeals.models import Appeal
from exams.certificates import keys, name_correction, unconfirmed_identity
from exams.certificates.models import Certificate, IssueRequest, SigningKey
from exams.hr import exports, schedules
from exams.hr.models import Export, Schedule, StaffRecord
from exams.hr.selectors import Filters
from exams.mock import services as mocks
from exams.mock.models import Mock
from exams.papers import guarded_requests
from exams.programmes import services as programmes
from exams.programmes.models import ProgrammeVersion
from exams.records.models import Candidate, FormItem, NameCorrection, RulingAsked, Session, Sitting
from exams.regrading.models import Regrade
from exams.results import annulment
from exams.results.grading import grade_sitting
from exams.results.models import Annulment, Result
from exams.webhooks import services as webhooks
from exams.webhooks.models import Hook
from rules_engine import Scenario
from tests.classes import rooms
from tests.exams import certifying, contesting, making, practising
from tests.factories import PersonFactory
from tests.library.versions import make_published, make_scenario, make_story_draft
from tests.practice.drills import wrong_answer
from training import urls
from training.api import tokens
from training.api.models import ApiToken
from training.classes.models import Assignment, TrainingClass
from training.house.models import HouseTable
from training.library.hooks import Asked, Guarded
from training.library.models import Version
from training.live_table import services as live_tables
from training.live_table import teaching as live_teaching
from training.live_table.models import Session as LiveSession
from training.live_table.models import TableWork
from training.mail import outbox
from training.mail.models import Mail
from training.people.models import Role, User
from training.practice import flags, reminders, services
from training.practice.models import Drill, Flag
from training.sprint import services as sprints
from training.sprint.models import Sprint

NOTE = "Quem tem cinco e deu quatro pensa duas vezes."


def put(trainee: User, scenario: Scenario, **changes: Any) -> Drill:
    return services.put_drill(trainee, scenario, **({"mode": Drill.Mode.FREE} | changes))


def graded(drill: Drill) -> Drill:
    """The drill answered wrongly and graded, as the worker does it."""
    answer = rules_engine.answer_from({"parts": wrong_answer(drill.scenario)})
    services.grade(services.submit_answer(drill, answer).pk)
    return drill


@dataclass
class House:
    """`trainee` and `instructor` own everything; the others of their roles own nothing.

    But for exams: `candidate` is entered for one and at work in another, which closes everything else to them.
    """

    trainee: User = field(default_factory=lambda: PersonFactory(roles=[Role.TRAINEE]))
    instructor: User = field(default_factory=lambda: PersonFactory(roles=[Role.INSTRUCTOR]))
    candidate: User = field(default_factory=lambda: PersonFactory(roles=[Role.TRAINEE]))
    drill: Drill = field(init=False)
    sprint: Sprint = field(init=False)
    live: LiveSession = field(init=False)
    table_work: TableWork = field(init=False)
    answered: Drill = field(init=False)
    flag: Flag = field(init=False)
    draft: Version = field(init=False)
    published: Version = field(init=False)
    room: TrainingClass = field(init=False)
    assignment: Assignment = field(init=False)
    token: ApiToken = field(init=False)
    programme: ProgrammeVersion = field(init=False)
    mock: Mock = field(init=False)
    entered: Candidate = field(init=False)
    sitting: Sitting = field(init=False)
    at_exam_table: Sitting = field(init=False)
    in_room: Session = field(init=False)
    appeal: Appeal = field(init=False)
    contestable: FormItem = field(init=False)
    regrade: Regrade = field(init=False)
    result: Result = field(init=False)
    annulment: Annulment = field(init=False)
    asked: RulingAsked = field(init=False)
    hr: User = field(init=False)
    certificate: Certificate = field(init=False)
    passed: Result = field(init=False)
    export: Export = field(init=False)
    schedule: Schedule = field(init=False)
    mail: Mail = field(init=False)
    hook: Hook = field(init=False)
    correction: NameCorrection = field(init=False)
    issue: IssueRequest = field(init=False)
    table: HouseTable = field(init=False)

    def __post_init__(self) -> None:
        self.published = make_published(words={"pt": {"title": "O cinco", "note": NOTE}})
        self.draft = make_story_draft(self.instructor, seed="2")
        self.room = rooms.make_class(self.instructor, self.trainee)
        self.assignment = rooms.set_work(self.room, versions=[self.published])
        self.drill = put(
            self.trainee,
            self.published.scenario,
            mode=Drill.Mode.ASSIGNED,
            version=self.published,
            assignment_id=self.assignment.pk,
        )
        self.answered = graded(put(self.trainee, make_scenario("3")))
        self.sprint = sprints.start(self.trainee, "third_card", timezone.now())
        self.table_work = live_teaching.set_table(
            self.room,
            self.instructor,
            rulebook="pt-chemin-de-fer",
            rung="busy",
            length="ten",
            due_at=timezone.now() + timedelta(days=7),
            now=timezone.now(),
        )
        self.live = live_tables.start(
            self.trainee, rulebook="pt-roleta-francesa", length="ten", rung="quiet", pace=0, now=timezone.now()
        )
        self.token, _text = tokens.issue(self.trainee, name="Escola", scopes=["practice:read"], days=30)
        self.flag = flags.raise_flag(self.answered, "A carta não se vê.")
        # In force, and a new version being written.
        self.programme = making.make_version()
        programmes.new_version(self.programme.programme, self.instructor)
        self.mock = mocks.start(self.trainee, self.programme, timezone.now())

        self.table = HouseTable.objects.create(
            rulebook="pt-chemin-de-fer",
            name="Mesa 1",
            document={"name": "Mesa 1", "currency": "EUR", "minimum": 10, "chips": [{"value": 5}]},
            active=False,
            created_by=self.instructor,
            created_at=timezone.now(),
            changed_by=self.instructor,
            changed_at=timezone.now(),
        )
        self._hold_exams()
        self._practise()
        self._contest()
        self._examine()
        self._certify()

    def _hold_exams(self) -> None:
        """The instructor holds two sessions: the candidate is entered for one and at work in the other."""
        version = making.make_version()
        # With cases of their own: whatever shares one with them is kept back while they are in use.
        apart: dict[str, Any] = {"created_by": self.instructor, "first_seed": 1000}
        self.entered = making.enter(making.make_session(version, **apart), self.candidate)
        self.sitting = making.start(making.enter(making.make_session(version, **apart), self.candidate))
        case = self.sitting.candidate.session.items.first()
        guarded = Guarded(f"exam_item:{case.pk}", session=case.session_id)
        guarded_requests.record_asked(PersonFactory(roles=[Role.INSTRUCTOR]), "api_solve", Asked(guarded, "0" * 64))
        self.asked = RulingAsked.objects.get()

    def _practise(self) -> None:
        """Practical exams: the candidate deals at one on screen; somebody else is entered for one at a real table."""
        session = practising.make_session(practising.make_version(coups=2), self.candidate)
        now = timezone.now()
        self.at_exam_table = Sitting.objects.create(
            candidate=session.candidates.get(),
            name=self.candidate.name,
            started_at=now,
            deadline_at=now + timedelta(minutes=20),
        )
        self.in_room = practising.make_session(practising.make_version(coups=2, held="table"))

    def _contest(self) -> None:
        """Two sat an exam of somebody else's and contest an item each; the programme was graded again in the shadow."""
        exam = contesting.held({}, {})
        contesting.sat(exam.session, {}, self.trainee)
        self.appeal = contesting.lodged(exam)
        own = FormItem.objects.filter(form__candidate__person=self.trainee, form__candidate__session=exam.session)
        appeals.lodge(self.trainee, own.get(position=1), contesting.TEXT)
        self.contestable = own.get(position=2)
        self.regrade = contesting.regraded(exam)

    def _examine(self) -> None:
        """Somebody sat an exam that waits for an examiner's decision."""
        rules = making.make_rules(decision="by_examiner", release="by_examiner")
        session = making.make_session(making.make_version(rules))
        sitting = making.close(making.start(making.enter(session)))
        result = grade_sitting(sitting.pk)
        assert result is not None
        self.result = result
        self.annulment = annulment.ask(sitting, by=session.created_by, remedy="annulled", reason="Alarme de incêndio.")

    def _certify(self) -> None:
        """The trainee holds a certificate and has passed another exam of which HR decides; HR exported a list."""
        self.hr = PersonFactory(roles=[Role.HR])
        self.certificate = certifying.make_certificate(self.programme, self.trainee)
        keys.key_in_use()
        by_hr = making.make_version(making.make_rules(certificate="by_hr"))
        self.passed = certifying.make_result(by_hr, self.trainee)
        StaffRecord.objects.create(person=self.trainee, staff_number="B-17", department="Banca francesa")
        self.export = exports.ask(self.hr, what="people", format="csv", filters=Filters())
        exports.make(self.export.pk)
        self.schedule = schedules.begin(self.hr, what="people", format="csv", filters=Filters(), every="week")
        self.correction = name_correction.ask(self.trainee, by=self.hr, name="Ana Gil Prates", reason="Casou.")
        unseen = certifying.make_result(by_hr, identified=False)
        self.issue = unconfirmed_identity.ask(unseen, by=self.hr, reason="Vista no gabinete.")
        self.hook, _secret = webhooks.add("https://pessoal/recursos-humanos/avisos-de-certificados", by=self.hr)
        [self.mail] = outbox.post([outbox.Envelope(self.trainee, "Certificado", "Está pronto.")])

    def parameters(self) -> dict[str, Any]:
        """What stands for each named part of an address."""
        return {
            "drill_id": self.drill.pk,
            "sprint_id": self.sprint.pk,
            "live_id": self.live.pk,
            "table_work_id": self.table_work.pk,
            "act_number": 1,
            "token": reminders.way_out(self.trainee),
            "mock_id": self.mock.pk,
            "version_id": self.draft.pk,
            "moment_number": 2,
            "mapping_id": 1,  # sign-on is off
            "flag_id": self.flag.pk,
            "class_id": self.room.pk,
            "assignment_id": self.assignment.pk,
            "trainee_id": self.trainee.pk,
            "book_id": "pt-chemin-de-fer",
            "cite": "67 d",
            "number": "67",
            "question": "PT51",
            "one": "pt-chemin-de-fer",
            "other": "it-sanremo-chemin-de-fer",
            "kind": "banker_to_decide",
            "old": "pt-chemin-de-fer-1995",
            "new": "pt-chemin-de-fer",
            "article": "56",
            "ruling_id": 0,
            "table_id": self.table.pk,
            "token_id": self.token.pk,
            "programme_id": self.programme.programme_id,
            "version_number": self.programme.number,
            "session_id": self.sitting.candidate.session_id,
            "candidate_id": self.entered.pk,
            "sitting_id": self.sitting.pk,
            "dealt_id": self.at_exam_table.pk,
            "practical_id": self.in_room.pk,
            "exam_table_id": self.in_room.candidates.get().exam_table.pk,
            "position": 1,
            "appeal_id": self.appeal.pk,
            "objection_id": objections.lodge(PersonFactory(), "complaint", "", contesting.TEXT).pk,
            "form_item_id": self.contestable.pk,
            "regrade_id": self.regrade.pk,
            "result_id": self.result.pk,
            "annulment_id": self.annulment.pk,
            "asked_id": self.asked.pk,
            "certificate_id": self.certificate.pk,
            "code": self.certificate.code,
            "list_name": "revocation-0",
            "list_no": 0,
            "deed_name": "suspend",
            "passed_id": self.passed.pk,
            "person_id": self.trainee.pk,
            "export_id": self.export.pk,
            "schedule_id": self.schedule.pk,
            "mail_id": self.mail.pk,
            "hook_id": self.hook.pk,
            "correction_id": self.correction.pk,
            "issue_id": self.issue.pk,
            "request_id": 7777,
            "key_id": SigningKey.objects.get().kid,
            "uidb36": "1",
            "key": "no-such-key",
            "rest": "no/such/address",
        }


@dataclass(frozen=True)
class Route:
    name: str
    parameters: tuple[str, ...]

    def address(self, parameters: dict[str, Any]) -> str:
        try:
            return reverse(self.name, kwargs={name: parameters[name] for name in self.parameters})
        except (KeyError, NoReverseMatch) as error:
            raise AssertionError(f"tests/house.py must say what stands for the parts of {self}") from error


def all_routes() -> dict[str, Route]:
    """Every route of the platform by its name; two of one name would hide one another."""
    found: dict[str, Route] = {}
    for route in _routes(get_resolver(urls.__name__), ()):
        assert route.name and route.name not in found, f"a route needs a name of its own: {route}"
        found[route.name] = route
    return found


def _routes(resolver: URLResolver, above: tuple[str, ...]) -> Iterator[Route]:
    for entry in resolver.url_patterns:
        parts = (*above, *entry.pattern.regex.groupindex)
        if isinstance(entry, URLPattern):
            yield Route(entry.name or "", parts)
        else:
            yield from _routes(entry, parts)


def undone(client: Client, method: str, address: str, **options: Any) -> HttpResponse:
    """The response to a request whose changes are all taken back, so that the next one finds the same house."""
    cookies = client.cookies.copy()  # signing out takes them away
    with transaction.atomic():
        response: HttpResponse = getattr(client, method.lower())(address, **options)
        response.getvalue() if response.streaming else response.content
        transaction.set_rollback(True)
    client.cookies = cookies  # type: ignore[assignment]
    return response
