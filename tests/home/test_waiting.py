"""What waits for staff: what each may do and nothing else, in as many queries however much it is; and by mail."""

from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from exams.certificates import name_correction
from exams.house_office import rulings
from exams.results.grading import grade_sitting
from tests.classes import rooms
from tests.exams import certifying, contesting, making
from tests.factories import PersonFactory
from tests.house import graded, put
from tests.library.versions import make_draft, make_in_review, make_scenario
from training.classes.models import Assignment
from training.home import work_mail
from training.home.hooks import Waiting
from training.home.models import WorkMail
from training.home.worklist import waiting_for
from training.house.models import HouseRuling
from training.library import margin_remarks
from training.library import services as library
from training.mail.models import Mail
from training.people.models import Role, User
from training.practice import flags

pytestmark = pytest.mark.django_db
EIGHT = datetime(2026, 7, 6, 7, 5, tzinfo=UTC)  # in Lisbon


def waits(person: User) -> dict[str, Waiting]:
    return {one.kind: one for one in waiting_for(User.objects.get(pk=person.pk), timezone.now())}


def flagged() -> None:
    flags.raise_flag(graded(put(PersonFactory(), make_scenario("3"))), "A carta não se vê.")


def undecided(**people: Any) -> None:
    rules = making.make_rules(decision="by_examiner", release="by_examiner", taught_may_examine=False)
    sitting = making.close(making.start(making.enter(making.make_session(making.make_version(rules)), **people)))
    assert grade_sitting(sitting.pk)


def test_an_instructor_finds_reviews_flags_and_own_work_that_came_back() -> None:
    author, reviewer = rooms.instructor(), rooms.instructor()
    make_in_review(author)
    library.send_back(make_in_review(author, "2"), reviewer, "Falta a carta.")
    make_draft(author, "4")
    flagged()
    assert {kind: one.count for kind, one in waits(reviewer).items()} == {"reviews": 1, "flags": 1}
    mine = waits(author)
    assert {kind: one.count for kind, one in mine.items()} == {"sent_back": 1, "flags": 1}
    assert waits(PersonFactory()) == waits(PersonFactory(roles=[Role.HR])) == {}


def test_a_remark_in_the_margin_waits_for_the_author_until_answered() -> None:
    author, reviewer = rooms.instructor(), rooms.instructor()
    version = margin_remarks.remark(make_in_review(author), reviewer, "facts", "Quem apanha a carta?")
    assert waits(author)["remarks"].address == f"{reverse('version', args=[version.pk])}#margin"
    assert "remarks" not in waits(reviewer)
    [said] = margin_remarks.remarks(version)
    margin_remarks.answer(version, author, said.pk, "O fiscal.")
    assert "remarks" not in waits(author)
    margin_remarks.answer(version, reviewer, said.pk, "Então escreva-o.")
    assert waits(author)["remarks"].count == 1
    margin_remarks.settle(version, reviewer, said.pk)
    assert "remarks" not in waits(author)


def test_set_work_is_told_by_class_with_who_is_late() -> None:
    teacher, late, done = rooms.instructor(), PersonFactory(), PersonFactory()
    room = rooms.make_class(teacher, late, done)
    work = rooms.set_work(room, fresh=[(rooms.KIND, 1)])
    rooms.answer(put(done, make_scenario("9"), assignment_id=work.pk))
    [soon] = waits(teacher).values()
    assert (soon.count, soon.late, soon.address) == (1, 0, reverse("class_work", args=[room.pk]))
    Assignment.objects.update(due_at=timezone.now() - timedelta(days=1))
    assert [one.late for one in waits(teacher).values()] == [1]
    Assignment.objects.update(due_at=timezone.now() - timedelta(days=15))
    assert waits(teacher) == {}, "what is long over is no work any more"
    assert waits(rooms.instructor()) == {}


def test_results_and_appeals_wait_only_for_who_may_decide_them() -> None:
    taught, teacher = PersonFactory(), rooms.instructor()
    rooms.make_class(teacher, taught)
    undecided(person=taught)
    examiner = rooms.instructor()
    assert waits(examiner)["results_to_decide"].count == 1
    assert "results_to_decide" not in waits(teacher)
    assert "results_to_decide" not in waits(PersonFactory(roles=[Role.HR]))
    exam = contesting.held({})
    contesting.lodged(exam)
    assert waits(examiner)["appeals"].count == 1
    assert "appeals" not in waits(exam.session.created_by)


