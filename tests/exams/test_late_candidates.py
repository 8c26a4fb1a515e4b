"""Candidates entered or removed while a session is ready or open: for a reason, on record, with papers apart."""

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from exams.audit.models import Entry
from exams.exam_sessions import candidacy, preparation, setup
from exams.papers import inspection
from exams.papers.composer import TOLERANCE, expected_score
from exams.programmes import supplies
from exams.programmes.rules import Line, Section
from exams.records.models import Candidate, ExamItem, Form, FormItem, Session, Sitting
from exams.sittings import sitting
from tests.exams import making
from tests.exams.test_papers import forms_of, preparing, ready
from tests.factories import PersonFactory
from training.platform.errors import Refused

pytestmark = pytest.mark.django_db


def open_session() -> Session:
    session = ready(preparing(candidates=3))
    now = timezone.now()
    Session.objects.filter(pk=session.pk).update(
        opens_at=now - timedelta(minutes=5), entry_closes_at=now + timedelta(hours=2)
    )
    session.refresh_from_db()
    return session


def test_whoever_is_entered_late_gets_a_paper_of_their_own_and_the_reason_is_on_record() -> None:
    session, person = open_session(), PersonFactory()
    with pytest.raises(Refused):
        candidacy.enter(session, person, session.created_by)
    candidate = candidacy.enter(session, person, session.created_by, reason="Substitui um colega doente.")
    inspection.check_apart(forms_of(session))
    predicted = Form.objects.filter(candidate__session=session).values_list("predicted", flat=True)
    assert max(predicted) - min(predicted) <= TOLERANCE
    entry = Entry.objects.filter(act="session.candidate_entered").latest("number")
    assert entry.details == {"people": [person.pk], "reason": "Substitui um colega doente."}
    begun = sitting.begin(candidate, session.access_code, device="own", now=timezone.now())
    assert begun.deadline_at > timezone.now()


def test_nobody_is_removed_once_they_have_begun_or_without_a_reason() -> None:
    session = open_session()
    one, other, _third = session.candidates.order_by("pk")
    with pytest.raises(Refused):
        candidacy.remove(session, one.pk, session.created_by, reason=" ")
    candidacy.remove(session, one.pk, session.created_by, reason="Desistiu.")
    assert not Candidate.objects.filter(pk=one.pk).exists()
    assert Entry.objects.filter(act="session.candidate_removed", details__reason="Desistiu.").count() == 1
    making.start(other)
    with pytest.raises(Refused):
        candidacy.remove(session, other.pk, session.created_by, reason="Desistiu.")


def test_after_entry_has_closed_nobody_is_entered() -> None:
    session = open_session()
    Session.objects.filter(pk=session.pk).update(entry_closes_at=timezone.now() - timedelta(seconds=1))
    with pytest.raises(Refused):
        candidacy.enter(session, PersonFactory(), session.created_by, reason="Atrasado.")


def test_where_everybody_begins_at_once_nobody_hands_in_before_entry_has_closed() -> None:
    now = timezone.now()
    session = making.make_session(common_start=True, entry_closes_at=now + timedelta(minutes=10))
    begun = making.start(making.enter(session), at=now)
    Sitting.objects.filter(pk=begun.pk).update(device="own")
    begun.refresh_from_db()
    with pytest.raises(sitting.TooEarly):
        sitting.hand_in(begun, device="own", now=session.entry_closes_at - timedelta(seconds=1))
    assert sitting.hand_in(begun, device="own", now=session.entry_closes_at).closed_at == session.entry_closes_at


def test_where_everybody_begins_at_once_entry_is_short() -> None:
    version, opens = making.make_version(), timezone.now() + timedelta(days=1)
    facts: dict[str, Any] = {"version": version, "title": "Exame", "place": "", "opens_at": opens, "common_start": True}
    for late, fits in ((15, True), (16, False)):
        closes = opens + timedelta(minutes=late)
        if fits:
            assert setup.create_session(version.author, entry_closes_at=closes, **facts).common_start
        else:
            with pytest.raises(Refused):
                setup.create_session(version.author, entry_closes_at=closes, **facts)


def test_papers_are_not_asked_for_where_a_line_is_known_to_be_too_narrow() -> None:
    session = preparing(candidates=3, state=Session.State.DRAFT)
    version = session.programme_version
    version.supplies = [8, 6]  # for two candidates of three items, and for three of two
    version.save()
    with pytest.raises(Refused, match="2"):
        preparation.prepare(session, session.created_by)
    version.supplies = [9, 6]
    version.save()
    assert preparation.prepare(session, session.created_by).state == Session.State.PREPARING


def test_supplies_count_cases_that_are_not_alike() -> None:
    line = Line(rulebook="pt-banca-francesa", topic="reading", difficulty=2, items=2)
    section = Section(key="one", names={"en": "One"}, lines=(line,))
    version = making.make_version(making.make_rules(rulebooks=(line.rulebook,), sections=(section,)))
    assert supplies.room_for(version) is None
    supplies.count(version.pk)
    version.refresh_from_db()
    room = supplies.room_for(version)
    assert room and 2 <= room.candidates < 10
    assert version.supplies[0] // 2 == room.candidates


def test_where_one_sits_alone_several_more_can_be_entered_late() -> None:
    """The cases of the pool differ in difficulty, and the one paper is not as hard as the pool on average."""
    session = ready(preparing(candidates=1))
    now = timezone.now()
    Session.objects.filter(pk=session.pk).update(
        opens_at=now - timedelta(minutes=5), entry_closes_at=now + timedelta(hours=2)
    )
    session.refresh_from_db()
    placed = FormItem.objects.filter(form__candidate__session=session).values("item")
    ExamItem.objects.filter(session=session).exclude(pk__in=placed).update(predicted=0.3)
    for _number in range(3):
        candidacy.enter(session, PersonFactory(), session.created_by, reason="Substitui um colega doente.")
    scores = [expected_score(form) for form in forms_of(session)]
    assert len(scores) == 4 and max(scores) - min(scores) <= TOLERANCE


def test_cases_alike_on_the_paper_of_one_who_sat_alone_keep_nobody_out() -> None:
    session = ready(preparing(candidates=1))
    mine = forms_of(session)[0]
    inspection.check_apart_from(mine[:2], [mine[2], mine[2]])
    with pytest.raises(inspection.BadForm, match="the same item"):
        inspection.check_apart_from(mine[:2], mine[1:])
