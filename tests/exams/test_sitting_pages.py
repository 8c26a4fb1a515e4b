"""The candidate's pages: what they show, what they take, and what they never give away."""

import json
from datetime import timedelta
from typing import Any

import pytest
from django.http import HttpResponse
from django.test import Client
from django.utils import timezone

from exams.invigilation import acts
from exams.programmes.rules import Line, Section
from exams.records.models import Candidate, Event, ExamItem, FormItem, Response, Session, Sitting
from exams.sittings import sitting as sittings
from exams.sittings.browser import DEVICE_COOKIE
from rules_engine import RULEBOOKS, Rulebook, topics
from tests.exams import making
from tests.factories import PersonFactory
from tests.house import all_routes, undone
from tests.test_no_leaks import HTMX, leaks, told_by_the_mark
from training.people.models import User
from training.practice.models import Drill

pytestmark = pytest.mark.django_db


@pytest.fixture
def session() -> Session:
    return making.make_session()


@pytest.fixture
def trainee() -> User:
    return PersonFactory(language="en")


@pytest.fixture
def candidate(session: Session, trainee: User) -> Candidate:
    return making.enter(session, trainee)


def browser_of(person: User) -> Client:
    client = Client()
    client.force_login(person)
    return client


@pytest.fixture
def client(trainee: User) -> Client:
    return browser_of(trainee)


@pytest.fixture
def sitting(candidate: Candidate, client: Client) -> Sitting:
    """Begun on the page, so that this browser holds it."""
    client.post(f"/exams/enter/{candidate.pk}/", {"code": "sabot 7"})
    return Sitting.objects.get()


def item(sitting: Sitting, position: int = 1, more: str = "") -> str:
    return f"/exams/sittings/{sitting.pk}/{position}/{more}"


def save(client: Client, sitting: Sitting, position: int = 1, **data: Any) -> tuple[int, dict[str, Any]]:
    sent = {"q.announcement": "Igualdade a 6", "sequence": 1, "seconds": 0} | data
    response = client.post(item(sitting, position, "save/"), sent)
    return response.status_code, response.json()


def go_on(client: Client, sitting: Sitting, code: str = "SABOT-7") -> Any:
    """Take the sitting over in this browser."""
    return client.post(f"/exams/sittings/{sitting.pk}/here/", {"code": code})


# ---------- own exams and the code ----------


def test_own_exams_are_told_by_where_they_stand(trainee: User, client: Client, sitting: Sitting) -> None:
    now = timezone.now()
    version = making.make_version()
    later: dict[str, Any] = {"opens_at": now + timedelta(days=1), "entry_closes_at": now + timedelta(days=2)}
    over: dict[str, Any] = {"opens_at": now - timedelta(days=2), "entry_closes_at": now - timedelta(days=1)}
    for title, times in {"Amanhã": later, "Ontem": over, "Agora": {}}.items():
        making.enter(making.make_session(version, title=title, **times), trainee)
    making.enter(making.make_session(version, title="Rascunho", state=Session.State.DRAFT), trainee)
    making.enter(making.make_session(version, title="De outro"), PersonFactory())
    exams = client.get("/exams/").context["exams"]
    assert [(exam.session.title, exam.state) for exam in exams.now] == [
        ("Exame de novembro", "running"),
        ("Agora", "open"),
    ]
    assert [(exam.session.title, exam.state) for exam in exams.upcoming] == [("Amanhã", "upcoming")]
    assert [(exam.session.title, exam.state) for exam in exams.past] == [("Ontem", "missed")]


def test_the_page_says_beforehand_what_is_asked_and_what_is_logged(client: Client, candidate: Candidate) -> None:
    Candidate.objects.update(extra_minutes=15)
    page = client.get(f"/exams/enter/{candidate.pk}/").content.decode()
    assert "45 minutes" in page
    assert "At least 70% of the points" in page
    assert "when you leave the page" in page
    assert candidate.session.access_code not in page