def test_a_house_ruling_waits_for_everybody_but_who_recorded_it() -> None:
    first, second = rooms.instructor(), rooms.instructor()
    given = {"rulebook": "pt-cussec", "question": "VII5", "choice": "bell", "decided_by": "A direção"}
    ruling = rulings.adopt(by=first, decided_on=date(2026, 7, 1), reason="Ouve-se em todos os lugares.", **given)
    assert "readings" not in waits(first) and "readings" not in waits(PersonFactory(roles=[Role.HR]))
    assert waits(second)["readings"].address == reverse("house_readings", args=["pt-cussec"])
    rulings.sign(ruling.pk, second)
    assert "readings" not in waits(rooms.instructor())


def test_a_house_ruling_on_what_this_release_does_not_know_waits_for_nobody() -> None:
    said = {"decided_by": "A direção", "decided_on": date(2026, 7, 1), "reason": "De uma versão anterior."}
    for rulebook in ("pt-of-before", "pt-cussec"):
        recorded = {"recorded_by": rooms.instructor(), "recorded_at": timezone.now()}
        HouseRuling.objects.create(rulebook=rulebook, question="of-before", choice="", **said, **recorded)
    assert "readings" not in waits(rooms.instructor())


def test_human_resources_find_certificates_and_names() -> None:
    asked, other = PersonFactory(roles=[Role.HR]), PersonFactory(roles=[Role.HR])
    version = making.make_version(making.make_rules(certificate="by_hr"))
    certifying.make_result(version, PersonFactory())
    holder = PersonFactory()
    certifying.make_certificate(making.make_version(), holder)
    name_correction.ask(holder, by=asked, name="Ana Gil", reason="Casou.")
    assert waits(other)["to_issue"].count == 1
    assert waits(other)["names"].count == 1
    assert "names" not in waits(asked), "who asks does not confirm"
    assert "to_issue" not in waits(rooms.instructor())


def test_every_line_leads_somewhere_and_costs_no_more_queries_when_there_is_more(client: Client) -> None:
    everything = PersonFactory(roles=[Role.INSTRUCTOR, Role.HR, Role.ADMINISTRATOR])

    def more() -> None:
        make_in_review(seed=str(Mail.objects.count()))
        flagged()
        rooms.set_work(rooms.make_class(everything, PersonFactory()))
        undecided()
        contesting.lodged(contesting.held({}))

    def cost() -> int:
        with CaptureQueriesContext(connection) as asked:
            waits(everything)
        return len(asked)

    more()
    once = cost()
    more()
    assert cost() <= once + 1  # a second class
    client.force_login(everything)
    page = client.get(reverse("home")).content.decode()
    for one in waits(everything).values():
        assert one.address.replace("&", "&amp;") in page
        assert client.get(one.address).status_code == 200, one


# ---- by mail


def test_the_daily_mail_comes_once_at_the_hour_and_only_if_something_waits() -> None:
    person = rooms.instructor(time_zone="Europe/Lisbon")
    work_mail.ask(person, "daily", 8, EIGHT)
    assert work_mail.send_due(EIGHT) == 0
    make_in_review()
    assert work_mail.send_due(EIGHT - timedelta(hours=1)) == 0
    assert work_mail.send_due(EIGHT) == 1
    assert work_mail.send_due(EIGHT + timedelta(minutes=10)) == 0
    assert work_mail.send_due(EIGHT + timedelta(days=1, hours=5)) == 0
    body = Mail.objects.get().body
    assert "Cenário por rever: 1" in body
    assert reverse("library") in body and reverse("work_mail") in body
    User.objects.update(is_active=False)
    assert work_mail.send_due(EIGHT + timedelta(days=2)) == 0


def test_the_mail_at_once_tells_what_is_new_and_only_that() -> None:
    person = rooms.instructor()
    first = make_in_review()
    work_mail.ask(person, "at_once", 8, EIGHT)
    assert work_mail.send_due(EIGHT) == 0, "what waited when one asked was in sight"
    flagged()
    assert work_mail.send_due(EIGHT) == 1
    assert "por rever" not in Mail.objects.get().body
    assert work_mail.send_due(EIGHT) == 0
    library.send_back(first, rooms.instructor(), "Falta a carta.")
    assert work_mail.send_due(EIGHT) == 0
    make_in_review(seed="2")
    assert work_mail.send_due(EIGHT) == 1, "as many as before, and yet another one"


def test_one_chooses_on_a_page_and_it_stays_chosen(client: Client) -> None:
    client.force_login(rooms.instructor())
    address = reverse("work_mail")
    assert client.post(address, {"how": "daily", "hour": "21"}).status_code == 302
    assert (WorkMail.objects.get().how, WorkMail.objects.get().hour) == ("daily", 21)
    assert client.post(address, {"how": "daily", "hour": "24"}).status_code == 422
    assert 'value="21" selected' in client.get(address).content.decode()
    client.post(address, {"how": "never", "hour": "21"})
    assert not WorkMail.objects.exists()
