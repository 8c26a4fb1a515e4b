"""What is published for the exam bank is in nobody's practice, and what was practised never enters it."""

from collections.abc import Callable
from datetime import timedelta
from itertools import chain, count
from typing import Any

import msgspec
import pytest
from django.db import IntegrityError, transaction
from django.test import Client
from django.urls import reverse
from django.utils import timezone

import rules_engine
from rules_engine import Scenario
from tests.classes.rooms import make_class
from tests.factories import PersonFactory
from tests.library.versions import (
    ARTICLE,
    RULEBOOK,
    TITLED,
    TOPIC,
    instructor,
    make_in_review,
    make_published,
    make_scenario,
)
from training.classes import selectors as class_selectors
from training.classes import services as classes
from training.library import drafts, services
from training.library.models import Act, Version
from training.mastery.memory import Rule
from training.people.models import Role, User
from training.platform.engine_json import as_stored
from training.platform.errors import Refused
from training.practice import fresh, next_drill
from training.practice.models import Drill
from training.practice.services import put_drill

pytestmark = pytest.mark.django_db
SignIn = Callable[..., Client]
FREE = {"rulebook": RULEBOOK, "topic": TOPIC, "difficulty": 2}
WHY = "Já saiu em muitos exames."


@pytest.fixture
def banked() -> Version:
    return make_published(reserved=True)


def put_in_practice() -> list[Version | None]:
    """What practice puts of the library in each of its ways."""
    trainee = PersonFactory()
    rule = Rule(RULEBOOK, ARTICLE)
    return [
        next_drill.start_free(trainee, **FREE).version,  # type: ignore[arg-type]
        next_drill.put_rule(trainee, rule, difficulty=2, mode=Drill.Mode.SCHEDULED).version,
        next_drill.put_rule(trainee, rule, difficulty=2, mode=Drill.Mode.REPLAY).version,
    ]


def test_practice_never_puts_what_is_reserved_and_does_once_it_is_released(banked: Version) -> None:
    assert put_in_practice() == [None, None, None]
    services.release(banked, instructor(), WHY)
    assert banked in put_in_practice()


def test_practice_makes_no_case_that_the_bank_keeps(banked: Version, monkeypatch: pytest.MonkeyPatch) -> None:
    """A seed may give the very facts of a reserved scenario: then another is made, until it is given to practice."""
    same = banked.scenario.seed
    seeds = chain([same], map(str, count(1000)))
    monkeypatch.setattr("training.platform.secret_seeds.secret_seed", lambda: next(seeds))
    table = banked.scenario.table
    assert table
    at = [table]
    assert fresh.fresh_scenario(RULEBOOK, TOPIC, 2, ARTICLE, at=at).situation != banked.scenario.situation
    monkeypatch.setattr("training.platform.secret_seeds.secret_seed", lambda: same)
    with pytest.raises(Refused, match="Escolha outro tema"):
        fresh.fresh_scenario(RULEBOOK, TOPIC, 2, ARTICLE, at=at)
    services.release(banked, instructor(), WHY)
    assert fresh.fresh_scenario(RULEBOOK, TOPIC, 2, ARTICLE, at=at).situation == banked.scenario.situation


def test_practice_makes_no_case_that_the_bank_keeps_for_another_rulebook_of_the_game(banked: Version) -> None:
    alike = under_a_sister(banked.scenario)
    assert fresh.is_kept_out(alike)
    services.release(banked, instructor(), WHY)
    assert not fresh.is_kept_out(alike)


def test_what_is_reserved_is_neither_offered_for_set_work_nor_taken(banked: Version) -> None:
    practised = make_published(seed="2")
    assert class_selectors.published([RULEBOOK], "", []) == [practised]
    assert class_selectors.published_versions([banked.pk, practised.pk]) == [practised]
    teacher = instructor()
    due = timezone.now() + timedelta(days=1)
    with pytest.raises(Refused, match="reservado para exames"):
        classes.assign(make_class(teacher), teacher, title="Casos", due_at=due, versions=[banked])


