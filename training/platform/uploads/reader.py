"""Reads one file in a separate process that never outlives the request."""

import contextlib
import os
import selectors
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any, Literal

import msgspec
import structlog
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from training.platform import turns
from training.platform.errors import Unfit

log = structlog.get_logger(__name__)

PROGRAM = Path(__file__).with_name("program.py")
SECONDS = 1.2  # from the start of the process to the end of its answer
MEMORY = 512 * 1024 * 1024  # of address space; also in docs/operating.md
MAX_ANSWER = 8 * 1024 * 1024
PIECE = 64 * 1024

Kind = Literal["table", "pdf", "picture"]


class Busy(Unfit):
    """The most files that may be read at once are being read."""

    status = 503
    code = "busy"

    def __init__(self) -> None:
        super().__init__(gettext_lazy("Other files are being read just now. Wait a few seconds and send yours again."))


class Unreadable(Exception):
    """The file is invalid. `code` comes from the program; `row` is where in a table."""

    def __init__(self, code: str, row: int = 0) -> None:
        super().__init__(code)
        self.code, self.row = code, row


class TooCostly(Exception):
    """Reading the file took too much time or memory, or its reader crashed."""


def too_costly() -> str:
    """The message about a file that is too costly."""
    return _(
        "This file takes too much time or memory to read. Save it again in the program it was made with, or split it."
    )


def read(kind: Kind, content: bytes, *, seconds: float = SECONDS, most_answer: int = MAX_ANSWER, **limits: Any) -> Any:
    """Read a file with the program. Raises Unreadable, TooCostly or, if no reader is free, Busy.

    Workers may take more seconds and accept a longer answer than a web process.
    """
    told = msgspec.json.encode({"seconds": seconds, "memory": MEMORY} | limits).decode()
    try:
        with turns.reading.turn():
            answer = _answer([sys.executable, "-I", str(PROGRAM), kind, told], content, seconds, most_answer)
    except turns.NoneFree:
        raise Busy from None
    try:
        said = msgspec.json.decode(answer, type=dict[str, Any])
    except msgspec.DecodeError:
        raise TooCostly from None
    if "refused" in said:
        raise Unreadable(said["refused"], said.get("row", 0))
    return said["found"]


def _answer(command: list[str], content: bytes, seconds: float, most: int) -> bytes:
    """The output of the process. The process and its children are dead when this returns."""
    deadline = time.monotonic() + seconds
    with subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        # A process that reads untrusted files gets no secrets.
        env={name: value for name, value in os.environ.items() if name == "LD_LIBRARY_PATH"},
        start_new_session=True,
    ) as process:
        try:
            # The program reads the whole file before it writes. If it dies while reading, its answer is empty.
            with contextlib.suppress(BrokenPipeError), process.stdin as pipe:  # type: ignore[union-attr]
                pipe.write(content)
            return _received(process.stdout.fileno(), deadline, most)  # type: ignore[union-attr]
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)


def _received(source: int, deadline: float, most: int) -> bytes:
    answer = bytearray()
    with selectors.DefaultSelector() as waiting:
        waiting.register(source, selectors.EVENT_READ)
        while waiting.select(max(0, deadline - time.monotonic())):
            piece = os.read(source, PIECE)
            if not piece:
                return bytes(answer)
            answer += piece
            if len(answer) > most:
                log.warning("upload_answer_too_large")
                raise TooCostly
    log.warning("upload_too_slow")
    raise TooCostly
