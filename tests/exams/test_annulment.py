"""A sitting is annulled or its try given back: by two people, for a reason the candidate reads, and for good."""

from datetime import timedelta

import pytest
from django.db import IntegrityError, transaction
from django.urls import reverse
from django.utils import timezone

from exams.audit.models import Entry
from exams.audit.services import verify
from exams.exam_sessions import candidacy
from exams.programmes.models import Examiner
from exams.records.models import Session, Sitting
from exams.results import annulment
from exams.results.models import Annulment, Result
from tests.exams import certifying, making
from tests.exams.annulling import WHY, Remedy, annulled, asked, client_of, examiner, sat
from tests.factories import PersonFactory
from training.mail.models import Mail
from training.people.models import Role
from training.platform.errors import Refused

pytestmark = pytest.mark.django_db


# ---- two people


def test_one_asks_a_second_confirms_and_the_result_is_gone() -> None:
    sitting, second = sat(right=5), examiner()
    one = sitting.candidate.session.created_by
    waiting = asked(sitting)
    sitting.refresh_from_db()
    assert sitting.annulled_at is None  # nothing yet
    annulment.confirm(waiting, by=second)

    sitting.refresh_from_db()
    assert sitting.annulled_at is not None
    assert sitting.try_back
    assert not Result.objects.get().in_force
    entry = Entry.objects.get(act="sitting.annulled")
    assert (entry.actor, entry.subject) == (second, f"sitting:{sitting.pk}")
    assert entry.details == {
        "reason": WHY,
        "asked_by": one.pk,
        "try_back": True,
        "result": str(Result.objects.get().pk),
    }
    assert Entry.objects.get(act="annulment.asked").actor == one
    assert list(verify()) == []


def test_who_asks_does_not_confirm_and_the_database_holds_it() -> None:
    chief = examiner(Role.ADMINISTRATOR)
    waiting = asked(sat(), by=chief)
    with pytest.raises(Refused, match="tem de ser uma segunda pessoa"):
        annulment.confirm(waiting, by=chief)
    with pytest.raises(IntegrityError), transaction.atomic():
        Annulment.objects.filter(pk=waiting.pk).update(accepted=True, decided_by=chief, decided_at=timezone.now())


def test_one_examiner_is_enough_where_the_programme_says_so() -> None:
    sitting = sat(annulment="by_one")
    assert asked(sitting).accepted
    sitting.refresh_from_db()
    assert sitting.annulled_at is not None


def test_a_second_try_given_back_needs_a_second_person_who_is_told() -> None:
    first = sat(annulment="by_one")
    asked(first, Remedy.TRY_BACK)
    session = making.make_session(first.candidate.session.programme_version)
    again = making.close(making.start(making.enter(session, first.candidate.person)))
    page = client_of(session.created_by).get(reverse("annul_sitting", args=[again.pk])).content.decode()
    assert "já foi devolvida 1 tentativa" in page and "Uma segunda pessoa tem de o confirmar" in page
    waiting = asked(again, Remedy.TRY_BACK)
    assert waiting.by_two and waiting.decided_at is None
    assert "já foi devolvida 1 tentativa" in client_of(examiner()).get(reverse("annulments")).content.decode()


def test_an_invigilator_who_is_no_examiner_asks_and_an_examiner_decides() -> None:
    sitting, watcher = sat(annulment="by_one"), examiner(Role.HR)
    with pytest.raises(Refused, match="Só os vigilantes e os examinadores"):
        asked(sitting, by=watcher)
    sitting.candidate.session.invigilators.add(watcher)
    waiting = asked(sitting, by=watcher)
    assert waiting.decided_at is None
    with pytest.raises(Refused, match="podem examinar"):
        annulment.confirm(waiting, by=watcher)
    annulment.confirm(waiting, by=examiner())


def test_nobody_asks_or_decides_about_their_own_exam() -> None:
    both = PersonFactory(roles=[Role.TRAINEE, Role.INSTRUCTOR, Role.ADMINISTRATOR])
    sitting = sat(person=both)
    with pytest.raises(Refused, match="Só os vigilantes e os examinadores"):
        asked(sitting, by=both)
    waiting = asked(sitting)
    for act in (annulment.confirm, annulment.refuse):
        with pytest.raises(Refused, match="Ninguém decide sobre si próprio"):
            act(waiting, by=both)


def test_only_who_may_judge_the_candidate_decides() -> None:
    sitting = sat(examiners="appointed")
    waiting, stranger = asked(sitting), examiner()
    with pytest.raises(Refused, match="nomeados"):
        annulment.confirm(waiting, by=stranger)
    Examiner.objects.create(programme=sitting.candidate.session.programme_version.programme, person=stranger)
    annulment.confirm(waiting, by=stranger)


