"""The first questions to a new trainee: which games they deal, how much time they have, whether to test them first."""

from dataclasses import dataclass
from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from django.views.decorators.http import require_http_methods, require_POST

from rules_engine.narration import book_name, books_by_game
from training.lessons import placement
from training.mastery.models import StudyPlan
from training.mastery.services import set_study_plan
from training.people.access import allow
from training.people.models import Role, User
from training.people.request import language, person
from training.practice import felts, hooks
from training.practice.models import Drill
from training.practice.next_drill import DEFAULT_MINUTES
from training.practice.study import study_of

MINUTES = (5, 10, 20, 30)


@dataclass(frozen=True)
class Tile:
    """How a rulebook is offered: the game as it calls it, where it is in force, and a picture of its cloth."""

    title: str
    where: str
    picture: str


class Tiles(forms.CheckboxSelectMultiple):
    """A tile for every rulebook, small enough for all of them to fit on a phone."""

    def render(self, name: str, value: Any, attrs: dict[str, Any] | None = None, renderer: Any = None) -> SafeString:
        context = self.get_context(name, value, attrs)
        options = [option for _group, listed, _index in context["widget"]["optgroups"] for option in listed]
        context["tiles"] = [(option, _tile(str(option["value"]), str(option["label"]))) for option in options]
        return render_to_string("lessons/tiles.html", context)


def _tile(book: str, name: str) -> Tile:
    """The name of a rulebook is “where · game”."""
    where, dot, title = name.partition(" · ")
    return Tile(title[:1].upper() + title[1:] if dot else name, where if dot else "", felts.picture(book))


class WelcomeForm(forms.Form):
    rulebooks = forms.MultipleChoiceField(
        label=gettext_lazy("Which games do you deal?"),
        widget=Tiles,
        error_messages={"required": gettext_lazy("Choose at least one game.")},
    )
    daily_minutes = forms.TypedChoiceField(
        label=gettext_lazy("How much time a day?"),
        coerce=int,
        choices=[(minutes, gettext_lazy("%d min") % minutes) for minutes in MINUTES],
        widget=forms.RadioSelect,
    )
    placement = forms.BooleanField(
        label=gettext_lazy("I already deal: test what I know first"),
        required=False,
        help_text=gettext_lazy("About five cases per game. It counts for nothing; it only skips what you know."),
    )

    def __init__(self, data: Any = None) -> None:
        super().__init__(data, initial={"daily_minutes": DEFAULT_MINUTES})
        self.fields["rulebooks"].choices = books_by_game(language())  # type: ignore[attr-defined]


def is_new(trainee: User) -> bool:
    """Whether nobody has chosen yet what this trainee studies: neither they nor a class, and they answered nothing."""
    if StudyPlan.objects.filter(trainee=trainee).exists() or any(hooks.study_advice(trainee)):
        return False
    return not Drill.objects.filter(trainee=trainee).exists()


@allow(Role.TRAINEE)
@require_http_methods(["GET", "HEAD", "POST"])
def welcome(request: HttpRequest) -> HttpResponse:
    """Choose games and minutes, then start the placement test or the guided first coup."""
    form = WelcomeForm(request.POST if request.method == "POST" else None)
    if not form.is_valid():
        return render(request, "lessons/welcome_page.html", {"form": form}, status=422 if form.is_bound else 200)
    books = form.cleaned_data["rulebooks"]
    set_study_plan(person(request), daily_minutes=form.cleaned_data["daily_minutes"], rulebooks=books)
    return go_on_with_placement(request) if form.cleaned_data["placement"] else redirect("first_coup", books[0])


@allow(Role.TRAINEE)
@require_POST
def go_on_with_placement(request: HttpRequest) -> HttpResponse:
    """Start the next case of the placement test; after the last one, skip what is known and go home."""
    trainee = person(request)
    books = study_of(trainee).rulebooks
    if drill := placement.next_case(trainee, books):
        return redirect("drill", drill.pk)
    for placed in placement.skip_known(trainee, books, timezone.now()):
        messages.success(request, _told(placed))
    return redirect("home")


def _told(placed: placement.Placed) -> str:
    named = {"book": book_name(placed.rulebook, language()), "skipped": placed.skipped, "of": placed.of}
    if not placed.skipped:
        return _("%(book)s: practice starts from the beginning.") % named
    return (
        ngettext(
            "%(book)s: practice skips %(skipped)d of %(of)d topic; its rules come back later for a check.",
            "%(book)s: practice skips %(skipped)d of %(of)d topics; their rules come back later for a check.",
            placed.skipped,
        )
        % named
    )
