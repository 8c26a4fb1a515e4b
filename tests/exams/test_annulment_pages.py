"""An annulment as the candidate reads of it and as those who decide see it."""

from typing import Any

import pytest
from django.urls import reverse
from django.utils import timezone

from exams.audit.models import Entry
from exams.invigilation import acts
from exams.records.models import Sitting
from exams.results import annulment, grading
from exams.results.models import Annulment
from tests.exams import making
from tests.exams.annulling import WHY, Remedy, annulled, asked, client_of, examiner, sat
from tests.factories import PersonFactory
from training.mail.models import Mail
from training.people.models import Role

pytestmark = pytest.mark.django_db


# ---- the candidate is told


@pytest.mark.parametrize(
    ("remedy", "subject", "told"),
    [
        (Remedy.ANNULLED, "O seu exame foi anulado: Chemin de fer", "Não conta como tentativa"),
        (Remedy.COUNTED, "O seu exame foi anulado: Chemin de fer", "Conta como tentativa."),
        (Remedy.TRY_BACK, "A sua tentativa foi devolvida: Chemin de fer", "mantém-se"),
    ],
)
def test_the_candidate_is_told_by_mail_and_on_the_page(remedy: str, subject: str, told: str) -> None:
    sitting = sat()
    acts_before = Mail.objects.count()
    annulled(sitting, remedy)
    assert Mail.objects.count() == acts_before + 1
    mail = Mail.objects.latest("pk")
    assert (mail.person, mail.subject) == (sitting.candidate.person, subject)
    assert told in mail.body
    assert WHY in mail.body
    assert "/exams/" in mail.body
    page = client_of(sitting.candidate.person).get(reverse("own_result", args=[sitting.pk])).content.decode()
    assert WHY in page
    assert ("Este exame foi anulado." in page) is (remedy != Remedy.TRY_BACK)


def test_the_pages_of_the_candidate_say_annulled_and_show_no_result() -> None:
    session = making.make_session()
    sitting = making.start(making.enter(session))
    acts.close_sitting(sitting, "Alarme.", by=session.created_by, now=timezone.now())
    grading.grade_sitting(sitting.pk)
    client = client_of(sitting.candidate.person)
    sitting.refresh_from_db()
    annulled(sitting)
    assert client.get("/exams/").context["exams"].past[0].state == "annulled"
    page = client.get(reverse("own_result", args=[sitting.pk])).content.decode()
    assert "Não passou" not in page
    assert "Alarme." in page
    for route, args in (("own_result_item", [sitting.pk, 1]), ("own_sheet", [sitting.pk])):
        assert client.get(reverse(route, args=args)).status_code == 404
    assert "foi anulado" in client.get(f"/exams/sittings/{sitting.pk}/").content.decode()


# ---- the pages of those who decide


def test_annulling_by_the_pages() -> None:
    sitting, second = sat(right=5), examiner()
    one = client_of(sitting.candidate.session.created_by)
    address = reverse("annul_sitting", args=[sitting.pk])
    assert "segunda pessoa" in one.get(address).content.decode()
    empty = one.post(address, {"remedy": "annulled", "reason": " "})
    assert empty.status_code == 422
    assert one.post(address, {"remedy": "try_back", "reason": WHY}).status_code == 422
    assert one.post(address, {"remedy": "annulled", "reason": WHY}, follow=True).status_code == 200
    assert one.post(address, {"remedy": "annulled", "reason": WHY}).status_code == 409
    listed = reverse("annulments")
    decide = reverse("decide_annulment", args=[Annulment.objects.get().pk])
    assert 'name="confirm"' not in one.get(listed).content.decode()
    assert "segunda pessoa" in one.post(decide, {"confirm": "yes"}, follow=True).content.decode()
    two = client_of(second)
    page = two.get(listed).content.decode()
    assert (
        "Confirmar a anulação" in page and "Pedido: A prova" in page and f'<p><a href="{reverse("results")}">' in page
    )
    assert 'id="tab-cancel"' not in one.get(reverse("session", args=[sitting.candidate.session_id])).content.decode()
    assert "1 anulação espera" in two.get(reverse("results")).content.decode()
    assert (
        "1 anulação espera" in two.get(reverse("session_results", args=[sitting.candidate.session_id])).content.decode()
    )
    assert two.post(decide).status_code == 404
    two.post(decide, {"confirm": "yes"})
    sitting.refresh_from_db()
    assert sitting.annulled_at is not None
    assert "anulada" in two.get(reverse("session_results", args=[sitting.candidate.session_id])).content.decode()
    assert WHY in one.get(listed).content.decode()


