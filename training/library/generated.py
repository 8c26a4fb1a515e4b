"""Generate and pick: scenarios offered to an instructor, none of them stored until it is kept."""

from dataclasses import dataclass
from typing import Any

from django.core import signing
from django.db import transaction
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext as _

import rules_engine
from rules_engine import Scenario
from rules_engine.topics import cases
from training.house.readings import as_practised
from training.library import guarded_cases, services
from training.library.models import Version
from training.people.models import User
from training.platform.errors import Refused

MOST = 50
SALT = "library.candidate"
SEED_SIGNS = 16
KEPT_FOR = 24 * 60 * 60  # seconds in which an offered scenario can be kept
# Small corners of the rules have few different scenarios: after this many repeats in a row there are no more.
TRIES = 20


@dataclass(frozen=True)
class Wish:
    """What kind of scenarios, and the seed from which the whole offer is made again on a reload."""

    rulebook: str
    topic: str | None
    article: str | None
    difficulty: int
    seed: str


@dataclass(frozen=True)
class Candidate:
    token: str
    scenario: Scenario


def offer(wish: Wish, count: int) -> list[Candidate]:
    """Up to `count` different scenarios; fewer where there are no more of them."""
    found: dict[bytes, Candidate] = {}
    watch = guarded_cases.Watch(wish.rulebook)
    number = repeats = 0
    while len(found) < count and repeats < TRIES:
        arguments = _arguments(wish, _seed(wish, number))
        scenario = as_practised(rules_engine.generate(**arguments))
        facts = rules_engine.encode(scenario.situation)
        # What exams use or may use is passed over as if it had come already.
        again = facts in found or bool(watch.near(scenario))
        repeats = repeats + 1 if again else 0
        if not again:
            found[facts] = Candidate(_sign(arguments), scenario)
        number += 1
    return list(found.values())


def candidate(token: str) -> Scenario:
    """The scenario behind a token, made again. Refused where it is too old or not ours."""
    try:
        engine, arguments = signing.loads(token, salt=SALT, max_age=KEPT_FOR)
    except signing.BadSignature:
        raise Refused(_("This offer is no longer valid. Generate again.")) from None
    if engine != rules_engine.rulebook(arguments["book_id"]).game.version:
        raise Refused(_("The rules engine has been updated since. Generate again."))
    return as_practised(rules_engine.generate(**arguments))


@transaction.atomic
def keep(author: User, tokens: list[str]) -> list[Version]:
    """Drafts of the picked ones. What the author has already kept is not kept twice."""
    return [_keep(author, candidate(token)) for token in dict.fromkeys(tokens)]


def _keep(author: User, scenario: Scenario) -> Version:
    # Seeds are random, so the same seed is the same offer sent twice.
    before = Version.objects.filter(
        author=author,
        source=Version.Source.GENERATED,
        number=1,
        rulebook=scenario.rulebook,
        topic=scenario.topic,
        scenario_document__seed=scenario.seed,
    )
    return before.first() or services.start_from_generated(author, scenario)


def articles(rulebook: str, topic: str | None = None) -> list[str]:
    """The articles that generated scenarios of a rulebook can turn on, in the order of the regulation."""
    practised = {cite for case in cases(rulebook, topic) for cite in case.turns_on[rulebook]}
    return sorted(practised, key=_natural)


def _natural(cite: str) -> tuple[int, str]:
    number = cite.partition(" ")[0].split("-")[0]
    return (int(number) if number.isdigit() else 0, cite)


def _arguments(wish: Wish, seed: str) -> dict[str, Any]:
    return {
        "book_id": wish.rulebook,
        "topic": wish.topic,
        "seed": seed,
        "difficulty": wish.difficulty,
        "article": wish.article,
    }


def _seed(wish: Wish, number: int) -> str:
    """The seed of one case of an offer: always the same, but told by nothing else that the asker knows. Otherwise
    whoever has the engine would make what was passed over, and so find out what exams use."""
    return salted_hmac(SALT, f"{wish.seed}-{number}").hexdigest()[:SEED_SIGNS]


def _sign(arguments: dict[str, Any]) -> str:
    return signing.dumps([rules_engine.rulebook(arguments["book_id"]).game.version, arguments], salt=SALT)
