"""What a sprint asks: topics that must come by reflex, one question of each case."""

from collections.abc import Callable
from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from rules_engine import Question, Scenario
from rules_engine.draw import Draw
from training.platform import secret_seeds
from training.practice.fresh import fresh_scenario

TRIES = 40


@dataclass(frozen=True)
class Kind:
    key: str
    name: Promise
    about: Promise
    topics: tuple[tuple[str, str], ...]  # rulebook and topic
    asks: Callable[[Question], bool]
    difficulty: int = 1


KINDS = {
    kind.key: kind
    for kind in (
        Kind(
            "scores",
            _("Scores of the hands"),
            _("Two hands on the layout: what are they worth?"),
            (("pt-chemin-de-fer", "card_values"),),
            lambda question: question.kind == "score",
        ),
        Kind(
            "third_card",
            _("Third card"),
            _("Does the banker draw, stand, or choose?"),
            (("pt-chemin-de-fer", "third_card"),),
            lambda question: question.key == "banker_draw",
        ),
        Kind(
            "payouts",
            _("Payouts"),
            _("How many times is it paid, and how much is that?"),
            (("pt-roleta-francesa", "multiples"), ("pt-roleta-francesa", "payout")),
            lambda question: question.kind == "amount" or question.key == "multiple",
        ),
    )
}


def new_case(kind: Kind) -> tuple[Scenario, str]:
    """A case from a secret seed and the one question of it that is asked, which always arises."""
    for _try in range(TRIES):
        draw = Draw(secret_seeds.secret_seed())
        book, topic = draw.pick(kind.topics)
        made = fresh_scenario(book, topic, kind.difficulty, None)
        arising = {decision.key for decision in made.solve().decisions}
        if fit := [question.key for question in made.questions if kind.asks(question) and question.key in arising]:
            return made, draw.pick(fit)
    raise LookupError(f"no case for a sprint of {kind.key}")
