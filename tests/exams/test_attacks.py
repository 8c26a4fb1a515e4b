"""Ways to a mark or a certificate that one has not earned, each tried as somebody would try it."""

import json
from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

import rules_engine
from exams.accounts import roles
from exams.certificates import issuance, services
from exams.certificates.models import Certificate
from exams.hr import roster
from exams.invigilation import acts
from exams.mock import services as mocks
from exams.papers import renewal
from exams.papers.knowledge import fingerprint_of, known_to
from exams.papers.pool import Pool
from exams.programmes.rules import Line
from exams.records.models import Event, FormItem, Response, Session, Sitting
from exams.results import grading
from exams.results import services as results
from exams.results.models import Result
from exams.sittings import sitting as sittings
from tests.exams import certifying, making, staffing
from tests.exams.test_papers import one_section, preparing, ready
from tests.factories import PersonFactory, second_person
from tests.library.versions import RULEBOOK, TOPIC, make_published
from training.figures import expected
from training.lessons.examples import is_told
from training.people.models import Role, User
from training.platform.errors import Refused

pytestmark = pytest.mark.django_db


def browser_of(person: User) -> Client:
    client = Client()
    client.force_login(person)
    return client


def test_whoever_does_not_hold_the_sitting_reads_no_item_by_sending_an_answer() -> None:
    trainee = PersonFactory(language="en")
    candidate = making.enter(making.make_session(), trainee)
    room = browser_of(trainee)
    room.post(f"/exams/enter/{candidate.pk}/", {"code": "sabot 7"})
    sitting = Sitting.objects.get()
    room.get(f"/exams/sittings/{sitting.pk}/1/")
    outside = browser_of(trainee)
    for more, status in (({}, 409), ({"here": "1", "code": "wrong"}, 422)):
        answer = outside.post(f"/exams/sittings/{sitting.pk}/2/", more)
        assert answer.status_code == status
        assert "story" not in answer.context
        assert "questions" not in answer.context
    assert Event.objects.filter(sitting=sitting, kind=Event.Kind.ASKED).count() == 1


def test_the_copy_of_ones_data_is_no_key_while_others_have_the_items() -> None:
    session, trainee = making.make_session(), PersonFactory(language="en")
    sitting = making.start(making.enter(session, trainee))
    making.answer(sitting, right=3)
    grading.grade_sitting(making.close(sitting).pk)
    making.enter(session)
    copy = json.loads(browser_of(trainee).get(reverse("own_copy")).content)
    assert (copy["results.Mark"], copy["records.Response"]) == ([], [])
    over = timezone.now() - timedelta(days=1)
    Session.objects.filter(pk=session.pk).update(opens_at=over - timedelta(hours=1), entry_closes_at=over)
    copy = json.loads(browser_of(trainee).get(reverse("own_copy")).content)
    assert copy["results.Mark"]
    assert copy["records.Response"]


def test_an_identity_that_was_checked_counts_no_longer_once_another_browser_goes_on() -> None:
    session = making.make_session()
    sitting = making.start(making.enter(session))
    now = timezone.now()
    acts.check_identity(sitting, name=sitting.name, by=session.created_by, now=now)
    assert acts.identity_checked(sitting.pk)
    sittings.arrive(sitting, 1, device="room", now=now)
    sittings.take_over(sitting, session.access_code, device="home", now=now + timedelta(seconds=1))
    assert not acts.identity_checked(sitting.pk)
    acts.check_identity(sitting, name=sitting.name, by=session.created_by, now=now + timedelta(seconds=2))
    assert acts.identity_checked(sitting.pk)


def test_after_a_withdrawal_an_exam_sat_before_leads_to_nothing_by_itself() -> None:
    holder = PersonFactory()
    version = making.make_version()
    earlier = certifying.make_result(version, holder)
    held = certifying.make_certificate(version, holder)
    services.withdraw(certificate=held, actor=PersonFactory(roles=[Role.HR]), second=second_person(), reason="Fraude.")
    Result.objects.filter(pk=earlier.pk).update(decided_at=timezone.now() + timedelta(minutes=1))
    assert issuance.follow(earlier.pk) is None
    assert Certificate.objects.filter(holder=holder).count() == 1


def test_tonights_list_says_the_name_that_is_printed() -> None:
    staffing.certify(PersonFactory(name="Xavier Sem Exame"), holder_name="Ana Gil", begins=timezone.localdate())
    assert {entry.name for entry in roster.entries(timezone.localdate())} == {"Ana Gil"}


