"""Options that are never right: trainees soon see it, and such an option only narrows the choice.

An option of a choice must be right in some generated case of the rulebook. `nobody` and the phrases of a pick-list must
be right in some case of the same kind of incident. Figures in a phrase do not count.
"""

from collections import Counter
from collections.abc import Iterable, Iterator

from msgspec import Struct

from rules_engine.guessing import form, said
from rules_engine.pool import Drawn
from rules_engine.questions import NOBODY, Question
from rules_engine.rulebook import Rulebook
from rules_engine.ruling import DOES_NOT_ARISE

# An option that was right in none of so many cases is never right.
OFFERED = 400
PHRASES = 6


class Offer(Struct, frozen=True):
    """An option of a question, in how many cases it was offered, and in how many it was right."""

    question: str
    option: str
    offered: int
    right: int


def offers(book: Rulebook, drawn: Iterable[Drawn]) -> tuple[Offer, ...]:
    """Every option offered in these draws."""
    offered: Counter[tuple[str, str]] = Counter()
    right: Counter[tuple[str, str]] = Counter()
    for one in drawn:
        found: dict[tuple[str, str], bool] = {}
        for question in one.questions:
            for name, option, once in _measured(question, one, book):
                found[name, option] = found.get((name, option), False) or once
        offered.update(found.keys())
        right.update(at for at, once in found.items() if once)
    return tuple(Offer(name, option, often, right[name, option]) for (name, option), often in offered.items())


def _measured(question: Question, one: Drawn, book: Rulebook) -> Iterator[tuple[str, str, bool]]:
    name, answer = question.key.partition(".")[0], said(question, one.ruling, book)
    options = [str(option) for option in question.options if option != DOES_NOT_ARISE]
    if question.kind == "choice":
        yield from ((name, option, option == answer) for option in options)
    elif question.kind == "player" and NOBODY in options:
        yield f"{one.kind} {name}", NOBODY, answer == NOBODY
    elif question.kind == "words":
        phrases = {form(option, book) for option in options}
        yield from ((f"{one.kind} {name}:", phrase, phrase == form(answer, book)) for phrase in phrases)
        if len(options) > PHRASES:
            yield f"{one.kind} {name}:", f"more than {PHRASES} phrases", False


def idle(found: Iterable[Offer], book: Rulebook) -> list[str]:
    """Options that were never right, one per line, except those for which `quality.toml` gives a reason."""
    offered: Counter[tuple[str, str]] = Counter()
    right: Counter[tuple[str, str]] = Counter()
    for offer in found:
        offered[offer.question, offer.option] += offer.offered
        right[offer.question, offer.option] += offer.right
    reasons = book.game.standard.idle
    return [
        f"{question} {option}: offered {often} times and never right"
        for (question, option), often in offered.items()
        if often >= OFFERED and not right[question, option] and f"{question} {option}" not in reasons
    ]
