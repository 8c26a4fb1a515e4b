"""Pages for the examiners of a real table: who sits there, what to tick, handing in, settling, and the sheet."""

from typing import Any
from uuid import UUID

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.formats import time_format
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from exams import clock
from exams.audit.services import record
from exams.practical import cues, marking, sheet_pdf
from exams.practical.models import ExamTable, Settlement
from exams.practical.scoring import scenes
from exams.practical.ticking import ALARMS
from exams.records.models import Session
from exams.sittings.sitting import Stale
from training.people.access import allow
from training.people.models import Role, User
from training.people.request import about, language, person
from training.platform.errors import Refused, why_not
from training.platform.folded_text import alphabetical

EXAMINERS = (Role.INSTRUCTOR, Role.ADMINISTRATOR)
LARGEST = 2**53


@allow(*EXAMINERS)
@require_safe
def tables(request: HttpRequest, practical_id: UUID) -> HttpResponse:
    """The tables of a session, for whoever may examine in the programme."""
    session = get_object_or_404(Session.objects.select_related("programme_version"), pk=practical_id)
    found = ExamTable.objects.filter(candidate__session=session, in_room=True).select_related(
        "candidate__person", "candidate__session__programme_version", "settlement"
    )
    mine = [
        table
        for table in found.order_by(alphabetical("candidate__person__name"))
        if not _barred(person(request), table)
    ]
    if not mine:
        raise Http404
    rows = [(table, list(table.markings.select_related("examiner")), _settled(table)) for table in mine]
    return render(request, "practical/tables.html", {"session": session, "rows": rows})


@allow(*EXAMINERS)
@require_safe
@never_cache
def marking_page(request: HttpRequest, exam_table_id: UUID) -> HttpResponse:
    """What this examiner has to tick; before the exam, the button that begins it."""
    return _page(request, _open(request, exam_table_id))


def _page(request: HttpRequest, table: ExamTable, *, status: int = 200, **more: Any) -> HttpResponse:
    own = table.markings.filter(examiner=person(request)).first()
    book, part = table.book, marking.part_of(table)
    context: dict[str, Any] = {
        "table": table,
        "candidate": table.candidate,
        "marking": own,
        "both_in": marking.both_in(table),
        "settled": _settled(table),
    }
    if own:
        listed = cues.coups(scenes(table), book, language()) if own.handed_in_at is None else []
        alarms = cues.Item(ALARMS, "")
        conduct = [cues.Item(f"conduct.{at}", words) for at, words in enumerate(part.conduct_list)]
        given = {tick.key: tick for tick in own.ticks.all()}
        for item in (*cues.items(listed), alarms, *conduct):
            if found := given.get(item.key):
                item.value, item.sequence = found.value, found.sequence
        context |= {"coups": listed, "alarms": alarms, "conduct": conduct}
    return render(request, "practical/marking.html", context | more, status=status)


@allow(*EXAMINERS)
@require_POST
def begin(request: HttpRequest, exam_table_id: UUID) -> HttpResponse:
    table = _open(request, exam_table_id)
    try:
        marking.begin(table.pk, by=person(request), now=clock.now())
    except Refused as refusal:
        return _page(request, table, error=str(refusal), status=refusal.status)
    return redirect("practical_marking", table.pk)


@allow(*EXAMINERS)
@require_POST
@never_cache
def tick(request: HttpRequest, exam_table_id: UUID) -> HttpResponse:
    """One tick for the page's script; acknowledged only once stored."""
    table, given = _open(request, exam_table_id), request.POST
    value, sequence = _whole(given.get("value", "")), _whole(given.get("sequence", ""))
    if value is None or sequence is None:
        return JsonResponse({"problem": "answer", "text": _("A whole number is missing.")}, status=422)
    try:
        stored = marking.tick(table.pk, given.get("key", ""), value, sequence, by=person(request), now=clock.now())
    except Stale as stale:
        return JsonResponse({"problem": stale.code, "sequence": stale.sequence}, status=stale.status)
    except Refused as refusal:
        return JsonResponse({"problem": "refused", "text": str(refusal)}, status=refusal.status)
    saved_at = time_format(timezone.localtime(stored.saved_at), "H:i:s")
    return JsonResponse({"sequence": stored.sequence, "saved_at": saved_at})


