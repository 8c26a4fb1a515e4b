"""The broker that needs no server: a queue in an SQLite file, for one machine. Loaded only where it is used."""

import sqlite3
from typing import Any

from kombu.transport.sqlalchemy import Channel as SqlChannel
from kombu.transport.sqlalchemy import Transport as SqlTransport
from sqlalchemy import Engine, create_engine, event
from sqlalchemy.exc import IntegrityError, OperationalError
from sqlalchemy.pool import NullPool

# Several processes start at once on a new file. Whoever comes second finds one more of the few things made each time.
OPENING_TRIES = 10


def write_ahead(connection: sqlite3.Connection, _record: object) -> None:
    """Those who look at the queue and those who write into it must not wait for one another."""
    connection.execute("PRAGMA journal_mode=WAL")
    connection.execute("PRAGMA synchronous=NORMAL")


class Channel(SqlChannel):
    def _engine_from_config(self) -> Engine:
        # An SQLite connection must not cross a fork, so none is kept open between two looks at the queue.
        address = str(self.connection.client.hostname)  # type: ignore[union-attr]
        engine = create_engine(address, poolclass=NullPool, connect_args={"timeout": 20})
        event.listen(engine, "connect", write_ahead)
        return engine

    def _open(self) -> Any:
        for _try in range(OPENING_TRIES - 1):
            try:
                return super()._open()
            except OperationalError:  # another process is making the same tables
                continue
        return super()._open()

    def _get_or_create(self, queue: str) -> Any:
        try:
            return super()._get_or_create(queue)  # type: ignore[misc]  # the stubs do not know it
        except IntegrityError:  # another process made the queue in between
            self.session.rollback()
            return super()._get_or_create(queue)  # type: ignore[misc]


class Transport(SqlTransport):
    Channel = Channel
    polling_interval = 0.05  # seconds between two looks; the library's own is a whole second
