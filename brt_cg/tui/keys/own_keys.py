"""A player's own keys, from `keys.toml`:

    [everywhere]
    help = "f1"
    [refit]
    undo = ["u", "backspace"]

A line that cannot be used is ignored and reported; the others count.
"""

import tomllib  # imported here: few players have such a file
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from textual.binding import Binding
from textual.keys import KEY_ALIASES, Keys

from brt_cg.files import read_bytes, translate_errors
from brt_cg.questions import RefusedError
from brt_cg.text import nearest_name
from brt_cg.tui.keys.actions import (
    ACTIONS,
    ALSO_OVER,
    BY_ID,
    EVERYWHERE,
    LISTS,
    OVER,
    PARTS,
    PLACES,
    SCENARIO_END,
    WRITTEN,
    Action,
)
from brt_cg.tui.keys.moved_keys import new_name

NAMED = {key.value for key in Keys} | set(KEY_ALIASES) | {"space", "enter", "question_mark"}
MODIFIERS = {"ctrl", "alt", "shift", "super", "meta", "hyper"}


@dataclass(slots=True)
class OwnKeys:
    """The keymap for Textual (an action's id → its keys with commas), and the problems found."""

    keymap: dict[str, str] = field(default_factory=dict)
    problems: list[str] = field(default_factory=list)


def read_keys(path: Path) -> OwnKeys:
    """Read the keys in a file; without a file there are none."""
    own = OwnKeys()
    if not path.exists():
        return own
    try:
        with translate_errors(path, "TOML"):
            found = tomllib.loads(read_bytes(path).decode())
    except RefusedError as refused:
        own.problems.append(str(refused))
        return own
    for place, lines in found.items():
        _read_place(place, lines, own)
    _drop_clashes(own)
    return own


def _read_place(place: str, lines: Any, own: OwnKeys) -> None:
    if place not in PLACES or not isinstance(lines, dict):
        own.problems.append(f"[{place}] is not a place; enter {', '.join(PLACES)}")
        return
    names = [action.name for action in ACTIONS if action.place == place]
    for written, keys in lines.items():
        old = f"{place}.{written}"
        id = new_name(old)
        if id != old:
            own.problems.append(f"{old} is now called {id}; the old name was accepted")
        if id not in BY_ID:
            near = nearest_name(written, names)
            hint = f"did you mean {near}?" if near else f"allowed: {', '.join(names)}"
            own.problems.append(f"{old} is not an action; {hint}")
            continue
        _read_keys(id, keys, own)


def _read_keys(id: str, keys: Any, own: OwnKeys) -> None:
    listed = [keys] if isinstance(keys, str) else keys
    if not isinstance(listed, list) or not listed or not all(isinstance(k, str) for k in listed):
        own.problems.append(f'{id}: write a key as "u", or several as ["u", "backspace"]')
        return
    wrong = [key for key in listed if not is_key(key)]
    for key in wrong:
        own.problems.append(f'{id}: "{key}" is not a key; for example "u", "ctrl+u", "f5", "space"')
    action = BY_ID[id]
    if action.place in WRITTEN and not action.written:
        for key in filter(is_letter_or_digit, listed):
            wrong.append(key)
            own.problems.append(
                f'{id}: "{key}" is typed as text there; enter a function key or Ctrl key'
            )
    if not wrong:
        own.keymap[id] = ",".join(listed)


def is_letter_or_digit(key: str) -> bool:
    """Whether a key is a letter or a digit, which types itself in a field."""
    return len(key) == 1 and key.isalnum()


def is_key(key: str) -> bool:
    """Whether Textual knows a key with this name: "u", "ctrl+u", "f5", "space"."""
    *modifiers, last = key.split("+") if key != "+" else [key]
    if last == ",":
        return False
    return set(modifiers) <= MODIFIERS and (len(last) == 1 or last in NAMED or key in NAMED)


def _drop_clashes(own: OwnKeys) -> None:
    """Drop each line whose key belongs to another action of its place; of two lines with one key,
    the later. A dropped action gets back its default keys, which an earlier line may use."""
    while clash := _first_clash(own):
        action, other, key = clash
        text = f'{action.id}: "{key}" is already the key of {other.id} ({other.label})'
        own.problems.append(text)
        del own.keymap[action.id]


def _first_clash(own: OwnKeys) -> tuple[Action, Action, str] | None:
    """Return the first line with the key of another action (but not of a later line), and that
    key."""
    lines = [BY_ID[id] for id in own.keymap]
    for at, action in enumerate(lines):
        for other in ACTIONS:
            both = _keys(action, own) & _keys(other, own)
            if both and other not in lines[at:] and need_different_keys(action, other):
                return action, other, min(both)
    return None


def need_different_keys(action: Action, other: Action) -> bool:
    """Whether two actions can occur in one place, so that they need different keys. Inside a room,
    the key that leads to it is free for another action; the keys of the form for the end of a
    scenario take precedence over the global ones. Actions that share a default key never conflict:
    those of parts, and a room's own version of a global action."""
    if action.brief or other.brief:
        return False
    if action.label == other.label and _defaults(action) & _defaults(other):
        return action.place == other.place  # a room's own version of a global action
    if action.place == other.place:
        return True
    places = {action.place, other.place}
    if not places.isdisjoint(PARTS):
        shared = places.isdisjoint(OVER) or not places.isdisjoint({LISTS, *_over(action, other)})
        return shared and not _defaults(action) & _defaults(other)
    if SCENARIO_END in places:
        return False
    return EVERYWHERE in places and action.place != other.name and other.place != action.name


def _over(*actions: Action) -> set[str]:
    """Return EVERYWHERE if one of the actions also works in forms and boxes."""
    return {action.place for action in actions if action.id in ALSO_OVER}


def _defaults(action: Action) -> set[str]:
    return {*filter(None, action.keys.split(","))}


def _keys(action: Action, own: OwnKeys) -> set[str]:
    keys = own.keymap.get(action.id, action.keys)
    return (
        {binding.key for binding in Binding.make_bindings([(keys, action.name)])} if keys else set()
    )
