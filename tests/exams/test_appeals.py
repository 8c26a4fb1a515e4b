"""Appeals: when one can be lodged, who may decide it, and what an upheld one changes for everybody."""

from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.core import mail
from django.db import IntegrityError, transaction
from django.utils import timezone, translation

from exams.appeals import letters, remedy, services
from exams.appeals.models import Appeal, Letter
from exams.appeals.reviewers import verify_reviewer
from exams.audit.models import Entry
from exams.impartiality import Partial
from exams.practical import marking
from exams.practical.models import ExamTable
from exams.records.models import ExamItem, FormItem, Response
from exams.results import shadow_grading
from exams.results.grading import grade_sitting
from exams.results.models import Mark, Result
from tests.classes import rooms
from tests.exams import making, practising
from tests.exams.contesting import REPLY, TEXT, Exam, held, lodged, sat, stranger, wrong
from tests.library.versions import make_draft, make_published
from training.classes import services as classes
from training.library import authors, drafts
from training.library import services as library
from training.library.models import Version
from training.mail.courier import deliver
from training.people.models import Role, User
from training.platform.errors import Refused

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _in_english() -> Iterator[None]:
    """Refusals are told in the language of who is refused."""
    with translation.override("en"):
        yield


def refused(act: Callable[[], Any], why: str) -> None:
    with pytest.raises(Refused, match=why):
        act()


# ---- lodging


def test_an_appeal_gets_a_number_a_deadline_and_letters(django_capture_on_commit_callbacks: Any) -> None:
    exam = held(version=making.make_version(making.make_rules(review_days=10)))
    administrator = stranger(Role.ADMINISTRATOR)
    first, second = lodged(exam), lodged(exam, position=2)
    assert (first.number, second.number) == (1, 2)
    assert first.decide_by == first.lodged_at + timedelta(days=10)
    assert first.mark == exam.mark()
    told = set(first.letters.values_list("kind", "recipient__email"))
    others = {exam.session.created_by, administrator, exam.version.published_by}
    assert told == {("received", exam.person().email)} | {("lodged", person.email) for person in others if person}
    assert letters.send(first) == len(told)
    assert letters.send(first) == 0
    deliver()
    assert len([letter for letter in mail.outbox if letter.to == [exam.person().email]]) == 1
    entry = Entry.objects.filter(act="appeal.lodged").first()
    assert entry and entry.subject == f"appeal:{first.pk}" and TEXT not in str(entry.details)


LIMIT = pytest.mark.parametrize(("seconds", "taken"), [(-1, True), (0, True), (1, False)])


def at(monkeypatch: pytest.MonkeyPatch, moment: datetime) -> None:
    monkeypatch.setattr("exams.clock.now", lambda: moment)


@LIMIT
def test_an_item_is_contested_within_the_days_from_the_release(
    monkeypatch: pytest.MonkeyPatch, seconds: int, taken: bool
) -> None:
    exam = held(version=making.make_version(making.make_rules(appeal_days=14)), released_after=timedelta(hours=1))
    released = exam.result().released_at
    assert released and released > exam.sittings[0].closed_at  # type: ignore[operator]
    at(monkeypatch, released + timedelta(days=14, seconds=seconds))
    if taken:
        assert lodged(exam).lodged_at == released + timedelta(days=14, seconds=seconds)
    else:
        refused(lambda: lodged(exam), "time to contest this result is over")


@LIMIT
def test_the_days_count_from_when_the_items_can_be_seen(
    monkeypatch: pytest.MonkeyPatch, seconds: int, taken: bool
) -> None:
    """While somebody else may still be put before them, nobody sees the items and nobody can contest one."""
    exam = held(version=making.make_version(making.make_rules(appeal_days=14)))
    making.enter(exam.session)
    refused(lambda: lodged(exam), "once everybody in the session has finished")
    over = exam.session.entry_closes_at
    at(monkeypatch, over - timedelta(seconds=1))
    refused(lambda: lodged(exam), "once everybody in the session has finished")
    at(monkeypatch, over + timedelta(days=14, seconds=seconds))
    if taken:
        assert lodged(exam)
    else:
        refused(lambda: lodged(exam), "time to contest this result is over")


