"""A candidate deals at an exam table on screen: each act is one transaction, held by one browser, until the sitting
ends."""

from datetime import datetime

from django.db import transaction

from exams.practical.models import ExamTable
from exams.records.models import Sitting
from exams.sittings import sitting as sittings
from exams.sittings import timing
from training.live_table import services
from training.live_table.services import Given


def act(sitting: Sitting, number: int, sent: object, *, device: str, now: datetime) -> Given:
    """Carry out an act. Raises Over, Elsewhere, or what the live table refuses. Acknowledged means stored."""
    at = timing.moment(sitting, now)
    try:
        with transaction.atomic():
            sittings.hold(sitting, device, at)
            table = ExamTable.objects.select_for_update(no_key=True).get(candidate=sitting.candidate_id)
            return services.carry_out(table, number, sent, at)
    except sittings.Over:
        sittings.settle(sitting, now)
        raise
