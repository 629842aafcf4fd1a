"""Writes a state document: the situation as `import` reads it."""

from collections.abc import Mapping
from typing import Any

from brt_cg.board import in_ranges
from brt_cg.campaign import Campaign
from brt_cg.commands.state_document import (
    FACT_FIELDS,
    FIELDS,
    FORMAT,
    SCENARIO_FIELDS,
    SIDE_FIELDS,
    VERSION,
)
from brt_cg.counters import Counter, Side
from brt_cg.fields import Field, plain
from brt_cg.record import Record
from brt_cg.records import SIDES, Phase, Situation
from brt_cg.secrets_kept import seen_by


def document(campaign: Campaign, side: Side | None = None) -> dict[str, Any]:
    """The state of a campaign as a side may see it (None: the umpire), with every field. It has no
    field for whose view it is: `import` takes exactly this in."""
    view = seen_by(campaign, side)
    situation = view.situation
    return {
        "format": FORMAT,
        "version": VERSION,
        "scenario": _fields(situation, SCENARIO_FIELDS) | _being_played(situation),
        "facts": _fields(situation, FACT_FIELDS),
        "sides": {side.value: _fields(view.sides[side], SIDE_FIELDS) for side in SIDES},
        "perimeters": [in_ranges(hexes).split() for hexes in situation.perimeters],
        **{name: _counters(view, name) for name in FIELDS},
    }


def _being_played(situation: Situation) -> dict[str, Any]:
    """A scenario still to be played has no winner yet (the one that the campaign holds won the last
    one), but it may be known who moves first."""
    if situation.phase is not Phase.SCENARIO:
        return {}
    return {"winner": None, "moved_first": plain(situation.first_move)}


def _fields(record: Record, fields: Mapping[str, Field]) -> dict[str, Any]:
    return {name: plain(getattr(record, field.attribute)) for name, field in fields.items()}


def _counters(view: Campaign, name: str) -> list[dict[str, Any]]:
    records: Mapping[str, Counter] = view.tables[name]
    return [_fields(records[key], FIELDS[name]) for key in sorted(records)]
