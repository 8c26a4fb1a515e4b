"""The candidate's page of a practical exam on screen. It is the live table with the clock of the exam; nothing on it
tells more than the table shows."""

from uuid import UUID

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from exams import clock
from exams.practical import dealing
from exams.practical.models import ExamTable
from exams.records.models import Sitting
from exams.sittings import sitting
from exams.sittings.browser import on_own_device
from exams.sittings.sitting import Elsewhere, Over
from exams.sittings.views import elsewhere, frame, own_sitting
from training.live_table import views as live
from training.live_table.services import Given
from training.people.access import allow
from training.people.models import Role


@allow(Role.TRAINEE, in_exam=True)
@require_safe
@never_cache
@on_own_device
def exam_table(request: HttpRequest, dealt_id: UUID, device: str) -> HttpResponse:
    """The table. Opening it makes this browser the sitting's, unless another has it."""
    found = own_sitting(request, dealt_id)
    table = _table(found)
    try:
        sitting.arrive(found, found.position, device=device, now=clock.now())
    except Over:
        return redirect("sitting", found.pk)
    except Elsewhere:
        return elsewhere(request, found)
    if table.ended_at:
        return redirect("hand_in", found.pk)
    return render(request, "practical/table.html", frame(found, clock.now()) | live.at_table(table))


@allow(Role.TRAINEE, in_exam=True)
@require_POST
@never_cache
@on_own_device
def exam_act(request: HttpRequest, dealt_id: UUID, device: str) -> HttpResponse:
    """One act at the table, answered on the beat."""
    found = own_sitting(request, dealt_id)
    _table(found)

    def carry_out(number: int, sent: object) -> Given:
        return dealing.act(found, number, sent, device=device, now=clock.now())

    return live.on_the_beat(request, carry_out)


def _table(found: Sitting) -> ExamTable:
    table = ExamTable.objects.filter(candidate=found.candidate_id, in_room=False).first()
    if table is None:
        raise Http404
    return table
