"""Generates scenarios for an instructor to pick from. Only those that are kept are stored."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.core import signing
from django.db import transaction
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext as _

import rules_engine
from rules_engine import Adopted, Scenario, Table
from rules_engine.topics import cases
from training.house import tables
from training.house.readings import practised
from training.library import drafts, guarded_cases
from training.library.models import Version
from training.people.models import User
from training.platform.engine_json import as_stored
from training.platform.errors import Refused

MOST = 50
SALT = "library.candidate"
SEED_LENGTH = 16
KEPT_FOR = 24 * 60 * 60  # seconds; after that an offered scenario can no longer be kept
# Some rules have few different scenarios: stop after this many repeats in a row.
TRIES = 20


@dataclass(frozen=True)
class Wish:
    """What kind of scenarios to generate. The seed makes a reload show the same ones."""

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
    """Up to `count` different scenarios; fewer if there are no more."""
    found: dict[bytes, Candidate] = {}
    watch, at, adopted = guarded_cases.Watch(wish.rulebook), tables.of_house(wish.rulebook), practised(wish.rulebook)
    number = repeats = 0
    while len(found) < count and repeats < TRIES:
        arguments = _arguments(wish, _seed(wish, number), at)
        scenario = _made(arguments, adopted)
        facts = rules_engine.encode(scenario.situation)
        # Skip repeats, cases that exams use or may use, and cases that turn on another article.
        again = facts in found or bool(watch.near(scenario)) or not _turns_on(scenario, wish.article)
        repeats = repeats + 1 if again else 0
        if not again:
            found[facts] = Candidate(_sign(arguments), scenario)
        number += 1
    return list(found.values())


def _turns_on(scenario: Scenario, article: str | None) -> bool:
    """Whether the ruling turns on the article that was asked for."""
    return article is None or article in scenario.solve().pivots


def candidate(token: str) -> Scenario:
    """Generate the scenario of a token again. Raises Refused if the token has expired or is not ours."""
    try:
        engine, arguments = signing.loads(token, salt=SALT, max_age=KEPT_FOR)
    except signing.BadSignature:
        raise Refused(_("This offer is no longer valid. Generate again.")) from None
    if engine != rules_engine.rulebook(arguments["book_id"]).game.version:
        raise Refused(_("The rules engine has been updated since. Generate again."))
    return _made(arguments, practised(arguments["book_id"]))


def _made(arguments: dict[str, Any], adopted: dict[str, Adopted]) -> Scenario:
    table = rules_engine.table_from(arguments["table"])
    return rules_engine.generate(**arguments | {"table": table}, readings=adopted)


@transaction.atomic
def keep(author: User, tokens: list[str]) -> list[Version]:
    """Make drafts of the picked scenarios. What the author has already kept is not kept twice."""
    return [_keep(author, candidate(token)) for token in dict.fromkeys(tokens)]


def _keep(author: User, scenario: Scenario) -> Version:
    # Seeds are random, so the same seed means that the form was sent twice.
    before = Version.objects.filter(
        author=author,
        source=Version.Source.GENERATED,
        number=1,
        rulebook=scenario.rulebook,
        topic=scenario.topic,
        scenario_document__seed=scenario.seed,
    )
    return before.first() or drafts.create_draft(author, scenario, source=Version.Source.GENERATED)


def articles(rulebook: str, topic: str | None = None) -> list[str]:
    """The articles that generated scenarios of a rulebook can turn on, in the order of the regulation."""
    practised = {cite for case in cases(rulebook, topic) for cite in case.turns_on[rulebook]}
    return sorted(practised, key=_natural)


def _natural(cite: str) -> tuple[int, str]:
    number = cite.partition(" ")[0].split("-")[0]
    return (int(number) if number.isdigit() else 0, cite)


def _arguments(wish: Wish, seed: str, at: Sequence[Table]) -> dict[str, Any]:
    return {
        "book_id": wish.rulebook,
        "topic": wish.topic,
        "seed": seed,
        "difficulty": wish.difficulty,
        "article": wish.article,
        "table": as_stored(tables.pick(at, seed)),
    }


def _seed(wish: Wish, number: int) -> str:
    """The seed of one scenario of an offer: reproducible, but derived with a secret.

    Otherwise anybody with the engine could generate what was skipped and so find out what exams use."""
    return salted_hmac(SALT, f"{wish.seed}-{number}").hexdigest()[:SEED_LENGTH]


def _sign(arguments: dict[str, Any]) -> str:
    return signing.dumps([rules_engine.rulebook(arguments["book_id"]).game.version, arguments], salt=SALT)
