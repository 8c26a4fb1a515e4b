"""`make bench`: how fast things are, told as ratios to a yardstick measured in the same run.

The yardstick is a fixed loop of plain Python; machines differ and are noisy, ratios much less.
"""

import time
from collections.abc import Callable

from rules_engine import RULEBOOKS, generate, topics
from tests import bench_exams, bench_pages
from tests.mastery import simulation

SECONDS = 0.5
WANTED_GENERATED = 1_000
WANTED_SOLVED = 20_000


def rate(work: Callable[[int], object]) -> float:
    """How often a second some work can be done, on one core."""
    done, started = 0, time.perf_counter()
    while (spent := time.perf_counter() - started) < SECONDS:
        for _ in range(20):
            work(done)
            done += 1
    return done / spent


def yardstick(_: int) -> int:
    return sum(number * number % 7 for number in range(1_000))


def main() -> None:
    unit = rate(yardstick)
    print(f"yardstick: {unit:,.0f} loops/s on this machine, now")
    plain = generate("pt-chemin-de-fer", "third_card", 7, article="67 d")
    solved = rate(lambda _: plain.solve())
    print(
        f"\nsolve a plain third card: {solved:,.0f}/s, {solved / unit:.2f} × the yardstick (wanted {WANTED_SOLVED:,}/s)"
    )
    print(f"\ngenerate and solve, by topic (wanted {WANTED_GENERATED:,}/s):")
    speeds = {(book, topic): generated(book, topic) for book in RULEBOOKS for topic in topics(book)}
    for (book, topic), speed in speeds.items():
        print(f"  {book:28}{topic:20}{speed:10,.0f}/s{speed / unit:8.2f} ×")
    book, topic = min(speeds, key=lambda subject: speeds[subject])
    print(f"\nslowest: {book} {topic}, {speeds[book, topic]:,.0f}/s")
    print("", *simulation.figures(), sep="\n")
    bench_pages.main()
    bench_exams.main()


def generated(book: str, topic: str) -> float:
    return rate(lambda seed: generate(book, topic, seed, 1 + seed % 5).solve())


if __name__ == "__main__":
    main()
