"""Pages everybody has, and those a trainee practises from."""

from typing import Any

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from rules_engine import RULEBOOKS
from rules_engine.words import text
from training.classes.selectors import assignments_of
from training.home import presentation, selectors
from training.home.forms import PracticeForm, StudyForm
from training.home.study import study_of
from training.mastery.models import StudyPlan
from training.mastery.selectors import rules as rules_of
from training.mastery.services import set_study_plan
from training.people.access import allow, signed_in
from training.people.models import Role, User
from training.practice import choosing
from training.practice import selectors as practice_selectors
from training.practice.models import Drill

PLOT_DAYS = 30
PAGE = 25


@signed_in
@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """What to do today for a trainee; for everybody, where they can go."""
    user = person(request)
    return render(request, "home.html", _trainee_home(user) if Role.TRAINEE in user.roles else {})


def _trainee_home(trainee: User) -> dict[str, Any]:
    now, study = timezone.now(), study_of(trainee)
    rules = rules_of(trainee, study.rulebooks, now)
    return {
        "study": study,
        "today": choosing.today(trainee, study, now),
        "set_work": [work for work in assignments_of(trainee, now) if work.left],
        "progress": selectors.progress(rules, language()),
        "weak_spots": selectors.weak_spots(rules, language()),
        "plot": presentation.plot(selectors.last_days(trainee, now, PLOT_DAYS)),
        "unanswered": practice_selectors.unanswered(trainee),
        "mistakes": len(choosing.mistakes(trainee)),
        "latest": practice_selectors.latest(trainee, language()),
    }


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
        return redirect("drill", choosing.start_what_matters(trainee, study_of(trainee), timezone.now()).pk)
    if mode == Drill.Mode.REPLAY:
        drill = choosing.start_replay(trainee)
        if drill is None:
            messages.success(request, _("No mistake is left to replay."))
            return redirect("practice")
        return redirect("drill", drill.pk)
    form = PracticeForm(request.POST, language=language())
    if not form.is_valid():
        return _practice_page(request, form, status=422)
    rulebook, _slash, topic = form.cleaned_data["topic"].partition("/")
    drill = choosing.start_free(trainee, rulebook=rulebook, topic=topic, difficulty=form.cleaned_data["difficulty"])
    return redirect("drill", drill.pk)


def _practice_page(request: HttpRequest, form: PracticeForm, *, status: int = 200) -> HttpResponse:
    trainee = person(request)
    context = {
        "form": form,
        "today": choosing.today(trainee, study_of(trainee), timezone.now()),
        "mistakes": len(choosing.mistakes(trainee)),
        "unanswered": practice_selectors.unanswered(trainee),
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
        "books": [(id, text(f"rulebook.{id}", language())) for id in RULEBOOKS],
        "progress": selectors.progress(known, language())[0],
        "topics": presentation.topic_maps(known, language()),
    }
    return render(request, "mastery/rules.html", context)


@allow(Role.TRAINEE)
@require_safe
def history(request: HttpRequest) -> HttpResponse:
    """Every answer of one's own, each leading to its scenario as it was."""
    trainee, subject = person(request), request.GET.get("topic", "")
    subjects = selectors.practised(trainee, language())
    subject = subject if subject in dict(subjects) else ""
    page = Paginator(selectors.history(trainee, subject), PAGE).get_page(request.GET.get("page"))
    rows = [(attempt, text(f"topic.{attempt.drill.topic}", language())) for attempt in page]
    context = {
        "page": page,
        "rows": rows,
        "subjects": subjects,
        "subject": subject,
        "query": f"topic={subject}" if subject else "",
    }
    return render(request, "mastery/history.html", context)


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
    return render(request, "mastery/study.html", {"form": form}, status=422 if form.errors else 200)


def person(request: HttpRequest) -> User:
    assert request.user.is_authenticated  # noqa: S101 (the access declaration saw to it)
    return request.user


def language() -> str:
    return get_language() or "en"
