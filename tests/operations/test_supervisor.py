"""The supervisor ends everything it started, however it is ended itself."""

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO

import pytest

from tests.running import ROOT, until

RUN = """
import sys
from training.operations.supervisor import Supervisor
programs = dict(argument.split("=", 1) for argument in sys.argv[2:])
programs = {name: [sys.executable, "-uc", code] for name, code in programs.items()}
sys.exit(Supervisor(programs, grace=float(sys.argv[1])).run())
"""
# Each writes down its own process id, so that the test can look for it afterwards.
NOTE = "import os, time, signal, sys, subprocess; open(f'{os.getpid()}.pid', 'w').close(); "
PATIENT = NOTE + "print('here'); time.sleep(600)"
STUBBORN = NOTE + "signal.signal(signal.SIGTERM, signal.SIG_IGN); print('here'); time.sleep(600)"
SHORT = NOTE + "print('bye'); sys.exit(3)"
PARENT = NOTE + f"subprocess.Popen([sys.executable, '-c', {STUBBORN!r}]); time.sleep(600)"

Start = Callable[..., "subprocess.Popen[str]"]


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Start]:
    started: list[subprocess.Popen[str]] = []

    def run(grace: float = 10.0, stdout: IO[str] | int = subprocess.PIPE, **programs: str) -> subprocess.Popen[str]:
        arguments = [f"{name}={code}" for name, code in programs.items()]
        process = subprocess.Popen(
            [sys.executable, "-c", RUN, str(grace), *arguments],
            cwd=tmp_path,
            env={**os.environ, "PYTHONPATH": str(ROOT)},
            stdout=stdout,
            text=True,
        )
        started.append(process)
        return process

    yield run
    for pid in pids(tmp_path):
        if alive(pid):
            os.kill(pid, signal.SIGKILL)
    for process in started:
        process.kill()
        process.communicate()


def pids(directory: Path) -> list[int]:
    return [int(path.stem) for path in directory.glob("*.pid")]


def alive(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state != "Z"


def wait_for_children(directory: Path, count: int) -> list[int]:
    return until(f"{count} children", lambda: found if len(found := pids(directory)) == count else [], within=20)


@pytest.mark.parametrize("signum", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_asked_to_stop_it_stops_all_and_ends_well(start: Start, tmp_path: Path, signum: int) -> None:
    process = start(one=PATIENT, two=PATIENT)
    children = wait_for_children(tmp_path, 2)
    process.send_signal(signum)
    output, _ = process.communicate(timeout=20)
    assert process.returncode == 0
    assert "   one | here\n" in output
    assert output.endswith(" sabot | stopped\n")
    assert not any(alive(pid) for pid in children)


def test_one_that_dies_is_started_again_and_the_rest_goes_on(start: Start, tmp_path: Path) -> None:
    process = start(one=PATIENT, two=PATIENT)
    children = wait_for_children(tmp_path, 2)
    os.kill(children[1], signal.SIGKILL)
    again = wait_for_children(tmp_path, 3)
    assert [alive(pid) for pid in children] == [True, False]
    process.terminate()
    output, _ = process.communicate(timeout=20)
    assert process.returncode == 0
    assert "exited unexpectedly (status -9); starting it again" in output
    assert not any(alive(pid) for pid in again)


def test_one_that_cannot_live_is_given_up_and_the_reader_is_told_which(start: Start, tmp_path: Path) -> None:
    process = start(one=PATIENT, two=SHORT)
    output, _ = process.communicate(timeout=40)
    assert process.returncode == 1
    assert output.count("   two | bye\n") == 5
    assert output.count("two exited unexpectedly (status 3); starting it again") == 4
    assert "two exited unexpectedly (status 3) for the 5th time in a row; stopping the rest" in output
    assert not any(alive(pid) for pid in pids(tmp_path))


def test_what_a_dead_one_left_behind_is_ended_before_it_starts_again(start: Start, tmp_path: Path) -> None:
    start(one=PARENT)
    children = wait_for_children(tmp_path, 2)
    parent = next(pid for pid in children if "Popen" in Path(f"/proc/{pid}/cmdline").read_text())
    os.kill(parent, signal.SIGKILL)
    wait_for_children(tmp_path, 4)
    assert not any(alive(pid) for pid in children)


def test_a_log_that_cannot_be_written_ends_nothing(start: Start, tmp_path: Path) -> None:
    with Path("/dev/full").open("w") as full:
        process = start(one=PATIENT, stdout=full)
        children = wait_for_children(tmp_path, 1)
        os.kill(children[0], signal.SIGKILL)  # which is to be said
        wait_for_children(tmp_path, 2)
        process.terminate()
        assert process.wait(timeout=20) == 0


def test_one_that_will_not_stop_is_killed_after_the_grace(start: Start, tmp_path: Path) -> None:
    process = start(grace=0.5, one=STUBBORN)
    children = wait_for_children(tmp_path, 1)
    assert process.stdout is not None
    assert process.stdout.readline() == "   one | here\n"
    process.terminate()
    output, _ = process.communicate(timeout=20)
    assert "one did not stop in time; killed" in output
    assert not any(alive(pid) for pid in children)


def test_asking_twice_does_not_wait_for_the_grace(start: Start, tmp_path: Path) -> None:
    process = start(grace=300, one=STUBBORN)
    wait_for_children(tmp_path, 1)
    assert process.stdout is not None
    assert process.stdout.readline() == "   one | here\n"
    process.send_signal(signal.SIGINT)
    assert "stopping" in process.stdout.readline()
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=20)
    assert not any(alive(pid) for pid in pids(tmp_path))


def test_grandchildren_are_ended_too(start: Start, tmp_path: Path) -> None:
    process = start(one=PARENT)
    children = wait_for_children(tmp_path, 2)
    process.terminate()
    process.communicate(timeout=20)
    assert not any(alive(pid) for pid in children)


def test_killed_outright_it_still_leaves_no_children(start: Start, tmp_path: Path) -> None:
    process = start(one=PATIENT, two=PATIENT)
    children = wait_for_children(tmp_path, 2)
    process.kill()
    process.communicate(timeout=20)
    until("the children are gone", lambda: not any(alive(pid) for pid in children), within=20)
