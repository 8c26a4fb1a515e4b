"""The pages of appeals and regrades: what they show to whom, what they refuse, and how often they ask the database."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from exams.appeals import services
from exams.appeals.models import Appeal
from exams.records.models import ExamItem
from exams.regrading.models import Regrade
from exams.results.selectors import appeal_deadline
from rules_engine import Rulebook
from rules_engine.narration import book_name
from tests.exams import making
from tests.exams.contesting import REPLY, TEXT, Exam, held, lodged, regraded, stranger
from training.people.models import Role, User

pytestmark = pytest.mark.django_db

OVERDUE = 'class="badge bad">overdue'


def client_of(person: User) -> Client:
    person.language = "en"
    person.save(update_fields=["language"])
    client = Client()
    client.force_login(person)
    return client


def queries_of(client: Client, address: str) -> int:
    client.get(address)
    with CaptureQueriesContext(
        connection,
    ) as asked:
        assert client.get(address).status_code == 200
    return len(asked)


# ---- the candidate


def test_a_candidate_contests_an_item_and_sees_the_appeal() -> None:
    exam = held()
    client, address = client_of(exam.person()), reverse("lodge_appeal", args=[exam.item().pk])
    assert "Contest question 1" in client.get(address).text
    short = client.post(address, {"text": "Porquê?"})
    assert short.status_code == 422
    assert "Porquê?" in short.text
    done = client.post(address, {"text": TEXT}, follow=True)
    assert done.redirect_chain == [(reverse("own_appeals"), 302)]
    assert "Appeal 1" in done.text and TEXT in done.text
    again = client.post(address, {"text": TEXT})
    assert again.status_code == 409
    assert "contested only once" in again.text
    assert Appeal.objects.count() == 1


def test_what_is_not_theirs_or_not_released_does_not_exist() -> None:
    exam = held()
    assert client_of(stranger(Role.TRAINEE)).get(reverse("lodge_appeal", args=[exam.item().pk])).status_code == 404
    kept = held(version=making.make_version(making.make_rules(release="by_examiner")))
    address = reverse("lodge_appeal", args=[kept.item().pk])
    client = client_of(kept.person())
    assert client.get(address).status_code == client.post(address, {"text": TEXT}).status_code == 404


def test_too_late_is_said_before_anything_is_written(monkeypatch: pytest.MonkeyPatch) -> None:
    exam = held()
    client, address = client_of(exam.person()), reverse("lodge_appeal", args=[exam.item().pk])
    until = appeal_deadline(exam.result(), exam.session.opens_at)
    assert until
    monkeypatch.setattr("exams.clock.now", lambda: until + timedelta(seconds=1))
    page = client.get(address)
    assert "is over" in page.text and "<textarea" not in page.text


def test_one_sees_nobody_elses_appeals() -> None:
    exam = held({}, {})
    lodged(exam, text=f"{TEXT} Assinado, o primeiro.")
    assert "o primeiro" not in client_of(exam.person(1)).get(reverse("own_appeals")).text


# ---- the register and the review


def test_the_register_says_what_is_overdue_and_why_one_may_not_decide(monkeypatch: pytest.MonkeyPatch) -> None:
    exam = held()
    first = lodged(exam)
    services.reject(first, stranger(), REPLY)
    second = lodged(exam, position=2)
    address = reverse("appeals")
    page = client_of(exam.session.created_by).get(address).text
    assert "You examined the candidate." in page and OVERDUE not in page
    assert page.index("Appeal 2") < page.index("Appeal 1")  # what waits comes first
    monkeypatch.setattr("exams.clock.now", lambda: second.decide_by + timedelta(seconds=1))
    client = client_of(stranger())
    page = client.get(address, {"overdue": "1"}).text
    assert "Appeal 2" in page and "Appeal 1" not in page and OVERDUE in page
    page = client.get(address, {"state": "rejected"}).text
    assert "Appeal 1" in page and "Appeal 2" not in page
    other = making.make_version().programme
    assert "No appeals here" in client.get(address, {"programme": str(other.pk)}).text
    assert "No appeals here" not in client.get(address, {"programme": "none of them"}).text


def test_the_reviewer_sees_all_but_the_name_and_others_see_neither_item_nor_answer() -> None:
    exam = held()
    appeal = lodged(exam)
    address = reverse("appeal", args=[appeal.pk])
    mark = appeal.mark.engine_mark
    page = client_of(stranger()).get(address).text
    assert TEXT in page and "table-drawing" in page and "1 candidate had it" in page
    assert exam.person().name not in page
    partial = client_of(exam.session.created_by)
    page = partial.get(address).text
    assert "You examined the candidate." in page
    assert TEXT not in page and "table-drawing" not in page and str(mark.parts[0].right) not in page
    refused = partial.post(address, {"decision": "rejected", "reply": REPLY})
    assert refused.status_code == 403
    appeal.refresh_from_db()
    assert appeal.state == Appeal.State.LODGED


def test_the_reviewer_reads_in_words_by_which_rules_it_was_graded() -> None:
    appeal, client = lodged(held()), client_of(stranger())
    mark, address = appeal.mark, reverse("appeal", args=[appeal.pk])
    page = client.get(address).text
    assert "which has not changed on the platform since" in page and book_name(making.BOOK, "en") in page
    assert mark.edition not in page and f"engine {mark.engine}" not in page
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Rulebook, "edition", property(lambda book: "of a later law"))
        page = client.get(address).text
    assert "it has been revised on the platform since" in page and "of a later law" not in page


def test_a_decision_keeps_what_was_typed_until_it_is_whole() -> None:
    exam = held()
    appeal, reviewer = lodged(exam), stranger()
    client, address = client_of(reviewer), reverse("appeal", args=[appeal.pk])
    page = client.post(address, {"decision": "corrected", "reply": REPLY})
    assert page.status_code == 422
    assert "Choose the parts" in page.text and REPLY in page.text
    keys = list(services.contestable(appeal.mark))
    done = client.post(address, {"decision": "corrected", "questions": keys, "reply": REPLY})
    assert done.status_code == 302
    appeal.refresh_from_db()
    assert (appeal.state, appeal.remedy, appeal.reviewer) == ("upheld", "corrected", reviewer)
    late = client.post(address, {"decision": "voided", "reply": REPLY})
    assert late.status_code == 409
    assert ExamItem.objects.get(pk=exam.item().item_id).voided_at is None


@pytest.mark.parametrize("position", range(1, 6))
def test_an_answer_that_names_nothing_at_the_table_is_shown_as_it_was_given(position: int) -> None:
    exam = held()
    appeal = lodged(exam, position=position)
    page = client_of(stranger()).get(reverse("appeal", args=[appeal.pk]))
    assert page.status_code == 200
    assert any(str(value) in page.text for value in exam.item(position=position).response.answer["parts"].values())


def test_nothing_can_be_accepted_where_nothing_was_answered() -> None:
    appeal = lodged(held({1: {}}))
    client, address = client_of(stranger()), reverse("appeal", args=[appeal.pk])
    assert 'value="corrected"' not in client.get(address).text
    assert client.post(address, {"decision": "corrected", "reply": REPLY}).status_code == 422
    assert client.post(address, {"decision": "voided", "reply": REPLY}).status_code == 302


@pytest.mark.parametrize("role", [Role.INSTRUCTOR, Role.TRAINEE])
def test_a_longer_list_costs_no_more_questions(role: Role) -> None:
    exam = held({}, {})
    lodged(exam)
    client = client_of(stranger() if role == Role.INSTRUCTOR else exam.person())
    address = reverse("appeals" if role == Role.INSTRUCTOR else "own_appeals")
    one = queries_of(client, address)
    for number, position in ((0, 2), (0, 3), (1, 1), (1, 2)):
        lodged(exam, number, position=position)
    assert queries_of(client, address) == one


# ---- regrades


@pytest.fixture
def administrator() -> Client:
    return client_of(stranger(Role.ADMINISTRATOR))


def start(client: Client, exam: Exam, **changes: Any) -> Any:
    sent = {"programme": exam.version.programme_id, "reason": "O artigo 67 foi corrigido."} | changes
    return client.post(reverse("regrades"), sent)


def test_an_administrator_starts_a_regrade_and_watches_it(administrator: Client) -> None:
    exam = held({}, {})
    assert start(administrator, exam, reason="").status_code == 422
    address = start(administrator, exam)["Location"]
    page = administrator.get(address).text
    assert "<progress" in page and 'hx-trigger="every 2s"' in page
    part = administrator.get(address, headers={"HX-Request": "true"}).text
    assert "<progress" in part and "<html" not in part
    refused = start(administrator, exam)
    assert refused.status_code == 409
    assert "still open" in refused.text


def test_rules_of_another_programme_are_refused(administrator: Client) -> None:
    exam, other = held(), making.make_version()
    assert start(administrator, exam, rules=other.pk).status_code == 422
    assert Regrade.objects.count() == 0


def widened(exam: Exam) -> Exam:
    """The first item is voided without anybody having been graded again: a regrade finds it."""
    ExamItem.objects.filter(pk=exam.item().item_id).update(voided_at=exam.session.opens_at)
    return exam


def test_the_differences_are_shown_and_published_only_when_looked_at(administrator: Client) -> None:
    exam = widened(held({1: "right"}, {2: "right"}))
    found = regraded(exam)
    address = reverse("regrade", args=[found.pk])
    page = administrator.get(address).text
    assert exam.person(0).name in page and "voided" in page and "Publish 2 changes" in page
    assert administrator.get(address, {"show": "passed"}).status_code == 200
    publish = reverse("publish_regrade", args=[found.pk])
    assert administrator.post(publish).status_code == 422
    assert administrator.post(publish, {"sure": "1"}).status_code == 302
    assert administrator.post(publish, {"sure": "1"}).status_code == 409
    assert "being published" in administrator.get(address).text
    found.refresh_from_db()
    assert found.state == Regrade.State.PUBLISHING


def test_discarding_is_one_click(administrator: Client) -> None:
    found = regraded(widened(held()))
    discard = reverse("discard_regrade", args=[found.pk])
    assert administrator.post(discard).status_code == 302
    assert administrator.post(discard).status_code == 409
    assert "Everything stayed as it was" in administrator.get(reverse("regrade", args=[found.pk])).text


def test_more_differences_cost_no_more_questions(administrator: Client) -> None:
    few, many = regraded(widened(held({}, {}))), regraded(widened(held({}, {}, {}, {}, {})))
    pages: list[Callable[[], int]] = [
        lambda regrade=regrade: queries_of(administrator, reverse("regrade", args=[regrade.pk]))  # type: ignore[misc]
        for regrade in (few, many)
    ]
    assert pages[0]() == pages[1]()