@pytest.mark.parametrize(("length", "why"), [(19, "at least 20"), (20, ""), (4000, ""), (4001, "at most 4000")])
def test_the_text_has_from_20_to_4000_characters(length: int, why: str) -> None:
    exam = held()
    if why:
        refused(lambda: lodged(exam, text="x" * length), why)
    else:
        assert len(lodged(exam, text=f"  {'x' * length}\r\n ").text) == length


def test_only_the_candidate_contests_and_each_item_once() -> None:
    exam = held()
    refused(lambda: services.lodge(stranger(Role.TRAINEE), exam.item(), TEXT), "Only the candidate")
    lodged(exam)
    refused(lambda: lodged(exam), "contested only once")
    assert Appeal.objects.count() == 1


def test_nothing_is_contested_before_the_release_or_where_there_are_no_appeals() -> None:
    exam = held(version=making.make_version(making.make_rules(release="by_examiner")))
    refused(lambda: lodged(exam), "once the result is released")
    refused(lambda: lodged(held(version=making.make_version(making.make_rules(appeal_days=0)))), "no appeals")


def test_a_voided_item_is_not_contested() -> None:
    exam = held({}, {})
    services.void(lodged(exam), stranger(), REPLY)
    refused(lambda: lodged(exam, 1), "voided")


def test_a_refused_lodging_leaves_no_gap_in_the_register() -> None:
    exam = held()
    lodged(exam)
    refused(lambda: lodged(exam), "once")
    with pytest.raises(ZeroDivisionError, match="division by zero"), transaction.atomic():
        lodged(exam, position=2)
        _ = 1 / 0
    assert lodged(exam, position=2).number == 2


def test_who_lodges_at_the_same_time_takes_the_next_number(monkeypatch: pytest.MonkeyPatch) -> None:
    exam = held()
    write, late = letters.write, iter([True])

    def another_first(appeal: Appeal, *args: Any) -> None:
        if next(late, False):
            raise IntegrityError("number")  # as the database says to who comes second
        write(appeal, *args)

    monkeypatch.setattr(letters, "write", another_first)
    assert lodged(exam).number == 1


# ---- who may decide


def partial_ways() -> dict[str, Callable[[Exam], User]]:
    def invigilated(exam: Exam) -> User:
        person = stranger()
        exam.session.invigilators.add(person)
        return person

    def decided(exam: Exam) -> User:
        person = stranger()
        Result.objects.filter(sitting=exam.sittings[0]).update(decided_by=person)
        return person

    def taught(exam: Exam) -> User:
        person = stranger()
        rooms.make_class(person, exam.person())
        return person

    def taught_long_ago(exam: Exam) -> User:
        person = taught(exam)
        exam.person().enrolments.update(left_at=exam.session.opens_at)
        return person

    def left_the_class(exam: Exam) -> User:
        person = stranger()
        room = rooms.make_class(None, exam.person())
        classes.add_instructor(room, person)
        classes.remove_instructor(room, person)
        return person

    def made_the_class(exam: Exam) -> User:
        person = stranger()
        room = rooms.make_class(person)
        classes.add_instructor(room, stranger())
        classes.remove_instructor(room, person)
        classes.enrol(room, [exam.person()], stranger())
        return person

    def examined_before(exam: Exam) -> User:
        person = stranger()
        sat(making.make_session(exam.version, spare=0, created_by=person), {}, exam.person())
        return person

    def marked_at_a_table(exam: Exam) -> User:
        person = stranger()
        session = practising.make_session(practising.make_version(held="table"), exam.person())
        marking.begin(ExamTable.objects.get(candidate__session=session).pk, by=person, now=timezone.now())
        return person

    def had_it(exam: Exam) -> User:
        person = stranger(Role.INSTRUCTOR, Role.TRAINEE)
        sat(exam.session, {}, person)
        return person

    return {
        "examined the candidate: held": lambda exam: exam.session.created_by,
        "examined the candidate: invigilated": invigilated,
        "examined the candidate: decided": decided,
        "examined the candidate: before": examined_before,
        "examined the candidate: at a table": marked_at_a_table,
        "taught the candidate": taught,
        "taught the candidate: left": taught_long_ago,
        "taught the candidate: left the class": left_the_class,
        "taught the candidate: made the class": made_the_class,
        "on your own exam paper": had_it,
    }


