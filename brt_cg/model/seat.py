"""The seats at the table."""

from enum import StrEnum
from functools import cached_property

from brt_cg.model.counters import Side


class Seat(StrEnum):
    """A place at the table: the player of a side, or the umpire, who sees both sides' secrets."""

    MARINE = "marine"
    JAPANESE = "japanese"
    UMPIRE = "umpire"

    @classmethod
    def from_name(cls, name: object) -> "Seat | None":
        """Return the seat with that name, or None."""
        return next((seat for seat in cls if seat == name), None)

    @cached_property
    def side(self) -> Side | None:
        """The side that this seat plays; None for the umpire."""
        return Side.from_name(self.value)

    @cached_property
    def label(self) -> str:
        """The name to show: "Marine", "Japanese", "Umpire"."""
        return self.value.capitalize()


def seat_of_side(side: Side | None) -> Seat:
    """Return the seat of a side; None is the umpire."""
    return Seat.UMPIRE if side is None else Seat(side.value)
