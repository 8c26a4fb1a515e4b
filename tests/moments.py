"""Moments of running tables for an independent judge: `python -m tests.moments N FOLDER [--seed S] [--book ID …]`.

Writes `sheet.md`, which tells everything that could be seen and heard in a coup so far and asks what is due and whether
anything is wrong, and `key.md` with the duties, the fault and its ruling. The judge answers from the regulation before
the key is opened. The dealer of the sheet does everything that is due and never stops the game, so a fault may lie some
moments back; the sheet then tells what came of it, and the key names it.
"""

import argparse
import os
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import django
from django.utils import translation

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tests.settings")
django.setup()

from rules_engine import Rulebook, play  # noqa: E402
from rules_engine.draw import Draw  # noqa: E402
from rules_engine.live.claims import face_down, hangs_on_unseen  # noqa: E402
from rules_engine.live.dealers import dutiful  # noqa: E402
from rules_engine.live.stopping import open_fault  # noqa: E402
from tests.engine.live import BOOKS  # noqa: E402
from training.live_table.lines import asked, lines, name, spot  # noqa: E402
from training.live_table.watching import duty_words  # noqa: E402

LANGUAGE = "en"
FAULTS, CHATTER = 0.45, 0.5
EARLIER = 6  # coups at most that were played before
# The dealer of every third moment is shown where something is told or wrong, the others anywhere in a coup.
POINTED = 3
SECRET = ("kept",)  # of the facts that last
HEAD = """# Moments of running tables

Answer from the regulation alone, before the key is opened. For each moment: what must the dealer do now, and is
anything wrong that the dealer has to stop the game for, now or at an earlier moment of this coup?

The dealer has done everything that was due before and never stopped the game. Where a fault was missed, the coup goes
on as it lies: a late stake counts, a card too many is a card unless the text says that it does not count, and what is
due then follows from the table as it lies. A throw that nobody can read, or for which a die was not in the cup, is
declared void by the inspector. What a moment tells happens before the dealer acts in it. \"loose\" are cards that
belong to nobody yet. Losing bets are collected before winning ones are paid.

Answer what is due in the moment marked "now", not what comes next: a quiet moment, in which nothing is seen, may still
follow, and so may an act of a player. Each act of the dealer that the table lists is a duty of its own, in a quiet
moment after the words that tell it (at craps, that the same shooter goes on). A call of a player and the dealer's
repetition are in one moment. The result of a spin is announced in the moment in which the ball lies still, and that of
cussec in the moment in which the dice are seen, unless something is told of them then; a throw at craps or banca
francesa is announced in a quiet moment that follows. At ponto e banca the scores follow in a quiet moment; at chemin de
fer the result is announced in the moment in which the last cards are turned up, or in a quiet one if all lie open
before. At chemin de fer stakes are then collected and paid in one moment. In the other games losing bets have a moment
of their own, which comes even if there are none and is then empty; prizes are paid in the next one. After them a bet
that moves to its number at craps does so by itself, and players take back what they have won. The words and the act
that hand the bank on are due in the moment after the payments: where chips are left in the bank, the one in which they
go back to the banker. The dealer is not marked on giving the cards that players ask for, on the order of payments, on
announcing payments in chips of no colour of their own (X 25), nor on what a text without words for it leaves to custom.
"""


@dataclass(frozen=True)
class Shown:
    """A coup up to one moment: what was seen when it began, and what happened in each moment."""

    state: play.State
    known: dict[str, object]
    seen: dict[str, object]
    steps: list[tuple[play.Event, ...]]


def moment(book: str, seed: str) -> Shown:
    """A moment of a running table."""
    draw = Draw("moments", book, seed)
    habits = play.Habits(busy=draw.number(1, 4), chatter=CHATTER)
    earlier = draw.number(0, EARLIER)
    setup = play.Setup(rulebook=book, seed=seed, coups=earlier + 2, faults=FAULTS, habits=habits)
    state, events = play.begin(setup)
    while state.coup <= earlier:
        state, events = play.act(state, _spoken(state))
    pointed = [at for at, one in enumerate(state.moments) if one.kind]
    wanted = draw.number(0, len(state.moments) - 1)
    if pointed and draw.number(1, POINTED) == 1:
        wanted = pointed[0]
    known, seen, steps = state.table, play.seen(state), [_of_coup(events)]
    while state.at < wanted:
        before = state.at
        state, events = play.act(state, _spoken(state))
        if state.at > before:
            steps.append(events)
        else:
            steps[-1] += events
    return Shown(state, known, seen, steps)


def _spoken(state: play.State) -> play.Act:
    """The next act of a dutiful dealer, with calls in words as everybody hears them."""
    done = dutiful(state)
    if not isinstance(done, play.Say):
        return done
    book = play.book_of(state.setup)
    duty = next(one for one in state.due if one.words and one.words.formula == done.formula)
    assert duty.words is not None
    return play.Say(text=book.say(duty.words, book.language_of(duty.key)))


def _of_coup(events: tuple[play.Event, ...]) -> tuple[play.Event, ...]:
    begun = max((at for at, event in enumerate(events) if event.what == "coup"), default=0)
    return events[begun:]


def told(shown: Shown, number: int) -> str:
    """A moment as the sheet tells it."""
    book = play.book_of(shown.state.setup)
    parts = [f"## {number}. {book.id}", "", _table(book, shown), ""]
    for at, events in enumerate(shown.steps, start=1):
        now = " (now)" if at == len(shown.steps) else ""
        parts += [f"- Moment {at}{now}:", *(f"    - {line}" for line in _lines(events, book))]
    scene = play.scene(shown.state.setup, shown.seen, [event for step in shown.steps for event in step])
    parts += [
        "",
        f"The table now: {_picture(scene, book)}",
        "",
        "What is due now? Is anything wrong, now or before?",
        "",
    ]
    return "\n".join(parts)