def test_a_trainee_gets_it_by_no_program(signed_in: SignIn, banked: Version) -> None:
    trainee = signed_in(Role.TRAINEE)
    started = trainee.post("/api/v1/drills/", FREE | {"mode": "free"}, content_type="application/json")
    assert started.status_code == 201
    assert Drill.objects.get().version is None
    assert trainee.get(f"/api/v1/scenarios/{banked.pk}/").status_code == 403
    assert trainee.get(reverse("version", args=[banked.pk])).status_code == 403


def drilled(version: Version) -> None:
    put_drill(PersonFactory(), version.scenario, mode=Drill.Mode.FREE, version=version)


def again(version: Version) -> Version:
    """A new version of the same item, in review."""
    return services.submit_for_review(drafts.new_version(version.item, version.author), version.author)


def test_what_was_practised_never_enters_the_bank() -> None:
    practised = make_published()
    drilled(practised)
    with pytest.raises(Refused, match="foi treinado"):
        services.publish(again(practised), instructor(), reserved=True)
    assert services.publish(Version.objects.latest("pk"), instructor()).state == Version.State.PUBLISHED


def test_what_nobody_has_met_may_enter_by_a_new_version() -> None:
    moved = services.publish(again(make_published()), instructor(), reserved=True)
    assert moved.reserved
    assert put_in_practice() == [None, None, None]


def test_the_same_facts_as_one_in_practice_do_not_enter() -> None:
    make_published(seed="1")
    with pytest.raises(Refused, match="mesmos factos"):
        make_published(seed="1", reserved=True)
    assert make_published(seed="2", reserved=True).reserved


def under_another_topic(scenario: Scenario) -> Scenario:
    other = next(topic for topic in rules_engine.topics(RULEBOOK) if topic != scenario.topic)
    return msgspec.structs.replace(scenario, topic=other)


def under_a_sister(scenario: Scenario) -> Scenario:
    """The same facts under another rulebook of the game: feedback there tells how this one rules."""
    return rules_engine.scenario_of(scenario.situation, rules_engine.rulebook("pt-chemin-de-fer-1995"), topic=TOPIC)


@pytest.mark.parametrize("alike", [under_another_topic, under_a_sister])
def test_nor_do_they_under_another_topic_or_rulebook(alike: Callable[[Scenario], Scenario]) -> None:
    author = instructor()
    draft = drafts.create_draft(author, alike(make_scenario("1")), source="authored", words=TITLED)
    services.publish(services.submit_for_review(draft, author), instructor())
    with pytest.raises(Refused, match="mesmos factos"):
        make_published(seed="1", reserved=True)


def first_moment(author: User, scenario: Scenario) -> Version:
    return drafts.create_draft(author, scenario, source="authored", words=TITLED)


@pytest.mark.parametrize("alike", [lambda scenario: scenario, under_another_topic, under_a_sister])
def test_what_the_bank_holds_is_not_given_to_practice_by_another_item(
    banked: Version, alike: Callable[[Scenario], Scenario]
) -> None:
    author, held = instructor(), "O banco de exames tem um cenário com os mesmos factos"
    alone = drafts.create_draft(author, alike(make_scenario()), source="authored", words=TITLED)
    with pytest.raises(Refused, match=held):
        services.publish(services.submit_for_review(alone, author), instructor())
    # Moments of a story are all of one rulebook.
    story = drafts.save_moment(
        first_moment(author, alike(make_scenario("9"))), author, 2, scenario=alike(make_scenario()), words={}
    )
    waiting = services.submit_for_review(story, author)
    with pytest.raises(Refused, match=held):
        services.publish(waiting, instructor())
    services.release(banked, instructor(), WHY)
    assert services.publish(waiting, instructor()).state == Version.State.PUBLISHED


