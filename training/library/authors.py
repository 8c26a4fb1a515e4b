"""Who writes a version: its author, and the co-authors the author names.

All of them may change the draft, and none of them may review it. Nor may former co-authors who changed it, those who
wrote an earlier version that was never reviewed, or those who wrote the case its facts were copied from (`Origin`).
"""

from collections.abc import Collection, Iterable
from datetime import timedelta
from functools import reduce
from operator import or_
from typing import Any

from django.db.models import Exists, Max, Min, OuterRef, Q, QuerySet
from django.template.loader import render_to_string
from django.utils import timezone, translation
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from training.library import moments
from training.library.acts import act, record
from training.library.author_texts import title
from training.library.models import Act, CoAuthor, Origin, Version
from training.mail.outbox import Envelope, link_to, post
from training.people import second_signature
from training.people.models import Role, User
from training.platform.errors import Refused
from training.platform.folded_text import alphabetical

MOST = 5  # besides the author
WRITING = (Act.Kind.CREATED, Act.Kind.EDITED)
TOLD_ONCE_IN = timedelta(days=1)  # adding and removing somebody repeatedly sends one message


def writes(version: Version, person: User) -> bool:
    """Whether somebody is now an author or co-author of this version."""
    return version.author_id == person.pk or version.co_authorships.filter(person=person).exists()


def wrote(version: Version, person: User) -> bool:
    """Whether they wrote anything in this version that nobody has reviewed, even if they are no longer an author."""
    return writes(version, person) or Version.objects.filter(_written({person.pk}), pk=version.pk).exists()


def may_have_open(version: Version, person: User) -> bool:
    """Whether somebody is or was an author of this version and so may still have its form open."""
    added = version.acts.filter(kind=Act.Kind.AUTHOR_ADDED, person=person)
    return wrote(version, person) or added.exists()


def verify_reviews(version: Version, person: User) -> None:
    """Raises Refused if this person may not review the version."""
    if wrote(version, person):
        raise Refused(_("Whoever wrote a scenario cannot review it: another instructor must do it."))
    if began(version, person):
        raise Refused(_("These facts were copied from a scenario of yours, so another instructor must review them."))
    reviewed = _reviewed(version)
    contributors = User.objects.filter(pk__in=_contributors(version, reviewed)).order_by("pk")
    begun = Version.objects.filter(item=version.item_id, number__gt=reviewed).aggregate(first=Min("created_at"))
    second_signature.verify_beside_all(contributors, signer=person, since=begun["first"])


def _reviewed(version: Version) -> int:
    """The number of the last version before this one that somebody has reviewed."""
    earlier = Version.objects.filter(item=version.item_id, published_at__isnull=False, number__lt=version.number)
    return earlier.aggregate(last=Max("number"))["last"] or 0


def _contributors(version: Version, reviewed: int) -> set[int]:
    """Everybody whose work a review of this version covers: its authors, those who made changes that nobody has
    reviewed, and those who wrote what it was copied from."""
    numbers = {"version__number__gt": reviewed, "version__number__lte": version.number}
    changed = Act.objects.filter(version__item=version.item_id, kind__in=WRITING, actor__isnull=False, **numbers)
    return {
        version.author_id,
        *version.co_authorships.values_list("person_id", flat=True),
        *version.origins.values_list("person_id", flat=True),
        *changed.values_list("actor_id", flat=True),
    }


def began(version: Version, person: User) -> bool:
    """Whether the facts of this version were copied from a case by this person."""
    return version.origins.filter(person=person).exists()


def to_review(person: User) -> QuerySet[Version]:
    """The versions in review that this person may review."""
    # Some authors are too close to this person for them to count as an independent reviewer.
    acted = Act.objects.filter(kind__in=WRITING).order_by().values_list("actor_id", flat=True)
    wrote = {*acted.union(CoAuthor.objects.order_by().values_list("person_id", flat=True))}
    own = {person.pk, *second_signature.refusals(person, wrote)}
    hands = Exists(_shared(own)) | Exists(Origin.objects.filter(version=OuterRef("pk"), person__in=own))
    return Version.objects.filter(~_written(own), ~hands, state=Version.State.IN_REVIEW).exclude(author__in=own)


def note_origins(made: Version, copied: Iterable[Version]) -> None:
    """Record who wrote the cases that a version was copied from, through any number of copies."""
    _note([(made, list(copied))])


def note_facts(written: list[tuple[Version, list[Any]]]) -> None:
    """Record for each version who wrote its new situations earlier, in any moment of another case.

    It does not matter who typed them or which file they come from. The number of queries does not depend on the number
    of versions."""
    there = _with_facts(written)
    met = [(one, moments.situations(one.scenario_document, one.moments)) for one in there]

    def is_copy(one: Version, facts: list[Any], made: Version, typed: list[Any]) -> bool:
        same_case = one.item_id == made.item_id  # `_written` covers versions of the same case
        return not same_case and one.rulebook == made.rulebook and any(fact in typed for fact in facts)

    _note([(made, [one for one, facts in met if is_copy(one, facts, made, typed)]) for made, typed in written])


def _with_facts(written: list[tuple[Version, list[Any]]]) -> list[Version]:
    """The versions that contain any of these situations."""
    facts = [fact for _made, typed in written for fact in typed]
    if not facts:
        return []
    places = ["scenario_document", *(f"moments__{index}__scenario" for index in range(moments.MOST - 1))]
    has_them = reduce(or_, (Q(**{f"{place}__situation__in": facts}) for place in places))
    return list(Version.objects.filter(has_them, rulebook__in={made.rulebook for made, _typed in written}))


