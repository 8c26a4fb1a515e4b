"""Who ever taught a candidate does not judge them, whatever became of the class since."""

from collections.abc import Callable, Iterator
from datetime import timedelta

import pytest
from django.db import DatabaseError, IntegrityError, transaction
from django.utils import timezone
from django.utils.translation import override

from exams.accounts import confirmation, email_correction, roles
from exams.appeals import services as appeals
from exams.appeals.models import Appeal
from exams.appeals.reviewers import who_may
from exams.exam_sessions import candidacy, setup
from exams.impartiality import Partial, who_could
from exams.results import annulment, services
from exams.results.models import Result
from exams.results.undecided import to_decide
from tests.classes.rooms import KIND, instructor, make_class, set_work
from tests.exams import annulling, making
from tests.exams.contesting import REPLY, held, lodged, sat, stranger
from tests.factories import PersonFactory
from training.classes import services as classes
from training.classes.models import Taught, TrainingClass
from training.classes.teaching import teachers_of
from training.people.accounts import withdraw_role
from training.people.models import Role, User
from training.platform.errors import Refused

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _in_english() -> Iterator[None]:
    with override("en"):
        yield


# ---- how one comes to have taught, and to leave no trace in the class


def left_the_class(teacher: User, trainee: User) -> None:
    room = make_class(teacher, trainee)
    classes.add_instructor(room, instructor())
    TrainingClass.objects.filter(pk=room.pk).update(made_by=None)
    classes.remove_instructor(room, teacher)


def joined_and_left(teacher: User, trainee: User) -> None:
    """Somebody else's class, taught for a while."""
    room = make_class(None, trainee)
    classes.add_instructor(room, teacher)
    classes.remove_instructor(room, teacher)


def both_left(teacher: User, trainee: User) -> None:
    room = make_class(None, trainee)
    classes.add_instructor(room, teacher)
    classes.remove(room, trainee, teacher)
    classes.remove_instructor(room, teacher)


def enrolled_again_after(teacher: User, trainee: User) -> None:
    """Enrolling anew overwrites when the trainee was in the class before."""
    room = make_class(None, trainee)
    classes.add_instructor(room, teacher)
    classes.remove(room, trainee, teacher)
    classes.remove_instructor(room, teacher)
    classes.enrol(room, [trainee], instructor())


def class_deleted(teacher: User, trainee: User) -> None:
    make_class(teacher, trainee).delete()


def role_taken_and_given_again(teacher: User, trainee: User) -> None:
    joined_and_left(teacher, trainee)
    withdraw_role(teacher, Role.INSTRUCTOR)
    roles.give(teacher, [Role.INSTRUCTOR])


def made_the_class(teacher: User, trainee: User) -> None:
    """Made it and handed it over before anybody came."""
    room = make_class(teacher)
    classes.add_instructor(room, instructor())
    classes.remove_instructor(room, teacher)
    classes.enrol(room, [trainee], instructor())


def set_work_that_was_still_to_do(teacher: User, trainee: User) -> None:
    room = make_class(None)
    other = room.instructors.get()
    classes.add_instructor(room, teacher)
    classes.remove_instructor(room, other)
    set_work(room)
    classes.add_instructor(room, other)
    classes.remove_instructor(room, teacher)
    classes.enrol(room, [trainee], other)


def set_work_for_one(teacher: User, trainee: User) -> None:
    """By a program that is not asked whether the class is theirs."""
    room = make_class(None, trainee)
    tomorrow = timezone.now() + timedelta(days=1)
    classes.assign(room, teacher, title="Só para ele", due_at=tomorrow, fresh=[(KIND, 1)], only=[trainee])


WAYS = [
    *(left_the_class, joined_and_left, both_left, enrolled_again_after, class_deleted, role_taken_and_given_again),
    *(made_the_class, set_work_that_was_still_to_do, set_work_for_one),
]
Way = Callable[[User, User], None]


@pytest.mark.parametrize("way", WAYS)
def test_who_ever_taught_does_not_decide_about_a_result(way: Way) -> None:
    teacher, trainee = stranger(), PersonFactory(name="Rita Sousa")
    result = decided_by_examiner(trainee)
    assert result in to_decide(teacher)
    way(teacher, trainee)
    with pytest.raises(Refused, match=r"Rita Sousa: You taught this person"):
        services.decide_result(result.pk, teacher, passed=False, reason="")
    assert result not in to_decide(teacher)
    assert teacher not in who_could(result.programme_version, [trainee.pk])


def decided_by_examiner(trainee: User) -> Result:
    rules = making.make_rules(decision="by_examiner", release="when_graded")
    sitting = sat(making.make_session(making.make_version(rules), spare=0), {}, trainee)
    return Result.objects.get(sitting=sitting)


@pytest.mark.parametrize("way", WAYS)
def test_nor_about_an_appeal_and_the_database_holds_it(way: Way) -> None:
    exam, teacher = held(created_by=stranger()), stranger()
    appeal = lodged(exam)
    assert teacher in who_may(appeal)
    way(teacher, exam.person())
    assert teacher not in who_may(appeal)
    with pytest.raises(Partial, match="You taught the candidate"):
        appeals.reject(appeal, teacher, REPLY)
    change = {"state": "rejected", "reviewer": teacher, "decided_at": appeal.lodged_at, "reply": REPLY}
    with (
        pytest.raises(IntegrityError, match="not decided by anybody who wrote or had the item, or taught or"),
        transaction.atomic(),
    ):
        Appeal.objects.filter(pk=appeal.pk).update(**change)


