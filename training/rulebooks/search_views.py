"""One search for instructors: scenarios, incidents, clauses, official wordings, readings and procedures."""

from collections.abc import Callable
from dataclasses import dataclass

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from rules_engine import RULEBOOKS
from rules_engine.narration import book_name, books_by_game
from training.library import incident_search, presentation, scenario_search
from training.library.models import Version
from training.people.access import allow
from training.people.models import Role
from training.people.request import about, language
from training.rulebooks import law_search
from training.rulebooks.law_search import Hit
from training.search.marks import AROUND, marked

FEW, MANY = 5, 50  # results of a group at first, and at most


@dataclass(frozen=True)
class Row:
    """A result. `second` says where it is from, and `book` of which rulebook it tells something."""

    url: str
    title: SafeString
    language: str
    second: str
    others: tuple[str, ...] = ()
    book: str = ""


@dataclass(frozen=True)
class Group:
    id: str
    name: str
    rows: list[Row]
    more: int


@allow(Role.INSTRUCTOR)
@require_safe
def search(request: HttpRequest) -> HttpResponse:
    """The results by group, a few of each; `in` chooses one group, `rulebook` one rulebook."""
    asked = request.GET.get("q", "")[: law_search.MOST].strip()
    among = request.GET.get("rulebook", "")
    among = among if among in RULEBOOKS else ""
    only, spoken = request.GET.get("in", ""), language()
    groups = _groups(asked, among, language(), only) if asked else []
    about(request, *(row.book for group in groups for row in group.rows))
    if groups and language() != spoken:
        groups = _groups(asked, among, language(), only)
    context = {
        "asked": asked,
        "among": among,
        "only": only,
        "groups": groups,
        "games": books_by_game(language()),
    }
    return render(request, "rulebooks/search.html", context)


Finder = Callable[[str, str, str], list[Row]]


def _groups(asked: str, among: str, spoken: str, only: str) -> list[Group]:
    kinds: list[tuple[str, str, Finder]] = [
        ("incidents", _("What happens at the table"), _incidents),
        ("clauses", _("Articles"), _law(law_search.clauses)),
        ("official", _("Official wording"), _law(law_search.official)),
        ("house", _("Open questions and procedures of the house"), _law(law_search.house)),
        ("scenarios", _("Scenarios"), _scenarios),
    ]
    found = []
    for id, name, find in kinds:
        if only in ("", id) and (rows := find(asked, among, spoken)):
            shown = MANY if only else FEW
            found.append(Group(id, name, rows[:shown], max(0, len(rows) - shown)))
    return found


def _law(find: Callable[[str, str, str], list[Hit]]) -> Finder:
    def rows(asked: str, among: str, spoken: str) -> list[Row]:
        return [
            Row(
                hit.url,
                marked(hit.text, hit.language, asked, longest=AROUND),
                hit.language,
                " · ".join(filter(None, (hit.shown, hit.book))),
                hit.others,
                book=hit.key.partition(":")[0],
            )
            for hit in find(spoken, asked, among)[: MANY + 1]
        ]

    return rows


def _incidents(asked: str, among: str, spoken: str) -> list[Row]:
    rows = []
    for found in incident_search.search_everywhere(spoken, asked, among)[: MANY + 1]:
        one = found.happening
        query = urlencode({"rulebook": found.book, "kind": one.kind, "topic": one.topic})
        cited = _("art. %(cite)s") % {"cite": one.cited} if one.articles else ""
        rows.append(
            Row(
                f"{reverse('new_scenario')}?{query}",
                marked(one.title, spoken, asked),
                spoken,
                " · ".join(filter(None, (book_name(found.book, spoken), cited))),
                tuple(book_name(other, spoken) for other in found.others),
                book=found.book,
            )
        )
    return rows


def _scenarios(asked: str, among: str, spoken: str) -> list[Row]:
    best = scenario_search.search(asked, spoken)
    found = Version.objects.filter(pk__in=best).exclude(state=Version.State.RETIRED).select_related("item", "author")
    if among:
        found = found.filter(rulebook=among)
    by_pk = found.prefetch_related("co_authorships__person").in_bulk()
    listed = [by_pk[pk] for pk in best if pk in by_pk][: MANY + 1]
    return [
        Row(
            reverse("version", args=[line.version.pk]),
            marked(line.title, spoken, asked),
            spoken,
            f"{line.rulebook} · {line.topic} · {line.version.get_state_display()}",
        )
        for line in presentation.lines(listed, spoken)
    ]