def test_the_code_opens_the_first_item_in_this_browser(client: Client, candidate: Candidate) -> None:
    wrong = client.post(f"/exams/enter/{candidate.pk}/", {"code": "SABOT-8"})
    assert wrong.status_code == 422
    assert "not the access code" in wrong.content.decode()
    begun = client.post(f"/exams/enter/{candidate.pk}/", {"code": "SABOT-7"})
    sitting = Sitting.objects.get()
    assert (begun.status_code, begun.headers["Location"]) == (302, item(sitting))
    cookie = client.cookies[DEVICE_COOKIE]
    assert cookie["httponly"]
    assert cookie["path"] == "/exams/"
    assert sitting.device == cookie.value
    assert client.get(f"/exams/enter/{candidate.pk}/").headers["Location"] == f"/exams/sittings/{sitting.pk}/"


def test_too_early_there_is_no_field_for_the_code(client: Client, candidate: Candidate) -> None:
    now = timezone.now()
    Session.objects.update(opens_at=now + timedelta(hours=1), entry_closes_at=now + timedelta(hours=2))
    page = client.get(f"/exams/enter/{candidate.pk}/").content.decode()
    assert "not open yet" in page
    assert 'name="code"' not in page


# ---------- an item ----------


def test_an_item_has_the_table_and_the_questions_of_practice_without_the_easier_mode(
    client: Client, sitting: Sitting
) -> None:
    page = client.get(item(sitting)).content.decode()
    scenario = FormItem.objects.get(form__candidate=sitting.candidate, position=1).item.scenario
    for question in scenario.questions:
        assert f'name="q.{question.key}"' in page
    assert "pick." not in page
    assert "data-listen" not in page  # an exam is typed
    assert "<svg" in page
    assert page.count('name="go" value="') == 5 + 2  # the strip, its overview, and next
    assert client.get(item(sitting, 6)).status_code == 404


def test_a_plain_form_saves_and_goes_where_the_button_says(client: Client, sitting: Sitting) -> None:
    gone = client.post(item(sitting), {"q.announcement": "Igualdade a 6", "marked": "1", "go": "2"})
    assert gone.headers["Location"] == item(sitting, 2)
    assert client.post(item(sitting, 2), {"go": "overview"}).headers["Location"].endswith("/hand-in/")
    for nowhere in ("", "x", "-1", "0", "99999999999"):
        assert client.post(item(sitting, 2), {"go": nowhere}).headers["Location"] == item(sitting, 2)
    strip = client.get(item(sitting, 2)).context["strip"]
    assert [place.state for place in strip[:2]] == ["answered, marked for later", "empty"]
    page = client.get(item(sitting)).content.decode()
    assert 'value="Igualdade a 6"' in page
    assert 'name="marked" value="1" checked' in page


def test_what_is_no_answer_comes_back_as_it_was_typed(client: Client, sitting: Sitting) -> None:
    response = client.post(item(sitting), {"q.announcement": "x" * 301, "go": "2"})
    assert response.status_code == 422
    assert "x" * 301 in response.content.decode()
    assert not Response.objects.exists()


def test_a_save_is_acknowledged_with_its_number_the_time_and_the_time_left(client: Client, sitting: Sitting) -> None:
    client.get(item(sitting))
    status, told = save(client, sitting, sequence=4)
    assert (status, told["sequence"], set(told)) == (200, 4, {"left", "sequence", "saved_at"})
    assert 29 * 60 < told["left"] <= 30 * 60
    assert Response.objects.get().answer == {"parts": {"announcement": "Igualdade a 6"}}


