"""One run: load and harm for so long, then peace, then judgement."""

import argparse
import json
import random
import threading
import time
from collections import Counter

from tests.chaos.ground import SET_UPS, Ground, can_run, ground
from tests.chaos.harms import Harms
from tests.chaos.load import Load

TRAINEES, ITEMS = 6, 5
PATIENCE = 3  # times as long as asked for, until so many answers as asked for are acknowledged
TO_SETTLE = 240.0  # seconds after which nothing may be owed any more
LONGEST_HARM = 20.0  # seconds
HOLDS = (
    "every acknowledged answer is stored and graded once, counts and memories are as the marks say, every mail "
    "arrived, certificates are right, the audit log is whole, and no error was answered without a cause"
)


def say(line: str) -> None:
    print(line, flush=True)  # noqa: T201 (it is a command)


def main() -> int:
    asked = argparse.ArgumentParser(
        prog="python -m tests.chaos", description="Hurt the platform and prove that it lost nothing."
    )
    asked.add_argument("--set-up", choices=SET_UPS, default="embedded")
    asked.add_argument("--minutes", type=float, default=2.0)
    asked.add_argument("--answers", type=int, default=0, help="go on until so many answers to drills are acknowledged")
    asked.add_argument("--trainees", type=int, default=TRAINEES)
    asked.add_argument("--kills", action="store_true", help="only kill -9 of web, workers, beat and broker, as a soak")
    asked.add_argument("--seed", type=int, default=random.SystemRandom().randrange(10**6))
    given = asked.parse_args()
    if not can_run(given.set_up):
        say(f"{given.set_up} needs PostgreSQL and its broker installed on this machine")
        return 2
    say(f"chaos: {given.set_up}, {given.minutes:g} minutes, seed {given.seed}")
    with ground(given.set_up) as found:
        wrong = run(found, given)
        for name in found.platform.started if wrong else ():
            say(f"---- the end of what {name} wrote\n{found.platform.output(name)[-6000:]}")
    for line in wrong:
        say(f"WRONG: {line}")
    say(f"chaos: {f'{len(wrong)} things are wrong' if wrong else HOLDS}")
    return 1 if wrong else 0


def run(found: Ground, given: argparse.Namespace) -> list[str]:
    seconds, seed = given.minutes * 60, given.seed
    draw = random.Random(seed)
    told = found.prepare(trainees=given.trainees, sittings=max(4, round(seconds / 4)), items=ITEMS)
    found.start()
    found.platform.wait_until_ready(within=240)
    load = Load(found.platform.url, told, seed)
    harms = Harms(found, draw, longest=min(LONGEST_HARM, seconds / 8), kills_only=given.kills)
    threading.Thread(target=found.watch, daemon=True).start()
    load.begin()
    began, calm = time.monotonic(), min(20.0 if given.kills else 6.0, seconds / 15)

    def goes_on() -> bool:
        lasted = time.monotonic() - began
        return lasted < seconds or (load.answered < given.answers and lasted < PATIENCE * seconds)

    while goes_on():
        time.sleep(draw.uniform(0.2, calm))
        say(f"{time.monotonic() - began:6.1f} s  {harms.strike()}, {load.answered} answers so far")
    load.finish()
    if load.answered < given.answers:
        load.failures.append(f"only {load.answered} of {given.answers} answers in {PATIENCE * seconds / 60:g} minutes")
    return [*load.failures, *settled(found), *judged(found, load, harms)]


def settled(found: Ground) -> list[str]:
    """Start everything anew in peace, and wait until nothing is owed any more."""
    found.stop()
    found.inside("from tests.chaos.proof import let_time_pass; let_time_pass()")
    found.start()
    try:
        found.platform.wait_until_ready(within=240)
    except AssertionError as late:
        return [str(late)[:400]]
    owed = found.inside(f"from tests.chaos.proof import settle; settle({TO_SETTLE})")
    return [f"not all work is done within {TO_SETTLE:g} s; owed: {left}" for left in owed]


def judged(found: Ground, load: Load, harms: Harms) -> list[str]:
    answers = {drill: words for trainee in load.trainees for drill, words in trainee.acknowledged.items()}
    exams = {item: words for candidate in load.candidates for item, words in candidate.acknowledged.items()}
    account = found.platform.logs / "account.json"
    right = [one.told["sitting"] for one in load.candidates if one.answers and len(one.acknowledged) == ITEMS]
    post, asked = found.post.taken, load.forgetful.acknowledged
    account.write_text(
        json.dumps({"answers": answers, "exams": exams, "mails": post, "asked": asked, "right": sorted(right)})
    )
    wrong = [one["wrong"] for one in found.inside(f"from tests.chaos.proof import prove; prove({str(account)!r})")]
    chain = found.platform.manage("verify_audit")
    if chain.returncode:
        wrong.append(f"the audit log does not hold: {chain.stderr}")
    failures = [failure for person in load.people for failure in person.failures]
    wrong += harms.unexplained(failures)
    say(f"harms: {_listed(harms.done)}")
    say(f"skipped: {'; '.join(f'{what} ({why})' for what, why in harms.skipped.items()) or 'nothing'}")
    say(f"ended by themselves and started again: {_listed(found.ended) or 'nothing'}")
    say(f"acknowledged: {len(answers)} answers, {len(exams)} in exams, {asked.total()} passwords asked for")
    twice = sum(times > 1 for times in post.values())
    say(
        f"mails: {len(post)}, of which {twice} were handed over again by a worker's heir; audit: {chain.stdout.strip()}"
    )
    troubles = sum((person.troubles for person in load.people), Counter[int]())
    longest = max(person.longest for person in load.people)
    say(f"requests sent again: {_listed(troubles) or 'none'}; the longest took {longest:.1f} s")
    return wrong


def _listed(counts: "Counter[str] | Counter[int]") -> str:
    return ", ".join(f"{name} {count}" for name, count in sorted(counts.items(), key=str) if count)
