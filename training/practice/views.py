"""Pages for trainees: what to practise next, the history, the study plan, reminders."""

from collections.abc import Sequence
from datetime import datetime
from itertools import groupby
from typing import Any

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from rules_engine import RULEBOOKS
from rules_engine.narration import book_name, topic_name
from training.house import tables
from training.mastery.memory import Remembered
from training.mastery.models import StudyPlan
from training.mastery.rules_to_learn import RulesIn, rules_in
from training.mastery.selectors import begin_of_day, day_of
from training.mastery.services import set_study_plan
from training.people.access import allow, public
from training.people.models import Role, User
from training.people.request import about, language, person
from training.practice import day, hooks, next_drill, reminders, selectors, summary
from training.practice.forms import PracticeForm, StudyForm, TablesForm
from training.practice.models import Drill, Reminder
from training.practice.new_words import needs_card
from training.practice.next_drill import Study, Today
from training.practice.study import study_of

PAGE = 25
HOURS = [str(hour) for hour in range(24)]


@allow(Role.TRAINEE)
@require_safe
def practice(request: HttpRequest) -> HttpResponse:
    return _practice_page(request, PracticeForm(language=language()))


@allow(Role.TRAINEE)
@require_POST
def start(request: HttpRequest) -> HttpResponse:
    """Start the next drill: the most important rule now, a replay of a mistake, or the chosen topic."""
    trainee, mode = person(request), request.POST.get("mode")
    if mode == Drill.Mode.SCHEDULED:
        if day.finish(trainee, timezone.now()):
            return redirect("day")
        drill = next_drill.start_what_matters(trainee, study_of(trainee), timezone.now())
        return redirect("rule_card" if needs_card(drill) else "drill", drill.pk)
    if mode == Drill.Mode.REPLAY:
        again = next_drill.start_replay(trainee)
        if again is None:
            messages.success(request, _("There are no mistakes left to go over."))
            return redirect("practice")
        return redirect("drill", again.pk)
    form = PracticeForm(request.POST, language=language())
    if not form.is_valid():
        return _practice_page(request, form, status=422)
    rulebook, _slash, topic = form.cleaned_data["topic"].partition("/")
    drill = next_drill.start_free(trainee, rulebook=rulebook, topic=topic, difficulty=form.cleaned_data["difficulty"])
    return redirect("drill", drill.pk)


def _practice_page(request: HttpRequest, form: PracticeForm, *, status: int = 200) -> HttpResponse:
    trainee = person(request)
    study = study_of(trainee)
    context = day_context(trainee, study, timezone.now()) | {"form": form, "book": study.rulebooks[0]}
    return render(request, "practice/practice.html", context, status=status)


def day_context(
    trainee: User,
    study: Study,
    now: datetime,
    memories: Sequence[Remembered] | None = None,
    known: RulesIn | None = None,
) -> dict[str, Any]:
    """Template context for the card of the day.

    `memories`: of the rulebooks studied, and `known`: the rules of all rulebooks, if they have been read.
    """
    plan, recent = next_drill.plan_of_today(trainee, study, now), selectors.recent(trainee)
    known = known or rules_in(RULEBOOKS)
    return {
        "today": next_drill.today(trainee, study, now, memories, known),
        "day": day.progress(plan) if plan else None,
        "recent": recent,
        "mistakes": len(next_drill.mistakes(recent, known)),
        "waits": selectors.waiting(trainee),
    }


@allow(Role.TRAINEE)
@require_safe
def day_page(request: HttpRequest) -> HttpResponse:
    """The summary of the day so far."""
    trainee, now = person(request), timezone.now()
    study = study_of(trainee)
    about(request, *study.rulebooks)
    context = day_context(trainee, study, now)
    planned: Today = context["today"]
    told = summary.summary(trainee, now, language())
    context |= {
        "summary": told,
        "effect": hooks.effect_on_readiness(trainee, begin_of_day(trainee, now), now, language()),
        "days": summary.streak([one.day for one in planned.days if one.answers], day_of(trainee, now)),
        "minutes_tomorrow": summary.minutes(told.rules_back * planned.pace),
    }
    return render(request, "practice/day.html", context)


