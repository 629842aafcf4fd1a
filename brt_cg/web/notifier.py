"""`serve --notify COMMAND`: a command that runs on the server's own machine when it becomes a
player's turn, for example to send that player a message; `--notify-marine` and `--notify-japanese`
set it for one seat.

The command is split into words once, no shell reads it, and it contains nothing of a campaign. The
text is in the environment: BRT_CG_SEAT is the seat whose turn it is, BRT_CG_TEXT a sentence about
that (with the step only if both may know it), and BRT_CG_CAMPAIGN is the name of one of a club's
campaigns. No address of a seat is given.
"""

import asyncio
import logging
import os
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress

from brt_cg.exports.wording import side_and_turn_text
from brt_cg.files import state_file_path
from brt_cg.immutable import immutable
from brt_cg.model import Seat, Side
from brt_cg.questions import RefusedError
from brt_cg.service.campaign_reader import CampaignReader
from brt_cg.service.saved_notes import SavedNotes
from brt_cg.storage import reader
from brt_cg.storage.errors import StorageError
from brt_cg.storage.place import Address, Place
from brt_cg.storage.watch import FileWatch
from brt_cg.text import quote_typed, shell_words

LOOK_EVERY = 1.0  # seconds between two checks of a file
LOOK_SELDOM = 5.0  # and at a server
MOST = 10.0  # seconds for the command
EVERY = 60.0  # seconds between two of them for one seat
log = logging.getLogger(__name__)


def split_command(text: str, option: str = "--notify") -> list[str]:
    """Return the words of a command. Raises RefusedError."""
    try:
        words = shell_words(text)
    except ValueError as error:
        raise RefusedError(
            f"{option}: {quote_typed(text)} cannot be read ({error}); put quotes around it"
        ) from None
    if not words:
        raise RefusedError(f"{option} is empty; enter a program and its arguments")
    return words


@immutable
class PendingQuestions:
    """The questions that a seat has now: `asked` identifies them (empty: there are none), `others`
    is the number of entries so far that the seat did not make, `text` is a line for its player."""

    asked: str
    others: int
    text: str


class Notifier:
    """The runner of each side's command. The command runs if the side has a question that it did
    not have when its player was last notified, and somebody else has entered something since; at
    most once a minute. No notification is lost, even after a restart. The command runs in the
    background; a failure is reported once."""

    def __init__(
        self,
        file: Place,
        commands: Mapping[Side, Sequence[str]],
        name: str = "",
        campaign: str = "",
    ) -> None:
        self._file, self._commands, self._name = file, commands, name
        self._watch = None if isinstance(file, Address) else FileWatch(file)
        self._has_failed = False
        self._notes = SavedNotes(state_file_path("notified", campaign)) if campaign else None
        self._noticed: dict[str, list[object]] = self._notes.read() if self._notes else {}
        self._last: dict[Side, float] = {}

    async def watch_and_notify(self) -> None:
        """Follow the campaign; never returns."""
        known: object = None
        tasks: Mapping[Side, PendingQuestions] = {}
        while True:
            now = await self._state()
            if now != known or not tasks:
                known, tasks = now, await self._tasks()
            for side, task in tasks.items():
                await self._notify(side, task)
            await asyncio.sleep(LOOK_SELDOM if isinstance(self._file, Address) else LOOK_EVERY)

    async def _notify(self, side: Side, task: PendingQuestions) -> None:
        """Run the command of a side if it is due and already allowed."""
        if str(side) not in self._noticed:  # the first look
            self._note(side, task)
        asked, others = self._noticed[str(side)]
        if not task.asked or task.asked == asked or task.others == others:
            return
        now = time.monotonic()
        if now - self._last.get(side, -EVERY) < EVERY:
            return  # too early: the next check runs it
        self._last[side] = now
        self._note(side, task)
        await self._run(side, task.text)

    def _note(self, side: Side, task: PendingQuestions) -> None:
        """Remember the questions that a player has been notified of."""
        self._noticed[str(side)] = [task.asked, task.others]
        if self._notes is not None:
            self._notes.save(**self._noticed)

    async def _state(self) -> object:
        if self._watch is not None:
            return self._watch.change_token()
        with suppress(StorageError, OSError):
            return await asyncio.to_thread(reader.newest_entry, self._file)
        return None

    async def _tasks(self) -> Mapping[Side, PendingQuestions]:
        with suppress(StorageError, RefusedError, OSError):
            return await asyncio.to_thread(read_pending_questions, self._file, self._commands)
        return {}

    async def _run(self, side: Side, text: str) -> None:
        """Run the command of a side, and end it if it takes too long."""
        words = self._commands[side]
        given = {**os.environ, "BRT_CG_SEAT": str(side), "BRT_CG_TEXT": text}
        given["BRT_CG_CAMPAIGN"] = self._name
        nothing = asyncio.subprocess.DEVNULL
        try:
            process = await asyncio.create_subprocess_exec(
                *words, stdin=nothing, stdout=nothing, stderr=nothing, env=given
            )
        except (OSError, ValueError) as error:
            self._failed(words, str(error))
            return
        try:
            async with asyncio.timeout(MOST):
                code = await process.wait()
            if code:
                self._failed(words, f"it ended with status {code}")
        except TimeoutError:
            self._failed(words, f"it took longer than {MOST:.0f} seconds")
        finally:
            if process.returncode is None:
                with suppress(ProcessLookupError):
                    process.kill()
                await process.wait()

    def _failed(self, words: Sequence[str], why: str) -> None:
        if not self._has_failed:
            self._has_failed = True
            log.error("%s", f"--notify {words[0]} failed: {why} (this message appears only once)")


def read_pending_questions(
    file: Place, sides: Mapping[Side, object]
) -> dict[Side, PendingQuestions]:
    """Return the questions of these sides. Raises StorageError."""
    desk = CampaignReader.open_read_only(file)
    try:
        shared = desk.shared_view()
        whose, words = side_and_turn_text(shared)
        name = shared.campaign.situation.name
        tasks = {}
        for side in sides:
            desk.set_seat(Seat(side.value))
            view = desk.view()
            asked = f"{view.question_identity}" if view.side_to_answer is side else ""
            requests = [each for each in view.requests if each.can_be_answered_from(side)]
            asks = "Your opponent asks you to agree"
            text = words if whose is side else " · ".join(filter(None, (asks, name)))
            asked += "".join(f" {each.number}" for each in requests)
            tasks[side] = PendingQuestions(asked, desk.count_entries_by_others(), text)
        return tasks
    finally:
        desk.close()
