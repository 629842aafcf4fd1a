"""Small JSON files in the player's state folder."""

import contextlib
import json
import os
from hashlib import sha256
from pathlib import Path
from typing import Any, TypeVar

from platformdirs import user_state_path

T = TypeVar("T")
APP = "brt-cg"


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


def kept(found: dict[str, Any], name: str, kind: type[T]) -> T:
    """The value of a name in a state; an empty one if it is missing or of another type."""
    value = found.get(name)
    return value if isinstance(value, kind) else kind()