def _named(drill: Drill) -> tuple[str, str]:
    """The names of a drill's topic and rulebook."""
    return topic_name(drill.rulebook, drill.topic, language()), book_name(drill.rulebook, language())


@allow(Role.TRAINEE)
@require_safe
def history(request: HttpRequest) -> HttpResponse:
    """All answers of the trainee, with links to their drills."""
    trainee, subject = person(request), request.GET.get("topic", "")
    subjects = selectors.practised(trainee, language())
    known = {value for _book, options in subjects for value, _name in options}
    subject = subject if subject in known else ""
    kept = "favourites" in request.GET
    page = Paginator(selectors.history(trainee, subject, favourites=kept), PAGE).get_page(request.GET.get("page"))
    rows = [(attempt, *_named(attempt.drill)) for attempt in page]
    days = groupby(rows, key=lambda row: timezone.localdate(row[0].submitted_at))
    context = {
        "page": page,
        "days": [(day, list(answers)) for day, answers in days],
        "favourites": kept,
        "subjects": subjects,
        "subject": subject,
        "query": "&".join([*([f"topic={subject}"] if subject else []), *(["favourites"] if kept else [])]),
    }
    return render(request, "practice/history.html", context)


@allow(Role.TRAINEE)
@require_POST
def set_reminder(request: HttpRequest) -> HttpResponse:
    """Set the hour of the daily reminder; empty turns it off."""
    hour = request.POST.get("hour", "")
    if hour and hour not in HOURS:
        return redirect("study")
    reminders.ask(person(request), int(hour) if hour else None)
    told = _("You will be reminded at %(hour)s:00 on days with something due.") % {"hour": hour}
    messages.success(request, told if hour else _("You will not be reminded any more."))
    return redirect("study")


@public
@csrf_exempt  # mail programs post here directly (RFC 8058); the signed token authorizes it
@require_http_methods(["GET", "HEAD", "POST"])
def stop_reminders(request: HttpRequest, token: str) -> HttpResponse:
    """Unsubscribe from reminders without signing in. Only POST does it, because mail scanners follow links."""
    trainee = reminders.whose(token)
    if trainee is None:
        raise Http404
    if request.method == "POST":
        reminders.ask(trainee, None)
    return render(request, "practice/reminders_stopped.html", {"stopped": request.method == "POST"})


@allow(Role.TRAINEE)
@require_http_methods(["GET", "HEAD", "POST"])
def study(request: HttpRequest) -> HttpResponse:
    """The trainee's own minutes and rulebooks."""
    trainee = person(request)
    plan = StudyPlan.objects.filter(trainee=trainee).first() or StudyPlan(trainee=trainee)
    form = StudyForm(
        request.POST if request.method == "POST" else None, plan=plan, study=study_of(trainee), language=language()
    )
    if form.is_valid():
        set_study_plan(trainee, **form.cleaned_data)
        messages.success(request, _("Your study plan has been saved."))
        return redirect("study")
    asked = Reminder.objects.filter(trainee=trainee).values_list("hour", flat=True).first()
    own = TablesForm(trainee=trainee, study=study_of(trainee), language=language())
    context = {
        "form": form,
        "tables": own,
        "hours": [(hour, hour == str(asked)) for hour in HOURS],
        "address": trainee.email,
    }
    return render(request, "practice/study.html", context, status=422 if form.errors else 200)


@allow(Role.TRAINEE)
@require_POST
def choose_tables(request: HttpRequest) -> HttpResponse:
    """The tables at which the trainee practises."""
    trainee = person(request)
    form = TablesForm(request.POST, trainee=trainee, study=study_of(trainee), language=language())
    if form.is_valid():
        for book, key in form.cleaned_data.items():
            tables.choose(trainee.pk, book, key)
        messages.success(request, _("Saved: new cases are dealt at this table."))
    else:
        messages.error(request, _("The house does not use this table any more. Choose another one."))
    return redirect("study")
