"""The pages of results: own and released only, items once nobody can be put before them, nothing about extra time."""

import re
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from exams.records.models import ExamItem, Session, Sitting
from exams.results import grading, services
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


def sat(session: Session, person: User | None = None, *, right: int = 5) -> Result:
    sitting = start(enter(session, person))
    answer(sitting, right=right)
    result = grading.grade_sitting(close(sitting).pk)
    assert result is not None
    return result


def page(client: Client, name: str, *args: Any, status: int = 200, **query: str) -> str:
    response = client.get(reverse(name, args=args), query)
    assert response.status_code == status
    return response.content.decode()


def own(client: Client) -> User:
    return client.person  # type: ignore[attr-defined]


def english(client: Client) -> Client:
    User.objects.filter(pk=own(client).pk).update(language="en")
    return client


def test_the_candidate_reads_the_decision_and_why(signed_in: SignIn) -> None:
    client = english(signed_in(Role.TRAINEE))
    result = sat(make_session(make_version(make_rules(blank_critical=True))), own(client), right=3)
    shown = page(client, "own_result", result.sitting_id)
    assert "You did not pass." in shown
    assert "Overall: 50% scored, 70% needed." in shown
    assert "The coup" in shown
    assert (
        "2 questions with a critical fault; 0 allowed." in shown
        or "1 question with a critical fault; 0 allowed." in shown
    )


def test_each_item_with_its_reasoning_and_a_way_to_contest(signed_in: SignIn) -> None:
    client = signed_in(Role.TRAINEE)
    result = sat(make_session(), own(client), right=0)
    mark = Mark.objects.get(form_item__position=1)
    shown = page(client, "own_result_item", result.sitting_id, 1)
    assert cited(mark.ruling.steps[0].cite, rulebook(mark.ruling.rulebook), "pt") in shown
    assert reverse("lodge_appeal", args=[mark.form_item_id]) in shown
    page(client, "own_result_item", result.sitting_id, 6, status=404)


@pytest.mark.parametrize("route", ["own_result", "own_result_item"])
def test_nothing_before_the_release_and_nothing_of_others(signed_in: SignIn, route: str) -> None:
    client, other = signed_in(Role.TRAINEE), signed_in(Role.TRAINEE)
    result = sat(make_session(make_version(make_rules(release="by_examiner"))), own(client))
    address = (result.sitting_id, 1) if route == "own_result_item" else (result.sitting_id,)
    page(client, route, *address, status=404)
    services.release_result(result.pk, PersonFactory(roles=[Role.INSTRUCTOR]))
    page(client, route, *address)
    page(other, route, *address, status=404)


def test_items_stay_closed_while_others_may_be_put_before_them(signed_in: SignIn) -> None:
    client = english(signed_in(Role.TRAINEE))
    session = make_session()
    result = sat(session, own(client))
    page(client, "own_result_item", result.sitting_id, 1)
    late = enter(session)  # may begin until the session's end
    assert "once everybody in this session has finished" in page(client, "own_result", result.sitting_id)
    page(client, "own_result_item", result.sitting_id, 1, status=404)
    sitting = start(late)
    Session.objects.update(opens_at=timezone.now() - timedelta(hours=2), entry_closes_at=timezone.now())
    page(client, "own_result_item", result.sitting_id, 1, status=404)  # nobody may begin, but one is at it
    close(sitting)
    page(client, "own_result_item", result.sitting_id, 1)


def test_who_never_came_keeps_the_items_closed_only_until_the_end(signed_in: SignIn) -> None:
    client = signed_in(Role.TRAINEE)
    session = make_session()
    result = sat(session, own(client))
    enter(session)
    now = timezone.now()
    Session.objects.update(opens_at=now - timedelta(hours=2), entry_closes_at=now + timedelta(seconds=30))
    page(client, "own_result_item", result.sitting_id, 1, status=404)
    Session.objects.update(entry_closes_at=now - timedelta(seconds=1))
    page(client, "own_result_item", result.sitting_id, 1)


def test_a_result_that_was_replaced_can_still_be_read(signed_in: SignIn) -> None:
    client = english(signed_in(Role.TRAINEE))
    first = sat(make_session(make_version(make_rules(blank_critical=True))), own(client), right=4)
    ExamItem.objects.filter(placements__position=5).update(voided_at=timezone.now())
    publish(shadow(first.sitting), cause=Mark.Cause.VOIDED, actor=None, reason="x")
    shown = page(client, "own_result", first.sitting_id)
    assert "You passed." in shown
    assert "voided, counts for nobody" in shown
    former = page(client, "own_result", first.sitting_id, number="1")
    assert "You did not pass." in former
    assert "voided, counts for nobody" not in former
    assert "This result was replaced by a later one." in former
    page(client, "own_result", first.sitting_id, number="3", status=404)


def test_while_it_waits_for_a_new_decision_the_last_one_is_shown(signed_in: SignIn) -> None:
    client = english(signed_in(Role.TRAINEE))
    session = make_session(make_version(make_rules(decision="by_examiner", release="when_graded", blank_critical=True)))
    first = sat(session, own(client), right=4)
    services.decide_result(first.pk, PersonFactory(roles=[Role.INSTRUCTOR]), passed=first.passed, reason="")
    ExamItem.objects.filter(placements__position=5).update(voided_at=timezone.now())
    publish(shadow(first.sitting), cause=Mark.Cause.VOIDED, actor=None, reason="x")
    shown = page(client, "own_result", first.sitting_id)
    assert "awaiting a new decision" in shown
    assert "You passed." not in shown