def test_a_save_that_cannot_be_says_why(client: Client, sitting: Sitting, trainee: User) -> None:
    save(client, sitting, sequence=4)
    status, told = save(client, sitting, sequence=3)
    assert (status, told["problem"], told["sequence"]) == (409, "stale", 4)
    for unfit in ({"sequence": "x"}, {"sequence": "9" * 17}, {"sequence": -1}, {"sequence": 5, "q.no_such": "1"}):
        status, told = save(client, sitting, **unfit)
        assert (status, told["problem"]) == (422, "answer"), unfit
    assert client.post(item(sitting, 6, "save/"), {"sequence": 1}).status_code == 404
    go_on(browser_of(trainee), sitting)
    status, told = save(client, sitting, sequence=5)
    assert (status, told["problem"]) == (409, "elsewhere")
    assert Response.objects.get().sequence == 4


def test_another_browser_gives_the_code_again_and_goes_on_where_it_was(
    client: Client, sitting: Sitting, trainee: User
) -> None:
    client.get(item(sitting, 3))
    save(client, sitting, 3)
    other, here = browser_of(trainee), f"/exams/sittings/{sitting.pk}/"
    for page in (item(sitting, 3), here + "hand-in/"):
        asked = other.get(page, follow=True).content.decode()
        assert "open in another browser" in asked
        assert "Igualdade a 6" not in asked
    wrong = go_on(other, sitting, "SABOT-8")
    assert (wrong.status_code, "not the access code" in wrong.content.decode()) == (422, True)
    assert client.post(here + "pulse/").status_code == 200
    assert go_on(other, sitting).headers["Location"] == here
    assert other.get(here).headers["Location"] == item(sitting, 3)
    assert 'value="Igualdade a 6"' in other.get(item(sitting, 3)).content.decode()
    assert Event.objects.filter(kind=Event.Kind.DEVICE).count() == 1
    assert client.post(here + "pulse/").json()["problem"] == "elsewhere"


def test_without_a_script_the_first_browser_keeps_what_was_typed(
    client: Client, sitting: Sitting, trainee: User
) -> None:
    go_on(browser_of(trainee), sitting)
    typed = {"q.announcement": "Sete no ponto", "go": "2"}
    for more, status in (({}, 409), ({"here": "1", "code": "SABOT-8"}, 422)):
        refused = client.post(item(sitting), typed | more)
        assert refused.status_code == status
        assert 'value="Sete no ponto"' in refused.content.decode()
        assert not Response.objects.exists()
    assert client.post(item(sitting), typed | {"here": "1", "code": "sabot7"}).status_code == 302
    assert Response.objects.get().answer == {"parts": {"announcement": "Sete no ponto"}}


def test_added_time_is_told_with_its_reason(client: Client, sitting: Sitting) -> None:
    ends = client.get(item(sitting)).context["ends"]
    pulse = f"/exams/sittings/{sitting.pk}/pulse/"
    assert set(client.post(pulse, {"ends": ends}).json()) == {"left"}
    session = sitting.candidate.session
    acts.add_time(session, 5, "Alarme <b>falso</b>.", by=session.created_by, now=timezone.now())
    told = client.post(pulse, {"ends": ends}).json()
    assert [text[5:] for text in told["added"]] == [": 5 extra minutes. Alarme <b>falso</b>."]
    assert set(client.post(pulse, {"ends": told["ends"]}).json()) == {"left"}
    assert "5 extra minutes. Alarme &lt;b&gt;falso&lt;/b&gt;." in client.get(item(sitting)).content.decode()


def test_who_was_closed_by_the_invigilator_reads_why(client: Client, sitting: Sitting) -> None:
    acts.close_sitting(sitting, "Alarme de incêndio.", by=sitting.candidate.session.created_by, now=timezone.now())
    page = client.get(f"/exams/sittings/{sitting.pk}/").content.decode()
    assert "The reason given: Alarme de incêndio." in page


def test_a_page_tells_that_it_was_left(client: Client, sitting: Sitting) -> None:
    address = f"/exams/sittings/{sitting.pk}/pulse/"
    events = [{"kind": "blurred", "seconds_ago": 3}, {"kind": "focused", "seconds_ago": 1.5}]
    assert client.post(address, {"events": json.dumps(events)}).status_code == 200
    for rubbish in ("", "{", "[1]", '[{"kind": "blurred"}]', '[{"kind": "blurred", "seconds_ago": 1e999}]'):
        assert client.post(address, {"events": rubbish}).status_code == 200
    assert list(Event.objects.values_list("kind", flat=True)) == ["started", "blurred", "focused"]


