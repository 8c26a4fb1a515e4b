"""Run several programs as one, with a name before each line they write, start again what dies, and leave none behind.

The libraries for this (honcho and its kind) leave orphans when they are killed themselves, hence our own. One thread
does it all, waiting for lines, signals and moments: forking a process that has threads is not safe.
"""

import contextlib
import ctypes
import os
import selectors
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from types import FrameType

# Longer than the web server gives its last requests.
GRACE_SECONDS = 40.0
# One that dies is started again at once, then after longer and longer pauses; one that never lived is given up.
LIVED_SECONDS = 10.0
PAUSES = (0.0, 0.5, 1.0, 2.0, 4.0)
PR_SET_PDEATHSIG = 1
STOP_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


@dataclass
class Program:
    """One program and how it fares."""

    name: str
    command: Sequence[str]
    child: "subprocess.Popen[bytes] | None" = None
    started: float = 0.0
    due: float = 0.0  # when it is to be started again
    quick_deaths: int = 0
    unfinished: bytes = field(default=b"", repr=False)  # a line that has begun

    def is_alive(self) -> bool:
        return self.child is not None and self.child.poll() is None


class Supervisor:
    def __init__(self, programs: Mapping[str, Sequence[str]], *, grace: float = GRACE_SECONDS) -> None:
        self.programs = [Program(name, command) for name, command in programs.items()]
        self.grace = grace
        self.asked: list[int] = []
        self.selector = selectors.DefaultSelector()

    def run(self, on_start: Callable[[], bool] = lambda: True) -> int:
        """Start all and keep them running until asked to stop, or until one cannot live. 0 only if we were asked.

        `on_start` is tried every now and then until it says that it is done.
        """
        with self._signals():
            for program in self.programs:
                self._start(program)
            failure, told = "", False
            while not self.asked and not failure:
                told = told or on_start()
                failure = self._turn(None if told else 0.1)
            self.say(f"{failure}; stopping the rest" if failure else "stopping…")
            self._stop_all(asked=0 if failure else 1)
            self.say("stopped")
            return 1 if failure else 0

    def say(self, line: str, name: str = "sabot") -> None:
        with contextlib.suppress(OSError):  # a log on a full disk must not end the platform
            sys.stdout.write(f"{name:>6} | {line}\n")
            sys.stdout.flush()

    def _turn(self, patience: float | None) -> str:
        """Wait for the next thing to happen and see to it. Says why all must end, if that is so."""
        for program in self.programs:
            if program.child is None and program.due <= time.monotonic():
                self._start(program)
        waiting = [program.due - time.monotonic() for program in self.programs if program.child is None]
        pauses = [pause for pause in (*waiting, patience) if pause is not None]
        self._wait(min(pauses) if pauses else None)
        return next(filter(None, map(self._look_after, self.programs)), "")

    def _look_after(self, program: Program) -> str:
        """Note that a program died and when it is to be started again; why not, if it cannot live."""
        if program.child is None or (status := program.child.poll()) is None:
            return ""
        self._leave(program)
        lived = time.monotonic() - program.started
        program.quick_deaths = program.quick_deaths + 1 if lived < LIVED_SECONDS else 0
        died = f"{program.name} ended by itself (exit status {status})"
        if program.quick_deaths >= len(PAUSES):
            return f"{died} for the {program.quick_deaths}th time in a row"
        program.due = time.monotonic() + PAUSES[program.quick_deaths]
        self.say(f"{died}; starting it again")
        return ""

    @contextlib.contextmanager
    def _signals(self) -> Iterator[None]:
        """A signal, the end of a child too, wakes whoever waits."""

        def note(signum: int, _frame: FrameType | None) -> None:
            if signum != signal.SIGCHLD:
                self.asked.append(signum)

        reading, writing = os.pipe()
        for end in (reading, writing):
            os.set_blocking(end, False)
        self.selector.register(reading, selectors.EVENT_READ, None)
        wakeup = signal.set_wakeup_fd(writing, warn_on_full_buffer=False)
        before = {signum: signal.signal(signum, note) for signum in (*STOP_SIGNALS, signal.SIGCHLD)}
        try:
            yield
        finally:
            for signum, handler in before.items():
                signal.signal(signum, handler)
            signal.set_wakeup_fd(wakeup)
            self.selector.unregister(reading)
            os.close(reading)
            os.close(writing)

    def _start(self, program: Program) -> None:
        supervisor = os.getpid()

        def die_with_supervisor() -> None:
            if sys.platform == "linux":
                ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGTERM)
                if os.getppid() != supervisor:  # it was already gone
                    os._exit(1)

        program.started = time.monotonic()
        program.child = subprocess.Popen(
            program.command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            bufsize=0,
            env={**os.environ, "PYTHONUNBUFFERED": "1"},
            start_new_session=True,  # a group of its own, so that grandchildren can be ended too
            preexec_fn=die_with_supervisor,
        )
        assert program.child.stdout is not None  # noqa: S101 (asked for above)
        os.set_blocking(program.child.stdout.fileno(), False)
        self.selector.register(program.child.stdout, selectors.EVENT_READ, program)

    def _wait(self, seconds: float | None) -> None:
        """Until a line or a signal comes, but no longer than this; lines are printed."""
        for key, _ in self.selector.select(None if seconds is None else max(0.0, seconds)):
            if key.data is None:
                os.read(key.fd, 4096)
            elif not self._print(key.data):
                self.selector.unregister(key.fd)

    def _print(self, program: Program) -> bool:
        """Print what a child has written; False once there will be no more."""
        assert program.child is not None and program.child.stdout is not None  # noqa: S101 (it was started)
        data = program.child.stdout.read(65536)
        if data is None:  # nothing just now
            return True
        *lines, program.unfinished = (program.unfinished + data).split(b"\n")
        if not data and program.unfinished:
            lines, program.unfinished = [program.unfinished], b""
        for line in lines:
            self.say(line.decode(errors="replace").rstrip(), program.name)
        return bool(data)

    def _leave(self, program: Program) -> None:
        """End what a dead child left behind, so that nobody writes any more, and print what was written last."""
        child = program.child
        assert child is not None and child.stdout is not None  # noqa: S101 (it was started)
        with contextlib.suppress(ProcessLookupError):
            os.killpg(child.pid, signal.SIGKILL)
        with contextlib.suppress(KeyError):  # it was closed before
            self.selector.unregister(child.stdout)
        os.set_blocking(child.stdout.fileno(), True)
        while self._print(program):
            pass
        child.stdout.close()
        child.wait()
        program.child = None

    def _stop_all(self, *, asked: int) -> None:
        living = [program for program in self.programs if program.is_alive()]
        for program in living:
            assert program.child is not None  # noqa: S101 (it is alive)
            program.child.terminate()
        deadline = time.monotonic() + self.grace
        # Asking twice means at once.
        while any(map(Program.is_alive, living)) and time.monotonic() < deadline and len(self.asked) <= asked:
            self._wait(deadline - time.monotonic())
        for program in self.programs:
            if program.is_alive():
                self.say(f"{program.name} did not stop in time; killed")
            if program.child is not None:
                self._leave(program)
