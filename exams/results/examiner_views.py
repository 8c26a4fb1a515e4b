"""The results of a session, for those who may examine in its programme and for auditors."""

from typing import Any
from uuid import UUID

from django import forms
from django.contrib import messages
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from exams import clock
from exams.invigilation.acts import identity_of
from exams.invigilation.alerts import logs
from exams.papers.exam_bank import is_closed_to
from exams.programmes.models import ProgrammeVersion
from exams.records import names
from exams.records.models import Session
from exams.results import annulment, hooks, selectors, services
from exams.results.held_scores import secret_in, secret_sittings
from exams.results.history import history
from exams.results.models import Result
from exams.results.paper import item_context, judges_now, marked_paper
from exams.results.selectors import CandidateRow
from exams.results.words import summarise
from training.people.access import allow
from training.people.models import Role, User
from training.people.request import about, by_htmx, language, person
from training.platform.errors import Refused, why_not

PAGE = 50


@allow(Role.INSTRUCTOR, Role.ADMINISTRATOR, readers=[Role.AUDITOR])
@require_safe
def session_results(request: HttpRequest, session_id: UUID) -> HttpResponse:
    """Everybody in a session: grading progress, scores, decisions, releases."""
    session, who = _session(request, session_id), person(request)
    page = Paginator(selectors.candidates_of(session, who), PAGE).get_page(request.GET.get("page"))
    rules = session.programme_version.rules
    lines = selectors.lines(list(page))
    held = secret_in(session)  # of all pages, because the counts cover all of them
    context = {
        "session": session,
        "programme": session.programme_version.name(language()),
        "rules": rules,
        "counts": selectors.counts(session, who),
        "page": page,
        "rows": [_row(line, held) for line in lines],
        "held": bool(held),
        "examiner_decides": rules.decision == "by_examiner",
        "to_confirm": annulment.seen_by(who).filter(sitting__candidate__session=session, decided_at=None).count(),
    }
    template = "results/session_lines.html" if by_htmx(request) else "results/session.html"
    return render(request, template, context)


def _row(line: CandidateRow, held: set[UUID]) -> dict[str, Any]:
    kept = line.result is not None and line.result.sitting_id in held
    return {
        "kept": kept,
        "line": line,
        "name": line.candidate.person.name,
        "progress": line.progress.value,
        "told": summarise(line.result, language()) if line.result and not kept else None,
    }


@allow(Role.INSTRUCTOR, Role.ADMINISTRATOR)
@require_POST
def release_results(request: HttpRequest, session_id: UUID) -> HttpResponse:
    session = _session(request, session_id)
    count = services.release_all(session, person(request))
    message = ngettext("%(count)d result has been released.", "%(count)d results have been released.", count)
    messages.success(request, message % {"count": count})
    return redirect("session_results", session.pk)


@allow(Role.INSTRUCTOR, Role.ADMINISTRATOR)
@require_POST
def release_result(request: HttpRequest, result_id: UUID) -> HttpResponse:
    result = _result(request, result_id)
    try:
        services.release_result(result.pk, person(request))
        messages.success(
            request, _("%(name)s can now see the result.") % {"name": result.sitting.candidate.person.name}
        )
    except Refused as refusal:
        messages.error(request, str(refusal))
    return redirect("session_results", result.sitting.candidate.session_id)


@allow(Role.INSTRUCTOR, Role.ADMINISTRATOR)
@require_POST
def grade_again(request: HttpRequest, session_id: UUID) -> HttpResponse:
    session = _session(request, session_id)
    count = services.grade_set_aside(session, person(request))
    message = ngettext("%(count)d exam is being graded again.", "%(count)d exams are being graded again.", count)
    messages.success(request, message % {"count": count})
    return redirect("session_results", session.pk)


class DecisionForm(forms.Form):
    decision = forms.ChoiceField(
        label=gettext_lazy("Decision"),
        choices=[("passed", gettext_lazy("passed")), ("failed", gettext_lazy("not passed"))],
        widget=forms.RadioSelect,
    )
    reason = forms.CharField(
        label=gettext_lazy("Reason"),
        help_text=gettext_lazy("Required if you decide against the rule. The candidate reads it."),
        required=False,
        max_length=2000,
        widget=forms.Textarea(attrs={"rows": 4}),
    )


