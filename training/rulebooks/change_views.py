"""The pages of a new version of a regulation: what it changes, and each change played by both versions."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from rules_engine.narration import book_name, topic_name
from training.drawing import table_view
from training.house.readings import practised_by_book
from training.lessons import law_changes
from training.people.access import allow
from training.people.models import Role
from training.people.request import about, language, person
from training.rulebooks.comparison import played, table_of
from training.rulebooks.law import Dated, dated
from training.rulebooks.views import READERS as ARTICLE_READERS

READERS = (*ARTICLE_READERS, Role.HR)
DRAFTERS = frozenset({Role.INSTRUCTOR, Role.ADMINISTRATOR, Role.HR})


@allow(*READERS)
@require_safe
def law_changes_page(request: HttpRequest, old: str, new: str) -> HttpResponse:
    """Every article that two versions of a regulation word differently, with an example where one shows it."""
    books = law_changes.pair(old, new)
    if books is None:
        raise Http404
    about(request, old, new)
    spoken, roles = language(), person(request).roles
    changes = law_changes.told(*books, spoken)
    versions: list[Dated] = [dated(book, spoken) for book in books]
    context = {
        "old": old,
        "new": new,
        "versions": versions,
        "names": [version.name for version in versions],
        "changes": changes,
        "seen": sum(change.example is not None for change in changes),
        "spoken": books[1].language,
        "learns": Role.TRAINEE in roles,
        "drafts": not DRAFTERS.isdisjoint(roles),
        "hires": Role.HR in roles,
        "reads": not _only_hires(request),
        "plain": _only_hires(request),
        "house_reads": bool(practised_by_book((old, new))),
    }
    return render(request, "rulebooks/changes.html", context)


def _only_hires(request: HttpRequest) -> bool:
    """Whether the reader may not open articles, which are for people who deal and teach."""
    return person(request).roles.isdisjoint(ARTICLE_READERS)


@allow(*READERS)
@require_safe
def change_played(request: HttpRequest, old: str, new: str, article: str) -> HttpResponse:
    """The example of one change, with the rulings of both versions."""
    about(request, old, new)
    books, spoken = law_changes.pair(old, new), language()
    found = law_changes.told_one(*books, article, spoken) if books else None
    if books is None or found is None or found.example is None:
        raise Http404
    example, table = found.example, table_of(new)
    context = {
        "old": old,
        "new": new,
        "change": found,
        "found": example,
        "table": table_view(example.situation, currency=table.currency, rulebook=new, table=table),
        "played": [
            played(example.situation, book.id, book_name(book.id, spoken), spoken, table=table) for book in books
        ],
        "topic": topic_name(new, example.topic, spoken),
        "plain": _only_hires(request),
    }
    return render(request, "rulebooks/change_played.html", context)
