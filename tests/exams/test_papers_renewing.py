"""Between the making of a form and the exam: mails, practice that meets a case of the form, and the start itself."""

from typing import Any

import pytest
from django.core import mail
from django.utils import timezone

import rules_engine
from exams.audit.models import Entry
from exams.exam_sessions import letters, tasks
from exams.papers import renewal
from exams.papers.composer import expected_score
from exams.records.models import Candidate, ExamItem, FormItem, Session
from exams.sittings import sitting
from rules_engine.rulebook import Rulebook
from tests.exams import making
from tests.exams.test_papers import preparing, ready
from training.mail.courier import deliver
from training.platform.engine_json import document
from training.practice import services as practice
from training.practice.models import Drill
from training.sprint.models import Sprint

pytestmark = pytest.mark.django_db


def test_candidates_are_told_once_when_and_where_but_not_the_code() -> None:
    session = ready(preparing(candidates=2, place="Sala 2"))
    first = session.candidates.order_by("pk")[0]
    Candidate.objects.filter(pk=first.pk).update(extra_minutes=15)
    assert letters.sessions_to_announce() == [session.pk]
    assert letters.tell_candidates(session.pk) == 2
    assert letters.tell_candidates(session.pk) == 0
    assert letters.sessions_to_announce() == []
    deliver()
    told = {letter.to[0]: letter.body for letter in mail.outbox}
    assert "45" in told[first.person.email]
    assert all("Sala 2" in body and session.access_code not in body for body in told.values())


def entered(**changes: Any) -> Candidate:
    """The first candidate of a session that is ready."""
    session = ready(preparing(candidates=2, **changes))
    return session.candidates.order_by("pk")[0]


def items_of(candidate: Candidate) -> list[ExamItem]:
    placed = FormItem.objects.filter(form__candidate=candidate).select_related("item").order_by("position")
    return [one.item for one in placed]


def met(candidate: Candidate, item: ExamItem) -> None:
    practice.put_drill(candidate.person, item.scenario, mode=Drill.Mode.FREE)


def test_a_case_met_after_the_form_was_made_is_exchanged() -> None:
    candidate = entered()
    before = items_of(candidate)
    assert renewal.practised_since() == []
    met(candidate, before[1])
    assert renewal.practised_since() == [candidate.pk]
    renewal.renew_all()
    after = items_of(candidate)
    assert [one.pk for one in after[:1] + after[2:]] == [one.pk for one in before[:1] + before[2:]]
    assert after[1].fingerprint != before[1].fingerprint
    assert (after[1].line, after[1].points) == (before[1].line, before[1].points)
    candidate.form.refresh_from_db()
    assert candidate.form.predicted == pytest.approx(expected_score(after))
    assert Entry.objects.get(act="session.form_renewed").details == {"items": 1}
    renewal.renew_all()
    assert items_of(candidate) == after


def test_a_case_met_in_a_sprint_after_the_form_was_made_is_exchanged() -> None:
    candidate, now = entered(), timezone.now()
    before = next(item for item in items_of(candidate) if item.scenario.topic == "third_card")
    sprint = Sprint.objects.create(trainee=candidate.person, kind="third_card", started_at=now, deadline_at=now)
    sprint.cases.create(
        number=1, scenario_document=document(before.scenario), question="banker_draw", put_at=timezone.now()
    )
    assert renewal.practised_since() == [candidate.pk]
    assert renewal.renew(candidate.pk) == 1
    assert before not in items_of(candidate)


def test_other_practice_and_other_people_change_nothing() -> None:
    candidate = entered()
    other = candidate.session.candidates.exclude(pk=candidate.pk).get()
    before = items_of(candidate)
    mine = set(before) - set(items_of(other))
    met(other, mine.pop())
    practice.put_drill(candidate.person, making.scenario("third_card", 900), mode=Drill.Mode.FREE)
    renewal.renew_all()
    assert items_of(candidate) == before


def test_where_the_whole_pool_is_known_a_new_case_is_made() -> None:
    candidate = entered()
    pool = list(candidate.session.items.filter(line=0))
    for item in pool:
        met(candidate, item)
    assert renewal.renew(candidate.pk) == 3
    fresh = [item for item in items_of(candidate) if item.line == 0]
    assert len({item.fingerprint for item in fresh} - {item.fingerprint for item in pool}) == 3
    assert candidate.session.items.filter(line=0).count() == len(pool) + 3


def test_nothing_is_exchanged_once_the_candidate_has_begun() -> None:
    candidate = entered()
    before = items_of(candidate)
    met(candidate, before[0])
    making.start(candidate)
    assert renewal.practised_since() == []
    assert renewal.renew(candidate.pk) == 0
    assert items_of(candidate) == before


def test_the_sweep_renews(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tasks.tell_candidates, "delay", lambda _id: None)
    candidate = entered()
    before = items_of(candidate)
    met(candidate, before[0])
    tasks.sweep_sessions()
    assert items_of(candidate)[0] != before[0]


def test_nothing_is_generated_or_ruled_on_when_the_bell_rings(monkeypatch: pytest.MonkeyPatch) -> None:
    now = timezone.now()
    candidate = entered()
    Session.objects.filter(pk=candidate.session_id).update(opens_at=now)

    def refuse(*_: Any, **__: Any) -> None:
        raise AssertionError("the engine is at work while the bell rings")

    for place, name in ((rules_engine, "generate"), (rules_engine, "scenario_of"), (Rulebook, "rule")):
        monkeypatch.setattr(place, name, refuse)
    monkeypatch.setattr("rules_engine.scenario.generate", refuse)
    begun = sitting.begin(candidate, candidate.session.access_code, device="one", now=now)
    assert begun.candidate == candidate
