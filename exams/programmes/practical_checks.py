"""Checks whether the practical part of a programme makes sense and can be held."""

from collections.abc import Iterator

from django.utils.translation import gettext as _

import rules_engine
from exams.programmes.rules import Rules
from rules_engine import EngineError, play
from rules_engine.live.transplant import cases_of
from training.live_table import ladder

MOST_COUPS = 100
MOST_MINUTES = 480
MOST_DAYS = 730
MOST_CONDUCT = 15
LONGEST_CONDUCT = 160
LEAST_SECONDS = 10  # for each coup


def kinds_of(book: str) -> dict[str, tuple[str, ...]]:
    """By topic of a rulebook, the kinds of fault that can occur at its running table."""
    found: dict[str, list[str]] = {}
    known = play.flow_of(rules_engine.rulebook(book)).incidents.known(rules_engine.rulebook(book))
    for kind, cases in cases_of(book).items():
        if kind in known:
            found.setdefault(cases[0].topic, []).append(kind)
    return {topic: tuple(sorted(kinds)) for topic, kinds in found.items()}


def faults(rules: Rules) -> Iterator[tuple[str, str]]:
    """Every field that is wrong, and why."""
    part = rules.practical
    if part is None:
        return
    if part.rulebook not in rules.rulebooks:
        yield "rulebook", _("Choose one of the rulebooks that the certificate is for.")
        return
    if part.rulebook not in {book.id for book in ladder.books()}:
        yield "rulebook", _("This game cannot be dealt at the running table yet.")
        return
    book = rules_engine.rulebook(part.rulebook)
    try:
        book.game.check_table(part.table, book)
    except EngineError:
        yield "rulebook", _("The table does not fit the rulebook.")
    yield from _faults_planned(rules)
    limits = {"coups": MOST_COUPS, "minutes": MOST_MINUTES, "within_days": MOST_DAYS}
    for field, limit in limits.items():
        if getattr(part, field) > limit:
            yield field, _("At most %(limit)d.") % {"limit": limit}
    if part.minutes * 60 < part.coups * LEAST_SECONDS:
        yield "minutes", _("That is too little time for so many coups.")
    if part.pass_mark < 1:
        yield "pass_mark", _("Set a higher pass mark: an exam that nobody can fail certifies nothing.")
    if not part.noticed or not sum(part.weights.values()):
        yield "noticed", _("Noticing faults must count.")
    if len(part.conduct_list) > MOST_CONDUCT or any(len(one) > LONGEST_CONDUCT for one in part.conduct_list):
        yield (
            "conduct_list",
            _("At most %(count)d lines of %(letters)d letters.")
            % {
                "count": MOST_CONDUCT,
                "letters": LONGEST_CONDUCT,
            },
        )


def _faults_planned(rules: Rules) -> Iterator[tuple[str, str]]:
    part = rules.practical
    assert part is not None  # noqa: S101 (the caller has checked)
    known = kinds_of(part.rulebook)
    if not part.faults:
        yield "faults", _("Plan at least one fault.")
    if part.count > part.coups // 2:
        yield "faults", _("At most every second coup can have a fault.")
    if any(not line.kinds or not set(line.kinds) <= set(known.get(line.topic, ())) for line in part.faults):
        yield "faults", _("No fault of this topic can occur at the running table of this rulebook.")
