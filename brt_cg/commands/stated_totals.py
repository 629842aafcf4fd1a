"""CVP in a document that do not match its losses."""

from typing import NamedTuple

COUNTED, STATED = "counted", "stated"  # which CVP count


class OtherTotal(NamedTuple):
    """A side's CVP in a document, and the CVP for its losses."""

    given: int
    counted: int

    def __str__(self) -> str:
        return f"the file says {self.given}, but its losses are worth {self.counted}"
