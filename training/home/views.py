"""The home page."""

from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods, require_safe

from rules_engine import RULEBOOKS
from rules_engine.narration import topic_name
from training.classes import hooks as class_hooks
from training.classes.selectors import assignments_in, classes_of, study_in
from training.home import hooks, presentation, selectors, work_mail
from training.home.models import WorkMail
from training.home.worklist import STAFF, is_staff, waiting_for
from training.lessons import law_changes, welcome
from training.mastery.rules_to_learn import rules_in
from training.mastery.selectors import day_of, known_rules, remembered
from training.people import proxies
from training.people.access import allow, signed_in
from training.people.models import Role, User
from training.people.request import language, person
from training.practice import felts, instructor_remarks, rule_map
from training.practice.next_drill import PACE_DAYS, Today
from training.practice.study import study_of
from training.practice.views import day_context

LAST_RESULTS = 3


@signed_in
@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """The home page: today's practice for trainees, waiting work for staff, and links for everybody."""
    user = person(request)
    context = _trainee_home(user) if Role.TRAINEE in user.roles else {}
    if is_staff(user):
        context |= {"staff": True, "waiting": waiting_for(user, timezone.now())}
        context["writes"] = Role.INSTRUCTOR in user.roles
    if Role.ADMINISTRATOR in user.roles:
        context["everybody_is_one"] = proxies.everybody_is_one()
    return render(request, "home.html", context)


def _trainee_home(trainee: User) -> dict[str, Any]:
    now, classes = timezone.now(), classes_of(trainee)
    study = study_of(trainee, advised=map(study_in, classes))
    known = rules_in(RULEBOOKS)
    memories = remembered(trainee, RULEBOOKS, known)
    studied = [item for item in memories if item.rule.rulebook in study.rulebooks]
    planned = day_context(trainee, study, now, studied, known)
    today: Today = planned["today"]
    books = dict.fromkeys([*study.rulebooks, *(item.rule.rulebook for item in memories)])
    rules = known_rules(memories, books, now, known)
    days = selectors.last_days(today.days, day_of(trainee, now), PACE_DAYS)
    done = bool(planned["day"] and planned["day"].complete)
    remarks = instructor_remarks.unread(trainee) if planned["waits"].remarked else []
    return planned | {
        "study": study,
        "book": study.rulebooks[0],
        "felt": felts.picture(study.rulebooks[0]),
        "welcome": welcome.WelcomeForm() if not memories and welcome.is_new(trainee) else None,
        "ahead": hooks.exams_ahead(trainee, now, language()),
        "law_changed": law_changes.pointers(
            [*hooks.held_rulebooks(trainee), *books], {item.rule for item in memories}, language()
        ),
        "rhythm": presentation.rhythm(days, study.minutes, done=done),
        "set_work": [work for work in assignments_in(classes, trainee, now) if work.left],
        "set_tables": [table for table in class_hooks.tables_set(trainee, now) if not table.done] if classes else [],
        "remarks": [(one, topic_name(one.rulebook, one.topic, language())) for one in remarks],
        "progress": rule_map.progress(rules, language()),
        "weak_spots": selectors.weak_spots(rules, language()),
        "plot": presentation.plot(days),
        "latest": [(one, topic_name(one.rulebook, one.topic, language())) for one in planned["recent"][:LAST_RESULTS]],
    }


class WorkMailForm(forms.Form):
    how = forms.ChoiceField(
        label=gettext_lazy("E-mails about what is waiting for me"),
        choices=[(work_mail.NEVER, gettext_lazy("never")), *WorkMail.How.choices],
    )
    hour = forms.TypedChoiceField(
        label=gettext_lazy("At what hour"),
        coerce=int,
        choices=[(hour, f"{hour} h") for hour in range(24)],
        help_text=gettext_lazy("For the daily e-mail; on days when nothing is waiting there is none."),
    )


@allow(*STAFF)
@require_http_methods(["GET", "HEAD", "POST"])
def work_mail_page(request: HttpRequest) -> HttpResponse:
    """Settings for mails about waiting work."""
    user = person(request)
    asked = WorkMail.objects.filter(person=user).first()
    initial = {"how": asked.how if asked else work_mail.NEVER, "hour": asked.hour if asked else 8}
    form = WorkMailForm(request.POST if request.method == "POST" else None, initial=initial)
    if form.is_valid():
        work_mail.ask(user, form.cleaned_data["how"], form.cleaned_data["hour"], timezone.now())
        messages.success(request, _("Saved."))
        return redirect("home")
    context = {"form": form, "address": user.email}
    return render(request, "home/work_mail.html", context, status=422 if form.is_bound else 200)