def test_what_the_bank_holds_stays_out_of_practice_while_it_is_suspended(banked: Version) -> None:
    services.suspend(banked, ruling=None, comment="Mudou.")
    author = instructor()
    with pytest.raises(Refused, match="O banco de exames tem um cenário com os mesmos factos"):
        services.publish(services.submit_for_review(first_moment(author, make_scenario()), author), instructor())


def test_of_two_alike_in_the_bank_none_is_released_while_the_other_stays(banked: Version) -> None:
    twin = make_published(reserved=True)
    with pytest.raises(Refused, match="mesmos factos"):
        services.release(banked, instructor(), WHY)
    services.retire(twin, instructor(), WHY)
    assert not services.release(banked, instructor(), WHY).reserved


def test_the_mistake_of_a_trainee_does_not_enter() -> None:
    author = instructor()
    draft = drafts.create_draft(author, make_scenario(), source=Version.Source.MISTAKE, words=TITLED)
    with pytest.raises(Refused, match="encontrou estes factos"):
        services.publish(services.submit_for_review(draft, author), instructor(), reserved=True)


def test_nor_does_a_copy_of_it() -> None:
    drafts.start_from_mistake(instructor(), as_stored(make_scenario()))
    with pytest.raises(Refused, match="Um formando já encontrou"):
        make_published(reserved=True, source=Version.Source.AUTHORED)
    assert make_published(seed="2", reserved=True).reserved


def test_leaving_is_for_good_and_says_why(banked: Version) -> None:
    with pytest.raises(services.UnfitComment, match="Diga porquê"):
        services.release(banked, instructor(), "  ")
    released = services.release(banked, instructor(), WHY)
    assert not released.reserved
    assert banked.acts.filter(kind=Act.Kind.RELEASED, comment=WHY).count() == 1
    with pytest.raises(Refused, match="Só o que está reservado"):
        services.release(released, instructor(), WHY)
    with pytest.raises(Refused, match="de vez ao treino"):
        services.publish(again(released), instructor(), reserved=True)


def test_the_database_itself_lets_nothing_back_in() -> None:
    practised = make_published()
    with pytest.raises(IntegrityError, match="never reserved for exams again"), transaction.atomic():
        Version.objects.filter(pk=practised.pk).update(reserved=True)


def test_the_second_person_decides_on_the_page_and_staff_see_how_often_it_was_put(signed_in: SignIn) -> None:
    version = make_in_review()
    reviewer = signed_in(Role.INSTRUCTOR)
    page, address = reverse("version", args=[version.pk]), reverse("act_on_version", args=[version.pk])
    assert 'name="reserved"' in reviewer.get(page).content.decode()
    reviewer.post(address, {"act": "publish", "reserved": "1"})
    version.refresh_from_db()
    assert (version.state, version.reserved) == (Version.State.PUBLISHED, True)
    told = reviewer.get(page).content.decode()
    assert "0 candidatos tiveram-no, de 20 no máximo." in " ".join(told.split())
    assert "banco de exames" in reviewer.get(reverse("library"), {"use": "exams"}).content.decode()
    assert reviewer.get(reverse("library"), {"use": "practice"}).context["lines"] == []
    refused = reviewer.post(address, {"act": "release", "comment": ""})
    assert refused.status_code == 422
    reviewer.post(address, {"act": "release", "comment": WHY})
    version.refresh_from_db()
    assert not version.reserved


def test_the_same_by_a_program(signed_in: SignIn) -> None:
    reviewer, version = signed_in(Role.INSTRUCTOR), make_in_review()

    def act(**sent: Any) -> Any:
        return reviewer.post(f"/api/v1/scenarios/{version.pk}/acts/", sent, content_type="application/json").json()

    assert act(act="publish", reserved=True)["reserved"]
    listed = reviewer.get("/api/v1/scenarios/", {"reserved": "true"}).json()["results"]
    assert [row["id"] for row in listed] == [version.pk]
    assert reviewer.get("/api/v1/scenarios/", {"reserved": "false"}).json()["results"] == []
    assert not act(act="release", comment=WHY)["reserved"]
