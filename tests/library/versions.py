"""Versions for tests, brought to a state by the services."""

from typing import Any

import rules_engine
from rules_engine import Scenario
from tests.factories import PersonFactory
from training.library import drafts, services
from training.library.models import Version
from training.people.models import Role, User

TITLED = {"pt": {"title": "Um caso"}}
RULEBOOK, TOPIC, ARTICLE = "pt-chemin-de-fer", "third_card", "67 d"


def instructor(**fields: Any) -> User:
    return PersonFactory(roles=[Role.INSTRUCTOR], **fields)


def make_scenario(seed: str = "1", **changes: Any) -> Scenario:
    chosen: dict[str, Any] = {"book_id": RULEBOOK, "topic": TOPIC, "difficulty": 2, "article": ARTICLE} | changes
    return rules_engine.generate(chosen.pop("book_id"), chosen.pop("topic"), seed, chosen.pop("difficulty"), **chosen)


def make_draft(author: User | None = None, seed: str = "1", **changes: Any) -> Version:
    given = {"source": Version.Source.GENERATED, "words": {"pt": {"title": f"Caso {seed}"}}} | changes
    return drafts.create_draft(author or instructor(), make_scenario(seed), **given)


def make_in_review(author: User | None = None, seed: str = "1", **changes: Any) -> Version:
    draft = make_draft(author, seed, **changes)
    return services.submit_for_review(draft, draft.author)


def make_published(
    author: User | None = None, seed: str = "1", *, by: User | None = None, reserved: bool = False, **changes: Any
) -> Version:
    return services.publish(make_in_review(author, seed, **changes), by or instructor(), reserved=reserved)


def make_story_draft(author: User | None = None, seed: str = "1", *, moments: int = 2, **changes: Any) -> Version:
    """A draft of several moments, whose later ones are other cases of the topic."""
    draft = make_draft(author, seed, **changes)
    for number in range(2, moments + 1):
        scenario, words = make_scenario(f"{seed}-{number}"), {"pt": {"story": f"Momento {number} de {seed}"}}
        draft = drafts.save_moment(draft, draft.author, number, scenario=scenario, words=words)
    return draft


def make_story(
    author: User | None = None, seed: str = "1", *, by: User | None = None, moments: int = 2, **changes: Any
) -> Version:
    """A published story."""
    draft = make_story_draft(author, seed, moments=moments, **changes)
    return services.publish(services.submit_for_review(draft, draft.author), by or instructor())
