"""The pages of the rulebooks."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_safe

from rules_engine import RULEBOOKS, Rulebook, topics
from rules_engine.narration import book_name, books_by_game, cited, printed, topic_name
from training.drawing import table_view
from training.house.lettered import label_of
from training.house.official_texts import official
from training.house.readings import practised_by_book
from training.house.silences import silences
from training.lessons import examples, prizes, reference
from training.mastery.memory import Rule
from training.mastery.rules_to_learn import rules_to_learn
from training.people.access import allow
from training.people.models import Role, User
from training.people.request import about, by_htmx, language, person
from training.practice.presentation import story
from training.rulebooks import comparison as comparing
from training.rulebooks import hooks, odds, selectors
from training.rulebooks.article_page import leaf
from training.rulebooks.contents import Entry, beside, contents
from training.rulebooks.law import dated, history

READERS = (Role.TRAINEE, Role.INSTRUCTOR, Role.ADMINISTRATOR)
TEACHERS = (Role.INSTRUCTOR, Role.ADMINISTRATOR)


@allow(*READERS)
@require_safe
def rulebooks(request: HttpRequest) -> HttpResponse:
    return render(request, "rulebooks/rulebooks.html", {"games": selectors.summaries(language())})


@allow(*READERS)
@require_safe
def one_rulebook(request: HttpRequest, book_id: str) -> HttpResponse:
    """All clauses of a rulebook, with how often each was practised and missed."""
    if book_id not in RULEBOOKS:
        raise Http404
    about(request, book_id)
    spoken = language()
    topic = request.GET.get("topic", "")
    words = request.GET.get("words", "")[:100]
    listed = selectors.articles(book_id, spoken, topic=topic, words=words, of=_counted(request))
    context = {
        "id": book_id,
        "name": book_name(book_id, spoken),
        "title": RULEBOOKS[book_id].law.title,
        "title_language": RULEBOOKS[book_id].language,
        "articles": listed,
        "contents": [] if topic or words else contents(book_id, listed, spoken),
        "own": bool(_counted(request)),
        "decides": _decides(request),
        "silent": bool(RULEBOOKS[book_id].silences),
        "open_questions": bool(RULEBOOKS[book_id].open_questions),
        "topics": [(name, topic_name(book_id, name, spoken)) for name in topics(book_id)],
        "topic": topic,
        "words": words,
        "silences": silences(RULEBOOKS[book_id], spoken) if not (topic or words) else [],
        "comparable": comparing.comparable(RULEBOOKS[book_id]),
        "version": dated(RULEBOOKS[book_id], spoken),
        "versions": history(RULEBOOKS[book_id], spoken, timezone.localdate()),
    }
    return render(request, "rulebooks/rulebook.html", context)


@allow(*READERS)
@require_safe
def article(request: HttpRequest, book_id: str, cite: str) -> HttpResponse:
    """One clause with an example that turns on it; for htmx, in short for a side panel."""
    if book_id not in RULEBOOKS or cite not in RULEBOOKS[book_id].law:
        raise Http404
    about(request, book_id)
    spoken = language()
    if by_htmx(request):
        return render(request, "rulebooks/leaf.html", {"leaf": leaf(book_id, cite, spoken)})
    if cite in RULEBOOKS[book_id].silences:
        return _silence(request, RULEBOOKS[book_id], cite)
    listed = selectors.articles(book_id, spoken, of=_counted(request))
    (found,) = (item for item in listed if item.row.cite == cite)
    before, after = beside(listed, found)
    book = RULEBOOKS[book_id]
    context = {
        "id": book_id,
        "name": book_name(book_id, spoken),
        "article": found,
        "whole": sum(item.row.article == found.row.article for item in listed) > 1,
        "before": _clause_link(book_id, before, spoken),
        "after": _clause_link(book_id, after, spoken),
        "own": bool(_counted(request)),
        "decides": _decides(request),
        "official": official(book, found.row.article),
        "letter": label_of(cite),
        "tables": reference.drawing_tables(book, found.row.article),
        "prizes": prizes.prize_tables(book, found.row.article, spoken),
        "payment_order": prizes.payment_order(book, found.row.article, spoken),
        "words": reference.words_of(book, cite),
        "related": printed((one for one in found.row.depends_on if one in book.law), book, spoken),
        "programmes": hooks.programmes_examining(book_id, found.topic_ids, spoken) if found.topic_ids else [],
        "spoken": book.language,
        "writes": Role.INSTRUCTOR in person(request).roles,
        "taught": Rule(book_id, cite) in rules_to_learn(book_id) and Role.TRAINEE in person(request).roles,
    }
    example = examples.example(Rule(book_id, cite))
    if example:
        worked = examples.worked(example, spoken)
        context |= {"worked": worked, "story": story(example, spoken, ruling=worked.ruling)}
    return render(request, "rulebooks/article.html", context)


def _silence(request: HttpRequest, book: Rulebook, kind: str) -> HttpResponse:
    """The page of something that the rulebook leaves open."""
    spoken = language()
    context = {
        "id": book.id,
        "name": book_name(book.id, spoken),
        "silence": next(one for one in silences(book, spoken) if one.kind == kind),
        "decides": _decides(request),
        "taught": Rule(book.id, kind) in rules_to_learn(book.id) and Role.TRAINEE in person(request).roles,
    }
    if example := examples.example(Rule(book.id, kind)):
        worked = examples.worked(example, spoken)
        context |= {"worked": worked, "story": story(example, spoken, ruling=worked.ruling)}
    return render(request, "rulebooks/silence.html", context)


@allow(*READERS)
@require_safe
def whole_article(request: HttpRequest, book_id: str, number: str) -> HttpResponse:
    """All clauses of one article, with links to the articles before and after it."""
    if book_id not in RULEBOOKS:
        raise Http404
    about(request, book_id)
    entries = contents(book_id, selectors.articles(book_id, language(), of=_counted(request)), language())
    found = next((entry for entry in entries if entry.number == number), None)
    if found is None:
        raise Http404
    before, after = beside(entries, found)
    context = {
        "id": book_id,
        "name": book_name(book_id, language()),
        "entry": found,
        "official": official(RULEBOOKS[book_id], number),
        "spoken": RULEBOOKS[book_id].language,
        "before": _link(before),
        "after": _link(after),
    }
    return render(request, "rulebooks/whole_article.html", context)


def _link(entry: Entry | None) -> tuple[str, str] | None:
    return (entry.address, entry.shown) if entry else None


def _clause_link(book_id: str, clause: selectors.Article | None, spoken: str) -> tuple[str, str] | None:
    if clause is None:
        return None
    cite = clause.row.cite
    return reverse("article", args=[book_id, cite]), clause.heading or cited(cite, RULEBOOKS[book_id], spoken)


def _counted(request: HttpRequest) -> User | None:
    """Whose answers to count: a trainee's own; None, for all, if the reader teaches."""
    reader = person(request)
    return None if reader.roles.intersection(TEACHERS) else reader


