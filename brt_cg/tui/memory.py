"""The screen's memory between runs: recent campaigns, how far each seat has seen them, the theme.

It is a small JSON file in the player's state folder, with nothing of the campaigns themselves. If
it is missing or damaged, nothing is remembered. Other rooms keep state files of their own there.
"""

import contextlib
import json
import os
from dataclasses import asdict, dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from platformdirs import user_config_path, user_state_path

from brt_cg.storage.place import NotAnAddress, place_of

T = TypeVar("T")
MOST = 8
APP = "brt-cg"


@dataclass(frozen=True, slots=True)
class Recent:
    """A campaign opened before, with what Home says about it without opening it."""

    path: str
    name: str = ""
    stands: str = ""  # "CG III · 20 PM · refit"


class Looked(NamedTuple):
    """The part of a campaign that a seat has seen: the number of entries, and the last one's
    hash."""

    entries: int
    head: str


@dataclass(slots=True)
class Memory:
    """The remembered things; `keep` writes them."""

    theme: str | None = None
    recent: list[Recent] = field(default_factory=list)
    looked: dict[str, dict[str, Looked]] = field(default_factory=dict)  # by path, by seat

    def opened(self, campaign: Recent) -> None:
        """Puts a campaign first among the recent ones, keeping those that another window added."""
        self.recent = remembered().recent
        others = [other for other in self.recent if other.path != campaign.path]
        self.recent = [campaign, *others][:MOST]
        self.keep()

    def looks(self, path: str, seat: str, looked: Looked) -> None:
        """Notes how far a seat has seen a campaign; drops campaigns that are no longer recent."""
        found = remembered()
        self.recent = found.recent
        known = {recent.path for recent in self.recent}
        self.looked = {
            campaign: seats for campaign, seats in found.looked.items() if campaign in known
        }
        self.looked[path] = {**self.looked.get(path, {}), seat: looked}
        self.keep()

    def forget(self, path: str) -> None:
        """Removes a campaign from the recent ones, without touching its file."""
        self.recent = [campaign for campaign in remembered().recent if campaign.path != path]
        self.keep()

    def keep(self) -> None:
        """Writes the memory to its file."""
        write_state(memory_path(), asdict(self))


def state_file(folder: str, whose: str) -> Path:
    """The state file, in a folder, of what belongs to a campaign, a seat or a question."""
    return user_state_path(APP) / folder / f"{sha256(whose.encode()).hexdigest()[:16]}.json"


def write_state(file: Path, state: dict[str, Any]) -> None:
    """Writes a state file, which only the player may read, since it may hold secrets of his side; a
    full or read-only disk is ignored."""
    beside = file.with_suffix(f".{os.getpid()}")
    with contextlib.suppress(OSError):
        file.parent.mkdir(parents=True, exist_ok=True)
        beside.touch(0o600)
        beside.write_text(json.dumps(state, ensure_ascii=False, indent=1), "utf-8")
        beside.replace(file)


def read_state(file: Path) -> dict[str, Any]:
    """The contents of a state file; empty if it is missing or damaged."""
    try:
        found = json.loads(file.read_text("utf-8"))
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}


def memory_path() -> Path:
    """The file of the screen's memory."""
    return user_state_path(APP) / "screen.json"


def keys_path() -> Path:
    """The file of a player's own keys."""
    return user_config_path(APP) / "keys.toml"


def kept(found: dict[str, Any], name: str, kind: type[T]) -> T:
    """The value of a name in a state; an empty one if it is missing or of another type."""
    value = found.get(name)
    return value if isinstance(value, kind) else kind()


def remembered() -> Memory:
    """Reads the memory from its file."""
    found = read_state(memory_path())
    recent = [*filter(None, map(_recent, kept(found, "recent", list)))]
    looked = {
        path: {seat: Looked(*mark) for seat, mark in seats.items() if _is_mark(mark)}
        for path, seats in kept(found, "looked", dict).items()
        if isinstance(seats, dict)
    }
    return Memory(kept(found, "theme", str) or None, recent[:MOST], looked)


def _is_mark(mark: Any) -> bool:
    return isinstance(mark, list) and [type(part) for part in mark] == [int, str]


def _recent(row: Any) -> Recent | None:
    if not isinstance(row, dict) or not isinstance(row.get("path"), str):
        return None
    try:
        place_of(row["path"])
    except NotAnAddress:
        return None
    return Recent(row["path"], str(row.get("name") or ""), str(row.get("stands") or ""))
