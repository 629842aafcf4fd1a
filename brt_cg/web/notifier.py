"""`serve --notify COMMAND`: a command of the server's own machine is run when it becomes a player's
turn, such as one that sends that player a message.

Its words are split once, and no shell reads them; nothing of a campaign is among them. The text
comes by the environment: BRT_CG_SEAT is the seat whose turn it is, BRT_CG_TEXT says so, with the
step only if both may know it, and BRT_CG_CAMPAIGN is the name of one of a club's campaigns. No
address of a seat is given.
"""

import asyncio
import logging
import os
from collections.abc import Sequence
from contextlib import suppress

from brt_cg.exports.wording import turn_text
from brt_cg.model import Side
from brt_cg.questions import RefusedError
from brt_cg.service.campaign_reader import CampaignReader
from brt_cg.storage import reader
from brt_cg.storage.errors import StorageError
from brt_cg.storage.place import Address, Place
from brt_cg.storage.watch import FileWatch
from brt_cg.text import as_typed, shell_words

LOOK_EVERY = 1.0  # seconds between two checks of a file
LOOK_SELDOM = 5.0  # and at a server
MOST = 10.0  # seconds for the command
EVERY = 60.0  # seconds between two of them
log = logging.getLogger(__name__)

Turn = tuple[Side | None, str]


def split_command(text: str) -> list[str]:
    """The words of a command. Raises RefusedError."""
    try:
        words = shell_words(text)
    except ValueError as error:
        raise RefusedError(f"--notify: found {as_typed(text)}: {error}") from None
    if not words:
        raise RefusedError("--notify: found nothing; allowed: a program, and its arguments")
    return words


class Notifier:
    """The runner of the command for the player whose turn it is now. Nobody waits for it; a failure
    is reported once."""

    def __init__(self, file: Place, words: Sequence[str], name: str = "") -> None:
        self._file, self._words, self._name = file, words, name
        self._watch = None if isinstance(file, Address) else FileWatch(file)
        self._has_failed = False

    async def watch(self) -> None:
        """Follow the campaign; never returns."""
        known, told = await self._state(), await self._turn()
        while True:
            await asyncio.sleep(LOOK_SELDOM if isinstance(self._file, Address) else LOOK_EVERY)
            now = await self._state()
            if now == known:
                continue
            known, turn = now, await self._turn()
            if turn[0] is told[0] or turn[0] is None:
                told = told if turn[0] is None else turn
                continue
            told = turn
            await self._run(*turn)
            await asyncio.sleep(EVERY)

    async def _state(self) -> object:
        if self._watch is not None:
            return self._watch.state()
        with suppress(StorageError, OSError):
            return await asyncio.to_thread(reader.newest_entry, self._file)
        return None

    async def _turn(self) -> Turn:
        with suppress(StorageError, RefusedError, OSError):
            return await asyncio.to_thread(_turn_in, self._file)
        return None, ""

    async def _run(self, side: Side | None, text: str) -> None:
        """Run the command, and end it if it takes too long."""
        given = {**os.environ, "BRT_CG_SEAT": str(side), "BRT_CG_TEXT": text}
        given["BRT_CG_CAMPAIGN"] = self._name
        nothing = asyncio.subprocess.DEVNULL
        try:
            process = await asyncio.create_subprocess_exec(
                *self._words, stdin=nothing, stdout=nothing, stderr=nothing, env=given
            )
        except (OSError, ValueError) as error:
            self._failed(str(error))
            return
        try:
            async with asyncio.timeout(MOST):
                code = await process.wait()
            if code:
                self._failed(f"it ended with status {code}")
        except TimeoutError:
            self._failed(f"it took longer than {MOST:.0f} seconds")
        finally:
            if process.returncode is None:
                with suppress(ProcessLookupError):
                    process.kill()
                await process.wait()

    def _failed(self, why: str) -> None:
        if not self._has_failed:
            self._has_failed = True
            log.error("%s", f"--notify {self._words[0]}: {why}; this is said once")


def _turn_in(file: Place) -> Turn:
    desk = CampaignReader.open_read_only(file)
    try:
        return turn_text(desk.shared_view())
    finally:
        desk.close()
