"""Drills for tests: made by the services, answered from the ruling or against it."""

from typing import Any

from rules_engine import DOES_NOT_ARISE, Scenario, Utterance, generate
from tests.factories import PersonFactory
from training.people.models import User
from training.platform.engine_json import document
from training.practice import services
from training.practice.models import Drill

RULEBOOK, TOPIC, ARTICLE = "pt-chemin-de-fer", "third_card", "67 d"


def make_drill(trainee: User | None = None, **changes: Any) -> Drill:
    chosen: dict[str, Any] = {"rulebook": RULEBOOK, "topic": TOPIC, "difficulty": 2, "article": ARTICLE} | changes
    return services.start_drill(trainee or PersonFactory(), **chosen)


def put(scenario: Scenario, trainee: User | None = None) -> Drill:
    """A drill of this case."""
    return Drill.objects.create(
        trainee=trainee or PersonFactory(),
        rulebook=scenario.rulebook,
        topic=scenario.topic,
        difficulty=scenario.difficulty,
        scenario_document=document(scenario),
    )


def silent() -> Scenario:
    """A ball that has not come to rest: whether words arise is asked, and none do."""
    made = (generate("pt-roleta-francesa", "spin", seed, 3) for seed in range(400))
    quiet = {"announcement": DOES_NOT_ARISE, "marker": DOES_NOT_ARISE}
    return next(one for one in made if right_answer(one) == quiet)


def right_answer(scenario: Scenario) -> dict[str, str]:
    """The answer by question that deserves every point."""
    found = {question.key: DOES_NOT_ARISE for question in scenario.questions}
    for decision in scenario.solve().decisions:
        value = decision.value
        if isinstance(value, Utterance):
            value = scenario.book.say(value, scenario.book.language_of(decision.key))
        if decision.key in found:
            found[decision.key] = ", ".join(value) if isinstance(value, tuple) else str(value)
    return found


def wrong_answer(scenario: Scenario) -> dict[str, str]:
    """An answer that is possible and wrong in one critical choice."""
    right = right_answer(scenario)
    critical = next(d for d in scenario.solve().decisions if d.critical and d.kind == "choice")
    others = [option for option in scenario.book.game.options(critical.key) if option != critical.value]
    return right | {critical.key: others[0]}


def form(answer: dict[str, str]) -> dict[str, str]:
    return {f"q.{key}": value for key, value in answer.items()}
