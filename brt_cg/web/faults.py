"""The faults of a server, a line each on its stderr, where perhaps nobody reads them."""

import logging
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from queue import Full, Queue
from threading import Thread

from brt_cg.text import abridged, printable

WHO = ("aiohttp", "asyncio", "brt_cg.web", "textual-serve")  # the loggers that tell of faults
MOST_WAITING = 100  # lines that nobody has read; what comes then is dropped
LAST = 0.5  # seconds to say the rest, at the end


class _Faults(logging.Handler):
    """Says faults from a thread of its own, so that nobody waits where the pipe is full."""

    def __init__(self, descriptor: int) -> None:
        super().__init__(logging.ERROR)
        self._descriptor = descriptor
        self._lines: Queue[bytes | None] = Queue(MOST_WAITING)
        self._saying = Thread(target=self._say, name="faults", daemon=True)
        self._saying.start()

    def emit(self, record: logging.LogRecord) -> None:
        fault = record.exc_info[1] if record.exc_info else None
        text = f"serve: {record.getMessage()}{f': {fault!r}' if fault else ''}"
        with suppress(Full):
            self._lines.put_nowait(f"{abridged(printable(text))}\n".encode())

    def _say(self) -> None:
        with suppress(OSError):
            # Not through sys.stderr, whose lock Python needs when it ends.
            while line := self._lines.get():
                os.write(self._descriptor, line)

    def close(self) -> None:
        with suppress(Full):
            self._lines.put_nowait(None)
        self._saying.join(LAST)
        super().close()


@contextmanager
def faults_said() -> Iterator[None]:
    """Has the faults of the server and its libraries said on stderr, if there is one."""
    if sys.stderr is None:
        yield
        return
    faults = _Faults(sys.stderr.fileno())
    loggers = [logging.getLogger(name) for name in WHO]
    for logger in loggers:
        logger.addHandler(faults)
        logger.propagate = False
    try:
        yield
    finally:
        for logger in loggers:
            logger.removeHandler(faults)
            logger.propagate = True
        faults.close()
