"""Reads one file in a separate process that ends with the request, whatever the file contains."""

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

from training.platform.errors import Unfit
from training.platform.uploads import slots

log = structlog.get_logger(__name__)

PROGRAM = Path(__file__).with_name("program.py")
SECONDS = 1.2  # from the start of the process to the end of its answer
MEMORY = 512 * 1024 * 1024  # of address space; docs/operating.md names it
MAX_ANSWER = 8 * 1024 * 1024
PIECE = 64 * 1024

Kind = Literal["table", "pdf", "picture"]


class Busy(Unfit):
    """As many files as may be read at a time are being read."""

    status = 503
    code = "busy"

    def __init__(self) -> None:
        super().__init__(gettext_lazy("Other files are being read just now. Wait a few seconds and send yours again."))


class Unreadable(Exception):
    """The file is not what it should be. `code` is the program's, `row` where in a table."""

    def __init__(self, code: str, row: int = 0) -> None:
        super().__init__(code)
        self.code, self.row = code, row


class TooCostly(Exception):
    """Reading the file took more time or memory than any file needs, or its reader broke down."""


def too_costly() -> str:
    """What the person is told of such a file."""
    return _(
        "This file takes too much time or memory to read. Save it again in the program it was made with, or split it."
    )


def read(kind: Kind, content: bytes, **limits: Any) -> Any:
    """What the program makes of a file. Raises Unreadable, TooCostly or, where no reader is free, Busy."""
    told = msgspec.json.encode({"seconds": SECONDS, "memory": MEMORY} | limits).decode()
    try:
        with slots.turn():
            answer = _answer([sys.executable, "-I", str(PROGRAM), kind, told], content)
    except slots.NoneFree:
        raise Busy from None
    try:
        said = msgspec.json.decode(answer, type=dict[str, Any])
    except msgspec.DecodeError:
        raise TooCostly from None
    if "refused" in said:
        raise Unreadable(said["refused"], said.get("row", 0))
    return said["found"]


def _answer(command: list[str], content: bytes) -> bytes:
    """What the process writes. It is gone when this returns, with all that it may have started."""
    deadline = time.monotonic() + SECONDS
    with subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        # A process that reads strangers' files gets none of our secrets.
        env={name: value for name, value in os.environ.items() if name == "LD_LIBRARY_PATH"},
        start_new_session=True,
    ) as process:
        try:
            # The program reads the whole file before it writes. If it dies while reading, its answer is empty.
            with contextlib.suppress(BrokenPipeError), process.stdin as pipe:  # type: ignore[union-attr]
                pipe.write(content)
            return _received(process.stdout.fileno(), deadline)  # type: ignore[union-attr]
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)


def _received(source: int, deadline: float) -> bytes:
    answer = bytearray()
    with selectors.DefaultSelector() as waiting:
        waiting.register(source, selectors.EVENT_READ)
        while waiting.select(max(0, deadline - time.monotonic())):
            piece = os.read(source, PIECE)
            if not piece:
                return bytes(answer)
            answer += piece
            if len(answer) > MAX_ANSWER:
                log.warning("upload_answer_too_large")
                raise TooCostly
    log.warning("upload_too_slow")
    raise TooCostly
