"""The pages of the path, the lessons, the cards and the reference."""

from datetime import datetime
from uuid import UUID

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from rules_engine import RULEBOOKS
from rules_engine.narration import book_name, books_by_game
from rules_engine.silences import TOPIC as PROCEDURES
from training.house.silences import silences
from training.lessons import path, services
from training.lessons.reference import reference
from training.lessons.rule_cards import card, words_card
from training.mastery.memory import Rule
from training.mastery.selectors import rules as rules_of
from training.people.access import allow
from training.people.models import Role, User
from training.people.request import about, by_htmx, language, person
from training.practice import day, rule_map, selectors
from training.practice.models import Drill
from training.practice.new_words import needs_card, new_words
from training.practice.next_drill import is_first_meeting
from training.practice.study import study_of


@allow(Role.TRAINEE)
@require_safe
def rules(request: HttpRequest) -> HttpResponse:
    """The path of a rulebook with the trainee's state in each chapter, and the lessons of the open chapter."""
    trainee, now = person(request), timezone.now()
    asked = request.GET.get("rulebook", "")
    book = asked if asked in RULEBOOKS else study_of(trainee).rulebooks[0]
    about(request, book)
    known = rules_of(trainee, [book], now)
    chapters = path.path(known, language(), now)
    current, topic = path.current(chapters), request.GET.get("chapter", "")
    named = next((chapter for chapter in chapters if chapter.topic == topic), None)
    if named and by_htmx(request):
        return render(request, "lessons/chapter.html", {"book": book, "chapter": named, "current": current})
    context = {
        "book": book,
        "games": books_by_game(language()),
        "progress": rule_map.progress(known, language())[0],
        "chapters": chapters,
        "current": current,
        "left_open": [one for one in silences(RULEBOOKS[book], language()) if one.house is None],
        "procedures": f"{book}/{PROCEDURES}",
        "shown": named or next((chapter for chapter in chapters if current in chapter.lessons), None),
    }
    return render(request, "lessons/path.html", context)


@allow(Role.TRAINEE)
@require_POST
def learn(request: HttpRequest) -> HttpResponse:
    """Start the next rule of a lesson or, with `this_rule`, the rule that was posted; a new rule shows its card first.

    With `going_on`, sent from a drill of the lesson, a finished lesson leads back to the path.
    """
    book, _slash, cite = request.POST.get("lesson", "").partition("/")
    rule = Rule(book, cite)
    about(request, book)
    chapters = _path(person(request), book, timezone.now()) if book in RULEBOOKS else []
    found = path.lesson_of(chapters, rule)
    if found is None:
        raise Http404
    chapter, lesson = found
    if "going_on" in request.POST and lesson.finished:
        messages.success(request, _("%(lesson)s: lesson %(number)d is done.") % _named(chapter, lesson))
        return redirect(f"{reverse('rules')}?rulebook={book}")
    wanted = rule if "this_rule" in request.POST else lesson.next_rule().rule
    drill = services.start_rule(person(request), wanted)
    return redirect("rule_card" if needs_card(drill) else "drill", drill.pk)


def _path(trainee: User, book: str, now: datetime) -> list[path.Chapter]:
    return path.path(rules_of(trainee, [book], now), language(), now)


def _named(chapter: path.Chapter, lesson: path.Lesson) -> dict[str, object]:
    return {"lesson": chapter.name, "number": lesson.number}


@allow(Role.TRAINEE)
@require_safe
def rule_card(request: HttpRequest, drill_id: UUID) -> HttpResponse:
    """The card before a drill: of its rule, if new, and of new words. Redirects to the drill if nothing is new."""
    try:
        drill = selectors.drill_of(person(request), drill_id)
    except Drill.DoesNotExist:
        raise Http404 from None
    about(request, drill.rulebook)
    first = is_first_meeting(drill)
    fresh_words = [] if hasattr(drill, "attempt") else new_words(drill)
    if hasattr(drill, "attempt") or not (first or fresh_words):
        return redirect("drill", drill.pk)
    shown = card(Rule(drill.rulebook, drill.aim), language(), asked=drill.scenario) if first else None
    context = {
        "drill": drill,
        "card": shown,
        "story": shown.story if shown else None,
        "calls": words_card(RULEBOOKS[drill.rulebook], [cite for cite in fresh_words if cite != drill.aim], language()),
        "spoken": RULEBOOKS[drill.rulebook].language,
    }
    return render(request, "lessons/card.html", context | day.head_of(drill, timezone.now()))


@allow(Role.TRAINEE)
@require_safe
def look_up(request: HttpRequest, book_id: str) -> HttpResponse:
    """The reference of one rulebook, as a page or, for htmx, as the content of the drawer."""
    if book_id not in RULEBOOKS:
        raise Http404
    about(request, book_id)
    asked = request.GET.get("words", "")[:100]
    context = {
        "book": book_id,
        "name": book_name(book_id, language()),
        "spoken": RULEBOOKS[book_id].language,
        "asked": asked,
        "reference": reference(RULEBOOKS[book_id], language(), asked),
    }
    if by_htmx(request) and "found" in request.GET:
        return render(request, "lessons/reference_found.html", context)
    return render(request, "lessons/reference.html" if by_htmx(request) else "lessons/reference_page.html", context)
