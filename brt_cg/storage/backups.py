"""Backups of a campaign file, kept next to it in `NAME.backups/`, and restoring one.

A backup is written under a temporary name and renamed when it is complete, so that a leftover of a
crash is not mistaken for a backup; leftovers are deleted when the next backup is made.
"""

import re
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime
from enum import StrEnum
from pathlib import Path

from brt_cg.connections import copy_file_bytes, locked_against_others
from brt_cg.files import (
    TO_REPLACE,
    copy_permissions_from,
    create_private_file,
    fsync_folder,
    normalize_file_name,
    path_as_spelled_on_disk,
    retry_if_blocked,
    state_file_path,
    wait_for_release,
)
from brt_cg.immutable import immutable
from brt_cg.storage import reader
from brt_cg.storage.errors import (
    BUSY,
    BackupError,
    BusyError,
    DamagedError,
    NotACampaignError,
    StaleCampaignError,
    StorageError,
)
from brt_cg.storage.folder_lock import folder_lock_if_possible
from brt_cg.storage.sqlite import (
    HALF_MADE,
    consistent_reads,
    copy_over_existing_file,
    copy_to_new_file,
    file_change_token,
)

KEPT = 10  # backups kept per campaign
OPEN = "is open in another window or program. Close it there and try again."
NONE_YET = (
    "no backups yet; one is made before and after each Refit Phase, and before each "
    "import, upgrade and restore"
)


class BackupReason(StrEnum):
    """The reason for a backup, which is part of its name."""

    BEFORE_REFIT = "before-refit"
    AFTER_REFIT = "after-refit"
    BEFORE_IMPORT = "before-import"
    BEFORE_UPGRADE = "before-upgrade"
    BEFORE_RESTORE = "before-restore"
    BEFORE_MAIL = "before-mail"
    NOT_TAKEN = "mail-not-taken"  # the opponent's mail, which was not accepted

    @property
    def words(self) -> str:
        """The purpose in words: "before the import"."""
        when, _, what = self.value.partition("-")
        return f"{when} the {'Refit Phase' if what == 'refit' else what}"


@immutable
class Backup:
    """A backup: its number, purpose and time (UTC); the CG Date and phase of the campaign in it,
    the number of its entries, and the newest entry's hash.

    If the backup cannot be used, `problem` says why, and the other fields are empty.
    """

    path: Path
    number: int
    why: str
    made: str
    date: str = ""
    phase: str = ""
    entries: int = 0
    head: str = ""
    problem: str | None = None


def backup_folder(path: Path) -> Path:
    """Return the folder of a campaign's backups. Raises NotACampaignError for a folder."""
    if path.is_dir():
        raise NotACampaignError(f"{path} is a folder; name a campaign file in it")
    real = path_as_spelled_on_disk(path)
    return real.with_name(f"{real.stem}.backups")


def list_backups(path: Path) -> list[Backup]:
    """Return the backups of a campaign, newest first."""
    found = (_read_backup(number, why, copied) for number, why, copied in reversed(_named(path)))
    return [each for each in found if each.path.exists()]


def _named(path: Path) -> list[tuple[int, str, Path]]:
    """Return the number, purpose and file of each backup, oldest first."""
    folder, real = backup_folder(path), path_as_spelled_on_disk(path)
    stem, suffix = (re.escape(normalize_file_name(part)) for part in (real.stem, real.suffix))
    name = re.compile(rf"{stem}-([0-9]{{4,9}})-([a-z-]+){suffix}", re.DOTALL)
    if not folder.is_dir():
        return []
    found = [(name.fullmatch(normalize_file_name(each.name)), each) for each in folder.iterdir()]
    return sorted((int(named[1]), named[2], each) for named, each in found if named)


def _read_backup(number: int, why: str, path: Path) -> Backup:
    made = ""
    try:
        made = datetime.fromtimestamp(path.stat().st_mtime, UTC).strftime("%Y-%m-%d %H:%M")
        entries, head = reader.newest_entry(path)
        date, phase = reader.current_date_and_phase(path)
    except (StorageError, FileNotFoundError) as error:  # another program may have deleted it
        return Backup(path, number, why, made, problem=str(error))
    return Backup(path, number, why, made, date, phase, entries, head)


# --- making one -------------------------------------------------------------------------------


def make_backup(path: Path, why: BackupReason, spared: Path | None = None) -> Path:
    """Back up a file, unless the newest backup is identical, and delete all but the newest ten
    (never `spared`). Raises BackupError."""
    made = _backed_up(path, why)
    _delete_oldest(path, spared)
    return made


def _backed_up(path: Path, why: BackupReason) -> Path:
    try:
        return _made(path, why)
    except (StorageError, OSError) as error:
        text = str(error) if isinstance(error, StorageError) else error.strerror or str(error)
        raise BackupError(why.words, text.removesuffix("; nothing was stored")) from error


def _made(path: Path, why: BackupReason) -> Path:
    reader.read_revision(path)
    there = _named(path)
    if there and _same(there[-1][2], path):
        return there[-1][2]
    return _set_down(path, why, copy_to_new_file)


def _set_down(path: Path, why: BackupReason, copies: Callable[[Path, Path], object]) -> Path:
    folder, real = backup_folder(path), path_as_spelled_on_disk(path)
    with folder_lock_if_possible(
        state_file_path("backups", str(folder)).parent
    ):  # two processes would use one number
        there = _named(path)
        number = there[-1][0] + 1 if there else 1
        made = folder / f"{real.stem}-{number:04}-{why}{real.suffix}"
        part = _begun(made)
        try:
            copies(path, part)
            retry_if_blocked(lambda: part.replace(made))
        finally:
            _clear(part)
    fsync_folder(made.parent)
    return made