@pytest.mark.parametrize("way", partial_ways())
def test_who_has_a_part_in_it_does_not_decide(way: str) -> None:
    exam = held(created_by=stranger())
    appeal = lodged(exam)
    partial = partial_ways()[way](exam)
    with pytest.raises(Partial, match=way.partition(":")[0]):
        services.reject(appeal, partial, REPLY)
    _the_database_refuses(appeal, partial)


@pytest.mark.parametrize("who", ["author", "publisher", "author of another version"])
def test_who_wrote_the_scenario_does_not_decide(who: str) -> None:
    author, publisher, later = stranger(), stranger(), stranger()
    version = make_published(author, by=publisher)
    version.item.versions.create(
        number=2,
        source=version.source,
        rulebook=version.rulebook,
        topic=version.topic,
        scenario_document=version.scenario_document,
        author=later,
    )
    exam = _with_version(version)
    appeal = lodged(exam)
    person = {"author": author, "publisher": publisher, "author of another version": later}[who]
    with pytest.raises(Partial, match="wrote or published"):
        verify_reviewer(person, appeal)
    _the_database_refuses(appeal, person)


def _written_by_several() -> tuple[Version, User, User]:
    """A version in the exam bank, its co-author, and one who changed it and was taken away."""
    draft, co_author, former = make_draft(), stranger(), stranger()
    for person in (co_author, former):
        authors.add(draft, draft.author, person)
    drafts.save_draft(draft, former, words={"pt": {"title": "Outro título"}})
    authors.remove(draft, draft.author, former)
    waiting = library.submit_for_review(draft, draft.author)
    return library.publish(waiting, stranger(), reserved=True), co_author, former


def test_nor_does_a_co_author_or_who_was_one_and_changed_it() -> None:
    version, *people = _written_by_several()
    appeal = lodged(_with_version(version))
    for person in people:
        with pytest.raises(Partial, match="wrote or published"):
            verify_reviewer(person, appeal)
        _the_database_refuses(appeal, person)
    verify_reviewer(stranger(), appeal)


def test_co_authors_are_told_too_that_an_appeal_against_their_item_is_upheld() -> None:
    version, co_author, _former = _written_by_several()
    services.void(lodged(_with_version(version)), stranger(), REPLY)
    told = Letter.objects.filter(kind=Letter.Kind.AUTHOR).values_list("recipient", flat=True)
    assert set(told) == {version.author_id, co_author.pk}


def _with_version(version: Any) -> Exam:
    """An exam whose first item is a scenario of the library."""
    session = making.make_session(spare=0)
    pool = ExamItem.objects.filter(session=session, topic="third_card").order_by("fingerprint")
    first = pool.first()
    assert first
    first_values = {field.attname: getattr(first, field.attname) for field in ExamItem._meta.fields}
    first.delete()
    ExamItem.objects.create(**first_values | {"version_id": version.pk})
    return Exam(session, [sat(session, {})])


def test_nobody_decides_their_own_appeal_nor_without_the_role() -> None:
    exam = held()
    appeal = lodged(exam)
    with pytest.raises(Partial, match="Only instructors"):
        verify_reviewer(stranger(Role.HR), appeal)
    exam.person().role_grants.create(role=Role.INSTRUCTOR)
    with pytest.raises(Partial, match="their own appeal"):
        verify_reviewer(User.objects.get(pk=exam.person().pk), appeal)
    _the_database_refuses(appeal, exam.person())