@pytest.mark.parametrize("way", WAYS)
def test_nor_about_an_annulment_nor_holds_their_exam(way: Way) -> None:
    teacher, trainee = stranger(), PersonFactory(name="Rita Sousa")
    asked = annulling.asked(annulling.sat(person=trainee))
    way(teacher, trainee)
    with pytest.raises(Refused, match="Rita Sousa: You taught this person"):
        annulment.confirm(asked, by=teacher)
    session = setup.create_session(
        teacher,
        version=making.make_version(),
        title="Exame",
        place="Sala",
        opens_at=timezone.now() + timedelta(hours=1),
        entry_closes_at=timezone.now() + timedelta(hours=2),
    )
    with pytest.raises(Refused, match="Rita Sousa was taught by"):
        candidacy.enter(session, trainee, teacher)


def test_who_came_after_a_trainee_had_left_did_not_teach_them() -> None:
    trainee, before, after = PersonFactory(), instructor(), instructor()
    room = make_class(before, trainee)
    classes.remove(room, trainee, before)
    classes.add_instructor(room, after)
    assert teachers_of([trainee.pk])[trainee.pk] == {before.pk}
    classes.enrol(room, [trainee], before)
    assert teachers_of([trainee.pk])[trainee.pk] == {before.pk, after.pk}


def test_who_taught_after_the_exam_was_sat_does_not_decide_it_either() -> None:
    """Named for it first, a teacher only later."""
    trainee = PersonFactory()
    result = decided_by_examiner(trainee)
    holder = result.sitting.candidate.session.created_by
    make_class(holder, trainee)
    with pytest.raises(Refused, match="You taught this person"):
        services.decide_result(result.pk, holder, passed=False, reason="")


def test_the_database_keeps_who_taught_whom() -> None:
    make_class(None, PersonFactory())
    with pytest.raises(DatabaseError, match="who taught whom is never removed"), transaction.atomic():
        Taught.objects.all().delete()
    with pytest.raises(DatabaseError, match="who taught whom never changes"), transaction.atomic():
        Taught.objects.update(teacher=PersonFactory())


def test_an_invigilator_is_not_taken_away_once_somebody_has_begun() -> None:
    """Or they would decide an appeal against the exam they watched over."""
    exam, watched = held(created_by=stranger(Role.INSTRUCTOR)), stranger()
    exam.session.invigilators.add(watched)
    with pytest.raises(Refused, match="stay on record"):
        setup.remove_invigilator(exam.session, watched, exam.session.created_by)
    with pytest.raises(Partial, match="You examined the candidate"):
        appeals.reject(lodged(exam), watched, REPLY)


# ---- an account in somebody's hands judges no better than they do


def puppet_of(maker: User) -> User:
    number = User.objects.count()
    made = roles.invite(
        email=f"p{number}@casa.example", name="Fantoche", language="en", roles=[Role.INSTRUCTOR], by=maker
    )
    return User.objects.get(pk=made.pk)


def taken_over_by(maker: User) -> User:
    judge = stranger()
    email_correction.correct(judge, by=maker, email="meu@casa.example")
    return judge


@pytest.mark.parametrize("in_hands", [puppet_of, taken_over_by])
@pytest.mark.parametrize("whose", ["teacher", "candidate"])
def test_an_account_in_the_hands_of_who_may_not_judge_does_not_judge(
    in_hands: Callable[[User], User], whose: str
) -> None:
    exam = held(created_by=stranger())
    trainee, teacher = exam.person(), stranger(Role.INSTRUCTOR, Role.ADMINISTRATOR)
    roles.give(trainee, [Role.ADMINISTRATOR])
    make_class(teacher, trainee)
    judge, result, appeal = (
        in_hands(teacher if whose == "teacher" else trainee),
        decided_by_examiner(trainee),
        lodged(exam),
    )
    with pytest.raises(Refused, match="One person alone could be behind your account"):
        services.decide_result(result.pk, judge, passed=False, reason="")
    with pytest.raises(Partial, match="One person alone could be behind your account"):
        appeals.reject(appeal, judge, REPLY)
    assert judge not in who_may(appeal)
    assert judge not in who_could(result.programme_version, [trainee.pk])
    assert result not in to_decide(judge)


@pytest.mark.parametrize("in_hands", [puppet_of, taken_over_by])
def test_nor_does_whoever_could_have_taught_in_another_account(in_hands: Callable[[User], User]) -> None:
    exam, chief = held(created_by=stranger()), stranger(Role.INSTRUCTOR, Role.ADMINISTRATOR)
    trainee, own = exam.person(), in_hands(chief)
    make_class(own, trainee)
    result, appeal = decided_by_examiner(trainee), lodged(exam)
    for judge in (chief, puppet_of(chief)):
        with pytest.raises(Refused, match="One person alone could be behind your account"):
            services.decide_result(result.pk, judge, passed=False, reason="")
        with pytest.raises(Partial, match="One person alone could be behind your account"):
            appeals.reject(appeal, judge, REPLY)
        assert judge not in who_may(appeal)
        assert judge not in who_could(result.programme_version, [trainee.pk])
        assert result not in to_decide(judge)
    confirmation.confirm(own, by=PersonFactory(roles=[Role.ADMINISTRATOR]))
    assert chief in who_may(appeal)


def test_a_candidate_does_not_sit_with_who_is_in_their_hands() -> None:
    chief = PersonFactory(roles=[Role.TRAINEE, Role.ADMINISTRATOR], name="Rita Sousa")
    holder = puppet_of(chief)
    session = setup.create_session(
        holder,
        version=making.make_version(),
        title="Exame",
        place="Sala",
        opens_at=timezone.now() + timedelta(hours=1),
        entry_closes_at=timezone.now() + timedelta(hours=2),
    )
    with pytest.raises(Refused, match="Rita Sousa created the account of whoever is in charge of this session"):
        candidacy.enter(session, chief, holder)
