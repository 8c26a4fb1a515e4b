"""What may be done to a scenario, by whom, and what is left behind."""

import msgspec
import pytest
from django.db import IntegrityError, transaction

from rules_engine.errors import EngineError
from tests.factories import PersonFactory
from tests.library.versions import instructor, make_draft, make_in_review, make_published, make_scenario
from training.library import drafts, services
from training.library.author_texts import UnfitWords
from training.library.models import Act, Version
from training.people.models import Role, User
from training.platform.engine_json import as_stored
from training.platform.errors import ChangedMeanwhile, Refused

State = Version.State

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("in_english")]


def kinds(version: Version) -> list[str]:
    return list(version.acts.values_list("kind", flat=True))


def test_a_draft_keeps_facts_questions_and_words() -> None:
    author, scenario = instructor(), make_scenario()
    words = {"pt": {"title": " Terceira carta ", "story": "", "note": "Ver *67 d*"}, "en": {"title": ""}}
    made = drafts.create_draft(author, scenario, source="authored", words=words)
    stored = Version.objects.get(pk=made.pk)
    assert stored.scenario == scenario
    assert (stored.state, stored.number, stored.author, stored.source) == (State.DRAFT, 1, author, "authored")
    assert stored.words == {"pt": {"title": "Terceira carta", "note": "Ver *67 d*"}}
    assert stored.ruling_document is None
    assert [(act.kind, act.actor) for act in stored.acts.all()] == [("created", author)]


def test_questions_come_from_the_engine_whatever_is_handed_in() -> None:
    scenario = make_scenario()
    doctored = msgspec.structs.replace(scenario, questions=(), version="9.9.9")
    assert make_draft().scenario.questions == scenario.questions
    stored = drafts.create_draft(instructor(), doctored, source="imported").scenario
    assert (stored.questions, stored.version) == (scenario.questions, scenario.book.game.version)


def test_a_draft_needs_a_topic_of_its_rulebook() -> None:
    with pytest.raises(EngineError, match="topic: unknown topic of pt-chemin-de-fer 'poker'"):
        drafts.create_draft(instructor(), msgspec.structs.replace(make_scenario(), topic="poker"), source="authored")
    assert not Version.objects.exists()


@pytest.mark.parametrize(
    ("words", "where"),
    [
        ({"fr": {"title": "x"}}, "words.fr"),
        ({"pt": {"titulo": "x"}}, "words.pt.titulo"),
        ({"pt": {"title": "x" * 121}}, "words.pt.title"),
        ({"pt": {"story": 3}}, "words.pt.story"),
        ({"pt": "x"}, "words.pt"),
        ([], "words"),
        ({"pt": {"note": "a\x00b"}}, "words.pt.note"),
    ],
)
def test_unfit_words_are_refused_by_place(words: object, where: str) -> None:
    with pytest.raises(UnfitWords) as error:
        make_draft(words=words)
    assert error.value.where == where
    assert not Version.objects.exists()


def test_words_may_be_as_long_as_the_limit() -> None:
    assert make_draft(words={"pt": {"title": "x" * 120}}).words == {"pt": {"title": "x" * 120}}


def test_only_its_author_changes_a_draft_and_only_while_it_is_one() -> None:
    draft, other = make_draft(), make_scenario("2")
    changed = drafts.save_draft(draft, draft.author, scenario=other, words={"en": {"title": "T"}})
    assert (changed.scenario, changed.words) == (other, {"en": {"title": "T"}})
    with pytest.raises(Refused, match="author"):
        drafts.save_draft(draft, instructor(), scenario=make_scenario("3"))
    services.submit_for_review(draft, draft.author)
    with pytest.raises(Refused, match="draft"):
        drafts.save_draft(draft, draft.author, words={})
    assert Version.objects.get().scenario == other
    assert kinds(draft) == ["created", "edited", "submitted"]


def test_a_window_left_open_does_not_overwrite_what_another_saved() -> None:
    draft = make_draft()
    drafts.save_draft(draft, draft.author, words={"pt": {"title": "Primeiro"}}, seen=draft.changed_at)
    with pytest.raises(ChangedMeanwhile, match=f"{draft.author.name} changed this draft at"):
        drafts.save_draft(draft, draft.author, words={"pt": {"title": "Segundo"}}, seen=draft.changed_at)
    assert Version.objects.get().words == {"pt": {"title": "Primeiro"}}


def test_publishing_needs_a_second_person() -> None:
    waiting, reviewer = make_in_review(), instructor()
    with pytest.raises(Refused, match="another instructor must"):
        services.publish(waiting, waiting.author)
    published = services.publish(waiting, reviewer)
    assert (published.state, published.published_by) == (State.PUBLISHED, reviewer)
    assert published.published_at is not None
    ruling = published.scenario.solve()
    stored = Version.objects.get()
    assert stored.ruling_document == as_stored(ruling)
    assert sorted(stored.pivots.values_list("cite", flat=True)) == sorted(ruling.pivots)
    last = stored.acts.last()
    assert last is not None
    assert (last.kind, last.engine, last.ruling_document) == (
        "published",
        published.scenario.book.game.version,
        stored.ruling_document,
    )


def test_a_draft_is_not_published_without_review() -> None:
    draft = make_draft()
    with pytest.raises(Refused, match="in review"):
        services.publish(draft, instructor())
    assert kinds(draft) == ["created"]


