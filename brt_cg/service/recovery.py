"""Going back to a backup, and saving a damaged file: each enters what it did, so that heads noted
before are known for what they are."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext, suppress
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
from brt_cg.storage.errors import BUSY, Damaged, MovedOn, StorageError
from brt_cg.storage.sqlite import check_free, copy, held, version
from brt_cg.text import counted
from brt_cg.views.view_chain import view_hashes


@value
class Going:
    """What a restore would let go: how many `entries` that the seat sees (None: some, nobody can
    tell how many); where the campaign stands `now` ("" if that cannot be read) and would stand
    `then`, CG Date and phase; and what could be `saved` of the backup."""

    entries: int | None
    now: str
    then: str
    saved: repair.RepairResult

    def __bool__(self) -> bool:
        return self.entries != 0 or not self.saved.is_whole

    def text(self, seat: Seat | None) -> str:
        """The same in words that end a sentence."""
        some = "entries" if self.entries is None else counted(self.entries, "entry")
        seen = f"{some} that the {(seat or Seat.UMPIRE).label} seat saw"
        lost = "no entry" if self.entries == 0 else seen
        stands = f"it stands at {self.now}" if self.now else "where it stands cannot be read"
        text = f"the campaign loses {lost}: {stands}, and will stand at {self.then}"
        if not self.saved.is_whole:
            text += "; the backup is damaged, and not all of it could be saved"
        return text


def _not_if_damaged(going: Going) -> None:
    if not going.saved.is_whole:
        raise Damaged("the backup is damaged: nothing was changed; `repair` saves what it holds")


Check = Callable[[Path], None]
TRIES = 3  # to restore while others are writing


def restore(
    path: Path,
    backup: Path,
    seat: Seat | None,
    keep: bool = True,
    check: Check = lambda _: None,
    sure: Callable[[Going], None] = _not_if_damaged,
) -> Path | None:
    """Replaces a campaign file by a backup with an entry that says so, as a whole or not at all;
    its tables and sentences are made anew. `check` raises StorageError for a backup that is not to
    be used, `sure` raises unless the player agrees with what would go. Backs the file up first,
    unless `keep` is false, and returns that backup. Raises StorageError."""
    with _ready(path, backup, seat, check) as (made, going):
        sure(going)
        for number in range(TRIES):
            copied = made.with_name(f"{number}-{made.name}")
            copy(made, copied)
            is_last = number == TRIES - 1  # others have to wait, whom no try has waited for
            with suppress(MovedOn), held(path) if is_last else nullcontext():
                known = version(path) if path.exists() else None
                _enter_restore(path, copied, seat, backup.name)
                return backups.restore(path, copied, keep, spared=backup, known=known)
    raise StorageError(f"{path}: {BUSY}")


def _enter_restore(path: Path, made: Path, seat: Seat | None, backup: str) -> None:
    desk = Desk.open(made, backs_up=False)
    try:
        lost = dropped(_heads_in(path), heads_of(desk))
        _enter(desk, seat, "restore", {"backup": backup, "dropped": lost})
    finally:
        desk.close()


def what_goes(path: Path, backup: Path, seat: Seat | None, check: Check) -> Going:
    """What a restore would let go. Raises StorageError as that does."""
    with _ready(path, backup, seat, check) as (_, going):
        return going


@contextmanager
def _ready(
    path: Path, backup: Path, seat: Seat | None, check: Check
) -> Iterator[tuple[Path, Going]]:
    """A copy of a backup, made anew as far as that goes, and what would go for it."""
    with TemporaryDirectory() as folder:
        made = Path(folder) / backup.name
        saved = repair.repair(backup, made)
        backups.check(path, made)
        check(made)
        after = Desk.look_at(made, seat)
        lost, who = dropped(_heads_in(path), heads_of(after)), (seat or Seat.UMPIRE).value
        # Of a damaged file only the whole chain is known.
        entries = len(lost[who]) if who in lost else None if any(lost.values()) else 0
        yield made, Going(entries, _where(path, seat), _stands(after), saved)


def _where(path: Path, seat: Seat | None) -> str:
    with suppress(StorageError, ValueError):
        return _stands(Desk.look_at(path, seat))
    return ""


def _stands(desk: Desk) -> str:
    situation = desk.book().campaign.situation
    return f"{situation.date}, {situation.phase.when}"


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
