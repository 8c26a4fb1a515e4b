"""Queries for the pages of the library."""

from dataclasses import dataclass, field

from django.db.models import Case, Prefetch, Q, QuerySet, When

from training.library import scenario_search
from training.library.authors import written_by
from training.library.models import Act, CoAuthor, Version
from training.people.models import User
from training.platform.folded_text import alphabetical

State = Version.State


@dataclass(frozen=True)
class Filters:
    """Filters of a list of versions. No state means all but retired ones."""

    states: list[str] = field(default_factory=list)
    rulebook: str = ""
    topic: str = ""
    author: int | None = None
    text: str = ""
    tag: int | None = None
    reserved: bool | None = None  # True: published for exams, False: for practice, None: any


def versions(filters: Filters) -> QuerySet[Version]:
    """The matching versions: for words or an article the best first, otherwise the last changed."""
    found = Version.objects.select_related("author", "published_by", "item")
    writing = Prefetch("co_authorships", CoAuthor.objects.select_related("person"))
    found = found.prefetch_related("item__tags", writing)
    found = found.order_by("-changed_at", "-pk")
    found = found.filter(state__in=filters.states) if filters.states else found.exclude(state=State.RETIRED)
    if filters.rulebook:
        found = found.filter(rulebook=filters.rulebook)
    if filters.topic:
        found = found.filter(topic=filters.topic)
    if filters.author:
        found = found.filter(written_by(filters.author))
    if filters.tag:
        found = found.filter(item__tags=filters.tag)
    if filters.reserved is not None:
        found = found.filter(reserved=filters.reserved, published_at__isnull=False)
    if filters.text.strip():
        best = scenario_search.search(filters.text)
        rank = Case(*(When(pk=pk, then=place) for place, pk in enumerate(best)), default=len(best))
        found = found.filter(pk__in=best).order_by(rank, "-changed_at", "-pk")
    return found


def version_of(version_id: int) -> Version:
    return Version.objects.select_related("author", "published_by", "item").get(pk=version_id)


def siblings(version: Version) -> list[Version]:
    """All versions of the same item, newest first, without their documents."""
    documents = ("scenario_document", "ruling_document", "words", "moments", "search_text")
    return list(Version.objects.filter(item=version.item_id).defer(*documents).order_by("-number"))


def history(version: Version) -> list[Act]:
    """The acts on a version, in order."""
    return list(version.acts.select_related("actor", "person").defer("ruling_document"))


def suspensions(versions: list[Version]) -> dict[int, Act]:
    """The act that suspended each of these versions, by the version's id."""
    acts = Act.objects.filter(version__in=versions, kind=Act.Kind.SUSPENDED).order_by("at", "pk")
    return {act.version_id: act for act in acts}


def suspended() -> QuerySet[Version]:
    """Versions suspended because their ruling changed, newest first."""
    found = Version.objects.filter(state=State.SUSPENDED).select_related("author")
    return found.order_by("-changed_at", "-pk")


def authors() -> QuerySet[User]:
    wrote = Q(authored_versions__isnull=False) | Q(co_authorships__isnull=False)
    return User.objects.filter(wrote).distinct().order_by(alphabetical("name"), "pk")


def practised() -> QuerySet[Version]:
    """Published versions for practice, without those reserved for exams."""
    return Version.objects.filter(state=State.PUBLISHED, reserved=False).order_by("pk")


def practised_turning_on(rulebook: str, cite: str) -> QuerySet[Version]:
    """Published versions for practice that turn on a rule."""
    return practised().filter(rulebook=rulebook, pivots__cite=cite)
