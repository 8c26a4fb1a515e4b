"""The pages of the instructor's desk: statistics of items, and flags."""

from dataclasses import dataclass
from typing import Any

from django import forms
from django.contrib import messages
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods, require_safe

from rules_engine import RULEBOOKS, rulebook
from rules_engine.errors import EngineError, UnknownName
from rules_engine.narration import ask, book_name, books_by_game, topic_name
from training.desk import services
from training.figures import items as item_keys
from training.figures import selectors as figures
from training.figures.selectors import ItemFigures
from training.library.author_texts import title
from training.library.models import Version
from training.library.moments import Moment, count, moment
from training.people.access import allow
from training.people.models import Role
from training.people.request import about, language
from training.practice import fresh
from training.practice.feedback import feedback
from training.practice.models import Flag
from training.practice.presentation import story

PER_PAGE = 50
EXAMPLES = "5"
MOST_SLOTS = 6  # of a sentence
SORTS = {
    "-answers": gettext_lazy("most answered"),
    "facility": gettext_lazy("hardest"),
    "-facility": gettext_lazy("easiest"),
    "-time": gettext_lazy("slowest"),
}


@dataclass(frozen=True)
class NamedItem:
    name: str
    detail: str
    address: str  # of the case or, for generated ones, of similar cases
    figures: ItemFigures
    wrong: list[tuple[str, str, int]]


@allow(Role.INSTRUCTOR)
@require_safe
def items(request: HttpRequest) -> HttpResponse:
    """Statistics of items: facility, discrimination, time, and wrong answers."""
    sort = request.GET.get("sort", "-answers")
    rulebook = request.GET.get("rulebook", "")
    sort, rulebook = (sort if sort in SORTS else "-answers"), (rulebook if rulebook in RULEBOOKS else "")
    of_book = Version.objects.filter(rulebook=rulebook).only("pk", "moments") if rulebook else []
    keys = [item_keys.version_key(one.pk, number) for one in of_book for number in range(1, count(one) + 1)]
    found = figures.items(rulebook=rulebook, versions=keys, sort=sort)
    page = Paginator(found, PER_PAGE).get_page(request.GET.get("page"))
    shown = figures.figures_of(list(page))
    versions = Version.objects.in_bulk([pk for row in shown if (pk := item_keys.version_of(row.item)) is not None])
    about(request, *(_book_of(row, versions) for row in shown if row.wrong))
    spoken = language()
    context = {
        "page": page,
        "rows": _named(shown, versions, spoken),
        "enough": figures.ENOUGH,
        "sorts": SORTS.items(),
        "sort": sort,
        "rulebook": rulebook,
        "games": books_by_game(spoken),
        "open_flags": Flag.objects.filter(settled_at=None).count(),
    }
    return render(request, "desk/items.html", context)


def _book_of(row: ItemFigures, versions: dict[int, Version]) -> str:
    version = versions.get(item_keys.version_of(row.item) or 0)
    return version.rulebook if version else item_keys.kind_of(row.item)[0]


def _named(rows: list[ItemFigures], versions: dict[int, Version], spoken: str) -> list[NamedItem]:
    """Items with their names: the title of a version, or the topic and level of generated scenarios."""
    named = []
    for row in rows:
        version = versions.get(item_keys.version_of(row.item) or 0)
        if version:
            named.append(_named_version(row, version, spoken))
            continue
        book, topic, level = item_keys.kind_of(row.item)
        detail = f"{book_name(book, spoken)} · " + _("level %(level)s") % {"level": level}
        query = urlencode({"topic": f"{book}/{topic}", "difficulty": str(level), "count": EXAMPLES})
        address = f"{reverse('generate_scenarios')}?{query}"
        named.append(NamedItem(topic_name(book, topic, spoken), detail, address, row, _wrong(row, book, spoken)))
    return named


