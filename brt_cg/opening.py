"""Opens a campaign as its reader may see it: all of it, or what his side may know."""

from brt_cg.desk import Desk
from brt_cg.storage.kept import seat_of
from brt_cg.storage.place import Address, Place


def open_desk(path: Place, backs_up: bool = True) -> Desk:
    """Opens a campaign; for a player's role, at his seat. Raises StorageError."""
    if isinstance(path, Address) and (seat := seat_of(path)) is not None:
        from brt_cg.seat_desk import SeatDesk  # imported here: most play with a file

        return SeatDesk(path, seat)
    return Desk.open(path, backs_up=backs_up)
