"""What is odd about a counter but may be so, and whether it is anywhere at all."""

from collections.abc import Iterator

from brt_cg import board
from brt_cg.board import OFF_MAP
from brt_cg.campaign import ground
from brt_cg.card import Card
from brt_cg.counters import Counter, Piece, Vehicle
from brt_cg.impossible import Find, tied_to


def oddities(counter: Counter, find: Find, card: Card, last_hex: int) -> Iterator[str]:
    """What is odd about a counter in play, but may be so: a warning."""
    if isinstance(counter, Vehicle) and counter.in_play and not counter.cvp:
        worth = card.ladders.vehicle_cvp(counter.type)
        if worth:
            yield f"its cvp is 0; a {counter.type} is worth {worth}"
    location = counter.location
    if not counter.in_play or location is None or location == OFF_MAP:
        return
    if board.key(ground(location))[1] > last_hex:
        yield f"{location} is not in play: hexes are numbered up to {last_hex}"
    for name, link in tied_to(counter):
        to = find(link)
        if to is not None and to.location != location:
            yield f"it is in {location}, {to.id} ({name}) in {to.location}"


def placed(counter: Counter) -> bool:
    """Whether it is known where a counter is, or it is out of play."""
    retained = isinstance(counter, Piece) and counter.setup_area is not None
    return counter.location is not None or retained or not counter.in_play


def loosen(counters: list[Counter], find: Find) -> None:
    """Clears what leads from counters in play to what is in play no more."""
    for counter in counters:
        for name, link in tied_to(counter) if counter.in_play else ():
            to = find(link)
            if to is None or not to.in_play:
                setattr(counter, name, None)