def _named_version(row: ItemFigures, version: Version, spoken: str) -> NamedItem:
    """A version with its title and, for a story, the number of the moment."""
    address, detail = reverse("version", args=[version.pk]), book_name(version.rulebook, spoken)
    told = moment(version, item_keys.moment_of(row.item))
    if count(version) > 1:
        detail += " · " + _("moment %(number)d") % {"number": told.number}
    return NamedItem(title(version, spoken), detail, address, row, _wrong(row, version.rulebook, spoken, told))


def _wrong(row: ItemFigures, book: str, spoken: str, told: Moment | None = None) -> list[tuple[str, str, int]]:
    """The missed questions, the wrong answers and how often they were given. Options are shown by name."""
    return [
        (_asked(wrong.question, book, spoken, told), _given(wrong.question, wrong.given, book, spoken), wrong.times)
        for wrong in row.wrong
    ]


def _asked(key: str, book: str, spoken: str, told: Moment | None) -> str:
    """The text of a question; for generated cases, with … in place of values from the table."""
    try:
        if told:
            scenario = told.scenario
            return ask(key, scenario.situation, scenario.book, spoken)
    except EngineError:
        pass  # written for an earlier engine: treat it like a generated one
    name, _dot, ref = key.partition(".")
    own = f"question.{name}_{ref}"  # the announcement again, in a foreign language
    id = own if rulebook(book).game.words.has(own) else f"question.{name}"
    left_open: dict[str, str] = {}
    for _slot in range(MOST_SLOTS):
        try:
            return rulebook(book).text(id, spoken, **left_open)
        except UnknownName:
            break
        except KeyError as missing:
            left_open[str(missing.args[0])] = "…"
    return ""


def _given(question: str, given: str, book: str, spoken: str) -> str:
    if not given:
        return _("no answer")
    try:
        return rulebook(book).text(f"option.{question.partition('.')[0]}.{given}", spoken)
    except UnknownName:
        return given


@allow(Role.INSTRUCTOR)
@require_safe
def flags(request: HttpRequest) -> HttpResponse:
    """The open flags, oldest first."""
    open_flags = Flag.objects.filter(settled_at=None).select_related("drill__trainee").order_by("raised_at")
    page = Paginator(open_flags, PER_PAGE).get_page(request.GET.get("page"))
    spoken = language()
    rows = [(flag, topic_name(flag.drill.rulebook, flag.drill.topic, spoken)) for flag in page]
    return render(request, "desk/flags.html", {"page": page, "rows": rows})


class ReplyForm(forms.Form):
    reply = forms.CharField(
        label=gettext_lazy("Your answer"), max_length=2000, widget=forms.Textarea(attrs={"rows": 4})
    )


@allow(Role.INSTRUCTOR)
@require_http_methods(["GET", "HEAD", "POST"])
def flag(request: HttpRequest, flag_id: int) -> HttpResponse:
    """One flag with the scenario, the answer, the ruling and a form to reply."""
    found = Flag.objects.select_related("drill__attempt__mark", "drill__trainee", "drill__version").filter(pk=flag_id)
    flagged = found.first()
    if flagged is None:
        raise Http404
    about(request, flagged.drill.rulebook)
    form = ReplyForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            services.settle(flagged.pk, request.user, form.cleaned_data["reply"])  # type: ignore[arg-type]
            messages.success(request, _("The flag has been answered."))
        except services.AlreadySettled as refusal:
            messages.warning(request, str(refusal))
        return redirect("flags")
    return render(request, "desk/flag.html", _flag_context(flagged, form), status=422 if form.errors else 200)


def _flag_context(flagged: Flag, form: ReplyForm) -> dict[str, Any]:
    spoken, drill = language(), flagged.drill
    kept = fresh.is_kept_out(drill.scenario)
    mark = None if kept else drill.attempt.mark
    return {
        "flag": flagged,
        "form": form,
        "kept": kept,
        "story": story(drill.scenario, spoken, ruling=mark.ruling if mark else None, version=drill.told),
        "feedback": feedback(drill.scenario, mark, spoken, version=drill.told) if mark else None,
    }