def test_administrators_get_no_case_of_the_library_in_their_exam() -> None:
    both = PersonFactory(roles=[Role.TRAINEE, Role.ADMINISTRATOR])
    session = making.make_session()
    assert known_to([both.pk], making.make_rules().lines, besides=session.pk)[both.pk].reads_library


def test_whoever_was_an_instructor_has_read_the_library() -> None:
    former = PersonFactory(roles=[Role.TRAINEE, Role.INSTRUCTOR])
    roles.take(former, Role.INSTRUCTOR, by=PersonFactory(roles=[Role.ADMINISTRATOR]))
    session = making.make_session()
    assert known_to([former.pk], making.make_rules().lines, besides=session.pk)[former.pk].reads_library


def test_a_candidate_of_the_session_does_not_judge_another() -> None:
    version = making.make_version(making.make_rules(decision="by_examiner"))
    session = making.make_session(version)
    rival = making.enter(session, PersonFactory(roles=[Role.TRAINEE, Role.INSTRUCTOR]))
    sitting = making.start(making.enter(session))
    making.answer(sitting, right=3)
    grading.grade_sitting(making.close(sitting).pk)
    with pytest.raises(Refused, match="lista de candidatos desta sessão"):
        results.verify_decide(rival.person, Result.objects.get())


def test_who_is_made_an_instructor_once_the_papers_are_made_keeps_no_case_of_the_library() -> None:
    make_published(seed="bank 1", reserved=True)
    line = Line(rulebook=RULEBOOK, topic=TOPIC, difficulty=2, items=3, points=1)
    session = ready(preparing(candidates=4, rules=one_section(line)))
    placed = FormItem.objects.filter(item__session=session, item__version__isnull=False)
    candidate = placed.select_related("form__candidate__person").first().form.candidate
    assert renewal.practised_since() == []
    roles.give(candidate.person, [Role.INSTRUCTOR], by=PersonFactory(roles=[Role.ADMINISTRATOR]))
    assert renewal.practised_since() == [candidate.pk]
    renewal.renew_all()
    assert not placed.filter(form__candidate=candidate).exists()


@pytest.mark.parametrize("route", ["session_statistics", "programme_statistics"])
def test_nobody_reads_their_own_result_out_of_figures_before_it_is_released(route: str) -> None:
    session, both = making.make_session(), PersonFactory(roles=[Role.TRAINEE, Role.INSTRUCTOR], language="en")
    sitting = making.start(making.enter(session, both))
    making.answer(sitting, right=5)
    grading.grade_sitting(making.close(sitting).pk)
    subject = session.pk if route == "session_statistics" else session.programme_version.programme_id
    Result.objects.update(released_at=None)
    answer = browser_of(both).get(reverse(route, args=[subject]))
    assert answer.status_code == 409
    assert "not been released yet" in answer.content.decode()
    assert browser_of(session.created_by).get(reverse(route, args=[subject])).status_code == 200
    Result.objects.update(released_at=timezone.now())
    assert browser_of(both).get(reverse(route, args=[subject])).status_code == 200


def test_no_sign_keeps_an_exam_from_being_graded() -> None:
    """Digits of some scripts are digits to Python and no numbers to it."""
    sitting = making.start(making.enter(making.make_session()))
    making.answer(sitting, right=5)
    for response in Response.objects.all():
        kinds = {one.key: one.kind for one in response.form_item.item.scenario.questions}
        parts = {key: "፩ ² 𐩀" if kinds[key] == "words" else given for key, given in response.answer["parts"].items()}
        Response.objects.filter(pk=response.pk).update(answer={"parts": parts})
    grading.grade_sitting(making.close(sitting).pk)
    assert Result.objects.get().score > 0


def test_no_exam_puts_what_is_told_as_an_example() -> None:
    """Some topics have few cases, and whoever looks an article up reads the whole ruling on its example."""
    book, topic = "pt-banca-francesa", "dice"
    told = [one for number in range(60) if is_told(one := rules_engine.generate(book, topic, f"c{number}", 1))]
    assert told, "or this tries nothing"
    line = Line(rulebook=book, topic=topic, difficulty=1, items=3, points=1)
    rules = one_section(line)
    pool = Pool(making.make_session(making.make_version(rules)), rules, {}, expected.experience([book]))
    assert not any(pool._admitted(pool.slots[0], one, version=None) for one in told)


def test_a_case_of_a_mock_exam_under_way_is_on_no_paper() -> None:
    trainee, version = PersonFactory(), making.make_version()
    mock = mocks.start(trainee, version, timezone.now())
    session = making.make_session(version)
    known = known_to([trainee.pk], version.rules.lines, besides=session.pk)[trainee.pk]
    assert {fingerprint_of(item.scenario) for item in mock.items.all()} <= known.cases
