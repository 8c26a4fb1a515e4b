"""The kinds of sprints. A sprint asks one question of each case, on topics that must become reflexes."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

import rules_engine
from rules_engine import GAMES, RULEBOOKS, Question, Scenario
from rules_engine.draw import Draw
from rules_engine.game import SprintKind
from training.house import tables
from training.people.models import User
from training.platform import secret_seeds
from training.practice.fresh import fresh_scenario
from training.practice.study import study_of

TRIES = 40


@dataclass(frozen=True)
class Kind:
    key: SprintKind
    name: Promise
    about: Promise
    asks: Callable[[Question], bool]
    difficulty: int = 1

    @property
    def topics(self) -> tuple[tuple[str, str], ...]:
        """The rulebooks and topics of its cases, from all games."""
        return tuple(pair for game in GAMES.values() for pair in game.sprints.get(self.key, ()))


KINDS: dict[str, Kind] = {
    kind.key: kind
    for kind in (
        Kind(
            "scores",
            _("Scores of the hands"),
            _("Two hands on the layout: what are they worth?"),
            lambda question: question.kind == "score",
        ),
        Kind(
            "third_card",
            _("Third card"),
            _("Does the banker draw, stand, or choose?"),
            lambda question: question.key == "banker_draw",
        ),
        Kind(
            "payouts",
            _("Payouts"),
            _("How many times is it paid, and how much is that?"),
            lambda question: question.kind == "amount" or question.key == "multiple",
        ),
    )
}


def new_case(kind: Kind, trainee: User) -> tuple[Scenario, str]:
    """A case from a secret seed, at a table of the trainee, and the key of the question to ask, which always arises."""
    studied = study_of(trainee).rulebooks
    topics = [(_own(book, topic, studied), topic) for book, topic in kind.topics]
    for _try in range(TRIES):
        draw = Draw(secret_seeds.secret_seed())
        book, topic = draw.pick(topics)
        made = fresh_scenario(book, topic, kind.difficulty, None, at=tables.of_trainee(trainee.pk, book))
        arising = {decision.key for decision in made.solve().decisions}
        if fit := [question.key for question in made.questions if kind.asks(question) and question.key in arising]:
            return made, draw.pick(fit)
    raise LookupError(f"no case for a sprint of {kind.key}")


def _own(book: str, topic: str, studied: Sequence[str]) -> str:
    """The first studied rulebook of the same game with the topic: its own table must become the reflex."""
    game = RULEBOOKS[book].game
    return next((one for one in studied if RULEBOOKS[one].game is game and topic in rules_engine.topics(one)), book)
