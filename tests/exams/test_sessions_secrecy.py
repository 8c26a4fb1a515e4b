"""Nobody reads a form or an item before the exam is over: no address of the platform shows one, to anybody."""

import html
import json
from collections.abc import Iterator
from datetime import timedelta
from typing import Any
from urllib.parse import unquote

import pytest
from django.http import HttpResponse
from django.test import Client
from django.urls import resolve
from django.utils import timezone

from exams.records.models import Candidate, ExamItem, Form, Session
from rules_engine.narration import narrate
from tests.exams import making
from tests.exams.test_papers import preparing, ready
from tests.factories import PersonFactory
from tests.house import House, all_routes, undone
from training.people.models import Role, User

LANGUAGES = ("pt", "en")
pytestmark = pytest.mark.django_db


class Exam:
    """A session that is ready, in a house with one of everything else."""

    def __init__(self) -> None:
        self.house = House()
        self.session: Session = ready(preparing(candidates=2, created_by=self.house.instructor))
        self.candidate: Candidate = self.session.candidates.order_by("pk")[0]
        # What the library gave to the pool is read in the library, by those who never get it in an exam.
        self.items = list(ExamItem.objects.filter(session=self.session, version=None))
        self.forms = list(Form.objects.filter(candidate__session=self.session))

    def parameters(self, **changes: Any) -> dict[str, Any]:
        own = {"session_id": self.session.pk, "candidate_id": self.candidate.pk}
        programme = {"programme_id": self.session.programme_version.programme_id}
        return self.house.parameters() | own | programme | changes

    def told(self, response: Any) -> list[str]:
        """What a response gives away of forms and items: names, seeds, or a whole story."""
        words = words_of(response)
        secrets = {str(form.pk): "form" for form in self.forms} | {form.seed: "seed" for form in self.forms}
        for item in self.items:
            secrets |= {str(item.pk): "item", item.fingerprint: "fingerprint", item.scenario.seed: "seed"}
        found = [kind for secret, kind in secrets.items() if secret in words]
        for item in self.items:
            for language in LANGUAGES:
                lines = narrate(item.scenario.situation, item.scenario.book, language)
                if all(" ".join(line.split()) in words for line in lines):
                    found.append("story")
        return found


@pytest.fixture
def exam(db: None) -> Exam:
    return Exam()


def words_of(response: Any) -> str:
    """The body as a reader or a program gets it: entities and escapes resolved, spaces single."""
    body = (response.getvalue() if response.streaming else response.content).decode(errors="replace")
    if "json" in response.headers.get("Content-Type", "") and body:
        body = json.dumps(json.loads(body), ensure_ascii=False)
    return " ".join(html.unescape(body).split())


def signed_in(person: User) -> Client:
    client = Client()
    client.force_login(person)
    return client


def walk(client: Client, parameters: dict[str, Any]) -> Iterator[tuple[str, HttpResponse]]:
    """Every address of exams, and the home page: nothing below exams knows of sessions."""
    for name, route in all_routes().items():
        address = route.address(parameters)
        view = resolve(unquote(address)).func
        if name != "home" and not getattr(view, "cls", view).__module__.startswith("exams."):
            continue
        yield f"GET {name}", undone(client, "GET", address)
        if "session" in name:
            yield f"POST {name}", undone(client, "POST", address)


@pytest.mark.parametrize("who", ["holder", "administrator", "invigilator", "candidate"])
def test_no_address_shows_a_form_or_an_item_before_the_exam(exam: Exam, who: str) -> None:
    invigilator = PersonFactory(roles=[Role.HR])
    exam.session.invigilators.add(invigilator)
    people = {
        "holder": exam.house.instructor,
        "administrator": PersonFactory(roles=[Role.ADMINISTRATOR]),
        "invigilator": invigilator,
        "candidate": exam.candidate.person,
    }
    seen, found = set(), {}
    for way, response in walk(signed_in(people[who]), exam.parameters()):
        if response.status_code == 200:
            seen.add(way)
        if told := exam.told(response):
            found[way] = told
    assert found == {}
    expected = "GET enter_exam" if who == "candidate" else "GET session"
    assert expected in seen


def test_at_work_the_candidate_reads_the_own_items_and_staff_still_nothing(exam: Exam) -> None:
    """The same look finds what it looks for where it may be read."""
    Session.objects.filter(pk=exam.session.pk).update(opens_at=timezone.now() - timedelta(minutes=1))
    sitting = making.start(exam.candidate)
    own = exam.candidate.form.items.filter(item__version=None)[0]
    parameters = exam.parameters(sitting_id=sitting.pk, position=own.position)
    address = all_routes()["sitting_item"].address(parameters)
    told = exam.told(signed_in(exam.candidate.person).get(address))
    assert set(told) == {"story"}, "the facts, and neither seeds nor names of items"
    holder = signed_in(exam.house.instructor)
    found = {way: exam.told(response) for way, response in walk(holder, parameters)}
    assert {way: told for way, told in found.items() if told} == {}