# ---------- the end ----------


def end(sitting: Sitting) -> None:
    Sitting.objects.filter(pk=sitting.pk).update(
        started_at=timezone.now() - timedelta(hours=1), deadline_at=timezone.now(), last_seen_at=None
    )


def test_when_the_time_is_over_every_door_is_closed(client: Client, sitting: Sitting) -> None:
    save(client, sitting)
    end(sitting)
    status, told = save(client, sitting, sequence=2)
    assert (status, told["problem"], told["left"]) == (410, "over", 0)
    assert client.post(f"/exams/sittings/{sitting.pk}/pulse/").status_code == 410
    here = f"/exams/sittings/{sitting.pk}/"
    for response in (
        client.get(item(sitting)),
        client.post(item(sitting), {"q.announcement": "tarde"}),
        client.get(here + "hand-in/"),
        client.post(here + "hand-in/"),
    ):
        assert (response.status_code, response.headers["Location"]) == (302, here)
    assert "The time ran out" in client.get(here).content.decode()
    sitting.refresh_from_db()
    assert (sitting.closed_at, sitting.closed_by) == (sitting.deadline_at, "time")
    assert Response.objects.get().sequence == 1
    assert client.get("/exams/").context["exams"].past[0].state == "closed"


def test_looking_is_enough_to_close_what_is_over(client: Client, sitting: Sitting) -> None:
    end(sitting)
    client.get(f"/exams/sittings/{sitting.pk}/")
    sitting.refresh_from_db()
    assert sitting.closed_at == sitting.deadline_at


def test_handing_in_shows_what_is_missing_first(client: Client, sitting: Sitting) -> None:
    first = FormItem.objects.get(form__candidate=sitting.candidate, position=1).item.scenario
    full = {f"q.{key}": value for key, value in making.right_answer(first).items()}
    save(client, sitting, 1, **full)
    save(client, sitting, 2, marked="1")
    address = f"/exams/sittings/{sitting.pk}/hand-in/"
    context = client.get(address).context
    assert [[place.position for place in context[name]] for name in ("empty", "partly", "marked")] == [
        [3, 4, 5],
        [2],
        [2],
    ]
    assert Sitting.objects.get().closed_at is None
    assert client.post(address).headers["Location"] == f"/exams/sittings/{sitting.pk}/"
    assert "You handed in" in client.get(f"/exams/sittings/{sitting.pk}/").content.decode()
    assert Sitting.objects.get().closed_by == "candidate"


# ---------- what it costs ----------


def queries_for(client: Client, address: str, capture: Any) -> int:
    client.get(address)  # what is loaded once is loaded
    with capture as queries:
        assert client.get(address).status_code == 200
    return len(queries)


def test_the_length_of_an_exam_does_not_count_in_queries(
    client: Client, trainee: User, sitting: Sitting, django_assert_max_num_queries: Any
) -> None:
    lines = (Line(rulebook=making.BOOK, topic="third_card", items=12),)
    rules = making.make_rules(sections=(Section(key="coup", names={"en": "The coup"}, lines=lines),))
    longer = making.start(making.enter(making.make_session(making.make_version(rules)), trainee))
    for page in ("1/", "hand-in/"):
        counts = [
            queries_for(client, f"/exams/sittings/{one.pk}/{page}", django_assert_max_num_queries(15))
            for one in (sitting, longer)
        ]
        assert counts[0] == counts[1], page


def test_a_save_over_the_web_takes_few_queries(
    client: Client, sitting: Sitting, django_assert_max_num_queries: Any
) -> None:
    with django_assert_max_num_queries(9):  # who it is (3), the sitting (1), and the save (5)
        save(client, sitting)