def test_it_is_decided_once_and_asked_for_once_at_a_time() -> None:
    sitting = sat()
    waiting = asked(sitting)
    with pytest.raises(Refused, match="Já foi pedido"):
        asked(sitting)
    annulment.confirm(waiting, by=examiner())
    for act in (annulment.confirm, annulment.refuse):
        with pytest.raises(Refused, match="já está decidido"):
            act(waiting, by=examiner())
    with pytest.raises(Refused, match="já está decidido"):
        asked(sitting)


def test_what_is_refused_or_taken_back_leaves_everything() -> None:
    sitting, watcher = sat(right=5), examiner(Role.HR)
    sitting.candidate.session.invigilators.add(watcher)
    annulment.refuse(asked(sitting, by=watcher), by=watcher)  # taken back
    annulment.refuse(asked(sitting), by=examiner())
    sitting.refresh_from_db()
    assert (sitting.annulled_at, sitting.try_back, Result.objects.get().in_force) == (None, False, True)
    assert Entry.objects.filter(act="annulment.refused").count() == 2
    assert not Mail.objects.filter(subject__contains="anulado").exists()


def test_an_open_sitting_is_closed_first() -> None:
    sitting = making.start(making.enter(making.make_session()))
    with pytest.raises(Refused, match="Encerre-o primeiro"):
        asked(sitting)


@pytest.mark.parametrize(
    ("reason", "remedy", "field"),
    [("  ", "annulled", "reason"), ("x" * 2001, "annulled", "reason"), ("x", "no_such", "remedy")],
)
def test_it_needs_a_reason_and_a_remedy(reason: str, remedy: str, field: str) -> None:
    sitting = sat()
    with pytest.raises(Refused) as refused:
        annulment.ask(sitting, by=sitting.candidate.session.created_by, remedy=remedy, reason=reason)
    assert refused.value.field == field
    assert annulment.ask(
        sitting, by=sitting.candidate.session.created_by, remedy="annulled", reason="x" * 2000
    )  # as long as may be


# ---- tries


@pytest.mark.parametrize(
    ("remedy", "tries", "result"),
    [(Remedy.ANNULLED, 0, False), (Remedy.COUNTED, 1, False), (Remedy.TRY_BACK, 0, True)],
)
def test_the_try_is_given_back_or_not_as_decided(remedy: str, tries: int, result: bool) -> None:
    sitting = annulled(sat(), remedy)
    person, programme = sitting.candidate.person_id, sitting.candidate.session.programme_version.programme_id
    assert candidacy.tries_of([person], programme)[person].count == tries
    assert Result.objects.filter(in_force=True).exists() is result


def test_whose_try_was_given_back_is_entered_again_without_waiting() -> None:
    sitting = sat(tries=1, wait_days=14)
    version, person = sitting.candidate.session.programme_version, sitting.candidate.person
    next_time = making.make_session(version, state=Session.State.DRAFT)
    with pytest.raises(Refused, match="já usou"):
        candidacy.enter(next_time, person, next_time.created_by)
    annulled(sitting)
    candidacy.enter(next_time, person, next_time.created_by)


def test_a_passed_exam_has_no_try_to_give_back() -> None:
    with pytest.raises(annulment.UnfitRemedy, match="não há tentativa"):
        asked(sat(right=5), Remedy.TRY_BACK)


# ---- the database


def test_the_database_undoes_nothing() -> None:
    sitting = annulled(sat())
    decided = Annulment.objects.get()
    for change in (
        lambda: Sitting.objects.update(annulled_at=None),
        lambda: Sitting.objects.update(annulled_at=timezone.now() + timedelta(days=1)),
        lambda: Sitting.objects.update(try_back=False),
        lambda: Annulment.objects.update(reason="Outro motivo."),
        lambda: Annulment.objects.update(remedy=Remedy.COUNTED),
        lambda: Annulment.objects.update(accepted=False),
        lambda: Annulment.objects.update(decided_by=decided.asked_by),
        lambda: Annulment.objects.all().delete(),
        lambda: certifying.add_result(sitting),
        lambda: Result.objects.update(in_force=True),
    ):
        with pytest.raises(IntegrityError), transaction.atomic():
            change()


def test_the_database_annuls_no_open_sitting() -> None:
    making.start(making.enter(making.make_session()))
    with pytest.raises(IntegrityError), transaction.atomic():
        Sitting.objects.update(annulled_at=timezone.now())
