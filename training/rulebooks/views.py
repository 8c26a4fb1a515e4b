"""Rulebook pages."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from rules_engine import RULEBOOKS, topics
from rules_engine.narration import book_name, topic_name
from training.library.presentation import drawing, told
from training.people.access import allow
from training.people.models import Role
from training.people.request import language
from training.rulebooks import selectors

READERS = (Role.TRAINEE, Role.INSTRUCTOR)


@allow(*READERS)
@require_safe
def rulebooks(request: HttpRequest) -> HttpResponse:
    return render(request, "rulebooks/rulebooks.html", {"games": selectors.summaries(language())})


@allow(*READERS)
@require_safe
def one_rulebook(request: HttpRequest, book_id: str) -> HttpResponse:
    """Every clause, with what the engine does with it and how often it was practised and missed."""
    if book_id not in RULEBOOKS:
        raise Http404
    spoken = language()
    topic = request.GET.get("topic", "")
    words = request.GET.get("words", "")[:100]
    context = {
        "id": book_id,
        "name": book_name(book_id, spoken),
        "articles": selectors.articles(book_id, spoken, topic=topic, words=words),
        "topics": [(name, topic_name(book_id, name, spoken)) for name in topics(book_id)],
        "topic": topic,
        "words": words,
    }
    return render(request, "rulebooks/rulebook.html", context)


@allow(*READERS)
@require_safe
def article(request: HttpRequest, book_id: str, cite: str) -> HttpResponse:
    """One clause with an example that turns on it."""
    spoken = language()
    if book_id not in RULEBOOKS or cite not in RULEBOOKS[book_id].law:
        raise Http404
    (found,) = (item for item in selectors.articles(book_id, spoken) if item.row.cite == cite)
    context = {"id": book_id, "name": book_name(book_id, spoken), "article": found}
    example = selectors.example(book_id, cite)
    if example:
        scenario, ruling, function = example
        context |= {"told": told(scenario, ruling, spoken), "table": drawing(scenario), "function": function}
    return render(request, "rulebooks/article.html", context)


@allow(*READERS)
@require_safe
def comparison(request: HttpRequest) -> HttpResponse:
    """Where two rulebooks of one game rule differently; one of another game gives way to the first of the same."""
    spoken = language()
    one, other = request.GET.get("one", "pt-chemin-de-fer"), request.GET.get("other", "it-sanremo-chemin-de-fer")
    if one not in RULEBOOKS or other not in RULEBOOKS:
        raise Http404
    others = [(book.id, book.name(spoken)) for book in RULEBOOKS[one].game.books if book.id != one]
    if others and other not in dict(others):
        other = others[0][0]
    context = {
        "one": one,
        "other": other,
        "names": [book_name(id, spoken) for id in (one, other)],
        "games": selectors.by_game(spoken),
        "others": others,
        "differences": selectors.differences(one, other, spoken) if others else (),
    }
    return render(request, "rulebooks/comparison.html", context)
