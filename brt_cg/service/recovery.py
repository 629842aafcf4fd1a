"""Restoring a backup, and saving a damaged file: each makes an entry that keeps the earlier heads
recognizable."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext, suppress
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from brt_cg.audit import audit_campaign
from brt_cg.immutable import immutable
from brt_cg.journal.heads import Heads, dropped_heads, short_head
from brt_cg.journal.journal import Journal
from brt_cg.model import Seat, Side, seat_of_side
from brt_cg.service import last_seen
from brt_cg.service.open_campaign import OpenCampaign
from brt_cg.service.unrestricted import unrestricted_campaign
from brt_cg.storage import backups, reader, repair
from brt_cg.storage.errors import BUSY, BusyError, DamagedError, StaleCampaignError, StorageError
from brt_cg.storage.sqlite import (
    check_can_create,
    copy_to_new_file,
    exclusive_file_lock,
    file_change_token,
)
from brt_cg.text import count_text
from brt_cg.views.view_chain import view_hashes


@immutable
class RestoreLoss:
    """The loss from a restore: the number of lost `entries` that the seat has seen (None: unknown),
    the CG Date and phase before the restore (`now`, "" if unreadable) and after it (`then`), and
    the part of the backup that could be `saved`."""

    entries: int | None
    now: str
    then: str
    saved: repair.RepairResult

    def __bool__(self) -> bool:
        return self.entries != 0 or not self.saved.is_complete

    def text(self, seat: Seat | None) -> str:
        """Return the loss in words, for the end of a sentence."""
        some = "entries" if self.entries is None else count_text(self.entries, "entry")
        seen = f"{some} that the {(seat or Seat.UMPIRE).label} seat has seen"
        lost = "no entry" if self.entries == 0 else seen
        state = f"it is now at {self.now}" if self.now else "its present state cannot be read"
        text = f"the campaign loses {lost}: {state}, and will be at {self.then}"
        if not self.saved.is_complete:
            text += "; the backup is damaged, and not all of it could be saved"
        return text


def _not_if_damaged(going: RestoreLoss) -> None:
    if not going.saved.is_complete:
        raise DamagedError(
            "the backup is damaged, so nothing was changed; `repair` saves what can still be read"
        )


Check = Callable[[Path], None]
TRIES = 3  # attempts to restore while others are writing
MOST_DOUBTS = 5  # findings of an audit that are named


def restore_backup(
    path: Path,
    backup: Path,
    seat: Seat | None,
    keep: bool = True,
    check: Check = lambda _: None,
    sure: Callable[[RestoreLoss], None] = _not_if_damaged,
) -> Path | None:
    """Replace a campaign file with a backup, atomically; add an entry that records this, and
    rebuild the tables and sentences. `check` raises StorageError for a backup that must not be
    used, `sure` raises unless the player agrees to the loss. Back the file up first, unless `keep`
    is false, and return that backup. Raises StorageError."""
    with _ready(path, backup, seat, check) as (made, going):
        sure(going)
        for number in range(TRIES):
            copied = made.with_name(f"{number}-{made.name}")
            copy_to_new_file(made, copied)
            # In the last try others must wait.
            is_last = number == TRIES - 1
            with (
                suppress(StaleCampaignError),
                exclusive_file_lock(path) if is_last else nullcontext(),
            ):
                known = file_change_token(path) if path.exists() else None
                _enter_restore(path, copied, seat, backup.name)
                return backups.restore_backup(path, copied, keep, spared=backup, known=known)
    raise BusyError(f"{path}: {BUSY}")


def _enter_restore(path: Path, made: Path, seat: Seat | None, backup: str) -> None:
    desk = OpenCampaign.open(made, backs_up=False)
    try:
        lost = dropped_heads(_heads_in(path), chain_hashes_by_seat(desk))
        named = backup.encode("utf-8", "replace").decode()  # its bytes may not be UTF-8
        _enter(desk, seat, "restore", {"backup": named, "dropped": lost})
    finally:
        desk.close()


def find_restore_loss(path: Path, backup: Path, seat: Seat | None, check: Check) -> RestoreLoss:
    """Return the loss that a restore would cause. Raises StorageError as the restore does."""
    with _ready(path, backup, seat, check) as (_, going):
        return going


@contextmanager
def _ready(
    path: Path, backup: Path, seat: Seat | None, check: Check
) -> Iterator[tuple[Path, RestoreLoss]]:
    """Yield a copy of a backup, rebuilt as much as possible, and the loss caused by restoring
    it."""
    with TemporaryDirectory() as folder:
        made = Path(folder) / backup.name
        saved = repair.repair_file(backup, made)
        if saved.mended or saved.reworded:
            saved = replace(saved, doubts=(*saved.doubts, *_doubts_of_audit(made)))
        backups.check_backup_is_usable(path, made)
        check(made)
        after = OpenCampaign.open_read_only(made, seat)
        lost, who = (
            dropped_heads(_heads_in(path), chain_hashes_by_seat(after)),
            (seat or Seat.UMPIRE).value,
        )
        # For a damaged file, only the whole chain is known.
        entries = len(lost[who]) if who in lost else None if any(lost.values()) else 0
        yield made, RestoreLoss(entries, _where(path, seat), _date_and_phase(after), saved)


def _where(path: Path, seat: Seat | None) -> str:
    with suppress(StorageError, ValueError):
        return _date_and_phase(OpenCampaign.open_read_only(path, seat))
    return ""


def _date_and_phase(desk: OpenCampaign) -> str:
    situation = desk.view().campaign.situation
    return f"{situation.date}, {situation.phase.when_text}"


@immutable
class SavedCopy:
    """The result of a repair, and the checksum of the new file after the entry about the repair."""

    found: repair.RepairResult
    head: str


def save_damaged_campaign(path: Path, target: Path, seat: Seat | None) -> SavedCopy:
    """Write everything that can be saved of a damaged campaign to a new file, with an entry that
    says so. Raises StorageError, leaving no file."""
    check_can_create(target)
    with TemporaryDirectory() as folder:
        made = Path(folder) / target.name
        found = repair.repair_file(path, made)
        found = replace(found, doubts=(*found.doubts, *_doubts_of_audit(made)))
        desk = OpenCampaign.open(made, backs_up=False)
        try:
            seen = tuple(
                f"on this machine the {who.label} seat has seen {number} more "
                f"{'entry' if number == 1 else 'entries'}"
                for who, number in last_seen.count_lost_entries(desk, path).items()
            )
            found = replace(found, doubts=(*found.doubts, *seen))
            lost = {Seat.UMPIRE.value: _lost_heads(path, found.unchanged)}
            _enter(desk, seat, "repair", {"lost": not found.is_complete, "dropped": lost})
            head = unrestricted_campaign(desk).head or ""
        finally:
            desk.close()
        copy_to_new_file(made, target)
        return SavedCopy(found, head)


def _doubts_of_audit(made: Path) -> Iterator[str]:
    """Yield the findings of an audit of the new file, so that a repair is reported as a success
    only if they do not contradict that."""
    findings = audit_campaign(made).findings
    yield from (finding.message for finding in findings[:MOST_DOUBTS])
    if len(findings) > MOST_DOUBTS:
        yield f"and {len(findings) - MOST_DOUBTS} more: run audit on the new file"


def _enter(desk: OpenCampaign, seat: Seat | None, kind: str, asked: dict[str, Any]) -> None:
    desk.set_seat(seat)
    desk.run_command(kind, asked)


def chain_hashes_by_seat(desk: OpenCampaign) -> Heads:
    """Return the hashes of each seat's whole chain."""
    return journal_chain_hashes_by_seat(unrestricted_campaign(desk))


def journal_chain_hashes_by_seat(journal: Journal) -> Heads:
    """Return the hashes of each seat's whole chain in a journal."""
    views: dict[Seat, list[str]] = {Seat.UMPIRE: [entry.hash for entry in journal.entries]}
    return views | {seat_of_side(side): view_hashes(journal, side) for side in Side}


def _heads_in(path: Path) -> Heads:
    """Return the hashes of each seat's whole chain in a file; for a damaged file, as many as can be
    read."""
    if not path.exists():
        return {}
    try:
        return chain_hashes_by_seat(OpenCampaign.open_read_only(path))
    except (StorageError, ValueError):
        return {Seat.UMPIRE: _hashes_written(path)}


def _lost_heads(path: Path, saved: int) -> list[str]:
    """Return the short heads in a damaged file after those of its first `saved` entries, which keep
    theirs."""
    return [short_head(digest) for digest in _hashes_written(path)[saved:]]


def _hashes_written(path: Path) -> list[str]:
    """Return the hashes in a damaged file that can be read."""
    found = []
    with suppress(StorageError):
        for row in reader.raw_journal(path):
            with suppress(ValueError, TypeError):
                short_head(str(row.hash))
                found.append(str(row.hash))
    return found