def offering(sitting: Sitting) -> set[str]:
    """Which pages lead to asking for an annulment."""
    client, address = client_of(sitting.candidate.session.created_by), reverse("annul_sitting", args=[sitting.pk])
    pages = {
        "live": reverse("live_sitting", args=[sitting.candidate.session_id, sitting.pk]),
        "decide": reverse("decide_result", args=[sitting.results.get(in_force=True).pk]),
    }
    return {name for name, page in pages.items() if address in client.get(page).content.decode()}


def test_only_what_can_still_be_done_is_offered() -> None:
    sitting = sat()
    assert offering(sitting) == {"live", "decide"}
    waiting = asked(sitting, Remedy.TRY_BACK)
    assert offering(sitting) == set()
    annulment.confirm(waiting, by=examiner())
    assert offering(sitting) == set(), "the try was given back, and what is decided stays so"


def test_of_a_passed_exam_no_try_is_offered_back() -> None:
    remedies = {}
    for right in (0, 5):
        sitting = sat(right=right)
        client = client_of(sitting.candidate.session.created_by)
        page = client.get(reverse("annul_sitting", args=[sitting.pk])).content.decode()
        remedies[right] = {each for each in Remedy.values if f'value="{each}"' in page}
        assert ("não há tentativa" in page) is (right == 5)
    assert remedies == {0: set(Remedy.values), 5: {"annulled", "counted"}}


def test_who_only_watched_over_it_does_not_learn_the_result() -> None:
    offered = []
    for right in (0, 5):
        sitting = sat(right=right, examiners="appointed", release="by_examiner")
        sitting.candidate.session.invigilators.add(watching := examiner())
        page = client_of(watching).get(reverse("annul_sitting", args=[sitting.pk])).content.decode()
        offered.append({each for each in Remedy.values if f'value="{each}"' in page})
        assert "não há tentativa" not in page
    assert offered == [set(Remedy.values)] * 2


def test_nor_by_asking_for_the_try_back() -> None:
    """The answer and what is on record are the same, passed or not: an examiner decides about it."""
    answers = []
    for right in (0, 5):
        sitting = sat(right=right, examiners="appointed", release="by_examiner")
        sitting.candidate.session.invigilators.add(watching := examiner())
        page = reverse("annul_sitting", args=[sitting.pk])
        answer = client_of(watching).post(page, {"remedy": Remedy.TRY_BACK, "reason": WHY})
        waiting = Annulment.objects.get(sitting=sitting)
        last = Entry.objects.filter(subject=f"sitting:{sitting.pk}").latest("number")
        answers.append((answer.status_code, waiting.decided_at, last.act))
        assert "não há tentativa" not in answer.content.decode()
        if right == 5:
            appointed = PersonFactory(roles=[Role.ADMINISTRATOR])
            with pytest.raises(annulment.UnfitRemedy, match="não há tentativa"):
                annulment.confirm(waiting, by=appointed)
            annulment.refuse(waiting, by=appointed)
    assert answers == [(302, None, "annulment.asked")] * 2


def test_what_is_not_one_s_business_is_not_seen() -> None:
    candidate = PersonFactory(roles=[Role.TRAINEE, Role.INSTRUCTOR])
    sitting = sat(examiners="appointed", person=candidate)
    waiting = asked(sitting)
    for stranger in (examiner(), examiner(Role.HR), candidate):
        client = client_of(stranger)
        assert client.get(reverse("annul_sitting", args=[sitting.pk])).status_code == 404
        assert WHY not in client.get(reverse("annulments")).content.decode()
        assert client.post(reverse("decide_annulment", args=[waiting.pk]), {"confirm": "yes"}).status_code == 404
    assert WHY in client_of(examiner(Role.ADMINISTRATOR)).get(reverse("annulments")).content.decode()


def test_the_list_takes_as_many_queries_for_many_as_for_few(django_assert_max_num_queries: Any) -> None:
    chief = client_of(examiner(Role.ADMINISTRATOR))
    counts = []
    for _size in range(2):
        for _number in range(2):
            annulled(sat())
        with django_assert_max_num_queries(20) as queries:
            chief.get(reverse("annulments"))
        counts.append(len(queries))
    assert counts[0] == counts[1]
