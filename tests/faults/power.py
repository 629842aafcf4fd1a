"""The power is cut: what was written and not synced may be on the disk or not, sector by sector.

The calls that SQLite makes are noted once; a disk that has come so far in them is then made up in a
folder, and looked at. What a folder holds (a file that was made, or deleted) lasts once the folder
is synced: SQLite does that with the first sync of a rollback journal, and with a deletion where
`PRAGMA synchronous` is EXTRA.
"""

import pickle
import shutil
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from random import Random

from brt_cg.audit import audit_campaign
from brt_cg.service.open_campaign import OpenCampaign
from brt_cg.storage.errors import StorageError
from tests.faults.children import in_child
from tests.faults.rim import OK, Call, Rim
from tests.faults.table import Harm, Problem
from tests.reading import read_entries

SECTOR = 512  # bytes that are written whole or not at all
JOURNAL = "-journal"
STORED = "stored"  # the call that stands for the moment at which a player reads that it is
NOTE = {"words": "seen", "side": None, "about": None}
ENTERED = 10


def noted(work: Callable[[Callable[[], None]], object], folder: Path) -> list[Call]:
    """The calls of some work in a child; it tells each time that something is stored."""
    kept = folder / "calls"

    def work_to_the_end() -> None:
        calls: list[Call] = []
        rim = Rim(lambda _: OK, calls.append)
        work(lambda: calls.append(Call(STORED, Path())))
        rim.after = lambda _: None
        kept.write_bytes(pickle.dumps([tuple(call) for call in calls]))

    assert in_child(work_to_the_end) == 0
    return [Call(*call) for call in pickle.loads(kept.read_bytes())]


@dataclass(slots=True)
class _File:
    """What lasts of a file, and the writes and truncations since its last sync."""

    lasting: bytes = b""
    pending: list[Call] = field(default_factory=list)
    synced: bool = False

    def after_cut(self, chance: Random) -> bytes:
        """What is found of it: each sector that was not synced is there or not."""
        found = bytearray(self.lasting)
        for call in self.pending:
            if call.name == "truncate":
                if chance.random() < 0.5:
                    del found[call.number :]
                continue
            for start in range(0, len(call.data), SECTOR):
                if chance.random() < 0.5:
                    _put(found, call.number + start, call.data[start : start + SECTOR])
        return bytes(found)

    def sync(self) -> None:
        found = bytearray(self.lasting)
        for call in self.pending:
            if call.name == "truncate":
                del found[call.number :]
            else:
                _put(found, call.number, call.data)
        self.lasting, self.pending, self.synced = bytes(found), [], True


def _put(found: bytearray, at: int, data: bytes) -> None:
    if at > len(found):
        found.extend(bytes(at - len(found)))
    found[at : at + len(data)] = data


class Disk:
    """A disk that has gone through the first calls of a list; `stored` is how often a player had
    read by then that something is."""

    def __init__(self, start: dict[Path, bytes], calls: list[Call]) -> None:
        self._lasting = {path: _File(content) for path, content in start.items()}
        self._named = dict(self._lasting)
        self._folder: list[tuple[Path, _File | None]] = []  # what changed there, not yet synced
        self.stored = 0
        for call in calls:
            self._follow(call)

    def after_cut(self, folder: Path, chance: Random) -> None:
        """Writes what is found after a cut into an empty folder: of what changed in the folder and
        was not synced, the first so many changes."""
        found = dict(self._lasting)
        for path, file in self._folder[: chance.randint(0, len(self._folder))]:
            _change(found, path, file)
        for path, file in found.items():
            (folder / path.name).write_bytes(file.after_cut(chance))

    def _follow(self, call: Call) -> None:
        if call.name == STORED:
            self.stored += 1
        elif call.path == Path():
            return  # a file of SQLite's own that nobody reads again
        elif call.name == "delete":
            self._enter(call.path, None)
            if call.number:
                self._sync_folder()
        elif call.name == "open":
            if call.path not in self._named:
                self._enter(call.path, _File())
        elif call.name == "sync":
            self._sync(call.path)
        else:
            self._named[call.path].pending.append(call)

    def _sync(self, path: Path) -> None:
        file = self._named[path]
        if not file.synced and path.name.endswith(JOURNAL):
            self._sync_folder()
        file.sync()

    def _enter(self, path: Path, file: _File | None) -> None:
        _change(self._named, path, file)
        self._folder.append((path, file))

    def _sync_folder(self) -> None:
        for path, file in self._folder:
            _change(self._lasting, path, file)
        self._folder.clear()


def _change(files: dict[Path, _File], path: Path, file: _File | None) -> None:
    if file is None:
        files.pop(path, None)
    else:
        files[path] = file


# --- a campaign whose power is cut --------------------------------------------------------------


def played(path: Path, told: Callable[[], None]) -> None:
    """Ten commands of a player, each of which he reads as stored."""
    desk = OpenCampaign.open(path)
    for number in range(ENTERED):
        desk.undo_or_request() if number % 4 == 3 else desk.run_command("note", NOTE)
        told()
    desk.close()


class Cuts:
    """Power cuts, each at a moment of those commands; each third just after something was
    stored."""

    def __init__(self, folder: Path, quick: int, full: int) -> None:
        self.folder, self.quick, self.full = folder, quick, full
        self.path = folder / "campaign.brt"
        OpenCampaign.create(self.path, {"cg": "III"}).close()
        self.start = self.path.read_bytes()
        self.calls = noted(partial(played, self.path), folder)
        self.path.write_bytes(self.start)

    def seeds(self, full: bool) -> Iterable[str]:
        return map(str, range(self.full if full else self.quick))

    def problems(self, seed: str) -> Iterator[Problem]:
        chance, calls = Random(seed), self.calls
        moments = [at + 1 for at, call in enumerate(calls) if call.name == STORED]
        just_after = int(seed) % 3 == 0
        moment = chance.choice(moments) if just_after else chance.randint(0, len(calls))
        disk = Disk({self.path: self.start}, calls[:moment])
        there = self.folder / "cut"
        there.mkdir()
        try:
            disk.after_cut(there, chance)
            yield from _problems(there / self.path.name, self.path, disk.stored)
        finally:
            shutil.rmtree(there)


def _problems(found: Path, start: Path, stored: int) -> Iterator[Problem]:
    before = len(read_entries(start))
    try:
        entries = len(read_entries(found)) - before
    except StorageError as error:
        yield Problem(Harm.LOST, f"the campaign cannot be read: {error}")
        return
    if not stored <= entries <= stored + 1:
        yield Problem(Harm.LOST, f"{stored} were stored, {entries} stand")
    if not audit_campaign(found).ok:
        yield Problem(Harm.LOST, "the audit finds something")
