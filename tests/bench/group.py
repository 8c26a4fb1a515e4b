"""`docs/scaling.md`: how a group of houses runs it, reckoned from what was measured."""

import math
from dataclasses import dataclass
from pathlib import Path

DEALERS, ANSWERS_A_DAY, HOURS, PEAK = 50_000, 20, 10, 4
CANDIDATES, BELL, SAVE_EVERY, MARKED_WITHIN = 3_000, 60, 20, 15
TEXT = Path(__file__).with_name("scaling.template.md")
BUSY = 0.6  # a process that is busier than this makes people wait


@dataclass(frozen=True)
class Measured:
    pages: dict[str, float]  # milliseconds of one web process
    answers: float  # graded a second by one worker process
    exams: float


def processes(rate: float, milliseconds: float) -> int:
    return math.ceil(rate * milliseconds / 1000 / BUSY)


def written(head: str, table: str, measured: Measured) -> str:
    pages = measured.pages
    peak = DEALERS * ANSWERS_A_DAY / (HOURS * 3600) * PEAK
    bell, saves = CANDIDATES / BELL, CANDIDATES / SAVE_EVERY
    practice_web = processes(peak, pages["drill"] + pages["drill answer"] + 2 * pages["home"] / 10)
    begin_web = processes(bell, pages["exam start"] + pages["drill"])
    save_web = processes(saves, pages["exam save"])
    workers = math.ceil(peak / measured.answers / BUSY)
    exam_workers = math.ceil(CANDIDATES / (MARKED_WITHIN * 60) / measured.exams)
    web = max(begin_web, save_web) + practice_web
    return TEXT.read_text().format(
        head=head,
        table=table,
        peak=peak,
        bell=bell,
        saves=saves,
        drill=pages["drill"],
        answer=pages["drill answer"],
        home=pages["home"],
        begin=pages["exam start"],
        save=pages["exam save"],
        answers=measured.answers,
        exams=measured.exams,
        practice_web=practice_web,
        begin_web=begin_web,
        save_web=save_web,
        workers=workers,
        exam_workers=exam_workers,
        web=web,
        connections=web + workers + exam_workers + 4,
        machines=math.ceil(web / 8),
        dealers=DEALERS,
        a_day=ANSWERS_A_DAY,
        hours=HOURS,
        times=PEAK,
        candidates=CANDIDATES,
        seconds=BELL,
        every=SAVE_EVERY,
        busy=BUSY,
        within=MARKED_WITHIN,
    )
