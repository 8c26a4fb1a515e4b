"""The exam history of the demo house, from two years ago until now, in order."""

from dataclasses import dataclass
from datetime import date, datetime, time, timedelta

from django.conf import settings
from django.db.models import F
from django.utils import timezone, translation
from django.utils.formats import date_format

from exams.appeals import services as appeals
from exams.appeals.models import Appeal, Letter
from exams.certificates import issuance
from exams.certificates import services as certificates
from exams.certificates.models import Certificate, Notice
from exams.demo.held_exams import ENTRY, Showing, hold, interrupt, played_at, set_up
from exams.house_office import services as house
from exams.hr import staff
from exams.programmes import services as programmes
from exams.programmes.models import ProgrammeVersion
from exams.records.models import Candidate, FormItem, Session
from exams.results import annulment, release
from exams.results import services as results
from exams.results.models import Annulment, Result
from training.mail.outbox import waiting
from training.people.accounts import enter_person
from training.people.demo import PASSWORD, DemoPerson
from training.people.models import Role, User

# Helena teaches the class, so Vasco holds its exams; Amélia has a valid certificate. The others only have a past.
NEWCOMERS = (
    DemoPerson("vasco@sabot.example", "Vasco Lameira", (Role.INSTRUCTOR,)),
    DemoPerson("leonor@sabot.example", "Leonor Pimenta", (Role.TRAINEE,)),
    DemoPerson("gaspar@sabot.example", "Gaspar Moutela", (Role.TRAINEE,)),
    DemoPerson("amelia@sabot.example", "Amélia Torrado", (Role.TRAINEE,)),
    DemoPerson("bento@sabot.example", "Bento Farinha", (Role.TRAINEE,)),
    DemoPerson("clara@sabot.example", "Clara Seixal", (Role.TRAINEE,)),
    DemoPerson("zulmira@sabot.example", "Zulmira Fontão", (Role.TRAINEE,)),
)
HEAD_OF_SCHOOL = {
    "pt": "Diretora da Escola",
    "en": "Head of the School",
    "it": "Direttrice della Scuola",
    "es": "Directora de la Escuela",
}
CASINO_MANAGER = {
    "pt": "Diretor de Jogos",
    "en": "Casino Manager",
    "it": "Direttore dei Giochi",
    "es": "Director de Juego",
}
SIGN_IN = frozenset({"vasco@sabot.example", "amelia@sabot.example"})
DEPARTMENTS = {
    "Banca francesa": ("marta", "leonor", "gaspar", "rui"),
    "Bacará": ("clara", "zulmira"),
    "Roleta": ("amelia", "bento", "vasco"),
    "Escola": ("ines", "duarte", "helena"),
}
WELL, ALMOST_PERFECTLY, BADLY = 12, 13, 2  # one item in this many is wrong
LAPSES_IN = 20  # days
ENDED_AGO = 40
HELD_A_MONTH_AGO = 26, 22
HELD_AGO, ALARM_AGO, HELD_LATELY_AGO = 16, 9, 5
# The appeal and, if decided, the reply. Forms are random, so the texts fit any item.
APPEALS = {
    "ines": (
        "Pela descrição da mesa, entendo que a minha resposta também se defende. Peço que a questão seja vista.",
        "",
    ),
    "clara": (
        "O desenho da mesa não me deixou perceber o que se passava. Peço que a questão seja anulada.",
        "O desenho e a descrição por palavras dizem o mesmo e chegam para decidir. Os pontos mantêm-se.",
    ),
}


