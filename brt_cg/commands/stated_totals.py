"""CVP in a document that do not match its losses."""

from typing import NamedTuple

COUNTED, STATED = "counted", "stated"  # which CVP count


class OtherTotal(NamedTuple):
    """A side's CVP as stated in a document, and the CVP for the losses in it."""

    given: int
    counted: int

    def __str__(self) -> str:
        return f"the file says {self.given}, but its losses are worth {self.counted}"