def _note(copies: list[tuple[Version, list[Version]]]) -> None:
    wrote = _writers({one for _made, copied in copies for one in copied})
    found = [(made, {person for one in copied for person in wrote[one.pk]}) for made, copied in copies]
    Origin.objects.bulk_create(
        [
            Origin(version=made, person_id=person)
            for made, people in found
            for person in sorted(people - {made.author_id})
        ],
        ignore_conflicts=True,  # recorded already
    )


def _writers(versions: Collection[Version]) -> dict[int, set[int]]:
    """By version: everybody who wrote the case up to that version, or what it was copied from."""
    if not versions:
        return {}
    same, up_to = {"version__item__in": {one.item_id for one in versions}}, ("version__item_id", "version__number")
    rows = [
        *Act.objects.filter(**same, kind__in=WRITING, actor__isnull=False).values_list(*up_to, "actor_id"),
        *CoAuthor.objects.filter(**same).values_list(*up_to, "person_id"),
        *Origin.objects.filter(**same).values_list(*up_to, "person_id"),
    ]
    at_item: dict[Any, set[tuple[int, int]]] = {}
    for item, number, person in rows:
        if person is not None:
            at_item.setdefault(item, set()).add((number, person))
    return {
        one.pk: {one.author_id} | {person for number, person in at_item.get(one.item_id, ()) if number <= one.number}
        for one in versions
    }


def _written(people: Collection[int]) -> Q:
    """Versions that one of these people changed, or that continue their drafts that were dropped before a review."""
    reviewed = Version.objects.filter(
        item=OuterRef("version__item"),
        published_at__isnull=False,
        number__gte=OuterRef("version__number"),
        number__lt=OuterRef(OuterRef("number")),
    )
    acts = Act.objects.filter(actor__in=people, kind__in=WRITING)
    dropped = acts.filter(~Exists(reviewed), version__item=OuterRef("item"), version__number__lte=OuterRef("number"))
    return Q(Exists(dropped))


def written_by(person_id: int) -> Q:
    """The versions of which somebody is an author, alone or with others."""
    return Q(author=person_id) | Q(Exists(_shared({person_id})))


def _shared(people: Collection[int]) -> QuerySet[CoAuthor]:
    return CoAuthor.objects.filter(version=OuterRef("pk"), person__in=people)


def verify_names(version: Version, actor: User) -> None:
    if version.state != Version.State.DRAFT:
        raise Refused(_("The authors of a scenario can change only while it is a draft."))
    if version.author_id != actor.pk:
        raise Refused(_("Only the author can name co-authors."))


@act
def add(version: Version, actor: User, person: User) -> Version:
    """Make another instructor a co-author and send them a message."""
    verify_names(version, actor)
    if Role.INSTRUCTOR not in person.roles or not person.is_active:
        raise Refused(_("Only instructors can work in the library."))
    if writes(version, person):
        raise Refused(_("%(name)s is already an author.") % {"name": person.name})
    if version.co_authorships.count() >= MOST:
        raise Refused(_("A scenario has at most %(limit)d co-authors.") % {"limit": MOST})
    told = _told_lately(version, person)
    CoAuthor.objects.create(version=version, person=person)
    record(version, Act.Kind.AUTHOR_ADDED, actor, person=person)
    if not told:
        post([_letter(version, actor, person)])
    return version


def _told_lately(version: Version, person: User) -> bool:
    since = timezone.now() - TOLD_ONCE_IN
    added = Act.objects.filter(kind=Act.Kind.AUTHOR_ADDED, person=person, at__gt=since)
    return added.filter(version__item=version.item_id).exists()


@act
def remove(version: Version, actor: User, person: User) -> Version:
    """Remove a co-author. What they wrote stays, and they still may not review it."""
    verify_names(version, actor)
    if not version.co_authorships.filter(person=person).delete()[0]:
        # Without the name: otherwise an author could look up the name behind any id.
        raise Refused(_("This person is not a co-author of this scenario."))
    record(version, Act.Kind.AUTHOR_REMOVED, actor, person=person)
    return version


def carry_on(former: Version, made: Version) -> None:
    """Give a new version the co-authors of the former one if its author is among them.

    If the former version was never published, its origins carry over too."""
    if former.published_at is None:
        begun = former.origins.exclude(person=made.author).values_list("person_id", flat=True)
        Origin.objects.bulk_create(Origin(version=made, person_id=person) for person in begun)
    team = [former.author, *co_authors(former)]
    if made.author not in team:
        return
    for person in team:
        if person != made.author and Role.INSTRUCTOR in person.roles:
            CoAuthor.objects.create(version=made, person=person)
            record(made, Act.Kind.AUTHOR_ADDED, made.author, person=person)


def co_authors(version: Version) -> list[User]:
    return [row.person for row in version.co_authorships.select_related("person")]


def possible(version: Version) -> QuerySet[User]:
    """The instructors whom the author may add as co-authors."""
    known = [version.author_id, *version.co_authorships.values_list("person_id", flat=True)]
    found = User.objects.filter(is_active=True, role_grants__role=Role.INSTRUCTOR).exclude(pk__in=known)
    return found.distinct().order_by(alphabetical("name"), "pk")


def names(version: Version) -> str:
    """The names of all authors, the main author first. Prefetch `co_authorships` when listing many versions."""
    people: Iterable[User] = (row.person for row in version.co_authorships.all())
    return ", ".join([version.author.name, *(person.name for person in people)])


def _letter(version: Version, actor: User, person: User) -> Envelope:
    with translation.override(person.language):
        called = title(version, person.language)
        told = {"person": person, "author": actor, "title": called, "link": link_to("version", version.pk)}
        subject = gettext("You write “%(title)s” with %(author)s") % {"title": called, "author": actor.name}
        return Envelope(person, subject, render_to_string("library/letters/co_author.txt", told).strip())