def test_sending_back_needs_a_reason_and_makes_it_a_draft_again() -> None:
    waiting, reviewer = make_in_review(), instructor()
    with pytest.raises(Refused, match="why"):
        services.send_back(waiting, reviewer, "  ")
    back = services.send_back(waiting, reviewer, "O ponto não pede carta.")
    assert back.state == State.DRAFT
    last = back.acts.last()
    assert last is not None
    assert (last.kind, last.actor, last.comment) == ("returned", reviewer, "O ponto não pede carta.")
    drafts.save_draft(back, back.author, scenario=make_scenario("2"))


def test_editing_a_published_one_makes_a_new_version_and_publishing_it_retires_the_former() -> None:
    first, editor = make_published(), instructor()
    draft = drafts.new_version(first.item, editor)
    assert (draft.number, draft.state, draft.author) == (2, State.DRAFT, editor)
    assert draft.scenario == first.scenario
    with pytest.raises(Refused, match="already"):
        drafts.new_version(first.item, instructor())
    services.submit_for_review(draft, editor)
    services.publish(draft, first.author)
    assert list(Version.objects.order_by("number").values_list("state", flat=True)) == ["retired", "published"]
    assert kinds(first) == ["created", "submitted", "published", "retired"]


def test_retiring_needs_a_reason_and_is_for_good() -> None:
    published = make_published()
    with pytest.raises(Refused, match="why"):
        services.retire(published, published.author, "")
    services.retire(published, published.author, "Já não se joga assim.")
    with pytest.raises(Refused, match="already"):
        services.retire(published, published.author, "outra vez")
    assert Version.objects.get().state == State.RETIRED
    assert drafts.new_version(published.item, instructor()).number == 2


@pytest.mark.parametrize("role", [Role.TRAINEE, Role.HR, Role.ADMINISTRATOR])
def test_nobody_but_instructors_acts(role: Role) -> None:
    stranger = PersonFactory(roles=[role])
    waiting, draft = make_in_review(), make_draft(seed="2")
    attempts = [
        lambda: drafts.create_draft(stranger, make_scenario(), source="authored"),
        lambda: services.publish(waiting, stranger),
        lambda: services.send_back(waiting, stranger, "não"),
        lambda: services.retire(draft, stranger, "não"),
        lambda: drafts.new_version(draft.item, stranger),
    ]
    for attempt in attempts:
        with pytest.raises(Refused, match="instructors"):
            attempt()
    assert Act.objects.count() == 3


def test_the_offered_acts_are_those_that_are_not_refused() -> None:
    author, other = instructor(), instructor()

    def offered(version: Version, actor: User) -> set[str]:
        return set(services.allowed_acts(version, actor, latest=True))

    draft = make_draft(author)
    assert offered(draft, author) == {"edit", "next_moment", "add_author", "submit", "retire"}
    assert offered(draft, other) == {"retire"}
    waiting = services.submit_for_review(draft, author)
    assert offered(waiting, author) == {"send_back", "retire"}
    assert offered(waiting, other) == {"publish", "send_back", "retire"}
    published = services.publish(waiting, other)
    assert offered(published, author) == {"retire", "new_version"}
    assert offered(services.retire(published, author, "x"), author) == {"new_version"}


@pytest.mark.parametrize(
    "change",
    [
        {"words": {"pt": {"title": "outro"}}},
        {"scenario_document": {}},
        {"ruling_document": {}},
        {"ruling_document": None},
        {"topic": "deal_faults"},
        {"difficulty": 5},
        {"state": State.DRAFT},
        {"state": State.IN_REVIEW},
        {"published_at": None},
    ],
)
def test_the_database_refuses_to_change_what_is_published(change: dict[str, object]) -> None:
    published = make_published()
    before = Version.objects.filter(pk=published.pk).values().get()
    with pytest.raises(IntegrityError, match="a published version never changes; make a new"), transaction.atomic():
        Version.objects.filter(pk=published.pk).update(**change)
    services.retire(published, published.author, "fora")
    with pytest.raises(IntegrityError, match="a published version never changes; make a new"), transaction.atomic():
        Version.objects.filter(pk=published.pk).update(**change)
    after = Version.objects.filter(pk=published.pk).values().get()
    free = {"state", "changed_at"}
    assert {k: v for k, v in after.items() if k not in free} == {k: v for k, v in before.items() if k not in free}


def test_the_database_knows_of_the_second_person_and_of_one_published_version() -> None:
    waiting = make_in_review()
    alone = {"state": State.PUBLISHED, "published_by": waiting.author, "ruling_document": {}}
    with pytest.raises(IntegrityError, match="CHECK constraint failed:"), transaction.atomic():
        Version.objects.filter(pk=waiting.pk).update(**alone)
    with pytest.raises(IntegrityError, match="CHECK constraint failed:"), transaction.atomic():
        Version.objects.filter(pk=waiting.pk).update(state=State.PUBLISHED)
    published = services.publish(waiting, instructor())
    with pytest.raises(IntegrityError, match="UNIQUE constraint failed:"), transaction.atomic():
        Version.objects.create(
            item=published.item,
            number=2,
            state=State.PUBLISHED,
            source="authored",
            scenario_document={},
            ruling_document={},
            author=published.author,
            published_by=instructor(),
            published_at=published.published_at,
        )


def test_a_mistake_becomes_a_draft_without_the_secret_seed() -> None:
    scenario = make_scenario("secret")
    draft = drafts.start_from_mistake(instructor(), as_stored(scenario))
    assert (draft.source, draft.scenario.seed) == ("mistake", "")
    assert draft.scenario.situation == scenario.situation
