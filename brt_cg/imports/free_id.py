"""An id for a counter that was entered without one."""

import re
from collections.abc import Mapping
from typing import Any

SHORT = {
    **{"squad": "sq", "half_squad": "hs", "crew": "cr", "vehicle_crew": "vc"},
    **{"leader": "ldr", "hero": "hero", "pathfinder": "pf"},
}


def add_free_id(row: Mapping[str, Any], taken: set[str]) -> str:
    """Return an id that is not `taken`, and add it to `taken`: "m-sq-3", "j-hmg-1", "m-lvt2-4"."""
    kind = str(row.get("kind", "")).casefold()
    stem = SHORT.get(kind) or re.sub(r"[^a-z0-9]+", "", str(row.get("type") or kind).lower())
    side, number = str(row.get("side") or "terrain")[0].lower(), 1
    while (id := f"{side}-{stem or 'counter'}-{number}") in taken:
        number += 1
    taken.add(id)
    return id