@dataclass
class Story:
    """The people by the first part of their address, and the programmes."""

    people: dict[str, User]
    chemin_de_fer: ProgrammeVersion
    macau: ProgrammeVersion
    others: list[ProgrammeVersion]
    mixed: ProgrammeVersion
    now: datetime

    def __post_init__(self) -> None:
        self.today: date = timezone.localdate(self.now)

    def play(self) -> None:
        self._name_the_house()
        self._enter_staff()
        self._years_ago()
        self._acts_of_hr()
        self._a_month_ago()
        self._weeks_ago()
        self._an_alarm()
        self._days_ago()
        self._mails_have_gone()
        self._open_now()

    def _name_the_house(self) -> None:
        with played_at(_at(_months_before(self.today, 30))):
            house.change(
                by=self.people["paulo"],
                name=settings.ISSUER_NAME,
                legal_name="Escola de Jogo Sabot, entidade fictícia para demonstração",
                signatories=[
                    house.Signatory("Eduarda Salvaterra", HEAD_OF_SCHOOL),
                    house.Signatory("Horácio Penedo", CASINO_MANAGER),
                ],
            )

    def _enter_staff(self) -> None:
        hr, numbers = self.people["teresa"], iter(range(1041, 2000, 7))
        joined = _months_before(self.today, 30)
        with played_at(_at(joined)):
            programmes.appoint_examiner(self.macau.programme, self.people["vasco"], self.people["paulo"])
            for department, names in DEPARTMENTS.items():
                for name in names:
                    number = f"B-{next(numbers)}"
                    staff.change_record(
                        self.people[name], hr, staff_number=number, department=department, joined_on=joined
                    )

    def _years_ago(self) -> None:
        """Two sessions with certificates valid for 24 months: one has ended, the others are about to."""
        valid = self.chemin_de_fer.rules.valid_months
        ended = _months_before(self.today - timedelta(days=ENDED_AGO), valid)
        self._held(self.chemin_de_fer, ended, {"zulmira": WELL})
        lapsing = _months_before(self.today + timedelta(days=LAPSES_IN), valid)
        self._held(self.chemin_de_fer, lapsing, {"marta": WELL, "leonor": WELL, "gaspar": WELL})

    def _acts_of_hr(self) -> None:
        hr = self.people["teresa"]
        with played_at(self._ago(200)):
            reason = "Pagou por duas vezes contra a decisão do fiscal; processo 14 da direção de jogos."
            certificates.withdraw(
                certificate=self._certificate("gaspar"), actor=hr, reason=reason, second=self.people["paulo"]
            )
        with played_at(self._ago(ENDED_AGO - 1)):
            certificates.expire_due()
        with played_at(self._ago(30)):
            reason = "Ausência de mais de seis meses: volta às mesas depois da formação de regresso."
            certificates.suspend(certificate=self._certificate("leonor"), actor=hr, reason=reason)

    def _a_month_ago(self) -> None:
        """One person is certified for another game, one for several at once."""
        other_game, several_games = (self.today - timedelta(days=days) for days in HELD_A_MONTH_AGO)
        self._held(self.others[0], other_game, {"amelia": WELL})
        self._held(self.mixed, several_games, {"bento": WELL})

    def _weeks_ago(self) -> None:
        """A session decided by the rule: those who passed are certified, two people contest an item."""
        day = self.today - timedelta(days=HELD_AGO)
        showings = {"ines": BADLY, "amelia": WELL, "bento": WELL, "clara": BADLY}
        self._held(self.chemin_de_fer, day, showings)
        with played_at(self._ago(HELD_AGO - 1)):
            lodged = {name: self._contest(name, text) for name, (text, _reply) in APPEALS.items()}
        with played_at(self._ago(HELD_AGO - 3)):
            for name, (_text, reply) in APPEALS.items():
                if reply:
                    appeals.reject(lodged[name], self.people["paulo"], reply)

    def _an_alarm(self) -> None:
        """A sitting ended by an alarm: the invigilator asks to annul it, an administrator confirms, and the candidate
        may try again in the session open now."""
        day, duarte, rui = self.today - timedelta(days=ALARM_AGO), self.people["duarte"], self.people["rui"]
        session = set_up(
            self.people["vasco"],
            self.chemin_de_fer,
            [duarte],
            title=_title(day),
            opens_at=_at(day),
            closes_at=_at(day) + ENTRY,
            invigilator=rui,
        )
        ended = interrupt(session, Showing(duarte, WELL), rui, after=4, why="Alarme de incêndio.")
        with played_at(_at(day, hour=11)):
            why = "Alarme de incêndio às 10h05: a sala foi evacuada e a prova não pôde continuar."
            asked = annulment.ask(ended, by=rui, remedy=Annulment.Remedy.ANNULLED, reason=why)
        with played_at(_at(day, hour=15)):
            annulment.confirm(asked, by=self.people["paulo"])

    def _days_ago(self) -> None:
        """A session whose results wait: one for the examiner, one to be released, one for HR."""
        day = self.today - timedelta(days=HELD_LATELY_AGO)
        showings = {"marta": ALMOST_PERFECTLY, "bento": BADLY, "amelia": WELL, "clara": ALMOST_PERFECTLY}
        marta, bento, _undecided, clara = self._held(self.macau, day, showings)
        examiner = self.people["vasco"]
        with played_at(self._ago(HELD_LATELY_AGO - 1)):
            for result in (marta, bento, clara):
                results.decide_result(result.pk, examiner, passed=result.passed, reason="")
            for result in (marta, bento):
                results.release_result(result.pk, examiner)

    def _open_now(self) -> Session:
        opens = self.now.replace(minute=0, second=0, microsecond=0)
        return set_up(
            self.people["vasco"],
            self.chemin_de_fer,
            [self.people[name] for name in ("ines", "duarte", "marta")],
            title=_title(self.today),
            opens_at=opens,
            closes_at=opens + timedelta(days=7),
            invigilator=self.people["rui"],
        )

    # ---- shared steps

    def _held(self, version: ProgrammeVersion, day: date, showings: dict[str, int]) -> list[Result]:
        """Hold a session on a day and issue the certificates that follow automatically."""
        found = hold(
            self.people["vasco"],
            version,
            [Showing(self.people[name], rate, gives_up=rate == BADLY) for name, rate in showings.items()],
            title=_title(day),
            opens_at=_at(day),
            invigilator=self.people["rui"],
        )
        with played_at(_at(day) + timedelta(hours=4)):
            release.release_due()
            for result in found:
                issuance.follow(result.pk)
        return found

    def _contest(self, name: str, text: str) -> Appeal:
        """Contest the first item that cost the candidate points."""
        person = self.people[name]
        lost = FormItem.objects.filter(form__candidate__person=person, marks__points__lt=F("marks__of"))
        return appeals.lodge(person, lost.earliest("position"), text)

    def _certificate(self, name: str) -> Certificate:
        return Certificate.objects.get(holder=self.people[name])

    def _mails_have_gone(self) -> None:
        """Mark all mails as sent, so that nobody gets mail about events of two years ago."""
        Candidate.objects.filter(told_at=None).update(told_at=self.now)
        Result.objects.filter(letter_owed=True).update(letter_owed=False)
        Letter.objects.filter(sent_at=None).update(sent_at=self.now)
        Notice.objects.update(told_at=self.now)
        waiting().filter(person__in=self.people.values()).delete()

    def _ago(self, days: int) -> datetime:
        return _at(self.today - timedelta(days=days), hour=15)


def enter_newcomers() -> None:
    """Create the people that only the demo's exams need."""
    known = set(User.objects.values_list("email", flat=True))
    for person in NEWCOMERS:
        if person.email not in known:
            password = PASSWORD if person.email in SIGN_IN else None
            enter_person(email=person.email, name=person.name, roles=person.roles, password=password, is_demo=True)


def _at(day: date, *, hour: int = 10) -> datetime:
    return datetime.combine(day, time(hour), tzinfo=timezone.get_default_timezone())


def _months_before(day: date, months: int) -> date:
    years, month = divmod(day.year * 12 + day.month - 1 - months, 12)
    return date(years, month + 1, min(day.day, 28))


def _title(day: date) -> str:
    with translation.override("pt"):
        return f"Exame de {date_format(day, 'F').lower()} de {day.year}"
