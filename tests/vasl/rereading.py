"""What a save says of each counter on the map, before and after it was written."""

from collections.abc import Iterator
from typing import Any

from brt_cg.board import OFF_MAP
from brt_cg.card import load_card
from brt_cg.vasl.names import load_names
from brt_cg.vasl.pieces import VaslSave
from brt_cg.vasl.situation import SavedCounter, read_situation


def reread(before: str, after: str) -> Iterator[str]:
    """The counters that are on the map in the text of one save, and not so in that of another."""
    was, now = (_on_map(text) for text in (before, after))
    for piece in sorted(was.keys() | now.keys()):
        first, second = (_fields(one.get(piece)) for one in (was, now))
        if first != second:
            yield f"{first} became {second}"


def _on_map(text: str) -> dict[str, SavedCounter]:
    found = read_situation(VaslSave(text), load_names(), load_card("III").ladders).found
    return {one.piece: one for one in found if not one.dead and one.location != OFF_MAP}


def _fields(counter: SavedCounter | None) -> dict[str, Any]:
    if counter is None:
        return {}
    return {**counter.fields, "armament": counter.armament}