def _table(book: Rulebook, shown: Shown) -> str:
    table, state = book.table, shown.state
    chips = ", ".join(str(chip.value) for chip in table.chips)
    limits = "; ".join(f"{one.bet} {one.minimum}-{one.maximum or ''} step {one.step}" for one in table.limits)
    known = {name: value for name, value in shown.known.items() if name not in (*SECRET, *shown.seen)}
    acts = "; ".join(asked(one.key, book, LANGUAGE) for one in play.flow_of(book).acts)
    return (
        f"Table: {table.name}, smallest bet {table.minimum}, chips {chips}. {limits}\n\nActs of the dealer besides "
        f"words and chips: {acts}.\n\nCoup {state.coup}. "
        f"When it began: {shown.seen}. Known from earlier coups: {known}."
    )


def _lines(events: Iterable[play.Event], book: Rulebook) -> list[str]:
    found = []
    for event in events:
        if event.what == "card":
            found.append(f"Card to {event.to}: {event.card or 'face down'}")
        elif event.what == "chips" and event.values.get("told"):
            found.append(f"{name(event.by, book, LANGUAGE)}: {event.amount} no longer lie on {event.values['from']}")
        elif event.what == "chips" and event.values.get("from"):
            gone = f"{name(event.by, book, LANGUAGE)}: {event.amount} from {event.values['from']}"
            found.append(f"{gone} to {event.to}" if event.to else f"{gone}, taken back")
        elif said := lines([event], book, LANGUAGE):
            found.append(f"{said[0].by}: {said[0].words}" if said[0].by else said[0].words)
    return found or ["(nothing is said)"]


def _picture(scene: play.Scene, book: Rulebook) -> str:
    stacks = [f"{one.player}: {one.amount} on {spot(one.spot, book, LANGUAGE) or one.spot}" for one in scene.stacks]
    hidden = set(getattr(scene.situation, "hidden", ()))
    cards = []
    for heap, fact in (("ponto", "ponto"), ("banker", "banker_cards"), ("bank", "bank_cards"), ("loose", "loose")):
        held = getattr(scene.situation, fact, ())
        refs = [f"{heap}.{n}" for n in range(1, len(held) + 1)]
        if held:
            faces = ("face down" if ref in hidden else card for ref, card in zip(refs, held, strict=True))
            cards.append(f"{heap} {' '.join(faces)}")
    cards += [f"seat {hand.seat} {' '.join(hand.cards)}" for hand in getattr(scene.situation, "hands", ())]
    return "; ".join([*cards, *stacks]) or "empty"


def solved(shown: Shown, number: int) -> str:
    """The key of a moment."""
    state, book = shown.state, play.book_of(shown.state.setup)
    due = [f"- due: {duty_words(duty, book, LANGUAGE)} ({_rests(duty)})" for duty in state.due] or ["- due: nothing"]
    parts = [f"## {number}. {book.id}", "", *due]
    if state.fault is None or state.fault > state.at:
        if not state.moment.kind:
            return "\n".join([*parts, "- wrong: nothing", ""])
        parts.append(f"- wrong: nothing to stop the game for; the answer to {state.moment.kind}:")
        return "\n".join([*parts, *_decided(book, state.moment.facts, state), ""])
    fault = state.moments[state.fault]
    when = "now" if state.fault == state.at else f"since moment {state.fault + 1}"
    late = "" if open_fault(state) else ", too late to put right"
    parts.append(f"- wrong: {fault.kind}, {when}{late}")
    void = [f"    - the throw: void ({one.void})" for one in state.moments if one.void]
    return "\n".join([*parts, *_decided(book, fault.facts, state), *void, ""])


def _rests(duty: play.Duty) -> str:
    """What a duty rests on. Where the text leaves open what is due, no exam counts it."""
    return f"{duty.cite or 'no article'}{', left open by the text' if duty.open else ''}"


def _decided(book: Rulebook, facts: object, state: play.State) -> list[str]:
    """What the ruling on an incident decides, as far as the cards that have been seen tell, and the clauses that it
    turns on; one of several may be a clause that does not forbid what is refused."""
    situation = book.read(facts)
    ruling = book.rule(situation)
    unknown = hangs_on_unseen(situation, book, ruling, face_down(state.moments[: state.at + 1]))
    known = [f"    - {one.key}: {one.value}" for one in ruling.decisions if one.key not in unknown]
    return [*known, f"    - rests on {', '.join(ruling.pivots)}"]


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.moments", description=__doc__)
    parser.add_argument("count", type=int)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--seed", default="moments")
    parser.add_argument("--book", nargs="+", default=list(BOOKS), choices=BOOKS, metavar="ID")
    given = parser.parse_args()
    found = [moment(given.book[n % len(given.book)], f"{given.seed} {n}") for n in range(given.count)]
    given.folder.mkdir(parents=True, exist_ok=True)
    with translation.override(LANGUAGE):
        for file, words in (("sheet.md", told), ("key.md", solved)):
            written = [words(one, number) for number, one in enumerate(found, start=1)]
            (given.folder / file).write_text("\n".join([HEAD if words is told else "# Key", *written]))


if __name__ == "__main__":
    main()
