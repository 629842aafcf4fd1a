"""How a campaign is opened by whoever may see it: all of it, or what his side may know."""

from brt_cg.desk import Desk
from brt_cg.storage.place import Address, Place


def open_desk(path: Place, backs_up: bool = True) -> Desk:
    """Opens a campaign: at his seat for a player's role. Raises StorageError."""
    if isinstance(path, Address):  # what a server takes is imported here: most play with a file
        from brt_cg.seat_desk import SeatDesk
        from brt_cg.storage.kept import seat_of

        seat = seat_of(path)
        if seat is not None:
            return SeatDesk(path, seat)
    return Desk.open(path, backs_up=backs_up)
