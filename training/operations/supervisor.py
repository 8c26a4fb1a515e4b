"""Runs several programs: prefixes each line of output with a name, restarts what dies, and leaves no orphans.

Libraries such as honcho leave orphans when they are killed. Everything runs in one thread that waits for output,
signals and timeouts, because forking a process with threads is not safe.
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

GRACE_SECONDS = 40.0  # longer than the web server waits for its last requests
# A program that dies is restarted at once, then after longer and longer pauses; one that keeps dying early is given up.
LIVED_SECONDS = 10.0
PAUSES = (0.0, 0.5, 1.0, 2.0, 4.0)
PR_SET_PDEATHSIG = 1
STOP_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


@dataclass
class Program:
    name: str
    command: Sequence[str]
    child: "subprocess.Popen[bytes] | None" = None
    started: float = 0.0
    due: float = 0.0  # when to start it again
    quick_deaths: int = 0
    unfinished: bytes = field(default=b"", repr=False)  # an incomplete line of output

    def is_alive(self) -> bool:
        return self.child is not None and self.child.poll() is None


class Supervisor:
    def __init__(self, programs: Mapping[str, Sequence[str]], *, grace: float = GRACE_SECONDS) -> None:
        self.programs = [Program(name, command) for name, command in programs.items()]
        self.grace = grace
        self.asked: list[int] = []
        self.selector = selectors.DefaultSelector()

    def run(self, on_start: Callable[[], bool] = lambda: True) -> int:
        """Run all programs until asked to stop, or until one keeps dying. Returns 0 only if asked to stop.

        `on_start` is called repeatedly until it returns True.
        """
        with self._signals():
            for program in self.programs:
                self._start(program)
            failure, started = "", False
            while not self.asked and not failure:
                started = started or on_start()
                failure = self._turn(None if started else 0.1)
            self.say(f"{failure}; stopping the rest" if failure else "stopping…")
            self._stop_all(asked=0 if failure else 1)
            self.say("stopped")
            return 1 if failure else 0

    def say(self, line: str, name: str = "sabot") -> None:
        with contextlib.suppress(OSError):  # a full disk must not stop the platform
            sys.stdout.write(f"{name:>6} | {line}\n")
            sys.stdout.flush()

    def _turn(self, patience: float | None) -> str:
        """Wait for the next event and handle it. Returns why everything must stop, if so."""
        for program in self.programs:
            if program.child is None and program.due <= time.monotonic():
                self._start(program)
        waiting = [program.due - time.monotonic() for program in self.programs if program.child is None]
        pauses = [pause for pause in (*waiting, patience) if pause is not None]
        self._wait(min(pauses) if pauses else None)
        return next(filter(None, map(self._look_after, self.programs)), "")

    def _look_after(self, program: Program) -> str:
        """Schedule the restart of a program that died. Returns the reason if it is given up."""
        if program.child is None or (status := program.child.poll()) is None:
            return ""
        self._clean_up(program)
        lived = time.monotonic() - program.started
        program.quick_deaths = program.quick_deaths + 1 if lived < LIVED_SECONDS else 0
        died = f"{program.name} exited unexpectedly (status {status})"
        if program.quick_deaths >= len(PAUSES):
            return f"{died} for the {program.quick_deaths}th time in a row"
        program.due = time.monotonic() + PAUSES[program.quick_deaths]
        self.say(f"{died}; starting it again")
        return ""

    @contextlib.contextmanager
    def _signals(self) -> Iterator[None]:
        """Make signals, including the end of a child, wake the selector."""

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
                if os.getppid() != supervisor:  # it is already gone
                    os._exit(1)

        program.started = time.monotonic()
        program.child = subprocess.Popen(
            program.command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            bufsize=0,
            env={**os.environ, "PYTHONUNBUFFERED": "1"},
            start_new_session=True,  # its own process group, so that grandchildren can be killed too
            preexec_fn=die_with_supervisor,
        )
        assert program.child.stdout is not None  # noqa: S101 (asked for above)
        os.set_blocking(program.child.stdout.fileno(), False)
        self.selector.register(program.child.stdout, selectors.EVENT_READ, program)

    def _wait(self, seconds: float | None) -> None:
        """Wait for output or a signal, at most this long, and print the output."""
        for key, _ in self.selector.select(None if seconds is None else max(0.0, seconds)):
            if key.data is None:
                os.read(key.fd, 4096)
            elif not self._print(key.data):
                self.selector.unregister(key.fd)

    def _print(self, program: Program) -> bool:
        """Print the output of a child. Returns False at its end."""
        assert program.child is not None and program.child.stdout is not None  # noqa: S101 (it was started)
        data = program.child.stdout.read(65536)
        if data is None:  # no output yet
            return True
        *lines, program.unfinished = (program.unfinished + data).split(b"\n")
        if not data and program.unfinished:
            lines, program.unfinished = [program.unfinished], b""
        for line in lines:
            self.say(line.decode(errors="replace").rstrip(), program.name)
        return bool(data)

    def _clean_up(self, program: Program) -> None:
        """Kill what a dead child left running, and print its last output."""
        child = program.child
        assert child is not None and child.stdout is not None  # noqa: S101 (it was started)
        with contextlib.suppress(ProcessLookupError):
            os.killpg(child.pid, signal.SIGKILL)
        with contextlib.suppress(KeyError):  # already closed
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
        # A second signal stops at once.
        while any(map(Program.is_alive, living)) and time.monotonic() < deadline and len(self.asked) <= asked:
            self._wait(deadline - time.monotonic())
        for program in self.programs:
            if program.is_alive():
                self.say(f"{program.name} did not stop in time; killed")
            if program.child is not None:
                self._clean_up(program)
