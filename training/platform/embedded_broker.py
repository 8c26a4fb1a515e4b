"""The broker that needs no server: a queue in an SQLite file, for one machine. Loaded only where it is used.

A message is a row until it is taken. Nobody looks into the file to find out whether there is one: each consumer waits
at a pipe of its own beside the file, and whoever puts a message writes a byte into every pipe.
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

# Seconds. A consumer looks this often though no byte came, in case one got lost …
LOOK = 2.0
# … this often while it has work under way, since the worker notes between two looks what is done …
LOOK_BUSY = 0.02
# … and not before this while the file cannot be used (a full disk, say).
REST = 1.0
INHERITED: list[sqlite3.Connection] = []
TABLE = """
CREATE TABLE IF NOT EXISTS message (id INTEGER PRIMARY KEY AUTOINCREMENT, queue TEXT NOT NULL, payload TEXT NOT NULL);
CREATE INDEX IF NOT EXISTS message_queue ON message (queue, id);
"""


@contextlib.contextmanager
def opened(path: Path) -> Iterator[sqlite3.Connection]:
    """The file, opened for one act only: a connection must not cross a fork, and a broken one is not kept."""
    connection = sqlite3.connect(path, timeout=20, isolation_level=None)
    try:
        connection.execute("PRAGMA synchronous=NORMAL")
        yield connection
    finally:
        connection.close()


def make(path: Path) -> None:
    """The file as it is to be. Several processes may do so at once: they wait at a lock beside it, since SQLite lets
    nobody wait for the change of its journal."""
    with path.with_suffix(".making").open("a") as turn, opened(path) as connection:
        fcntl.flock(turn, fcntl.LOCK_EX)
        # Those who look and those who write must not wait for one another. The file remembers it.
        connection.execute("PRAGMA journal_mode=WAL")
        for statement in TABLE.strip().splitlines():
            connection.execute(statement)


def wake(path: Path) -> None:
    """A byte into every pipe. One that nobody reads is left by a consumer that was killed."""
    for pipe in path.with_suffix(".wake").glob("[0-9]*"):
        try:
            descriptor = os.open(pipe, os.O_WRONLY | os.O_NONBLOCK)
        except OSError as error:
            if error.errno == errno.ENXIO:
                pipe.unlink(missing_ok=True)
            continue
        with contextlib.suppress(BlockingIOError):  # it is full: its reader will look anyway
            os.write(descriptor, b"!")
        os.close(descriptor)


class Post:
    """Where one consumer waits: its pipe, and the file held open, since whoever closes it last must tidy it up."""

    def __init__(self, path: Path) -> None:
        directory = path.with_suffix(".wake")
        directory.mkdir(exist_ok=True)
        self.pipe = directory / f"{os.getpid()}-{time.monotonic_ns()}"
        # Found by nobody before it has a reader, or it would be taken for a dead one's.
        hidden = directory / f".{self.pipe.name}"
        os.mkfifo(hidden, 0o600)
        self.descriptor = os.open(hidden, os.O_RDWR | os.O_NONBLOCK)
        hidden.rename(self.pipe)
        self.held = sqlite3.connect(path, check_same_thread=False)
        self.held.execute("SELECT count(*) FROM message").fetchone()
        # A child that is forked while it is open must neither use nor close it: it keeps it and leaves it alone.
        os.register_at_fork(after_in_child=lambda held=self.held: INHERITED.append(held))

    def wait(self, seconds: float) -> bool:
        """Whether somebody put a message meanwhile."""
        if not select.select([self.descriptor], [], [], seconds)[0]:
            return False
        with contextlib.suppress(BlockingIOError):
            os.read(self.descriptor, 4096)
        return True

    def leave(self) -> None:
        self.pipe.unlink(missing_ok=True)
        os.close(self.descriptor)
        self.held.close()


class Channel(virtual.Channel):
    """What kombu asks of a store of messages."""

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
    """Whether messages were delivered and their work is not done."""
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
    post: Post | None = None
    looked = 0.0  # when it was last seen that nothing is there

    @property
    def path(self) -> Path:
        return Path(str(self.client.hostname).removeprefix("sqlite:///"))

    def drain_events(self, connection: Any, timeout: float | None = None, **_: Any) -> None:
        """Deliver one message, or say that none came: soon while work is under way, so that its end is noted."""
        self.post = self.post or Post(self.path)
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
            if self.post.wait(max(0.0, min(LOOK_BUSY if busy else pause, deadline - time.monotonic()))):
                self.looked = 0.0
            elif busy or time.monotonic() >= deadline:
                raise TimeoutError

    def _look(self) -> bool:
        """Deliver a message if there is one; the file is opened only where there may be."""
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
        if self.post:
            self.post.leave()
            self.post = None

    def driver_version(self) -> str:
        return sqlite3.sqlite_version