def _the_database_refuses(appeal: Appeal, reviewer: User) -> None:
    change = {"state": "rejected", "reviewer": reviewer, "decided_at": appeal.lodged_at, "reply": REPLY}
    with (
        pytest.raises(IntegrityError, match="not decided by anybody who wrote or had the item, or taught or"),
        transaction.atomic(),
    ):
        Appeal.objects.filter(pk=appeal.pk).update(**change)


def test_the_database_lets_an_impartial_person_decide_and_then_nothing_change() -> None:
    appeal, reviewer = lodged(held()), stranger(Role.ADMINISTRATOR)
    services.reject(appeal, reviewer, REPLY)
    for change in ({"state": "upheld", "remedy": "voided"}, {"reply": "other"}, {"text": "other"}, {"number": 9}):
        with (
            pytest.raises(IntegrityError, match=r"an appeal is decided only once|an appeal keeps what was"),
            transaction.atomic(),
        ):
            Appeal.objects.filter(pk=appeal.pk).update(**change)
    with pytest.raises(IntegrityError, match="Cannot delete some instances"), transaction.atomic():
        Appeal.objects.filter(pk=appeal.pk).delete()
    refused(lambda: services.void(appeal, stranger(), REPLY), "already decided this appeal")


def test_a_decision_needs_a_reply() -> None:
    appeal = lodged(held())
    refused(lambda: services.reject(appeal, stranger(), "não"), "at least 20")
    appeal.refresh_from_db()
    assert appeal.state == Appeal.State.LODGED


# ---- what follows


def test_a_rejected_appeal_changes_no_mark() -> None:
    exam = held({}, {})
    services.reject(lodged(exam), stranger(), REPLY)
    assert Mark.objects.filter(number__gt=1).count() == 0
    assert not exam.item().item.corrections and exam.item().item.voided_at is None


def test_an_accepted_answer_is_right_for_everybody_who_gave_it_and_for_nobody_else() -> None:
    # As the appellant, as the appellant too, not at all, rightly; and one more wrongly in another way.
    exam = held({}, {}, {1: {}}, {1: "right"})
    other = sat(exam.session, {1: wrong(exam.item(), 1)})
    appeal, given = lodged(exam), wrong(exam.item())
    services.correct(appeal, stranger(), REPLY, list(given))
    assert exam.item().item.corrections == {key: [value] for key, value in given.items()}
    assert remedy.carry_out(appeal.pk)
    marks = [exam.mark(number) for number in range(4)]
    assert [mark.number for mark in marks] == [2, 2, 1, 1]
    assert marks[0].cause == Mark.Cause.CORRECTED
    assert marks[0].points == marks[1].points == marks[3].points > marks[2].points == 0
    assert Mark.objects.get(form_item__form__candidate__sitting=other, form_item__position=1).number == 1
    # Nothing but the item contested was marked anew, and the former marks are kept.
    assert Mark.objects.filter(number=2).count() == 2
    assert Mark.objects.filter(form_item=exam.item(), number=1, in_force=False).exists()
    appeal.refresh_from_db()
    assert appeal.carried_out_at and appeal.accepted == sorted(given)


def test_one_of_several_answers_can_be_accepted() -> None:
    exam = held({})
    position = next(n for n in range(1, 6) if len(exam.item(position=n).item.scenario.questions) > 1)
    given = wrong(exam.item(position=position))
    appeal = lodged(exam, position=position)
    services.correct(appeal, stranger(), REPLY, [next(iter(given))])
    remedy.carry_out(appeal.pk)
    mark = exam.mark(position=position)
    assert 0 < mark.points < mark.of


