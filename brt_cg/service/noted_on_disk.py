"""What a player has noted but not entered yet, in small files of the player's state folder."""

from collections.abc import Mapping
from contextlib import AbstractContextManager, suppress
from dataclasses import field
from pathlib import Path
from typing import Any, TypeVar

from brt_cg.files import read_state, write_state
from brt_cg.model.value import value
from brt_cg.storage.alone import alone_in

T = TypeVar("T")


@value
class NotedOnDisk:
    """What is noted in a file, kept between runs. `stands_for` says what it was noted for; if that
    has changed, it is ignored."""

    file: Path
    stands_for: Mapping[str, str] = field(default_factory=dict)

    def read(self) -> dict[str, Any]:
        """What is noted; empty if there is nothing for this."""
        found = read_state(self.file)
        holds = all(found.get(name, now) == now for name, now in self.stands_for.items())
        return found if holds else {}

    def alone(self) -> AbstractContextManager[None]:
        """Keeps other windows from the files of this folder meanwhile, so that what they write can
        be read and joined."""
        return alone_in(self.file.parent)

    def keep(self, **noted: Any) -> None:
        """Writes what is noted; deletes the file if that is nothing."""
        if any(noted.values()):
            write_state(self.file, {**self.stands_for, **noted})
        else:
            with suppress(OSError):
                self.file.unlink(missing_ok=True)


def kept(found: dict[str, Any], name: str, kind: type[T]) -> T:
    """The value of a name in a state; an empty one if it is missing or of another type."""
    value = found.get(name)
    return value if isinstance(value, kind) else kind()
