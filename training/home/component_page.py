"""A page with every element of the pages in its states, for people who build them and for the tests that look at it."""

from typing import Any

from django import forms
from django.conf import settings
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_safe

from rules_engine import RULEBOOKS, Scenario, generate, topics
from training.people.access import public
from training.people.models import Role, User
from training.people.request import about, language
from training.practice import presentation
from training.practice.presentation import AskedQuestion

SEEDS = range(4)
SHOWN = next(iter(RULEBOOKS))


class SampleForm(forms.Form):
    """A field of every kind."""

    name = forms.CharField(label=_("Text"), help_text=_("What to enter, in one sentence."))
    number = forms.IntegerField(label=_("Number"), required=False)
    day = forms.DateField(label=_("Date"), required=False, widget=forms.DateInput(attrs={"type": "date"}))
    several = forms.CharField(label=_("Several lines"), required=False, widget=forms.Textarea(attrs={"rows": 2}))
    one = forms.ChoiceField(label=_("One of a list"), choices=[("a", _("First")), ("b", _("Second"))])
    pick = forms.ChoiceField(
        label=_("One of a few"), choices=[("a", _("First")), ("b", _("Second"))], widget=forms.RadioSelect
    )
    many = forms.MultipleChoiceField(
        label=_("Any of a few"), choices=[("a", _("First")), ("b", _("Second"))], widget=forms.CheckboxSelectMultiple
    )
    yes = forms.BooleanField(label=_("Yes or no"), required=False)


@public
@require_safe
def components(request: HttpRequest) -> HttpResponse:
    """Shown to everybody in the demo, elsewhere to administrators."""
    user = request.user
    if not settings.DEMO and not (isinstance(user, User) and Role.ADMINISTRATOR in user.roles):
        raise Http404
    about(request, SHOWN)
    scenario, questions = _questions()
    context: dict[str, Any] = {
        "forms": [SampleForm(prefix="empty", initial={"pick": "a"}), SampleForm({"wrong-number": "x"}, prefix="wrong")],
        "questions": questions,
        "story": presentation.story(scenario, language()),
        "levels": ("success", "info", "warning", "error"),
        "page": Paginator(range(30), 10).page(2),
        "colours": (
            "paper",
            "sheet",
            "sheet-2",
            "raised",
            "ink",
            "ink-2",
            "line",
            "edge",
            "accent",
            "good",
            "warn",
            "bad",
        ),
    }
    return render(request, "home/components.html", context)


def _questions() -> tuple[Scenario, list[AskedQuestion]]:
    """A case, and one question of every kind and layout that the first game asks."""
    book = SHOWN
    found: dict[tuple[str, str], AskedQuestion] = {}
    made = [generate(book, topic, seed, 2) for topic in topics(book) for seed in SEEDS]
    for scenario in made:
        for question in presentation.questions(scenario, language(), {}):
            found.setdefault((question.kind, question.layout), question)
    return made[0], list(found.values())
