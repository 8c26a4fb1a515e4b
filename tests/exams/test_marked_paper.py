"""What a decision is taken on: the marked paper and what happened, the history of the score, the sheet to print."""

from collections.abc import Callable
from datetime import timedelta
from io import BytesIO
from typing import Any

import pypdfium2
import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from exams import clock
from exams.certificates import issuance
from exams.invigilation import acts
from exams.records.models import Event, ExamItem, Session
from exams.results import grading, selectors, services
from exams.results.history import history
from exams.results.models import Mark, Result
from exams.results.shadow_grading import publish, shadow
from rules_engine import rulebook
from rules_engine.narration import cited
from tests.classes import rooms
from tests.exams.making import answer, close, enter, make_rules, make_session, make_version, start
from tests.factories import PersonFactory
from training.people.models import Role, User

pytestmark = pytest.mark.django_db
SignIn = Callable[..., Client]


def own(client: Client) -> User:
    return client.person  # type: ignore[attr-defined]


def english(client: Client) -> Client:
    User.objects.filter(pk=own(client).pk).update(language="en")
    return client


def sat(session: Session, person: User | None = None, *, right: int = 3) -> Result:
    sitting = start(enter(session, person))
    answer(sitting, right=right)
    acts.note_incident(sitting, "Tosse na sala.", by=session.created_by, now=timezone.now())
    result = grading.grade_sitting(close(sitting).pk)
    assert result is not None
    return result


def page(client: Client, name: str, *args: object, status: int = 200, **query: str) -> str:
    response = client.get(reverse(name, args=args), query)
    assert response.status_code == status
    return response.content.decode()


def to_decide(**rules: Any) -> Session:
    return make_session(make_version(make_rules(decision="by_examiner", **rules)))


# ---- the examiner


def test_the_examiner_decides_with_the_paper_and_the_incidents_in_sight(signed_in: SignIn) -> None:
    client = english(signed_in(Role.INSTRUCTOR))
    result = sat(to_decide())
    Event.objects.create(sitting=result.sitting, kind="blurred", at=timezone.now())
    shown = page(client, "decide_result", result.pk)
    assert 'name="decision"' in shown
    assert "Tosse na sala." in shown
    assert "The page was left 1 time." in shown
    mark = Mark.objects.get(form_item__position=5)
    assert cited(mark.ruling.steps[0].cite, rulebook(mark.ruling.rulebook), "en") in shown
    assert shown.count('class="card paper-item"') == 5
    item = page(client, "examined_item", result.pk, 5)
    assert "<svg" in item
    assert reverse("decide_result", args=[result.pk]) in item
    page(client, "examined_item", result.pk, 6, status=404)
    for read in (shown, item):
        assert "The answer given:" in read
        assert "You answered:" not in read  # somebody else did


def test_the_paper_stays_closed_while_others_may_be_put_before_it(signed_in: SignIn) -> None:
    client = english(signed_in(Role.INSTRUCTOR))
    session = to_decide()
    result = sat(session)
    enter(session)
    shown = page(client, "decide_result", result.pk)
    assert "paper-item" not in shown
    assert "once everybody in this session has finished" in shown
    page(client, "examined_item", result.pk, 1, status=404)


def test_who_may_not_judge_the_candidate_sees_no_paper(signed_in: SignIn) -> None:
    client = english(signed_in(Role.INSTRUCTOR))
    trainee = PersonFactory(roles=[Role.TRAINEE])
    rooms.make_class(own(client), trainee)
    result = sat(to_decide(), trainee)
    shown = page(client, "decide_result", result.pk)
    for hidden in ("paper-item", "Tosse", 'name="decision"'):
        assert hidden not in shown
    assert "You taught this person" in shown
    page(client, "examined_item", result.pk, 1, status=404)


def test_a_decided_result_is_read_on_the_same_page(signed_in: SignIn) -> None:
    client = english(signed_in(Role.INSTRUCTOR))
    session = make_session()
    result = sat(session, right=5)
    Event.objects.create(sitting=result.sitting, kind="identity", at=timezone.now(), text=result.sitting.name)
    certificate = issuance.follow(result.pk)
    assert certificate is not None
    shown = page(client, "decide_result", result.pk)
    assert 'name="decision"' not in shown
    assert "by the rule" in shown
    assert certificate.number in shown
    assert reverse("check_code", args=[certificate.code]) in shown
    assert "Can be contested until" in shown
    assert reverse("decide_result", args=[result.pk]) in page(client, "session_results", session.pk)


def test_the_page_of_a_decision_takes_few_queries(
    signed_in: SignIn, django_assert_max_num_queries: Callable[..., object]
) -> None:
    result = sat(to_decide())
    client = signed_in(Role.INSTRUCTOR)
    page(client, "decide_result", result.pk)
    with django_assert_max_num_queries(40):  # type: ignore[attr-defined]
        page(client, "decide_result", result.pk)


# ---- the candidate


