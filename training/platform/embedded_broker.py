"""A broker without a server: a queue in an SQLite file, for one machine. Loaded only if used.

A message is a row until a consumer takes it. Consumers do not poll the file: each waits on its own pipe beside it, and
a sender writes a byte into every pipe.
"""

import contextlib
import errno
import fcntl
import json
import os
import select
import sqlite3
import time
from collections.abc import Iterator
from pathlib import Path
from queue import Empty
from typing import Any

import structlog
from kombu.transport import virtual

log = structlog.get_logger(__name__)

# Seconds between two looks into the file:
LOOK = 2.0  # without a byte from a sender, in case one got lost
LOOK_BUSY = 0.02  # while tasks are running, since the worker acknowledges finished ones between two looks
REST = 1.0  # while the file cannot be used (a full disk, say)
INHERITED: list[sqlite3.Connection] = []
TABLE = """
CREATE TABLE IF NOT EXISTS message (id INTEGER PRIMARY KEY AUTOINCREMENT, queue TEXT NOT NULL, payload TEXT NOT NULL);
CREATE INDEX IF NOT EXISTS message_queue ON message (queue, id);
"""


@contextlib.contextmanager
def opened(path: Path) -> Iterator[sqlite3.Connection]:
    """Open the file for one operation: a connection must not cross a fork, and a broken one is not kept."""
    connection = sqlite3.connect(path, timeout=20, isolation_level=None)
    try:
        connection.execute("PRAGMA synchronous=NORMAL")
        yield connection
    finally:
        connection.close()


def make(path: Path) -> None:
    """Create the file. Several processes may do this at once, so they take a lock beside it: SQLite cannot wait for a
    change of its journal mode."""
    with path.with_suffix(".making").open("a") as lock, opened(path) as connection:
        fcntl.flock(lock, fcntl.LOCK_EX)
        # Readers and writers must not block each other. The mode is stored in the file.
        connection.execute("PRAGMA journal_mode=WAL")
        for statement in TABLE.strip().splitlines():
            connection.execute(statement)


def wake(path: Path) -> None:
    """Write a byte into every pipe. Removes pipes without a reader, which killed consumers leave behind."""
    for pipe in path.with_suffix(".wake").glob("[0-9]*"):
        try:
            descriptor = os.open(pipe, os.O_WRONLY | os.O_NONBLOCK)
        except OSError as error:
            if error.errno == errno.ENXIO:
                pipe.unlink(missing_ok=True)
            continue
        with contextlib.suppress(BlockingIOError):  # full: its reader will look anyway
            os.write(descriptor, b"!")
        os.close(descriptor)


class Listener:
    """One consumer waiting on its pipe. Keeps the file open, since closing the last connection costs a checkpoint."""

    def __init__(self, path: Path) -> None:
        directory = path.with_suffix(".wake")
        directory.mkdir(exist_ok=True)
        self.pipe = directory / f"{os.getpid()}-{time.monotonic_ns()}"
        # Hidden until it has a reader; otherwise a sender would remove it as a leftover.
        hidden = directory / f".{self.pipe.name}"
        os.mkfifo(hidden, 0o600)
        self.descriptor = os.open(hidden, os.O_RDWR | os.O_NONBLOCK)
        hidden.rename(self.pipe)
        self.held = sqlite3.connect(path, check_same_thread=False)
        self.held.execute("SELECT count(*) FROM message").fetchone()
        # A forked child must neither use nor close the connection, so keep a reference that stops it from being closed.
        os.register_at_fork(after_in_child=lambda held=self.held: INHERITED.append(held))

    def wait(self, seconds: float) -> bool:
        """Wait for a message; False if none came in time."""
        if not select.select([self.descriptor], [], [], seconds)[0]:
            return False
        with contextlib.suppress(BlockingIOError):
            os.read(self.descriptor, 4096)
        return True

    def close(self) -> None:
        self.pipe.unlink(missing_ok=True)
        os.close(self.descriptor)
        self.held.close()


class Channel(virtual.Channel):
    connection: Any

    @property
    def path(self) -> Path:
        return Path(self.connection.path)

    def _new_queue(self, queue: str, **_: Any) -> None:
        make(self.path)

    def _put(self, queue: str, message: Any, **_: Any) -> None:
        with opened(self.path) as connection:
            connection.execute("INSERT INTO message (queue, payload) VALUES (?, ?)", (queue, json.dumps(message)))
        wake(self.path)

    def _get(self, queue: str, timeout: float | None = None) -> Any:
        first = "SELECT id, payload FROM message WHERE queue = ? ORDER BY id LIMIT 1"
        with opened(self.path) as connection:
            while found := connection.execute(first, (queue,)).fetchone():
                if connection.execute("DELETE FROM message WHERE id = ?", (found[0],)).rowcount:
                    return json.loads(found[1])
        raise Empty

    def _size(self, queue: str) -> int:
        with opened(self.path) as connection:
            return int(connection.execute("SELECT count(*) FROM message WHERE queue = ?", (queue,)).fetchone()[0])

    def _purge(self, queue: str) -> int:
        with opened(self.path) as connection:
            return connection.execute("DELETE FROM message WHERE queue = ?", (queue,)).rowcount


def _under_way(channel: Any) -> bool:
    """Whether delivered messages are not acknowledged yet."""
    return len(channel.qos._delivered) > len(channel.qos._dirty)


class Transport(virtual.Transport):
    Channel = Channel
    default_port = 0
    can_parse_url = True
    driver_type = driver_name = "embedded"
    connection_errors = (*virtual.Transport.connection_errors, sqlite3.Error)
    channels: Any  # the stubs say that these three may be None
    cycle: Any
    client: Any
    listener: Listener | None = None
    looked = 0.0  # when the queue was last found empty

    @property
    def path(self) -> Path:
        return Path(str(self.client.hostname).removeprefix("sqlite:///"))

    def drain_events(self, connection: Any, timeout: float | None = None, **_: Any) -> None:
        """Deliver one message, or raise TimeoutError; soon while tasks are running, so that they are acknowledged."""
        self.listener = self.listener or Listener(self.path)
        deadline = time.monotonic() + timeout if timeout is not None else float("inf")
        while True:
            pause = LOOK
            try:
                if self._look():
                    return
            except sqlite3.Error as error:
                log.warning("queue_not_readable", error=str(error))
                pause = REST
            busy = any(_under_way(channel) for channel in self.channels)
            if self.listener.wait(max(0.0, min(LOOK_BUSY if busy else pause, deadline - time.monotonic()))):
                self.looked = 0.0
            elif busy or time.monotonic() >= deadline:
                raise TimeoutError

    def _look(self) -> bool:
        """Deliver a message if there is one. Does not open the file if it was empty a moment ago."""
        if time.monotonic() - self.looked < LOOK:
            return False
        try:
            self.cycle.get(self._deliver)
        except Empty:
            if all(channel.qos.can_consume() for channel in self.channels):
                self.looked = time.monotonic()
            return False
        return True

    def close_connection(self, connection: Any) -> None:
        super().close_connection(connection)
        if self.listener:
            self.listener.close()
            self.listener = None

    def driver_version(self) -> str:
        return sqlite3.sqlite_version
