"""A result as the correction of the campaign's unit that it is about."""

from typing import Any

from brt_cg.aids.outcomes import Result, State
from brt_cg.counters import Fate, Unit

# What an outcome decides about a unit; all else that is on it stays.
DECIDED = {State.BERSERK, State.UNARMED, State.BROKEN, State.WOUNDED, "dm"}


def edit_of(result: Result, unit: Unit) -> dict[str, Any] | None:
    """The fields, as of the command `edit`, that make the unit what the result says; None where it
    changes nothing. Of two half-squads it becomes the first."""
    if result.row.result == "not_possible":
        return None
    if not result.after:
        captured = result.row.result == "captured"
        return {"fate": (Fate.CAPTURED if captured else Fate.ELIMINATED).value}
    after = result.after[0]
    status = {*unit.status} - DECIDED | {*after.status}
    values: dict[str, Any] = {"status": sorted(status)}
    if after.kind is not unit.kind:
        values["kind"] = after.kind.value
    if after.class_ not in (None, unit.class_):
        values["class"] = str(after.class_)
    if after.strength is not unit.strength:
        values["strength"] = after.strength.value
    return values if len(values) > 1 or status != {*unit.status} else None