def _decides(request: HttpRequest) -> bool:
    return bool(person(request).roles.intersection(TEACHERS))


@allow(*READERS)
@require_safe
def odds_page(request: HttpRequest) -> HttpResponse:
    """The exact odds of a game."""
    games = {game.id: game for game in odds.games()}
    chosen = request.GET.get("game") or next(iter(games))
    if chosen not in games:
        raise Http404
    about(request, *(book.id for book in games[chosen].books))
    context = {
        "games": [(id, game.name(language())) for id, game in games.items()],
        "chosen": chosen,
        "name": games[chosen].name(language()),
        "sheets": odds.sheets(games[chosen], language()),
    }
    return render(request, "rulebooks/odds.html", context)


@allow(*READERS)
@require_safe
def comparison(request: HttpRequest) -> HttpResponse:
    """Where two rulebooks of one game rule differently. If `other` is not comparable, the first that is replaces it."""
    offered = [book.id for book in RULEBOOKS.values() if comparing.comparable(book)]
    one = request.GET.get("one", offered[0])
    if one not in RULEBOOKS or request.GET.get("other", one) not in RULEBOOKS:
        raise Http404
    about(request, one)
    spoken, others = language(), comparing.comparable(RULEBOOKS[one])
    asked = request.GET.get("other", "")
    other = asked if asked in others else next(iter(others), "")
    context = {
        "one": one,
        "other": other,
        "names": [book_name(id, spoken) for id in (one, other) if id],
        "games": books_by_game(spoken, offered),
        "others": books_by_game(spoken, others),
        "compared": comparing.compared(one, other, spoken) if other else None,
        "house_reads": bool(practised_by_book(id for id in (one, other) if id)),
    }
    return render(request, "rulebooks/comparison.html", context)


@allow(*READERS)
@require_safe
def compared_case(request: HttpRequest, one: str, other: str, kind: str) -> HttpResponse:
    """One situation that two rulebooks rule differently, with both rulings."""
    if one not in RULEBOOKS or other not in comparing.comparable(RULEBOOKS[one]):
        raise Http404
    about(request, one)
    spoken = language()
    found = comparing.difference(one, other, kind, spoken)
    if found is None:
        raise Http404
    table = comparing.table_of(one)
    context = {
        "one": one,
        "other": other,
        "found": found,
        "table": table_view(found.situation, currency=table.currency, rulebook=one, table=table),
        "played": [
            comparing.played(found.situation, id, book_name(id, spoken), spoken, table=table) for id in (one, other)
        ],
        "topic": topic_name(one, found.topic, spoken),
    }
    return render(request, "rulebooks/compared_case.html", context)
