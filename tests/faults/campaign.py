"""What a fault must not harm: a command on a campaign, tried with the storage failing under it.

A command is killed, or the disk is full, or fails, at each write, sync, truncation and deletion
that SQLite makes for it. Afterwards the campaign stands before or after it, audits clean, says what
happened, and goes on.
"""

import shutil
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from pathlib import Path

from brt_cg.audit import audit_campaign
from brt_cg.storage.backups import BackupReason, make_backup
from brt_cg.storage.errors import StorageError
from brt_cg.storage.sqlite import is_zero_byte_file
from tests.faults.children import KILLED, in_child, left_by_kills
from tests.faults.commands import Command, Words, beside, commands, prepared, run, run_hushed
from tests.faults.later import one_revision_further
from tests.faults.rim import FOLDER_SYNC, FULL, IOERR, OK, READONLY, Call, watched
from tests.faults.table import Harm, Problem, room
from tests.reading import read_entries


@dataclass(frozen=True, slots=True)
class Break:
    """How a call fails: with a result code of SQLite, and those after it too, or it alone; a
    deletion also after it was `done`."""

    code: int
    once: bool = False
    done: bool = False


# By the name of the row; None is a kill.
FAULTS: dict[str, Break | None] = {
    "kill": None,
    "disk-full": Break(FULL),
    "disk-error": Break(IOERR),
    "one-error": Break(IOERR, once=True),
    "last-flush": Break(FOLDER_SYNC, once=True, done=True),
    "read-only": Break(READONLY),
}


@dataclass(slots=True)
class Tried:
    """A command with the file that it meets, how many entries stand without and with it, what kills
    leave at each call, and how it ended so far, to the byte: what is the same is looked at once."""

    command: Command
    start: Path | None
    stands: tuple[int, int]
    left: list[Path]
    seen: set[tuple[object, ...]] = field(default_factory=set)


class Storage:
    """The commands tried in a folder, each prepared once for all faults."""

    def __init__(self, folder: Path, *names: str) -> None:
        self.folder = folder
        self.here = room(folder, "here")
        self.commands = {
            one.name: one for one in commands(folder) if not names or one.name in names
        }
        self._tried: dict[str, Tried] = {}

    def tried(self, name: str) -> Tried:
        if name not in self._tried:
            command = self.commands[name]
            start = prepared(command, self.folder)
            with self.around(command):
                self._tried[name] = self._prepared(command, start)
        return self._tried[name]

    def _prepared(self, command: Command, start: Path | None) -> Tried:
        path = fresh(self.here, start)
        before = stored(path)
        # What it loads, no child need load again.
        assert run_hushed(command.words, path) in command.done, command.name
        stands = (before, stored(path))
        fresh(self.here, start)
        kept = self.folder / f"left by {command.name}"
        left = left_by_kills(lambda: run(command.words, path), self.here, kept)
        return Tried(command, start, stands, left)

    def around(self, command: Command) -> AbstractContextManager[None]:
        return one_revision_further(self.folder) if command.upgrades else nullcontext()


class Faults:
    """One kind of fault, tried at each call of each command: the seed "import 12" is the thirteenth
    call of the import."""

    def __init__(self, storage: Storage, fault: str) -> None:
        self.storage, self.fault = storage, FAULTS[fault]

    def seeds(self, full: bool) -> Iterable[str]:
        for name in self.storage.commands:
            calls = range(len(self.storage.tried(name).left))
            yield from (f"{name} {number}" for number in calls)

    def problems(self, seed: str) -> Iterator[Problem]:
        name, _, number = seed.partition(" ")
        tried = self.storage.tried(name)
        command, here = tried.command, self.storage.here
        with self.storage.around(command):
            ended, code = tried.left[int(number)], KILLED
            if self.fault is not None:
                path = fresh(here, tried.start)
                ended, code = here, in_child(_failing(command.words, path, int(number), self.fault))
            yield from _problems(tried, ended, code)


def _problems(tried: Tried, folder: Path, code: int) -> Iterator[Problem]:
    """What is wrong after a fault: with what stands, with what was said, or with going on. Where
    one before left the same, nothing else is."""
    path, command = folder / "campaign.brt", tried.command
    before, whole = tried.stands
    files = ((each.relative_to(folder), each.read_bytes()) for each in sorted(_files(folder)))
    ended = (code, *files)
    if ended in tried.seen:
        return
    tried.seen.add(ended)
    if code not in (2, KILLED, *command.done):
        yield Problem(Harm.UNTRUE, f"it ends with status {code}")
    try:
        now = stored(path)
        if before and not audit_campaign(path).ok:
            yield Problem(Harm.LOST, "the audit finds something")
    except StorageError as error:
        yield Problem(Harm.LOST, f"the campaign cannot be read: {error}")
        return
    if not before <= now <= whole:
        yield Problem(Harm.LOST, f"{now} entries stand, there were {before}, and {whole} with it")
    if code == 2 and now != before and not command.by_answer:
        yield Problem(Harm.UNTRUE, f"it was refused, and {now - before} entries stand")
    if code in command.done and now != whole:
        yield Problem(Harm.UNTRUE, f"it was done, and {now} of {whole} entries stand")
    if now < whole and run_hushed(command.words, path) not in command.done:
        yield Problem(Harm.LOST, "it cannot be done any more")
    if command.makes_beside:
        yield from _problems_beside(command, path, code)
    if now:
        make_backup(path, BackupReason.BEFORE_IMPORT)  # which clears away what was half-made
    litter = [each.name for each in folder.iterdir() if _is_litter(each)]
    yield from (Problem(Harm.UNTRUE, f"{name} is left behind") for name in litter)


def _problems_beside(command: Command, path: Path, code: int) -> Iterator[Problem]:
    """What is wrong with another file that a command makes: it is there as a whole or not at
    all."""
    made = beside(path)
    if code in command.done and not made.exists():
        yield Problem(Harm.UNTRUE, "it was done, and what it makes is not there")
    if not made.exists() and run_hushed(command.words, path) not in command.done:
        yield Problem(Harm.LOST, "it cannot be done any more")
    elif not audit_campaign(made).ok:
        yield Problem(Harm.LOST, "the audit finds something in what it makes")


def _files(folder: Path) -> list[Path]:
    return [each for each in folder.rglob("*") if each.is_file()]


def _is_litter(path: Path) -> bool:
    if path.name == "campaign.backups":
        return any(each.suffix != ".brt" for each in path.iterdir())
    return path.name not in ("campaign.brt", beside(path).name)


def _failing(words: Words, path: Path, number: int, how: Break) -> Callable[[], int]:
    """Runs a command; after so many calls one fails, or every one."""
    count = 0

    def before(_: str) -> int:
        nonlocal count
        count += 1
        fails = count == number + 1 if how.once else count > number
        return how.code if fails and not how.done else OK

    def after(_: Call) -> int:
        return how.code if how.done and count == number + 1 else OK

    return lambda: watched(lambda: run(words, path), before, after)


def stored(path: Path) -> int:
    """How many entries stand; none where there is no file, or an empty one."""
    return 0 if not path.exists() or is_zero_byte_file(path) else len(read_entries(path))


def fresh(folder: Path, start: Path | None) -> Path:
    for each in folder.iterdir():
        shutil.rmtree(each) if each.is_dir() else each.unlink()
    path = folder / "campaign.brt"
    if start is not None:
        shutil.copy(start, path)
    return path