def test_a_voided_item_counts_for_nobody_and_decisions_are_taken_again() -> None:
    """Four of five items right is not enough at 90 %; without the fifth it is."""
    rules = making.make_rules(pass_mark=90, critical_allowed=None)
    right: dict[int, Any] = dict.fromkeys((2, 3, 4, 5), "right")
    exam = held(right, right, version=making.make_version(rules))
    assert [exam.result(number).passed for number in (0, 1)] == [False, False]
    appeal = lodged(exam)
    services.void(appeal, stranger(), REPLY)
    assert [exam.result(number).number for number in (0, 1)] == [1, 1]  # nothing yet: the worker does it
    remedy.carry_out(appeal.pk)
    for number in (0, 1):
        result = exam.result(number)
        assert (result.number, result.passed, result.score) == (2, True, 100)
        assert result.released_at and exam.mark(number).voided
    acts = list(Entry.objects.filter(act__startswith="appeal.").values_list("act", flat=True))
    assert acts == ["appeal.lodged", "appeal.upheld", "appeal.carried_out"]


def test_carrying_out_twice_or_after_being_killed_changes_nothing_more(monkeypatch: pytest.MonkeyPatch) -> None:
    exam = held({}, {}, {})
    appeal = lodged(exam)
    services.void(appeal, stranger(), REPLY)
    publish, done = shadow_grading.publish, iter([True])

    def killed(*args: Any, **kwargs: Any) -> Any:
        if next(done, False):
            return publish(*args, **kwargs)
        raise SystemExit

    monkeypatch.setattr(remedy, "publish", killed)
    with pytest.raises(SystemExit):
        remedy.carry_out(appeal.pk)
    appeal.refresh_from_db()
    assert appeal.carried_out_at is None
    monkeypatch.undo()
    monkeypatch.setattr(remedy, "OVERDUE", timedelta(seconds=-1))
    assert remedy.carry_out_overdue() == 1
    assert [exam.result(number).number for number in range(3)] == [2, 2, 2]
    assert remedy.carry_out_overdue() == 0
    assert remedy.carry_out(appeal.pk)
    assert [exam.result(number).number for number in range(3)] == [2, 2, 2]
    assert Entry.objects.filter(act="appeal.carried_out").count() == 1


def test_it_waits_for_a_paper_that_is_being_graded() -> None:
    """Whoever grades it may have read the item before it was voided."""
    exam = held()
    appeal = lodged(exam)
    sitting = making.start(making.enter(exam.session))
    making.answer(sitting, right=0)
    services.void(appeal, stranger(), REPLY)
    making.close(sitting)
    assert not remedy.carry_out(appeal.pk)
    assert exam.result().number == 1
    grade_sitting(sitting.pk)
    assert remedy.carry_out(appeal.pk)
    assert exam.result().number == 2


def test_only_wrong_answers_that_were_given_can_be_accepted() -> None:
    exam = held({1: "right"}, {1: {}})
    for number in (0, 1):
        appeal = lodged(exam, number)
        key = exam.item().item.scenario.questions[0].key
        refused(lambda a=appeal, k=key: services.correct(a, stranger(), REPLY, [k]), "Choose the parts")  # type: ignore[misc]
    assert ExamItem.objects.exclude(corrections={}).count() == 0
    assert Response.objects.count() == FormItem.objects.count()


def test_the_author_of_the_scenario_is_told() -> None:
    author = stranger()
    exam = _with_version(make_published(author))
    appeal = lodged(exam)
    services.void(appeal, stranger(), REPLY)
    told = Letter.objects.filter(appeal=appeal, kind__in=["decided", "informed", "author"])
    people = {(letter.kind, letter.recipient) for letter in told}
    assert people == {("decided", exam.person()), ("informed", exam.session.created_by), ("author", author)}
    letters.send(appeal)
    deliver()
    [letter] = [letter for letter in mail.outbox if letter.to == [exam.person().email] and REPLY in letter.body]
    assert str(appeal.number) in letter.subject


def test_a_letter_that_no_message_led_to_is_written_by_the_sweep(monkeypatch: pytest.MonkeyPatch) -> None:
    appeal = lodged(held())
    assert letters.send_overdue() == 0  # not overdue yet: the worker is at it
    monkeypatch.setattr(letters, "OVERDUE", timedelta(seconds=-1))
    assert letters.send_overdue() == appeal.letters.count()
    assert letters.send_overdue() == 0
