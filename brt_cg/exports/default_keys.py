"""The default keys of the screen's actions, for text that is read without the screen. They come
from the files of keys, without loading the screen or a player's own keys."""

import re
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

from brt_cg.resources import read_toml_cached
from brt_cg.text import key_text

NAMED = re.compile(r"\{(\w+)\.(\w+)\}")  # an action in a text: {everywhere.help}
_SCREEN = Path(__file__).parents[1] / "tui"
_FOLDERS = {"answers": "answering", "island": "map"}  # folders of parts that have another name


def fill_in_default_keys(text: str) -> str:
    """Replace each action named in braces with its first key. Raises KeyError if there is no such
    action, or it has no key."""
    return NAMED.sub(lambda found: _keys_of(found[1])[found[2]], text)


@cache
def _keys_of(place: str) -> dict[str, str]:
    """Return the first key of each action of a place, as written on the screen."""
    listed = read_toml_cached(_key_file(place)).items()
    return {name: key_text(keys) for name, keys in _first_keys(listed) if keys}


def _first_keys(listed: Iterable[tuple[str, Any]]) -> Iterator[tuple[str, str]]:
    for name, line in listed:
        if isinstance(line, dict):  # actions of one method
            yield from _first_keys(line.items())
        else:
            yield name, line[0].split(",")[0]


def _key_file(place: str) -> Path:
    if place == "everywhere":
        return _SCREEN / "keys" / "everywhere.toml"
    of_room = _SCREEN / "rooms" / place / "keys.toml"
    return of_room if of_room.exists() else _SCREEN / _FOLDERS.get(place, place) / "keys.toml"