# ---------- what it never gives away ----------


def as_drill(found: ExamItem, sitting: Sitting) -> Drill:
    """The item in the shape that the checks of practice know; under the sitting's address."""
    return Drill(pk=sitting.pk, scenario_document=found.scenario_document, version=found.version)


def asked_in_every_way(client: Client, sitting: Sitting, position: int) -> list[HttpResponse]:
    found = []
    parameters = {"sitting_id": sitting.pk, "candidate_id": sitting.candidate_id, "position": position}
    for route in all_routes().values():
        if set(route.parameters) <= set(parameters) and route.name in OWN:
            address = route.address(parameters)
            found += [undone(client, "GET", address), undone(client, "GET", address, headers=HTMX)]
            found += [undone(client, "POST", address, data={"sequence": 9, "go": "2", "events": "[]"})]
    return found


OWN = (
    *("own_exams", "enter_exam", "sitting", "sitting_item", "save_response", "pulse_sitting", "hand_in", "go_on_here"),
)
SECRETS = ("predicted", "exam_safe", "scenario_document", "fingerprint", "tempting")


@pytest.mark.parametrize("language", ["pt", "en"])
def test_no_response_during_a_sitting_reveals_a_ruling(
    client: Client, trainee: User, sitting: Sitting, language: str
) -> None:
    User.objects.update(language=language)
    client.get(item(sitting))
    for placed in FormItem.objects.filter(form__candidate=sitting.candidate).select_related("item", "form"):
        drill = as_drill(placed.item, sitting)
        sentences = told_by_the_mark(drill)
        responses = asked_in_every_way(client, sitting, placed.position)
        assert {200, 302, 405} <= {response.status_code for response in responses}
        for response in responses:
            where = response.request["REQUEST_METHOD"], response.request["PATH_INFO"]  # type: ignore[attr-defined]
            assert leaks(response, drill, sentences) == [], where
            body = response.content.decode()
            assert placed.form.seed not in body, where
            assert [word for word in SECRETS if word in body] == [], where
            assert placed.item.scenario.situation.__class__.__name__ not in body


EVERY_BOOK = [(book, topic) for book in RULEBOOKS for topic in topics(book)[:2]]


@pytest.mark.parametrize(("book", "topic"), EVERY_BOOK)
def test_items_of_every_rulebook_can_be_sat(trainee: User, client: Client, book: str, topic: str) -> None:
    lines = (Line(rulebook=book, topic=topic, items=1),)
    rules = making.make_rules(rulebooks=(book,), sections=(Section(key="one", names={"en": "One"}, lines=lines),))
    session = making.make_session(making.make_version(rules), spare=0)
    sitting = making.start(making.enter(session, trainee))
    page = client.get(item(sitting))
    assert page.status_code == 200
    found = ExamItem.objects.get(session=session)
    drill = as_drill(found, sitting)
    assert leaks(page, drill, told_by_the_mark(drill)) == []
    right = making.right_answer(found.scenario)
    typed = {f"q.{key}": ", ".join(value) if isinstance(value, list) else value for key, value in right.items()}
    assert client.post(item(sitting, more="save/"), typed | {"sequence": 1}).status_code == 200
    assert set(Response.objects.get().answer["parts"]) == set(right)


def test_the_services_never_solve(client: Client, sitting: Sitting, monkeypatch: pytest.MonkeyPatch) -> None:
    """No page of a sitting can give away a ruling that is never computed."""

    def refuse(*_: object) -> None:
        raise AssertionError("a ruling was computed during a sitting")

    monkeypatch.setattr(Rulebook, "rule", refuse)
    assert client.get(item(sitting)).status_code == 200
    assert save(client, sitting)[0] == 200
    assert client.get(f"/exams/sittings/{sitting.pk}/hand-in/").status_code == 200
    assert sittings.hand_in(Sitting.objects.get(), device=sitting.device, now=timezone.now()).closed_at
