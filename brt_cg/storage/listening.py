"""Listening for new entries of a campaign on a server, and watching the connection."""

from collections.abc import Callable
from threading import Event, Thread

import psycopg

from brt_cg.storage import postgres
from brt_cg.storage.cells import quoted
from brt_cg.storage.place import Address

AGAIN = 1.0  # seconds between two attempts to connect
BREATH = 1.0  # seconds between checks whether it has been closed


class Listening:
    """Listens in a thread of its own until it is closed, and calls `notify` there: with None when
    entries may have been added (also at the start and after a reconnect), with a message when the
    connection is lost."""

    def __init__(self, address: Address, notify: Callable[[str | None], None]) -> None:
        self._address = address
        self._channel = postgres.schema_of(address)
        self._notify = notify
        self._closed = Event()
        Thread(target=self._listen, name="listening", daemon=True).start()

    def close(self) -> None:
        """Stops listening."""
        self._closed.set()

    def _listen(self) -> None:
        while not self._closed.is_set():
            try:
                with postgres.connect(self._address) as connection:
                    self._hear(connection)
            except psycopg.Error as error:
                if not self._closed.is_set():
                    self._notify(postgres.in_words(self._address, error))
            self._closed.wait(AGAIN)

    def _hear(self, connection: postgres.Connection) -> None:
        connection.execute(f"LISTEN {quoted(self._channel)}".encode())
        self._notify(None)
        while not self._closed.is_set():
            for _ in connection.notifies(timeout=BREATH, stop_after=1):
                self._notify(None)
