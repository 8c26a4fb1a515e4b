"""A released exam to contest: graded by the platform's own services, answered wrongly where it matters."""

from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from exams import clock
from exams.appeals import services
from exams.appeals.models import Appeal
from exams.programmes.models import ProgrammeVersion
from exams.records.models import FormItem, Response, Session, Sitting
from exams.regrading import runs
from exams.regrading import services as regrading
from exams.regrading.models import Regrade
from exams.results.grading import grade_sitting
from exams.results.models import Mark, Result
from tests.exams import making
from tests.factories import PersonFactory
from training.people.models import Role, User

TEXT = "O ponto tem cinco e o banqueiro deu quatro: a carta era devida."
REPLY = "Nos termos do artigo 67 a carta não era devida, e a marca mantém-se."


@dataclass
class Exam:
    """A session and the sittings of those who sat it."""

    session: Session
    sittings: list[Sitting]

    @property
    def version(self) -> ProgrammeVersion:
        return self.session.programme_version

    def person(self, number: int = 0) -> User:
        return self.sittings[number].candidate.person

    def item(self, number: int = 0, *, position: int = 1) -> FormItem:
        return FormItem.objects.get(form__candidate=self.sittings[number].candidate_id, position=position)

    def result(self, number: int = 0) -> Result:
        return Result.objects.get(sitting=self.sittings[number], in_force=True)

    def mark(self, number: int = 0, *, position: int = 1) -> Mark:
        return Mark.objects.get(form_item=self.item(number, position=position), in_force=True)


def wrong(form_item: FormItem, how: int = 0) -> dict[str, Any]:
    """An answer to every question of an item, none of them right; `how` tells several apart."""
    scenario = form_item.item.scenario
    right = making.right_answer(scenario)
    given: dict[str, Any] = {}
    for question in scenario.questions:
        options = [option for option in question.options if option != right[question.key]]
        given[question.key] = str(options[how % len(options)]) if question.kind == "choice" else f"não sei {how}"
    return given


def held(
    *answers: dict[int, dict[str, Any] | str],
    version: ProgrammeVersion | None = None,
    released_after: timedelta | None = None,
    **changes: Any,
) -> Exam:
    """An exam sat by one person for each of `answers`, graded. An answer says what was given by position: parts, or
    "right"; every other item is answered wrongly."""
    session = making.make_session(version, spare=0, **changes)
    exam = Exam(session, [sat(session, answer) for answer in answers or ({},)])
    if released_after is not None:
        Result.objects.filter(sitting__in=exam.sittings).update(released_at=clock.now() + released_after)
    return exam


def sat(
    session: Session, answers: dict[int, dict[str, Any] | str], person: User | None = None, *, skip: int = 0
) -> Sitting:
    """A paper sat, closed and graded; with `skip` it leaves out as many items of every line."""
    sitting = making.start(making.enter(session, person, skip=skip))
    for form_item in FormItem.objects.filter(form__candidate=sitting.candidate_id).select_related("item"):
        given = answers.get(form_item.position, "wrong")
        if given == "right":
            given = making.right_answer(form_item.item.scenario)
        parts = wrong(form_item) if given == "wrong" else given
        Response.objects.create(
            sitting=sitting, form_item=form_item, answer={"parts": parts}, sequence=1, saved_at=sitting.started_at
        )
    making.close(sitting)
    grade_sitting(sitting.pk)
    return Sitting.objects.get(pk=sitting.pk)


def lodged(exam: Exam, number: int = 0, *, position: int = 1, text: str = TEXT) -> Appeal:
    return services.lodge(exam.person(number), exam.item(number, position=position), text)


def stranger(*roles: Role) -> User:
    """Somebody who has no part in anything."""
    return PersonFactory(roles=roles or [Role.INSTRUCTOR])


def regraded(exam: Exam, **changes: Any) -> Regrade:
    """A regrade of the exam's programme, run to its end as the workers do."""
    made = {"reason": "O artigo 67 foi corrigido."} | changes
    regrade = regrading.start(stranger(Role.ADMINISTRATOR), exam.version.programme, **made)
    runs.run_chunk(regrade.pk, runs.left_to_run(regrade))
    regrade.refresh_from_db()
    return regrade
