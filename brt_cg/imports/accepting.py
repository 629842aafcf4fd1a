"""A difference accepted line by line: what an import is asked, without the lines that the player
refuses."""

from collections.abc import Collection, Iterable, Mapping
from typing import Any

from brt_cg.campaign import Campaign
from brt_cg.commands.difference import Line, What
from brt_cg.commands.plan import KEEP
from brt_cg.commands.state_document import FIELDS, document
from brt_cg.counters import Side

COUNTERS = (What.ADDED, What.MOVED, What.CHANGED)
# Of the scenario itself the campaign knows nothing that could stay: 15.6032 asks who won.
REFUSABLE = (*COUNTERS, What.TOTALS, What.PERIMETERS)

Asked = dict[str, Any]


def accepted(
    campaign: Campaign,
    asked: Asked,
    refused: Collection[Line],
    fates: Mapping[str, str] | None = None,
) -> Asked:
    """What an import is asked, but for the `refused` lines of its difference: whatever they are
    about stays as the campaign has it, and what they add is left out. `fates` says by id what
    became of missing counters: "keep" or "eliminated"."""
    side = Side(asked["side"]) if asked.get("side") else None
    known = document(campaign, side)
    state = dict(asked["state"])
    for line in refused:
        if line.what is What.TOTALS:
            state["sides"] = state["sides"] | {line.about: known["sides"][line.about]}
        elif line.what is What.PERIMETERS:
            state["perimeters"] = known["perimeters"]
    stay = {line.about for line in refused if line.what in COUNTERS}
    for table in FIELDS:
        rows = [row for row in state.get(table, ()) if row["id"] not in stay]
        rows += _as_known(known[table], stay, fates or {})
        if rows or table in state:
            state[table] = rows
    found = asked | {"state": state}
    if asked.get("pieces"):
        # What was refused may have been the wrong piece: it is matched anew next time.
        pieces = asked["pieces"].items()
        found["pieces"] = {piece: id for piece, id in pieces if id not in stay}
    return found


def _as_known(
    rows: Iterable[Asked], stay: Collection[str], fates: Mapping[str, str]
) -> Iterable[Asked]:
    """The counters of a list that stay as they are, and the missing ones with their fate."""
    for row in rows:
        fate = fates.get(row["id"], KEEP if row["id"] in stay else None)
        if fate is not None:
            yield row if fate == KEEP else row | {"fate": fate}
