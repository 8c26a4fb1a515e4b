"""Run several programs as one, with a name before each line they write, and leave none behind.

The libraries for this (honcho and its kind) leave orphans when they are killed themselves, hence our own.
"""

import contextlib
import ctypes
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from queue import SimpleQueue
from types import FrameType

GRACE_SECONDS = 10.0
PR_SET_PDEATHSIG = 1
STOP_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)

Event = tuple[str, str]


class Supervisor:
    def __init__(self, programs: Mapping[str, Sequence[str]], *, grace: float = GRACE_SECONDS) -> None:
        self.programs = programs
        self.grace = grace
        self.children: dict[str, subprocess.Popen[str]] = {}
        self.events: SimpleQueue[Event] = SimpleQueue()  # its put may be called from a signal handler
        self.printing = threading.Lock()

    def run(self, on_start: Callable[[], None] = lambda: None) -> int:
        """Start all, wait for the first reason to stop, stop all. The status is 0 only if we were asked."""
        with self._stop_signals():
            # All children before any thread: forking a process that has threads is not safe.
            for name, command in self.programs.items():
                self.children[name] = self._start(command)
            for name, child in self.children.items():
                threading.Thread(target=self._pump, args=(name, child), daemon=True).start()
                threading.Thread(target=self._wait, args=(name, child), daemon=True).start()
            threading.Thread(target=on_start, daemon=True).start()
            kind, what = self.events.get()
            if kind == "died":
                self.say(f"{what}; stopping the rest")
            else:
                self.say("stopping…")
            self._stop_all()
            self.say("stopped")
            return 1 if kind == "died" else 0

    def say(self, line: str, name: str = "sabot") -> None:
        with self.printing:
            sys.stdout.write(f"{name:>6} | {line}\n")
            sys.stdout.flush()

    @contextlib.contextmanager
    def _stop_signals(self) -> Iterator[None]:
        def note(signum: int, _frame: FrameType | None) -> None:
            self.events.put(("asked", signal.Signals(signum).name))

        before = {signum: signal.signal(signum, note) for signum in STOP_SIGNALS}
        try:
            yield
        finally:
            for signum, handler in before.items():
                signal.signal(signum, handler)

    def _start(self, command: Sequence[str]) -> subprocess.Popen[str]:
        supervisor = os.getpid()

        def die_with_supervisor() -> None:
            if sys.platform == "linux":
                ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGTERM)
                if os.getppid() != supervisor:  # it was already gone
                    os._exit(1)

        return subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            env={**os.environ, "PYTHONUNBUFFERED": "1"},
            start_new_session=True,  # a group of its own, so that grandchildren can be ended too
            preexec_fn=die_with_supervisor,
        )

    def _pump(self, name: str, child: subprocess.Popen[str]) -> None:
        assert child.stdout is not None  # noqa: S101 (asked for above)
        for line in child.stdout:
            self.say(line.rstrip(), name)

    def _wait(self, name: str, child: subprocess.Popen[str]) -> None:
        status = child.wait()
        self.events.put(("died", f"{name} ended by itself (exit status {status})"))

    def _stop_all(self) -> None:
        for child in self.children.values():
            if child.poll() is None:
                child.terminate()
        deadline = time.monotonic() + self.grace
        while any(child.poll() is None for child in self.children.values()) and time.monotonic() < deadline:
            # Each child's end is an event; asking twice means at once.
            with contextlib.suppress(Exception):
                kind, _ = self.events.get(timeout=max(0.01, deadline - time.monotonic()))
                if kind == "asked":
                    break
        for name, child in self.children.items():
            if child.poll() is None:
                self.say(f"{name} did not stop in time; killed")
            with contextlib.suppress(ProcessLookupError):
                os.killpg(child.pid, signal.SIGKILL)
            child.wait()
