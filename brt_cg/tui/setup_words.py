"""What players type at setup (15.6201, 15.6202): where a counter may go, and with what.

"N21" is a Location; a Fortification that was bought without its Covered Arc, or its exit, gets it
along with the Location: "M22 N21,N22", "M21 exit K21".
"""

import re
from typing import TYPE_CHECKING

from brt_cg import board
from brt_cg.asks import Raw, Refused
from brt_cg.counters import Counter, Fortification, Piece, Side
from brt_cg.refit.s608_retained import TWO_ENDED
from brt_cg.refit.setup_places import bound_to, isolated_places, meant_for

if TYPE_CHECKING:
    from brt_cg.campaign import Campaign

ISOLATED, REST = "15.6201", "15.6202"
SETUP = (ISOLATED, REST)
PLAIN, WITH_ARC, WITH_EXIT = "N21", "M22 N21,N22", "M21 exit K21"
_HEX = re.compile(r"[A-Za-z]{1,2}[0-9]{1,2}")


def spot_raw(text: str) -> Raw:
    """A Location as typed, with a Covered Arc or an exit if there is one. Raises Refused."""
    place, *more = text.replace(",", " ").split() or [""]
    if not more:
        return upper_hexes(place)
    spot: dict[str, Raw] = {"location": upper_hexes(place)}
    words = [upper_hexes(word) for word in more]
    if words[0].lower() == "exit" and len(words) > 1:
        spot["exit"], words = words[1], words[2:]
    if words:
        spot["covered_arc"] = words
    if len(words) not in (0, 2):
        raise Refused(f"{text!r}: write {PLAIN}; with a Covered Arc {WITH_ARC}; {WITH_EXIT}")
    return spot


def upper_hexes(text: str) -> str:
    """A Location, hexside or hex with its hexes in capitals; a place in the hex as it stands."""
    ground, colon, place = text.partition(":")
    parts = (one.upper() if _HEX.fullmatch(one) else one for one in ground.split("/"))
    return "/".join(parts) + colon + place


def spot_hint(counter: Counter | None) -> str:
    """What may be typed for a counter, shortly."""
    if not isinstance(counter, Fortification):
        return "a Location: N21, N21:1"
    if counter.type == "seawall_breach":
        return "a hexside: N18/N19"
    if counter.type in TWO_ENDED and counter.exit is None:
        return f"{PLAIN}; with its exit: {WITH_EXIT}"
    if counter.type.startswith("pillbox") and not counter.covered_arc:
        return f"{PLAIN}; with its Covered Arc: {WITH_ARC}"
    return f"a Location: {PLAIN}"


def likely_places(rule: str, view: "Campaign", counter: Counter) -> list[str]:
    """Where a counter may go, as far as that can be listed."""
    if isinstance(counter, Fortification):
        return _for_fortification(rule, view, counter)
    if not isinstance(counter, Piece):
        return []
    if rule == ISOLATED or counter.isolated:
        return list(isolated_places(view, counter))
    bound = bound_to(view, counter)
    if bound is not None:
        return [bound]
    meant, area = meant_for(view, counter), view.area_of(counter)
    hexes = [hex for hex in area.hexes if not board.is_ocean(hex)] if area else []
    return [meant, *(hex for hex in hexes if hex != meant)] if meant else hexes


def _for_fortification(rule: str, view: "Campaign", fort: Fortification) -> list[str]:
    """A new one goes where it was bought for, or to the Isolated of its side."""
    if rule == ISOLATED:
        return _isolated_locations(view, fort.side)
    bought = view.purchases.get(fort.purchase or "")
    return [bought.location] if bought is not None and bought.location else []


def _isolated_locations(view: "Campaign", side: Side) -> list[str]:
    places = {one.location for one in view.pieces() if one.side is side and one.isolated}
    known = [place for place in places if place is not None and place != "off_map"]
    return sorted(known, key=lambda place: (board.key(board.hex_of(place)), place))
