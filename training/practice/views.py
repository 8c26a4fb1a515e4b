"""The pages a trainee practises from: what to do next, the map of the rules, the history, the study plan."""

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from rules_engine import RULEBOOKS
from rules_engine.narration import books_by_game, topic_name
from training.mastery.models import StudyPlan
from training.mastery.selectors import rules as rules_of
from training.mastery.services import set_study_plan
from training.people.access import allow
from training.people.models import Role
from training.people.request import language, person
from training.practice import next_drill, rule_map, selectors
from training.practice.forms import PracticeForm, StudyForm
from training.practice.models import Drill
from training.practice.study import study_of

PAGE = 25


@allow(Role.TRAINEE)
@require_safe
def practice(request: HttpRequest) -> HttpResponse:
    return _practice_page(request, PracticeForm(language=language()))


@allow(Role.TRAINEE)
@require_POST
def start(request: HttpRequest) -> HttpResponse:
    """The next scenario: the one that matters now, the like of one missed, or of the topic asked for."""
    trainee, mode = person(request), request.POST.get("mode")
    if mode == Drill.Mode.SCHEDULED:
        return redirect("drill", next_drill.start_what_matters(trainee, study_of(trainee), timezone.now()).pk)
    if mode == Drill.Mode.REPLAY:
        drill = next_drill.start_replay(trainee)
        if drill is None:
            messages.success(request, _("No mistake is left to replay."))
            return redirect("practice")
        return redirect("drill", drill.pk)
    form = PracticeForm(request.POST, language=language())
    if not form.is_valid():
        return _practice_page(request, form, status=422)
    rulebook, _slash, topic = form.cleaned_data["topic"].partition("/")
    drill = next_drill.start_free(trainee, rulebook=rulebook, topic=topic, difficulty=form.cleaned_data["difficulty"])
    return redirect("drill", drill.pk)


def _practice_page(request: HttpRequest, form: PracticeForm, *, status: int = 200) -> HttpResponse:
    trainee = person(request)
    context = {
        "form": form,
        "today": next_drill.today(trainee, study_of(trainee), timezone.now()),
        "mistakes": len(next_drill.mistakes(trainee)),
        "unanswered": selectors.unanswered(trainee),
    }
    return render(request, "practice/practice.html", context, status=status)


@allow(Role.TRAINEE)
@require_safe
def rules(request: HttpRequest) -> HttpResponse:
    """The map of the rules of one rulebook, with how likely each is still known tomorrow."""
    trainee = person(request)
    asked = request.GET.get("rulebook", "")
    book = asked if asked in RULEBOOKS else study_of(trainee).rulebooks[0]
    known = rules_of(trainee, [book], timezone.now())
    context = {
        "book": book,
        "games": books_by_game(language()),
        "progress": rule_map.progress(known, language())[0],
        "topics": rule_map.topic_maps(known, language()),
    }
    return render(request, "practice/rules.html", context)


@allow(Role.TRAINEE)
@require_safe
def history(request: HttpRequest) -> HttpResponse:
    """Every answer of one's own, each leading to its scenario as it was."""
    trainee, subject = person(request), request.GET.get("topic", "")
    subjects = selectors.practised(trainee, language())
    known = {value for _book, options in subjects for value, _name in options}
    subject = subject if subject in known else ""
    page = Paginator(selectors.history(trainee, subject), PAGE).get_page(request.GET.get("page"))
    rows = [(attempt, topic_name(attempt.drill.rulebook, attempt.drill.topic, language())) for attempt in page]
    context = {
        "page": page,
        "rows": rows,
        "subjects": subjects,
        "subject": subject,
        "query": f"topic={subject}" if subject else "",
    }
    return render(request, "practice/history.html", context)


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
        messages.success(request, _("Your study plan is kept."))
        return redirect("study")
    return render(request, "practice/study.html", {"form": form}, status=422 if form.errors else 200)