def _same(backup: Path, path: Path) -> bool:
    try:
        return _how_far(backup) == _how_far(path)
    except StorageError:
        return False


def _how_far(path: Path) -> tuple[tuple[int, str], str]:
    with consistent_reads(path):
        return reader.newest_entry(path), reader.read_revision(path)


def _begun(made: Path) -> Path:
    """Return the temporary name of a backup, and delete leftovers with such names."""
    made.parent.mkdir(exist_ok=True)
    for left in made.parent.iterdir():
        if left.name.removesuffix("-journal").endswith(HALF_MADE):
            left.unlink(missing_ok=True)
    return made.with_name(f"{made.name}{HALF_MADE}")


def _clear(part: Path) -> None:
    for left in (part, part.with_name(f"{part.name}-journal")):
        with suppress(OSError):
            left.unlink(missing_ok=True)
    with suppress(OSError):
        part.parent.rmdir()  # fails if the folder is not empty


def _delete_oldest(path: Path, spared: Path | None) -> None:
    for _, _, old in _named(path)[:-KEPT]:
        with suppress(OSError):  # a leftover backup does no harm
            if spared is None or not old.samefile(spared):
                old.unlink()


# --- going back to one ------------------------------------------------------------------------


def find_backup(path: Path, wanted: str) -> Path:
    """Return the backup with a number, a file name, or a path. Raises StorageError."""
    there = _named(path)
    for number, _, copied in there:
        if wanted in (str(number), f"{number:04}", copied.name):
            return copied
    given = Path(wanted)
    if given.is_file():
        return given
    allowed = ", ".join(str(number) for number, *_ in reversed(there)) or "none"
    raise StorageError(f"{path} has no backup {wanted}; enter {allowed}")


def add_file_to_backups(path: Path, other: Path, why: BackupReason) -> Path:
    """Keep another file with the backups of a campaign. Raises BackupError."""
    try:
        made = _set_down(path, why, lambda _, copy: copy_to_new_file(other, copy))
    except (StorageError, OSError) as error:
        raise BackupError("of the mail", str(error)) from error
    _delete_oldest(path, made)
    return made


def restore_backup(
    path: Path,
    backup: Path,
    keep: bool = True,
    spared: Path | None = None,
    why: BackupReason = BackupReason.BEFORE_RESTORE,
    known: object = None,
) -> Path | None:
    """Replace a campaign file with a backup, as a whole or not at all. Back the file up first,
    unless `keep` is false, and return that backup; never delete `spared` to make room. Raises
    StorageError; StaleCampaignError if anything has been entered since the file's `known` version
    (by default, since the call)."""
    check_backup_is_usable(path, backup)
    is_there = path.exists()
    known = file_change_token(path) if known is None and is_there else known
    before = [copied for *_, copied in _named(path)]
    kept = _kept(path, why) if keep and is_there else None
    try:
        _put(backup, path, known)
    except StaleCampaignError:  # nothing was replaced, so no backup is needed
        if kept is not None and kept not in before:
            _clear(kept)
        raise
    _delete_oldest(path, spared or backup)
    return kept


def check_backup_is_usable(path: Path, backup: Path) -> None:
    """Raise StorageError unless a backup is intact, and of the campaign in the file, if that can
    still be read."""
    hashes = [entry.hash for entry in reader.stream_entries(backup)]
    if not hashes:
        raise DamagedError(f"{backup.name} contains no entry")
    if path.exists():
        _check_of_one_campaign(path, backup, hashes[0])


def _check_of_one_campaign(path: Path, backup: Path, first: str) -> None:
    try:
        begun = next((entry.hash for entry in reader.stream_entries(path)), first)
    except (DamagedError, NotACampaignError):
        return
    if begun != first:
        raise StorageError(
            f"{backup.name} is a backup of a different campaign than {path}, so nothing was changed"
        )


def _kept(path: Path, why: BackupReason) -> Path:
    """Back up the file as it is; copy its bytes if it is too damaged for SQLite."""
    try:
        return _backed_up(path, why)
    except BackupError as refused:
        if not isinstance(refused.__cause__, DamagedError | NotACampaignError):
            raise
    try:
        return _set_down(path, why, _copy_bytes)
    except OSError as error:
        text = f"{backup_folder(path)}: {error.strerror}"
        raise BackupError(why.words, text) from error


def _copy_bytes(path: Path, target: Path) -> None:
    create_private_file(target)
    copy_file_bytes(path, target)


def _put(backup: Path, path: Path, known: object) -> None:
    if path.exists():
        with suppress(DamagedError, NotACampaignError):
            try:
                copy_over_existing_file(backup, path, known)
            except StaleCampaignError:
                raise
            except StorageError:  # the last flush may fail after all is written
                if not _same(backup, path):
                    raise
            return
    beside = path.with_name(f"{path.name}{HALF_MADE}")
    try:
        beside.unlink(missing_ok=True)
        copy_to_new_file(backup, beside)
        with locked_against_others(path) as is_free:
            if not is_free:
                raise BusyError(f"{path}: {BUSY}")
            if path.exists():
                if not wait_for_release(path, TO_REPLACE):  # on Windows
                    raise StorageError(f"{path} {OPEN}")
                copy_permissions_from(beside, path)
            # It belongs to the replaced file, and would corrupt the new one.
            path.with_name(f"{path.name}-journal").unlink(missing_ok=True)
            retry_if_blocked(lambda: beside.replace(path))
    except OSError as error:
        raise StorageError(f"{path} cannot be replaced ({error.strerror})") from error
    finally:
        with suppress(OSError):
            beside.unlink(missing_ok=True)