@allow(*EXAMINERS)
@require_POST
def hand_in(request: HttpRequest, exam_table_id: UUID) -> HttpResponse:
    table = _open(request, exam_table_id)
    try:
        marking.hand_in(table.pk, by=person(request), now=clock.now())
    except Refused as refusal:
        return _page(request, table, error=str(refusal), status=refusal.status)
    messages.success(request, _("Handed in."))
    return redirect("practical_marking", table.pk)


@allow(*EXAMINERS)
@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def settle(request: HttpRequest, exam_table_id: UUID) -> HttpResponse:
    """What the two marked differently, and what shall count."""
    table, who = _open(request, exam_table_id), person(request)
    if not marking.both_in(table) or _settled(table):
        return redirect("practical_marking", table.pk)
    error, status = "", 200
    if request.method == "POST":
        chosen = {
            name.removeprefix("c."): value
            for name in request.POST
            if name.startswith("c.") and (value := _whole(request.POST.get(name, ""))) is not None
        }
        try:
            made = marking.settle(table.pk, chosen, by=who, reason=request.POST.get("reason", ""), now=clock.now())
        except Refused as refusal:
            error, status = str(refusal), refusal.status
        else:
            done = _("Settled. The exam is being graded.")
            messages.success(request, done if made else _("Proposed. It counts once the other examiner agrees."))
            return redirect("practical_marking", table.pk)
    return render(request, "practical/settle.html", _to_settle(request, table, error), status=status)


def _to_settle(request: HttpRequest, table: ExamTable, error: str) -> dict[str, Any]:
    part, who = marking.part_of(table), person(request)
    words = cues.labels(cues.coups(scenes(table), table.book, language()), marking.listed(table), part.conduct_list)
    last = table.proposals.exclude(by=who).order_by("-at", "-pk").first()
    pairs = marking.differences(table)
    return {
        "table": table,
        "candidate": table.candidate,
        "examiners": [one.examiner.name for one in table.markings.select_related("examiner").order_by("place")],
        "rows": [
            (key, words[key], pair, request.POST.get(f"c.{key}", ""), last.marked.get(key) if last else None)
            for key, pair in pairs.items()
        ],
        "is_third": not table.markings.filter(examiner=who).exists(),
        "reason": request.POST.get("reason", ""),
        "error": error,
    }


@allow(*EXAMINERS)
@require_safe
@never_cache
def sheet(request: HttpRequest, exam_table_id: UUID) -> HttpResponse:
    """The printed sheet: how to stack the shoe, and who says and does what. The log says who has opened it."""
    table = _open(request, exam_table_id)
    record(person(request), "practical.sheet_opened", f"candidate:{table.candidate_id}")
    made = sheet_pdf.made(table, language())
    headers = {"Content-Disposition": f'inline; filename="{table.pk}.pdf"'}
    return HttpResponse(made, content_type="application/pdf", headers=headers)


def _open(request: HttpRequest, exam_table_id: UUID) -> ExamTable:
    """The table, if this person may examine the candidate; others do not learn that it exists."""
    found = ExamTable.objects.filter(in_room=True).select_related(
        "candidate__person", "candidate__session__programme_version__programme", "settlement"
    )
    table = get_object_or_404(found, pk=exam_table_id)
    if _barred(person(request), table):
        raise Http404
    about(request, table.rulebook)
    return table


def _barred(who: User, table: ExamTable) -> bool:
    if table.candidate.session.state != Session.State.READY:
        return True
    return bool(why_not(marking.verify_may_mark, who, table))


def _settled(table: ExamTable) -> Settlement | None:
    return getattr(table, "settlement", None)


def _whole(given: str) -> int | None:
    number = int(given) if given.isascii() and given.isdigit() and len(given) <= 16 else -1
    return number if 0 <= number <= LARGEST else None
