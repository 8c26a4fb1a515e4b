"""Rulebook pages."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import get_language
from django.views.decorators.http import require_safe

from rules_engine import RULEBOOKS, topics
from rules_engine.words import text
from training.library.presentation import drawing, told
from training.people.access import allow
from training.people.models import Role
from training.rulebooks import selectors

READERS = (Role.TRAINEE, Role.INSTRUCTOR)


def _language() -> str:
    return get_language() or "en"


@allow(*READERS)
@require_safe
def rulebooks(request: HttpRequest) -> HttpResponse:
    return render(request, "rulebooks/rulebooks.html", {"rulebooks": selectors.summaries(_language())})


@allow(*READERS)
@require_safe
def one_rulebook(request: HttpRequest, book_id: str) -> HttpResponse:
    """Every clause, with what the engine does with it and how often it was practised and missed."""
    if book_id not in RULEBOOKS:
        raise Http404
    language = _language()
    topic = request.GET.get("topic", "")
    words = request.GET.get("words", "")[:100]
    context = {
        "id": book_id,
        "name": text(f"rulebook.{book_id}", language),
        "articles": selectors.articles(book_id, language, topic=topic, words=words),
        "topics": [(name, text(f"topic.{name}", language)) for name in topics(book_id)],
        "topic": topic,
        "words": words,
    }
    return render(request, "rulebooks/rulebook.html", context)


@allow(*READERS)
@require_safe
def article(request: HttpRequest, book_id: str, cite: str) -> HttpResponse:
    """One clause with an example that turns on it."""
    language = _language()
    if book_id not in RULEBOOKS or cite not in RULEBOOKS[book_id].law:
        raise Http404
    (found,) = (item for item in selectors.articles(book_id, language) if item.row.cite == cite)
    context = {"id": book_id, "name": text(f"rulebook.{book_id}", language), "article": found}
    example = selectors.example(book_id, cite)
    if example:
        scenario, ruling, function = example
        context |= {"told": told(scenario, ruling, language), "table": drawing(scenario), "function": function}
    return render(request, "rulebooks/article.html", context)


@allow(*READERS)
@require_safe
def comparison(request: HttpRequest) -> HttpResponse:
    """Where two rulebooks of one game rule differently."""
    language = _language()
    one, other = request.GET.get("one", "pt-chemin-de-fer"), request.GET.get("other", "it-sanremo-chemin-de-fer")
    if one not in RULEBOOKS or other not in RULEBOOKS:
        raise Http404
    same_game = RULEBOOKS[one].game == RULEBOOKS[other].game
    context = {
        "one": one,
        "other": other,
        "names": [text(f"rulebook.{id}", language) for id in (one, other)],
        "rulebooks": [(id, text(f"rulebook.{id}", language)) for id in RULEBOOKS],
        "same_game": same_game,
        "differences": selectors.differences(one, other, language) if same_game and one != other else (),
    }
    return render(request, "rulebooks/comparison.html", context)
