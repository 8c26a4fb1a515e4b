"""The audit chain, the guards of the database, and the tests' own way to make exams."""

import pytest
from django.db import IntegrityError, transaction

from exams.audit.models import Entry
from exams.audit.services import record, verify
from exams.programmes.models import ProgrammeVersion
from exams.records.models import ExamItem, Sitting
from tests.exams import making
from tests.factories import PersonFactory


def refused(change: object) -> None:
    with pytest.raises(IntegrityError), transaction.atomic():
        change()  # type: ignore[operator]


@pytest.mark.django_db
def test_the_chain_holds_and_tells_what_was_touched() -> None:
    person = PersonFactory()
    for number in range(3):
        record(person, "test.done", f"thing:{number}", number=number)
    assert list(verify()) == []
    refused(lambda: Entry.objects.filter(number=2).update(act="other"))
    refused(lambda: Entry.objects.filter(number=3).delete())


@pytest.mark.django_db
def test_the_database_refuses_to_change_what_is_settled() -> None:
    session = making.make_session()
    sitting = making.start(making.enter(session))
    making.answer(sitting, right=2)
    making.close(sitting)
    refused(lambda: Sitting.objects.filter(pk=sitting.pk).update(closed_at=None))
    refused(lambda: ExamItem.objects.filter(session=session).update(points=9))
    refused(lambda: ProgrammeVersion.objects.update(names={}))
    assert ExamItem.objects.filter(session=session).update(corrections={"winner": ["tie"]})
