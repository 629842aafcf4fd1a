"""The keys and names of actions that have changed since 1.0."""

from pathlib import Path

from brt_cg.resources import read_toml_cached
from brt_cg.tui.keys.actions import PLACES

_LISTED = read_toml_cached(Path(__file__).with_name("moved.toml"))

# By place and old key: the action, and its old label.
MOVED: dict[tuple[str, str], tuple[str, str]] = {
    (place, key): (id, label)
    for place in PLACES
    for key, (id, label) in _LISTED.get(place, {}).items()
}
NAMES: dict[str, str] = _LISTED["names"]  # of actions: the new by the old


def new_name(id: str) -> str:
    """Return the current name of an action, given its old or current name."""
    return NAMES.get(id, id)