def test_the_session_page_shows_everybody_and_no_extra_time(signed_in: SignIn) -> None:
    client = english(signed_in(Role.INSTRUCTOR))
    session = make_session(make_version(make_rules(release="by_examiner")))
    candidate = enter(session, PersonFactory(roles=[Role.TRAINEE], name="Ana Lopes"), extra_minutes=37)
    sitting = start(candidate)
    answer(sitting, right=5)
    grading.grade_sitting(close(sitting).pk)
    late = enter(session, PersonFactory(roles=[Role.TRAINEE], name="Rui Vaz"))
    before = page(client, "session_results", session.pk)
    assert "Ana Lopes" in before
    assert "100%" not in before, "another can still begin with the same questions"
    grading.grade_sitting(close(start(late)).pk)
    shown = page(client, "session_results", session.pk)
    assert "100%" in shown
    assert "not begun" in before
    assert not re.search(r"\b37\b", shown)


def test_an_examiner_who_sat_does_not_see_their_own_line(signed_in: SignIn) -> None:
    client = signed_in(Role.TRAINEE, Role.INSTRUCTOR)
    session = make_session(make_version(make_rules(release="by_examiner", decision="by_examiner")))
    result = sat(session, own(client))
    assert result.pk.hex not in page(client, "session_results", session.pk).replace("-", "")
    page(client, "decide_result", result.pk, status=404)


def test_sessions_of_programmes_with_other_examiners_are_out_of_reach(signed_in: SignIn) -> None:
    client, chief = signed_in(Role.INSTRUCTOR), signed_in(Role.ADMINISTRATOR)
    session = make_session(make_version(make_rules(examiners="appointed")), title="Exame fechado")
    result = sat(session)
    page(client, "session_results", session.pk, status=404)
    page(client, "decide_result", result.pk, status=404)
    assert "Exame fechado" not in page(client, "results")
    assert "Exame fechado" in page(chief, "results")
    page(chief, "session_results", session.pk)


def test_releasing_and_deciding_by_the_pages(signed_in: SignIn) -> None:
    client = english(signed_in(Role.INSTRUCTOR))
    session = make_session(make_version(make_rules(decision="by_examiner", release="by_examiner")))
    first, second = sat(session), sat(session, right=0)
    response = client.post(reverse("decide_result", args=[first.pk]), {"decision": "failed", "reason": ""})
    assert response.status_code == 422
    assert "Say why you decide against the rule." in response.content.decode()
    for result, decision in ((first, "passed"), (second, "failed")):
        client.post(reverse("decide_result", args=[result.pk]), {"decision": decision, "reason": ""})
    client.post(reverse("release_result", args=[first.pk]))
    client.post(reverse("release_results", args=[session.pk]))
    assert not Result.objects.filter(released_at=None).exists()


def test_who_taught_the_candidate_is_refused_by_name(signed_in: SignIn) -> None:
    client = english(signed_in(Role.INSTRUCTOR))
    trainee = PersonFactory(roles=[Role.TRAINEE], name="Rita Sousa")
    rooms.make_class(own(client), trainee)
    result = sat(make_session(make_version(make_rules(decision="by_examiner"))), trainee)
    response = client.post(reverse("decide_result", args=[result.pk]), {"decision": "passed"})
    assert response.status_code == 422
    assert "Rita Sousa: You taught this person" in response.content.decode()
    result.refresh_from_db()
    assert result.decided_at is None


def test_what_was_set_aside_is_said(signed_in: SignIn) -> None:
    client = english(signed_in(Role.INSTRUCTOR))
    session = make_session()
    close(start(enter(session)))
    Sitting.objects.update(grading_failures=grading.MAX_FAILURES)
    assert "could not be graded and was set aside" in page(client, "session_results", session.pk)
    assert client.post(reverse("grade_again", args=[session.pk])).status_code == 302
    assert Sitting.objects.get().grading_failures == 0


def queries(client: Client, name: str, *args: Any) -> int:
    with CaptureQueriesContext(connection) as found:
        page(client, name, *args)
    return len(found)


@pytest.mark.parametrize("route", ["session_results", "session_statistics"])
def test_as_many_queries_for_many_candidates_as_for_few(signed_in: SignIn, route: str) -> None:
    client = signed_in(Role.INSTRUCTOR)
    few, many = make_session(), make_session()
    for session, count in ((few, 2), (many, 7)):
        for _number in range(count):
            sat(session)
    queries(client, route, few.pk)
    assert queries(client, route, few.pk) == queries(client, route, many.pk)


def test_the_list_of_results_takes_as_many_queries_for_many_as_for_few(signed_in: SignIn) -> None:
    client = signed_in(Role.TRAINEE, Role.INSTRUCTOR)
    sat(make_session(), own(client))
    queries(client, "results")
    few = queries(client, "results")
    for _number in range(3):
        sat(make_session(), own(client))
    assert queries(client, "results") == few
