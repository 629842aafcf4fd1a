"""Opens a campaign as its reader may see it: all of it, or what his side may know."""

from brt_cg.service.desk import Desk
from brt_cg.storage.place import Address, Place


def open_desk(path: Place, backs_up: bool = True) -> Desk:
    """Opens a campaign; for a player's role, at his seat. Raises StorageError."""
    if isinstance(path, Address):  # imports for a server are made here: most play with a file
        from brt_cg.storage.engine import seat_of

        seat = seat_of(path)
        if seat is not None:
            from brt_cg.seat_desk import SeatDesk

            return SeatDesk(path, seat)
    return Desk.open(path, backs_up=backs_up)