def test_the_candidate_reads_until_when_to_contest_and_where_the_certificate_is(signed_in: SignIn) -> None:
    client = english(signed_in(Role.TRAINEE))
    session = make_session()
    result = sat(session, own(client), right=5)
    Event.objects.create(sitting=result.sitting, kind="identity", at=timezone.now(), text=result.sitting.name)
    certificate = issuance.follow(result.pk)
    assert certificate is not None
    shown = page(client, "own_result", result.sitting_id)
    assert "You may contest a question until" in shown
    assert f"#c-{certificate.pk}" in shown


@pytest.mark.parametrize(("after", "over"), [(timedelta(0), False), (timedelta(microseconds=1), True)])
def test_a_deadline_that_is_over_is_said_to_be(
    signed_in: SignIn, monkeypatch: pytest.MonkeyPatch, after: timedelta, over: bool
) -> None:
    client = english(signed_in(Role.TRAINEE))
    result = sat(make_session(), own(client))
    until = selectors.appeal_deadline(result, timezone.now())
    assert until is not None
    monkeypatch.setattr(clock, "now", lambda: until + after)
    shown = page(client, "own_result", result.sitting_id)
    assert ("Questions could be contested until" in shown) is over
    assert ("You may contest a question until" in shown) is not over


def test_while_others_sit_the_days_are_told(signed_in: SignIn) -> None:
    client = english(signed_in(Role.TRAINEE))
    session = make_session()
    result = sat(session, own(client))
    enter(session)
    assert "Questions can be contested for 14 days, once everybody" in page(client, "own_result", result.sitting_id)


def test_the_history_says_what_made_the_score_change(signed_in: SignIn) -> None:
    client, other = english(signed_in(Role.TRAINEE)), english(signed_in(Role.INSTRUCTOR))
    session = to_decide(release="when_graded", blank_critical=True)
    first = sat(session, own(client), right=4)
    examiner = PersonFactory(roles=[Role.INSTRUCTOR])
    services.decide_result(first.pk, examiner, passed=True, reason="A última estava mal posta.")
    ExamItem.objects.filter(placements__position=5).update(voided_at=timezone.now())
    publish(shadow(first.sitting), cause=Mark.Cause.VOIDED, actor=None, reason="appeal 1")
    shown = page(other, "decide_result", Result.objects.get(in_force=True).pk)
    for said in ("graded", "decided by an examiner against the rule", "voided after an appeal", "mal posta"):
        assert said in shown
    own_page = page(client, "own_result", first.sitting_id)
    assert "voided after an appeal" not in own_page  # it waits for a decision and is not released
    assert examiner.name not in own_page


def test_a_result_by_other_rules_says_so() -> None:
    result = sat(make_session())
    version = make_version(
        make_rules(pass_mark=1, critical_allowed=None),
        programme=result.programme_version.programme,
        number=2,
        state="retired",
    )
    publish(
        shadow(result.sitting, rules=version.rules),
        cause=Mark.Cause.REGRADED,
        actor=None,
        reason="Novas regras.",
        version=version,
    )
    steps = history(result.sitting, "pt", released_only=True)
    assert steps[1].why == "pelas regras da versão 2"


# ---- the sheet


def words(content: bytes) -> str:
    with pypdfium2.PdfDocument(BytesIO(content)) as document:
        return " ".join(" ".join(sheet.get_textpage().get_text_bounded().split()) for sheet in document)


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("pt", ("Ficha de resultado", "Não aprovado", "O golpe", "50 %", "70 %")),
        ("en", ("Result sheet", "Exam not passed", "The coup", "50%", "70%")),
    ],
)
def test_the_result_sheet_is_printed_for_the_candidate_alone(
    signed_in: SignIn, language: str, said: tuple[str, ...]
) -> None:
    client, other = signed_in(Role.TRAINEE), signed_in(Role.TRAINEE)
    User.objects.update(language=language)
    session = make_session()
    result = sat(session, own(client))
    address = reverse("own_sheet", args=[result.sitting_id])
    response = client.get(address)
    assert response.headers["Content-Type"] == "application/pdf"
    text = words(response.content)
    for one in (*said, result.sitting.name, session.title):
        assert one in text
    assert "5." in text
    assert other.get(address).status_code == 404
    enter(session)
    assert "5." not in words(client.get(address).content).replace("50%", "")


def test_the_sheet_tells_the_history(signed_in: SignIn) -> None:
    client = english(signed_in(Role.TRAINEE))
    first = sat(make_session(), own(client), right=4)
    ExamItem.objects.filter(placements__position=5).update(voided_at=timezone.now())
    publish(shadow(first.sitting), cause=Mark.Cause.VOIDED, actor=None, reason="appeal 1")
    text = words(client.get(reverse("own_sheet", args=[first.sitting_id])).content)
    assert "Exam passed" in text
    assert "voided after an appeal" in text
    assert "voided, counts for nobody" in text


def test_nothing_is_printed_before_the_release(signed_in: SignIn) -> None:
    client = signed_in(Role.TRAINEE)
    result = sat(make_session(make_version(make_rules(release="by_examiner"))), own(client))
    assert client.get(reverse("own_sheet", args=[result.sitting_id])).status_code == 404
