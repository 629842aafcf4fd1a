"""The notes that a player has not entered yet, in small files of the player's state folder."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, suppress
from dataclasses import field
from pathlib import Path
from typing import Any, TypeVar

from brt_cg.files import read_state_file, write_state_file
from brt_cg.immutable import immutable
from brt_cg.storage.folder_lock import folder_lock_if_possible

T = TypeVar("T")


def ignore_error(_: OSError) -> None:
    """Do nothing: the text is still in memory."""


@immutable
class SavedNotes:
    """The notes in a file, kept between runs. `stands_for` identifies the subject of the notes;
    notes about another subject are ignored. `failed` is called with the reason when the file cannot
    be written."""

    file: Path
    stands_for: Mapping[str, str] = field(default_factory=dict)
    failed: Callable[[OSError], None] = field(default=ignore_error, compare=False)

    def read(self) -> dict[str, Any]:
        """Return the notes; empty if there are none for this subject."""
        found = read_state_file(self.file)
        holds = all(found.get(name, now) == now for name, now in self.stands_for.items())
        return found if holds else {}

    def lock(self) -> AbstractContextManager[None]:
        """Lock this folder against other windows, so that their changes can be read and joined."""
        return folder_lock_if_possible(self.file.parent)

    def save(self, **noted: Any) -> bool:
        """Write the notes, or delete the file if there are none. Return whether that worked."""
        if any(noted.values()):
            error = write_state_file(self.file, {**self.stands_for, **noted})
            if error is not None:
                self.failed(error)
                return False
        else:
            with suppress(OSError):
                self.file.unlink(missing_ok=True)
        return True


def merge_changes_yielding_conflicts(
    mine: dict[str, Any], theirs: Mapping[str, Any], before: Mapping[str, Any]
) -> Iterator[str]:
    """Add the changes that another window has made since `before`, unless this window has changed
    the same item; yield the names of items that both windows changed differently."""
    for name in theirs.keys() | before.keys():
        if theirs.get(name) in (before.get(name), mine.get(name)):
            continue
        if mine.get(name) != before.get(name):
            yield name
        elif name in theirs:
            mine[name] = theirs[name]
        else:
            del mine[name]


def saved_value_or_empty(found: dict[str, Any], name: str, kind: type[T]) -> T:
    """Return the value of a name in a state; an empty one if it is missing or of another type."""
    value = found.get(name)
    return value if isinstance(value, kind) else kind()
