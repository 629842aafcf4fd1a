"""Going back to a backup, and saving a damaged file: each enters what it did, so that heads noted
before are known for what they are."""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from brt_cg.journal.heads import Heads, dropped, short
from brt_cg.model.counters import Side
from brt_cg.model.seat import Seat, seat_for
from brt_cg.model.value import value
from brt_cg.service import last_seen
from brt_cg.service.desk import Desk
from brt_cg.service.whole import whole
from brt_cg.storage import backups, reader, repair
from brt_cg.storage.errors import Damaged, StorageError
from brt_cg.storage.sqlite import check_free, copy
from brt_cg.text import counted
from brt_cg.views.view_chain import view_hashes


def restore(
    path: Path,
    backup: Path,
    seat: Seat | None,
    keep: bool = True,
    check: Callable[[Path], None] = lambda _: None,
) -> Path | None:
    """Replaces a campaign file by a backup with an entry that says so, as a whole or not at all;
    its tables and sentences are made anew. `check` raises StorageError for a backup that is not to
    be used. Backs the file up first, unless `keep` is false, and returns that backup. Raises
    StorageError."""
    with TemporaryDirectory() as folder:
        made = Path(folder) / backup.name
        if not repair.repair(backup, made).is_whole:
            raise Damaged(f"{backup} is damaged: nothing was changed; `repair` saves what it holds")
        backups.check(path, made)
        check(made)
        desk = Desk.open(made, backs_up=False)
        try:
            lost = dropped(_heads_in(path), heads_of(desk))
            _enter(desk, seat, "restore", {"backup": backup.name, "dropped": lost})
        finally:
            desk.close()
        return backups.restore(path, made, keep, spared=backup)


@value
class SavedCopy:
    """The result of a repair, and the head of the new file after the entry that tells of it."""

    found: repair.RepairResult
    head: str


def save(path: Path, target: Path, seat: Seat | None) -> SavedCopy:
    """Writes what can be saved of a damaged campaign to a new file, with an entry that says so.
    Raises StorageError, leaving none."""
    check_free(target)
    with TemporaryDirectory() as folder:
        made = Path(folder) / target.name
        found = repair.repair(path, made)
        desk = Desk.open(made, backs_up=False)
        try:
            seen = tuple(
                f"the {who.label} seat saw {counted(number, 'entry')} more, on this machine"
                for who, number in last_seen.gone(desk).items()
            )
            found = replace(found, doubts=(*found.doubts, *seen))
            lost = {Seat.UMPIRE.value: _lost_heads(path, found.unchanged)}
            _enter(desk, seat, "repair", {"lost": not found.is_whole, "dropped": lost})
            head = whole(desk).head or ""
        finally:
            desk.close()
        copy(made, target)
        return SavedCopy(found, head)


def _enter(desk: Desk, seat: Seat | None, kind: str, asked: dict[str, Any]) -> None:
    desk.sit(seat)
    desk.command(kind, asked)


def heads_of(desk: Desk) -> Heads:
    """The hashes of each seat's whole chain."""
    views: dict[Seat, list[str]] = {Seat.UMPIRE: [entry.hash for entry in whole(desk).entries]}
    return views | {seat_for(side): view_hashes(whole(desk), side) for side in Side}


def _heads_in(path: Path) -> Heads:
    """The same for a file; as many as can be read of a damaged one."""
    if not path.exists():
        return {}
    try:
        return heads_of(Desk.look_at(path))
    except (StorageError, ValueError):
        return {Seat.UMPIRE: _hashes_written(path)}


def _lost_heads(path: Path, saved: int) -> list[str]:
    """The heads in short that a damaged file names after the entries that keep theirs."""
    return [short(digest) for digest in _hashes_written(path)[saved:]]


def _hashes_written(path: Path) -> list[str]:
    """The hashes that stand in a damaged file, as far as they can be read."""
    found = []
    with suppress(StorageError):
        for row in reader.raw_journal(path):
            with suppress(ValueError, TypeError):
                short(str(row.hash))
                found.append(str(row.hash))
    return found
