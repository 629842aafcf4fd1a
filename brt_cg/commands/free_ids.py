"""New ids for a side's new counters whose ids belong to hidden counters of its enemy. Refusing such
an id would reveal a hidden counter, so the new counter gets the next free id; links to it in the
same document change too."""

import re
from collections.abc import Iterator
from itertools import count
from typing import Any

from brt_cg.model import (
    BY_TABLE,
    Campaign,
    Side,
    Vehicle,
    Weapon,
    counter_known_to,
    field_name_in_files,
    schema_of,
)

Row = dict[str, Any]
OF_THESE = ("import", "reinforce")  # the commands that bring new counters
_NUMBERED = re.compile(r"(.*?)(\d{1,9})")


def replace_ids_taken_by_hidden_counters(
    kind: str, asked: dict[str, Any], campaign: Campaign, side: Side
) -> dict[str, Any]:
    """Return a command's input from a side, with another id for each of its new counters whose id
    belongs to a hidden counter of its enemy. A weapon or vehicle at the end of a scenario may be
    that same counter, captured, and keeps its id."""
    state = asked.get("state")
    if kind not in OF_THESE or not isinstance(state, dict):
        return asked
    rows = [*_state_rows(state)]
    used = {str(row.get("id")) for _, row in rows}
    other: dict[str, str] = {}
    for table, row in rows:
        id = row.get("id")
        if not isinstance(id, str) or id in other or row.get("side") == side.enemy:
            continue
        if _is_hidden(campaign, id, side) and not (kind == "import" and _same(campaign, table, id)):
            other[id] = _free(campaign, id, used)
            used.add(other[id])
    if not other:
        return asked
    lists = {
        table: [_renamed(table, row, other) for row in listed]
        for table, listed in state.items()
        if table in BY_TABLE and isinstance(listed, list)
    }
    found = asked | {"state": state | lists}
    pieces = asked.get("pieces")
    if isinstance(pieces, dict):
        found["pieces"] = {piece: other.get(id, id) for piece, id in pieces.items()}
    return found


def _state_rows(state: dict[str, Any]) -> Iterator[tuple[str, Row]]:
    for table in BY_TABLE:
        listed = state.get(table)
        for row in listed if isinstance(listed, list) else ():
            if isinstance(row, dict):
                yield table, row


def _is_hidden(campaign: Campaign, id: str, side: Side) -> bool:
    return campaign.find(id) is not None and counter_known_to(campaign, id, side) is None


def _same(campaign: Campaign, table: str, id: str) -> bool:
    """Whether a counter of a list may be the hidden counter with that id, now captured."""
    known = campaign.find(id)
    return isinstance(known, Weapon | Vehicle) and table == known.TABLE and known.in_play


def _free(campaign: Campaign, id: str, used: set[str]) -> str:
    """Return the next free id after this one: "m-sq-4" after "m-sq-3", else with a number added."""
    numbered = _NUMBERED.fullmatch(id)
    begins, last = (numbered[1], int(numbered[2])) if numbered else (f"{id}-", 1)
    ids = (f"{begins}{number}" for number in count(last + 1))
    return next(each for each in ids if each not in used and campaign.find(each) is None)


def _renamed(table: str, row: Any, other: dict[str, str]) -> Any:
    """Return a row with the new ids wherever it names these counters."""
    if not isinstance(row, dict):
        return row
    schema, found = schema_of(BY_TABLE[table]), dict(row)
    for name in ("id", *map(field_name_in_files, schema.links)):
        if isinstance(row.get(name), str):
            found[name] = other.get(row[name], row[name])
    for name in map(field_name_in_files, schema.places):
        hex, colon, inside = str(row.get(name)).partition(":")
        if colon and inside in other:
            found[name] = f"{hex}:{other[inside]}"
    return found
