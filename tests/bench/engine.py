"""The engine by topic, beside the least that a program can do at such a table: a coup written by hand in forty lines
without a word of why, and a poker hand of pokerkit."""

import sys
import time
from collections.abc import Callable
from random import Random

from rules_engine import GAMES, Rulebook, generate, topics
from tests.bench.table import Line, Target, in_turns

SECONDS = 0.05  # of each measure in each round
SHOE = [min(rank, 10) % 10 for rank in range(1, 14)] * 24
# Beside the coup written by hand: a scenario with its ruling, averaged over the levels, and a ruling on a plain coup.
GENERATED, SOLVED = Target(60), Target(1.8)


def coup(seed: int) -> str:
    """Ponto e banca as short as it can be said: values, the third cards, who wins."""
    shoe = Random(seed).sample(SHOE, 6)
    ponto, banker = (shoe[0] + shoe[2]) % 10, (shoe[1] + shoe[3]) % 10
    if max(ponto, banker) < 8:
        third = shoe[4] if ponto <= 5 else None
        if third is None:
            draws = banker <= 5
        else:
            draws = (
                banker <= 2
                or (banker == 3 and third != 8)
                or (banker == 4 and 2 <= third <= 7)
                or (banker == 5 and 4 <= third <= 7)
                or (banker == 6 and 6 <= third <= 7)
            )
            ponto = (ponto + third) % 10
        if draws:
            banker = (banker + shoe[5]) % 10
    return "tie" if ponto == banker else "ponto" if ponto > banker else "banker"


def poker_hand() -> Callable[[int], object] | None:
    """Two players who check to the showdown; None where pokerkit is not installed."""
    try:
        from pokerkit import Automation, NoLimitTexasHoldem
    except ModuleNotFoundError:
        print("bench: pokerkit is not installed; its hands were left out", file=sys.stderr)
        return None
    every = tuple(Automation)

    def hand(_seed: int) -> object:
        state = NoLimitTexasHoldem.create_state(every, True, 0, (1, 2), 2, 200, 2)
        while state.status:
            state.check_or_call()
        return state.stacks

    return hand


def milliseconds(work: Callable[[int], object]) -> Callable[[], float]:
    """How long one piece of work takes, by the time of the processor: what others do there does not count."""

    def measure() -> float:
        done, started = 0, time.process_time()
        while (spent := time.process_time() - started) < SECONDS:
            for _ in range(5):
                work(done)
                done += 1
        return spent / done * 1000

    return measure


def of_topic(books: list[Rulebook], topic: str) -> Callable[[int], object]:
    def work(seed: int) -> object:
        return generate(books[seed % len(books)].id, topic, seed, 1 + seed % 5).solve()

    return work


def lines(*, rounds: int, full: bool) -> list[Line]:
    plain = generate("pt-chemin-de-fer", "third_card", 7, article="67 d")
    book, facts = plain.book, plain.situation
    # A scenario keeps its ruling, so the facts are ruled on anew.
    works: dict[str, Callable[[int], object]] = {"coup": coup, "solve": lambda _: book.rule(facts)}
    if hand := poker_hand():
        works["hand"] = hand
    for game in GAMES.values():
        for topic in game.topics:
            books = [book for book in game.books if topic in topics(book.id)]
            works[f"{game.id}: {topic}"] = of_topic(books, topic)
    found = in_turns({name: milliseconds(work) for name, work in works.items()}, rounds)
    bare, solved = found.pop("coup"), found.pop("solve")
    hands = found.pop("hand", None)
    named = "a coup written by hand"
    made = [Line("rule on a plain third card", "ms", solved, named, bare, SOLVED)]
    if hands:
        made.append(Line("rule on a plain third card", "ms", solved, "a pokerkit hand of two", hands))
        slowest = max(found, key=lambda name: sorted(found[name])[len(found[name]) // 2])
        made.append(Line(f"generate and rule, {slowest}", "ms", found[slowest], "a pokerkit hand of two", hands))
    return made + [
        Line(f"generate and rule, {name}", "ms", taken, named, bare, GENERATED) for name, taken in found.items()
    ]
