"""What goes wrong. Each harm does it, waits, and mends it again, so that one at a time is at work."""

import signal
import sqlite3
import time
from collections import Counter
from collections.abc import Callable
from contextlib import closing
from random import Random
from typing import NamedTuple

from tests.chaos.ground import PROGRAMS, Ground
from tests.disk import fill
from tests.persistent import Failure

# Only while nothing can be read or stored may somebody be answered with an error …
MAY_FAIL = {"database away", "disk full"}
# … and for so many seconds after, until every process has found its database again.
RECOVERY = 8.0
LARGEST_STEP = 45  # seconds of the clock


class Struck(NamedTuple):
    name: str
    began: float
    ended: float

    def explains(self, failure: Failure) -> bool:
        return self.name in MAY_FAIL and failure.began < self.ended + RECOVERY and failure.ended > self.began


class Harms:
    """Strikes with each in turn, in an order and at moments drawn from a seed."""

    def __init__(self, ground: Ground, draw: Random, longest: float, *, kills_only: bool = False) -> None:
        self.ground, self.draw, self.longest = ground, draw, longest
        self.done: Counter[str] = Counter()
        self.skipped: dict[str, str] = {}
        self.struck: list[Struck] = []
        self.left: list[str] = []
        self.kinds: dict[str, Callable[[], None]] = {
            **{f"{name} killed": lambda name=name: self.kill(name) for name in PROGRAMS},  # type: ignore[misc]
            "mail slow": self.mail_slow,
            "mail away": self.mail_away,
            "messages doubled and shuffled": self.muddle,
            "database away": self.database_away,
            "disk full": self.disk_full,
            "clock stepped": self.clock_stepped,
        }
        if ground.broker:
            self.kinds |= {
                "broker killed": self.broker_killed,
                "broker away": self.broker_away,
                "broker silent": self.broker_silent,
                "broker refuses the password": self.broker_refuses,
            }
        else:
            self.kinds |= {"everything killed": self.kill_all, "broker silent": self.broker_file_locked}
            self.skipped["broker killed, away, refusing"] = "embedded, it is a file and no server"
        if not ground.disk:
            del self.kinds["disk full"]
            self.skipped["disk full"] = "nothing may be mounted here"
        if kills_only:
            self.skipped |= {name: "only kills were asked for" for name in self.kinds if not name.endswith("killed")}
            self.kinds = {name: harm for name, harm in self.kinds.items() if name.endswith("killed")}

    def strike(self) -> str:
        if not self.left:
            self.left = self.draw.sample(sorted(self.kinds), len(self.kinds))
        name, began = self.left.pop(), time.monotonic()
        self.kinds[name]()
        self.done[name] += 1
        self.struck.append(Struck(name, began, time.monotonic()))
        return name

    def unexplained(self, failures: list[Failure]) -> list[str]:
        """Errors that were answered though no harm of the moment accounts for them."""
        return [
            f"{failure.path} was answered with {failure.status}, and nothing at that moment explains it"
            for failure in failures
            if not any(struck.explains(failure) for struck in self.struck)
        ]

    def a_while(self) -> None:
        time.sleep(self.draw.uniform(self.longest / 4, self.longest))

    # ---- processes

    def kill(self, name: str) -> None:
        """All of a program, or only one of its processes, parent or child."""
        found = self.ground.processes(name)
        if found and self.draw.random() < 0.5:
            found = [self.draw.choice(sorted(found))]
        self.ground.send(found, signal.SIGKILL)

    def kill_all(self) -> None:
        self.ground.send(self.ground.platform.pids(), signal.SIGKILL)

    def muddle(self) -> None:
        """While workers stand still, so that something waits."""
        workers = [*self.ground.processes("worker"), *self.ground.processes("exams")]
        self.ground.send(workers, signal.SIGSTOP)
        try:
            self.ground.inside(f"from tests.chaos.messages import muddle; muddle({self.draw.randrange(10**6)})")
        finally:
            self.ground.send(workers, signal.SIGCONT)

    def clock_stepped(self) -> None:
        """All programs of the platform see another time, forward or back, and then the right one again."""
        self.ground.step_clock(self.draw.choice([-1, 1]) * self.draw.randint(LARGEST_STEP // 3, LARGEST_STEP))
        self.a_while()
        self.ground.step_clock(0)

    # ---- servers

    def mail_slow(self) -> None:
        self.ground.post.slow = self.draw.uniform(1, 6)  # past the time-out too
        self.a_while()
        self.ground.post.slow = 0.0

    def mail_away(self) -> None:
        self.ground.post.away = True
        self.a_while()
        self.ground.post.away = False

    def broker_killed(self) -> None:
        assert self.ground.broker
        self.ground.broker.kill()
        self.ground.broker.start()

    def broker_away(self) -> None:
        assert self.ground.broker
        self.ground.broker.kill()
        self.a_while()
        self.ground.broker.start()

    def broker_silent(self) -> None:
        assert self.ground.broker
        self.ground.broker.pause()
        self.a_while()
        self.ground.broker.go_on()

    def broker_refuses(self) -> None:
        assert self.ground.broker
        self.ground.broker.refuse(everybody=True)
        self.a_while()
        self.ground.broker.refuse(everybody=False)

    def broker_file_locked(self) -> None:
        self._lock("broker.sqlite3")

    def database_away(self) -> None:
        if self.ground.database is None:
            return self._lock("sabot.sqlite3")
        self.ground.database.kill()
        self.a_while()
        self.ground.database.start()
        return None

    def _lock(self, name: str) -> None:
        with closing(sqlite3.connect(self.ground.var / name, isolation_level=None, timeout=60)) as database:
            database.execute("BEGIN EXCLUSIVE")
            self.a_while()
            database.execute("ROLLBACK")

    def disk_full(self) -> None:
        assert self.ground.disk
        filler = fill(self.ground.disk)
        self.a_while()
        filler.unlink()
        if self.ground.database:
            self.ground.database.start()
