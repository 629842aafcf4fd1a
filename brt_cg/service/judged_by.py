"""By whose rights a mail is judged, and what is told of what nobody's rights were held against."""

from collections.abc import Iterator
from dataclasses import dataclass

from brt_cg.model.seat import Seat, seat_for

UNNAMED = (
    "neither you nor the mail says which side it comes from (receive --side, send --side), so what "
    "that side may enter was not checked"
)
FROM_UMPIRE = "it was received as the umpire's: what a side may enter was not checked in it"
AS_IT_IS = "a campaign that is new here is taken as it is: what a side may enter was not checked"
TAKEN_BACK = "what it says was entered from your seat was taken for yours; look whether it is"


@dataclass(frozen=True, slots=True)
class JudgedBy:
    """The seat by whose rights a mail is judged, None if nobody said one; `as_umpire` if the
    receiver says that it is the umpire's, who may enter anything."""

    sender: Seat | None
    as_umpire: bool = False

    @classmethod
    def of(cls, named: Seat | None, receiver: Seat | None, as_umpire: bool) -> "JudgedBy":
        """For a mail from the seat `named` by itself. Whoever plays a side knows who mails to him,
        whatever the mail says."""
        if as_umpire:
            return cls(Seat.UMPIRE, True)
        if receiver is None or receiver.side is None:
            return cls(named)
        return cls(seat_for(receiver.side.enemy))

    def unjudged(self, took_back: bool) -> Iterator[str]:
        """What was not judged, in words; `took_back` is whether any of it was taken for what the
        receiver had entered himself."""
        if self.as_umpire:
            yield FROM_UMPIRE
        elif self.sender is None or self.sender.side is None:
            yield UNNAMED
        if took_back:
            yield TAKEN_BACK