@allow(Role.INSTRUCTOR, Role.ADMINISTRATOR, readers=[Role.AUDITOR])
@require_http_methods(["GET", "HEAD", "POST"])
def decide_result(request: HttpRequest, result_id: UUID) -> HttpResponse:
    """One candidate's result with the marked paper and incidents, and the form to decide while it is pending."""
    result, who = _result(request, result_id), person(request)
    form, partial = DecisionForm(request.POST or None), _why_not_judge(who, result)
    refusal = partial
    try:
        if request.method == "POST":
            services.verify_decide(who, result)
        if request.method == "POST" and form.is_valid():
            passed = form.cleaned_data["decision"] == "passed"
            services.decide_result(result.pk, who, passed=passed, reason=form.cleaned_data["reason"])
            messages.success(request, _("The decision has been recorded."))
            return redirect("session_results", result.sitting.candidate.session_id)
    except Refused as refused:
        refusal = str(refused)
    waits = result.decided_at is None and result.in_force and not partial and not who.only_reads
    not_yet = _why_not_yet(who, result) if waits else ""
    context = _in_sight(result, who, impartial=not partial) | {
        "form": form,
        "refusal": refusal,
        "waits": waits,
        "not_yet": not_yet,
    }
    return render(request, "results/decide.html", context, status=422 if request.method == "POST" else 200)


def _in_sight(result: Result, who: User, *, impartial: bool) -> dict[str, Any]:
    """What a decision is based on. The items stay hidden while others may still get them."""
    sitting, now = result.sitting, clock.now()
    kept = bool(secret_sittings([result]))
    shown = not kept and selectors.items_shown(sitting.candidate.session_id, now)
    return {
        "result": result,
        "kept": kept,
        "told": None if kept else summarise(result, language()),
        "candidate": sitting.candidate.person,
        "session": sitting.candidate.session,
        "sitting": sitting,
        "identity": identity_of(sitting.pk),
        "printed": names.printed(sitting.candidate),
        "impartial": impartial,
        "items_shown": shown,
        "paper": marked_paper(result, who, language()) if impartial and shown else [],
        "incidents": selectors.incidents(sitting) if impartial else [],
        "left": logs(sitting.events.all())[sitting.pk].count,
        "history": history(sitting, language(), released_only=kept),
        "successor": None if result.in_force else Result.objects.filter(sitting=sitting, in_force=True).first(),
        "appeal_until": selectors.appeal_deadline(result, now),
        "appeal_days": result.programme_version.rules.appeal_days,
        "certificate": hooks.certificate_of(sitting.pk),
        "annulment_asked": sitting.annulments.filter(decided_at=None).exists(),
        "may_annul": annulment.may_ask(sitting, who),
    }


def _why_not_judge(who: User, result: Result) -> str:
    """Why this person may not judge the candidate and therefore not see the paper, or "". Auditors judge nobody."""
    if who.only_reads:
        return ""
    return why_not(services.verify_judge, who, result.sitting.candidate, result.programme_version)


def _why_not_yet(who: User, result: Result) -> str:
    """What the decision must wait for, or ""."""
    try:
        services.verify_decide(who, result)
    except services.NotYet as refusal:
        return str(refusal)
    except Refused:
        return ""
    return ""


@allow(Role.INSTRUCTOR, Role.ADMINISTRATOR, readers=[Role.AUDITOR])
@require_safe
def examined_item(request: HttpRequest, result_id: UUID, position: int) -> HttpResponse:
    """One item of a marked paper with its table, for those who may judge the candidate."""
    result = _result(request, result_id)
    shown = selectors.items_shown(result.sitting.candidate.session_id, clock.now())
    if not shown or secret_sittings([result]) or _why_not_judge(person(request), result):
        raise Http404

    def address(position: int) -> str:
        return reverse("examined_item", args=[result_id, position])

    context = item_context(result, position, language(), address)
    if is_closed_to(person(request), context["item"], judges=judges_now(person(request), result)):
        raise Http404
    back = {"back": reverse("decide_result", args=[result_id]), "back_to": result.sitting.candidate.person.name}
    return render(request, "results/item.html", context | back | {"theirs": True})


def _session(request: HttpRequest, session_id: UUID) -> Session:
    found = get_object_or_404(Session.objects.select_related("programme_version__programme"), pk=session_id)
    if not _may_see(person(request), found.programme_version):
        raise Http404
    return found


def _may_see(who: User, version: ProgrammeVersion) -> bool:
    return who.only_reads or services.may_examine(who, version)


def _result(request: HttpRequest, result_id: UUID) -> Result:
    """Somebody else's result, even if it was replaced, in a programme where the user may examine. Raises Http404."""
    found = Result.objects.select_related(
        "programme_version__programme", "sitting__candidate__session", "sitting__candidate__person"
    )
    result = found.filter(pk=result_id).exclude(sitting__candidate__person=person(request)).first()
    if result is None or not _may_see(person(request), result.programme_version):
        raise Http404
    about(request, *result.programme_version.rules.rulebooks)
    return result
