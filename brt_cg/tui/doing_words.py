"""What players type for outcomes that they enter by hand (15.6133, 15.6135).

"m-mmg-3 status=malfunctioned: scrounged from a wreck; m-ft-1 fate=in_play …: …": a counter, its
fields as in `edit`, and after the colon what is done; semicolons between several.
"""

from typing import TYPE_CHECKING

from brt_cg.asks import Raw, Refused
from brt_cg.commands.edit import parse_assignments

if TYPE_CHECKING:
    from brt_cg.campaign import Campaign

BY_HAND = ("15.6133", "15.6135")
HINT = "ID FIELD=VALUE…: what is done; as m-mmg-3 status=malfunctioned: scrounged from a wreck"


def doings_raw(view: "Campaign", text: str) -> Raw:
    """The list of doings as it stands in an answers file. Raises Refused."""
    return [_doing(view, part.strip()) for part in text.split(";") if part.strip()]


def _doing(view: "Campaign", text: str) -> Raw:
    # A Location holds a colon as well, but no blank follows it.
    head, _, do = text.partition(": ")
    id, *assignments = head.split() or [""]
    if not do.strip() or not assignments:
        raise Refused(f"{text!r}: write {HINT}")
    if view.find(id) is None:
        raise Refused(f"{id}: allowed: the id of a counter")
    return {"do": do.strip(), "counter": id, "set": parse_assignments(view, id, assignments)}
