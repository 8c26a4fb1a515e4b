"""Appeals and regrades with a real queue: what is decided is carried out by the worker, once, and letters go out."""

import pytest
from django.core import mail

from exams.appeals import services as appeals
from exams.appeals.models import Letter
from exams.appeals.tasks import carry_out
from exams.records.models import ExamItem
from exams.regrading import dispatch, services
from exams.regrading.models import Regrade
from exams.regrading.tasks import publish_chunk, run_chunk
from exams.results.models import Mark
from tests.exams.contesting import REPLY, held, lodged, stranger
from tests.running import until
from training.mail.models import Mail
from training.people.models import Role

pytestmark = pytest.mark.django_db(transaction=True)


def test_the_worker_carries_an_upheld_appeal_out_and_sends_the_letters(worker: None) -> None:
    exam = held({}, {})
    appeal = lodged(exam)
    appeals.void(appeal, stranger(), REPLY)

    def carried_out() -> bool:
        appeal.refresh_from_db()
        return appeal.carried_out_at is not None and not Letter.objects.filter(sent_at=None).exists()

    until("the appeal is carried out", carried_out)
    assert [exam.result(number).number for number in (0, 1)] == [2, 2]
    until("the mails are sent", lambda: not Mail.objects.filter(sent_at=None).exists())
    subjects = [letter.subject for letter in mail.outbox if letter.to == [exam.person().email]]
    assert len([subject for subject in subjects if subject.startswith(("Recurso", "Appeal"))]) == 2
    # A message delivered again finds nothing to do.
    carry_out(str(appeal.pk))
    assert Mark.objects.filter(number__gt=2).count() == 0


def test_the_worker_runs_and_publishes_a_regrade_in_chunks(worker: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dispatch, "CHUNK", 2)
    exam = held({}, {}, {})
    ExamItem.objects.filter(pk=exam.item().item_id).update(voided_at=exam.session.opens_at)
    regrade = services.start(stranger(Role.ADMINISTRATOR), exam.version.programme, "O artigo 67 foi corrigido.")
    until("it is ready", lambda: Regrade.objects.get(pk=regrade.pk).state == Regrade.State.READY)
    assert [exam.result(number).number for number in range(3)] == [1, 1, 1]
    services.publish(regrade, stranger(Role.ADMINISTRATOR))
    until("it is published", lambda: Regrade.objects.get(pk=regrade.pk).state == Regrade.State.PUBLISHED)
    assert [exam.result(number).number for number in range(3)] == [2, 2, 2]
    sittings = [str(sitting.pk) for sitting in exam.sittings]
    run_chunk(str(regrade.pk), sittings)
    publish_chunk(str(regrade.pk), sittings)
    assert [exam.result(number).number for number in range(3)] == [2, 2, 2]
